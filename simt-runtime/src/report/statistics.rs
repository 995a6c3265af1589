//! Counting: the observer that reports are made from.
//!
//! PERF: counted per segment, not per instruction; the figures per line are worked out from the segments when the launch
//! is over.

use crate::observe::Observer;
use simt_core::LaneMask;
use simt_core::code::{Code, Pc};

/// What one segment did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SegmentCount {
    /// How often it was issued.
    pub(crate) issues: u64,
    /// Active lanes, summed over those.
    pub(crate) lanes: u64,
    /// How often its branch sent lanes both ways.
    pub(crate) diverged: u64,
    /// How often it ended with a branch.
    pub(crate) branches: u64,
}

/// Counters of a launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    /// By address of the segment.
    pub(crate) segments: Vec<SegmentCount>,
    /// Program issues by number of active lanes.
    pub(crate) histogram: Vec<u64>,
}

impl Observer for Statistics {
    fn launched(&mut self, code: &Code) {
        self.segments = vec![SegmentCount::default(); code.insts.len()];
        self.histogram = vec![0; 65];
    }

    #[inline(always)]
    fn issued(&mut self, at: Pc, instructions: u32, mask: LaneMask) {
        let lanes = mask.count();
        if let Some(segment) = self.segments.get_mut(at.index()) {
            segment.issues += 1;
            segment.lanes += lanes as u64;
        }
        if let Some(count) = self.histogram.get_mut(lanes) {
            *count += u64::from(instructions);
        }
    }

    #[inline(always)]
    fn branched(&mut self, at: Pc, taken: LaneMask, rest: LaneMask) {
        if let Some(segment) = self.segments.get_mut(at.index()) {
            segment.branches += 1;
            segment.diverged += u64::from(!taken.is_empty() & !rest.is_empty());
        }
    }
}
