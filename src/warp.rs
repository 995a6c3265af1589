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

use crate::prelude::*;

/// Returns how many lanes the warp has: those up to the last that has a thread.
#[device]
pub fn lanes() -> u32 {
    64 - ballot(true).leading_zeros()
}

macro_rules! operations {
    ($($what:literal: $reduce:ident $scan:ident |$before:ident, $own:ident| $both:expr;)*) => {$(
        #[doc = concat!("`fn ", stringify!($reduce), "<T: Num>(own: T) -> T` returns the ", $what, " of `own` over all lanes of the warp, in each of them.")]
        ///
        /// Takes a shuffle and one more for each doubling of the warp's lanes.
        #[device]
        pub fn $reduce<T: Num>(own: T) -> T {
            let all = $scan(own);
            shuffle(all, lanes() - 1)
        }

        #[doc = concat!("`fn ", stringify!($scan), "<T: Num>(own: T) -> T` returns the ", $what, " of `own` over the lanes up to this one, itself included.")]
        ///
        /// After Hillis and Steele, *Data Parallel Algorithms*, CACM 29(12), 1986: a shuffle for each doubling of the lanes.
        #[device]
        pub fn $scan<T: Num>(mut $own: T) -> T {
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
    "sum": sum prefix_sum |before, own| before + own;
    "product": product prefix_product |before, own| before * own;
    "least": min prefix_min |before, own| before.min(own);
    "greatest": max prefix_max |before, own| before.max(own);
}
