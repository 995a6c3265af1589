//! The reports of accesses, before they are executed, to a launch that looks for races.

use super::runs::{FEW, Run, Runs};
use crate::lanes::Registers;
use crate::lanes::row::MAX_LANES;
use crate::memory::Memory;
use crate::memory::races::Races;
use crate::plan::{WatchedAccess, WatchedKind};
use simt_core::LaneMask;
use simt_core::program::FenceScope;

impl WatchedAccess {
    /// Reports the active lanes' accesses; returns the lowest lane that races. An index beyond the end is found by the
    /// access itself.
    #[inline(never)]
    pub(super) fn run(&self, registers: &Registers, memory: &mut Memory<'_>) -> Option<usize> {
        let is_atomic = matches!(self.kind, WatchedKind::Atomic { .. });
        let mut races = memory.races.take_if(|races| is_atomic || races.looks_at(self.shared))?;
        races.issue(self.shared);
        let (mut indices, mut values) = ([0; MAX_LANES], [0; MAX_LANES]);
        registers.get_all(self.index, &mut indices);
        if let WatchedKind::Store { value } = self.kind {
            registers.get_all(value, &mut values);
            self.cut(&mut values);
        }
        let length = memory.length(self.slot.into()) as u64;
        let racing = Runs { indices: &indices, lanes: registers.mask.bits }
            .find_map(|run| self.tell_run(&mut races, run.below(length), &mut values, memory));
        memory.races = Some(races);
        racing
    }

    /// Values as they lie in memory.
    fn cut(&self, values: &mut [u64]) {
        let bits = u64::MAX >> (64 - self.ty.bits());
        values.iter_mut().for_each(|value| *value &= bits);
    }

    /// Reports the accesses of a run, with the values that the lanes write if they do; returns the lowest lane that races.
    fn tell_run(
        &self,
        races: &mut Races,
        run: Run,
        values: &mut [u64; MAX_LANES],
        memory: &Memory<'_>,
    ) -> Option<usize> {
        let Run { mut lanes, first, step } = run.clone();
        let (index, start) = (first as usize, lanes.start);
        // The value in modelled memory is not known before the access.
        let is_known = memory.modelled.is_none();
        let found = |index, lane| {
            let mut value = [memory.bits(self.slot, index, lane).filter(|_| is_known)?];
            self.cut(&mut value);
            Some(value[0])
        };
        match self.kind {
            WatchedKind::Load if step == 0 && lanes.len() > 1 => {
                return races.read((self.slot, index), lanes, self.pc, found(index, start));
            }
            WatchedKind::Load if step == 1 && lanes.len() >= FEW => {
                let values = &mut values[lanes.clone()];
                if !is_known {
                    return races.access_all((self.slot, index), lanes, self.pc, false, None);
                }
                if memory.copy_bits(self.slot, index, values).is_some() {
                    self.cut(values);
                    return races.access_all((self.slot, index), lanes, self.pc, false, Some(values));
                }
            }
            WatchedKind::Store { .. } => return run.tell(races, self.slot, self.pc, true, Some(values)),
            _ => {}
        }
        lanes.find(|&lane| {
            let index = index + (lane - start) * step as usize;
            match self.kind {
                WatchedKind::Atomic { order, reads, writes, .. } => {
                    // An element that two parameters share is one element.
                    let place = memory.place(self.slot);
                    races.atomic((place.memory, place.start + index), lane, order, reads, writes);
                    false
                }
                _ => !races.access((self.slot, index), lane, self.pc, false, found(index, lane)),
            }
        })
    }
}

/// A fence.
pub(super) fn fence(registers: &Registers, memory: &mut Memory<'_>, scope: FenceScope) {
    if let Some(races) = &mut memory.races {
        races.issue(false);
        LaneMask(registers.mask.bits).lanes().for_each(|lane| races.fence(lane, scope));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_have_each_active_lane_once(
            mut indices in proptest::array::uniform32(0..4u64),
            ramps in any::<u64>(),
            lanes in prop_oneof![any::<u64>(), Just(u64::MAX), Just(u64::MAX >> 32)],
            length in 0..40u64,
        ) {
            // From lane to lane the index grows by one, or is another.
            for lane in (1..32).filter(|lane| ramps >> lane & 1 != 0) {
                indices[lane] = indices[lane - 1] + 1;
            }
            let mut row = [0; MAX_LANES];
            row.chunks_exact_mut(32).for_each(|half| half.copy_from_slice(&indices));
            let runs = Runs { indices: &row, lanes }.map(|run| run.below(length));
            let told: Vec<_> = runs
                .flat_map(|Run { lanes, first, step }| lanes.zip(0..).map(move |(lane, at)| (lane, first + at * step)))
                .collect();
            let active = LaneMask(lanes).lanes().map(|lane| (lane, row[lane]));
            prop_assert_eq!(told, active.filter(|&(_, index)| index < length).collect::<Vec<_>>());
        }
    }
}
