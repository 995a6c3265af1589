//! The tables of results: policies and algorithms side by side, or all figures, an algorithm's runs under each other.

use std::iter;
use std::time::Duration;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use simt::prelude::*;
use simt_view::{Picture, PictureError};

use crate::heat_map::heat_map;
use crate::workload::{Measured, Run, grouped};

/// A row for each policy, for each algorithm SIMD efficiency, issues as a multiple of those under `Ipdom`, and time.
pub(crate) fn overview(all: &[Measured]) -> String {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')));
    let names = all.iter().flat_map(|measured| [measured.name, "", ""]);
    table.set_header(iter::once("").chain(names));
    for column in 1..=3 * all.len() {
        let column = table.column_mut(column).expect("a header each");
        column.set_cell_alignment(CellAlignment::Right);
        column.set_padding((1, 0));
    }
    table.add_row(iter::once("").chain(all.iter().flat_map(|_| ["lanes", "issues", "time"])));
    let of_rust = all.iter().flat_map(|measured| [String::new(), String::new(), duration(measured.host)]);
    table.add_row(iter::once("plain Rust".to_owned()).chain(of_rust));
    for number in 0..all.first().map_or(0, |measured| measured.runs.len()) {
        let figures = all.iter().flat_map(|Measured { runs, .. }| {
            let (run, usual) = (&runs[number], runs.iter().find(|run| run.policy == <Ipdom>::name()));
            let issues = |run: &Run| run.report.issues() as f64;
            let relative = usual.map(|usual| format!("{:.2} x", issues(run) / issues(usual)));
            [format!("{:.1} %", 100.0 * run.report.simd_efficiency()), relative.unwrap_or_default(), duration(run.time)]
        });
        table.add_row(iter::once(all[0].runs[number].policy.to_owned()).chain(figures));
    }
    table.trim_fmt()
}

/// The efficiencies as a picture.
///
/// # Errors
/// If it cannot be drawn.
pub(crate) fn picture(all: &[Measured]) -> Result<Picture, PictureError> {
    let policies: Vec<_> = all.first().into_iter().flat_map(|one| &one.runs).map(|run| run.policy).collect();
    let efficiencies = |one: &Measured| one.runs.iter().map(|run| Ok(run.report.simd_efficiency())).collect();
    heat_map(&policies, all.iter().map(|one| (one.name, efficiencies(one))))
}

const HEADERS: [&str; 7] = ["", "issues", "markers", "SIMD efficiency", "time", "M issues/s", "vs Rust"];

/// Every workload's runs, one below the other.
pub(crate) fn comparison(all: &[Measured]) -> String {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')));
    table.set_header(HEADERS);
    for column in [1, 2, 4, 5, 6] {
        table.column_mut(column).expect("a header each").set_cell_alignment(CellAlignment::Right);
    }
    for measured in all {
        table.add_row([""; HEADERS.len()]);
        table.add_row([measured.name]);
        table.add_row(["  plain Rust", "", "", "", &duration(measured.host), "", ""]);
        for run in &measured.runs {
            table.add_row(row(run, measured.host));
        }
    }
    table.trim_fmt()
}

fn row(run: &Run, host: Duration) -> [String; HEADERS.len()] {
    let (seconds, issues) = (run.time.as_secs_f64(), run.report.issues());
    [
        format!("  {}", run.policy),
        grouped(issues),
        grouped(run.report.marker_issues()),
        bar(run.report.simd_efficiency()),
        duration(run.time),
        format!("{:.0}", (issues + run.report.marker_issues()) as f64 / seconds / 1e6),
        format!("{:.1} x", seconds / host.as_secs_f64()),
    ]
}

/// A share as a percentage and a bar of up to ten cells.
fn bar(share: f64) -> String {
    let eighths = (80.0 * share).round() as usize;
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{:5.1} % {}{rest}", 100.0 * share, "█".repeat(eighths / 8))
}

/// A time in the unit that suits it, with three digits.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        10.0.. => format!("{seconds:.1} s"),
        1.0.. => format!("{seconds:.2} s"),
        0.1.. => format!("{:.0} ms", seconds * 1e3),
        0.01.. => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{:.2} ms", seconds * 1e3),
    }
}

const AT_A_GLANCE: &str = "\
`lanes` is the SIMD efficiency, the share of a warp's lanes that work, averaged over all issues; `issues` is
how many instructions were issued, as a multiple of those under `Ipdom`. Times are of one thread and of the
engine that all policies share: one compiled for its policy, as `Gpu::launch` has, takes up to a third less.
`--all` prints all figures. All results are equal to plain Rust's.";

const IN_FULL: &str = "\
SIMD efficiency is the share of a warp's lanes that work, averaged over all issues: the same work in
fewer issues keeps more lanes busy. Markers are the extra instructions that a policy needs to
reconverge. `vs Rust` is the time as a multiple of plain Rust's, on one thread like all others, and of the
engine that all policies share: one compiled for its policy, as `Gpu::launch` has, takes up to a third less.
All results are equal to plain Rust's.";

/// The meaning of the figures, and the largest difference between policies.
pub(crate) fn reading(all: &[Measured], in_full: bool) -> String {
    let mut text = if in_full { IN_FULL } else { AT_A_GLANCE }.to_owned();
    let spreads = all.iter().filter_map(|measured| {
        let best = measured.runs.iter().min_by_key(|run| run.report.issues())?;
        let worst = measured.runs.iter().max_by_key(|run| run.report.issues())?;
        let factor = worst.report.issues() as f64 / best.report.issues().max(1) as f64;
        Some((factor, measured.name, best.policy, worst.policy))
    });
    let widest = spreads.max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((factor, name, best, worst)) = widest.filter(|widest| widest.0 >= 1.05) {
        text += &format!("\nThe policy matters most for {name}: {worst} issues {factor:.1} times as much as {best}.");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collatz::kernel::collatz;

    /// A tiny launch under each policy, as two algorithms.
    fn measured() -> Vec<Measured> {
        let run = |name| {
            let mut runs = Vec::new();
            for_each_policy!(P => {
                let mut steps = vec![0; 40];
                let start: Vec<u64> = (1..=40).collect();
                let report = Gpu::<P>::default().launch(Grid::new(1, 40), collatz(&start, &mut steps)).unwrap();
                runs.push(Run { policy: P::name(), report, time: Duration::from_millis(5) });
            });
            Measured { name, summary: String::new(), host: Duration::from_millis(1), runs }
        };
        vec![run("one"), run("two")]
    }

    #[test]
    fn the_overview_has_a_row_for_each_policy() {
        let all = measured();
        let text = overview(&all);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0], ["one", "two"]);
        assert_eq!(lines[2], ["lanes", "issues", "time", "lanes", "issues", "time"]);
        assert_eq!(lines[3], ["plain", "Rust", "1.00", "ms", "1.00", "ms"]);
        assert_eq!(lines.len(), 4 + all[0].runs.len());
        let usual = lines.iter().find(|line| line[0] == "Ipdom").unwrap();
        assert_eq!(usual[3..5], ["1.00", "x"], "{text}");
        // It fits on a screen.
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert_eq!(comparison(&all).lines().count(), 2 + 2 * (3 + all[0].runs.len()));
    }

    #[test]
    fn the_picture_has_what_was_measured() {
        let all = measured();
        let picture = picture(&all).unwrap();
        assert_eq!((picture.rows.len(), picture.columns.len()), (2, 1 + all[0].runs.len()));
        assert_eq!(picture.rows[1][1], format!("{:.4}", all[1].runs[0].report.simd_efficiency()));
    }

    #[test]
    fn bars_have_the_length_of_their_share() {
        assert_eq!(bar(0.0), "  0.0 % ");
        assert_eq!(bar(0.25), " 25.0 % ██▌");
        assert_eq!(bar(1.0), "100.0 % ██████████");
    }

    #[test]
    fn times_have_three_digits() {
        let texts = [12.34, 1.234, 0.1234, 0.0123, 0.00123].map(|s| duration(Duration::from_secs_f64(s)));
        assert_eq!(texts, ["12.3 s", "1.23 s", "123 ms", "12.3 ms", "1.23 ms"]);
    }
}
