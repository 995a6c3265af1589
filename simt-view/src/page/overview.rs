//! The page in front of several pages: of each kernel the line that loses most lanes, and under which run it loses fewer.

use super::findings::{Better, better, idle, name, worst};
use crate::Run;
use crate::shell::Page;
use maud::{Markup, html};
use simt_runtime::LineReport;

const STYLE: &str = include_str!("overview.css");

/// A page that an overview leads to.
#[derive(Clone, Copy, Debug)]
pub struct Chapter<'c> {
    /// The name of the page's file, which lies beside the overview.
    pub file: &'c str,
    /// What it is of.
    pub title: &'c str,
    /// The runs on it. The first is what the others are compared with.
    pub runs: &'c [Run],
}

/// What is to be said of a page: of its first run, the line that loses most lanes.
struct Row<'c> {
    chapter: &'c Chapter<'c>,
    line: &'c LineReport,
    /// The line's name on its page.
    name: String,
    /// The share of the launch's lanes that were idle in all lines, and in this one.
    all: f64,
    here: f64,
    /// Lanes that issue together, and how many of them are active in the line.
    lanes: usize,
    active: f64,
    /// The run that loses fewest lanes in the line, if it is another one.
    best: Option<Better<'c>>,
}

fn row<'c>(chapter: &'c Chapter<'c>) -> Option<Row<'c>> {
    let first = chapter.runs.first()?;
    let report = first.report()?;
    let (line, _) = worst(report)?;
    let lanes = report.lanes_per_issue();
    let slots = (report.lines().iter().map(|line| line.issues).sum::<u64>() * lanes as u64) as f64;
    Some(Row {
        chapter,
        line,
        name: name(report, line),
        all: report.lines().iter().map(|line| idle(lanes, line)).sum::<u64>() as f64 / slots,
        here: idle(lanes, line) as f64 / slots,
        lanes,
        active: line.mean_active_lanes(),
        best: better(chapter.runs, first, line),
    })
}

/// One HTML file that leads to the pages of several kernels, and says of each which line of it loses most lanes, and under which
/// of its runs that line loses fewer. The files of the pages are written by [`page`](crate::page), from the same runs.
pub fn overview(title: &str, text: &str, chapters: &[Chapter<'_>]) -> String {
    let mut rows: Vec<Row<'_>> = chapters.iter().filter_map(row).collect();
    rows.sort_by(|left, right| right.here.total_cmp(&left.here));
    let others = chapters.iter().filter(|chapter| row(chapter).is_none());
    let body = html! {
        @if !text.is_empty() { p { (text) } }
        @if let Some(first) = rows.first() {
            (sentence(first))
            // Where a policy can do something, it is said, too.
            @if let Some(helped) = most_helped(&rows).filter(|helped| helped.chapter.file != first.chapter.file) { (help(helped)) }
        }
        @if !rows.is_empty() { (table(&rows)) }
        ul.index { @for chapter in others { li { a href=(chapter.file) { (chapter.title) } p.soft { "No lane is ever idle, or the launch failed." } } } }
    };
    Page { title, links: &[], body, style: STYLE, script: "", data: &() }.html()
}

fn percent(share: f64) -> String {
    format!("{:.1}\u{a0}%", 100.0 * share)
}

/// The line that loses most of all.
fn sentence(row: &Row<'_>) -> Markup {
    let Row { chapter, line, name, here, lanes, active, best, .. } = row;
    html! {
        p.most {
            "Most lanes are lost in line " a href=(place(row)) { (name) } " of " strong { (chapter.title) } ", " code { (line.text) } ": under "
            strong { (chapter.runs[0].name) } " it leaves " (percent(*here)) " of all lanes of the launch idle, and has "
            (format!("{active:.1}")) " of " (lanes) " active. "
            @match best {
                Some(better) => { "Under " strong { (better.run.name) } " it has " (format!("{:.1}", better.lanes)) ", and " (better.cost()) "." }
                None => "Under no other run has it more, and the launch fewer issues.",
            }
        }
    }
}

/// The kernel to whose line another run than the first gives most lanes.
fn most_helped<'r, 'c>(rows: &'r [Row<'c>]) -> Option<&'r Row<'c>> {
    // The share of issues that are saved.
    let gained = |row: &Row<'_>| row.best.map_or(0.0, |better| 1.0 - better.issues);
    rows.iter().filter(|row| gained(row) > 0.01).max_by(|left, right| gained(left).total_cmp(&gained(right)))
}

fn help(row: &Row<'_>) -> Markup {
    html! {
        @if let Some(better) = row.best {
            p {
                "Another policy helps most in line " a href=(place(row)) { (row.name) } " of " strong { (row.chapter.title) } ": "
                (format!("{:.1}", better.lanes)) " lanes under " strong { (better.run.name) } " instead of " (format!("{:.1}", row.active)) ", and " (better.cost()) "."
            }
        }
    }
}

fn place(row: &Row<'_>) -> String {
    format!("{}#line-{}", row.chapter.file, row.name)
}

fn table(rows: &[Row<'_>]) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label="The line of each kernel that loses most lanes" {
            table.overview {
                caption { "Of each kernel the line that loses most lanes. Shares are of all lanes of the launch." }
                thead {
                    tr {
                        th.text scope="col" { "Kernel" }
                        th.text scope="col" { "Line" }
                        th scope="col" { "Idle in all" }
                        th scope="col" { "Idle in this line" }
                        th.text scope="col" { "Active lanes in this line" }
                        th.text scope="col" { "Better under" }
                    }
                }
                tbody {
                    @for row in rows {
                        @let Row { chapter, line, name, all, here, lanes, active, best } = row;
                        tr {
                            th.text scope="row" { a href=(chapter.file) { (chapter.title) } }
                            td.text.line { a href=(place(row)) { (name) } " " code { (line.text) } }
                            td { (percent(*all)) }
                            td { (percent(*here)) }
                            td.text { (bar(*active, *lanes)) (format!("{active:.1} of {lanes}")) span.soft.under { (chapter.runs[0].name) } }
                            td.text {
                                @match best {
                                    Some(Better { run, lanes: most, issues }) => { (bar(*most, *lanes)) (format!("{most:.1}")) span.soft.under { (run.name) ", " (format!("{issues:.2} × issues")) } }
                                    None => span.soft { "no other saves issues" },
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A bar as long as the share of lanes that are active. The number stands beside it.
fn bar(active: f64, lanes: usize) -> Markup {
    let share = 100.0 * (active / lanes.max(1) as f64).clamp(0.0, 1.0);
    html! { span.full aria-hidden="true" { span style=(format!("width:{share:.1}%")) {} } }
}
