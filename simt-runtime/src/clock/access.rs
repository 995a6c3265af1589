//! The addresses that lanes touch, and what they become: transactions, or passes of shared memory.

use super::program::{Space, Touch};
use crate::config::MemoryTiming;
use crate::engine::{Block, Units};
use crate::hierarchy::{AccessKind, Coalescing, Transaction, constant_passes, shared_passes};
use crate::policy::WarpPart;

/// The result of coalescing a warp's access.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic {
    /// Lines or sectors, of global and local memory.
    pub(crate) transactions: Vec<Transaction>,
    /// The number of passes of shared memory.
    pub(crate) passes: u32,
}

/// The addresses that the lanes of a warp touch. Threads of several warps that issue together take free lanes if theirs are
/// taken.
#[derive(Clone, Debug)]
pub(crate) struct Gather {
    addresses: [u64; 64],
    lanes: u64,
}

impl Default for Gather {
    fn default() -> Self {
        Self { addresses: [0; 64], lanes: 0 }
    }
}

impl Gather {
    /// The addresses that the next instruction of the parts touches, before it is executed.
    pub(crate) fn collect<U: Units>(
        &mut self,
        block: &Block<U>,
        touch: &Touch,
        parts: &[WarpPart],
        first: u64,
        width: usize,
    ) {
        self.lanes = 0;
        if let [WarpPart { warp, lanes }] = *parts
            && touch.space != Space::Local
        {
            // PERF: of lanes that are where they belong, all are computed, those that do not issue as well.
            block.units.warps()[warp].registers.get_all(touch.index, &mut self.addresses);
            let bytes = u64::from(touch.bytes);
            for address in &mut self.addresses[..width] {
                *address = touch.base.wrapping_add(address.wrapping_mul(bytes));
            }
            self.lanes = lanes.0;
            return;
        }
        for part in parts {
            let registers = &block.units.warps()[part.warp].registers;
            for lane in part.lanes.lanes() {
                let index = registers.get(touch.index, lane);
                let bytes = u64::from(touch.bytes);
                let address = match touch.space {
                    Space::Global | Space::Shared | Space::Constant => touch.base + index * bytes,
                    // Elements of one index lie side by side, lane by lane (CUDA C++ Programming Guide, local memory).
                    Space::Local => {
                        let warp = (first + part.warp as u64) * touch.length;
                        touch.base + ((warp + index.min(touch.length)) * width as u64 + lane as u64) * bytes
                    }
                };
                let free = if self.lanes >> lane & 1 == 0 { lane } else { self.lanes.trailing_ones() as usize };
                self.lanes |= 1 << free;
                self.addresses[free] = address;
            }
        }
    }

    /// Coalesces the addresses.
    pub(crate) fn traffic(&self, touch: &Touch, memory: &MemoryTiming, banks: usize, traffic: &mut Traffic) {
        traffic.transactions.clear();
        traffic.passes = 0;
        if touch.space == Space::Constant {
            traffic.passes = constant_passes(&self.addresses, self.lanes);
            return;
        }
        if touch.space == Space::Shared {
            traffic.passes = shared_passes(banks as u32, &self.addresses, self.lanes, touch.bytes);
            if touch.kind == AccessKind::Atomic {
                // Lanes that change one word do so one after the other, besides conflicts of banks.
                traffic.passes = traffic.passes.max(self.most_alike());
            }
            return;
        }
        let rule = match memory {
            MemoryTiming::Ideal { .. } => Coalescing::Sectors { sector: 32, line: 128 },
            MemoryTiming::Hierarchy(hierarchy) => {
                hierarchy.coalescing(touch.kind, touch.operator, touch.space == Space::Local)
            }
        };
        let (addresses, transactions) = (&self.addresses, &mut traffic.transactions);
        if touch.kind == AccessKind::Atomic {
            rule.atomics(addresses, self.lanes, touch.bytes, transactions);
        } else {
            rule.transactions(addresses, self.lanes, touch.bytes, transactions);
        }
    }

    /// The word of 32 bits that a lane which issues alone touches.
    pub(crate) fn word(&self) -> u64 {
        self.addresses.get(self.lanes.trailing_zeros() as usize).map_or(0, |address| address / 4)
    }

    /// The largest number of lanes that touch one address.
    fn most_alike(&self) -> u32 {
        let lanes = || (0..64).filter(|lane| self.lanes >> lane & 1 == 1).map(|lane| self.addresses[lane]);
        lanes().map(|address| lanes().filter(|&other| other == address).count()).max().unwrap_or(0) as u32
    }
}
