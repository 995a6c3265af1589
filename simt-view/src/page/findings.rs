//! What the page says first: which line loses most lanes, and under which run it loses fewer.

use crate::Run;
use crate::shell::grouped;
use maud::{Markup, PreEscaped, html};
use simt_runtime::LineReport;
use simt_runtime::Report;

/// The most sentences that are read one after the other.
const SAID: usize = 4;

/// Lane slots of a line that no active lane had.
pub(super) fn idle(report: &Report, line: &LineReport) -> u64 {
    (line.issues * report.lanes_per_issue() as u64).saturating_sub(line.thread_instructions)
}

/// The line that loses most lanes of a run. What stands on no line, as what is called of a file that is not shown, is the last
/// that is named.
pub(super) fn worst(report: &Report) -> Option<(&LineReport, f64)> {
    let all: u64 = report.lines().iter().map(|line| idle(report, line)).sum();
    let line = report.lines().iter().max_by_key(|line| (line.line > 0, idle(report, line)))?;
    (all > 0).then(|| (line, idle(report, line) as f64 / all as f64))
}

/// Of the other runs, the one whose lanes are fullest on a line.
pub(super) fn fullest<'r>(runs: &'r [Run], but: &Run, of: &LineReport) -> Option<(&'r Run, f64)> {
    let others = runs.iter().filter(|run| run.name != but.name);
    let lines = others.filter_map(|run| {
        let report = run.report()?;
        let line = report.lines().iter().find(|line| (line.line, &line.text) == (of.line, &of.text))?;
        // A lane that issues alone is always full.
        (line.issues > 0 && report.lanes_per_issue() > 1).then(|| (run, line.mean_active_lanes()))
    });
    lines.max_by(|left, right| left.1.total_cmp(&right.1))
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
        Err(error) => return html! { "the launch failed. " code { (first_line(error)) } },
        Ok(report) => report,
    };
    let Some((line, share)) = worst(report) else { return html! { "no lane is ever idle." } };
    let other = fullest(runs, run, line).filter(|(_, lanes)| *lanes > line.mean_active_lanes() + 0.05);
    html! {
        (format!("{:.1} %", 100.0 * report.simd_efficiency())) " of the lanes are active. "
        @if line.line > 0 { "Line " a href=(format!("#line-{}", line.line)) { (line.line) } ", " code { (line.text) } ", has " }
        @else { "What stands on no line has " }
        (format!("{:.1} %", 100.0 * share)) " of all that are idle: "
        (format!("{:.1}", line.mean_active_lanes())) " of " (report.lanes_per_issue()) " lanes are active in its "
        (grouped(line.issues as f64)) " issues."
        @if let Some((other, lanes)) = other { " Under " strong { (other.name) } " it has " (format!("{lanes:.1}")) "." }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
