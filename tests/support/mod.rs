//! The common part of several test programs: kernels that are compiled as plain Rust too, and the thread that plain Rust
//! runs as.
//!
//! A kernel is a Rust function. So the best answer to "what should it compute" is rustc's, for the very same text:
//! `kernels!` compiles it once as a kernel and once as a function, which [`host::run`] calls once a thread.

/// Compiles functions twice: as kernels in a module `kernel`, as plain Rust in a module `plain`. Device functions that they
/// call stand in front of them.
macro_rules! kernels {
    (
        $(#[device] fn $device:ident($($taken:tt)*) $(-> $result:ty)? $device_body:block)*
        $(fn $name:ident($($params:tt)*) $body:tt)*
    ) => {
        mod kernel {
            #[allow(unused_imports, reason = "not every group of kernels needs what is around it")]
            use super::*;
            $(#[simt::device] fn $device($($taken)*) $(-> $result)? $device_body)*
            $(#[simt::kernel] pub(crate) fn $name($($params)*) $body)*
        }
        mod plain {
            #![allow(clippy::all, unused, unreachable_code, reason = "the text is written as a kernel")]
            use super::*;
            use crate::support::host::*;
            $(fn $device($($taken)*) $(-> $result)? $device_body)*
            $(pub(crate) fn $name($($params)*) $body)*
        }
    };
}

/// Evaluates an expression for a machine of each policy and warp width: `$gpu` is a reference to a `Machine`.
#[allow(unused_macros, reason = "not every test program has use for it")]
macro_rules! everywhere {
    (|$gpu:ident| $body:expr) => {
        crate::support::everywhere(&mut |$gpu: &dyn crate::support::machine::Machine| {
            $body;
        })
    };
}

#[path = "../../examples/support/machine.rs"]
#[allow(dead_code, reason = "not every test program has use for it")]
pub(crate) mod machine;

/// Calls a function with a machine of each policy and warp width.
///
/// It is called through a pointer, so that what a test does is compiled once, and not for each policy.
#[allow(dead_code, reason = "not every test program has use for it")]
pub(crate) fn everywhere(test: &mut dyn FnMut(&dyn machine::Machine)) {
    simt::for_each_policy!(P => for width in [4, 8, 16, 32, 64] {
        test(&simt::Gpu::<P>::default().with_warp_width(width));
    });
}

pub(crate) mod host {
    //! The plain Rust side: a grid of threads, one after the other, and the builtins of kernels as functions.
    #![allow(dead_code, reason = "each test program uses a part")]

    use simt::{Dim3, Grid};
    use std::cell::Cell;

    thread_local! {
        static PLACE: Cell<(Dim3, Dim3, Dim3, Dim3, usize)> = const {
            let none = Dim3 { x: 0, y: 0, z: 0 };
            Cell::new((none, none, none, none, 0))
        };
    }

    /// Calls `thread` for each thread of the grid, in the order of their numbers.
    pub(crate) fn run(grid: Grid, mut thread: impl FnMut()) {
        let (blocks, threads) = (grid.blocks(), grid.threads());
        let mut id = 0;
        for block in points(blocks) {
            for index in points(threads) {
                PLACE.set((index, block, threads, blocks, id));
                thread();
                id += 1;
            }
        }
    }

    /// All points of a size, x fastest.
    pub(crate) fn points(size: Dim3) -> impl Iterator<Item = Dim3> {
        (0..size.z).flat_map(move |z| (0..size.y).flat_map(move |y| (0..size.x).map(move |x| Dim3 { x, y, z })))
    }

    pub(crate) fn thread_idx() -> Dim3 {
        PLACE.get().0
    }

    pub(crate) fn block_idx() -> Dim3 {
        PLACE.get().1
    }

    pub(crate) fn block_dim() -> Dim3 {
        PLACE.get().2
    }

    pub(crate) fn grid_dim() -> Dim3 {
        PLACE.get().3
    }

    pub(crate) fn global_id() -> usize {
        PLACE.get().4
    }

    pub(crate) fn global_id_3d() -> (usize, usize, usize) {
        let (index, block, threads, ..) = PLACE.get();
        (block.x * threads.x + index.x, block.y * threads.y + index.y, block.z * threads.z + index.z)
    }

    pub(crate) fn global_id_2d() -> (usize, usize) {
        let (x, y, _) = global_id_3d();
        (x, y)
    }
}
