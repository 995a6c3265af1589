//! The figures of a launch: plain data, and its rendering for a terminal.

mod assertions;
mod display;
pub mod figures;
mod merge;

pub use display::Redacted;

use crate::clock::{ClockReport, Stalls};
use crate::hierarchy::HierarchyFigures;
use crate::observe::Statistics;
use crate::plan::{Plan, SourceLine};
use crate::policy::{Figure, FigureTotal};
use simt_core::code::{Inst, Pc};

/// The figures of a launch.
///
/// *Issue*: one instruction sent down the SIMD pipeline for the active lanes of one warp. *Thread instruction*: one
/// instruction executed by one thread. Instructions of the program and markers, which only serve reconvergence, are counted
/// apart; a thread's program instructions are the same under every policy. If nothing was issued, as by a grid without blocks,
/// efficiencies are 1, as no lane was idle, and all other figures and ratios are 0.
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
/// let report = Gpu::<Ipdom>::default().launch(Grid::new(1, 32), parity(&mut x))?;
/// assert_eq!((report.kernel(), report.policy()), ("parity", "Ipdom"));
/// assert_eq!((report.branches(), report.diverged_branches()), (1, 1));
/// // Half of the lanes are idle in each arm.
/// assert!(report.lane_histogram()[16] > 0);
/// assert!(report.simd_efficiency() < 1.0);
/// println!("{report}");
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report {
    kernel: String,
    file: String,
    policy: String,
    warp_width: usize,
    lanes_per_issue: usize,
    issues: u64,
    marker_issues: u64,
    thread_instructions: u64,
    marker_thread_instructions: u64,
    #[cfg_attr(feature = "serde", serde(default))]
    guarded_off: u64,
    branches: u64,
    diverged_branches: u64,
    lane_histogram: Vec<u64>,
    lines: Vec<LineReport>,
    policy_figures: Vec<PolicyFigure>,
    prints: Vec<String>,
    clock: Option<ClockReport>,
}

/// A figure that the policy has counted: a depth, an occupancy, a number of spills.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PolicyFigure {
    /// The name of the figure, with its unit.
    pub name: String,
    /// Its value for the launch.
    pub value: u64,
    /// How the values of warps or blocks were combined.
    pub total: FigureTotal,
}

/// The figures of one source line.
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
/// let report = Gpu::<Ipdom>::default().launch(Grid::new(1, 32), parity(&mut x))?;
/// let arm = report.lines().iter().find(|line| line.text == "x[i] = 1;").unwrap();
/// assert_eq!((arm.mean_active_lanes(), arm.divergences), (16.0, 0));
/// let branch = report.lines().iter().find(|line| line.divergences == 1).unwrap();
/// assert_eq!(branch.text, "if i % 2 == 0 {");
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LineReport {
    /// Line of the file (1-based); 0 collects instructions that stand on no line.
    pub line: u32,
    /// The file: the kernel's, or that of a function it calls.
    pub file: String,
    /// The line's text, without the blanks around it.
    pub text: String,
    /// Program instructions issued.
    pub issues: u64,
    /// Program instructions executed, summed over the threads.
    pub thread_instructions: u64,
    /// Of those, the ones that did nothing, as their guard had not the value.
    #[cfg_attr(feature = "serde", serde(default))]
    pub guarded_off: u64,
    /// Markers issued.
    pub marker_issues: u64,
    /// Conditional branches issued.
    pub branches: u64,
    /// Branches that sent some active lanes each way.
    pub divergences: u64,
}

impl LineReport {
    fn empty(of: &SourceLine) -> Self {
        let SourceLine { file, line, text } = of.clone();
        Self { line, file, text, ..Self::default() }
    }

    /// Mean number of active lanes per issue; 0 if nothing was issued.
    pub fn mean_active_lanes(&self) -> f64 {
        ratio(self.thread_instructions, self.issues)
    }
}

/// The setting of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ran {
    pub(crate) policy: &'static str,
    pub(crate) warp_width: usize,
    pub(crate) lanes_per_issue: usize,
}

impl Report {
    pub(crate) fn new(ran: Ran, plan: &Plan, statistics: &Statistics, guarded: &[u64], prints: Vec<String>) -> Self {
        let Ran { policy, warp_width, lanes_per_issue } = ran;
        let code = &plan.code;
        let mut report = Self {
            kernel: code.name.to_string(),
            file: code.source.file.to_string(),
            policy: policy.to_string(),
            warp_width,
            lanes_per_issue,
            issues: 0,
            marker_issues: 0,
            thread_instructions: 0,
            marker_thread_instructions: 0,
            guarded_off: 0,
            branches: 0,
            diverged_branches: 0,
            lane_histogram: statistics.histogram(plan, warp_width),
            lines: Vec::new(),
            policy_figures: statistics
                .figures
                .iter()
                .map(|&Figure { name, value, total }| PolicyFigure { name: name.to_string(), value, total })
                .collect(),
            prints,
            clock: None,
        };
        let lines = plan.lines();
        report.lines = lines.lines().iter().map(LineReport::empty).collect();
        for (at, (count, place)) in
            statistics.by_instruction(plan, warp_width).into_iter().zip(lines.places()).enumerate()
        {
            let (pc, inst) = (Pc(at as u32), &code.insts[at]);
            let line = &mut report.lines[place];
            if inst.is_marker() {
                line.marker_issues += count.times;
                report.marker_issues += count.times;
                report.marker_thread_instructions += count.lanes;
            } else if code.is_counted(pc) {
                line.issues += count.times;
                line.thread_instructions += count.lanes;
                report.issues += count.times;
                report.thread_instructions += count.lanes;
            }
            if matches!(inst, Inst::Branch { .. } | Inst::Indirect { .. }) {
                line.branches += count.times;
                line.divergences += count.diverged;
                report.branches += count.times;
                report.diverged_branches += count.diverged;
            }
        }
        let places: Vec<usize> = if guarded.is_empty() { Vec::new() } else { lines.places().collect() };
        for (pc, off) in plan.guards.iter().zip(guarded).filter(|_| statistics.counts()) {
            report.guarded_off += off;
            report.lines[places[pc.index()]].guarded_off += off;
        }
        report
    }

    /// Name of the kernel.
    pub fn kernel(&self) -> &str {
        &self.kernel
    }

    /// Source file of the kernel.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Name of the policy.
    pub fn policy(&self) -> &str {
        &self.policy
    }

    /// Lanes of a warp.
    pub fn warp_width(&self) -> usize {
        self.warp_width
    }

    /// Lanes of the pipeline that an issue goes down: as many as a warp has, except under policies whose lanes issue alone
    /// ([`Mimd`](crate::Mimd)).
    pub fn lanes_per_issue(&self) -> usize {
        self.lanes_per_issue
    }

    /// Program instructions issued: warp instructions (`smsp__inst_executed` in NVIDIA's profiler), markers apart.
    pub fn issues(&self) -> u64 {
        self.issues
    }

    /// Markers issued: instructions that only serve reconvergence.
    pub fn marker_issues(&self) -> u64 {
        self.marker_issues
    }

    /// Program instructions executed, summed over the threads (`smsp__thread_inst_executed`).
    pub fn thread_instructions(&self) -> u64 {
        self.thread_instructions
    }

    /// Of the [`thread_instructions`](Self::thread_instructions), those that were executed: whose guard had the value, or which
    /// have none (`smsp__thread_inst_executed_pred_on`). Only kernels written as code have guards.
    pub fn executed_thread_instructions(&self) -> u64 {
        self.thread_instructions - self.guarded_off
    }

    /// Active lanes summed over program issues / (program issues × lanes per issue); 1 if nothing was issued. But for
    /// [`Mimd`](crate::Mimd), lanes per issue is the warp width.
    /// NVIDIA's profiler gives it as lanes: `smsp__thread_inst_executed_per_inst_executed.ratio`.
    pub fn simd_efficiency(&self) -> f64 {
        efficiency(self.thread_instructions, self.issues, self.lanes_per_issue)
    }

    /// SIMD efficiency over all issues, markers included.
    pub fn simd_efficiency_with_markers(&self) -> f64 {
        let lanes = self.thread_instructions + self.marker_thread_instructions;
        efficiency(lanes, self.issues + self.marker_issues, self.lanes_per_issue)
    }

    /// Conditional branches issued.
    pub fn branches(&self) -> u64 {
        self.branches
    }

    /// Conditional branches that sent some active lanes each way.
    pub fn diverged_branches(&self) -> u64 {
        self.diverged_branches
    }

    /// (branches − diverged branches) / branches; 1 if there was none
    /// (`smsp__sass_average_branch_targets_threads_uniform.pct`).
    pub fn branch_efficiency(&self) -> f64 {
        if self.branches == 0 { 1.0 } else { 1.0 - ratio(self.diverged_branches, self.branches) }
    }

    /// Program issues by number of active lanes: index *n* counts issues for exactly *n* lanes; warp width + 1 entries.
    pub fn lane_histogram(&self) -> &[u64] {
        &self.lane_histogram
    }

    /// The figures by source line, in line order.
    pub fn lines(&self) -> &[LineReport] {
        &self.lines
    }

    /// The figures that the policy has counted, as its page says; empty for policies that count nothing.
    pub fn policy_figures(&self) -> &[PolicyFigure] {
        &self.policy_figures
    }

    /// The lines that threads printed with `println!`, by block, then by thread, then by time: the same under every policy.
    ///
    /// Of more than 2^20 lines the first are kept, and one more says how many others there were.
    ///
    /// ```
    /// use simt::prelude::*;
    ///
    /// #[kernel]
    /// fn squares(x: &[u32]) {
    ///     let i = global_id();
    ///     println!("{i}: {}", x[i] * x[i]);
    /// }
    ///
    /// let report = Gpu::<Ipdom>::default().launch(Grid::new(1, 2), squares(&[5, 7]))?;
    /// assert_eq!(report.prints(), ["0: 25", "1: 49"]);
    /// # Ok::<(), LaunchError>(())
    /// ```
    pub fn prints(&self) -> &[String] {
        &self.prints
    }

    /// The times of the launch, if the machine has a clock.
    pub fn clock(&self) -> Option<&ClockReport> {
        self.clock.as_ref()
    }

    /// Cycles that the launch took, if the machine has a clock.
    pub fn cycles(&self) -> Option<u64> {
        self.clock().map(ClockReport::cycles)
    }

    /// Thread instructions per cycle, if the machine has a clock.
    pub fn ipc(&self) -> Option<f64> {
        self.clock().map(ClockReport::ipc)
    }

    /// Where the cycles of warps went, if the machine has a clock.
    pub fn stalls(&self) -> Option<&Stalls> {
        self.clock().map(ClockReport::stalls)
    }

    /// The figures of caches and DRAM, if the machine has a clock and memory is not ideal.
    pub fn memory(&self) -> Option<&HierarchyFigures> {
        self.clock().and_then(ClockReport::memory)
    }

    pub(crate) fn timed(mut self, clock: Option<ClockReport>) -> Self {
        self.clock = clock;
        self
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn efficiency(lanes: u64, issues: u64, width: usize) -> f64 {
    if issues == 0 { 1.0 } else { lanes as f64 / (issues as f64 * width as f64) }
}
