//! A trace as text, and what each lane did in it.

use simt::core::code::{Code, Inst, Pc};
use simt::observe::{Issue, IssueTrace, WarpId};
use simt::policy::WarpPart;
use std::collections::BTreeSet;

/// One line for each run of consecutive addresses that the same lanes issued: `@3-5 1110`, and beside it the instruction
/// that ends the run.
///
/// Of threads of several warps that issue together, each lane shows the number of its thread's warp in place of a 1.
pub(crate) fn lines(trace: &IssueTrace, code: &Code, width: usize) -> String {
    let mut text = String::new();
    let issues = trace.issues();
    let regrouped = (0..issues.len()).any(|number| trace.parts(number).len() > 1);
    let (mut warp, several) = (None, warps(trace).len() > 1);
    let mut begin = 0;
    while let Some(&first) = issues.get(begin) {
        let ends = |&number: &usize| {
            let here = issues[number - 1];
            issues[number] != Issue { pc: here.pc.next(), ..here }
                || trace.parts(number) != trace.parts(number - 1)
                || code.inst(here.pc).is_control()
        };
        let end = (begin + 1..issues.len()).find(ends).unwrap_or(issues.len());
        // Of groups formed from several warps the block is enough.
        let place = WarpId { warp: if regrouped { 0 } else { first.warp.warp }, ..first.warp };
        if several && warp != Some(place) {
            let of_warp = if regrouped { String::new() } else { format!(", warp {}", place.warp) };
            text += &format!("  block {}{of_warp}\n", place.block);
            warp = Some(place);
        }
        let last = issues[end - 1].pc;
        let range = if last == first.pc { last.to_string() } else { format!("{}-{}", first.pc, last.0) };
        let lanes = if regrouped { by_warp(trace.parts(begin), width) } else { first.mask.digits(width) };
        text += &format!("  {range:<7} {lanes}  {}\n", squeezed(&code.instruction(last)));
        begin = end;
    }
    text
}

fn by_warp(parts: &[WarpPart], width: usize) -> String {
    let of_lane = |lane| parts.iter().find(|part| part.lanes.contains(lane));
    (0..width).map(|lane| of_lane(lane).map_or(".".to_string(), |part| part.warp.to_string())).collect()
}

/// A listing without line numbers, so that a snapshot does not change with what stands above its kernel.
pub(crate) fn without_line_numbers(code: &Code) -> String {
    let without = |line: &str| match line.split_once(" | ") {
        Some((left, source)) => {
            let instruction = left.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
            format!("{instruction:52} | {source}\n")
        }
        None => format!("{}\n", line.trim_end()),
    };
    code.to_string().lines().map(without).collect()
}

/// The warps whose threads issued.
pub(crate) fn warps(trace: &IssueTrace) -> Vec<WarpId> {
    let of_issue = |(number, issue): (usize, &Issue)| {
        let block = issue.warp.block;
        trace.parts(number).iter().map(move |part| WarpId { block, warp: part.warp })
    };
    let warps: BTreeSet<WarpId> = trace.issues().iter().enumerate().flat_map(of_issue).collect();
    warps.into_iter().collect()
}

/// Whether a thread takes part in an issue.
fn executes(trace: &IssueTrace, number: usize, warp: WarpId, lane: usize) -> bool {
    let issue = trace.issues()[number];
    issue.warp.block == warp.block
        && trace.parts(number).iter().any(|part| part.warp == warp.warp && part.lanes.contains(lane))
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// For each lane of a warp the addresses that it executed, in order.
pub(crate) fn paths(trace: &IssueTrace, warp: WarpId, width: usize) -> Vec<Vec<Pc>> {
    let of_lane = |lane| {
        let numbers = (0..trace.issues().len()).filter(|&number| executes(trace, number, warp, lane));
        numbers.map(|number| trace.issues()[number].pc).collect()
    };
    (0..width).map(of_lane).collect()
}

/// The same without markers, each address as the number of its instruction among those that are no markers: comparable
/// between families of markers.
pub(crate) fn program_path(path: &[Pc], code: &Code) -> Vec<usize> {
    let numbers: Vec<usize> = code
        .insts
        .iter()
        .scan(0, |number, inst| {
            let here = *number;
            *number += usize::from(!inst.is_marker());
            Some(here)
        })
        .collect();
    path.iter().filter(|&&pc| !code.inst(pc).is_marker()).map(|pc| numbers[pc.index()]).collect()
}

/// Branches in a trace, and those that sent threads more than one way, from where each thread went next.
pub(crate) fn branches(trace: &IssueTrace, code: &Code) -> (u64, u64) {
    let (mut branches, mut diverged) = (0, 0);
    for (number, issue) in trace.issues().iter().enumerate() {
        let block = issue.warp.block;
        let of_part = |part: &WarpPart| {
            let warp = WarpId { block, warp: part.warp };
            part.lanes.lanes().map(move |lane| (warp, lane)).collect::<Vec<_>>()
        };
        let threads: Vec<(WarpId, usize)> = trace.parts(number).iter().flat_map(of_part).collect();
        match code.inst(issue.pc) {
            Inst::Branch { .. } => {
                branches += 1;
                let mut ways: Vec<_> = threads.iter().map(|&thread| next(trace, number, thread)).collect();
                ways.sort_unstable();
                ways.dedup();
                assert!(ways.len() <= 2, "a branch has two ways");
                diverged += u64::from(ways.len() == 2);
            }
            Inst::Indirect { .. } => {
                branches += 1;
                // Those that go another way have come along, and execute it again.
                let came = |(warp, lane)| (0..number).rev().find(|&earlier| executes(trace, earlier, warp, lane));
                let with = threads.iter().find_map(|&thread| came(thread));
                let stays = |thread: (WarpId, usize)| {
                    !threads.contains(&thread) && came(thread) == with && next(trace, number, thread) == Some(issue.pc)
                };
                let of_block = warps(trace).into_iter().filter(|warp| warp.block == block);
                diverged += u64::from(of_block.flat_map(|warp| (0..64).map(move |lane| (warp, lane))).any(stays));
            }
            _ => {}
        }
    }
    (branches, diverged)
}

/// Where a thread goes next.
fn next(trace: &IssueTrace, number: usize, (warp, lane): (WarpId, usize)) -> Option<Pc> {
    let later = (number + 1..trace.issues().len()).find(|&later| executes(trace, later, warp, lane));
    later.map(|later| trace.issues()[later].pc)
}
