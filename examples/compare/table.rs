//! The table of results: an algorithm's runs under each other.

use std::time::Duration;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use crate::workload::{Measured, Run, grouped};

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

/// The meaning of the figures, and the largest difference between policies.
pub(crate) fn reading(all: &[Measured]) -> String {
    let mut text =
        "SIMD efficiency is the share of a warp's lanes that work, averaged over all issues: the same work in\n\
                    fewer issues keeps more lanes busy. Markers are the extra instructions that a policy needs to\n\
                    reconverge. `vs Rust` is the time as a multiple of plain Rust's, on one thread like all others.\n\
                    All results are equal to plain Rust's."
            .to_owned();
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
