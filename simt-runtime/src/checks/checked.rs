//! A policy that runs another one and checks each of its steps.

use super::Checks;
use super::shadow::{BrokenCheck, Shadow, Step};
use crate::policy::{BarrierMarker, Branch, ErasedPolicy, Figure, ReconvergencePolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};

/// Does what its policy does, and stops where a check fails: then no lane is current any more, and `broken` says why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Checked {
    policy: ErasedPolicy,
    shadow: Shadow,
}

impl Checked {
    /// Checks a policy that has just been started.
    pub(crate) fn new(policy: ErasedPolicy, split: WarpSplit, checks: Checks) -> Self {
        let mut checked = Self { policy, shadow: Shadow::new(split, checks) };
        checked.compare(Step::Advance(split.pc), false);
        checked
    }

    /// The policy takes a step, `act`, which gives whether lanes wait. A policy that has failed takes none.
    fn step(&mut self, step: Step, act: impl FnOnce(&mut ErasedPolicy) -> bool) -> bool {
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
    fn go(&mut self, step: Step, act: impl FnOnce(&mut ErasedPolicy)) {
        self.step(step, |policy| {
            act(policy);
            false
        });
    }
}

impl ReconvergencePolicy for Checked {
    const NAME: &'static str = "";
    const MARKERS: Markers = Markers::None;

    fn start(_split: WarpSplit) -> Self {
        unreachable!("made of a policy that has been started")
    }

    fn broken(&self) -> Option<&BrokenCheck> {
        self.shadow.broken()
    }

    fn current(&self) -> Option<WarpSplit> {
        if self.shadow.broken().is_some() { None } else { self.policy.current() }
    }

    fn select(&mut self, free: LaneMask) -> bool {
        self.shadow.broken().is_none() && self.policy.select(free)
    }

    fn divide(&mut self, late: LaneMask) -> bool {
        if self.shadow.broken().is_some() || !self.policy.divide(late) {
            return false;
        }
        // Nobody takes a step, and nobody is to be elsewhere.
        self.compare(Step::Wake(LaneMask::EMPTY, Pc(0)), false);
        true
    }

    fn advance(&mut self, next: Pc) {
        self.go(Step::Advance(next), |policy| policy.advance(next));
    }

    fn branch(&mut self, branch: Branch) {
        self.go(Step::Branch(branch), |policy| policy.branch(branch));
    }

    fn exit(&mut self) {
        self.go(Step::Exit, ReconvergencePolicy::exit);
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
        self.step(Step::Park, ReconvergencePolicy::park)
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

    fn splits(&self) -> Vec<WarpSplit> {
        self.policy.splits()
    }

    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        self.policy.figures(tell);
    }
}
