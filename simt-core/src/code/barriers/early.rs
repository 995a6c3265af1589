//! Rules 6 and 7: a second barrier, where paths meet before the post-dominator.

use super::Barrier;
use super::place::{self, Barriers};
use crate::analysis::{Divergence, FlowGraph, Loop, joins};
use crate::code::Code;

/// Adds the early barriers.
pub(super) fn add(code: &Code, graph: &FlowGraph, divergence: &Divergence, barriers: &mut Barriers) {
    let mut taken: Vec<usize> = barriers.list.iter().map(|b| b.join).collect();
    for index in 0..barriers.list.len() {
        let candidates = candidates(code, graph, divergence, barriers, index, &taken);
        // The last places are meant: those that lead to no other.
        let is_last = |b: &&Barrier| {
            let onward = graph.reachable(graph.successors[b.join].iter().copied(), |block| block == barriers.list[index].join);
            candidates.iter().all(|other| other.join == b.join || !onward[other.join])
        };
        let last = candidates.iter().filter(is_last);
        if let Some(found) = last.min_by_key(|b| (b.breaks.len(), b.join)) {
            taken.push(found.join);
            barriers.list.push(found.clone());
        }
    }
    let joins: Vec<usize> = barriers.list.iter().map(|b| b.join).collect();
    barriers.list.iter_mut().for_each(|b| b.find_breaks(code, graph, &joins));
}

fn innermost(graph: &FlowGraph, block: usize) -> Option<&Loop> {
    graph.loops_around(block).last()
}

/// Barriers for lanes that part in an outer barrier and may meet before its join.
fn candidates(
    code: &Code,
    graph: &FlowGraph,
    divergence: &Divergence,
    barriers: &Barriers,
    outer: usize,
    taken: &[usize],
) -> Vec<Barrier> {
    let outer = &barriers.list[outer];
    let mut found: Vec<Barrier> = Vec::new();
    let parts = |&at: &usize| divergence.branches[at] && barriers.meets[at] == Some(outer.join) && outer.holds(at);
    for at in graph.order.iter().copied().filter(parts) {
        let meets = joins(graph, at);
        let around = innermost(graph, at);
        for block in (0..outer.region.len()).filter(|&block| outer.region[block]) {
            let entered = graph.predecessors[block].iter().filter(|&&from| outer.holds(from));
            let is_inside = innermost(graph, block).map(|l| l.header) == around.map(|l| l.header);
            let begins = around.is_some_and(|l| l.header == block);
            let paths_meet = is_inside && !begins && meets[block] && entered.count() > 1;
            let is_exit = around.is_some_and(|l| is_exit(graph, l, at, block, outer.join));
            if (paths_meet || is_exit)
                && !taken.contains(&block)
                && !found.iter().any(|known| known.join == block)
                && let Some(point) = place::point(graph, at, block)
            {
                found.push(Barrier::new(code, graph, point, block, at));
            }
        }
    }
    found.retain(|b| b.is_closed(graph) && !b.comes_again(graph));
    found
}

/// Whether a block is the only one to which a loop is left, but for the join.
fn is_exit(graph: &FlowGraph, l: &Loop, at: usize, block: usize, join: usize) -> bool {
    let leaves = |&from: &usize| l.contains[from];
    let exits = (0..l.contains.len()).filter(|&next| !l.contains[next] && graph.predecessors[next].iter().any(|from| leaves(from)));
    !l.contains[block] && graph.successors[at].contains(&block) && exits.into_iter().all(|next| next == block || next == join)
}
