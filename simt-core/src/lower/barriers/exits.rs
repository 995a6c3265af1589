//! Which of a loop's exits its lanes meet at: by where they leave, and by how much comes behind.

use super::insts;
use super::place::{lands, only_jumps};
use super::ways::Ways;
use crate::analysis::{Divergence, Loop};
use crate::code::{Code, Inst};
use crate::program::CollectiveOp;

/// How often a loop is taken to run.
const TURNS: usize = 100;

/// An edge out of a loop: from where, and where threads land.
pub(super) type Exit = (usize, usize);

/// A loop that lanes leave by a `return` with work, where they meet.
pub(super) struct Return {
    pub(super) exit: Exit,
    /// The edges on which the other lanes leave the loop for good.
    pub(super) left: Vec<(usize, usize)>,
}

/// The exits at the head and at the end of a loop that is tested at its end. One that is tested at its head counts as such a
/// loop: its test is copied before the loop and to its end, and what was tested next becomes the head.
pub(super) fn natural(code: &Code, graph: &Ways, l: &Loop) -> Vec<Exit> {
    let out = |at: usize| {
        let next = graph.successors[at].iter().filter(|&&next| !l.contains[next]);
        next.map(|&next| (at, lands(code, graph, next))).next()
    };
    let stays =
        |at: usize| graph.successors[at].iter().map(|&next| lands(code, graph, next)).find(|&next| l.contains[next]);
    let head = out(l.header);
    let tested_last =
        (0..l.contains.len()).filter(|&at| l.contains[at] && at != l.header && stays(at) == Some(l.header));
    let last = tested_last.filter_map(out).next();
    match (head, last) {
        (Some(_), None) => head.into_iter().chain(stays(l.header).and_then(out)).collect(),
        // Tested before the loop, too.
        (_, Some(exit)) => {
            let before = |from: usize| !l.contains[from] && graph.dominates(from, l.header);
            let is_tested = graph.predecessors[exit.1].iter().any(|&from| before(starts(code, graph, from)));
            Some(exit).filter(|_| is_tested).into_iter().chain(head).collect()
        }
        (None, None) => Vec::new(),
    }
}

/// From where threads come to a block that may only jump.
fn starts(code: &Code, graph: &Ways, block: usize) -> usize {
    match graph.predecessors[block][..] {
        [from] if only_jumps(code, graph, block) && from != block => from,
        _ => block,
    }
}

fn works(inst: &Inst) -> bool {
    !matches!(inst, Inst::Jump { .. } | Inst::Branch { .. } | Inst::Exit | Inst::Return) && !inst.is_marker()
}

/// How many instructions of a block do something.
pub(super) fn count(code: &Code, graph: &Ways, block: usize) -> usize {
    insts(code, graph, block).filter(|(_, inst)| works(inst)).count()
}

/// How many instructions come behind an exit before a block, or before the end, those of loops as often as [`TURNS`] says;
/// without bound if the way goes round a loop that the exit is in.
pub(super) fn size(code: &Code, graph: &Ways, (at, from): Exit, to: Option<usize>) -> usize {
    let behind = graph.reachable([from], |block| Some(block) == to);
    let comes = |block: usize| behind[block] && Some(block) != to;
    let inner = |l: &&Loop| to.is_none_or(|to| !l.contains[to]);
    if graph.loops_around(at).filter(inner).any(|l| comes(l.header)) {
        return usize::MAX;
    }
    let around = to.map_or(0, |to| graph.depths[to]);
    let blocks = (0..behind.len()).filter(|&block| comes(block));
    blocks.fold(0, |size: usize, block| {
        let depth = graph.depths[block].saturating_sub(around);
        let turns = TURNS.saturating_pow(u32::try_from(depth).unwrap_or(u32::MAX));
        size.saturating_add(count(code, graph, block).saturating_mul(turns))
    })
}

/// For each block its place in the order in which ptxas lays blocks out; what leaves a loop comes last.
pub(super) fn places(graph: &Ways) -> Vec<usize> {
    let depths = &graph.depths;
    let mut seen = vec![false; depths.len()];
    let mut places = vec![0; depths.len()];
    let mut left = depths.len();
    for &entry in &graph.entries {
        let mut stack = vec![(entry, 0)];
        if std::mem::replace(&mut seen[entry], true) {
            continue;
        }
        while let Some((block, number)) = stack.last_mut() {
            let mut next = graph.successors[*block].clone();
            next.sort_by_key(|&next| depths[next]);
            match next.get(*number) {
                Some(&next) => {
                    *number += 1;
                    if !std::mem::replace(&mut seen[next], true) {
                        stack.push((next, 0));
                    }
                }
                None => {
                    left -= 1;
                    places[*block] = left;
                    stack.pop();
                }
            }
        }
    }
    places
}

/// The first of the largest.
pub(super) fn largest(exits: impl Iterator<Item = Exit>, size: impl Fn(Exit) -> usize) -> Option<(usize, Exit)> {
    let mut best: Option<(usize, Exit)> = None;
    for exit in exits {
        let size = size(exit);
        if best.is_none_or(|(known, _)| size > known) {
            best = Some((size, exit));
        }
    }
    best
}

/// Whether a block may have an operation of lanes that waits for all others, by itself or by a call. One with a mask waits
/// for those that it names.
pub(super) fn is_collective(code: &Code, graph: &Ways, block: usize) -> bool {
    let waits =
        |inst: &Inst| matches!(inst, Inst::Collective { op, mask: None, .. } if *op != CollectiveOp::ActiveMask);
    insts(code, graph, block).any(|(_, inst)| match inst {
        Inst::Call { .. } => code.insts.iter().any(waits),
        inst => waits(inst),
    })
}

/// Whether threads that meet there only end.
pub(super) fn only_ends(code: &Code, graph: &Ways, block: usize) -> bool {
    matches!(insts(code, graph, block).next(), Some((_, Inst::Exit | Inst::Return)))
}

/// Rule 5: where lanes of a loop meet that leave it by `return`s with work, as far as they leave it by those alone or meet
/// there rather than where the others go.
fn meets_at_return(code: &Code, graph: &Ways, divergence: &Divergence, l: &Loop) -> Option<Return> {
    let at = graph.order.iter().copied().filter(|&at| l.contains[at] && graph.successors[at].len() > 1);
    let edges: Vec<(usize, usize)> = at
        .flat_map(|at| graph.successors[at].iter().map(move |&next| (at, next)))
        .filter(|&(_, next)| !l.contains[next])
        .collect();
    let (ends, goes_on): (Vec<_>, Vec<_>) = edges.into_iter().partition(|&(at, next)| graph.only_exits(at, next));
    let land = |edges: &[(usize, usize)]| -> Vec<Exit> {
        edges.iter().map(|&(at, next)| (at, lands(code, graph, next))).collect()
    };
    let works = |&(_, next): &Exit| !only_ends(code, graph, next);
    let returns: Vec<Exit> = land(&ends).into_iter().filter(works).collect();
    let others = land(&goes_on);
    let size = |exit: Exit| size(code, graph, exit, None);
    let chosen = match others.is_empty() {
        true => at_returns(code, graph, l, &returns, size),
        false => before_others(code, graph, l, (&returns, &others), size),
    };
    let Some(exit) = chosen else {
        let exit = others.into_iter().find(|exit| divergence.branches[exit.0] && works(exit));
        return exit.map(|exit| Return { exit, left: Vec::new() });
    };
    if !divergence.branches[exit.0] {
        return None;
    }
    // Lanes at a collective wait for all that have not ended, so these must be free to end.
    let part = if goes_on.is_empty() { l.contains.clone() } else { graph.reachable([l.header], |_| false) };
    let waits = |block: usize| {
        is_collective(code, graph, block)
            || !goes_on.is_empty() && insts(code, graph, block).any(|(_, inst)| matches!(inst, Inst::Barrier { .. }))
    };
    let votes = (0..part.len()).any(|block| part[block] && waits(block));
    (!votes).then_some(Return { exit, left: goes_on })
}

/// Of the `return`s of a loop that has no other exits.
fn at_returns(code: &Code, graph: &Ways, l: &Loop, returns: &[Exit], size: impl Fn(Exit) -> usize) -> Option<Exit> {
    let natural = natural(code, graph, l).into_iter().filter(|exit| returns.contains(exit));
    largest(natural, &size).or_else(|| largest(returns.iter().copied(), size)).map(|(_, exit)| exit)
}

/// A `return` that lanes meet at rather than where others go on behind the loop.
fn before_others(
    code: &Code,
    graph: &Ways,
    l: &Loop,
    (returns, others): (&[Exit], &[Exit]),
    size: impl Fn(Exit) -> usize,
) -> Option<Exit> {
    let is_bounded = |exit: &&Exit| size(**exit) < usize::MAX;
    if !others.iter().all(|exit| is_bounded(&exit)) {
        return None;
    }
    let all = || returns.iter().chain(others);
    let merge = merge(graph, others);
    let counts = |exit: &Exit| Some(exit.1) != merge && all().any(|other| other == exit);
    let natural: Vec<Exit> = natural(code, graph, l).into_iter().filter(counts).collect();
    if natural.iter().any(|exit| returns.contains(exit)) {
        let (largest, exit) = largest(natural.into_iter(), &size)?;
        let is_larger = merge.is_none_or(|merge| largest >= size((exit.0, merge)));
        return Some(exit).filter(|exit| is_larger && returns.contains(exit));
    }
    if !natural.is_empty() || merge.is_some() {
        return None;
    }
    let in_order = graph.order.iter().flat_map(|&at| all().filter(move |exit| exit.0 == at && is_bounded(exit)));
    largest(in_order.copied(), &size).map(|(_, exit)| exit).filter(|exit| returns.contains(exit))
}

/// Where the ways behind several exits come together, or the way behind one and another from elsewhere.
fn merge(graph: &Ways, exits: &[Exit]) -> Option<usize> {
    let again = exits.iter().enumerate().find(|(number, exit)| exits[..*number].iter().any(|other| other.1 == exit.1));
    let mut merges = vec![false; graph.successors.len()];
    again.into_iter().for_each(|(_, exit)| merges[exit.1] = true);
    for &(_, next) in exits {
        let tail = graph.reachable([next], |_| false);
        let ways = merges.iter_mut().zip(tail).enumerate();
        ways.for_each(|(block, (merges, comes))| *merges |= comes && !graph.dominates(next, block));
    }
    graph.order.iter().copied().find(|&block| merges[block])
}

/// For each loop the `return` at which its lanes meet, if there is one.
pub(super) fn returns(code: &Code, graph: &Ways, divergence: &Divergence) -> Vec<Option<Return>> {
    let found = |l: &Loop| meets_at_return(code, graph, divergence, l).filter(|_| !graph.irreducible[l.header]);
    graph.loops.iter().map(found).collect()
}
