//! A policy that runs another one and checks each of its steps.

use super::Checks;
use super::shadow::{BrokenCheck, Shadow, Step};
use crate::policy::{Branch, Figure, ReconvergencePolicy, WarpSplit, WarpStart};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};

/// Does what `P` does, and stops where a check fails: then no lane is current any more, and `broken` says why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Checked<P> {
    policy: P,
    shadow: Shadow,
}

impl<P: ReconvergencePolicy> Checked<P> {
    fn new(policy: P, split: WarpSplit, checks: Checks) -> Self {
        let mut checked = Self { policy, shadow: Shadow::new(split, checks) };
        checked.compare(Step::Advance(split.pc), false);
        checked
    }

    /// The policy takes a step, `act`, which gives whether lanes wait. A policy that has failed takes none.
    fn step(&mut self, step: Step, act: impl FnOnce(&mut P) -> bool) -> bool {
        if !self.shadow.execute(step, self.policy.current(), self.policy.token_state(), &|| self.policy.splits()) {
            // Nothing is to go on: who asks for the current lanes hears why.
            return true;
        }
        let parks = act(&mut self.policy);
        self.compare(step, parks);
        parks
    }

    fn compare(&mut self, step: Step, parks: bool) {
        let Self { policy, shadow } = self;
        shadow.compare(step, parks, policy.current(), &policy.splits(), policy.token_state());
    }

    /// A step at which no lane comes to wait.
    fn go(&mut self, step: Step, act: impl FnOnce(&mut P)) {
        self.step(step, |policy| {
            act(policy);
            false
        });
    }
}

impl<P: ReconvergencePolicy> ReconvergencePolicy for Checked<P> {
    const NAME: &'static str = P::NAME;
    const MARKERS: Markers = P::MARKERS;
    const LANES_PER_ISSUE: Option<usize> = P::LANES_PER_ISSUE;

    fn start(split: WarpSplit) -> Self {
        Self::new(P::start(split), split, Checks::all())
    }

    fn start_on(split: WarpSplit, start: WarpStart<'_>) -> Self {
        Self::new(P::start_on(split, start), split, start.config.checks)
    }

    fn broken(&self) -> Option<&BrokenCheck> {
        self.shadow.broken()
    }

    fn current(&self) -> Option<WarpSplit> {
        if self.shadow.broken().is_some() { None } else { self.policy.current() }
    }

    fn advance(&mut self, next: Pc) {
        self.go(Step::Advance(next), |policy| policy.advance(next));
    }

    fn branch(&mut self, branch: Branch) {
        self.go(Step::Branch(branch), |policy| policy.branch(branch));
    }

    fn exit(&mut self) {
        self.go(Step::Exit, P::exit);
    }

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
        self.step(Step::Park, P::park)
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        self.go(Step::Wake(lanes, next), |policy| policy.wake(lanes, next));
    }

    fn marker(&mut self, marker: Marker, next: Pc) {
        self.go(Step::Marker(marker, next), |policy| policy.marker(marker, next));
    }

    fn splits(&self) -> Vec<WarpSplit> {
        self.policy.splits()
    }

    fn figures(&self) -> Vec<Figure> {
        self.policy.figures()
    }
}
