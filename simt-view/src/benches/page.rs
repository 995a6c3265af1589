//! The page of benches over their baselines.

use super::read::{Bench, Measured};
use crate::picture::{Picture, Points};
use crate::shell::{Page, grouped};
use maud::{Markup, PreEscaped, html};

/// A figure of reports: name, heading, and how a value is written.
type Column = (&'static str, &'static str, fn(f64) -> String);

/// The figures that a table shows.
const FIGURES: [Column; 5] = [
    ("simd_efficiency", "SIMD efficiency", |value| format!("{:.1} %", 100.0 * value)),
    ("issues", "Issues", grouped),
    ("diverged_branches", "Diverged branches", grouped),
    ("clock.cycles", "Cycles", grouped),
    ("clock.ipc", "IPC", |value| format!("{value:.2}")),
];

/// The most benches whose measurements are drawn: a page with more is long enough.
const DRAWN: usize = 100;

/// One HTML file that shows benches over their baselines: how long each took, with its confidence interval, and the SIMD
/// efficiency and other figures of the reports that it has left.
pub fn page(title: &str, benches: &[Bench]) -> String {
    let mut groups: Vec<(&str, Vec<(usize, &Bench)>)> = Vec::new();
    for (number, bench) in benches.iter().enumerate() {
        match groups.last_mut().filter(|(group, _)| *group == bench.group) {
            Some((_, list)) => list.push((number, bench)),
            None => groups.push((&bench.group, vec![(number, bench)])),
        }
    }
    let body = html! {
        p.soft {
            "What criterion has measured, by baseline: those first that were measured first. Times are as criterion takes them by default, in nanoseconds; a bench may measure something else. "
            "A change is marked if the confidence intervals do not meet."
        }
        @if benches.len() > DRAWN { p.note { "Of " (benches.len()) " benches the first " (DRAWN) " are drawn." } }
        @for (group, benches) in &groups {
            h2 { (group) }
            @for (number, bench) in benches {
                @if !bench.name.is_empty() { h3 { (bench.name) } }
                div.bench {
                    @if *number < DRAWN { (figure(bench)) }
                    (table(bench))
                }
            }
        }
    };
    Page { title, links: &[], body, style: include_str!("page.css"), script: "", data: &() }.html()
}

fn full_name(bench: &Bench) -> String {
    if bench.name.is_empty() { bench.group.clone() } else { format!("{}, {}", bench.group, bench.name) }
}

/// What is measured, and the SIMD efficiency if there are reports, over the baselines.
fn figure(bench: &Bench) -> Markup {
    let names: Vec<String> = bench.baselines.iter().map(|measured| measured.baseline.clone()).collect();
    let most = bench.baselines.iter().map(|measured| measured.high).fold(0.0, f64::max);
    let (factor, unit) = scale(most);
    let measured = bench.baselines.iter().map(|one| Some([one.low, one.value, one.high].map(|value| value * factor)));
    let efficiency = |measured: &Measured| Some([100.0 * *measured.figures.as_ref()?.get("simd_efficiency")?; 3]);
    let efficiency: Vec<_> = bench.baselines.iter().map(efficiency).collect();
    let mut points = vec![Points { unit: unit.to_string(), top: None, values: measured.collect() }];
    if efficiency.iter().any(Option::is_some) {
        points.push(Points { unit: "SIMD efficiency in %".to_string(), top: Some(100.0), values: efficiency });
    }
    match Picture::over(&format!("{} over baselines", full_name(bench)), &names, &points) {
        // Its table follows.
        Ok(picture) => html! { figure { div role="img" aria-label=(picture.title) { (PreEscaped(picture.svg)) } } },
        Err(error) => html! { p.note { (error) } },
    }
}

/// By what a time in nanoseconds is multiplied for people, and the unit that it has then.
fn scale(nanoseconds: f64) -> (f64, &'static str) {
    match nanoseconds {
        ..1e3 => (1.0, "ns"),
        ..1e6 => (1e-3, "µs"),
        ..1e9 => (1e-6, "ms"),
        _ => (1e-9, "s"),
    }
}

fn time(nanoseconds: f64) -> String {
    let (factor, unit) = scale(nanoseconds);
    format!("{:.4} {unit}", nanoseconds * factor)
}

fn table(bench: &Bench) -> Markup {
    let value = |measured: &Measured, name: &str| measured.figures.as_ref()?.get(name).copied();
    let figures: Vec<_> =
        FIGURES.iter().filter(|(name, ..)| bench.baselines.iter().any(|one| value(one, name).is_some())).collect();
    let before = std::iter::once(None).chain(bench.baselines.iter().map(Some));
    html! {
        div.scroll tabindex="0" role="region" aria-label=(format!("{}, as a table", full_name(bench))) {
            table {
                thead {
                    tr {
                        th.text scope="col" { "Baseline" }
                        th scope="col" { "Measured" }
                        th scope="col" { "Confidence interval" }
                        th scope="col" { "Change" }
                        @for (_, heading, _) in &figures { th scope="col" { (heading) } }
                    }
                }
                tbody {
                    @for (measured, before) in bench.baselines.iter().zip(before) {
                        tr {
                            th.text scope="row" { (measured.baseline) }
                            td { (time(measured.value)) }
                            td { (time(measured.low)) " to " (time(measured.high)) }
                            td { @match before { Some(before) => (change(before, measured)), None => span.soft { "–" } } }
                            @for (name, _, shown) in &figures {
                                td { @match value(measured, name) { Some(value) => (shown(value)), None => span.soft { "–" } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// How much more or less it is than before: marked if the intervals do not meet.
fn change(before: &Measured, now: &Measured) -> Markup {
    let by = 100.0 * (now.value / before.value - 1.0);
    let text = signed(by);
    match (now.low > before.high, now.high < before.low) {
        (true, _) => html! { span.down { "▲ " (text) } },
        (_, true) => html! { span.up { "▼ " (text) } },
        _ => html! { span.soft { (text) } },
    }
}

/// A change with its sign; one that is shown as zero has none.
fn signed(percent: f64) -> String {
    match format!("{percent:+.1} %") {
        text if text == "-0.0 %" || text == "+0.0 %" => "0.0 %".to_string(),
        text => text.replace('-', "−"),
    }
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!([-0.04, 0.04, -0.06, 2.0].map(signed), ["0.0 %", "0.0 %", "−0.1 %", "+2.0 %"]);
    }
}
