//! The entries of the block's stack, and how their threads are packed into warps.

use crate::policy::WarpPart;
use crate::policy::spares::Spares;
use simt_core::LaneMask;
use simt_core::code::Pc;

/// Threads of the block by warp.
pub(super) type Threads = Vec<LaneMask>;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// Its name: places in the stack change.
    pub(super) number: u32,
    /// The entry that goes on when this and its siblings have ended.
    pub(super) parent: Option<u32>,
    /// How many entries it waits for.
    pub(super) children: u32,
    pub(super) reconvergence: Option<Pc>,
    /// Where its threads go on when those it waits for have ended.
    pub(super) next: Pc,
    /// All its threads, while it waits.
    pub(super) threads: Threads,
    /// Its warps, as far as they have not come to the end of the entry or to its branch.
    pub(super) warps: Vec<Packed>,
    /// Threads that wait at the branch for the rest of the entry, by the side that they will take.
    pub(super) sides: Option<Sides>,
}

/// A warp that was packed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Packed {
    pub(super) pc: Pc,
    pub(super) parts: Vec<WarpPart>,
    /// Whether it waits at a collective or barrier.
    pub(super) parked: bool,
}

impl Packed {
    /// Whether it does not wait, and all its threads are free.
    pub(super) fn is_free(&self, free: &[LaneMask]) -> bool {
        !self.parked && self.parts.iter().all(|part| part.is_of(free))
    }

    /// Whether the lanes of other threads are free.
    pub(super) fn has_room_for(&self, part: WarpPart) -> bool {
        self.parts.iter().all(|known| (known.lanes & part.lanes).is_empty())
    }

    pub(super) fn has_some_of(&self, part: WarpPart) -> bool {
        self.parts.iter().any(|known| known.warp == part.warp && !(known.lanes & part.lanes).is_empty())
    }

    pub(super) fn join(&mut self, part: WarpPart) {
        match self.parts.iter_mut().find(|known| known.warp == part.warp) {
            Some(known) => known.lanes |= part.lanes,
            None => self.parts.push(part),
        }
    }
}

/// The sides of a branch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sides {
    pub(super) next: Pc,
    pub(super) meet: Option<Pc>,
    /// Whether the side is a function, behind which all meet whatever way they take.
    pub(super) calls: bool,
    /// By address: an indirect branch has several.
    pub(super) taken: Vec<(Pc, Threads)>,
    pub(super) rest: Threads,
}

impl Sides {
    /// The threads of each.
    pub(super) fn all(&self) -> impl Iterator<Item = &Threads> {
        self.taken.iter().map(|(_, threads)| threads).chain([&self.rest])
    }
}

/// What is used no more, and what of each entry, warp and branch is made.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spare {
    warps: Spares<Vec<Packed>>,
    pub(super) threads: Spares<Vec<LaneMask>>,
    pub(super) parts: Spares<Vec<WarpPart>>,
    pub(super) taken: Spares<Vec<(Pc, Threads)>>,
}

impl Spare {
    /// An entry without threads.
    pub(super) fn entry(&mut self, number: u32, parent: Option<u32>, reconvergence: Option<Pc>) -> Entry {
        let (threads, warps) = (self.threads.take(), self.warps.take());
        Entry { number, parent, children: 0, reconvergence, next: Pc(0), threads, warps, sides: None }
    }

    /// The entry has ended; none of its warps is left.
    pub(super) fn end(&mut self, entry: Entry) {
        self.threads.give(entry.threads);
        self.warps.give(entry.warps);
    }

    /// Its sides have become entries.
    pub(super) fn give(&mut self, sides: Sides) {
        let Sides { mut taken, rest, .. } = sides;
        taken.drain(..).for_each(|(_, threads)| self.threads.give(threads));
        self.taken.give(taken);
        self.threads.give(rest);
    }
}

pub(super) fn is_none(threads: &[LaneMask]) -> bool {
    threads.iter().all(|lanes| lanes.is_empty())
}

pub(super) fn add(threads: &mut Threads, part: WarpPart) {
    if threads.len() <= part.warp {
        threads.resize(part.warp + 1, LaneMask::EMPTY);
    }
    threads[part.warp] |= part.lanes;
}

/// Adds threads of all warps.
pub(super) fn add_all(threads: &mut Threads, more: &[LaneMask]) {
    more.iter().enumerate().for_each(|(warp, &lanes)| add(threads, WarpPart { warp, lanes }));
}

impl Entry {
    /// Packs threads into warps: of each lane the first thread that is left goes to the next warp.
    pub(super) fn pack(&mut self, pc: Pc, threads: &[LaneMask], spare: &mut Spare) {
        let mut left = spare.threads.take();
        left.extend_from_slice(threads);
        while !is_none(&left) {
            let mut occupied = LaneMask::EMPTY;
            let mut parts = spare.parts.take();
            for (warp, lanes) in left.iter_mut().enumerate() {
                let now = *lanes - occupied;
                if !now.is_empty() {
                    occupied |= now;
                    *lanes = *lanes - now;
                    parts.push(WarpPart { warp, lanes: now });
                }
            }
            self.warps.push(Packed { pc, parts, parked: false });
        }
        spare.threads.give(left);
    }

    /// The first warp that can run and all of whose threads are free.
    pub(super) fn free(&self, free: &[LaneMask]) -> Option<usize> {
        if self.children > 0 { None } else { self.warps.iter().position(|warp| warp.is_free(free)) }
    }

    pub(super) fn runnable(&self) -> Option<usize> {
        if self.children > 0 { None } else { self.warps.iter().position(|warp| !warp.parked) }
    }
}
