//! The stepper: recorded warps or blocks, issue by issue, two side by side.

use crate::Run;
use crate::recording::file_json as json;
use crate::recording::{Failed, InstructionKind, Lanes, Recording, State, Step, Track};
use crate::shell::{Link, Page, words};
use maud::{Markup, html};
use serde::Serialize;

const STYLE: &str = include_str!("stepper.css");
const SCRIPT: &str = include_str!("stepper.js");

/// The bytes that the recordings on a page may take together.
const ROOM: usize = 15 << 20;

/// Instructions that are shown around those that were issued.
const AROUND: usize = 12;

/// The data of the page's script.
#[derive(Serialize)]
struct Data<'d> {
    /// The version of these data.
    version: u32,
    sides: Vec<Side<'d>>,
}

/// A run that can be stepped through.
#[derive(Serialize)]
struct Side<'d> {
    name: &'d str,
    policy: &'d str,
    width: usize,
    /// What the launch has ended with, if it has failed.
    error: Option<&'d str>,
    /// Address, text, kind, number of the line and its text, of the instructions that are shown.
    code: Vec<(u32, &'d str, InstructionKind, u32, &'d str)>,
    tracks: &'d [Track],
    lanes: &'d [Lanes],
    states: &'d [State],
    steps: &'d [Step],
    /// Issues that are not on the page.
    left_out: u64,
    /// Where the launch failed: its track, and the step, if it is shown.
    failed: Option<(u32, Option<u32>)>,
}

/// One HTML file in which recorded launches can be stepped through, two at a time: the code with the current line, which lanes
/// are on, where the others are and what they wait for, what the policy holds. It needs no other file and no network, and a
/// link to it may end with `#step=17`.
///
/// Runs without a recording are not shown. Of long recordings the first issues are, so that the page stays below
/// [`PAGE_LIMIT`](crate::PAGE_LIMIT).
pub fn stepper(title: &str, runs: &[Run]) -> String {
    stepper_with(title, "", runs)
}

/// The same, with a text above the steps that says what to look at.
pub fn stepper_with(title: &str, text: &str, runs: &[Run]) -> String {
    stepper_beside(title, &[], text, runs)
}

/// The same, beside other files.
pub(crate) fn stepper_beside(title: &str, links: &[Link<'_>], text: &str, runs: &[Run]) -> String {
    let recorded = runs.iter().filter(|run| run.recording.is_some()).count().max(1);
    let sides = runs.iter().filter_map(|run| Some(side(run, run.recording.as_ref()?, ROOM / recorded))).collect();
    let data = Data { version: 1, sides };
    let body = body(text, &data);
    Page { title, links, body, style: STYLE, script: SCRIPT, data: &data }.html()
}

fn side<'d>(run: &'d Run, recording: &'d Recording, room: usize) -> Side<'d> {
    let Recording { header, tracks, lanes, states, .. } = recording;
    let steps = &recording.steps[..fitting(recording, room)];
    let shown: u64 = steps.iter().map(|step| u64::from(step.instructions)).sum();
    Side {
        name: &run.name,
        policy: &header.policy,
        width: header.warp_width,
        error: run.outcome.as_ref().err().map(String::as_str),
        code: code(recording, steps),
        tracks,
        // They are numbered in the order of the steps, and so those of the last steps are the last.
        lanes: &lanes[..steps.iter().map(|step| step.lanes as usize + 1).max().unwrap_or(0)],
        states: if steps.len() == recording.steps.len() {
            states
        } else {
            &states[..steps.iter().map(|step| step.state as usize + 1).max().unwrap_or(0)]
        },
        steps,
        left_out: (header.kept - shown).saturating_add(header.dropped),
        failed: header.failed.map(|Failed { track, step }| (track, step.filter(|&step| (step as usize) < steps.len()))),
    }
}

/// How many steps fit into so many bytes, with the states that they are the first to have.
fn fitting(recording: &Recording, mut room: usize) -> usize {
    let (mut lanes, mut states) = (0, 0);
    for (number, step) in recording.steps.iter().enumerate() {
        let mut bytes = json(step).len() + 1;
        while lanes <= step.lanes as usize {
            bytes += json(&recording.lanes[lanes]).len() + 1;
            lanes += 1;
        }
        while states <= step.state as usize {
            bytes += json(&recording.states[states]).len() + 1;
            states += 1;
        }
        if bytes > room {
            return number;
        }
        room -= bytes;
    }
    recording.steps.len()
}

/// The instructions that were issued, and those around them.
fn code<'d>(recording: &'d Recording, steps: &[Step]) -> Vec<(u32, &'d str, InstructionKind, u32, &'d str)> {
    let listing = &recording.listing;
    let mut shown = vec![false; listing.instructions.len()];
    let mut seen = std::collections::HashSet::new();
    for step in steps.iter().filter(|step| seen.insert((step.at, step.instructions))) {
        let (begin, end) = (step.at as usize, (step.at + step.instructions) as usize);
        shown[begin.saturating_sub(AROUND)..(end + AROUND).min(listing.instructions.len())].fill(true);
    }
    // Each text is split into lines once.
    let texts: Vec<Vec<&str>> = listing.sources.iter().map(|source| source.text.lines().collect()).collect();
    let line = |source: u32, line: u32| {
        let first = listing.sources[source as usize].first_line;
        let text = line.checked_sub(first).and_then(|line| texts[source as usize].get(line as usize));
        text.map_or("", |text| text.trim())
    };
    let of = |(pc, instruction): (usize, &'d crate::recording::Instruction)| {
        let text = line(instruction.source, instruction.line);
        (pc as u32, &*instruction.text, instruction.kind, instruction.line, text)
    };
    listing.instructions.iter().enumerate().filter(|(pc, _)| shown[*pc]).map(of).collect()
}

/// What stands on the page: the script fills it.
fn body(text: &str, data: &Data<'_>) -> Markup {
    html! {
        @for part in text.split("\n\n").filter(|part| !part.is_empty()) { p { (words(part)) } }
        @if data.sides.is_empty() {
            p.note { "Nothing was recorded." }
        } @else {
            div.bar role="group" aria-label="Steps" {
                button #first type="button" title="Home" { "« first" }
                button #back type="button" title="left arrow" { "‹ back" }
                button #next type="button" title="right arrow" { "next ›" }
                button #last type="button" title="End" { "last »" }
                button #divergence type="button" title="d; backwards with Shift" { "next divergence" }
                button #meeting type="button" title="r; backwards with Shift" { "next reconvergence" }
                button #barrier type="button" title="b; backwards with Shift" { "next barrier" }
                label { "find " input #find type="search" placeholder="text of an instruction" title="Enter finds the next"; }
            }
            label.slider { span #where { "step 0" } input #step type="range" min="0" value="0" aria-label="Step"; }
            div #sides {}
            p.soft #status role="status" aria-live="polite" {}
            details {
                summary { "How to read it" }
                p {
                    "A step is one instruction issued for one group of lanes. What is shown is the moment before it: the marked line is about to be issued for the lanes that are on. "
                    "Both sides are at the step of the same number. What the policy holds changes where lanes part, meet or jump: a row of it is marked that was not there one step before. Of lanes in digits, lane 0 is the leftmost. A grey lane has its own place, which is named below; an empty one has ended. "
                    "Keys: arrows, Home and End step; d, r and b go to the next divergence, reconvergence and barrier, with Shift to the one before."
                }
            }
        }
    }
}
