//! The page of one launch or several: figures side by side, the source with heat by line, pictures, the graph, the limits.

mod findings;
mod graph;
mod limits;
mod lines;
mod overview;
mod summary;

pub use overview::{Chapter, overview};

use crate::shell::{Link, Page};
use crate::{Picture, PictureError, Run};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use std::collections::BTreeMap;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The data of the page's script.
#[derive(Serialize)]
struct Data<'d> {
    /// The version of these data.
    version: u32,
    runs: Vec<&'d str>,
    source: lines::Source,
}

/// One HTML file that shows launches side by side: of one kernel under several policies, on several machines, or in several
/// versions. It needs no other file and no network.
///
/// Everything in it that comes from kernels is text. Of a source with very many lines those are left out that were issued least
/// often, so that the page stays below [`PAGE_LIMIT`].
pub fn page(title: &str, runs: &[Run]) -> String {
    page_beside(title, &[], runs)
}

/// The same, beside other files.
pub(crate) fn page_beside(title: &str, links: &[Link<'_>], runs: &[Run]) -> String {
    let source = lines::source(runs);
    let body = html! {
        p.soft { (described(runs)) }
        (findings::findings(runs))
        (errors(runs))
        h2 #source { "Source" }
        (lines::section(runs, &source))
        @if runs.iter().any(|run| run.report().is_some()) {
            h2 #figures { "Figures" }
            (summary::table(runs))
            h2 #lanes { "Active lanes" }
            (figure(Picture::histogram(runs)))
        }
        @if runs.iter().any(|run| run.report().is_some_and(|report| report.clock().is_some())) {
            h2 #cycles { "Where cycles went" }
            div.beside {
                (figure(Picture::cycles(runs)))
                (figure(Picture::issue_slots(runs)))
            }
            h2 #limits { "Memory and the machine’s limits" }
            (limits::section(runs))
        }
        (graph::section(runs))
        (said(runs))
    };
    let data = Data { version: 1, runs: runs.iter().map(|run| &*run.name).collect(), source };
    Page { title, links, body, style: STYLE, script: SCRIPT, data: &data }.html()
}

/// The most bytes that a page of up to eight runs has, whatever the kernel.
pub const PAGE_LIMIT: usize = 20 << 20;

/// What the page is of, in a sentence.
fn described(runs: &[Run]) -> String {
    let mut kernels: Vec<&str> = runs.iter().map(Run::kernel).collect();
    kernels.sort_unstable();
    kernels.dedup();
    let width = runs.first().map_or(0, |run| run.machine.warp_width);
    let launches = if runs.len() == 1 { "One launch".to_string() } else { format!("{} launches", runs.len()) };
    format!("{launches} of {}, warps of {width} lanes.", kernels.join(", "))
}

/// A picture with its data behind it.
fn figure(picture: Result<Picture, PictureError>) -> Markup {
    let picture = match picture {
        Ok(picture) => picture,
        Err(error) => return html! { p.note { (error) } },
    };
    html! {
        figure {
            div role="img" aria-label=(picture.title) { (PreEscaped(&picture.svg)) }
            figcaption { (picture.title) }
            details {
                summary { "The same as a table" }
                div.scroll tabindex="0" role="group" aria-label=(format!("{}, as a table", picture.title)) {
                    table {
                        thead { tr { @for column in &picture.columns { th scope="col" { (column) } } } }
                        tbody { @for row in &picture.rows { tr { @for cell in row { td { (cell) } } } } }
                    }
                }
            }
        }
    }
}

/// What went wrong.
fn errors(runs: &[Run]) -> Markup {
    html! {
        @for run in runs {
            @if let Err(error) = &run.outcome {
                h2 { "Error under " (run.name) }
                pre.error { (error) }
            }
        }
    }
}

/// What threads printed.
fn said(runs: &[Run]) -> Markup {
    let mut prints: BTreeMap<&[String], Vec<&str>> = BTreeMap::new();
    for run in runs {
        if let Some(report) = run.report().filter(|report| !report.prints().is_empty()) {
            prints.entry(report.prints()).or_default().push(&run.name);
        }
    }
    let most = 1000;
    html! {
        @for (lines, names) in prints {
            h2 { "Printed under " (names.join(", ")) }
            pre.printed { @for line in lines.iter().take(most) { (line) "\n" } }
            @if lines.len() > most { p.note { (lines.len() - most) " more lines are left out." } }
        }
    }
}
