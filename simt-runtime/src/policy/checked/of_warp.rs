//! A policy that runs another one and checks each of its steps.

use super::shadow::{BrokenCheck, Shadow, Step};
use super::{Checks, Guard};
use crate::policy::{BarrierMarker, Branch, Figure, WarpPolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};

/// Acts as the policy that it wraps, and stops where a check fails: then no lane is current any more, and `broken` says why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Checked<P> {
    policy: P,
    shadow: Shadow,
    /// The policy's answer after its last step: what was compared is what runs.
    current: Option<WarpSplit>,
}

impl<P: WarpPolicy> Checked<P> {
    /// Checks a policy that has just been started.
    pub(crate) fn new(policy: P, split: WarpSplit, checks: Checks, guard: Guard) -> Self {
        let mut checked = Self { policy, shadow: Shadow::new(split, checks, guard), current: Some(split) };
        checked.compare(Step::Choose, false);
        checked
    }

    /// The policy takes a step, `act`, which returns whether lanes wait. A policy that has failed takes none.
    #[inline(always)]
    fn step(&mut self, step: Step, act: impl FnOnce(&mut P) -> bool) -> bool {
        let Self { policy, shadow, current } = self;
        if !shadow.execute(step, *current, || policy.token_state(), || policy.splits()) {
            // No lane may go on: when none is current, the engine reads `broken`.
            self.current = None;
            return true;
        }
        let parks = act(policy);
        self.compare(step, parks);
        parks
    }

    #[inline(always)]
    fn compare(&mut self, step: Step, parks: bool) {
        let Self { policy, shadow, current } = self;
        *current = policy.current();
        shadow.compare(step, parks, *current, || policy.splits(), || policy.token_state());
        if shadow.broken().is_some() {
            *current = None;
        }
    }

    /// A step at which no lane comes to wait.
    #[inline(always)]
    fn go(&mut self, step: Step, act: impl FnOnce(&mut P)) {
        self.step(step, |policy| {
            act(policy);
            false
        });
    }
}

impl<P: WarpPolicy> WarpPolicy for Checked<P> {
    const NAME: &'static str = "";
    const MARKERS: Markers = Markers::None;
    const GUARD: Guard = Guard::OFF;

    fn start(_split: WarpSplit) -> Self {
        unreachable!("made of a policy that has been started")
    }

    #[inline(always)]
    fn broken(&self) -> Option<&BrokenCheck> {
        self.shadow.broken()
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        self.current
    }

    fn select(&mut self, free: LaneMask) -> bool {
        self.go(Step::Choose, |policy| {
            policy.select(free);
        });
        // Whether or not the policy agrees.
        self.current.is_some_and(|split| split.mask.is_subset(free))
    }

    fn divide(&mut self, late: LaneMask) -> bool {
        let mut divides = false;
        self.go(Step::Choose, |policy| divides = policy.divide(late));
        divides && self.shadow.broken().is_none()
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.go(Step::Advance(next), |policy| policy.advance(next));
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        self.go(Step::Branch(branch), |policy| policy.branch(branch));
    }

    fn exit(&mut self) {
        self.go(Step::Exit, WarpPolicy::exit);
    }

    #[inline(always)]
    fn jump(&mut self, kind: JumpKind, target: Pc) {
        self.go(Step::Jump(kind, target), |policy| policy.jump(kind, target));
    }

    fn call(&mut self, target: Pc, back: Pc) {
        self.go(Step::Call { target, back }, |policy| policy.call(target, back));
    }

    fn ret(&mut self, returning: LaneMask, back: Pc, at: Pc) {
        self.go(Step::Return { returning, back, at }, |policy| policy.ret(returning, back, at));
    }

    fn park(&mut self) -> bool {
        self.step(Step::Park, WarpPolicy::park)
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        self.go(Step::Wake(lanes, next), |policy| policy.wake(lanes, next));
    }

    fn marker(&mut self, marker: Marker, next: Pc) {
        self.go(Step::Marker(marker, next), |policy| policy.marker(marker, next));
    }

    fn barrier(&mut self, marker: BarrierMarker, next: Pc) -> LaneMask {
        let mut saved = LaneMask::EMPTY;
        let waits = matches!(marker, BarrierMarker::Sync(_) | BarrierMarker::WarpSync(_));
        self.go(Step::Converge(waits, next), |policy| saved = policy.barrier(marker, next));
        saved
    }

    /// Where the lanes are under a user's policy, whose own answer may be wrong.
    fn splits(&self) -> Vec<WarpSplit> {
        if self.shadow.guards() { self.shadow.splits(self.current) } else { self.policy.splits() }
    }

    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        self.policy.figures(tell);
    }
}
