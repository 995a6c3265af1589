//! What takes turns in a block.

mod regrouped;
mod warps;

pub(crate) use regrouped::ByBlocks;
pub(crate) use warps::{ByWarps, Warps};

use super::{Block, Init, Launch, Units};
use crate::lanes::Registers;
use crate::observe::Observer;

/// Starts the blocks of a launch under a policy.
pub(crate) trait Start {
    type Units: Units;

    /// A block whose threads stand at the entry, with registers for each of its warps.
    fn block(&self, launch: &Launch<'_>, init: &Init<'_>, number: usize, rows: Vec<Registers>) -> Block<Self::Units>;

    /// A block of which one warp at a time runs, in such registers, if the policy can run it so. None runs yet.
    fn one_by_one(&self, _launch: &Launch<'_>, _registers: impl FnOnce() -> Registers) -> Option<Block<Self::Units>> {
        None
    }

    /// The next warp of such a block stands at the entry. An observer is told what the policy has counted that gives way to its
    /// own, if one does.
    fn begin_warp(
        &self,
        _launch: &Launch<'_>,
        _init: &Init<'_>,
        _block: &mut Block<Self::Units>,
        _warp: usize,
        _observer: &mut impl Observer,
    ) {
    }

    /// The threads of the next block stand at the entry, in place of those of one that has ended: what [`block`](Self::block)
    /// makes, in the memory of the last. An observer is told what policies have counted that give way to others. Returns
    /// whether it has been done: not for policies that regroup threads.
    ///
    /// PERF: of blocks of 64 threads a third of the time went into what is made for each (Intel Xeon, 2026-11-30).
    fn begin_block(
        &self,
        _launch: &Launch<'_>,
        _init: &Init<'_>,
        _block: &mut Block<Self::Units>,
        _number: usize,
        _observer: &mut impl Observer,
    ) -> bool {
        false
    }
}
