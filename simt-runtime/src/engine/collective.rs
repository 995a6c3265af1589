//! Operations of lanes together.
//!
//! Lanes that name the same lanes are a group. It is complete when all that it names have come to it, naming the same, or have
//! ended. Lanes that come early wait, if the policy can run others meanwhile; the values of all are in the registers, so that
//! those which come last compute for all. A barrier of the block is first a collective of the warp: all lanes that have not
//! ended must come.
//!
//! Source: CUDA C++ Programming Guide on warp votes, shuffles and `__syncwarp`; for barriers the CUDA report, sections 5.4.2
//! and 5.5.

use super::compute::compute;
use super::state::WarpState;
use super::{GRID, Why};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::plan::{BarrierUse, Collective, Control, Plan};
use crate::policy::{Branch, WarpPolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::Pc;
use simt_core::program::{BarrierOp, CollectiveOp};

/// A warp has come to a barrier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arrival {
    /// The barrier's instruction.
    pub(crate) pc: Pc,
    /// The address behind it.
    pub(crate) next: Pc,
    /// The barrier's number in the plan.
    pub(crate) number: u32,
    /// The lanes that have come: all that have not ended.
    pub(crate) lanes: LaneMask,
    /// Which of the block's barriers.
    pub(crate) index: u32,
    /// How many threads must come, if it is said.
    pub(crate) threads: Option<u32>,
    /// What a reduction reduces.
    pub(crate) values: LaneMask,
}

/// A wrong use of a collective or a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misuse {
    /// A lane names lanes, and not itself.
    NotNamed { mask: u64 },
    /// A shuffle from a lane that takes no part.
    FromAbsent { lane: u32 },
    /// Lanes of a warp name different barriers or thread counts.
    NotUniform,
}

/// Holds the addresses of a warp's lanes, as far as operations of lanes together need it.
pub(super) trait Holder {
    /// The current lanes of the warp.
    fn active(&self) -> LaneMask;
    /// The current lanes go on at an address.
    fn proceed(&mut self, next: Pc);
    /// Some of the current lanes go on at an address, and the others are to come to this one again.
    fn part(&mut self, lanes: LaneMask, next: Pc, at: Pc);
    /// The current lanes wait. Returns whether others may run meanwhile.
    fn park(&mut self) -> bool;
    /// The same where no others can run but those that are held back where nothing is left to do but to end.
    fn release(&mut self, ends: &dyn Fn(Pc) -> bool) -> bool;
    /// Lanes that wait go on at an address.
    fn wake(&mut self, lanes: LaneMask, next: Pc);
}

impl<P: WarpPolicy> Holder for P {
    fn active(&self) -> LaneMask {
        self.current().map_or(LaneMask::EMPTY, |split| split.mask)
    }
    fn proceed(&mut self, next: Pc) {
        self.advance(next);
    }
    fn part(&mut self, lanes: LaneMask, next: Pc, at: Pc) {
        self.branch(Branch { taken: lanes, target: next, next: at, meet: None, leaves: false });
    }
    fn park(&mut self) -> bool {
        P::park(self)
    }
    fn release(&mut self, ends: &dyn Fn(Pc) -> bool) -> bool {
        // One of a user's may say so and let none go.
        P::release(self, ends) && (self.current().is_some() || P::CHECKING.broken(self).is_some())
    }
    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        P::wake(self, lanes, next);
    }
}

/// What came of an arrival: whether the whole warp is at a barrier now. Its state says which.
type Outcome = Result<bool, Why>;

/// The current lanes come to the collective or barrier at their address.
///
/// PERF: a function is entered and left in some 20 instructions of the host, of the 350 or so that an arrival at a barrier takes.
#[inline(always)]
pub(super) fn arrive<H: Holder>(
    plan: &Plan,
    registers: &mut Registers,
    state: &mut WarpState,
    policy: &mut H,
    memory: &mut Memory<'_>,
    split: WarpSplit,
) -> Outcome {
    // PERF: most often a warp comes to a barrier as a whole, and there is nothing to compare.
    if split.mask == state.live
        && state.arrived.is_empty()
        && let Control::Barrier { number, next } = plan.segments[split.pc.index()].control
    {
        return come(plan, registers, state, policy, split, (number, next));
    }
    arrive_with_others(plan, registers, state, policy, memory, split)
}

/// As [`arrive`], where others have come or are to come.
fn arrive_with_others<H: Holder>(
    plan: &Plan,
    registers: &mut Registers,
    state: &mut WarpState,
    policy: &mut H,
    memory: &mut Memory<'_>,
    split: WarpSplit,
) -> Outcome {
    let place = state.arrived.iter().position(|known| known.pc == split.pc);
    let before = place.map_or(LaneMask::EMPTY, |place| state.arrived[place].mask);
    let arrived = WarpSplit { mask: before | split.mask, ..split };
    let ready = ready(plan, registers, state.live, arrived);
    if let Ok(ready) = ready
        && split.mask.is_subset(ready)
    {
        return complete(plan, registers, state, policy, memory, WarpSplit { mask: ready, ..arrived });
    }
    match place {
        Some(place) => state.arrived[place] = arrived,
        None => state.arrived.push(arrived),
    }
    let ready = ready?;
    let mut waits = policy.park();
    if !ready.is_empty() {
        let parts = !waits && !(ready & split.mask).is_empty();
        if parts {
            leave(state, WarpSplit { mask: split.mask - ready, ..split });
        }
        complete(plan, registers, state, policy, memory, WarpSplit { mask: ready, ..arrived })?;
        // A mechanism that had no others to run has them now.
        waits = waits || parts || policy.park();
    }
    if waits || policy.release(&|pc| plan.only_ends(pc)) { Ok(false) } else { Err(Why::WarpDeadlock) }
}

/// Lanes that have come do not wait any more.
fn leave(state: &mut WarpState, lanes: WarpSplit) {
    if let Some(place) = state.arrived.iter().position(|known| known.pc == lanes.pc) {
        state.arrived[place].mask = state.arrived[place].mask - lanes.mask;
        if state.arrived[place].mask.is_empty() {
            state.arrived.remove(place);
        }
    }
}

/// All lanes that could run wait: some may wait for lanes that have ended.
#[cold]
pub(super) fn recheck<H: Holder>(
    plan: &Plan,
    registers: &mut Registers,
    state: &mut WarpState,
    policy: &mut H,
    memory: &mut Memory<'_>,
) -> Outcome {
    for number in 0..state.arrived.len() {
        let arrived = state.arrived[number];
        let ready = ready(plan, registers, state.live, arrived)?;
        if !ready.is_empty() {
            return complete(plan, registers, state, policy, memory, WarpSplit { mask: ready, ..arrived });
        }
    }
    if policy.release(&|pc| plan.only_ends(pc)) { Ok(false) } else { Err(Why::WarpDeadlock) }
}

/// Of the lanes that have come to an address, those that may go on: all that they name have come, and name the same, or have
/// ended.
fn ready(plan: &Plan, registers: &mut Registers, live: LaneMask, arrived: WarpSplit) -> Result<LaneMask, Why> {
    let mut ready = LaneMask::EMPTY;
    each_group(plan, registers, live, arrived, |group, missing| {
        if missing.is_empty() {
            ready |= group;
        }
    })?;
    Ok(ready)
}

/// Calls a function for each group of lanes that have come to an address and name the same lanes, with the live ones of those
/// that are not among them.
pub(crate) fn each_group(
    plan: &Plan,
    registers: &mut Registers,
    live: LaneMask,
    arrived: WarpSplit,
    mut tell: impl FnMut(LaneMask, LaneMask),
) -> Result<(), Why> {
    let Control::Collective { number, .. } = plan.segments[arrived.pc.index()].control else {
        tell(arrived.mask, live - arrived.mask);
        return Ok(());
    };
    let Collective { op, mask, .. } = plan.collectives[number as usize];
    let Some(row) = mask else {
        // None is waited for to say which are active.
        let waits = op != CollectiveOp::ActiveMask;
        tell(arrived.mask, if waits { live - arrived.mask } else { LaneMask::EMPTY });
        return Ok(());
    };
    for lane in arrived.mask.lanes() {
        let named = LaneMask(*registers.wide(row, lane));
        if !named.contains(lane) {
            let misuse = Misuse::NotNamed { mask: named.0 };
            return Err(Why::Misuse { misuse, lane: lane as u32, mask: arrived.mask, pc: arrived.pc });
        }
    }
    let mut rest = arrived.mask;
    while let Some((group, named)) = first_group(registers, row, rest) {
        rest = rest - group;
        tell(group, (named & live) - group);
    }
    Ok(())
}

/// The lowest of some lanes with those that name the same, and what they name; `None` of no lanes.
fn first_group(registers: &mut Registers, row: u16, lanes: LaneMask) -> Option<(LaneMask, LaneMask)> {
    let named = *registers.wide(row, lanes.lanes().next()?);
    let same = lanes.lanes().filter(|&lane| *registers.wide(row, lane) == named);
    Some((same.fold(LaneMask::EMPTY, |lanes, lane| lanes | LaneMask::lane(lane)), LaneMask(named)))
}

/// All that these lanes wait for have come.
fn complete<H: Holder>(
    plan: &Plan,
    registers: &mut Registers,
    state: &mut WarpState,
    policy: &mut H,
    memory: &mut Memory<'_>,
    arrived: WarpSplit,
) -> Outcome {
    leave(state, arrived);
    match plan.segments[arrived.pc.index()].control {
        Control::Collective { number, next } => {
            let collective = plan.collectives[number as usize];
            // Lanes that name the same lanes work together.
            let mut rest = arrived.mask;
            while !rest.is_empty() {
                let group = collective.mask.and_then(|row| first_group(registers, row, rest));
                let group = group.map_or(rest, |(group, _)| group);
                rest = rest - group;
                if collective.op == CollectiveOp::SyncWarp {
                    memory.meet(group);
                }
                let misuse = compute(registers, collective, group);
                if let Err((misuse, lane)) = misuse {
                    return Err(Why::Misuse { misuse, lane: lane as u32, mask: group, pc: arrived.pc });
                }
            }
            go_on(policy, arrived, next);
            Ok(false)
        }
        Control::Barrier { number, next } => come(plan, registers, state, policy, arrived, (number, next)),
        _ => unreachable!("lanes come together at collectives and barriers only"),
    }
}

/// All lanes of the warp have come to a barrier.
#[inline(always)]
fn come<H: Holder>(
    plan: &Plan,
    registers: &mut Registers,
    state: &mut WarpState,
    policy: &mut H,
    arrived: WarpSplit,
    (number, next): (u32, Pc),
) -> Outcome {
    let (index, threads) = barrier_of(plan, registers, arrived, number)?;
    let BarrierUse { op, value, .. } = plan.barriers[number as usize];
    let values = value.map_or(LaneMask::EMPTY, |row| LaneMask(registers.predicates[row as usize]));
    let WarpSplit { pc, mask: lanes } = arrived;
    state.barrier = Some(Arrival { pc, next, number, lanes, index, threads, values: values & lanes });
    if op == BarrierOp::Arrive {
        go_on(policy, arrived, next);
    }
    Ok(true)
}

/// The lanes go on behind the operation that they have come to: the current ones, and those that wait.
#[inline(always)]
pub(super) fn go_on<H: Holder>(policy: &mut H, WarpSplit { pc, mask: lanes }: WarpSplit, next: Pc) {
    let current = policy.active();
    if !current.is_empty() && current.is_subset(lanes) {
        policy.proceed(next);
    } else if !(current & lanes).is_empty() {
        policy.part(current & lanes, next, pc);
    }
    if lanes != current {
        policy.wake(lanes - current, next);
    }
}

/// Which of the block's barriers the lanes have come to, and how many threads must come, if it is said.
#[inline]
fn barrier_of(
    plan: &Plan,
    registers: &mut Registers,
    arrived: WarpSplit,
    number: u32,
) -> Result<(u32, Option<u32>), Why> {
    let barrier = plan.barriers[number as usize];
    let number_of_all = if barrier.op == BarrierOp::Grid { GRID } else { 0 };
    if barrier.index.is_none() && barrier.threads.is_none() {
        return Ok((number_of_all, None));
    }
    let mut uniform = |row: Option<u16>| {
        let Some(row) = row else { return Ok(None) };
        let first = arrived.mask.lanes().next().map_or(0, |lane| *registers.word(row, lane));
        match arrived.mask.lanes().find(|&lane| *registers.word(row, lane) != first) {
            None => Ok(Some(first)),
            Some(lane) => {
                let (misuse, lane) = (Misuse::NotUniform, lane as u32);
                Err(Why::Misuse { misuse, lane, mask: arrived.mask, pc: arrived.pc })
            }
        }
    };
    Ok((uniform(barrier.index)?.unwrap_or(number_of_all), uniform(barrier.threads)?))
}
