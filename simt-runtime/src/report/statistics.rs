//! Counting: the observer that reports are made from.
//!
//! PERF: counted per segment, not per instruction; the figures per line are worked out from the segments when the launch
//! is over.

use crate::lanes::Plan;
use crate::observe::{Observer, Ran};
use simt_core::LaneMask;
use simt_core::code::{Code, Pc};

/// How often something happened, and to how many lanes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) times: u64,
    pub(crate) lanes: u64,
}

/// What a branch did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BranchCount {
    pub(crate) times: u64,
    /// How often it sent lanes both ways.
    pub(crate) diverged: u64,
}

/// Counters of a launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    /// By number of the segment.
    pub(crate) segments: Vec<Count>,
    /// By address of the branch.
    pub(crate) branches: Vec<BranchCount>,
    /// Program issues by number of active lanes.
    pub(crate) histogram: Vec<u64>,
}

impl Observer for Statistics {
    fn launched(&mut self, code: &Code) {
        self.segments = vec![Count::default(); code.insts.len()];
        self.branches = vec![BranchCount::default(); code.insts.len()];
        self.histogram = vec![0; 65];
    }

    #[inline(always)]
    fn branched(&mut self, at: Pc, taken: LaneMask, rest: LaneMask) {
        if let Some(branch) = self.branches.get_mut(at.index()) {
            branch.times += 1;
            branch.diverged += u64::from(!taken.is_empty() & !rest.is_empty());
        }
    }

    #[inline(always)]
    fn ran(&mut self, run: Ran<'_>, mask: LaneMask) {
        let lanes = mask.count();
        if let Some(count) = self.segments.get_mut(run.segment.at.index()) {
            count.times += 1;
            count.lanes += lanes as u64;
        }
        if let Some(count) = self.histogram.get_mut(lanes) {
            *count += u64::from(run.segment.instructions);
        }
    }
}

impl Statistics {
    /// How often each instruction was issued, and for how many lanes, by address.
    pub(crate) fn by_instruction(&self, plan: &Plan) -> Vec<Count> {
        let mut counts = vec![Count::default(); plan.code.insts.len()];
        for (segment, count) in plan.segments.iter().zip(&self.segments) {
            for part in (Ran { plan, segment }).parts() {
                for index in part.at.index()..part.at.index() + part.instructions.max(1) as usize {
                    counts[index].times += count.times;
                    counts[index].lanes += count.lanes;
                }
            }
        }
        counts
    }
}
