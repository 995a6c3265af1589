//! Observers: they see the issues and cannot change the machine.
//!
//! `()` observes nothing and costs nothing. [`Statistics`](crate::report) is the observer that reports are made from, and a
//! pair of observers is one.

mod clock;
mod moment;
mod statistics;
mod trace;
pub use clock::ClockEvent;
pub use moment::Moment;
pub(crate) use moment::{BlockMoment, WarpMoment};
pub(crate) use statistics::Statistics;
pub use trace::{Issue, IssueTrace};
pub(crate) mod study;

use crate::plan::{Control, Part, Plan, Segment};
use crate::policy::{Figure, ThreadMask};
use simt_core::LaneMask;
use simt_core::code::{Code, Pc};

/// A warp of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WarpId {
    /// Number of the block in the grid, x fastest.
    pub block: usize,
    /// Number of the warp in its block.
    pub warp: usize,
}

/// Watches a launch. No method does anything by default.
///
/// Instructions come in segments: runs of code that one group of lanes executes from beginning to end.
///
/// ```
/// use simt::observe::Observer;
/// use simt::core::{LaneMask, code::Pc};
/// use simt::prelude::*;
///
/// /// Counts the issues of full warps.
/// struct Full(u64);
/// impl Observer for Full {
///     fn issued(&mut self, _at: Pc, instructions: u32, mask: LaneMask) {
///         if mask.count() == 32 {
///             self.0 += u64::from(instructions);
///         }
///     }
/// }
///
/// #[kernel]
/// fn squares(x: &mut [u32]) {
///     let i = global_id();
///     x[i] = (i * i) as u32;
/// }
///
/// let (mut x, mut full) = ([0; 40], Full(0));
/// let report = Gpu::<Ipdom>::default().launch_observed(Grid::new(1, 40), squares(&mut x), &mut full)?;
/// // One of the two warps has all its lanes.
/// assert_eq!(2 * full.0, report.issues());
/// # Ok::<(), LaunchError>(())
/// ```
pub trait Observer {
    /// The launch of `code` begins.
    fn launched(&mut self, _code: &Code) {}

    /// A warp begins: the next issues are its.
    fn warp(&mut self, _warp: WarpId) {}

    /// Threads of several warps issue next, under a policy that regroups them. By default as if they were all of the lowest
    /// of the warps.
    #[inline(always)]
    fn formed(&mut self, block: usize, threads: &ThreadMask) {
        if let Some(part) = threads.parts().next() {
            self.warp(WarpId { block, warp: part.warp });
        }
    }

    /// The lanes of `mask` executed the segment at `at`: so many program instructions from there on, or, if none, the
    /// marker that stands there.
    #[inline(always)]
    fn issued(&mut self, _at: Pc, _instructions: u32, _mask: LaneMask) {}

    /// The branch at `at`, already part of what was issued, was taken by the lanes of `taken` and not by those of `rest`.
    #[inline(always)]
    fn branched(&mut self, _at: Pc, _taken: LaneMask, _rest: LaneMask) {}

    /// A warp has ended, or a block whose threads are regrouped: one figure that its policy has counted.
    #[inline(always)]
    fn counted(&mut self, _figure: Figure) {}

    /// A warp, or a block whose threads are regrouped, is about to execute what it issues next, or its turn is over.
    #[inline(always)]
    fn stands(&mut self, _moment: &dyn Moment) {}

    /// Whether the observer wants to be told of time: [`clock`](Self::clock). Asked when the launch begins.
    fn watches_clock(&self) -> bool {
        false
    }

    /// On a machine with a clock, what has happened, and in which cycle. That a warp has waited is told when the wait is over,
    /// that a block comes in the cycle before.
    fn clock(&mut self, _cycle: u64, _event: ClockEvent<'_>) {}

    /// The lanes of `mask` executed a run of code, which jumps may have broken into parts: by default, each is `issued`. If
    /// it ended with a branch, `taken` are the lanes that took it.
    #[doc(hidden)]
    #[inline(always)]
    fn ran(&mut self, run: Ran<'_>, mask: LaneMask, taken: LaneMask) {
        for part in run.parts() {
            self.issued(part.at, part.instructions, mask);
        }
        if let Control::Branch { next, .. } = run.segment.control {
            self.branched(Pc(next.0 - 1), taken, mask - taken);
        }
    }
}

/// A run of code that was executed from beginning to end.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Ran<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) segment: &'p Segment,
}

impl<'p> Ran<'p> {
    /// Its straight parts, in the order of execution.
    pub(crate) fn parts(self) -> &'p [Part] {
        &self.plan.parts[self.segment.parts.0 as usize..self.segment.parts.1 as usize]
    }
}

impl Observer for () {
    #[inline(always)]
    fn formed(&mut self, _block: usize, _threads: &ThreadMask) {}
    #[inline(always)]
    fn ran(&mut self, _run: Ran<'_>, _mask: LaneMask, _taken: LaneMask) {}
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn launched(&mut self, code: &Code) {
        (**self).launched(code);
    }
    fn warp(&mut self, warp: WarpId) {
        (**self).warp(warp);
    }
    fn formed(&mut self, block: usize, threads: &ThreadMask) {
        (**self).formed(block, threads);
    }
    #[inline]
    fn counted(&mut self, figure: Figure) {
        (**self).counted(figure);
    }
    #[inline(always)]
    fn stands(&mut self, moment: &dyn Moment) {
        (**self).stands(moment);
    }
    fn watches_clock(&self) -> bool {
        (**self).watches_clock()
    }
    fn clock(&mut self, cycle: u64, event: ClockEvent<'_>) {
        (**self).clock(cycle, event);
    }
    #[inline(always)]
    fn issued(&mut self, at: Pc, instructions: u32, mask: LaneMask) {
        (**self).issued(at, instructions, mask);
    }
    #[inline(always)]
    fn branched(&mut self, at: Pc, taken: LaneMask, rest: LaneMask) {
        (**self).branched(at, taken, rest);
    }
    #[inline(always)]
    fn ran(&mut self, run: Ran<'_>, mask: LaneMask, taken: LaneMask) {
        (**self).ran(run, mask, taken);
    }
}

impl<A: Observer, B: Observer> Observer for (A, B) {
    fn launched(&mut self, code: &Code) {
        self.0.launched(code);
        self.1.launched(code);
    }
    fn warp(&mut self, warp: WarpId) {
        self.0.warp(warp);
        self.1.warp(warp);
    }
    fn formed(&mut self, block: usize, threads: &ThreadMask) {
        self.0.formed(block, threads);
        self.1.formed(block, threads);
    }
    #[inline]
    fn counted(&mut self, figure: Figure) {
        self.0.counted(figure);
        self.1.counted(figure);
    }
    #[inline(always)]
    fn stands(&mut self, moment: &dyn Moment) {
        self.0.stands(moment);
        self.1.stands(moment);
    }
    fn watches_clock(&self) -> bool {
        self.0.watches_clock() || self.1.watches_clock()
    }
    fn clock(&mut self, cycle: u64, event: ClockEvent<'_>) {
        self.0.clock(cycle, event);
        self.1.clock(cycle, event);
    }
    #[inline(always)]
    fn issued(&mut self, at: Pc, instructions: u32, mask: LaneMask) {
        self.0.issued(at, instructions, mask);
        self.1.issued(at, instructions, mask);
    }
    #[inline(always)]
    fn branched(&mut self, at: Pc, taken: LaneMask, rest: LaneMask) {
        self.0.branched(at, taken, rest);
        self.1.branched(at, taken, rest);
    }
    #[inline(always)]
    fn ran(&mut self, run: Ran<'_>, mask: LaneMask, taken: LaneMask) {
        self.0.ran(run, mask, taken);
        self.1.ran(run, mask, taken);
    }
}
