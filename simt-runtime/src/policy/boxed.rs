//! Policies behind a pointer: an engine that is compiled once for all of them.
//!
//! A launch in a release build runs an engine that was compiled for its policy, and is fast. One that checks its policy at
//! every step need not be; and in debug builds, in which tests run, an engine for each policy, observer and crate would take
//! longer to compile than to run.
//!
//! A policy with a parameter is compiled where its type is named, in a user's crate, whose debug build does not optimise.
//! Those of this library are compiled here all the same, and found by their type when a launch begins.

use super::checked::BrokenCheck;
use super::{
    BarrierMarker, BlockBranch, BlockChecking, BlockPolicy, BlockSplit, BlockStart, BlockTiming, Branch, Figure,
    StatePart, ThreadMask, TokenState, WarpChecking, WarpPart, WarpPolicy, WarpSplit, WarpStart, WarpTiming,
};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};
use std::any::{Any, TypeId};
use std::fmt::Debug;

/// For a trait of policies, a trait of what stands behind the pointer, and the pointer, which is a policy itself. The events
/// are those of the trait's table; what reads a policy, and what a clock and a checker ask of it, is listed with it.
macro_rules! boxed {
    (
        {
            $(#[$doc:meta])* $boxed:ident, $dynamic:ident, $policy:ident, $start:ty;
            $(read $read:ident($($given:ident: $of:ty)?) $(-> $out:ty)?;)*
            $(ask $ask:ident(&$this:ident $(, $asked:ident: $what:ty)*) -> $answer:ty { $asks:expr })*
            $(tell $tell:ident(&mut $that:ident $(, $told:ident: $which:ty)*) -> $reply:ty { $tells:expr })*
            $(const $constant:ident: $table:ty = $value:expr;)*
        }
        $(#[$inline:meta] $event:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)? = $step:expr;)*
    ) => {
        pub(crate) trait $dynamic: Any + Debug {
            $(fn $read(&self $(, $given: $of)?) $(-> $out)?;)*
            $(fn $ask(&self $(, $asked: $what)*) -> $answer;)*
            $(fn $tell(&mut self $(, $told: $which)*) -> $reply;)*
            $(fn $event(&mut self, $($argument: $ty),*) $(-> $result)?;)*
            fn copy(&self) -> Box<dyn $dynamic>;
            fn is(&self, other: &dyn Any) -> bool;
            fn as_any(&self) -> &dyn Any;
        }

        impl<P: $policy> $dynamic for P {
            $(fn $read(&self $(, $given: $of)?) $(-> $out)? {
                P::$read(self $(, $given)?)
            })*
            $(fn $ask(&self $(, $asked: $what)*) -> $answer {
                let $this = self;
                $asks
            })*
            $(fn $tell(&mut self $(, $told: $which)*) -> $reply {
                let $that = self;
                $tells
            })*
            $(fn $event(&mut self, $($argument: $ty),*) $(-> $result)? {
                P::$event(self, $($argument),*)
            })*
            fn copy(&self) -> Box<dyn $dynamic> {
                Box::new(self.clone())
            }
            fn is(&self, other: &dyn Any) -> bool {
                other.downcast_ref::<P>().is_some_and(|other| self == other)
            }
            fn as_any(&self) -> &dyn Any {
                self
            }
        }

        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $boxed(Box<dyn $dynamic>);

        impl $boxed {
            pub(crate) fn of(policy: impl $policy) -> Self {
                Self(Box::new(policy))
            }

            /// The function that starts a policy of this type behind a pointer.
            pub(crate) fn starts<P: $policy>() -> fn($start) -> Self {
                match Self::listed(TypeId::of::<P>()) {
                    Some(starts) => starts,
                    None => Self::start_of::<P>(),
                }
            }

            /// That function, of a policy that was not found: of those which are, no crate but this one compiles the policy for it.
            fn start_of<P: $policy>() -> fn($start) -> Self {
                if const { P::CHECKING.is_listed() } {
                    unreachable!("{} is listed", P::NAME);
                }
                |start| Self::of(P::start(start))
            }
        }

        impl Clone for $boxed {
            fn clone(&self) -> Self {
                Self(self.0.copy())
            }
        }

        impl PartialEq for $boxed {
            fn eq(&self, other: &Self) -> bool {
                self.0.is(other.0.as_any())
            }
        }

        impl $policy for $boxed {
            const NAME: &'static str = "";
            const MARKERS: Markers = Markers::None;
            $(const $constant: $table = $value;)*

            fn start(_start: $start) -> Self {
                unreachable!("made of a policy that has been started")
            }
            $(fn $read(&self $(, $given: $of)?) $(-> $out)? {
                self.0.$read($($given)?)
            })*
            $(fn $event(&mut self, $($argument: $ty),*) $(-> $result)? {
                self.0.$event($($argument),*)
            })*
        }
    };
}

warp_policy_events! { boxed {
    /// Any policy of warps.
    BoxedWarpPolicy, DynamicWarpPolicy, WarpPolicy, WarpStart<'_>;
    read current() -> Option<WarpSplit>;
    read splits() -> Vec<WarpSplit>;
    read figures(tell: &mut dyn FnMut(Figure));
    read state(tell: &mut dyn FnMut(StatePart));
    ask tokens(&policy) -> Option<TokenState<'_>> { P::CHECKING.tokens(policy) }
    ask broken(&policy) -> Option<&BrokenCheck> { P::CHECKING.broken(policy) }
    tell select(&mut policy, free: LaneMask) -> bool { P::TIMING.selects(policy, free) }
    tell divide(&mut policy, late: LaneMask) -> bool { P::TIMING.divides(policy, late) }
    tell hold(&mut policy) -> bool { P::TIMING.holds(policy) }
    const TIMING: WarpTiming<Self> = WarpTiming {
        select: Some(|policy, free| policy.0.select(free)),
        divide: Some(|policy, late| policy.0.divide(late)),
        hold: Some(|policy| policy.0.hold()),
        ..WarpTiming::DEFAULT
    };
    const CHECKING: WarpChecking<Self> =
        WarpChecking::<Self>::TRUSTED.with_tokens(|policy| policy.0.tokens()).with_broken(|policy| policy.0.broken());
} }

block_policy_events! { boxed {
    /// Any policy of blocks.
    BoxedBlockPolicy, DynamicBlockPolicy, BlockPolicy, BlockStart<'_>;
    read current() -> Option<BlockSplit<'_>>;
    read splits() -> Vec<(Pc, WarpPart)>;
    read figures(tell: &mut dyn FnMut(Figure));
    read state(tell: &mut dyn FnMut(StatePart));
    read positions(threads: &ThreadMask) -> LaneMask;
    ask broken(&policy) -> Option<(usize, &BrokenCheck)> { P::CHECKING.broken(policy) }
    tell ready(&mut policy, free: &[LaneMask], now: u64) -> u64 { P::TIMING.ready_at(policy, free, now) }
    tell select(&mut policy, free: &[LaneMask]) -> bool { P::TIMING.selects(policy, free) }
    const TIMING: BlockTiming<Self> = BlockTiming {
        ready: Some(|policy, free, now| policy.0.ready(free, now)),
        select: Some(|policy, free| policy.0.select(free)),
    };
    const CHECKING: BlockChecking<Self> = BlockChecking::<Self>::TRUSTED.with_broken(|policy| policy.0.broken());
} }

/// That function, of the policies that are listed.
macro_rules! listed {
    ({} $($kind:ident { $($file:ident [$($name:ident $(<$of:ident>)?),*] $rest:tt;)* })*) => {
        $(listed! { $kind $($(super::$name $(<super::$of>)?,)*)* })*
    };
    (warps $($policy:ty,)*) => { listed! { BoxedWarpPolicy, WarpStart<'_>; $($policy,)* } };
    (blocks $($policy:ty,)*) => { listed! { BoxedBlockPolicy, BlockStart<'_>; $($policy,)* } };
    ($boxed:ident, $start:ty; $($policy:ty,)*) => {
        impl $boxed {
            // Of what it takes for short, the compiler leaves the code to the crates that call it, and theirs are not optimised.
            #[inline(never)]
            fn listed(policy: TypeId) -> Option<fn($start) -> Self> {
                $(
                    if policy == TypeId::of::<$policy>() {
                        return Some(|start| Self::of(<$policy>::start(start)));
                    }
                )*
                None
            }
        }
    };
}

policy_rows! { [listed] }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Dwf, Hanoi, Ipdom, LargerFirst, LowestPc, Minority, StackLess};

    /// What is not found is right all the same, but not optimised in tests of users.
    #[test]
    fn policies_of_the_list_are_found_by_type() {
        for_each_warp_policy!(P => assert!(BoxedWarpPolicy::listed(TypeId::of::<P>()).is_some(), "{}", P::NAME));
        for_each_block_policy!(P => assert!(BoxedBlockPolicy::listed(TypeId::of::<P>()).is_some(), "{}", P::NAME));
        assert!(BoxedWarpPolicy::listed(TypeId::of::<Ipdom<LargerFirst>>()).is_none());
        assert!(!Ipdom::<LargerFirst>::CHECKING.is_listed() && !StackLess::<LowestPc>::CHECKING.is_listed());
        assert!(Hanoi::CHECKING.is_listed() && Dwf::<Minority>::CHECKING.is_listed());
    }
}
