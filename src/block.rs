//! Device functions that the threads of a block call together, written in the language itself.
//!
//! Every thread of the block calls them, as it calls [`sync_threads`](crate::language): none has returned from the kernel
//! before. Each has a shared array with an element for each warp, and two barriers.
//!
//! ```
//! use simt::block;
//! use simt::prelude::*;
//!
//! #[kernel]
//! fn totals(x: &[f32], out: &mut [f32]) {
//!     let total = block::sum(x[global_id()]);
//!     if thread_idx().x == 0 {
//!         out[block_idx().x] = total;
//!     }
//! }
//!
//! let mut out = [0.0; 2];
//! Gpu::<Ipdom>::default().launch(Grid::new(2, 100), totals(&[0.5; 200], &mut out))?;
//! assert_eq!(out, [50.0; 2]);
//! # Ok::<(), LaunchError>(())
//! ```

use crate::prelude::*;
use crate::warp;

/// Returns the number of this thread in its block: that of its lane and warp, as [`Grid`] counts them.
#[device]
pub fn thread_id() -> usize {
    (thread_idx().z * block_dim().y + thread_idx().y) * block_dim().x + thread_idx().x
}

/// Returns how many threads the block has.
#[device]
pub fn threads() -> usize {
    block_dim().x * block_dim().y * block_dim().z
}

/// Returns how many warps the block has.
#[device]
pub fn warps() -> usize {
    threads().div_ceil(warp_width())
}

macro_rules! operations {
    ($(
        $what:literal: $reduce:ident $scan:ident <T: $bound:ident> $(($op:ident))? |$before:ident, $own:ident| $both:expr;
    )*) => {$(
        #[doc = concat!("`fn ", stringify!($reduce), "<T: ", stringify!($bound), ">(own: T", $(", ", stringify!($op), ": impl Fn(T, T) -> T", )? ") -> T` returns the ", $what, " of `own` over all threads of the block, in each of them.")]
        #[device]
        pub fn $reduce<T: $bound>(own: T $(, $op: impl Fn(T, T) -> T)?) -> T {
            // A warp for each four threads of the 1024 that a block can have.
            #[shared]
            let mut of_warps: [T; 256];
            let of_warp = warp::$reduce(own $(, $op)?);
            // What an earlier call left there has been read.
            sync_threads();
            if lane_id() == 0 {
                of_warps[warp_id()] = of_warp;
            }
            sync_threads();
            let mut $before = of_warps[0];
            for number in 1..warps() {
                let $own = of_warps[number];
                $before = $both;
            }
            $before
        }

        #[doc = concat!("`fn ", stringify!($scan), "<T: ", stringify!($bound), ">(own: T", $(", ", stringify!($op), ": impl Fn(T, T) -> T", )? ") -> T` returns the ", $what, " of `own` over the threads up to this one, itself included.")]
        #[device]
        pub fn $scan<T: $bound>(own: T $(, $op: impl Fn(T, T) -> T)?) -> T {
            #[shared]
            let mut of_warps: [T; 256];
            let lanes = warp::lanes();
            let mut $own = warp::$scan(own $(, $op)?);
            sync_threads();
            if lane_id() + 1 == lanes as usize {
                of_warps[warp_id()] = $own;
            }
            sync_threads();
            // The warps before this one, from the last to the first.
            for number in (0..warp_id()).rev() {
                let $before = of_warps[number];
                $own = $both;
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
}
