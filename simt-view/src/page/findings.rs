//! What the page says first: which line loses most lanes, and under which run it loses fewer.

use crate::Run;
use crate::shell::grouped;
use maud::{Markup, PreEscaped, html};
use simt_runtime::LineReport;
use simt_runtime::Report;

/// The most sentences that are read one after the other.
const SAID: usize = 4;

/// Lane slots of a line that no active lane had, of so many an issue.
pub(super) fn idle(lanes_per_issue: usize, line: &LineReport) -> u64 {
    (line.issues * lanes_per_issue as u64).saturating_sub(line.thread_instructions)
}

/// The line that loses most lanes of a run. What stands on no line, as what is called of a file that is not shown, is the last
/// that is named.
pub(super) fn worst(report: &Report) -> Option<(&LineReport, f64)> {
    let idle = |line: &LineReport| idle(report.lanes_per_issue(), line);
    let all: u64 = report.lines().iter().map(idle).sum();
    let line = report.lines().iter().max_by_key(|line| (line.line > 0, idle(line)))?;
    (all > 0).then(|| (line, idle(line) as f64 / all as f64))
}

/// A run that has more lanes active in a line than another run, and takes fewer issues in all.
#[derive(Clone, Copy)]
pub(super) struct Better<'r> {
    pub(super) run: &'r Run,
    /// Lanes that are active in the line on average.
    pub(super) lanes: f64,
    /// The issues of the launch, as a multiple of the other's.
    pub(super) issues: f64,
}

impl Better<'_> {
    /// What follows "Under it", of the launch.
    pub(super) fn cost(&self) -> String {
        format!("the launch takes {:.2} times as many issues", self.issues)
    }
}

/// Of the other runs which take fewer issues, the one that loses fewest lanes on a line: one that has more lanes active there,
/// and makes up for it elsewhere, does not help.
pub(super) fn better<'r>(runs: &'r [Run], than: &Run, of: &LineReport) -> Option<Better<'r>> {
    let first = than.report()?;
    let others = runs.iter().filter(|run| run.name != than.name).filter_map(|run| {
        let report = run.report()?;
        let line = report.lines().iter().find(|line| (line.line, &line.text) == (of.line, &of.text))?;
        let found =
            Better { run, lanes: line.mean_active_lanes(), issues: report.issues() as f64 / first.issues() as f64 };
        // A lane that issues alone is always full, and warps of another width issue more or less by that alone.
        let is_alike = report.lanes_per_issue() == first.lanes_per_issue();
        let is_better = found.lanes > of.mean_active_lanes() + 0.05 && report.issues() < first.issues();
        (is_alike && is_better).then(|| (idle(report.lanes_per_issue(), line), found))
    });
    others.min_by_key(|(idle, _)| *idle).map(|(_, found)| found)
}

/// Sentences on where runs lose lanes. Runs of which they say the same are named together.
pub(super) fn findings(runs: &[Run]) -> Markup {
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for run in runs {
        let sentence = sentence(runs, run).into_string();
        match said.iter_mut().find(|(other, _)| *other == sentence) {
            Some((_, names)) => names.push(&run.name),
            None => said.push((sentence, vec![&run.name])),
        }
    }
    // Of many the first is said, and that of the run whose lanes are fullest.
    let full = |run: &Run| run.report().filter(|report| report.lanes_per_issue() > 1).map(Report::simd_efficiency);
    let best =
        runs.iter().filter_map(|run| Some((&*run.name, full(run)?))).max_by(|left, right| left.1.total_cmp(&right.1));
    let (first, others): (Vec<_>, Vec<_>) = said.iter().enumerate().partition(|(number, (_, names))| {
        said.len() <= SAID || *number == 0 || best.is_some_and(|(best, _)| names.contains(&best))
    });
    let item = |(sentence, names): &(String, Vec<&str>)| {
        html! { li { strong { (names.join(", ")) } ": " (PreEscaped(sentence)) } }
    };
    html! {
        ul.findings { @for (_, said) in first { (item(said)) } }
        @if !others.is_empty() {
            details {
                summary { "Under the others" }
                ul.findings { @for (_, said) in others { (item(said)) } }
            }
        }
    }
}

fn sentence(runs: &[Run], run: &Run) -> Markup {
    let report = match &run.outcome {
        Err(error) => return html! { "the launch failed: " code { (first_line(error)) } },
        Ok(report) => report,
    };
    let Some((line, share)) = worst(report) else { return html! { "no lane is ever idle." } };
    html! {
        (format!("{:.1} %", 100.0 * report.simd_efficiency())) " of the lanes are active. "
        @if line.line > 0 { "Line " a href=(format!("#line-{}", name(report, line))) { (name(report, line)) } ", " code { (line.text) } ", has " }
        @else { "What stands on no line has " }
        (format!("{:.1} %", 100.0 * share)) " of all that are idle: "
        (format!("{:.1}", line.mean_active_lanes())) " of " (report.lanes_per_issue()) " lanes are active in its "
        (grouped(line.issues as f64)) " issues."
        @if let Some(better) = better(runs, run, line) {
            " Under " strong { (better.run.name) } " it has " (format!("{:.1}", better.lanes)) ", and " (better.cost()) "."
        }
    }
}

/// A line's name on a page: its number, behind the name of its file if that is another than the kernel's.
pub(super) fn name(report: &Report, line: &LineReport) -> String {
    let file = line.file.rsplit('/').next().unwrap_or_default();
    if line.file == report.file() { line.line.to_string() } else { format!("{file}:{}", line.line) }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
