//! The loop that runs a warp: which segment is next, for which lanes.
//!
//! Generic over the policy and knowing no values, it asks the policy for the current split, lets the lanes run a segment,
//! and executes the control instruction at its end.
//!
//! PERF: compiled for the processor's instructions on bits, but without vectors: those are the lanes' functions' own, and between
//! functions with vectors each call would clear their upper halves, which took 4 % of mandel's and Collatz' time.

use super::control::{self, Group, GroupPart, Halt, Ways, holding};
use super::state::WarpState;
use super::{CallLimits, Launch, Why, WithoutTurn, collective, converge};
use crate::lanes::{self, LaneFault, Registers};
use crate::memory::Memory;
use crate::observe::{Observer, Ran, WarpMoment};
use crate::plan::{Converge, Plan};
use crate::policy::{Branch, WarpPolicy, WarpSplit};
use multiversion::multiversion;
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Pc};

/// How a warp came back.
#[derive(Clone, Copy, Debug)]
pub(super) enum WarpTurn {
    /// All its threads have ended.
    Ended,
    /// It has arrived at a barrier, and waits if the operation does.
    Arrived,
    /// It has run for long enough: others may run.
    Paused,
}

/// What a warp runs on.
pub(super) struct Warp<'w, 'a> {
    pub(super) launch: &'w Launch<'w>,
    pub(super) registers: &'w mut Registers,
    pub(super) state: &'w mut WarpState,
    pub(super) memory: &'w mut Memory<'a>,
    /// How many instructions it may issue before others have their turn.
    pub(super) turn: u64,
}

/// The current lanes of a warp.
struct LanesOfWarp<'g, 'a, P> {
    plan: &'g Plan,
    registers: &'g mut Registers,
    memory: &'g mut Memory<'a>,
    state: &'g mut WarpState,
    policy: &'g mut P,
    mask: LaneMask,
    chosen: LaneMask,
}

impl<P: WarpPolicy> Group for LanesOfWarp<'_, '_, P> {
    #[inline(always)]
    fn mask(&self) -> LaneMask {
        self.mask
    }

    #[inline(always)]
    fn formed(&self, _chosen: bool, _observer: &mut impl Observer) {}

    #[inline(always)]
    fn choose(&mut self, mut choice: impl FnMut(GroupPart<'_, '_>) -> Result<LaneMask, Why>) -> Result<LaneMask, Halt> {
        let Self { registers, memory, state: WarpState { live, calls, .. }, mask, .. } = self;
        self.chosen = choice(GroupPart { lanes: *mask, registers, live, calls, memory }).map_err(|why| (0, why))?;
        Ok(self.chosen)
    }

    #[inline(always)]
    fn choose_holding(&mut self, predicate: u16, when: bool, _ways: Ways) -> LaneMask {
        self.chosen = self.mask & holding(self.registers, predicate, when);
        self.chosen
    }

    #[inline(always)]
    fn back(&self) -> Pc {
        self.state.calls.back(self.mask)
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.policy.advance(next);
    }

    #[inline(always)]
    fn jump(&mut self, kind: JumpKind, target: Pc) {
        self.policy.jump(kind, target);
    }

    #[inline(always)]
    fn branch(&mut self, Ways { target, next, meet, leaves }: Ways) {
        self.policy.branch(Branch { taken: self.chosen, target, next, meet, leaves });
    }

    #[inline(always)]
    fn indirect(&mut self, target: Pc, at: Pc, meet: Option<Pc>) {
        if self.chosen == self.mask {
            self.policy.jump(JumpKind::Plain, target);
        } else {
            self.policy.branch(Branch { taken: self.chosen, target, next: at, meet, leaves: false });
        }
    }

    #[inline(always)]
    fn exit(&mut self) {
        self.policy.exit();
    }

    #[inline(always)]
    fn marker(&mut self, marker: Marker, next: Pc) {
        self.policy.marker(marker, next);
    }

    #[inline(always)]
    fn converge(&mut self, op: Converge, next: Pc) {
        converge::converge(self.registers, self.policy, op, self.mask, next);
    }

    #[inline(always)]
    fn call(&mut self, target: Pc, back: Pc) {
        self.policy.call(target, back);
    }

    #[inline(always)]
    fn ret(&mut self, back: Pc, at: Pc) {
        self.policy.ret(self.chosen, back, at);
    }

    #[inline(always)]
    fn arrive(&mut self, at: Pc) -> Result<bool, Halt> {
        let Self { plan, registers, memory, state, policy, mask, .. } = self;
        let split = WarpSplit { pc: at, mask: *mask };
        collective::arrive(plan, registers, state, &mut **policy, memory, split).map_err(|why| (0, why))
    }
}

/// Lanes run the segment that they stand at, and execute the control instruction at its end. Returns whether the warp has come
/// to a barrier.
#[inline(always)]
fn issue<P: WarpPolicy, O: Observer>(
    group: &mut LanesOfWarp<'_, '_, P>,
    pc: Pc,
    steps: &mut u64,
    limits: &CallLimits,
    observer: &mut O,
) -> Result<bool, Why> {
    let LanesOfWarp { plan, registers, memory, state, policy, mask, .. } = group;
    let (plan, mask) = (*plan, *mask);
    observer.stands(&WarpMoment(&**policy, || state.waiting()));
    let segment = &plan.segments[pc.index()];
    registers.activate(mask);
    if segment.start != segment.end {
        let ops = &plan.micros[segment.start as usize..segment.end as usize];
        let fault = lanes::run(ops, plan, registers, memory);
        if let Some(LaneFault { place, lane }) = fault {
            return Err(Why::Fault { micro: segment.start + place, lane, mask });
        }
    }
    *steps += u64::from(segment.steps);
    control::execute(group, Ran { plan, segment }, limits, observer).map_err(|(_, why)| why)
}

/// The current lanes of a warp run the segment at an address, which keeps to itself, if they stand there.
#[multiversion(targets("x86_64+bmi1+bmi2+popcnt+lzcnt"), dispatcher = "direct")]
pub(super) fn without_turn<P: WarpPolicy, O: Observer>(
    warp: Warp<'_, '_>,
    held: &mut Option<P>,
    at: Pc,
    observer: &mut O,
) -> WithoutTurn {
    let Warp { launch, registers, state, memory, .. } = warp;
    let (plan, limits) = (launch.plan, launch.call_limits());
    let Some(policy) = held else { return WithoutTurn::No };
    let Some(WarpSplit { pc, mask }) = policy.current().filter(|split| split.pc == at) else { return WithoutTurn::No };
    let mut steps = state.steps;
    let mut group = LanesOfWarp { plan, registers, memory, state, policy, mask, chosen: mask };
    if issue(&mut group, pc, &mut steps, &limits, observer).is_err() {
        unreachable!("what keeps to itself cannot fail");
    }
    state.steps = steps;
    let Some(WarpSplit { pc, .. }) = policy.current() else { return WithoutTurn::Last };
    observer.stands(&WarpMoment(&*policy, || state.waiting()));
    WithoutTurn::Next(pc)
}

/// Runs a warp until all its threads have ended, it comes to a barrier, or others are to have their turn.
#[multiversion(targets("x86_64+bmi1+bmi2+popcnt+lzcnt"), dispatcher = "direct")]
pub(super) fn run<P: WarpPolicy, O: Observer>(
    warp: Warp<'_, '_>,
    held: &mut Option<P>,
    observer: &mut O,
) -> Result<WarpTurn, Why> {
    let Warp { launch, registers, state, memory, turn } = warp;
    let (plan, step_limit, limits) = (launch.plan, launch.config.step_limit, launch.call_limits());
    let Some(policy) = held else { return Ok(WarpTurn::Ended) };
    let mut steps = state.steps;
    let pause = steps.saturating_add(turn).min(step_limit);
    registers.activate(state.live);
    let result = loop {
        let Some(WarpSplit { pc, mask }) = policy.current() else {
            if let Some(broken) = P::CHECKING.broken(policy) {
                break Err(Why::Check(Box::new(broken.clone())));
            }
            if state.live.is_empty() {
                break Ok(WarpTurn::Ended);
            }
            // The lanes that are left wait for others. Those which have ended are no longer waited for.
            match collective::recheck(plan, registers, state, policy, memory) {
                Ok(true) => break Ok(WarpTurn::Arrived),
                // Lanes that waited go on, in the next turn if this one is over: one of no instruction is, behind what lanes did
                // without a turn.
                Ok(false) if (steps > pause || turn == 0) && steps <= step_limit => break Ok(WarpTurn::Paused),
                Ok(false) => continue,
                Err(why) => break Err(why),
            }
        };
        let mut group = LanesOfWarp { plan, registers, memory, state, policy, mask, chosen: mask };
        match issue(&mut group, pc, &mut steps, &limits, observer) {
            Err(why) => break Err(why),
            Ok(true) => break Ok(WarpTurn::Arrived),
            Ok(false) => {}
        }
        if steps > pause && policy.current().is_some() {
            break if steps > step_limit { Err(Why::StepLimit) } else { Ok(WarpTurn::Paused) };
        }
    };
    state.steps = steps;
    observer.stands(&WarpMoment(&*policy, || state.waiting()));
    result
}
