//! Device functions that the lanes of a warp call together, written in the language itself.
//!
//! Every lane of the warp that has a thread calls them, and none has returned from the kernel before: a shuffle from such a lane
//! is a fault. The last warp of a block may have fewer lanes than the others.
//!
//! ```
//! use simt::prelude::*;
//! use simt::warp;
//!
//! /// Writes the elements that are not 0 to the front, in their order.
//! #[kernel]
//! fn compact(x: &[u32], out: &mut [u32]) {
//!     let i = global_id();
//!     let keep = x[i] != 0;
//!     let place = warp::prefix_sum(keep as u32);
//!     if keep {
//!         out[place as usize - 1] = x[i];
//!     }
//! }
//!
//! let mut out = [0; 6];
//! Gpu::<Ipdom>::default().launch(Grid::new(1, 6), compact(&[0, 3, 0, 5, 7, 0], &mut out))?;
//! assert_eq!(out, [3, 5, 7, 0, 0, 0]);
//! # Ok::<(), LaunchError>(())
//! ```

mod tiles;

pub use tiles::{Tile, tile};

use crate::prelude::*;

/// Returns how many lanes the warp has: those up to the last that has a thread.
#[device]
pub fn lanes() -> u32 {
    64 - ballot(true).leading_zeros()
}

/// `fn match_any<T: Scalar>(own: T) -> u64` returns the lanes of the warp whose `own` is equal to this lane's: itself and others.
///
/// Values are equal as `==` has it, so that a NaN is equal to none, not even itself. Takes a shuffle and a vote for each lane.
#[device]
pub fn match_any<T: Scalar>(own: T) -> u64 {
    let mut same = 0;
    for lane in 0..lanes() {
        let its = shuffle(own, lane);
        let holds = ballot(own == its);
        if own == its {
            same = holds;
        }
    }
    same
}

/// `fn match_all<T: Scalar>(own: T) -> bool` returns whether `own` is the same in all lanes of the warp, as `==` has it.
#[device]
pub fn match_all<T: Scalar>(own: T) -> bool {
    all(own == shuffle(own, 0))
}

macro_rules! operations {
    ($(
        $what:literal: $reduce:ident $scan:ident <T: $bound:ident> $(($op:ident))? |$before:ident, $own:ident| $both:expr;
    )*) => {$(
        #[doc = concat!("`fn ", stringify!($reduce), "<T: ", stringify!($bound), ">(own: T", $(", ", stringify!($op), ": impl Fn(T, T) -> T", )? ") -> T` returns the ", $what, " of `own` over all lanes of the warp, in each of them.")]
        ///
        /// Takes a shuffle and one more for each doubling of the warp's lanes.
        #[device]
        pub fn $reduce<T: $bound>(own: T $(, $op: impl Fn(T, T) -> T)?) -> T {
            let all = $scan(own $(, $op)?);
            shuffle(all, lanes() - 1)
        }

        #[doc = concat!("`fn ", stringify!($scan), "<T: ", stringify!($bound), ">(own: T", $(", ", stringify!($op), ": impl Fn(T, T) -> T", )? ") -> T` returns the ", $what, " of `own` over the lanes up to this one, itself included.")]
        ///
        /// After Hillis and Steele, *Data Parallel Algorithms*, CACM 29(12), 1986: a shuffle for each doubling of the lanes.
        #[device]
        pub fn $scan<T: $bound>(mut $own: T $(, $op: impl Fn(T, T) -> T)?) -> T {
            let lanes = lanes();
            let mut distance = 1;
            while distance < lanes {
                let $before = shuffle_up($own, distance);
                if lane_id() >= distance as usize {
                    $own = $both;
                }
                distance *= 2;
            }
            $own
        }
    )*};
}

operations! {
    "combination by an associative operation": reduce scan <T: Copy> (op) |before, own| op(before, own);
    "sum": sum prefix_sum <T: Num> |before, own| before + own;
    "product": product prefix_product <T: Num> |before, own| before * own;
    "least": min prefix_min <T: Num> |before, own| before.min(own);
    "greatest": max prefix_max <T: Num> |before, own| before.max(own);
    "bitwise and": and prefix_and <T: Int> |before, own| before & own;
    "bitwise or": or prefix_or <T: Int> |before, own| before | own;
    "bitwise exclusive or": xor prefix_xor <T: Int> |before, own| before ^ own;
}
