//! Rules 6 and 7: a second barrier, where paths meet before the post-dominator.

use super::place::{self, Barriers, lands, only_jumps};
use super::{Barrier, Point, loops};
use crate::analysis::{Divergence, FlowGraph, Loop, immediate_post_dominators, joins};
use crate::code::Code;

struct Finder<'a> {
    code: &'a Code,
    graph: &'a FlowGraph,
    divergence: &'a Divergence,
    /// By loop: where those meet that stay in it.
    stay: Vec<Vec<Option<usize>>>,
    /// The heads of loops that yield.
    yielding: Vec<usize>,
}

/// Adds the early barriers.
pub(super) fn add(code: &Code, graph: &FlowGraph, divergence: &Divergence, barriers: &mut Barriers) {
    let stay = graph.loops.iter().map(|l| meets_inside(graph, l)).collect();
    let yielding = loops::yielding(code, graph, divergence).into_iter().map(|l| l.header).collect();
    let finder = Finder { code, graph, divergence, stay, yielding };
    let mut taken: Vec<(usize, bool)> = barriers.list.iter().map(|b| finder.place(b.point.block(), b.join)).collect();
    for index in 0..barriers.list.len() {
        let candidates = finder.candidates(barriers, index, &taken);
        // The last places are meant: those that lead to no other.
        let is_last = |b: &&Barrier| {
            let behind = graph.successors[b.join].iter().copied();
            let onward = graph.reachable(behind, |block| block == barriers.list[index].join);
            candidates.iter().all(|other| other.join == b.join || !onward[other.join])
        };
        let found = candidates.iter().rev().filter(is_last).min_by_key(|b| b.breaks.len());
        if let Some(found) = found.cloned() {
            taken.push(finder.place(found.point.block(), found.join));
            barriers.list.push(found);
        }
    }
    let joins: Vec<usize> = barriers.list.iter().map(|b| b.join).collect();
    barriers.list.iter_mut().for_each(|b| b.find_breaks(graph, &joins));
}

/// For each block of a loop where those meet that go on from it and stay in the loop; the head if they meet on the way back.
fn meets_inside(graph: &FlowGraph, l: &Loop) -> Vec<Option<usize>> {
    let len = graph.successors.len();
    let inside = |&next: &usize| l.contains[next];
    let back = |next: usize| if next == l.header { len } else { next };
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); len + 1];
    for block in (0..len).filter(inside) {
        edges[block] = graph.successors[block].iter().copied().filter(inside).map(back).collect();
    }
    let meets = immediate_post_dominators(&edges);
    let parts = |block: usize| edges[block].len() > 1;
    (0..len)
        .map(|block| meets[block].filter(|_| parts(block)).map(|join| if join == len { l.header } else { join }))
        .collect()
}

impl Finder<'_> {
    /// Barriers for lanes that part in an outer barrier and may meet before its join.
    fn candidates(&self, barriers: &Barriers, outer: usize, taken: &[(usize, bool)]) -> Vec<Barrier> {
        let (graph, outer) = (self.graph, &barriers.list[outer]);
        let (mut found, mut guarded) = (Vec::new(), Vec::new());
        let parts =
            |&at: &usize| self.divergence.branches[at] && barriers.meets[at] == Some(outer.join) && outer.holds(at);
        for at in graph.order.iter().copied().filter(parts) {
            for (block, is_guarded) in self.places(outer, at) {
                if outer.region[block]
                    && !only_jumps(self.code, graph, block)
                    && !place::is_way_back(self.code, graph, at, block)
                    && !taken.contains(&self.place(at, block))
                    && let Some(point) = place::point(graph, at, block)
                {
                    let barrier = Barrier::new(self.code, graph, point, block, at);
                    let list = if is_guarded { &mut guarded } else { &mut found };
                    let is_new = !list.iter().any(|known: &Barrier| known.join == block);
                    if is_new && barrier.is_closed(graph) && !barrier.comes_again(graph) {
                        list.push(barrier);
                    }
                }
            }
        }
        if found.is_empty() { guarded } else { found }
    }

    /// A place to meet: a block, and for the head of a loop whether it is on the way back to it.
    fn place(&self, at: usize, join: usize) -> (usize, bool) {
        (join, self.graph.loops.iter().any(|l| l.header == join && l.contains[at]))
    }

    /// Where lanes that part at a block may meet before an outer join; and whether only if there is nothing else.
    fn places(&self, outer: &Barrier, at: usize) -> Vec<(usize, bool)> {
        let (graph, mut found) = (self.graph, Vec::new());
        let left = |l: &Loop| l.contains[at] && !l.contains[outer.join];
        for (l, stay) in graph.loops.iter().zip(&self.stay).filter(|(l, _)| left(l)) {
            found.extend(stay[at].map(|join| (lands(self.code, graph, join), false)));
            // Those that yield are left by one lane after the other; of several exits, those that leave by one may meet there.
            if self.yielding.contains(&l.header) && self.parts_at_exits(l) > 1 {
                let is_guarded = self.is_guarded(l, outer.join);
                let next = graph.successors[at].iter().map(|&next| lands(self.code, graph, next));
                let exits = next.filter(|&next| !l.contains[next] && !graph.ends_early[next]);
                found.extend(exits.map(|exit| (exit, is_guarded)));
            }
        }
        // Where nothing is left in turn, of the branch that the barrier is set for.
        if found.is_empty() && outer.point == Point::Tail(at) && !graph.loops.iter().any(left) {
            let meets = joins(graph, at);
            let entered = |block: usize| graph.predecessors[block].iter().filter(|&&from| outer.holds(from)).count();
            let around = |block: usize| graph.loops_around(block).last().map(|l| l.header);
            let meet = |&block: &usize| meets[block] && entered(block) > 1 && around(block) == around(at);
            found.extend((0..meets.len()).filter(meet).map(|block| (block, false)));
        }
        found
    }

    /// By how many branches some lanes leave a loop and go on behind it.
    fn parts_at_exits(&self, l: &Loop) -> usize {
        let leaves = |at: usize, next: usize| !l.contains[next] && !place::only_exits(self.graph, at, next);
        let parts = |&at: &usize| {
            l.contains[at]
                && self.divergence.branches[at]
                && self.graph.successors[at].iter().any(|&next| leaves(at, next))
        };
        (0..l.contains.len()).filter(parts).count()
    }

    /// Whether lanes may go past the loop to the join.
    fn is_guarded(&self, l: &Loop, join: usize) -> bool {
        let graph = self.graph;
        let tested = graph.successors[l.header].iter().any(|&next| lands(self.code, graph, next) == join);
        tested || graph.predecessors[join].iter().any(|&from| from != l.header && graph.dominates(from, l.header))
    }
}
