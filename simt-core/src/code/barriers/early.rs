//! Rules 6 and 7: a second barrier, where paths meet before the post-dominator.

use super::exits::{self, Exit};
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

/// Where lanes may meet.
struct Place {
    block: usize,
    /// Whether only if there is nothing else.
    is_guarded: bool,
    /// The loop that it is an exit of.
    left: Option<usize>,
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
        // By loop: those of its exits that may be meant.
        let mut exits: Vec<(usize, bool, Vec<(Exit, Barrier)>)> = Vec::new();
        for at in graph.order.iter().copied().filter(parts) {
            for Place { block, is_guarded, left } in self.places(outer, at) {
                if outer.region[block]
                    && !only_jumps(self.code, graph, block)
                    && !place::is_way_back(self.code, graph, at, block)
                    && !taken.contains(&self.place(at, block))
                    && let Some(point) = place::point(graph, at, block)
                {
                    let barrier = Barrier::new(self.code, graph, point, block, at);
                    if !barrier.is_closed(graph) || barrier.comes_again(graph) {
                        continue;
                    }
                    if let Some(l) = left {
                        match exits.iter_mut().find(|known| known.0 == l) {
                            Some(known) => known.2.push(((at, block), barrier)),
                            None => exits.push((l, is_guarded, vec![((at, block), barrier)])),
                        }
                        continue;
                    }
                    let list = if is_guarded { &mut guarded } else { &mut found };
                    if !list.iter().any(|known: &Barrier| known.join == block) {
                        list.push(barrier);
                    }
                }
            }
        }
        for (l, is_guarded, list) in exits {
            let barrier = self.exit(&graph.loops[l], outer.join, list);
            let list = if is_guarded { &mut guarded } else { &mut found };
            if !list.iter().any(|known: &Barrier| known.join == barrier.join) {
                list.push(barrier);
            }
        }
        if found.is_empty() { guarded } else { found }
    }

    /// Of a loop's exits the one to meet at: of those that it has at its head or end, if there are such, else of all, the one
    /// with most behind it before the join. Of equal ones the first; but the code of what is left by first stands last, before
    /// the join, and has no jump there.
    fn exit(&self, l: &Loop, join: usize, list: Vec<(Exit, Barrier)>) -> Barrier {
        let natural = exits::natural(self.code, self.graph, l);
        let all: Vec<Exit> = list.iter().map(|(exit, _)| *exit).collect();
        let mut chosen: Vec<Exit> = natural.into_iter().filter(|exit| all.contains(exit)).collect();
        if chosen.is_empty() {
            chosen = all;
        }
        chosen.rotate_left(1);
        let size = |next: usize| exits::size(self.code, self.graph, next, Some(join));
        let largest = exits::largest(chosen.into_iter(), size).map(|(_, exit)| exit);
        let found = list.iter().find(|(exit, _)| Some(*exit) == largest).unwrap_or(&list[0]);
        found.1.clone()
    }

    /// A place to meet: a block, and for the head of a loop whether it is on the way back to it.
    fn place(&self, at: usize, join: usize) -> (usize, bool) {
        (join, self.graph.loops.iter().any(|l| l.header == join && l.contains[at]))
    }

    /// Where lanes that part at a block may meet before an outer join.
    fn places(&self, outer: &Barrier, at: usize) -> Vec<Place> {
        let (graph, mut found) = (self.graph, Vec::new());
        let left = |l: &Loop| l.contains[at] && !l.contains[outer.join];
        for (number, l) in graph.loops.iter().enumerate().filter(|(_, l)| left(l)) {
            let stay = self.stay[number][at].map(|join| lands(self.code, graph, join));
            found.extend(stay.map(|block| Place { block, is_guarded: false, left: None }));
            // Those that yield are left by one lane after the other; of several exits, those that leave by one may meet there.
            if self.yielding.contains(&l.header) && self.parts_at_exits(l) > 1 {
                let is_guarded = self.is_guarded(l, outer.join);
                let next = graph.successors[at].iter().filter(|&&next| !place::only_exits(graph, at, next));
                let exits = next.map(|&next| lands(self.code, graph, next)).filter(|&next| !l.contains[next]);
                found.extend(exits.map(|block| Place { block, is_guarded, left: Some(number) }));
            }
        }
        // Where nothing is left in turn, of the branch that the barrier is set for.
        if found.is_empty() && outer.point == Point::Tail(at) && !graph.loops.iter().any(left) {
            let meets = joins(graph, at);
            let entered = |block: usize| graph.predecessors[block].iter().filter(|&&from| outer.holds(from)).count();
            let around = |block: usize| graph.loops_around(block).last().map(|l| l.header);
            let meet = |&block: &usize| meets[block] && entered(block) > 1 && around(block) == around(at);
            let blocks = (0..meets.len()).filter(meet);
            found.extend(blocks.map(|block| Place { block, is_guarded: false, left: None }));
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
