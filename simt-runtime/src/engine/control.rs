//! What control instructions do: the one place, for lanes of a warp and for threads of a block.
//!
//! Threads have run a segment together, and are at its control instruction. A [`Group`] is these threads with the policy
//! that holds their addresses; there is one for each kind of policy, in `warp_loop` and in `block_loop`.

use super::calls::Calls;
use super::{CallLimits, Why};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::observe::{Observer, Ran};
use crate::plan::{Control, Converge, Plan};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Pc};

/// Why a group cannot go on, and in which warp of its block.
pub(super) type Halt = (usize, Why);

/// Where a branch leads.
#[derive(Clone, Copy)]
pub(super) struct Ways {
    pub(super) target: Pc,
    pub(super) next: Pc,
    pub(super) meet: Option<Pc>,
    pub(super) leaves: bool,
}

/// The lanes of one warp in a group, with what is theirs.
pub(super) struct GroupPart<'p, 'a> {
    pub(super) lanes: LaneMask,
    pub(super) registers: &'p mut Registers,
    pub(super) live: &'p mut LaneMask,
    pub(super) calls: &'p mut Calls,
    pub(super) memory: &'p mut Memory<'a>,
}

/// Threads that have run a segment together, and their policy.
pub(super) trait Group {
    /// The SIMD lanes that they issue in.
    fn mask(&self) -> LaneMask;

    /// Tells an observer which threads issue, or which of them were chosen, where they may be of several warps.
    fn formed(&self, chosen: bool, observer: &mut impl Observer);

    /// Calls a function for the lanes of each warp, the lowest warp first. The lanes that it returns are chosen from then on.
    /// Returns the SIMD lanes of those.
    fn choose(&mut self, choice: impl FnMut(GroupPart<'_, '_>) -> Result<LaneMask, Why>) -> Result<LaneMask, Halt>;

    /// Of those that branch on a predicate, chooses those for which it has a value. Returns their SIMD lanes.
    fn choose_holding(&mut self, predicate: u16, when: bool, ways: Ways) -> LaneMask;

    /// The address that the lowest thread returns to.
    fn back(&self) -> Pc;

    /// All come to an address without a branch.
    fn advance(&mut self, next: Pc);
    /// All jump.
    fn jump(&mut self, kind: JumpKind, target: Pc);
    /// Those that were chosen take the branch.
    fn branch(&mut self, ways: Ways);
    /// Those that were chosen go where an indirect branch leads them; the others are to execute it again.
    fn indirect(&mut self, target: Pc, at: Pc, meet: Option<Pc>);
    /// All have ended.
    fn exit(&mut self);
    /// All have executed a marker of tokens.
    fn marker(&mut self, marker: Marker, next: Pc);
    /// All have executed a marker of convergence barriers.
    fn converge(&mut self, op: Converge, next: Pc);
    /// All call a function.
    fn call(&mut self, target: Pc, back: Pc);
    /// Those that were chosen return.
    fn ret(&mut self, back: Pc, at: Pc);
    /// All come to an operation of lanes together. Returns whether a warp has come to a barrier with it.
    fn arrive(&mut self, at: Pc) -> Result<bool, Halt>;
}

/// Executes the control instruction at the end of the segment that a group has run. Returns whether a warp has come to a
/// barrier.
#[inline(always)]
pub(super) fn execute<O: Observer>(
    group: &mut impl Group,
    ran: Ran<'_>,
    limits: &CallLimits,
    observer: &mut O,
) -> Result<bool, Halt> {
    let (Ran { plan, segment }, mask) = (ran, group.mask());
    // Of an indirect branch and of a return only those count as executing it that go to the same address.
    if !matches!(segment.control, Control::Indirect { .. } | Control::Return { .. }) {
        group.formed(false, observer);
    }
    match segment.control {
        Control::Next(next) => {
            observer.ran(ran, mask, LaneMask::EMPTY);
            group.advance(next);
        }
        Control::Jump { target, kind } => {
            observer.ran(ran, mask, LaneMask::EMPTY);
            group.jump(kind, target);
        }
        Control::Branch { predicate, when, target, next, meet, leaves } => {
            let ways = Ways { target, next, meet, leaves };
            let taken = group.choose_holding(predicate, when, ways);
            observer.ran(ran, mask, taken);
            group.branch(ways);
        }
        Control::Exit => {
            observer.ran(ran, mask, LaneMask::EMPTY);
            group.choose(|part| {
                *part.live = *part.live - part.lanes;
                Ok(LaneMask::EMPTY)
            })?;
            group.exit();
        }
        Control::Marker { marker, next } => {
            observer.ran(ran, mask, LaneMask::EMPTY);
            group.marker(marker, next);
        }
        Control::Converge { op, next } => {
            observer.ran(ran, mask, LaneMask::EMPTY);
            group.converge(op, next);
        }
        Control::Indirect { index, table, at, meet } => {
            let mut target = None;
            let choice = |mut part: GroupPart<'_, '_>| Ok(same_target(plan, &mut part, (index, table), &mut target));
            let chosen = group.choose(choice)?;
            group.formed(true, observer);
            observer.ran(ran, chosen, LaneMask::EMPTY);
            observer.branched(at, chosen, mask - chosen);
            group.indirect(target.unwrap_or(Pc(0)), at, meet);
        }
        Control::Call { target, back } => {
            observer.ran(ran, mask, LaneMask::EMPTY);
            group.choose(|GroupPart { lanes, registers, calls, memory, .. }| {
                match calls.call(plan, registers, memory, lanes, back, limits) {
                    Some((lane, what)) => Err(Why::Calls { what, lane, mask: lanes, pc: Pc(back.0 - 1) }),
                    None => Ok(LaneMask::EMPTY),
                }
            })?;
            group.call(target, back);
        }
        Control::Return { at } => {
            let back = group.back();
            let returning = group.choose(|GroupPart { lanes, registers, calls, memory, .. }| {
                Ok(calls.ret(plan, registers, memory, lanes, back))
            })?;
            group.formed(true, observer);
            observer.ran(ran, returning, LaneMask::EMPTY);
            group.ret(back, at);
        }
        Control::Collective { next, .. } | Control::Barrier { next, .. } => {
            observer.ran(ran, mask, LaneMask::EMPTY);
            return group.arrive(Pc(next.0 - 1));
        }
    }
    Ok(false)
}

/// The lanes for which the predicate of a branch has the value that takes it, of all lanes of a warp.
#[inline(always)]
pub(super) fn holding(registers: &Registers, predicate: u16, when: bool) -> LaneMask {
    let holds = registers.predicates[predicate as usize];
    LaneMask(if when { holds } else { !holds })
}

/// The lanes of an indirect branch that go to an address: if none is given, to where the lowest goes.
fn same_target(
    plan: &Plan,
    part: &mut GroupPart<'_, '_>,
    (index, table): (u16, u32),
    first: &mut Option<Pc>,
) -> LaneMask {
    let GroupPart { lanes, registers, .. } = part;
    let targets = &plan.code.tables[table as usize];
    let last = targets.len().saturating_sub(1);
    let Some(lowest) = lanes.lanes().next() else { return LaneMask::EMPTY };
    let number = *registers.word(index, lowest);
    let target = *first.get_or_insert_with(|| targets[(number as usize).min(last)]);
    // PERF: most often one number leads there, with which those of many lanes are compared at once.
    let mut numbers = targets.iter().zip(0..).filter(|&(&to, _)| to == target).map(|(_, number)| number);
    let only = numbers.next().filter(|&number| (number as usize) < last && numbers.next().is_none());
    let chosen = match only {
        Some(only) => registers.lanes_with(index, |number| number == only),
        None => registers.lanes_with(index, |number| targets[(number as usize).min(last)] == target),
    };
    *lanes & LaneMask(chosen)
}
