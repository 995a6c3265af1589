//! The shadow machine: an address for each lane, moved as the instructions say, whatever the policy does (CUDA report,
//! section 6.3); and the checks of any policy that follow from it.
//!
//! A lane that executes goes to its own successor; one that does not stays. `brk`, `cont` and `ret` name where their lanes go
//! on, and so does a `sync`, as validation has made sure of the code. Lanes that are to execute an indirect branch once more
//! stay at it (the report's function reset).

use super::lanes::Lanes;
use super::tokens::Stack;
use super::{Check, Checks, Guard};
use crate::policy::{BarrierMarker, Branch, TokenState, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Pc};

/// A step of the current lanes, or in `Wake` of those that wait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    Advance(Pc),
    Branch(Branch),
    Jump(JumpKind, Pc),
    Marker(Marker, Pc),
    /// A marker of convergence barriers.
    Converge(BarrierMarker, Pc),
    Call {
        target: Pc,
        back: Pc,
    },
    Return {
        returning: LaneMask,
        back: Pc,
        at: Pc,
    },
    Exit,
    Park,
    Wake(LaneMask, Pc),
    /// No execution: another split is made current, or one is divided.
    Choose,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BrokenCheck {
    pub(crate) check: Check,
    /// Whether it was asked for; if not, it is a law that the policy has broken.
    pub(crate) asked: bool,
    /// The segment that the current lanes ran last.
    pub(crate) ran: WarpSplit,
    /// The lanes that it fails for, if it is about lanes.
    pub(crate) lanes: LaneMask,
    /// Where the lowest of them would be alone, if it has not ended.
    pub(crate) lane_pc: Option<Pc>,
    /// The state that was found instead, in words.
    pub(crate) found: String,
    /// The policy's splits, the lanes that run first.
    pub(crate) splits: Vec<WarpSplit>,
    /// The stack of tokens, the top last.
    pub(crate) tokens: Vec<crate::policy::Token>,
}

/// The result of a check: nothing, or which one fails, for which lanes if it is about lanes, and how.
pub(super) type Finding = Result<(), (Check, LaneMask, String)>;

impl Checks {
    /// A check about lanes: fails if some are wrong. The text is about the lowest.
    #[inline(always)]
    fn lanes(self, check: Check, wrong: LaneMask, found: impl FnOnce(usize) -> String) -> Finding {
        match wrong.lanes().next() {
            Some(lane) if self.contains(check) => Err((check, wrong, found(lane))),
            _ => Ok(()),
        }
    }

    /// A check about the warp.
    #[inline(always)]
    fn that(self, check: Check, holds: bool, found: impl FnOnce() -> String) -> Finding {
        if holds || !self.contains(check) { Ok(()) } else { Err((check, LaneMask::EMPTY, found())) }
    }
}

/// The machine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shadow {
    /// The checks that were asked for.
    pub(super) checks: Checks,
    guard: Guard,
    /// Lanes that have threads.
    pub(super) threads: LaneMask,
    /// Lanes whose threads have not ended.
    pub(super) live: LaneMask,
    /// Where each lane is.
    pub(super) lanes: Lanes,
    /// Lanes that have executed a `bsync` or `warpsync` last: the policy may hold them back.
    pub(super) converging: LaneMask,
    /// Lanes that wait at a collective.
    pub(super) parked: LaneMask,
    /// The lanes that executed last, and the segment.
    pub(super) ran: WarpSplit,
    stack: Stack,
    broken: Option<Box<BrokenCheck>>,
}

impl Shadow {
    pub(super) fn new(split: WarpSplit, checks: Checks, guard: Guard) -> Self {
        let WarpSplit { pc, mask } = split;
        Self {
            checks,
            guard,
            threads: mask,
            live: mask,
            lanes: Lanes::at(pc),
            converging: LaneMask::EMPTY,
            parked: LaneMask::EMPTY,
            ran: split,
            stack: Stack::default(),
            broken: None,
        }
    }

    pub(super) fn broken(&self) -> Option<&BrokenCheck> {
        self.broken.as_deref()
    }

    /// A check about lanes: fails for the lowest of `wrong`, if there is one.
    pub(super) fn lanes(&self, check: Check, wrong: LaneMask, found: impl FnOnce(usize) -> String) -> Finding {
        self.checks.lanes(check, wrong, found)
    }

    /// A check about the warp.
    pub(super) fn that(&self, check: Check, holds: bool, found: impl FnOnce() -> String) -> Finding {
        self.checks.that(check, holds, found)
    }

    /// Where the lanes are that have not ended, without asking the policy: those that run first.
    pub(super) fn splits(&self, current: Option<WarpSplit>) -> Vec<WarpSplit> {
        let running = current.map_or(LaneMask::EMPTY, |split| split.mask);
        let others = self.lanes.by_address(self.live - running);
        current.into_iter().chain(others.map(|(pc, mask)| WarpSplit { pc, mask })).collect()
    }

    /// Whether a user's policy is compared.
    pub(super) fn guards(&self) -> bool {
        self.guard.is_on()
    }

    /// Executes a step of the lanes, before the policy is told of it. Returns whether it should be told.
    #[inline(always)]
    pub(super) fn execute<'t>(
        &mut self,
        step: Step,
        current: Option<WarpSplit>,
        tokens: impl FnOnce() -> Option<TokenState<'t>>,
        splits: impl FnOnce() -> Vec<WarpSplit>,
    ) -> bool {
        if self.broken.is_some() {
            return false;
        }
        let none = WarpSplit { mask: LaneMask::EMPTY, ..self.ran };
        self.ran = current.unwrap_or(none);
        if !self.checks.is_empty()
            && let Some(state) = tokens()
            && let Err(finding) = self.stack.before(self, step, state)
        {
            self.fail(finding, true, splits(), Some(state));
            return false;
        }
        let active = self.ran.mask;
        self.converging = self.converging - active;
        match step {
            Step::Converge(marker, next) => {
                self.lanes.go(active, next);
                if matches!(marker, BarrierMarker::Sync(_) | BarrierMarker::WarpSync(_)) {
                    self.converging |= active;
                }
            }
            Step::Advance(next) | Step::Jump(_, next) | Step::Marker(_, next) => self.lanes.go(active, next),
            Step::Call { target, .. } => self.lanes.go(active, target),
            Step::Branch(Branch { taken, target, next, .. }) => {
                self.lanes.go(active & taken, target);
                self.lanes.go(active - taken, next);
            }
            Step::Return { returning, back, at } => {
                self.lanes.go(active & returning, back);
                self.lanes.go(active - returning, at);
            }
            Step::Exit => self.live = self.live - active,
            Step::Park | Step::Choose => {}
            Step::Wake(lanes, next) => {
                let woken = self.parked & lanes;
                self.lanes.go(woken, next);
                self.parked = self.parked - woken;
            }
        }
        true
    }

    /// Compares the policy's state after the step.
    #[inline(always)]
    pub(super) fn compare<'t>(
        &mut self,
        step: Step,
        parks: bool,
        current: Option<WarpSplit>,
        splits: impl Fn() -> Vec<WarpSplit>,
        tokens: impl FnOnce() -> Option<TokenState<'t>>,
    ) {
        if parks {
            self.parked |= self.ran.mask;
        }
        if !self.checks.is_empty() {
            self.compare_all(step, current, &splits(), tokens());
        }
        // While lanes run, only what follows from these is compared.
        if self.guard.is_on() && !current.is_some_and(|split| self.may_run(split)) && self.broken.is_none() {
            let splits = splits();
            if let Err(finding) = self.policy(Guard::CHECKS, current, &splits) {
                self.fail(finding, false, splits, None);
            }
        }
    }

    /// Evaluates the checks that were asked for.
    #[inline(never)]
    fn compare_all(
        &mut self,
        step: Step,
        current: Option<WarpSplit>,
        splits: &[WarpSplit],
        tokens: Option<TokenState<'_>>,
    ) {
        let finding = self.policy(self.checks, current, splits);
        let finding = match tokens {
            Some(state) => {
                let mut stack = std::mem::take(&mut self.stack);
                let active = current.map_or(LaneMask::EMPTY, |split| split.mask);
                let finding = finding.and_then(|()| stack.after(self, matches!(step, Step::Park), active, state));
                self.stack = stack;
                finding
            }
            None => finding,
        };
        if let Err(finding) = finding {
            self.fail(finding, true, splits.to_vec(), tokens);
        }
    }

    #[cold]
    fn fail(
        &mut self,
        (check, lanes, found): (Check, LaneMask, String),
        asked: bool,
        splits: Vec<WarpSplit>,
        tokens: Option<TokenState<'_>>,
    ) {
        let lowest = lanes.lanes().next();
        let lane_pc = lowest.filter(|&lane| self.live.contains(lane)).map(|lane| self.lanes.of(lane));
        let tokens = tokens.map_or_else(Vec::new, |state| state.tokens.to_vec());
        let ran = self.ran;
        self.broken = Some(Box::new(BrokenCheck { check, asked, ran, lanes, lane_pc, found, splits, tokens }));
    }

    /// Whether lanes can run, as far as their own state says: there are some, none has ended or waits at a collective, and
    /// all are where their instructions have led them.
    #[inline(always)]
    fn may_run(&self, WarpSplit { pc, mask }: WarpSplit) -> bool {
        !mask.is_empty() && mask.is_subset(self.live - self.parked) && self.lanes.elsewhere(mask, pc).is_empty()
    }

    /// Checks the laws that hold of any policy.
    fn policy(&self, checks: Checks, current: Option<WarpSplit>, splits: &[WarpSplit]) -> Finding {
        let none = WarpSplit { mask: LaneMask::EMPTY, ..self.ran };
        let active = current.unwrap_or(none);
        let listed = splits.iter().fold(active.mask, |all, split| all | split.mask);
        checks
            .lanes(Check::T4, listed - self.threads, |lane| format!("lane {lane} has no thread, and runs or waits"))?;
        let ended = self.threads - self.live;
        checks.lanes(Check::T1, listed & ended, |lane| format!("lane {lane} has ended, and runs or waits again"))?;
        checks.that(Check::I4, current.is_none_or(|split| !split.mask.is_empty()), || {
            "the active mask is empty".into()
        })?;
        let none_waits = current.is_none() && (self.parked | self.converging).is_empty();
        let forgotten = if none_waits { self.live } else { LaneMask::EMPTY };
        checks.lanes(Check::I4, forgotten, |lane| format!("no lane runs, but lane {lane} has not ended"))?;
        let wrong = self.lanes.elsewhere(active.mask, active.pc);
        checks.lanes(Check::I1, wrong, |lane| {
            format!("lane {lane} is at {}, the warp at {}", self.lanes.of(lane), active.pc)
        })?;
        checks.lanes(Check::I1, active.mask & self.parked, |lane| {
            format!("lane {lane} runs at {}, and waits at a collective", active.pc)
        })?;
        let first = splits.first().copied();
        checks.that(Check::I1, current.is_none() || first == current, || {
            format!("the lanes {} run at {}, but the splits begin with other ones", active.mask, active.pc)
        })?;
        let mut seen = LaneMask::EMPTY;
        for (number, split) in splits.iter().enumerate() {
            checks.lanes(Check::I7, seen & split.mask, |lane| format!("lane {lane} is in two splits"))?;
            seen |= split.mask;
            let waiting = if number == 0 && current.is_some() { LaneMask::EMPTY } else { split.mask };
            checks.lanes(Check::I2, self.lanes.elsewhere(waiting, split.pc), |lane| {
                format!("lane {lane} waits to go on at {}, but is at {}", split.pc, self.lanes.of(lane))
            })?;
        }
        checks.lanes(Check::I3, self.live - seen, |lane| format!("lane {lane} has not ended, and is in no split"))?;
        checks.that(Check::T6, !self.live.is_empty() || (current.is_none() && splits.is_empty()), || {
            "all lanes have ended, but there are splits left".into()
        })
    }
}
