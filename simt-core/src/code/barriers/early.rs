//! Rules 6 and 7: a second barrier, where paths meet before the post-dominator.

use super::Barrier;
use super::place::{self, Barriers, lands, only_jumps};
use crate::analysis::{Divergence, FlowGraph, Loop, immediate_post_dominators, joins};
use crate::code::Code;

/// Why lanes may meet somewhere, what is preferred first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// Of a loop it is the only way out but for the join.
    OnlyExit,
    /// All come there that stay in a loop; or paths meet there.
    Meet,
    /// One of several ways out of a loop.
    Exit,
}

struct Finder<'a> {
    code: &'a Code,
    graph: &'a FlowGraph,
    divergence: &'a Divergence,
    /// By loop: where those meet that stay in it.
    stay: Vec<Vec<Option<usize>>>,
}

/// Adds the early barriers.
pub(super) fn add(code: &Code, graph: &FlowGraph, divergence: &Divergence, barriers: &mut Barriers) {
    let stay = graph.loops.iter().map(|l| meets_inside(graph, l)).collect();
    let finder = Finder { code, graph, divergence, stay };
    let mut taken: Vec<usize> = barriers.list.iter().map(|b| b.join).collect();
    for index in 0..barriers.list.len() {
        let candidates = finder.candidates(barriers, index, &taken);
        let Some(best) = candidates.iter().map(|(why, _)| *why).min() else { continue };
        let of_best = || candidates.iter().filter(|(why, _)| *why == best).map(|(_, barrier)| barrier);
        // The last places are meant: those that lead to no other.
        let is_last = |b: &&Barrier| {
            let behind = graph.successors[b.join].iter().copied();
            let onward = graph.reachable(behind, |block| block == barriers.list[index].join);
            best == Why::Exit || of_best().all(|other| other.join == b.join || !onward[other.join])
        };
        let found = of_best().filter(is_last).min_by_key(|b| if best == Why::Exit { 0 } else { b.breaks.len() });
        if let Some(found) = found.cloned() {
            taken.push(found.join);
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
    (0..len).map(|block| meets[block].filter(|_| parts(block)).map(|join| if join == len { l.header } else { join })).collect()
}

impl Finder<'_> {
    /// Barriers for lanes that part in an outer barrier and may meet before its join.
    fn candidates(&self, barriers: &Barriers, outer: usize, taken: &[usize]) -> Vec<(Why, Barrier)> {
        let (graph, outer) = (self.graph, &barriers.list[outer]);
        let mut found: Vec<(Why, Barrier)> = Vec::new();
        let parts =
            |&at: &usize| self.divergence.branches[at] && barriers.meets[at] == Some(outer.join) && outer.holds(at);
        for at in graph.order.iter().copied().filter(parts) {
            for (why, block) in self.places(outer, at) {
                if outer.region[block]
                    && !only_jumps(self.code, graph, block)
                    && !taken.contains(&block)
                    && !found.iter().any(|(_, known)| known.join == block)
                    && let Some(point) = place::point(graph, at, block)
                {
                    found.push((why, Barrier::new(self.code, graph, point, block, at)));
                }
            }
        }
        found.retain(|(_, b)| b.is_closed(graph) && !b.comes_again(graph));
        found
    }

    /// Where lanes that part at a block may meet before an outer join.
    fn places(&self, outer: &Barrier, at: usize) -> Vec<(Why, usize)> {
        let (graph, mut found) = (self.graph, Vec::new());
        let left = |l: &Loop| l.contains[at] && !l.contains[outer.join];
        for (l, stay) in graph.loops.iter().zip(&self.stay).filter(|(l, _)| left(l)) {
            found.extend(stay[at].map(|join| (Why::Meet, lands(self.code, graph, join))));
            let exits = self.exits(l, outer.join);
            let why = if exits.len() == 1 { Why::OnlyExit } else { Why::Exit };
            let next = graph.successors[at].iter().map(|&next| lands(self.code, graph, next));
            found.extend(next.filter(|next| exits.contains(next)).map(|next| (why, next)));
        }
        if found.is_empty() && !graph.loops.iter().any(left) {
            let meets = joins(graph, at);
            let entered = |block: usize| graph.predecessors[block].iter().filter(|&&from| outer.holds(from)).count();
            let around = |block: usize| graph.loops_around(block).last().map(|l| l.header);
            let meet = |&block: &usize| meets[block] && entered(block) > 1 && around(block) == around(at);
            found.extend((0..meets.len()).filter(meet).map(|block| (Why::Meet, block)));
        }
        found
    }

    /// Where a loop is left to, but for the join.
    fn exits(&self, l: &Loop, join: usize) -> Vec<usize> {
        let mut exits = Vec::new();
        for from in (0..l.contains.len()).filter(|&from| l.contains[from]) {
            let next = self.graph.successors[from].iter().filter(|&&next| !l.contains[next]);
            exits.extend(next.map(|&next| lands(self.code, self.graph, next)).filter(|&next| next != join));
        }
        exits.sort_unstable();
        exits.dedup();
        exits
    }
}
