//! Which addresses lanes touch, and what those become: transactions, or passes of shared memory.

use super::body::Body;
use super::coalesce::{Coalescing, bank_passes, coalesce};
use super::hierarchy::AccessKind;
use super::program::{Space, Touch};
use crate::policy::WarpPart;
use smallvec::SmallVec;

/// Transactions of a warp's access: address and bytes.
pub(crate) type Transactions = SmallVec<[(u64, u32); 64]>;

/// What a warp's access becomes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic {
    /// Lines or sectors, of global and local memory.
    pub(crate) transactions: Transactions,
    /// Of shared memory, the passes it takes.
    pub(crate) passes: u32,
}

/// Collects what parts of warps touch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gather {
    addresses: SmallVec<[u64; 64]>,
}

impl Gather {
    /// The addresses that the next instruction of the parts touches, before it is executed.
    pub(crate) fn collect<B: Body>(
        &mut self,
        body: &mut B,
        touch: &Touch,
        parts: &[WarpPart],
        first: u64,
        width: usize,
    ) {
        self.addresses.clear();
        for part in parts {
            let registers = body.registers(part.warp);
            for lane in part.lanes.lanes() {
                let index = registers.get(touch.index, lane);
                let bytes = u64::from(touch.bytes);
                self.addresses.push(match touch.space {
                    Space::Global | Space::Shared => touch.base + index * bytes,
                    // Elements of one index lie side by side, lane by lane (CUDA C++ Programming Guide, local memory).
                    Space::Local => {
                        let warp = (first + part.warp as u64) * touch.length;
                        touch.base + ((warp + index.min(touch.length)) * width as u64 + lane as u64) * bytes
                    }
                });
            }
        }
    }

    /// What those become.
    pub(crate) fn traffic(&self, touch: &Touch, coalescing: Coalescing, banks: usize, traffic: &mut Traffic) {
        traffic.transactions.clear();
        traffic.passes = 0;
        match (touch.space, touch.kind) {
            (Space::Shared, AccessKind::Atomic) => {
                // Lanes that change one word do so one after the other, besides conflicts of banks.
                let same = self.most_alike();
                traffic.passes = bank_passes(&self.addresses, touch.bytes, banks).max(same);
            }
            (Space::Shared, _) => traffic.passes = bank_passes(&self.addresses, touch.bytes, banks),
            (_, AccessKind::Atomic) => {
                // One for each address; what lanes do to the same is done there, one after the other.
                for &address in &self.addresses {
                    if !traffic.transactions.iter().any(|&(known, _)| known == address) {
                        traffic.transactions.push((address, touch.bytes));
                    }
                }
            }
            _ => coalesce(coalescing, &self.addresses, touch.bytes, &mut traffic.transactions),
        }
    }

    /// Most lanes that touch one address.
    fn most_alike(&self) -> u32 {
        let alike = |address: &u64| self.addresses.iter().filter(|other| *other == address).count();
        self.addresses.iter().map(alike).max().unwrap_or(0) as u32
    }
}
