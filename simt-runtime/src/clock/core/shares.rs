//! Loads whose data comes to some lanes of a warp before others, and when its policy may divide a split for that.

use super::Core;
use crate::clock::device::Machine;
use crate::engine::Units;
use crate::hierarchy::{Cycle, Transaction};
use crate::policy::LoadSplits;
use simt_core::LaneMask;

/// Lanes of a load whose data comes together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    pub(super) lanes: LaneMask,
    /// Whether some of what they load is not in the first level.
    pub(super) late: bool,
    pub(super) transactions: u32,
    /// Is answered when all of it has come.
    pub(super) ticket: u32,
}

/// The shares of a load. Transactions that have a lane in common are one.
pub(super) fn shares(transactions: &[Transaction], late: impl Fn(&Transaction) -> bool, shares: &mut Vec<Share>) {
    shares.clear();
    for transaction in transactions {
        let lanes = LaneMask(transaction.lanes);
        let mut share = Share { lanes, late: late(transaction), transactions: 1, ticket: 0 };
        shares.retain(|other| {
            let apart = (other.lanes & lanes).is_empty();
            if !apart {
                share.lanes |= other.lanes;
                share.late |= other.late;
                share.transactions += other.transactions;
            }
            apart
        });
        shares.push(share);
    }
}

impl<U: Units> Core<U> {
    /// Lanes of a unit have issued a load in shares: its policy may divide their split, as the machine has it.
    pub(super) fn divide(&mut self, now: Cycle, slot: usize, unit: usize, machine: &Machine<'_, '_>) {
        let of = |late| {
            let shares = self.shares.iter().filter(|share: &&Share| share.late == late);
            shares.fold(LaneMask::EMPTY, |lanes, share| lanes | share.lanes)
        };
        let (hits, late) = (of(false), of(true));
        let may = match machine.load_splits() {
            LoadSplits::Never => false,
            LoadSplits::Aggressive => true,
            LoadSplits::Lazy | LoadSplits::Revive => self.all_wait(now, Some((slot, unit))),
        };
        if may
            && !hits.is_empty()
            && !late.is_empty()
            && let Some(resident) = &mut self.slots[slot]
        {
            resident.block.units.divide(unit, late);
        }
    }

    /// No unit can issue any more: if all warps wait, the lanes of one may go on whose data has come.
    pub(super) fn revive(&mut self, now: Cycle, machine: &Machine<'_, '_>) {
        if machine.load_splits() != LoadSplits::Revive || !self.candidates.is_empty() || !self.all_wait(now, None) {
            return;
        }
        for (slot, resident) in self.slots.iter_mut().enumerate() {
            let Some(resident) = resident else { continue };
            for unit in 0..self.units_of_block {
                let late = resident.clocks[unit].loading(now) & resident.block.live(unit);
                if !late.is_empty() && !resident.block.waits(unit) && resident.block.units.divide(unit, late) {
                    self.waits.set(slot * self.units_of_block + unit, now);
                    return;
                }
            }
        }
    }

    /// Whether all warps of the core, but for one, wait for memory or at a barrier.
    fn all_wait(&self, now: Cycle, but: Option<(usize, usize)>) -> bool {
        self.slots.iter().enumerate().all(|(slot, resident)| {
            let Some(resident) = resident else { return true };
            resident.clocks.iter().enumerate().all(|(warp, clock)| {
                but == Some((slot, warp))
                    || resident.block.live(warp).is_empty()
                    || resident.block.waits(warp)
                    || clock.waits_for_memory(now)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_with_several_transactions_waits_for_all() {
        let of = |address, lanes| Transaction { address, bytes: 32, lanes };
        let transactions = [of(0, 0b0011), of(32, 0b0100), of(64, 0b1000), of(96, 0b1010)];
        let mut found = Vec::new();
        shares(&transactions, |transaction| transaction.address >= 96, &mut found);
        let found: Vec<_> = found.iter().map(|share| (share.lanes.0, share.late, share.transactions)).collect();
        assert_eq!(found, [(0b0100, false, 1), (0b1011, true, 3)]);
    }
}
