//! Rules 1 to 5: barriers at post-dominators.

use super::exits::{self, Return};
use super::registers::SavedAtCall;
use super::ways::Ways;
use super::{Barrier, Meeting, Point, insts, last};
use crate::analysis::{Divergence, Loop};
use crate::code::{Code, Inst};
use crate::graph::immediate_post_dominators;
use crate::program::FunctionId;

/// The barriers of code.
pub(super) struct Barriers {
    pub(super) list: Vec<Barrier>,
    /// Barriers of the block that lanes may come to one after the other, by instruction.
    pub(super) parted: Vec<usize>,
    /// What is saved around calls.
    pub(super) saved_at_calls: Vec<SavedAtCall>,
    /// By block: where lanes meet again that part at its end.
    pub(super) meets: Vec<Option<usize>>,
}

/// The graph as lanes see it that do not end by themselves.
struct Paths<'a> {
    code: &'a Code,
    graph: &'a Ways,
    /// Successors without those that only exit, where others are left.
    live: Vec<Vec<usize>>,
    joins: Vec<Option<usize>>,
}

/// Whether a block is a jump and nothing else, and no paths meet there.
pub(super) fn only_jumps(code: &Code, graph: &Ways, block: usize) -> bool {
    graph.predecessors[block].len() < 2 && matches!(insts(code, graph, block).next(), Some((_, Inst::Jump { .. })))
}

/// The first block, from one on, that does more than jump.
pub(super) fn lands(code: &Code, graph: &Ways, block: usize) -> usize {
    let mut block = block;
    // A circle of jumps has no end.
    for _ in 0..graph.order.len() {
        match graph.successors[block][..] {
            [next] if only_jumps(code, graph, block) => block = next,
            _ => break,
        }
    }
    block
}

impl<'a> Paths<'a> {
    fn new(code: &'a Code, graph: &'a Ways, left: &[(usize, usize)]) -> Self {
        let live = |block: usize, next: &Vec<usize>| -> Vec<usize> {
            let lives = |&&next: &&usize| !graph.only_exits(block, next) && !left.contains(&(block, next));
            if next.len() > 1 && next.iter().any(|next| lives(&next)) {
                next.iter().filter(lives).copied().collect()
            } else {
                next.clone()
            }
        };
        let live: Vec<_> = graph.successors.iter().enumerate().map(|(block, next)| live(block, next)).collect();
        // A block that only jumps is no place to meet: it stands where the source leaves a loop or goes round it.
        let joins = immediate_post_dominators(&live);
        let joins = joins.into_iter().map(|join| join.map(|join| lands(code, graph, join))).collect();
        Self { code, graph, live, joins }
    }

    /// Whether threads that meet there only end.
    fn only_ends(&self, block: usize) -> bool {
        exits::only_ends(self.code, self.graph, block)
    }
}

/// For each block, where the lanes meet again that part at its end and do not leave on one of the edges.
pub(super) fn meets_without(code: &Code, graph: &Ways, left: &[(usize, usize)]) -> Vec<Option<usize>> {
    let Paths { live, joins, .. } = Paths::new(code, graph, left);
    joins.into_iter().zip(live).map(|(join, live)| join.filter(|_| live.len() > 1)).collect()
}

/// The blocks from which the join is reached before the point comes again, behind the point.
pub(super) fn region(graph: &Ways, point: Point, join: usize) -> Vec<bool> {
    let around = graph.loops.iter().find(|l| point == Point::Loop(l.header));
    // Whether an edge leads neither out of the join nor past the point.
    let stays = |from: usize, next: usize| {
        let enters = around.is_some_and(|l| next == l.header && !l.contains[from]);
        from != join && point != Point::Tail(from) && !enters
    };
    let from: Vec<usize> = match point {
        Point::Loop(header) => vec![header],
        Point::Tail(block) => graph.successors[block].clone(),
    };
    let mut region = walk(graph.successors.len(), from, |block, work| {
        work.extend(graph.successors[block].iter().copied().filter(|&next| stays(block, next)));
    });
    let reaching = walk(graph.successors.len(), vec![join], |block, work| {
        work.extend(graph.predecessors[block].iter().copied().filter(|&from| stays(from, block)));
    });
    region.iter_mut().zip(reaching).for_each(|(inside, reaches)| *inside &= reaches);
    region[join] = false;
    if let Point::Tail(block) = point {
        region[block] = false;
    }
    region
}

fn walk(len: usize, from: Vec<usize>, edges: impl Fn(usize, &mut Vec<usize>)) -> Vec<bool> {
    let (mut seen, mut work) = (vec![false; len], from);
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut seen[block], true) {
            edges(block, &mut work);
        }
    }
    seen
}

/// Edges on which threads of the barrier leave it without a `bsync` and do not only exit. Those that wait for others before
/// they exit (rule 5) leave it, too: the others must not wait for them.
fn breaks(graph: &Ways, (point, join): (Point, usize), region: &[bool], others: &[usize]) -> Vec<(usize, usize)> {
    let is_inside = |block: usize| region[block] || point == Point::Tail(block);
    let mut breaks = Vec::new();
    for block in (0..region.len()).filter(|&block| is_inside(block)) {
        for &next in &graph.successors[block] {
            let ends = graph.only_exits(block, next) && others.binary_search(&next).is_err();
            if next != join && !region[next] && !ends {
                breaks.push((block, next));
            }
        }
    }
    breaks
}

impl Barrier {
    pub(super) fn new(code: &Code, graph: &Ways, point: Point, join: usize, at: usize) -> Self {
        let region = region(graph, point, join);
        let breaks = breaks(graph, (point, join), &region, &[]);
        let span = code.spans[last(graph, at).index()];
        Self { point, join, meeting: Meeting::Head(join), region, breaks, register: 0, spilled: None, span }
    }

    /// Finds the edges to leave it on anew, now that all joins are known.
    pub(super) fn find_breaks(&mut self, graph: &Ways, joins: &[usize]) {
        self.breaks = breaks(graph, (self.point, self.join), &self.region, joins);
    }

    /// The edges on which its participants come to the join.
    pub(super) fn arrivals<'a>(&'a self, graph: &'a Ways) -> impl Iterator<Item = usize> + 'a {
        let inside = |&block: &usize| self.region[block] || self.point == Point::Tail(block);
        graph.predecessors[self.join].iter().copied().filter(inside)
    }

    /// Whether threads that leave the barrier may come to the point again in the same loop, without a `bsync` of it or of the
    /// one around it.
    pub(super) fn comes_again(&self, graph: &Ways, outer: Option<usize>) -> bool {
        let Point::Tail(at) = self.point else { return false };
        let Some(innermost) = graph.loops_around(at).last() else { return false };
        let stops = |block: usize| !innermost.contains[block] || Some(block) == outer;
        self.breaks.iter().any(|&(_, next)| graph.reachable([next], stops)[at])
    }

    /// Whether all that can come to the join before the point is passed again come from the point.
    pub(super) fn is_closed(&self, graph: &Ways) -> bool {
        let above = self.point.block();
        let entered = (0..self.region.len()).filter(|&block| self.region[block]);
        entered.into_iter().all(|block| graph.dominates(above, block))
    }
}

/// The outermost loop around a block that another is not in.
fn outermost_left(graph: &Ways, block: usize, join: usize) -> Option<&Loop> {
    graph.loops_around(block).find(|l| !l.contains[join])
}

/// Where the barrier for lanes that part at a block and meet at another is set: before the loops that they leave, and where
/// all come by that can come between.
pub(super) fn point(graph: &Ways, meets: &[Option<usize>], at: usize, join: usize) -> Option<Point> {
    let mut block = at;
    // Whether all that pass a block come to the join.
    let leads = |block: usize| {
        let mut next = Some(block);
        (0..meets.len()).any(|_| {
            next = next.and_then(|block| meets[block]);
            next == Some(join)
        })
    };
    loop {
        let point = match outermost_left(graph, block, join) {
            Some(l) => Point::Loop(l.header),
            None => Point::Tail(block),
        };
        // Each time that lanes come to the join, they must have come by the point. At the head of a loop behind the point they
        // meet before the loop: those that come back are not in the region.
        let before = |l: &Loop| l.header == join && point != Point::Loop(join);
        if graph.loops_around(join).any(|l| !l.contains[point.block()] && !before(l) || point == Point::Loop(l.header))
        {
            return None;
        }
        // Lanes that come to the join from elsewhere count, too: it is one place for all of them.
        let region = region(graph, point, join);
        let here = graph.loops.iter().find(|l| l.header == join);
        let beside = |other: usize| here.is_none_or(|l| l.contains[other] == l.contains[at]);
        let below = |other: usize| graph.dominates(point.block(), other);
        let around = |other: usize| graph.common_dominator(point.block(), other).is_some_and(leads);
        let comes = |other: usize| {
            region[other]
                || graph.predecessors[join].contains(&other) && beside(other) && (below(other) || around(other))
        };
        let outside = (0..region.len()).find(|&other| comes(other) && !below(other));
        match outside {
            None => return Some(point),
            Some(other) => block = graph.common_dominator(point.block(), other)?,
        }
    }
}

/// Whether lanes would leave a loop by its end alone to go back to where another begins that is not tested there: nothing is
/// between the two where they could meet.
pub(super) fn is_way_back(code: &Code, graph: &Ways, at: usize, join: usize) -> bool {
    let tested = |block: usize| matches!(code.inst(last(graph, block)), Inst::Branch { leaves: true, .. });
    let goes_back = graph.loops.iter().any(|l| l.header == join && l.contains[at]);
    let Some(inner) = outermost_left(graph, at, join).filter(|l| goes_back && !tested(join) && !tested(l.header))
    else {
        return false;
    };
    let leaves = |from: usize| {
        inner.contains[from] && graph.successors[from].iter().any(|&next| lands(code, graph, next) == join)
    };
    (0..inner.contains.len()).filter(|&from| leaves(from)).count() == 1
}

/// Whether a block has a barrier of the block that threads wait at.
fn block_barrier(code: &Code, graph: &Ways, block: usize) -> Option<usize> {
    insts(code, graph, block).find(|(_, inst)| matches!(inst, Inst::Barrier { .. })).map(|(index, _)| index)
}

pub(super) fn barriers(code: &Code, graph: &Ways, divergence: &Divergence, returns: &[Option<Return>]) -> Barriers {
    let paths = Paths::new(code, graph, &[]);
    let mut found =
        Barriers { list: Vec::new(), parted: Vec::new(), saved_at_calls: Vec::new(), meets: paths.joins.clone() };
    let parts = |block: &usize| divergence.branches[*block] && !graph.irreducible[*block];
    let mut pairs: Vec<Plan> = Vec::new();
    for at in graph.order.iter().copied().filter(parts) {
        let meets = paths.joins[at].filter(|&join| paths.live[at].len() > 1 && !paths.only_ends(join));
        if let Some(join) = meets
            && !is_way_back(code, graph, at, join)
            && let Some(point) = point(graph, &paths.joins, at, join)
        {
            pairs.push((point, join, at));
        }
    }
    pairs.extend(exit_loops(&paths, returns, &pairs));
    for (point, join, at) in merged(graph, &paths.joins, pairs) {
        let barrier = Barrier::new(code, graph, point, join, at);
        let waits: Vec<usize> = (0..barrier.region.len())
            .filter(|&block| barrier.region[block])
            .filter_map(|block| block_barrier(code, graph, block))
            .collect();
        if waits.is_empty() && barrier.is_closed(graph) && !barrier.comes_again(graph, None) {
            found.list.push(barrier);
        }
        found.parted.extend(waits);
    }
    found.parted.sort_unstable();
    found.parted.dedup();
    wrap_calls(&paths, divergence, &mut found);
    found
}

/// A barrier to be: where it is set, where its participants meet, and a branch that they part at.
type Plan = (Point, usize, usize);

/// Merges barriers with one join: one whose point lies behind another's becomes part of it, and two beside each other are set
/// where all of their lanes come by, if there is such a place.
fn merged(graph: &Ways, meets: &[Option<usize>], plans: Vec<Plan>) -> Vec<Plan> {
    let mut kept: Vec<Plan> = Vec::new();
    for mut plan in plans {
        while let Some((index, both)) =
            kept.iter().enumerate().find_map(|(index, &known)| Some((index, merge(graph, meets, known, plan)?)))
        {
            kept.remove(index);
            plan = both;
        }
        kept.push(plan);
    }
    kept
}

fn merge(graph: &Ways, meets: &[Option<usize>], left: Plan, right: Plan) -> Option<Plan> {
    let join = left.1;
    if right.1 != join {
        return None;
    }
    let covers = |above: Point, below: Point| above == below || region(graph, above, join)[below.block()];
    if covers(left.0, right.0) {
        return Some(left);
    }
    if covers(right.0, left.0) {
        return Some(right);
    }
    let common = point(graph, meets, graph.common_dominator(left.0.block(), right.0.block())?, join)?;
    (covers(common, left.0) && covers(common, right.0)).then_some((common, join, left.2))
}

/// Rule 5: of loops whose exits have no place in common where lanes could meet, one that has work.
fn exit_loops(paths: &Paths<'_>, returns: &[Option<Return>], pairs: &[Plan]) -> Vec<Plan> {
    let mut found = Vec::new();
    let graph = paths.graph;
    for (l, meets) in graph.loops.iter().zip(returns) {
        let leaves = |&(_, join, at): &Plan| l.contains[at] && !l.contains[join];
        if let &Some(Return { exit: (at, join), .. }) = meets
            && !pairs.iter().chain(&found).any(leaves)
        {
            found.extend(point(graph, &paths.joins, at, join).map(|point| (point, join, at)));
        }
    }
    found
}

/// Rule 4: calls of functions from which lanes return one after the other.
fn wrap_calls(paths: &Paths<'_>, divergence: &Divergence, found: &mut Barriers) {
    let Paths { code, graph, .. } = *paths;
    let mut parted = vec![false; code.functions.len()];
    for (block, &parts) in divergence.branches.iter().enumerate() {
        // A branch whose lanes do not meet before they return.
        let apart = parts && paths.joins[block].is_none_or(|join| paths.only_ends(join));
        if let Some((FunctionId(function), _)) = code.function_at(graph.cfg.starts[block]).filter(|_| apart) {
            parted[function as usize] = true;
        }
    }
    for block in graph.order.iter().copied().filter(|&block| !graph.irreducible[block]) {
        if let Inst::Call { function: FunctionId(function), .. } = *code.inst(last(graph, block))
            && parted[function as usize]
        {
            let join = graph.cfg.block_of[last(graph, block).next().index()];
            // Behind a panic in the block no lane comes to the call.
            if graph.successors[block].contains(&join) {
                found.list.push(Barrier::new(code, graph, Point::Tail(block), join, block));
            }
        }
    }
}
