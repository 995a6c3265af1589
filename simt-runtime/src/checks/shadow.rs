//! The shadow machine: an address for each lane, moved as the instructions say, whatever the policy does (CUDA report,
//! section 6.3); and what it shows of any policy.
//!
//! A lane that executes goes to its own successor; one that does not stays. `brk`, `cont` and `ret` name where their lanes go
//! on, and so does a `sync`, as validation has made sure of the code. Lanes that are to execute an indirect branch once more
//! stay at it (the report's function reset).

use super::tokens::Stack;
use super::{Check, Checks};
use crate::policy::{Branch, TokenState, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Pc};

/// What the current lanes do, or in `Wake` those that wait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    Advance(Pc),
    Branch(Branch),
    Jump(JumpKind, Pc),
    Marker(Marker, Pc),
    /// A marker of convergence barriers; whether lanes may wait at it.
    Converge(bool, Pc),
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
}

/// A check that failed.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenCheck {
    pub(crate) check: Check,
    /// The segment that the current lanes ran last.
    pub(crate) ran: WarpSplit,
    /// The lowest lane that it fails for, if it is about lanes.
    pub(crate) lane: Option<usize>,
    /// Where that lane would be alone, if it has not ended.
    pub(crate) lane_pc: Option<Pc>,
    /// What is the case instead.
    pub(crate) found: String,
    /// What the policy says, the lanes that run first.
    pub(crate) splits: Vec<WarpSplit>,
    /// The stack of tokens, the top last.
    pub(crate) tokens: Vec<crate::policy::Token>,
}

/// What a check found: nothing, or which one fails, for which lane, and how.
pub(super) type Finding = Result<(), (Check, Option<usize>, String)>;

/// The machine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shadow {
    pub(super) checks: Checks,
    /// Lanes that have threads.
    pub(super) threads: LaneMask,
    /// Lanes whose threads have not ended.
    pub(super) live: LaneMask,
    /// Where each lane is.
    pub(super) lanes: [Pc; 64],
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
    pub(super) fn new(split: WarpSplit, checks: Checks) -> Self {
        let WarpSplit { pc, mask } = split;
        Self {
            checks,
            threads: mask,
            live: mask,
            lanes: [pc; 64],
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
        match wrong.lanes().next() {
            Some(lane) if self.checks.contains(check) => Err((check, Some(lane), found(lane))),
            _ => Ok(()),
        }
    }

    /// A check about the warp.
    pub(super) fn that(&self, check: Check, holds: bool, found: impl FnOnce() -> String) -> Finding {
        if holds || !self.checks.contains(check) { Ok(()) } else { Err((check, None, found())) }
    }

    /// Of some lanes those that are elsewhere.
    pub(super) fn elsewhere(&self, mask: LaneMask, pc: Pc) -> LaneMask {
        mask.lanes()
            .filter(|&lane| self.lanes[lane] != pc)
            .fold(LaneMask::EMPTY, |all, lane| all | LaneMask::lane(lane))
    }

    /// The lanes execute a step, before the policy hears of it. Gives whether it should.
    pub(super) fn execute(
        &mut self,
        step: Step,
        current: Option<WarpSplit>,
        tokens: Option<TokenState<'_>>,
        splits: &dyn Fn() -> Vec<WarpSplit>,
    ) -> bool {
        if self.broken.is_some() {
            return false;
        }
        let nobody = WarpSplit { mask: LaneMask::EMPTY, ..self.ran };
        self.ran = current.unwrap_or(nobody);
        if let Some(state) = tokens
            && let Err(finding) = self.stack.before(self, step, state)
        {
            self.fail(finding, splits(), Some(state));
            return false;
        }
        let active = self.ran.mask;
        self.converging = self.converging - active;
        match step {
            Step::Converge(waits, next) => {
                self.goes(active, next);
                if waits {
                    self.converging |= active;
                }
            }
            Step::Advance(next) | Step::Jump(_, next) | Step::Marker(_, next) => self.goes(active, next),
            Step::Call { target, .. } => self.goes(active, target),
            Step::Branch(Branch { taken, target, next, .. }) => {
                self.goes(active & taken, target);
                self.goes(active - taken, next);
            }
            Step::Return { returning, back, at } => {
                self.goes(active & returning, back);
                self.goes(active - returning, at);
            }
            Step::Exit => self.live = self.live - active,
            Step::Park => {}
            Step::Wake(lanes, next) => {
                let woken = self.parked & lanes;
                self.goes(woken, next);
                self.parked = self.parked - woken;
            }
        }
        true
    }

    fn goes(&mut self, mask: LaneMask, to: Pc) {
        mask.lanes().for_each(|lane| self.lanes[lane] = to);
    }

    /// Compares with what the policy has made of the step.
    pub(super) fn compare(
        &mut self,
        step: Step,
        parks: bool,
        current: Option<WarpSplit>,
        splits: &[WarpSplit],
        tokens: Option<TokenState<'_>>,
    ) {
        if parks {
            self.parked |= self.ran.mask;
        }
        let finding = self.policy(current, splits);
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
            self.fail(finding, splits.to_vec(), tokens);
        }
    }

    #[cold]
    fn fail(
        &mut self,
        (check, lane, found): (Check, Option<usize>, String),
        splits: Vec<WarpSplit>,
        tokens: Option<TokenState<'_>>,
    ) {
        let lane_pc = lane.filter(|&lane| self.live.contains(lane)).map(|lane| self.lanes[lane]);
        let tokens = tokens.map_or_else(Vec::new, |state| state.tokens.to_vec());
        self.broken = Some(Box::new(BrokenCheck { check, ran: self.ran, lane, lane_pc, found, splits, tokens }));
    }

    /// What any policy must keep to.
    fn policy(&self, current: Option<WarpSplit>, splits: &[WarpSplit]) -> Finding {
        let nobody = WarpSplit { mask: LaneMask::EMPTY, ..self.ran };
        let active = current.unwrap_or(nobody);
        let listed = splits.iter().fold(active.mask, |all, split| all | split.mask);
        self.lanes(Check::T4, listed - self.threads, |lane| format!("lane {lane} has no thread, and runs or waits"))?;
        let ended = self.threads - self.live;
        self.lanes(Check::T1, listed & ended, |lane| format!("lane {lane} has ended, and runs or waits again"))?;
        self.that(Check::I4, current.is_none_or(|split| !split.mask.is_empty()), || "the active mask is empty".into())?;
        let nobody_waits = current.is_none() && (self.parked | self.converging).is_empty();
        let forgotten = if nobody_waits { self.live } else { LaneMask::EMPTY };
        self.lanes(Check::I4, forgotten, |lane| format!("no lane runs, but lane {lane} has not ended"))?;
        let wrong = self.elsewhere(active.mask, active.pc);
        self.lanes(Check::I1, wrong, |lane| {
            format!("lane {lane} is at {}, the warp at {}", self.lanes[lane], active.pc)
        })?;
        let first = splits.first().copied();
        self.that(Check::I1, current.is_none() || first == current, || {
            format!("the lanes {} run at {}, but the splits begin with other ones", active.mask, active.pc)
        })?;
        let mut seen = LaneMask::EMPTY;
        for (split, number) in splits.iter().zip(0..) {
            self.lanes(Check::I7, seen & split.mask, |lane| format!("lane {lane} is in two splits"))?;
            seen |= split.mask;
            let wrong =
                if number == 0 && current.is_some() { LaneMask::EMPTY } else { self.elsewhere(split.mask, split.pc) };
            self.lanes(Check::I2, wrong, |lane| {
                format!("lane {lane} waits to go on at {}, but is at {}", split.pc, self.lanes[lane])
            })?;
        }
        self.lanes(Check::I3, self.live - seen, |lane| format!("lane {lane} has not ended, and is in no split"))?;
        self.that(Check::T6, !self.live.is_empty() || (current.is_none() && splits.is_empty()), || {
            "all lanes have ended, but there are splits left".into()
        })
    }
}
