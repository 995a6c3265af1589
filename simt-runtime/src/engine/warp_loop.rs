//! The flow: which segment runs next, for which lanes.
//!
//! Generic over the policy and knowing no values, it asks the policy for the current split, lets the lanes run a segment,
//! and tells the policy how the segment ended.
//!
//! * `ahead`: lanes that run a segment before they issue;
//! * `calls`: where each lane returns to, and what it keeps meanwhile;
//! * `collective`: operations of lanes together, and the arrival of a warp at a barrier;
//! * `converge`: what the operands of convergence barriers mean;
//! * `core`: the same loop for policies that regroup the threads of several warps.
//!
//! PERF: the dispatch on the instruction set stands around the whole loop, and each clone calls the lanes' function for its
//! own set directly.

use super::{Arrival, CallLimits, Calls, Misuse, TooManyCalls, collective, converge};

use crate::lanes;
use crate::lanes::{LaneFault, Registers};
use crate::memory::Memory;
use crate::observe::{Observer, Ran};
use crate::plan::{Control, Plan};
use crate::policy::checked::BrokenCheck;
use crate::policy::{Branch, WarpPolicy, WarpSplit};
use multiversion::multiversion;
use multiversion::target::match_target;
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Pc};
use smallvec::SmallVec;

/// Why a warp stopped before its end.
#[derive(Clone, Debug)]
pub(crate) enum WarpStop {
    /// A lane could not execute an operation of the plan.
    Fault {
        micro: u32,
        lane: u32,
        mask: LaneMask,
    },
    /// A lane used a collective or a barrier wrongly.
    Misuse {
        misuse: Misuse,
        lane: u32,
        mask: LaneMask,
        pc: Pc,
    },
    /// A lane is in too many calls.
    Calls {
        what: TooManyCalls,
        lane: u32,
        mask: LaneMask,
        pc: Pc,
    },
    /// A check failed.
    Check(Box<BrokenCheck>),
    /// No lane can go on: all wait for others.
    Deadlock {
        splits: Vec<WarpSplit>,
    },
    StepLimit {
        splits: Vec<WarpSplit>,
    },
}

/// How a warp came back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turn {
    /// All its threads have ended.
    Ended,
    /// It has arrived at a barrier, and waits if the operation does.
    Arrived(Arrival),
    /// It has run for long enough: others may run.
    Paused,
}

/// What a warp runs on.
pub(crate) struct Warp<'w, 'a> {
    pub(crate) plan: &'w Plan,
    pub(crate) registers: &'w mut Registers,
    pub(crate) memory: &'w mut Memory<'a>,
    pub(crate) step_limit: u64,
    /// How many instructions it may issue before others have their turn.
    pub(crate) turn: u64,
    pub(crate) calls: CallLimits,
}

/// A warp between its turns.
#[derive(Clone, Debug)]
pub(crate) struct State<P> {
    /// Taken while the warp runs.
    pub(super) policy: Option<P>,
    /// Lanes whose threads have not ended.
    pub(crate) live: LaneMask,
    pub(super) steps: u64,
    pub(super) calls: Calls,
    /// Lanes that have come to a collective or barrier, and wait for the rest.
    pub(super) arrived: SmallVec<[WarpSplit; 2]>,
    /// The barrier that the warp waits at.
    pub(super) barrier: Option<Arrival>,
}

impl<P: WarpPolicy> State<P> {
    /// A warp whose threads stand at the entry.
    pub(crate) fn new(policy: P, threads: LaneMask) -> Self {
        Self { policy: Some(policy), ..Self::held_elsewhere(threads) }
    }

    /// The same for a warp whose threads are held by a policy of the core.
    pub(crate) fn held_elsewhere(threads: LaneMask) -> Self {
        Self { policy: None, live: threads, steps: 0, calls: Calls::default(), arrived: SmallVec::new(), barrier: None }
    }

    /// What is to be seen of a warp whose threads are held elsewhere.
    pub(crate) fn show(&mut self, policy: P) {
        self.policy = Some(policy);
    }

    /// Ends the wait at a barrier of a warp whose threads are held elsewhere.
    pub(crate) fn leave_barrier(&mut self) -> Option<Arrival> {
        self.barrier.take()
    }

    /// How many instructions the warp has issued.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Chooses lanes that are all free; gives who issues next.
    pub(crate) fn select(&mut self, free: LaneMask) -> Option<WarpSplit> {
        let policy = self.policy.as_mut()?;
        if P::TIMING.selects(policy, free) { policy.current() } else { None }
    }

    /// Those of `late` wait longer for what they have loaded than others of the warp: gives whether a split was divided.
    pub(crate) fn divide(&mut self, late: LaneMask) -> bool {
        self.policy.as_mut().is_some_and(|policy| P::TIMING.divides(policy, late))
    }

    /// The lanes that issue next.
    pub(crate) fn current(&self) -> Option<WarpSplit> {
        self.policy.as_ref().and_then(P::current)
    }

    /// What the policy has broken, if it is checked.
    pub(crate) fn broken(&self) -> Option<&BrokenCheck> {
        self.policy.as_ref().and_then(|policy| P::CHECKING.broken(policy))
    }

    /// Whether the warp goes on as the other does, if registers and memory are the same.
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        let Self { policy, live, steps: _, calls, arrived, barrier } = self;
        (policy, live, calls, arrived, barrier)
            == (&other.policy, &other.live, &other.calls, &other.arrived, &other.barrier)
    }

    /// The barrier that the warp waits at has opened.
    pub(crate) fn open_barrier(&mut self) {
        if let (Some(arrival), Some(policy)) = (self.barrier.take(), &mut self.policy) {
            collective::go_on(policy, arrival.lanes, arrival.next);
        }
    }

    /// The lanes of the warp by address.
    pub(crate) fn splits(&self) -> Vec<WarpSplit> {
        self.policy.as_ref().map(P::splits).unwrap_or_default()
    }

    /// The warp has ended: an observer hears what the policy has counted.
    #[inline]
    pub(crate) fn ended(&self, observer: &mut impl Observer) {
        if let Some(policy) = &self.policy {
            policy.figures(&mut |figure| observer.counted(figure));
        }
    }

    /// The names of the functions that a lane is in, by the addresses of the calls, innermost last.
    pub(crate) fn calls(&self) -> &Calls {
        &self.calls
    }

    /// The barrier that the warp waits at.
    pub(crate) fn waits_at(&self) -> Option<Arrival> {
        self.barrier
    }

    /// The lanes that have come to a collective and wait there.
    pub(crate) fn arrived(&self) -> &[WarpSplit] {
        &self.arrived
    }
}

/// Runs a warp until all its threads have ended, it comes to a barrier, or others are to have their turn.
#[multiversion(targets("x86_64+avx2+fma+bmi1+bmi2+popcnt+lzcnt"), dispatcher = "direct")]
pub(crate) fn run<P: WarpPolicy, O: Observer>(
    warp: Warp<'_, '_>,
    state: &mut State<P>,
    observer: &mut O,
) -> Result<Turn, WarpStop> {
    let Warp { plan, registers, memory, step_limit, turn, calls } = warp;
    // PERF: the policy is the loop's own while it runs, so that its fields can be kept in registers.
    let Some(mut policy) = state.policy.take() else { return Ok(Turn::Ended) };
    let mut steps = state.steps;
    let pause = steps.saturating_add(turn).min(step_limit);
    registers.activate(state.live);
    let (segments, micros, extended) = (&plan.segments[..], &plan.micros[..], &plan.extended[..]);
    let result = loop {
        let Some(WarpSplit { pc, mask }) = policy.current() else {
            if let Some(broken) = P::CHECKING.broken(&policy) {
                break Err(WarpStop::Check(Box::new(broken.clone())));
            }
            if state.live.is_empty() {
                break Ok(Turn::Ended);
            }
            // Whoever is left waits for others. Those who have ended are no longer waited for.
            match collective::recheck(plan, registers, state, &mut policy, memory) {
                Ok(Some(arrival)) => break Ok(Turn::Arrived(arrival)),
                // Lanes that waited go on, in the next turn if this one is over.
                Ok(None) if steps > pause && steps <= step_limit => break Ok(Turn::Paused),
                Ok(None) => continue,
                Err(stop) => break Err(stop),
            }
        };
        let segment = &segments[pc.index()];
        if mask.0 != registers.mask.bits {
            registers.activate(mask);
        }
        if segment.start != segment.end {
            let ops = &micros[segment.start as usize..segment.end as usize];
            let fault = match_target! {
                "x86_64+avx2+fma+bmi1+bmi2+popcnt+lzcnt" => {
                    if registers.are_few {
                        lanes::run_32_avx2(ops, extended, registers, memory)
                    } else {
                        lanes::run_any_avx2(ops, extended, registers, memory)
                    }
                },
                _ => lanes::run_any_portable(ops, extended, registers, memory),
            };
            if let Some(LaneFault { place, lane }) = fault {
                break Err(WarpStop::Fault { micro: segment.start + place, lane, mask });
            }
        }
        steps += u64::from(segment.instructions.max(1));
        let ran = Ran { plan, segment };
        match segment.control {
            Control::Next(next) => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                policy.advance(next);
            }
            Control::Jump { target, kind } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                policy.jump(kind, target);
            }
            Control::Branch { predicate, when, target, next, meet, leaves } => {
                let holds = registers.predicates[predicate as usize];
                let taken = mask & LaneMask(if when { holds } else { !holds });
                observer.ran(ran, mask, taken);
                policy.branch(Branch { taken, target, next, meet, leaves });
            }
            Control::Exit => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                state.live = state.live - mask;
                policy.exit();
            }
            Control::Marker { marker, next } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                policy.marker(marker, next);
            }
            Control::Converge { op, next } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                converge::converge(registers, &mut policy, op, mask, next);
            }
            Control::Indirect { index, table, at, meet } => {
                let (target, taken) = first_target(plan, registers, mask, index, table);
                observer.ran(ran, taken, LaneMask::EMPTY);
                observer.branched(at, taken, mask - taken);
                if taken == mask {
                    policy.jump(JumpKind::Plain, target);
                } else {
                    policy.branch(Branch { taken, target, next: at, meet, leaves: false });
                }
            }
            Control::Call { target, back } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                if let Some((lane, what)) = state.calls.call(plan, registers, memory, mask, back, calls) {
                    break Err(WarpStop::Calls { what, lane, mask, pc: Pc(back.0 - 1) });
                }
                policy.call(target, back);
            }
            Control::Return => {
                let back = state.calls.back(mask);
                let returning = state.calls.ret(plan, registers, memory, mask, back);
                observer.ran(ran, returning, LaneMask::EMPTY);
                policy.ret(returning, back, pc);
            }
            Control::Collective { .. } | Control::Barrier { .. } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                match collective::arrive(plan, registers, state, &mut policy, memory, WarpSplit { pc, mask }) {
                    Ok(Some(arrival)) => break Ok(Turn::Arrived(arrival)),
                    Ok(None) => {}
                    Err(stop) => break Err(stop),
                }
            }
        }
        if steps > pause && policy.current().is_some() {
            break if steps > step_limit {
                Err(WarpStop::StepLimit { splits: policy.splits() })
            } else {
                Ok(Turn::Paused)
            };
        }
    };
    state.steps = steps;
    state.policy = Some(policy);
    result
}

/// Where the lowest lane of an indirect branch goes, and the lanes that go there with it.
fn first_target(plan: &Plan, registers: &mut Registers, mask: LaneMask, index: u16, table: u32) -> (Pc, LaneMask) {
    let mut first = None;
    let taken = targets(plan, registers, mask, index, table, &mut first);
    (first.unwrap_or(Pc(0)), taken)
}

/// The lanes of an indirect branch that go to an address: if none is given, to where the lowest goes.
pub(super) fn targets(
    plan: &Plan,
    registers: &mut Registers,
    mask: LaneMask,
    index: u16,
    table: u32,
    first: &mut Option<Pc>,
) -> LaneMask {
    let targets = &plan.code.tables[table as usize];
    let last = targets.len().saturating_sub(1);
    let mut taken = LaneMask::EMPTY;
    for (lane, &mut index) in registers.word_row(index).enumerate() {
        if !mask.contains(lane) {
            continue;
        }
        let target = targets[(index as usize).min(last)];
        if *first.get_or_insert(target) == target {
            taken |= LaneMask::lane(lane);
        }
    }
    taken
}
