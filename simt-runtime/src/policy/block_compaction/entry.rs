//! The entries of the block's stack, and how their threads are packed into warps.

use crate::policy::ThreadMask;
use crate::policy::shared::Spares;
use simt_core::LaneMask;
use simt_core::code::Pc;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// The entry's identity: its place in the stack changes.
    pub(super) number: u32,
    /// The entry that goes on when this one and its siblings have ended.
    pub(super) parent: Option<u32>,
    /// The number of entries it waits for.
    pub(super) children: u32,
    pub(super) reconvergence: Option<Pc>,
    /// The address where its threads go on when the entries that it waits for have ended.
    pub(super) next: Pc,
    /// All its threads, while it waits.
    pub(super) threads: ThreadMask,
    /// Its warps that have not come to the end of the entry or to its branch, the first to run last.
    pub(super) warps: Vec<Packed>,
    /// Threads that wait at the branch for the rest of the entry, by the side that they will take.
    pub(super) sides: Option<Sides>,
}

/// A warp that was packed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Packed {
    pub(super) pc: Pc,
    pub(super) threads: ThreadMask,
    /// Whether it waits at a collective or barrier.
    pub(super) parked: bool,
}

impl Packed {
    /// Whether it does not wait, and all its threads are free.
    pub(super) fn is_free(&self, free: &[LaneMask]) -> bool {
        !self.parked && self.threads.parts().all(|part| part.is_of(free))
    }
}

/// The sides of a branch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sides {
    pub(super) next: Pc,
    pub(super) meet: Option<Pc>,
    /// Whether the side is a function, behind which all threads meet whatever way they take.
    pub(super) calls: bool,
    /// The sides by address: an indirect branch has several.
    pub(super) taken: Vec<(Pc, ThreadMask)>,
    pub(super) rest: ThreadMask,
}

impl Sides {
    /// The threads of each side.
    pub(super) fn all(&self) -> impl Iterator<Item = &ThreadMask> {
        self.taken.iter().map(|(_, threads)| threads).chain([&self.rest])
    }
}

/// Storage of entries, warps and branches that have ended, for reuse.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spare {
    /// The empty set of the block's threads.
    pub(super) none: ThreadMask,
    warps: Spares<Packed>,
    pub(super) taken: Spares<(Pc, ThreadMask)>,
}

impl Spare {
    pub(super) fn new(none: ThreadMask) -> Self {
        Self { none, warps: Spares::default(), taken: Spares::default() }
    }

    /// An entry without threads.
    pub(super) fn entry(&mut self, number: u32, parent: Option<u32>, reconvergence: Option<Pc>) -> Entry {
        let (threads, warps) = (self.none.clone(), self.warps.take());
        Entry { number, parent, children: 0, reconvergence, next: Pc(0), threads, warps, sides: None }
    }

    /// The entry has ended; none of its warps is left.
    pub(super) fn end(&mut self, entry: Entry) {
        self.warps.give(entry.warps);
    }

    /// Its sides have become entries.
    pub(super) fn end_sides(&mut self, sides: Sides) {
        self.taken.give(sides.taken);
    }
}

impl Entry {
    /// Packs threads into warps, of which the entry has none: the first thread that is left in each lane goes to the next warp.
    pub(super) fn pack(&mut self, pc: Pc, threads: &ThreadMask) {
        debug_assert!(self.warps.is_empty());
        let mut left = threads.clone();
        while !left.is_empty() {
            // PERF: a set is long, and is made where it stays.
            let place = self.warps.len();
            self.warps.push(Packed { pc, threads: left.without_threads(), parked: false });
            left.give_first_of_lanes(&mut self.warps[place].threads);
        }
        self.warps.reverse();
    }

    /// A warp has come to the end of the entry or to its branch.
    pub(super) fn end(&mut self, warp: usize) {
        // PERF: most often it is the last, and need not be moved.
        if warp + 1 == self.warps.len() {
            self.warps.truncate(warp);
        } else {
            self.warps.remove(warp);
        }
    }

    /// The first warp that can run and all of whose threads are free.
    pub(super) fn free(&self, free: &[LaneMask]) -> Option<usize> {
        if self.children > 0 { None } else { self.warps.iter().rposition(|warp| warp.is_free(free)) }
    }

    pub(super) fn runnable(&self) -> Option<usize> {
        if self.children > 0 { None } else { self.warps.iter().rposition(|warp| !warp.parked) }
    }
}
