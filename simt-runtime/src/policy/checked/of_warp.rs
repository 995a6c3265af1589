//! A policy that runs another one and checks each of its steps.

use super::shadow::{Shadow, Step};
use super::{Checks, Guard, WarpChecking};
use crate::policy::{BarrierMarker, Branch, Figure, StatePart, WarpPolicy, WarpSplit, WarpStart, WarpTiming};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};

/// Does what its policy does, and stops where a check fails: then no lane is current any more, and `broken` says why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Checked<P> {
    policy: P,
    shadow: Shadow,
    /// What the policy has said after its last step: what was compared is what runs.
    current: Option<WarpSplit>,
}

/// What a policy returns for a step.
trait Answer: Copy {
    /// The answer of a policy that has failed, and takes no step: that its lanes wait. No lane is current then, and
    /// `broken` is looked at.
    const OF_FAILED: Self;

    /// Whether the current lanes wait.
    fn parks(self) -> bool {
        false
    }
}

impl Answer for () {
    const OF_FAILED: Self = ();
}

impl Answer for LaneMask {
    const OF_FAILED: Self = LaneMask::EMPTY;
}

impl Answer for bool {
    const OF_FAILED: Self = true;

    fn parks(self) -> bool {
        self
    }
}

impl<P: WarpPolicy> Checked<P> {
    /// Checks a policy that has just been started.
    pub(crate) fn new(policy: P, split: WarpSplit, checks: Checks, guard: Guard) -> Self {
        let mut checked = Self { policy, shadow: Shadow::new(split, checks, guard), current: Some(split) };
        checked.compare(Step::Choose, false);
        checked
    }

    /// The policy takes a step, `act`.
    #[inline(always)]
    fn step<A: Answer>(&mut self, step: Step, act: impl FnOnce(&mut P) -> A) -> A {
        let Self { policy, shadow, current } = self;
        if !shadow.execute(step, *current, || P::CHECKING.tokens(policy), || policy.splits()) {
            self.current = None;
            return A::OF_FAILED;
        }
        let answer = act(policy);
        self.compare(step, answer.parks());
        answer
    }

    #[inline(always)]
    fn compare(&mut self, step: Step, parks: bool) {
        let Self { policy, shadow, current } = self;
        *current = policy.current();
        shadow.compare(step, parks, *current, || policy.splits(), || P::CHECKING.tokens(policy));
        if shadow.broken().is_some() {
            *current = None;
        }
    }

    fn select(&mut self, free: LaneMask) -> bool {
        self.step(Step::Choose, |policy| {
            P::TIMING.selects(policy, free);
        });
        // Whatever the policy says of it.
        self.current.is_some_and(|split| split.mask.is_subset(free))
    }

    fn divide(&mut self, late: LaneMask) -> bool {
        let mut divides = false;
        self.step(Step::Choose, |policy| divides = P::TIMING.divides(policy, late));
        divides && self.shadow.broken().is_none()
    }

    fn hold(&mut self) -> bool {
        let mut holds = false;
        self.step(Step::Choose, |policy| holds = P::TIMING.holds(policy));
        holds && self.shadow.broken().is_none()
    }
}

macro_rules! checked {
    ($(#[$inline:meta] $event:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)? = $step:expr;)*) => {
        impl<P: WarpPolicy> WarpPolicy for Checked<P> {
            const NAME: &'static str = "";
            const MARKERS: Markers = Markers::None;
            const TIMING: WarpTiming<Self> = WarpTiming {
                select: Some(Self::select),
                divide: Some(Self::divide),
                hold: Some(Self::hold),
                ..WarpTiming::DEFAULT
            };
            const CHECKING: WarpChecking<Self> = WarpChecking::TRUSTED.with_broken(|checked| checked.shadow.broken());

            fn start(_start: WarpStart<'_>) -> Self {
                unreachable!("made of a policy that has been started")
            }

            #[inline(always)]
            fn current(&self) -> Option<WarpSplit> {
                self.current
            }

            /// Of a policy of a user's, which may say anything, where the lanes are.
            fn splits(&self) -> Vec<WarpSplit> {
                if self.shadow.guards() { self.shadow.splits(self.current) } else { self.policy.splits() }
            }

            fn figures(&self, tell: &mut dyn FnMut(Figure)) {
                self.policy.figures(tell);
            }

            fn state(&self, tell: &mut dyn FnMut(StatePart)) {
                self.policy.state(tell);
            }

            $(#[$inline] fn $event(&mut self, $($argument: $ty),*) $(-> $result)? {
                self.step($step, |policy| policy.$event($($argument),*))
            })*
        }
    };
}

warp_policy_events!(checked);
