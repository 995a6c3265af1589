//! The entries of the block's stack, and how their threads are packed into warps.

use crate::policy::WarpPart;
use simt_core::LaneMask;
use simt_core::code::Pc;
use smallvec::SmallVec;

/// Threads of the block by warp.
pub(super) type Threads = SmallVec<[LaneMask; 8]>;

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
    pub(super) parts: SmallVec<[WarpPart; 4]>,
    /// Whether it waits at a collective or barrier.
    pub(super) parked: bool,
}

/// The sides of a branch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sides {
    pub(super) next: Pc,
    pub(super) meet: Option<Pc>,
    /// Whether the side is a function, behind which all meet whatever way they take.
    pub(super) calls: bool,
    /// By address: an indirect branch has several.
    pub(super) taken: SmallVec<[(Pc, Threads); 1]>,
    pub(super) rest: Threads,
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

impl Entry {
    pub(super) fn unused() -> Self {
        Self {
            number: 0,
            parent: None,
            children: 0,
            reconvergence: None,
            next: Pc(0),
            threads: Threads::new(),
            warps: Vec::new(),
            sides: None,
        }
    }

    /// Packs threads into warps: of each lane the first thread that is left goes to the next warp.
    pub(super) fn pack(&mut self, pc: Pc, threads: &[LaneMask]) {
        let mut left: Threads = threads.into();
        while !is_none(&left) {
            let mut occupied = LaneMask::EMPTY;
            let mut parts = SmallVec::new();
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
    }

    pub(super) fn runnable(&self) -> Option<usize> {
        if self.children > 0 { None } else { self.warps.iter().position(|warp| !warp.parked) }
    }
}
