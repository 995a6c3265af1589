//! Counting: the observer that reports are made from.
//!
//! PERF: counted per segment, not per instruction; the figures per line are computed from the segments when the launch is
//! over.

use crate::observe::{Observer, Ran};
use crate::plan::{Control, Plan};
use crate::policy::Figure;
use simt_core::LaneMask;
use simt_core::code::{Code, Pc};

/// The counts of a run of code, or of an instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    /// How often it was issued.
    pub(crate) times: u64,
    /// Active lanes, summed over those.
    pub(crate) lanes: u64,
    /// How often its branch sent lanes both ways.
    pub(crate) diverged: u64,
}

/// Counters of a launch.
#[derive(Clone, Debug)]
pub(crate) struct Statistics {
    /// Whether anything is counted. A flag, because an engine that is compiled for launches that count nothing would double
    /// what a program with many policies compiles.
    counts: bool,
    /// The counts of each segment, by address; empty if nothing is counted.
    segments: Vec<Count>,
    /// Program issues by number of active lanes.
    pub(crate) histogram: [u64; 65],
    /// The figures that the policy has counted.
    pub(crate) figures: Vec<Figure>,
    /// Where the next figure is, if policies tell theirs in the same order.
    next: usize,
}

impl Observer for Statistics {
    fn launched(&mut self, code: &Code) {
        if self.counts {
            self.segments = vec![Count::default(); code.insts.len()];
        }
    }

    /// Indirect branches come this way; conditional ones are counted with their segment.
    fn branched(&mut self, at: Pc, _taken: LaneMask, rest: LaneMask) {
        if let Some(count) = self.segments.get_mut(at.index()) {
            count.diverged += u64::from(!rest.is_empty());
        }
    }

    fn counted(&mut self, figure: Figure) {
        if !self.counts {
            return;
        }
        // PERF: comparing the letters took a tenth of a short warp's time, and looking for the place half of the instructions left.
        let (next, last) = (self.next, self.figures.len());
        match self.figures.get_mut(next) {
            Some(known) if std::ptr::eq(known.name, figure.name) => {
                known.value = known.total.of(known.value, figure.value);
                self.next = if next + 1 == last { 0 } else { next + 1 };
            }
            _ => self.count_elsewhere(figure),
        }
    }

    #[inline(always)]
    fn ran(&mut self, run: Ran<'_>, mask: LaneMask, taken: LaneMask) {
        let lanes = mask.count();
        if let Some(count) = self.segments.get_mut(run.segment.at.index()) {
            count.times += 1;
            count.lanes += lanes as u64;
            // PERF: a branch, which the compiler merges with the policy's own on the same condition.
            if !taken.is_empty() && taken != mask {
                count.diverged += 1;
            }
            self.histogram[lanes] += u64::from(run.segment.instructions);
        }
    }
}

impl Statistics {
    /// Counts a figure that is told for the first time, or in another order.
    #[cold]
    fn count_elsewhere(&mut self, figure: Figure) {
        let known = self.figures.iter().position(|known| known.name == figure.name);
        let place = known.unwrap_or(self.figures.len());
        match self.figures.get_mut(place) {
            Some(known) => known.value = known.total.of(known.value, figure.value),
            None => self.figures.push(figure),
        }
        self.next = if place + 1 == self.figures.len() { 0 } else { place + 1 };
    }

    /// Counters of a launch, which stay zero unless it `counts`.
    pub(crate) fn new(counts: bool) -> Self {
        Self { counts, segments: Vec::new(), histogram: [0; 65], figures: Vec::new(), next: 0 }
    }

    /// Adds the counts of other blocks of the launch.
    pub(crate) fn add(&mut self, other: &Self) {
        self.segments.resize(self.segments.len().max(other.segments.len()), Count::default());
        for (count, other) in self.segments.iter_mut().zip(&other.segments) {
            count.times += other.times;
            count.lanes += other.lanes;
            count.diverged += other.diverged;
        }
        self.histogram.iter_mut().zip(other.histogram).for_each(|(count, other)| *count += other);
        other.figures.iter().for_each(|&figure| self.counted(figure));
    }

    /// Whether anything is counted.
    pub(crate) fn counts(&self) -> bool {
        self.counts
    }

    /// The counts of each instruction, by address.
    pub(crate) fn by_instruction(&self, plan: &Plan) -> Vec<Count> {
        let mut counts = vec![Count::default(); plan.code.insts.len()];
        for (segment, count) in plan.segments.iter().zip(&self.segments) {
            for part in (Ran { plan, segment }).parts() {
                for instruction in &mut counts[part.at.index()..][..part.instructions.max(1) as usize] {
                    instruction.times += count.times;
                    instruction.lanes += count.lanes;
                }
            }
            if let Control::Branch { next, .. } = segment.control {
                counts[next.index() - 1].diverged += count.diverged;
            }
            if let Control::Indirect { at, .. } = segment.control {
                counts[at.index()].diverged += count.diverged;
            }
        }
        counts
    }
}
