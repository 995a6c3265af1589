//! The page that lists what launches have left.

use super::kept::{End, Kept, Launch};
use super::place::hashless;
use crate::shell::{Page, grouped};
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::path::Path;

/// By which an index is known to be one.
pub(super) const MADE_BY: &str = "<title>Launches of tests</title>";
const TITLE: &str = "Launches of tests";

const SCRIPT: &str = include_str!("index.js");

/// What the processes of an executable say.
struct Group<'k> {
    executable: &'k str,
    folder: String,
    /// When the last of them began.
    began: u64,
    kept: Vec<&'k Kept>,
}

/// The page, of what the files of processes say: those of an executable are in one folder.
pub(super) fn index<'k>(files: impl Iterator<Item = (&'k Path, &'k Result<Kept, String>)>) -> String {
    let (mut groups, mut wrong) = (BTreeMap::<String, Group<'_>>::new(), Vec::new());
    for (path, kept) in files {
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        match kept {
            Ok(kept) => {
                let group = groups.entry(folder.clone()).or_insert_with(|| Group {
                    executable: &kept.executable,
                    folder,
                    began: 0,
                    kept: Vec::new(),
                });
                group.began = group.began.max(kept.began);
                group.kept.push(kept);
            }
            Err(reason) => wrong.push((path.display().to_string(), reason)),
        }
    }
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.began));
    let body = html! {
        p.soft { (summary(&groups)) }
        @for group in groups.iter().filter(|group| group.kept.iter().any(|kept| !kept.launches.is_empty())) { (section(group)) }
        @for (path, reason) in wrong { p.note { (path) " cannot be read: " (reason) } }
    };
    Page { title: TITLE, links: &[], body, style: include_str!("index.css"), script: SCRIPT, data: &() }.html()
}

/// How much there is of what.
fn summary(groups: &[Group<'_>]) -> String {
    let kept = || groups.iter().flat_map(|group| &group.kept);
    let launches = || kept().flat_map(|kept| &kept.launches);
    let failed = launches().filter(|launch| launch.error.is_some()).count();
    let panicked: usize = kept().map(|kept| kept.panicked.len()).sum();
    let times = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{} {many}", grouped(count as f64)),
    };
    let without: u64 = kept().map(|kept| kept.without_page).sum();
    let mut text = format!(
        "{}; {} failed; {} panicked.",
        times(launches().count(), "launch", "launches"),
        grouped(failed as f64),
        times(panicked, "test", "tests"),
    );
    if without > 0 {
        let launches = times(without as usize, "launch", "launches");
        text += &format!(" There was no room for at least {launches} more.");
    }
    text
}

/// The launches of an executable.
fn section(group: &Group<'_>) -> Markup {
    let mut rows: Vec<(&Kept, &Launch)> =
        group.kept.iter().flat_map(|kept| kept.launches.iter().map(move |launch| (*kept, launch))).collect();
    rows.sort_by_key(|(kept, launch)| (kept.end(launch).rank(), &launch.test, launch.number, &launch.page));
    let name = hashless(group.executable);
    html! {
        h2 { (name) " " time.soft data-ms=(group.began) {} }
        div.scroll tabindex="0" role="region" aria-label=(format!("Launches of {name}")) {
            table.launches {
                thead {
                    tr {
                        th.text scope="col" { "Launch" }
                        th.text scope="col" { "Steps" }
                        th.text scope="col" { "What became of it" }
                        th.text scope="col" { "Test" }
                        th.text scope="col" { "Policy" }
                        th.text scope="col" { "Grid" }
                        th scope="col" { "SIMD efficiency" }
                    }
                }
                tbody { @for (kept, launch) in rows { (row(&group.folder, kept, launch)) } }
            }
        }
    }
}

fn row(folder: &str, kept: &Kept, launch: &Launch) -> Markup {
    let link = |file: &str| format!("{folder}/{file}");
    html! {
        tr {
            th.text scope="row" { a href=(link(&launch.page)) { (launch.kernel) } }
            td.text {
                @if let Some(steps) = &launch.steps {
                    a href=(link(steps)) aria-label=(format!("steps of {}, launch {} of {}", launch.kernel, launch.number, launch.test)) { "steps" }
                }
            }
            td.text {
                @match kept.end(launch) {
                    End::Failed(error) => span.down { (error) },
                    End::Panicked => span.down { "ended; then the test panicked" },
                    End::PanickedElsewhere => "ended; the test panicked elsewhere",
                    End::Ended => "ended",
                }
            }
            td.text { (launch.test) ", " (launch.number) }
            td.text { (launch.policy) }
            td.text { (launch.grid) }
            td { @match launch.efficiency { Some(efficiency) => (format!("{:.1} %", 100.0 * efficiency)), None => "–" } }
        }
    }
}
