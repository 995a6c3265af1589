//! The addresses that lanes touch, and what they become: transactions, or passes of shared memory.

use super::program::{Space, Touch};
use crate::config::MemoryTiming;
use crate::engine::{Block, Units};
use crate::hierarchy::{AccessKind, Coalescing, Transaction, constant_passes, shared_passes};
use crate::lanes::Registers;
use crate::memory::spaces::resolve;
use crate::policy::WarpPart;
use simt_core::LaneMask;
use simt_core::code::AddressSpace;

/// The result of coalescing a warp's access.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic {
    /// Lines or sectors, of global and local memory.
    pub(crate) transactions: Vec<Transaction>,
    /// The number of passes of shared memory.
    pub(crate) passes: u32,
}

/// The lanes whose guard, if the access has one, has the value that executes it.
fn executing(registers: &Registers, touch: &Touch, lanes: LaneMask) -> LaneMask {
    match touch.guard {
        None => lanes,
        Some((predicate, when)) => {
            let holds = LaneMask(registers.predicates[predicate as usize]);
            if when { lanes & holds } else { lanes - holds }
        }
    }
}

/// Where local memory by address lies: no other memory is there.
const LOCAL: u64 = 1 << 46;

/// Bytes from the local memory of one warp to that of the next.
const LOCAL_OF_WARP: u64 = 1 << 26;

/// Where a byte of a thread's local memory lies: words of 4 bytes at one address lie side by side, lane by lane (CUDA C++
/// Programming Guide, local memory).
fn local(warp: u64, lane: usize, width: usize, address: u64) -> u64 {
    let word = (address / 4).wrapping_mul(width as u64).wrapping_add(lane as u64);
    LOCAL.wrapping_add(warp.wrapping_mul(LOCAL_OF_WARP)).wrapping_add(word.wrapping_mul(4)).wrapping_add(address % 4)
}

/// Up to so many lanes, addresses are computed one by one, which is faster than those of all lanes together.
const FEW: usize = 4;

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
            && lanes.count() > FEW
        {
            // PERF: of lanes that are where they belong, all are computed, those that do not issue as well.
            let registers = &block.units.warps()[warp].registers;
            registers.get_all(touch.index, &mut self.addresses);
            for address in &mut self.addresses[..width] {
                *address = touch.base.wrapping_add(address.wrapping_mul(touch.stride));
            }
            self.lanes = executing(registers, touch, lanes).0;
            return;
        }
        for part in parts {
            let registers = &block.units.warps()[part.warp].registers;
            for lane in executing(registers, touch, part.lanes).lanes() {
                let index = registers.get(touch.index, lane);
                let bytes = u64::from(touch.bytes);
                let address = match touch.space {
                    Space::Global | Space::Shared | Space::Constant | Space::Generic => {
                        touch.base.wrapping_add(index.wrapping_mul(touch.stride))
                    }
                    // By address; so its words lie.
                    Space::Local if touch.length == 0 => {
                        local(first + part.warp as u64, lane, width, touch.base.wrapping_add(index))
                    }
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

    /// What an access by generic addresses touches: the space of the lowest lane that has one other than shared memory, whose
    /// time it then has; lanes in shared memory, if others are not, take none.
    ///
    /// **Assumed:** a warp whose lanes are in several spaces is rare.
    pub(crate) fn settled(&mut self, touch: &Touch, (first, width): (u64, usize)) -> Touch {
        let lanes = || (0..64).filter(|lane| self.lanes >> lane & 1 == 1);
        let space = |lane: usize| resolve(AddressSpace::Generic, self.addresses[lane]).0;
        let mut spaces = lanes().map(space);
        let leading = spaces.clone().find(|&space| space != AddressSpace::Shared).or_else(|| spaces.next());
        let space_of = |space| match space {
            Some(AddressSpace::Shared) => Space::Shared,
            Some(AddressSpace::Local) => Space::Local,
            Some(AddressSpace::Const | AddressSpace::Param) => Space::Constant,
            _ => Space::Global,
        };
        let is_alike = |&lane: &usize| Some(space(lane)) == leading;
        let alike = lanes().filter(is_alike).fold(0, |alike, lane| alike | 1 << lane);
        self.lanes = alike;
        for lane in (0..64).filter(|lane| alike >> lane & 1 == 1) {
            let within = resolve(AddressSpace::Generic, self.addresses[lane]).1;
            let is_local = leading == Some(AddressSpace::Local);
            self.addresses[lane] = if is_local { local(first, lane, width, within) } else { within };
        }
        Touch { space: space_of(leading), ..*touch }
    }

    /// Whether no lane touches anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.lanes == 0
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
