//! What one warp of the program sees of a policy that regroups threads.

use super::{BlockPolicy, Branch, WarpChecking, WarpPolicy, WarpSplit, WarpStart};
use simt_core::code::{Markers, Pc};

/// Where the lanes of one warp of the program stand under a policy that regroups threads. It is made when a block is looked
/// at, for an error or to compare it with what it was; nothing runs by it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ByWarp<P> {
    splits: Vec<WarpSplit>,
    /// The policy itself; one of the block's warps holds it.
    whole: Option<P>,
}

impl<P: BlockPolicy> ByWarp<P> {
    pub(crate) fn of(policy: &P, warp: usize) -> Self {
        let of_warp = policy.splits().into_iter().filter(|(_, part)| part.warp == warp);
        let splits = of_warp.map(|(pc, part)| WarpSplit { pc, mask: part.lanes }).collect();
        Self { splits, whole: (warp == 0).then(|| policy.clone()) }
    }
}

impl<P: BlockPolicy> WarpPolicy for ByWarp<P> {
    const NAME: &'static str = P::NAME;
    const MARKERS: Markers = P::MARKERS;
    const CHECKING: WarpChecking<Self> = WarpChecking::TRUSTED;

    fn start(start: WarpStart<'_>) -> Self {
        Self { splits: vec![start.split], whole: None }
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
