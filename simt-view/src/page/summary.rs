//! The figures of the runs, side by side, with their names in Nsight Compute.

use crate::Run;
use crate::shell::grouped;
use maud::{Markup, html};
use simt_runtime::figures::{Better, FIGURES, FigureName, Unit};

/// The runs that fit on paper.
const ON_PAPER: usize = 4;

/// Relative differences below this are no differences, nor are differences of shares below it.
const SAME: f64 = 0.0005;

/// A table: a row for each figure that a run has, a column for each run. Differences to the first run are marked.
pub(super) fn table(runs: &[Run]) -> Markup {
    let rows = FIGURES.iter().map(|figure| {
        (figure, runs.iter().map(|run| run.report().and_then(|report| figure.of(report))).collect::<Vec<_>>())
    });
    let rows: Vec<_> = rows.filter(|(_, values)| values.iter().flatten().any(|&value| value != 0.0)).collect();
    html! {
        div.scroll tabindex="0" role="group" aria-label="Figures of the runs" {
            table.figures {
                @if runs.len() > 1 {
                    caption { "▲ and ▼ are differences to " (runs[0].name) ": green is better." }
                }
                thead {
                    tr {
                        th.text scope="col" { "Figure" }
                        th.text scope="col" { "Nsight Compute" }
                        @for (number, run) in runs.iter().enumerate() { th scope="col" class=[beyond(number)] { (breakable(&run.name)) } }
                    }
                }
                tbody {
                    @for (figure, values) in &rows {
                        tr {
                            th.text scope="row" title=(figure.meaning) { (label(figure.name)) span.soft.meaning { (figure.meaning) } }
                            td.text.counter { @match figure.nvidia { Some(counter) => code { (counter) }, None => span.soft { "none" } } }
                            @for (number, value) in values.iter().enumerate() {
                                td class=[beyond(number)] { (cell(figure, *value, values[0])) }
                            }
                        }
                    }
                }
            }
        }
        @if runs.len() > ON_PAPER { p.note.on-paper { "Printed are the first " (ON_PAPER) " runs." } }
        (policy_figures(runs))
    }
}

/// What marks cells of runs that are not printed.
fn beyond(number: usize) -> Option<&'static str> {
    (number >= ON_PAPER).then_some("beyond")
}

/// A name that a narrow column may break in front of its bracket.
fn breakable(name: &str) -> Markup {
    let (before, rest) = name.split_at(name.find('<').unwrap_or(name.len()));
    html! { (before) wbr; (rest) }
}

/// The name of a figure as words.
fn label(name: &str) -> String {
    let name = name.trim_start_matches("clock.").replace("memory.", "").replace('.', ": ").replace('_', " ");
    let upper = ["simd", "ipc", "l1", "l2", "dram"];
    upper.iter().fold(
        name,
        |name, word| if name.starts_with(word) { name.replacen(word, &word.to_uppercase(), 1) } else { name },
    )
}

fn cell(figure: &FigureName, value: Option<f64>, first: Option<f64>) -> Markup {
    let Some(value) = value else { return html! { span.soft { "–" } } };
    let differs = |first: f64| {
        let by = if figure.unit == Unit::Fraction { (value - first).abs() } else { (value / first - 1.0).abs() };
        first != 0.0 && by >= SAME
    };
    let change = first.filter(|&first| differs(first)).map(|first| value / first - 1.0);
    html! {
        (shown(figure.unit, value))
        @if let Some(change) = change {
            @let good = figure.better.map(|better| (better == Better::Higher) == (change > 0.0));
            @let class = match good { Some(true) => "up", Some(false) => "down", None => "soft" };
            " " span class=(format!("change {class}")) { (if change > 0.0 { "▲" } else { "▼" }) (format!("{:.1} %", 100.0 * change.abs())) }
        }
    }
}

/// A value with its unit.
pub(super) fn shown(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Count | Unit::Cycles => grouped(value),
        Unit::Fraction => format!("{:.1} %", 100.0 * value),
        Unit::Ratio => format!("{value:.2}"),
        Unit::Bytes => format!("{} B", grouped(value)),
    }
}

/// What the policies have counted themselves.
fn policy_figures(runs: &[Run]) -> Markup {
    let mut names: Vec<&str> = Vec::new();
    for figure in runs.iter().filter_map(Run::report).flat_map(|report| report.policy_figures()) {
        if !names.contains(&&*figure.name) {
            names.push(&figure.name);
        }
    }
    let value = |run: &Run, name: &str| {
        let figures = run.report()?.policy_figures();
        figures.iter().find(|figure| figure.name == name).map(|figure| grouped(figure.value as f64))
    };
    let of = "Figures that policies count themselves";
    html! {
        @if !names.is_empty() {
            details {
                summary { (of) }
                div.scroll tabindex="0" role="group" aria-label=(of) {
                    table.figures {
                        thead { tr { th.text scope="col" { "Figure" } @for (number, run) in runs.iter().enumerate() { th scope="col" class=[beyond(number)] { (breakable(&run.name)) } } } }
                        tbody {
                            @for name in names {
                                tr {
                                    th.text scope="row" { (name) }
                                    @for (number, run) in runs.iter().enumerate() { td class=[beyond(number)] { (value(run, name).unwrap_or("–".into())) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
