//! What observers are shown between steps: where the lanes of a warp or a block are, and what its policy holds.

use crate::policy::{BlockPolicy, StatePart, WarpPart, WarpPolicy};
use simt_core::LaneMask;
use simt_core::code::Pc;

/// The lanes of a warp, or, where a policy regroups threads, of a block, between two steps.
pub trait Moment {
    /// The number of the block whose threads the policy regroups; none if it is a warp, of which the observer was told before.
    fn block(&self) -> Option<usize>;

    /// The live lanes by address, those that issue next first. Of a warp by itself, its number is 0: the observer was told
    /// of which the issues are.
    fn splits(&self) -> Vec<(Pc, WarpPart)>;

    /// The lanes that have come to a collective or barrier and wait there for others.
    fn arrived(&self) -> Vec<WarpPart>;

    /// Tells what the policy holds besides: see [`WarpPolicy::state`].
    fn state(&self, tell: &mut dyn FnMut(StatePart));
}

/// A warp between two steps, with what says which lanes wait at a collective or barrier.
pub(crate) struct WarpMoment<'m, P, F>(pub(crate) &'m P, pub(crate) F);

impl<P: WarpPolicy, F: Fn() -> LaneMask> Moment for WarpMoment<'_, P, F> {
    fn block(&self) -> Option<usize> {
        None
    }

    fn splits(&self) -> Vec<(Pc, WarpPart)> {
        self.0.splits().into_iter().map(|split| (split.pc, WarpPart { warp: 0, lanes: split.mask })).collect()
    }

    fn arrived(&self) -> Vec<WarpPart> {
        let lanes = self.1();
        (!lanes.is_empty()).then_some(WarpPart { warp: 0, lanes }).into_iter().collect()
    }

    fn state(&self, tell: &mut dyn FnMut(StatePart)) {
        self.0.state(tell);
    }
}

/// A block between two steps, with what says which lanes of a warp wait at a collective or barrier.
pub(crate) struct BlockMoment<'m, C, F> {
    pub(crate) policy: &'m C,
    pub(crate) block: usize,
    pub(crate) warps: usize,
    pub(crate) waiting: F,
}

impl<C: BlockPolicy, F: Fn(usize) -> LaneMask> Moment for BlockMoment<'_, C, F> {
    fn block(&self) -> Option<usize> {
        Some(self.block)
    }

    fn splits(&self) -> Vec<(Pc, WarpPart)> {
        self.policy.splits()
    }

    fn arrived(&self) -> Vec<WarpPart> {
        let parts = (0..self.warps).map(|warp| WarpPart { warp, lanes: (self.waiting)(warp) });
        parts.filter(|part| !part.lanes.is_empty()).collect()
    }

    fn state(&self, tell: &mut dyn FnMut(StatePart)) {
        self.policy.state(tell);
    }
}
