//! What one warp of the program sees of a policy that regroups threads.

use super::{BlockPolicy, Branch, Guard, WarpPolicy, WarpSplit};
use simt_core::code::{Markers, Pc};

/// Where the lanes of one warp of the program stand under a policy that regroups threads. It is made when a block is looked
/// at, for an error or to compare it with what it was; nothing runs by it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ByWarp<C> {
    splits: Vec<WarpSplit>,
    /// The policy itself; one of the block's warps holds it.
    core: Option<C>,
}

impl<C: BlockPolicy> ByWarp<C> {
    pub(crate) fn of(core: &C, warp: usize) -> Self {
        let of_warp = core.splits().into_iter().filter(|(_, part)| part.warp == warp);
        let splits = of_warp.map(|(pc, part)| WarpSplit { pc, mask: part.lanes }).collect();
        Self { splits, core: (warp == 0).then(|| core.clone()) }
    }
}

impl<C: BlockPolicy> WarpPolicy for ByWarp<C> {
    const NAME: &'static str = C::NAME;
    const MARKERS: Markers = C::MARKERS;
    const GUARD: Guard = Guard::OFF;

    fn start(split: WarpSplit) -> Self {
        Self { splits: vec![split], core: None }
    }
    fn current(&self) -> Option<WarpSplit> {
        self.splits.first().copied()
    }
    fn advance(&mut self, _next: Pc) {}
    fn branch(&mut self, _branch: Branch) {}
    fn exit(&mut self) {}
    fn splits(&self) -> Vec<WarpSplit> {
        self.splits.clone()
    }
}
