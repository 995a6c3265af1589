//! What the stack of `Ipdom` holds: its entries, and how many there are and have been.

use simt_core::LaneMask;
use simt_core::code::Pc;
use std::fmt;

/// No address: the entry ends with the kernel or, in a function, with its return.
pub(super) const NEVER: Pc = Pc(u32::MAX);

/// How much the stack holds, and has held.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Depths {
    /// The lanes of paths that have not begun: each lane is in one entry of those paths.
    pending: LaneMask,
    /// How many such paths there are.
    paths: u32,
    pub(super) most_paths: u32,
    /// Most entries, not counting the top one.
    pub(super) most_below: usize,
}

impl Depths {
    /// Of a stack that holds nothing yet, and has held this.
    pub(super) fn again(self) -> Self {
        Self { pending: LaneMask::EMPTY, paths: 0, ..self }
    }

    /// A path is pushed that begins later, onto `below` entries.
    #[inline(always)]
    pub(super) fn defer(&mut self, path: LaneMask, below: usize) {
        self.pending |= path;
        self.paths += 1;
        self.most_paths = self.most_paths.max(self.paths);
        self.pushed(below);
    }

    #[inline(always)]
    pub(super) fn pushed(&mut self, below: usize) {
        self.most_below = self.most_below.max(below);
    }

    /// An entry becomes the top: a path of it begins, or it has waited for paths that have ended.
    #[inline(always)]
    pub(super) fn begin(&mut self, entry: LaneMask) {
        self.paths -= u32::from(!(self.pending & entry).is_empty());
        self.pending = self.pending - entry;
    }
}

/// An entry, as the paper has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The address where the entry ends; [`NEVER`] if it ends only with the kernel.
    pub(super) reconvergence: Pc,
    pub(super) next: Pc,
    pub(super) mask: LaneMask,
}

/// An entry below the top.
///
/// PERF: two words, which go from register to memory and back. Three fields the compiler puts together in memory and moves as
/// one, and that load waits until the stores of its parts have left the processor, which took 3 % of the time of Collatz, search
/// and bfs (Intel Xeon with AVX-512, 2026-11-28).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Below {
    /// Where it goes on, and in the upper half where it ends.
    addresses: u64,
    pub(super) mask: LaneMask,
}

impl Below {
    #[inline(always)]
    pub(super) fn new(Entry { reconvergence, next, mask }: Entry) -> Self {
        Self { addresses: u64::from(reconvergence.0) << 32 | u64::from(next.0), mask }
    }

    #[inline(always)]
    pub(super) fn entry(self) -> Entry {
        Entry { reconvergence: Pc((self.addresses >> 32) as u32), next: Pc(self.addresses as u32), mask: self.mask }
    }
}

impl fmt::Debug for Below {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entry().fmt(f)
    }
}
