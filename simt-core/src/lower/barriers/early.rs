//! Rules 6 and 7: a second barrier, where paths meet before the post-dominator.

use super::exits::{self, Exit};
use super::place::{self, Barriers, lands, only_jumps};
use super::ways::Ways;
use super::{Barrier, Point, insts, loops};
use crate::analysis::{Divergence, Loop, joins};
use crate::code::Code;
use crate::graph::immediate_post_dominators;
use std::rc::Rc;

/// From this number of instructions on, between the last exit of a loop and its next iteration, `ptxas` places no barrier at
/// that exit.
const LITTLE: usize = 30;

struct Finder<'a> {
    code: &'a Code,
    graph: &'a Ways,
    divergence: &'a Divergence,
    /// By loop and block: where the lanes meet that part there and stay in the loop.
    stay: Vec<Vec<Option<usize>>>,
    /// The heads of loops that yield.
    yielding: Vec<usize>,
    /// By block its place in the order of ptxas.
    places: Vec<usize>,
    /// By loop: the number of branches at which some lanes leave it and go on behind it; 0 if all may do so together.
    parts: Vec<usize>,
    /// By loop: whether only some lanes of a group may come to it.
    apart: Vec<bool>,
}

/// Where lanes may meet.
struct Place {
    block: usize,
    /// The loop that it is an exit of.
    left: Option<usize>,
}

/// What is known of where lanes meet again that part in a barrier.
#[derive(Clone)]
enum View {
    /// For each block.
    Known(Rc<Vec<Option<usize>>>),
    /// The barrier is early: where the lanes meet that do not leave it is still to be found.
    Early,
    /// The barrier is part of another.
    Part,
    /// All barriers inside it have been found.
    Done,
}

/// Adds the early barriers, and those at which lanes meet that part in one and do not leave it.
pub(super) fn add(code: &Code, graph: &Ways, divergence: &Divergence, barriers: &mut Barriers) {
    let stay = graph.loops.iter().map(|l| meets_inside(graph, l)).collect();
    let yielding = loops::yielding(code, graph, divergence).into_iter().map(|l| l.header).collect();
    let places = exits::places(graph);
    let apart = loops::entered_apart(code, graph, divergence);
    let mut finder = Finder { code, graph, divergence, stay, yielding, places, parts: Vec::new(), apart };
    finder.parts = (0..graph.loops.len()).map(|number| finder.parts_at_exits(number)).collect();
    let mut views = vec![View::Known(Rc::new(barriers.meets.clone())); barriers.list.len()];
    let mut index = 0;
    while index < barriers.list.len() {
        let (more, view) = match std::mem::replace(&mut views[index], View::Done) {
            View::Known(meets) => (finder.candidate(&barriers.list, index, &meets).into_iter().collect(), View::Early),
            View::Early => {
                let meets = Rc::new(place::meets_without(code, graph, &barriers.list[index].breaks));
                (finder.inside(&barriers.list, index, &meets), View::Known(meets))
            }
            View::Part => {
                views[index] = View::Part;
                (Vec::new(), View::Part)
            }
            View::Done => (Vec::new(), View::Done),
        };
        for barrier in more {
            for (known, view) in barriers.list.iter().zip(&mut views) {
                if finder.is_one(known, barrier.point, barrier.join) && barrier.region[known.point.block()] {
                    *view = View::Part;
                }
            }
            views.push(view.clone());
            barriers.list.push(barrier);
        }
        index += 1;
    }
    let mut views = views.iter();
    barriers.list.retain(|_| !matches!(views.next(), Some(View::Part)));
    let mut is_join = vec![false; graph.successors.len()];
    barriers.list.iter().for_each(|b| is_join[b.join] = true);
    let joins: Vec<usize> = (0..is_join.len()).filter(|&block| is_join[lands(code, graph, block)]).collect();
    barriers.list.iter_mut().for_each(|b| b.find_breaks(graph, &joins));
}

/// For each block of a loop where those meet that go on from it and stay in the loop; the head if they meet on the way back.
fn meets_inside(graph: &Ways, l: &Loop) -> Vec<Option<usize>> {
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
    /// Barriers at the post-dominators that there are once the others have left an early barrier.
    fn inside(&self, list: &[Barrier], outer: usize, meets: &[Option<usize>]) -> Vec<Barrier> {
        let (graph, outer) = (self.graph, &list[outer]);
        let mut found: Vec<Barrier> = Vec::new();
        for at in graph.order.iter().copied().filter(|&at| self.divergence.branches[at] && outer.region[at]) {
            if let Some(join) = meets[at].filter(|&join| outer.region[join])
                && !place::is_way_back(self.code, graph, at, join)
                && let Some(point) = place::point(graph, meets, at, join)
                && !self.is_taken(list, point, join)
            {
                let barrier = Barrier::new(self.code, graph, point, join, at);
                let is_new = !found.iter().any(|known| known.join == join);
                if is_new && barrier.is_closed(graph) && !barrier.comes_again(graph, Some(outer.join)) {
                    found.push(barrier);
                }
            }
        }
        found
    }

    /// The barrier at which some lanes may meet that part in an outer barrier, before its join: at an exit of the outermost
    /// loop, or else where those meet that part first.
    fn candidate(&self, list: &[Barrier], outer: usize, meets: &[Option<usize>]) -> Option<Barrier> {
        let (graph, outer) = (self.graph, &list[outer]);
        let parts = |&at: &usize| self.divergence.branches[at] && meets[at] == Some(outer.join) && outer.holds(at);
        // By loop: those of its exits that lanes may meet at.
        let mut exits: Vec<(usize, Vec<(Exit, Barrier)>)> = Vec::new();
        let mut found: Vec<Barrier> = Vec::new();
        for at in graph.order.iter().copied().filter(parts) {
            for Place { block, left } in self.places(outer, at) {
                if outer.region[block]
                    && !only_jumps(self.code, graph, block)
                    && !place::is_way_back(self.code, graph, at, block)
                    && let Some(point) = place::point(graph, meets, at, block)
                    && !self.is_taken(list, point, block)
                {
                    let barrier = Barrier::new(self.code, graph, point, block, at);
                    if !barrier.is_closed(graph) || barrier.comes_again(graph, Some(outer.join)) {
                        continue;
                    }
                    match (left, exits.iter_mut().find(|known| Some(known.0) == left)) {
                        (_, Some(known)) => known.1.push(((at, block), barrier)),
                        (Some(l), None) => exits.push((l, vec![((at, block), barrier)])),
                        (None, None) => found.push(barrier),
                    }
                }
            }
        }
        exits.sort_by_key(|&(l, _)| l);
        let exit = exits.into_iter().find_map(|(l, list)| self.exit(&graph.loops[l], outer.join, list));
        // Lanes meet at the last places: those that lead to no other.
        let first = |found: &[Barrier]| -> Option<Barrier> {
            let point = found.first()?.point;
            let of_point: Vec<&Barrier> = found.iter().filter(|barrier| barrier.point == point).collect();
            let is_last = |b: &&&Barrier| {
                let behind = graph.successors[b.join].iter().copied();
                let onward = graph.reachable(behind, |block| block == outer.join);
                of_point.iter().all(|other| other.join == b.join || !onward[other.join])
            };
            of_point.iter().rev().filter(is_last).min_by_key(|b| b.breaks.len()).map(|found| (*found).clone())
        };
        let turns = |b: &Barrier| graph.loops.iter().any(|l| l.contains[b.point.block()] && !l.contains[outer.join]);
        match (exit, first(&found)) {
            // The one whose region has the other.
            (Some(exit), Some(found)) if found.region[exit.point.block()] && turns(&found) => Some(found),
            (exit, found) => exit.or(found),
        }
    }

    /// Of a loop's exits the one to meet at: of those that it has at its head or end, if there are such, else of all, the one
    /// with most behind it before the join. Of equal ones the first in the order of the text counts, but for the very first: its
    /// code stands last, before the join, and needs no jump there.
    fn exit(&self, l: &Loop, join: usize, list: Vec<(Exit, Barrier)>) -> Option<Barrier> {
        let natural = exits::natural(self.code, self.graph, l);
        let all: Vec<Exit> = list.iter().map(|(exit, _)| *exit).collect();
        let mut chosen: Vec<Exit> = natural.into_iter().filter(|exit| all.contains(exit)).collect();
        if chosen.is_empty() {
            chosen = all;
        }
        chosen.rotate_left(1);
        let size = |exit: Exit| exits::size(self.code, self.graph, exit, Some(join));
        let largest = exits::largest(chosen.into_iter(), size).map(|(_, exit)| exit);
        let found = list.into_iter().find(|(exit, _)| Some(*exit) == largest).map(|(_, barrier)| barrier);
        // Only if it stands behind all blocks of its region.
        let place = |block: usize| self.places[block];
        found.filter(|b| (0..b.region.len()).all(|block| !b.region[block] || place(block) < place(b.join)))
    }

    /// Whether there is a barrier already for lanes that part at a point and meet at a block.
    fn is_taken(&self, list: &[Barrier], point: Point, join: usize) -> bool {
        list.iter()
            .any(|known| (known.point == point || known.region[point.block()]) && self.is_one(known, point, join))
    }

    /// Whether a barrier meets where those of a point do.
    fn is_one(&self, known: &Barrier, point: Point, join: usize) -> bool {
        known.join == join && self.place(known.point.block(), join) == self.place(point.block(), join)
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
            found.extend(stay.map(|block| Place { block, left: None }));
            // Lanes leave a loop that yields one after the other; those that leave by the same one of several exits may meet.
            let is_meant = || self.yielding.contains(&l.header) || self.is_last(l, outer.join, at);
            if self.parts[number] > 1 && is_meant() {
                let next = graph.successors[at].iter().filter(|&&next| !graph.only_exits(at, next));
                let exits = next.map(|&next| lands(self.code, graph, next)).filter(|&next| !l.contains[next]);
                found.extend(exits.map(|block| Place { block, left: Some(number) }));
            }
        }
        // Where no loop is left, places of the branch that the barrier is set for.
        if found.is_empty() && outer.point == Point::Tail(at) && !graph.loops.iter().any(left) {
            let meets = joins(graph, at);
            let entered = |block: usize| graph.predecessors[block].iter().filter(|&&from| outer.holds(from)).count();
            let around = |block: usize| graph.loops_around(block).last().map(|l| l.header);
            let meet = |&block: &usize| meets[block] && entered(block) > 1 && around(block) == around(at);
            let blocks = (0..meets.len()).filter(meet);
            found.extend(blocks.map(|block| Place { block, left: None }));
        }
        found
    }

    /// Whether a loop is left at the end of a block for the last time before it begins again, and at the end of another for a
    /// join itself.
    fn is_last(&self, l: &Loop, join: usize, at: usize) -> bool {
        let graph = self.graph;
        // A test that reads nothing is copied to the end.
        let exits = |block: usize| graph.successors[block].iter().any(|&next| !l.contains[next]);
        let reads = insts(self.code, graph, l.header).any(|(_, inst)| inst.accesses_memory());
        if exits(l.header) && !reads {
            return false;
        }
        let Some(mut block) = graph.successors[at].iter().copied().find(|&next| l.contains[next]) else { return false };
        let mut size = 0;
        while let [next] = graph.successors[block][..]
            && block != l.header
            && (next == l.header || graph.predecessors[next].len() == 1)
        {
            size += exits::count(self.code, graph, block);
            block = next;
        }
        let leaves = |&from: &usize| {
            l.contains[from] && graph.successors[from].iter().any(|&next| lands(self.code, graph, next) == join)
        };
        block == l.header && size < LITTLE && (0..l.contains.len()).any(|from| from != at && leaves(&from))
    }

    /// The entry of [`Self::parts`] for a loop.
    fn parts_at_exits(&self, number: usize) -> usize {
        let l = &self.graph.loops[number];
        let leaves = |at: usize, next: usize| !l.contains[next] && !self.graph.only_exits(at, next);
        let exits = |&at: &usize| {
            let next = &self.graph.successors[at];
            l.contains[at] && next.len() > 1 && next.iter().any(|&next| leaves(at, next))
        };
        let exits: Vec<usize> = (0..l.contains.len()).filter(exits).collect();
        let parts = |&at: &usize| self.divergence.branches[at] || self.apart[number] || self.is_apart(number, at);
        if exits.iter().all(parts) { exits.len() } else { 0 }
    }

    /// Whether only some of the lanes that stay in a loop come to a block of it.
    fn is_apart(&self, number: usize, block: usize) -> bool {
        let (graph, l) = (self.graph, &self.graph.loops[number]);
        let parts = |&at: &usize| l.contains[at] && self.divergence.branches[at];
        graph.order.iter().copied().filter(parts).any(|at| {
            let Some(join) = self.stay[number][at] else { return false };
            let stops = |block: usize| block == join || block == l.header || !l.contains[block];
            join != block && at != block && graph.reachable(graph.successors[at].iter().copied(), stops)[block]
        })
    }
}
