//! Counting while the clock runs.

use super::figures::{ClockReport, LineClock, Occupancy, Stall, Stalls};
use super::series::Sample;
use crate::config::ClockConfig;
use crate::hierarchy::Cycle;
use crate::plan::{Plan, SourceLine};
use crate::policy::WarpPart;
use simt_core::code::Pc;

/// Most samples of a time series.
const SAMPLES: usize = 1 << 14;

/// The clock's figures of one instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OfInstruction {
    /// Whether it is the program's, and no marker.
    counted: bool,
    ticks: u64,
    /// Cycles of warps until they issued it, those of their issue before included.
    pub(crate) waits: Stalls,
    requests: u64,
    transactions: u64,
    shared_requests: u64,
    shared_passes: u64,
}

/// Counters of a timed launch. Issue slots are in ticks, of which a cycle has as many as a pipeline has lanes.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// Cycles of warps that are counted to no instruction.
    pub(crate) stalls: Stalls,
    pub(crate) occupancy: Occupancy,
    instructions: Vec<OfInstruction>,
    thread_instructions: u64,
    bank_conflicts: Vec<u64>,
    ticks: u64,
    interval: Option<u64>,
    /// The instructions that the threads of the block in the first place of the first core have executed.
    progress: Vec<u32>,
    samples: Vec<Sample>,
    /// The counters when the sample began.
    before: (Cycle, u64, Occupancy),
}

impl Tally {
    pub(crate) fn new(plan: &Plan, clock: &ClockConfig, width: usize) -> Self {
        let code = &plan.code;
        let of = |at: usize| OfInstruction {
            counted: code.is_counted(Pc(at as u32)) && !code.insts[at].is_marker(),
            ..OfInstruction::default()
        };
        let occupancy = Occupancy { active: vec![0; width.div_ceil(4)], ..Occupancy::default() };
        Self {
            stalls: Stalls::default(),
            before: (0, 0, occupancy.clone()),
            occupancy,
            instructions: (0..code.insts.len()).map(of).collect(),
            thread_instructions: 0,
            bank_conflicts: Vec::new(),
            ticks: clock.simd_width as u64,
            interval: clock.sample,
            progress: Vec::new(),
            samples: Vec::new(),
        }
    }

    /// Threads issue an instruction, which takes so many ticks.
    pub(crate) fn issued(&mut self, pc: Pc, parts: &[WarpPart], ticks: u64) {
        // PERF: no loop where a warp issues.
        let threads = match parts {
            [part] => part.lanes.count(),
            _ => parts.iter().map(|part| part.lanes.count()).sum(),
        };
        let instruction = &mut self.instructions[pc.index()];
        instruction.ticks += ticks;
        if instruction.counted {
            self.thread_instructions += threads as u64;
        }
        let class = threads.saturating_sub(1) / 4;
        let last = self.occupancy.active.len() - 1;
        self.occupancy.active[class.min(last)] += ticks;
    }

    /// A block has come to the first place of the first core, if there is to be a time series.
    pub(crate) fn watch(&mut self, threads: usize) {
        if self.interval.is_some() {
            self.progress.clear();
            self.progress.resize(threads, 0);
        }
    }

    /// Threads of that block issue an instruction.
    pub(crate) fn progresses(&mut self, pc: Pc, parts: &[WarpPart], width: usize) {
        if self.interval.is_none() || !self.instructions[pc.index()].counted {
            return;
        }
        for part in parts {
            for lane in part.lanes.lanes() {
                if let Some(count) = self.progress.get_mut(part.warp * width + lane) {
                    *count += 1;
                }
            }
        }
    }

    /// What warps have waited before they issued this one.
    #[inline]
    pub(crate) fn waits(&mut self, pc: Pc) -> &mut Stalls {
        &mut self.instructions[pc.index()].waits
    }

    /// All cycles of warps.
    pub(crate) fn all_stalls(&self) -> Stalls {
        let mut all = self.stalls;
        self.instructions.iter().for_each(|of| all.merge(&of.waits));
        all
    }

    pub(crate) fn requested(&mut self, pc: Pc, transactions: u64) {
        let instruction = &mut self.instructions[pc.index()];
        instruction.requests += 1;
        instruction.transactions += transactions;
    }

    pub(crate) fn shared(&mut self, pc: Pc, passes: u32) {
        let instruction = &mut self.instructions[pc.index()];
        instruction.shared_requests += 1;
        instruction.shared_passes += u64::from(passes);
        let passes = passes as usize;
        if self.bank_conflicts.len() <= passes {
            self.bank_conflicts.resize(passes + 1, 0);
        }
        self.bank_conflicts[passes] += 1;
    }

    /// Where the sample ends that has begun, if that is by now; at the end of the launch, it ends now at the latest.
    pub(crate) fn sample_end(&self, now: Cycle, all: bool) -> Option<Cycle> {
        let interval = self.interval.filter(|_| self.samples.len() < SAMPLES)?;
        let begin = self.before.0;
        let end = begin.saturating_add(interval);
        if end <= now { Some(end) } else { (all && now > begin).then_some(now) }
    }

    /// Ends the sample that has begun; all that lies before its end has been counted, and so many threads have not ended.
    pub(crate) fn sample(&mut self, end: Cycle, incomplete_threads: u64) {
        let (begin, instructions, occupancy) = &self.before;
        let mut sample = Sample {
            begin: *begin,
            cycles: end - begin,
            thread_instructions: self.thread_instructions - instructions,
            incomplete_threads,
            thread_progress: self.progress.clone(),
            occupancy: self.occupancy.since(occupancy),
        };
        sample.occupancy.divide(self.ticks);
        self.before = (end, self.thread_instructions, self.occupancy.clone());
        self.samples.push(sample);
    }

    /// The figures, except for those that only the machine knows.
    pub(crate) fn report(&mut self, plan: &Plan, clock: &ClockConfig) -> ClockReport {
        let line = |of: &SourceLine| {
            let SourceLine { file, line, text } = of.clone();
            LineClock { line, file, text, ..LineClock::default() }
        };
        let mut lines: Vec<LineClock> = plan.lines().lines().iter().map(line).collect();
        for (of, place) in self.instructions.iter().zip(plan.lines().places()) {
            let entry = &mut lines[place];
            entry.issue_cycles += of.ticks;
            entry.waits.merge(&of.waits);
            entry.requests += of.requests;
            entry.transactions += of.transactions;
            entry.shared_requests += of.shared_requests;
            entry.shared_passes += of.shared_passes;
        }
        let ticks = clock.simd_width as u64;
        for line in &mut lines {
            line.issue_cycles /= ticks;
            line.waits.clear(Stall::Issued);
        }
        let mut occupancy = self.occupancy.clone();
        occupancy.divide(ticks);
        ClockReport {
            thread_instructions: self.thread_instructions,
            stalls: self.all_stalls(),
            occupancy,
            requests: self.instructions.iter().map(|of| of.requests).sum(),
            transactions: self.instructions.iter().map(|of| of.transactions).sum(),
            bank_conflicts: std::mem::take(&mut self.bank_conflicts),
            lines,
            samples: std::mem::take(&mut self.samples),
            ..ClockReport::default()
        }
    }
}
