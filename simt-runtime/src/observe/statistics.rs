//! Counting: the observer that reports are made from.
//!
//! PERF: one counter for each segment and number of active lanes is all that is counted up when a segment has run; what there
//! is of an instruction, a line or a number of lanes is computed from those when the launch is over.

use crate::observe::{Observer, Ran};
use crate::plan::{Control, Plan, Segment};
use crate::policy::Figure;
use simt_core::LaneMask;
use simt_core::code::Pc;

/// The counts of an instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    /// How often it was issued.
    pub(crate) times: u64,
    /// Active lanes, summed over those.
    pub(crate) lanes: u64,
    /// How often its branch sent lanes both ways.
    pub(crate) diverged: u64,
}

/// How many numbers of active lanes there are: from none to those of the widest warp.
const LANES: usize = 65;

/// Counters of a launch.
#[derive(Clone, Debug)]
pub(crate) struct Statistics {
    /// Whether anything is counted. A flag, because an engine that is compiled for launches that count nothing would double
    /// what a program with many policies compiles.
    counts: bool,
    /// How often each segment has run with each number of active lanes, `LANES` counters a segment, by its number; empty if
    /// nothing is counted.
    runs: Vec<u64>,
    /// How often the branch of each segment sent lanes both ways, by the segment's number.
    diverged: Vec<u64>,
    /// How often each indirect branch did, by its address.
    indirect: Vec<u64>,
    /// The figures that the policy has counted.
    pub(crate) figures: Vec<Figure>,
    /// Where the next figure is, if policies tell theirs in the same order.
    next: usize,
}

impl Observer for Statistics {
    /// Indirect branches come this way; conditional ones are counted with their segment.
    fn branched(&mut self, at: Pc, _taken: LaneMask, rest: LaneMask) {
        if self.counts && !rest.is_empty() {
            self.indirect.resize(self.indirect.len().max(at.index() + 1), 0);
            self.indirect[at.index()] += 1;
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
        let number = run.segment.number as usize;
        if let Some(times) = self.runs.get_mut(number * LANES + mask.count()) {
            *times += 1;
            // PERF: a branch, which the compiler merges with the policy's own on the same condition.
            if !taken.is_empty() && taken != mask {
                self.diverged[number] += 1;
            }
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

    /// Counters of a launch; none unless it `counts`.
    pub(crate) fn new(counts: bool, plan: &Plan) -> Self {
        let last = plan.segments.iter().map(|segment| segment.number).max().unwrap_or(0);
        let segments = if counts { last as usize + 1 } else { 0 };
        let (runs, diverged, indirect) = (vec![0; segments * LANES], vec![0; segments], Vec::new());
        Self { counts, runs, diverged, indirect, figures: Vec::new(), next: 0 }
    }

    /// Adds the counts of other blocks of the launch.
    pub(crate) fn add(&mut self, other: &Self) {
        let Self { runs, diverged, indirect, .. } = self;
        let lists = [(runs, &other.runs), (diverged, &other.diverged), (indirect, &other.indirect)];
        for (counts, others) in lists {
            counts.resize(counts.len().max(others.len()), 0);
            counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
        }
        other.figures.iter().for_each(|&figure| self.counted(figure));
    }

    /// Whether anything is counted.
    pub(crate) fn counts(&self) -> bool {
        self.counts
    }

    /// The counts of each instruction, by address, of warps of this width.
    pub(crate) fn by_instruction(&self, plan: &Plan, width: usize) -> Vec<Count> {
        let mut counts = vec![Count::default(); plan.code.insts.len()];
        for (segment, runs, diverged) in self.segments(plan, width) {
            let times: u64 = runs.iter().sum();
            let lanes: u64 = runs.iter().zip(0..).map(|(times, lanes)| times * lanes).sum();
            for part in (Ran { plan, segment }).parts() {
                for instruction in &mut counts[part.at.index()..][..part.instructions.max(1) as usize] {
                    instruction.times += times;
                    instruction.lanes += lanes;
                }
            }
            if let Control::Branch { next, .. } = segment.control {
                counts[next.index() - 1].diverged += diverged;
            }
        }
        counts.iter_mut().zip(&self.indirect).for_each(|(count, diverged)| count.diverged += diverged);
        counts
    }

    /// Program issues by number of active lanes, from none to all of a warp of this width.
    pub(crate) fn histogram(&self, plan: &Plan, width: usize) -> Vec<u64> {
        let mut histogram = vec![0; width + 1];
        for (segment, runs, _) in self.segments(plan, width) {
            let instructions = u64::from(segment.instructions);
            histogram.iter_mut().zip(runs).for_each(|(issues, times)| *issues += times * instructions);
        }
        histogram
    }

    /// The segments that are counted, each with how often it has run with each number of active lanes, and with how often its
    /// branch sent lanes both ways.
    fn segments<'s>(&'s self, plan: &'s Plan, width: usize) -> impl Iterator<Item = (&'s Segment, &'s [u64], u64)> {
        let counted = plan.segments.iter().filter(|segment| segment.number > 0);
        counted
            .zip(self.runs.chunks_exact(LANES).zip(&self.diverged).skip(1))
            .map(move |(segment, (runs, diverged))| (segment, &runs[..=width], *diverged))
    }
}
