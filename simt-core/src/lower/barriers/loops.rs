//! Rules 8 and 9, loops in which lanes wait for others; and where those meet that have taken a lock.

use super::ways::Ways;
use super::{Barrier, Meeting, Point, insts};
use crate::analysis::{Divergence, Loop, talking_loops};
use crate::code::{AddressSpace, Code, Inst};
use crate::ops::AtomicOp;
use crate::program::{LoadAccess, Memory, StoreAccess};

/// The loops that yield (rule 8): lanes can talk to others in them, and may run them a different number of times; and loops
/// with such an operation that are around one of these or come behind one.
pub(super) fn yielding<'g>(code: &Code, graph: &'g Ways, divergence: &Divergence) -> Vec<&'g Loop> {
    let apart = apart(code, graph, divergence);
    // A bare `return` is an `exit` with a guard: its lanes are gone, and those that stay are together.
    let ends = |next: usize| matches!(insts(code, graph, next).next(), Some((_, Inst::Exit)));
    let exits = |l: &Loop, at: usize, bare: bool| {
        l.contains[at] && graph.successors[at].iter().any(|&next| !l.contains[next] && ends(next) == bare)
    };
    let leaves = |l: &Loop, at: usize| {
        let alone = || !graph.order.iter().any(|&other| exits(l, other, false));
        divergence.branches[at] && (exits(l, at, false) || exits(l, at, true) && alone())
    };
    let diverges = |l: &Loop| apart[l.header] || graph.order.iter().any(|&at| leaves(l, at));
    let talking = talking_loops(code, graph);
    let talking = || graph.loops.iter().zip(&talking).filter(|(_, talks)| **talks).map(|(l, _)| l);
    // What comes behind a `yield` may be run apart, too.
    let yields = |l: &&Loop| diverges(l);
    let behind = graph.reachable(talking().filter(yields).map(|l| l.header), |_| false);
    talking().filter(|l| diverges(l) || (0..behind.len()).any(|block| behind[block] && l.contains[block])).collect()
}

/// For each block whether only some lanes of a group may come to it: between a branch that they part at and the place where
/// all meet again; and in functions, whose callers are not known.
fn apart(code: &Code, graph: &Ways, divergence: &Divergence) -> Vec<bool> {
    let mut apart: Vec<bool> =
        (0..graph.successors.len()).map(|block| code.function_at(graph.cfg.starts[block]).is_some()).collect();
    for_parted(code, graph, divergence, |_, between| {
        apart.iter_mut().zip(between).for_each(|(apart, inside)| *apart |= inside);
    });
    apart
}

/// For each loop whether only some lanes of a group may come to it, parted before.
pub(super) fn entered_apart(code: &Code, graph: &Ways, divergence: &Divergence) -> Vec<bool> {
    let mut apart = vec![false; graph.loops.len()];
    for_parted(code, graph, divergence, |at, between| {
        for (apart, l) in apart.iter_mut().zip(&graph.loops) {
            *apart |= between[l.header] && !l.contains[at];
        }
    });
    apart
}

/// Visits each branch that lanes part at, with the blocks before all meet again.
fn for_parted(code: &Code, graph: &Ways, divergence: &Divergence, mut visit: impl FnMut(usize, &[bool])) {
    let joins = crate::graph::immediate_post_dominators(&graph.successors);
    for at in graph.order.iter().copied().filter(|&at| divergence.branches[at]) {
        // Blocks of a loop before the branch count, too, if lanes leave it there: only those that stay come to them again.
        let exits = |next: usize| matches!(insts(code, graph, next).next(), Some((_, Inst::Exit)));
        let next: Vec<usize> = graph.successors[at].iter().copied().filter(|&next| !exits(next)).collect();
        if next.len() < 2 {
            continue;
        }
        let next = next.into_iter().filter(|&next| Some(next) != joins[at]);
        let mut between = graph.reachable(next, |block| Some(block) == joins[at] || block == at);
        between[at] = false;
        if let Some(join) = joins[at] {
            between[join] = false;
        }
        visit(at, &between);
    }
}

/// Memory that a loop may wait on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waited {
    Elements(Memory),
    /// Which bytes is not known.
    At(AddressSpace),
}

/// The memory that a loop reads by a strong operation.
fn waits_on(code: &Code, graph: &Ways, l: &Loop) -> Vec<Waited> {
    let blocks = (0..l.contains.len()).filter(|&block| l.contains[block]);
    let reads = |inst: &Inst| match *inst {
        Inst::Atomic { op, slice, .. } if op != AtomicOp::Store => Some(Waited::Elements(slice)),
        Inst::Load { slice, access: LoadAccess::Volatile | LoadAccess::Cv, .. } => Some(Waited::Elements(slice)),
        Inst::AtomicAt { op, at, .. } if op != AtomicOp::Store => Some(Waited::At(at.space)),
        Inst::LoadAt { at, access: LoadAccess::Volatile | LoadAccess::Cv, .. } => Some(Waited::At(at.space)),
        _ => None,
    };
    blocks.flat_map(|block| insts(code, graph, block).filter_map(|(_, inst)| reads(inst)).collect::<Vec<_>>()).collect()
}

/// Whether an instruction may tell those that wait on a memory to go on.
fn releases(inst: &Inst, memory: &[Waited]) -> bool {
    let elements = |slice| memory.contains(&Waited::Elements(slice));
    let by_address = |space| memory.contains(&Waited::At(space));
    match *inst {
        Inst::Atomic { op, slice, .. } => op != AtomicOp::Load && elements(slice),
        Inst::Store { slice, access, .. } => access == StoreAccess::Volatile && elements(slice),
        Inst::AtomicAt { op, at, .. } => op != AtomicOp::Load && by_address(at.space),
        Inst::StoreAt { at, access, .. } => access == StoreAccess::Volatile && by_address(at.space),
        _ => false,
    }
}

/// Hanoi, section VI-C: "decides to put BSYNC later than the IPDom point after the lock was released". The `bsync` behind a
/// loop that waits on some memory goes behind the last strong write to that memory which all of the barrier come to.
pub(super) fn delay(code: &Code, graph: &Ways, barriers: &mut [Barrier]) {
    let joins = crate::graph::immediate_post_dominators(&graph.successors);
    for barrier in barriers.iter_mut().filter(|barrier| barrier.breaks.is_empty()) {
        let Point::Loop(header) = barrier.point else { continue };
        let Some(l) = graph.loops.iter().find(|l| l.header == header) else { continue };
        let memory = waits_on(code, graph, l);
        let around = |block: usize| graph.loops_around(block).filter(|l| l.header != header).count();
        let release = |&(_, inst): &(usize, &Inst)| releases(inst, &memory);
        let has_release = |block: usize| insts(code, graph, block).any(|found| release(&found));
        let mut at = barrier.join;
        // Other lanes come there, too, which are no participants.
        if !graph.dominates(header, at) {
            continue;
        }
        loop {
            // What comes before the loop begins anew.
            let behind = graph.reachable(graph.successors[at].iter().copied(), |block| graph.dominates(block, header));
            let later = (0..behind.len()).any(|block| {
                behind[block]
                    && block != at
                    && !l.contains[block]
                    && graph.dominates(header, block)
                    && has_release(block)
            });
            if !later {
                break;
            }
            // A loop on the way is passed as a whole.
            let mut next = joins[at];
            while let Some(block) = next.filter(|&block| around(block) != around(header)) {
                next = joins[block];
            }
            match next {
                Some(next) if graph.dominates(header, next) => at = next,
                _ => break,
            }
        }
        let last = insts(code, graph, at).rev().find(release).map(|(index, _)| index);
        let last = last.filter(|_| around(at) == around(header));
        if let Some(index) = last {
            barrier.region = super::place::region(graph, barrier.point, at);
            barrier.region[at] = true;
            (barrier.join, barrier.meeting) = (at, Meeting::After(index));
        } else if at != barrier.join {
            barrier.region = super::place::region(graph, barrier.point, at);
            (barrier.join, barrier.meeting) = (at, Meeting::Head(at));
        }
    }
}
