//! Policies behind a pointer: an engine that is compiled once for all of them.
//!
//! A launch in a release build runs an engine that was compiled for its policy, and is fast. A launch that checks its policy
//! at every step need not be fast; and in debug builds, in which tests run, an engine for each policy, observer and crate
//! would take longer to compile than to run.

use super::{
    BarrierMarker, BlockBranch, BlockPolicy, BlockSplit, BlockStart, Branch, Figure, Guard, ThreadMask, TokenState,
    WarpPart, WarpPolicy, WarpSplit,
};
use crate::policy::checked::BrokenCheck;
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};
use std::any::Any;
use std::fmt::Debug;

/// For a trait of policies: an object-safe trait with the same methods, and the pointer to it that is a policy.
macro_rules! erased {
    (
        $(#[$doc:meta])* $erased:ident, $dynamic:ident, $policy:ident;
        $(ref $read:ident($($given:ident: $of:ty)?) $(-> $out:ty)?;)*
        $(mut $act:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)?;)*
        start($start:ty)
    ) => {
        pub(crate) trait $dynamic: Any + Debug {
            $(fn $read(&self $(, $given: $of)?) $(-> $out)?;)*
            $(fn $act(&mut self, $($argument: $ty),*) $(-> $result)?;)*
            fn copy(&self) -> Box<dyn $dynamic>;
            fn is(&self, other: &dyn Any) -> bool;
            fn as_any(&self) -> &dyn Any;
        }

        impl<P: $policy> $dynamic for P {
            $(fn $read(&self $(, $given: $of)?) $(-> $out)? {
                P::$read(self $(, $given)?)
            })*
            $(fn $act(&mut self, $($argument: $ty),*) $(-> $result)? {
                P::$act(self, $($argument),*)
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
        pub(crate) struct $erased(Box<dyn $dynamic>);

        impl $erased {
            pub(crate) fn of(policy: impl $policy) -> Self {
                Self(Box::new(policy))
            }
        }

        impl Clone for $erased {
            fn clone(&self) -> Self {
                Self(self.0.copy())
            }
        }

        impl PartialEq for $erased {
            fn eq(&self, other: &Self) -> bool {
                self.0.is(other.0.as_any())
            }
        }

        impl $policy for $erased {
            const NAME: &'static str = "";
            const MARKERS: Markers = Markers::None;
            const GUARD: Guard = Guard::OFF;

            fn start(_start: $start) -> Self {
                unreachable!("made of a policy that has been started")
            }
            $(fn $read(&self $(, $given: $of)?) $(-> $out)? {
                self.0.$read($($given)?)
            })*
            $(fn $act(&mut self, $($argument: $ty),*) $(-> $result)? {
                self.0.$act($($argument),*)
            })*
        }
    };
}

erased! {
    /// Any policy of warps, behind a pointer.
    BoxedWarpPolicy, DynamicPolicy, WarpPolicy;
    ref current() -> Option<WarpSplit>;
    ref splits() -> Vec<WarpSplit>;
    ref token_state() -> Option<TokenState<'_>>;
    ref figures(tell: &mut dyn FnMut(Figure));
    ref broken() -> Option<&BrokenCheck>;
    mut select(free: LaneMask) -> bool;
    mut divide(late: LaneMask) -> bool;
    mut advance(next: Pc);
    mut branch(branch: Branch);
    mut exit();
    mut jump(kind: JumpKind, target: Pc);
    mut call(target: Pc, back: Pc);
    mut ret(returning: LaneMask, back: Pc, at: Pc);
    mut park() -> bool;
    mut wake(lanes: LaneMask, next: Pc);
    mut marker(marker: Marker, next: Pc);
    mut barrier(marker: BarrierMarker, next: Pc) -> LaneMask;
    start(WarpSplit)
}

erased! {
    /// Any policy of a core, behind a pointer.
    BoxedBlockPolicy, DynamicCore, BlockPolicy;
    ref current() -> Option<BlockSplit<'_>>;
    ref splits() -> Vec<(Pc, WarpPart)>;
    ref figures(tell: &mut dyn FnMut(Figure));
    ref broken() -> Option<(usize, &BrokenCheck)>;
    ref positions(threads: &ThreadMask) -> LaneMask;
    mut ready(free: &[LaneMask], now: u64) -> u64;
    mut select(free: &[LaneMask]) -> bool;
    mut advance(next: Pc);
    mut branch(branch: BlockBranch<'_>);
    mut exit();
    mut jump(kind: JumpKind, target: Pc);
    mut call(target: Pc, back: Pc);
    mut ret(returning: &ThreadMask, back: Pc, at: Pc);
    mut park();
    mut wake(part: WarpPart, next: Pc);
    mut marker(marker: Marker, next: Pc);
    mut release() -> bool;
    start(BlockStart<'_>)
}
