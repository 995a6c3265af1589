//! The figures of a report by name: unit, meaning, and NVIDIA's counter for the same thing.

use super::Report;
use crate::clock::{Stall, Stalls};
use crate::hierarchy::{CacheFigures, LevelFigures};

/// A figure of a [`Report`].
#[derive(Clone, Copy, Debug)]
pub struct FigureName {
    /// Its name: the path of the value in the report as data, or that of the method that works it out.
    pub name: &'static str,
    /// The unit of its value.
    pub unit: Unit,
    /// What it is.
    pub meaning: &'static str,
    /// The counter of Nsight Compute for the same thing; none if there is none.
    pub nvidia: Option<&'static str>,
    /// Whether more of it is better, if that can be said.
    pub better: Option<Better>,
    value: fn(&Report) -> Option<f64>,
}

impl FigureName {
    /// Its value in a report; none if the machine does not have it, or it is one for each line or class.
    pub fn of(&self, report: &Report) -> Option<f64> {
        (self.value)(report)
    }

    /// The figure of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FIGURES.iter().find(|figure| figure.name == name)
    }
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A number of things.
    Count,
    /// A part of a whole, from 0 to 1.
    Fraction,
    /// A ratio that may be above 1.
    Ratio,
    /// Cycles of the cores.
    Cycles,
    /// Bytes.
    Bytes,
}

/// Which of two values of a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The higher one.
    Higher,
    /// The lower one.
    Lower,
}

macro_rules! figures {
    ($($name:literal $unit:ident $([$better:ident])? $meaning:literal $nvidia:literal $value:expr;)*) => {
        /// All figures, with their counters of Nsight Compute.
        ///
        /// | figure | what it is | Nsight Compute |
        /// |---|---|---|
        $(#[doc = concat!("| `", $name, "` | ", $meaning, " | ", $nvidia, " |")])*
        pub const FIGURES: &[FigureName] = &[$(FigureName {
            name: $name,
            unit: Unit::$unit,
            meaning: $meaning,
            nvidia: counter($nvidia),
            better: figures!(@better $($better)?),
            value: $value,
        },)*];
    };
    (@better) => { None };
    (@better $better:ident) => { Some(Better::$better) };
}

/// A counter of the table; a dash is none.
const fn counter(text: &'static str) -> Option<&'static str> {
    if text.len() > 3 { Some(text) } else { None }
}

fn share(report: &Report, stall: Stall) -> Option<f64> {
    report.stalls().map(|stalls: &Stalls| stalls.share(stall))
}

/// A cache by its place from the cores: 0 is the first level.
fn cache(report: &Report, place: usize) -> Option<&CacheFigures> {
    let levels = report.memory()?.levels.iter();
    let caches =
        levels.filter_map(|level| if let LevelFigures::Cache(figures) = &level.figures { Some(figures) } else { None });
    caches.into_iter().nth(place)
}

fn hit_rate(report: &Report, place: usize) -> Option<f64> {
    let figures = cache(report, place)?;
    (figures.accesses > figures.passed).then(|| 1.0 - figures.miss_rate())
}

fn passes(report: &Report) -> Option<u64> {
    let passes = report.clock()?.bank_conflicts();
    Some(passes.iter().zip(0..).map(|(count, passes): (&u64, u64)| count * passes).sum())
}

figures! {
    "issues" Count [Lower] "program instructions issued, for one warp each" "smsp__inst_executed.sum"
        |report| Some(report.issues() as f64);
    "marker_issues" Count [Lower] "markers issued, which only serve reconvergence; the counter of issues has them, too" "—"
        |report| Some(report.marker_issues() as f64);
    "thread_instructions" Count "program instructions, summed over the threads" "smsp__thread_inst_executed.sum"
        |report| Some(report.thread_instructions() as f64);
    "marker_thread_instructions" Count "markers, summed over the threads" "—"
        |report| Some(report.marker_thread_instructions as f64);
    "executed_thread_instructions" Count "thread instructions that no guard kept from doing anything"
        "smsp__thread_inst_executed_pred_on.sum" |report| Some(report.executed_thread_instructions() as f64);
    "guarded_off" Count "thread instructions whose guard kept them from doing anything" "—"
        |report| Some(report.guarded_off as f64);
    "simd_efficiency" Fraction [Higher] "active lanes of all lanes, on average over the issues"
        "smsp__thread_inst_executed_per_inst_executed.pct" |report| Some(report.simd_efficiency());
    "simd_efficiency_with_markers" Fraction [Higher] "the same over all issues, those of markers included" "—"
        |report| Some(report.simd_efficiency_with_markers());
    "branches" Count "conditional branches issued" "—" |report| Some(report.branches() as f64);
    "diverged_branches" Count [Lower] "branches that sent some active lanes each way"
        "smsp__sass_branch_targets_threads_divergent.sum" |report| Some(report.diverged_branches() as f64);
    "branch_efficiency" Fraction [Higher] "branches that did not diverge, of all"
        "smsp__sass_average_branch_targets_threads_uniform.pct" |report| Some(report.branch_efficiency());
    "lane_histogram" Count "issues by number of active lanes" "—" |_| None;
    "warp_width" Count "lanes of a warp" "—" |_| None;
    "lanes_per_issue" Count "lanes of the pipeline that an issue goes down" "—" |_| None;
    "lines.line" Count "number of a source line" "—" |_| None;
    "lines.issues" Count "program instructions issued of a line" "inst_executed of the source page" |_| None;
    "lines.thread_instructions" Count "the same, summed over the threads" "thread_inst_executed of the source page" |_| None;
    "lines.guarded_off" Count "of those, the ones that did nothing" "—" |_| None;
    "lines.marker_issues" Count "markers issued of a line" "—" |_| None;
    "lines.branches" Count "conditional branches issued of a line" "—" |_| None;
    "lines.divergences" Count "branches of a line that diverged" "smsp__branch_targets_threads_divergent of the source page"
        |_| None;
    "policy_figures.value" Count "what the policy counts itself: depths, spills" "—" |_| None;
    "clock.cycles" Cycles [Lower] "cycles of the launch" "gpc__cycles_elapsed.max"
        |report| report.cycles().map(|cycles| cycles as f64);
    "clock.ipc" Ratio [Higher] "thread instructions per cycle" "smsp__thread_inst_executed.sum.per_cycle_elapsed"
        |report| report.ipc();
    "clock.utilisation" Fraction [Higher] "thread instructions, of what all lanes could have executed in all cycles" "—"
        |report| report.clock().map(|clock| clock.utilisation());
    "clock.lanes" Count "lanes of all pipelines" "—" |_| None;
    "clock.warps" Count "places for warps on all cores" "—" |_| None;
    "clock.thread_instructions" Count "thread instructions" "smsp__thread_inst_executed.sum" |_| None;
    "clock.registers" Count [Lower] "registers of a thread" "launch__registers_per_thread"
        |report| report.clock().map(|clock| clock.registers() as f64);
    "clock.blocks_per_core" Count "blocks that a core held" "—"
        |report| report.clock().map(|clock| clock.blocks_per_core() as f64);
    "clock.stalls" Cycles "cycles of places for warps by reason, in the order of `Stall::ALL`" "—" |_| None;
    "clock.stalls.issued" Fraction [Higher] "share of warps' cycles: it issues"
        "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio" |report| share(report, Stall::Issued);
    "clock.stalls.memory" Fraction [Lower] "share of warps' cycles: it waits for memory"
        "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio" |report| share(report, Stall::Memory);
    "clock.stalls.execution" Fraction [Lower] "share of warps' cycles: it waits for a result in the pipeline"
        "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio" |report| share(report, Stall::Execution);
    "clock.stalls.pipeline" Fraction [Lower] "share of warps' cycles: a unit, or the way to memory, is busy"
        "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio" |report| share(report, Stall::Pipeline);
    "clock.stalls.not_selected" Fraction "share of warps' cycles: another warp issues"
        "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio" |report| share(report, Stall::NotSelected);
    "clock.stalls.barrier" Fraction [Lower] "share of warps' cycles: it waits at a barrier"
        "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio" |report| share(report, Stall::Barrier);
    "clock.stalls.reconvergence" Fraction [Lower] "share of warps' cycles: the policy holds its threads" "—"
        |report| share(report, Stall::Reconvergence);
    "clock.stalls.formation" Fraction [Lower] "share of warps' cycles: what forms warps is busy" "—"
        |report| share(report, Stall::Formation);
    "clock.stalls.ended" Fraction [Lower] "share of warps' cycles: it has ended, and its block has not" "—"
        |report| share(report, Stall::Ended);
    "clock.occupancy.memory" Cycles [Lower] "issue slots without an issue: all threads wait for memory" "—"
        |report| report.clock().map(|clock| clock.occupancy().memory as f64);
    "clock.occupancy.idle" Cycles [Lower] "issue slots without an issue: nothing to issue" "—"
        |report| report.clock().map(|clock| clock.occupancy().idle as f64);
    "clock.occupancy.stall" Cycles [Lower] "issue slots without an issue: something was busy" "—"
        |report| report.clock().map(|clock| clock.occupancy().stall as f64);
    "clock.occupancy.active" Cycles "issue slots by how many threads issued" "—" |_| None;
    "clock.requests" Count "accesses of warps to global and local memory" "l1tex__t_requests_pipe_lsu.sum"
        |report| report.clock().map(|clock| clock.requests() as f64);
    "clock.transactions" Count [Lower] "the transactions of those" "l1tex__t_sectors_pipe_lsu.sum"
        |report| report.clock().map(|clock| clock.transactions() as f64);
    "clock.transactions_per_request" Ratio [Lower] "transactions per access"
        "l1tex__average_t_sectors_per_request_pipe_lsu.ratio"
        |report| report.clock().filter(|clock| clock.requests() > 0).map(|clock| clock.transactions_per_request());
    "clock.bank_conflicts" Count "accesses to shared memory by how many passes they took" "—" |_| None;
    "clock.shared_passes" Count [Lower] "passes of accesses to shared memory" "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"
        |report| passes(report).filter(|&passes| passes > 0).map(|passes| passes as f64);
    "clock.memory.l1.hit_rate" Fraction [Higher] "loads that the first cache holds" "l1tex__t_sector_hit_rate.pct"
        |report| hit_rate(report, 0);
    "clock.memory.l2.hit_rate" Fraction [Higher] "loads that the second cache holds" "lts__t_sector_hit_rate.pct"
        |report| hit_rate(report, 1);
    "clock.memory.dram.bytes" Bytes [Lower] "bytes that memory modules moved" "dram__bytes.sum"
        |report| report.memory().and_then(|memory| memory.dram()).map(|dram| dram.bytes as f64);
    "clock.memory.dram.row_hit_rate" Fraction [Higher] "reads and writes that found their row open" "—"
        |report| report.memory().and_then(|memory| memory.dram()).filter(|dram| dram.bytes > 0).map(|dram| dram.row_hit_rate());
    "clock.memory.levels" Count "what each level of memory counts, by name" "—" |_| None;
    "clock.lines.line" Count "number of a source line" "—" |_| None;
    "clock.lines.issue_cycles" Cycles "cycles that pipelines were busy with a line" "—" |_| None;
    "clock.lines.waits" Cycles "cycles that warps waited before a line, by reason"
        "smsp__pcsamp_warps_issue_stalled of the source page" |_| None;
    "clock.lines.requests" Count "accesses of a line to global and local memory" "—" |_| None;
    "clock.lines.transactions" Count "the transactions of those" "—" |_| None;
    "clock.lines.shared_requests" Count "accesses of a line to shared memory" "—" |_| None;
    "clock.lines.shared_passes" Count "passes of those" "—" |_| None;
    "clock.samples" Count "the figures of intervals of time" "—" |_| None;
}
