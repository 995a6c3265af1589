//! Rules 6 and 7: a second barrier, where paths meet before the post-dominator.

use super::place::region;
use super::{Barrier, Point};
use crate::analysis::{Divergence, FlowGraph, Loop, joins};
use crate::code::Code;

/// Adds the early barriers.
pub(super) fn add(code: &Code, graph: &FlowGraph, divergence: &Divergence, barriers: &mut Vec<Barrier>) {
    // Besides those of the post-dominators: before loops in which the lanes of an outer barrier part.
    let mut points: Vec<(Point, usize)> = barriers.iter().map(|b| (b.point, b.join)).collect();
    for l in &graph.loops {
        let leaves = |&block: &usize| {
            let goes = || graph.successors[block].iter().any(|&next| !l.contains[next]);
            l.contains[block] && divergence.branches[block] && goes()
        };
        let point = Point::Loop(l.header);
        if !graph.irreducible[l.header]
            && graph.order.iter().any(leaves)
            && !points.iter().any(|&(known, _)| known == point)
            && let Some(outer) = barriers.iter().filter(|b| b.region[l.header]).min_by_key(|b| size(&b.region))
        {
            points.push((point, outer.join));
        }
    }
    points.sort_unstable();
    points.dedup();
    for (point, join) in points {
        let taken: Vec<usize> = barriers.iter().map(|b| b.join).collect();
        let candidates = candidates(graph, divergence, point, join, &taken);
        let mut found: Vec<Barrier> = Vec::new();
        for &(early, at) in &candidates {
            // The last places are meant: those that lead to no other.
            let onward = graph.reachable(graph.successors[early].iter().copied(), |block| block == join);
            let is_last = candidates.iter().all(|&(other, _)| other == early || !onward[other]);
            if is_last {
                found.push(Barrier::new(code, graph, point, early, at));
            }
        }
        let closed = found.into_iter().filter(|b| b.is_closed(graph));
        barriers.extend(closed.min_by_key(|b| (b.breaks.len(), b.join)));
    }
    let joins: Vec<usize> = barriers.iter().map(|b| b.join).collect();
    barriers.iter_mut().for_each(|b| b.find_breaks(code, graph, &joins));
}

fn size(region: &[bool]) -> usize {
    region.iter().filter(|&&inside| inside).count()
}

/// Where lanes that part behind the point may meet before the join, and where they part.
fn candidates(
    graph: &FlowGraph,
    divergence: &Divergence,
    point: Point,
    join: usize,
    taken: &[usize],
) -> Vec<(usize, usize)> {
    let inside = region(graph, point, join);
    // Only branches that the point stands for: a loop's exits, or the first branch behind.
    let left = match point {
        Point::Loop(header) => graph.loops.iter().find(|l| l.header == header),
        Point::Tail(_) => None,
    };
    let leaves = |l: &Loop, at: usize| l.contains[at] && graph.successors[at].iter().any(|&next| !l.contains[next]);
    let parts = |at: usize| left.map_or(point == Point::Tail(at), |l| leaves(l, at));
    let around = |block: usize| graph.loops_around(block).map(|l| l.header).collect::<Vec<_>>();
    let outer: Vec<usize> = match left {
        Some(l) => around(l.header).into_iter().filter(|&header| header != l.header).collect(),
        None => around(point.block()),
    };
    let mut found: Vec<(usize, usize)> = Vec::new();
    for at in graph.order.iter().copied().filter(|&at| divergence.branches[at] && parts(at)) {
        let meets = joins(graph, at);
        for block in (0..inside.len()).filter(|&block| inside[block] && around(block) == outer) {
            let is_new = !taken.contains(&block) && !found.iter().any(|&(known, _)| known == block);
            let is_outside = left.is_none_or(|l| !l.contains[block]);
            let entered = graph.predecessors[block].iter().filter(|&&from| inside[from] || point == Point::Tail(from));
            let paths_meet = meets[block] && entered.count() > 1;
            // A loop that is tested first has two ways out of the test: before the first iteration, and behind others.
            let behind_test = point == Point::Loop(at) && graph.successors[at].contains(&block);
            if is_new && is_outside && (paths_meet || behind_test) {
                found.push((block, at));
            }
        }
    }
    found
}
