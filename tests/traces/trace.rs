//! A trace as text, and what each lane did in it.

use simt::core::code::{Code, Inst, Pc};
use simt::{Issue, WarpId};

/// One line for each run of consecutive addresses that the same lanes issued: `@3-5 1110`, and beside it the instruction
/// that ends the run.
pub(crate) fn lines(issues: &[Issue], code: &Code, width: usize) -> String {
    let mut text = String::new();
    let mut warp = None;
    let warps: Vec<WarpId> = warps(issues);
    let mut rest = issues;
    while let Some(&first) = rest.first() {
        let ends = |pair: &[Issue]| {
            pair[1] != Issue { pc: pair[0].pc.next(), ..pair[0] } || code.inst(pair[0].pc).is_control()
        };
        let length = rest.windows(2).position(ends).map_or(rest.len(), |last| last + 1);
        if warps.len() > 1 && warp != Some(first.warp) {
            text += &format!("  block {}, warp {}\n", first.warp.block, first.warp.warp);
            warp = Some(first.warp);
        }
        let last = rest[length - 1].pc;
        let range = if last == first.pc { last.to_string() } else { format!("{}-{}", first.pc, last.0) };
        text += &format!("  {range:<7} {}  {}\n", first.mask.digits(width), squeezed(&code.instruction(last)));
        rest = &rest[length..];
    }
    text
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

/// The warps that issued, in the order in which they ran.
pub(crate) fn warps(issues: &[Issue]) -> Vec<WarpId> {
    let mut warps: Vec<WarpId> = issues.iter().map(|issue| issue.warp).collect();
    warps.dedup();
    warps
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// For each lane of a warp the addresses that it executed, in order.
pub(crate) fn paths(issues: &[Issue], warp: WarpId, width: usize) -> Vec<Vec<Pc>> {
    let of_lane = |lane| {
        let of_warp = issues.iter().filter(|issue| issue.warp == warp);
        of_warp.filter(|issue| issue.mask.contains(lane)).map(|issue| issue.pc).collect()
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

/// Branches in a trace, and those that sent lanes more than one way, from where each lane went next.
pub(crate) fn branches(issues: &[Issue], code: &Code, width: usize) -> (u64, u64) {
    let (mut branches, mut diverged) = (0, 0);
    for (number, issue) in issues.iter().enumerate() {
        match code.inst(issue.pc) {
            Inst::Branch { .. } => {
                branches += 1;
                let lanes = (0..width).filter(|&lane| issue.mask.contains(lane));
                let mut ways: Vec<_> = lanes.map(|lane| next(issues, number, lane).map(|later| later.pc)).collect();
                ways.sort_unstable();
                ways.dedup();
                assert!(ways.len() <= 2, "a branch has two ways");
                diverged += u64::from(ways.len() == 2);
            }
            Inst::Indirect { .. } => {
                branches += 1;
                // Those that go another way have come along, and execute it again.
                let came = |lane| issues[..number].iter().rposition(|e| e.warp == issue.warp && e.mask.contains(lane));
                let with = issue.mask.lanes().find_map(came);
                let again = |lane: usize| next(issues, number, lane).is_some_and(|later| later.pc == issue.pc);
                let stays = |lane: usize| !issue.mask.contains(lane) && came(lane) == with && again(lane);
                diverged += u64::from((0..width).any(stays));
            }
            _ => {}
        }
    }
    (branches, diverged)
}

/// What a lane issued next.
fn next(issues: &[Issue], number: usize, lane: usize) -> Option<&Issue> {
    let warp = issues[number].warp;
    issues[number + 1..].iter().find(|later| later.warp == warp && later.mask.contains(lane))
}
