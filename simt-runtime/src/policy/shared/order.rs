//! Which path of a branch a stack runs first.
//!
//! The machine's code jumps over the `then` of an `if`: its `else` is the *taken* path, and its `then` the one that *falls
//! through*. So one order, [`TakenFirst`], is that of all sources: TACO'09 Fig. 4 has the taken path on top of the stack,
//! ESOP'12 (section 2.3) and its hardware run the else path first, and the CUDA report (section 5.4.1) the taken one.

use crate::policy::Ends;
use simt_core::LaneMask;

/// Which path of a branch runs first, for [`Ipdom`](crate::Ipdom) and [`TokenStack`](crate::TokenStack): [`TakenFirst`],
/// [`FallThroughFirst`], [`SmallerFirst`] or [`LargerFirst`].
///
/// ```
/// use simt::policy::FallThroughFirst;
/// use simt::prelude::*;
/// use std::sync::atomic::{AtomicU32, Ordering::{Acquire, Release}};
///
/// /// ESOP'12, Program 2: the `else` waits for what the `then` does.
/// #[kernel]
/// fn program_2(lock: &[AtomicU32]) {
///     if global_id() == 0 {
///         lock[0].store(1, Release);
///     } else {
///         while lock[0].load(Acquire) != 1 {}
///     }
/// }
///
/// let lock = [AtomicU32::new(0)];
/// assert!(Gpu::<TokenStack>::default().launch(Grid::new(1, 32), program_2(&lock)).is_err());
/// assert!(Gpu::<TokenStack<FallThroughFirst>>::default().launch(Grid::new(1, 32), program_2(&lock)).is_ok());
/// ```
pub trait PathOrder: Copy + PartialEq + std::fmt::Debug + 'static {
    /// Name of [`Ipdom`](crate::Ipdom) with this order.
    const IPDOM: &'static str;
    /// Name of [`TokenStack`](crate::TokenStack) with this order.
    const TOKEN_STACK: &'static str;
    /// Which programs of the page on termination end under both, if that is known.
    const ENDS: Option<Ends> = None;

    /// Whether the lanes that take a branch run before those that do not; there are some of both.
    fn taken_first(taken: LaneMask, rest: LaneMask) -> bool;
}

// An order, the names of the policies with it, and when the taken path is first.
macro_rules! orders {
    ($($(#[$doc:meta])* $name:ident $ipdom:literal $tokens:literal $ends:expr, $first:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct $name;

            impl PathOrder for $name {
                const IPDOM: &'static str = $ipdom;
                const TOKEN_STACK: &'static str = $tokens;
                const ENDS: Option<Ends> = Some($ends);

                #[inline(always)]
                fn taken_first(taken: LaneMask, rest: LaneMask) -> bool {
                    let first: fn(LaneMask, LaneMask) -> bool = $first;
                    first(taken, rest)
                }
            }
        )*
    };
}

orders! {
    /// The path that is jumped to: the `else` of an `if`, and for lanes that leave a loop what is behind it.
    TakenFirst "Ipdom" "TokenStack" Ends { program_2: false, program_3: false, lock_behind: false, ..Ends::ALL }, |_, _| true;

    /// The path that stands behind the branch: the `then` of an `if`.
    FallThroughFirst "Ipdom<FallThroughFirst>" "TokenStack<FallThroughFirst>" Ends { program_2_swapped: false, program_3: false, lock_behind: false, ..Ends::ALL }, |_, _| false;

    /// The path of fewer lanes; of as many, the taken one. No more than log2(lanes) paths then wait to begin: each has at
    /// least as many lanes as those that run before it.
    SmallerFirst "Ipdom<SmallerFirst>" "TokenStack<SmallerFirst>" Ends { program_3: false, lock_behind: false, ..Ends::ALL }, |taken, rest| taken.count() <= rest.count();

    /// The path of more lanes; of as many, the taken one. As many paths may wait to begin as there are other lanes.
    LargerFirst "Ipdom<LargerFirst>" "TokenStack<LargerFirst>" Ends { program_2: false, program_2_swapped: false, program_3: false, lock_behind: false, ..Ends::ALL }, |taken, rest| taken.count() >= rest.count();
}
