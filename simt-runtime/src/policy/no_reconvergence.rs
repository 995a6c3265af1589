//! No reconvergence at all (NREC in TACO'09): a split runs to the end of the kernel before the next begins.
//!
//! Cost: one pending split per divergence, at most one less than there are lanes. Unfair: a split that spins keeps those
//! that wait from running.

use super::shared::Parked;
use super::{Branch, Ends, Stops, WarpChecking, WarpPolicy, WarpSplit, WarpStart, WarpTiming};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};
use smallvec::SmallVec;

/// Lanes that parted never meet again; the taken path runs first.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn parity(x: &mut [u32]) {
///     let i = global_id();
///     if i % 2 == 0 {
///         x[i] = 1;
///     } else {
///         x[i] = 2;
///     }
///     x[i] += 10;
/// }
///
/// let mut x = [0; 32];
/// let report = Gpu::<NoReconvergence>::default().launch(Grid::new(1, 32), parity(&mut x))?;
/// // What parted stays apart: each half runs the rest of the kernel.
/// let behind = report.lines().iter().find(|line| line.text == "x[i] += 10;").unwrap();
/// assert_eq!(behind.mean_active_lanes(), 16.0);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NoReconvergence {
    current: WarpSplit,
    pending: SmallVec<[WarpSplit; 8]>,
    /// Splits that wait for others at a collective or barrier.
    parked: Parked<WarpSplit>,
}

impl NoReconvergence {
    fn next(&mut self) {
        self.current = self.pending.pop().unwrap_or(WarpSplit { pc: Pc(0), mask: LaneMask::EMPTY });
    }

    fn select(&mut self, free: LaneMask) -> bool {
        if !self.current.mask.is_subset(free)
            && let Some(other) = self.pending.iter_mut().rev().find(|split| split.mask.is_subset(free))
        {
            std::mem::swap(other, &mut self.current);
        }
        !self.current.mask.is_empty() && self.current.mask.is_subset(free)
    }
}

impl WarpPolicy for NoReconvergence {
    const NAME: &'static str = "NoReconvergence";
    const MARKERS: Markers = Markers::None;
    const STOPS: Stops = Stops::AtJoins;
    const ENDS: Option<Ends> = Some(Ends { program_2_swapped: true, lock_else: true, ..Ends::NONE });
    const TIMING: WarpTiming<Self> = WarpTiming { select: Some(Self::select), ..WarpTiming::DEFAULT };
    const CHECKING: WarpChecking<Self> = WarpChecking::TRUSTED;

    fn start(start: WarpStart<'_>) -> Self {
        Self { current: start.split, pending: SmallVec::new(), parked: Parked::default() }
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        (!self.current.mask.is_empty()).then_some(self.current)
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.current.pc = next;
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        let rest = self.current.mask - branch.taken;
        if branch.taken.is_empty() {
            return self.advance(branch.next);
        }
        if !rest.is_empty() {
            self.pending.push(WarpSplit { pc: branch.next, mask: rest });
        }
        self.current = WarpSplit { pc: branch.target, mask: branch.taken };
    }

    #[inline(always)]
    fn exit(&mut self) {
        self.next();
    }

    fn park(&mut self) -> bool {
        self.parked.park(self.current);
        self.next();
        true
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        while let Some(split) = self.parked.wake(lanes) {
            self.pending.push(WarpSplit { pc: next, ..split });
        }
        if self.current.mask.is_empty() {
            self.next();
        }
    }

    fn splits(&self) -> Vec<WarpSplit> {
        self.current().into_iter().chain(self.pending.iter().rev().copied()).chain(self.parked.iter()).collect()
    }
}
