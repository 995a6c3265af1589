//! Write a GPU kernel as a Rust function, run it on the CPU under a model of a SIMT machine, and see where its lanes go
//! idle and why.
//!
//! ```
//! use simt::prelude::*;
//!
//! #[kernel]
//! fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
//!     let i = global_id();
//!     if i < x.len() {
//!         y[i] += a * x[i];
//!     }
//! }
//!
//! let x = vec![1.0; 100];
//! let mut y = vec![2.0; 100];
//! let gpu = Gpu::<Ipdom>::default();
//! let report = gpu.launch(Grid::covering(100, 64), saxpy(3.0, &x, &mut y))?;
//! assert_eq!(y, [5.0; 100]);
//! // 128 threads in four warps of 32; the last one has 4 threads with something to do.
//! assert_eq!(report.diverged_branches(), 1);
//! # Ok::<(), LaunchError>(())
//! ```
//!
//! The [`guide`] has six short pages: find divergence, choose a policy, time a kernel, find a race, write a policy, run a study.
//!
//! # The pieces
//!
//! | | |
//! |---|---|
//! | [`kernel`](macro@kernel), [`device`](macro@device) | make functions kernels, and functions that kernels call; [`language`] says what can stand in them |
//! | [`KernelData`](derive@KernelData) | lets kernels have slices and variables of a struct |
//! | [`warp`], [`block`] | device functions that threads call together: sums and the like |
//! | [`KernelCall`] | a kernel with its arguments bound: the result of calling it; [`host`] has kernels and arguments without a function, and the memory of a device |
//! | [`Gpu`], [`GpuConfig`], [`Grid`] | the machine, whose type parameter is the policy; what it is made of; how many threads |
//! | [`Report`] | what the launch did: issues, SIMD efficiency, lines |
//! | [`LaunchError`] | what went wrong, in which thread, on which source line; [`error`] has its parts, [`termination`] what hangs, and why |
//! | [`policy`] | the policies, in one table ([`policy::all`]), and what one of your own is made of; [`for_each_policy!`] runs code under each |
//! | [`checks`] | invariants of the machine, and races |
//! | [`observe`], [`study`] | observers of a launch; how full the lanes could be at best |
//! | [`clock`], [`hierarchy`], [`environment`] | machines on which time passes; their memory; memory that is not coherent |
//! | [`device`](mod@device) | a device with contexts, streams and events, on which grids run beside each other |
//! | [`cuda`] | what your CUDA becomes, name by name |
//! | [`evidence`] | what is checked against what |
//! | `simt::semantics` | with the feature `semantics`: the published semantics, executable, and a checker of its theorem for any kernel and input |
//! | [`Code`] | flat instructions, also from text: [`Code::parse`] reads what a listing prints |
//!
//! # What a kernel's code becomes
//!
//! `name::program()` is the kernel as a program of the while-language, which prints as its semantics is written down, with
//! the tokens that each statement pushes. Its [`code`](core::program::Validated::code) are the flat instructions that run.
//!
//! ```
//! use simt::core::code::Markers;
//! use simt::prelude::*;
//!
//! #[kernel]
//! fn abs(x: &mut [i32]) {
//!     let i = global_id();
//!     if x[i] < 0 {
//!         x[i] = -x[i];
//!     }
//! }
//!
//! let program = abs::program();
//! assert!(program.to_string().contains("if (x[i] < 0) {"));
//! let code = program.clone().validate()?.code(Markers::PostDominators);
//! assert!(code.to_string().contains("lt.i32"));
//! # Ok::<(), simt::core::program::ValidateError>(())
//! ```

// The expansion of `#[kernel]` names this crate as `::simt`, also in this crate's own tests and docs.
extern crate self as simt;

pub mod block;
mod bounds;
pub mod checks;
pub mod clock;
pub mod cuda;
pub mod error;
pub mod evidence;
pub mod guide;
pub mod host;
pub mod language;
pub mod observe;
#[cfg(feature = "ptx")]
pub mod ptx;
pub mod report;
pub mod study;
pub mod termination;
pub mod warp;

pub use simt_core as core;
#[doc(inline)]
pub use simt_core::build::KernelData;
#[doc(inline)]
pub use simt_core::code::Code;
/// The crate `half`: its types `f16` and `bf16` are those of kernels.
#[cfg(feature = "half")]
pub use simt_core::half;
#[doc(inline)]
pub use simt_core::program::Program;
/// # Examples
///
/// ```
/// use simt::prelude::*;
///
/// #[derive(Clone, Copy, KernelData)]
/// struct Star {
///     mass: f32,
///     place: [f32; 3],
/// }
///
/// #[kernel]
/// fn fall(stars: &mut [Star]) {
///     let i = global_id();
///     if i < stars.len() {
///         let star = stars[i];
///         stars[i].place[2] -= 0.5 * star.mass;
///     }
/// }
///
/// let mut stars = [Star { mass: 2.0, place: [0.0; 3] }; 4];
/// Gpu::<Ipdom>::default().launch(Grid::new(1, 4), fall(&mut stars))?;
/// assert_eq!(stars[3].place, [0.0, 0.0, -1.0]);
/// # Ok::<(), LaunchError>(())
/// ```
pub use simt_macros::KernelData;
/// # Examples
///
/// ```
/// use simt::prelude::*;
///
/// /// Euclid's algorithm.
/// #[device]
/// fn gcd<T: Int>(a: T, b: T) -> T {
///     if b == 0 as T { a } else { gcd(b, a % b) }
/// }
///
/// #[kernel]
/// fn reduce(fractions: &mut [u32]) {
///     let i = 2 * global_id();
///     let divisor = gcd(fractions[i], fractions[i + 1]);
///     fractions[i] /= divisor;
///     fractions[i + 1] /= divisor;
/// }
///
/// let mut fractions = [6, 4, 21, 35];
/// Gpu::<Ipdom>::default().launch(Grid::new(1, 2), reduce(&mut fractions))?;
/// assert_eq!(fractions, [3, 2, 3, 5]);
/// # Ok::<(), LaunchError>(())
/// ```
pub use simt_macros::device;
/// # Examples
///
/// ```
/// use simt::prelude::*;
///
/// const SCALE: f32 = 0.5;
///
/// #[kernel]
/// fn scaled_sums(rows: usize, table: &[f32], sums: &mut [f32]) {
///     let column = global_id();
///     if column >= sums.len() {
///         return;
///     }
///     let mut sum = 0.0;
///     for row in 0..rows {
///         sum += table[row * sums.len() + column];
///     }
///     sums[column] = sum * SCALE;
/// }
///
/// let mut sums = [0.0; 3];
/// let call = scaled_sums(2, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut sums);
/// Gpu::<Ipdom>::default().launch(Grid::covering(3, 32), call)?;
/// assert_eq!(sums, [2.5, 3.5, 4.5]);
/// # Ok::<(), LaunchError>(())
/// ```
pub use simt_macros::kernel;
#[doc(inline)]
pub use simt_runtime::{
    Dim3, Gpu, GpuConfig, Grid, KernelCall, LaunchError, Overflow, RaceCheck, Report, Size, device, environment,
    for_each_block_policy, for_each_policy, for_each_warp_policy, hierarchy, policy,
};
#[cfg(feature = "semantics")]
pub use simt_semantics as semantics;
#[cfg(feature = "testing")]
pub use simt_testing as testing;

/// The names that a kernel's file needs: `use simt::prelude::*;`.
pub mod prelude {
    #[doc(inline)]
    pub use crate::bounds::{Float, Int, Num, Scalar};
    pub use crate::checks::Checks;
    pub use crate::core::code::Markers;
    #[cfg(feature = "half")]
    pub use crate::half::{bf16, f16};
    pub use crate::language::{AtomicF32, AtomicF64};
    pub use crate::policy::all::*;
    pub use crate::policy::{BlockPolicy, Policy, WarpPolicy};
    pub use crate::{
        Dim3, Gpu, GpuConfig, Grid, KernelCall, KernelData, LaunchError, RaceCheck, Report, for_each_policy, kernel,
    };
    // Not by way of the root, where a module has the same name.
    #[doc(no_inline)]
    pub use simt_macros::device;
}

/// The functions that the expansion of `#[kernel]` calls. Not for direct use; may change at any time.
#[doc(hidden)]
pub mod __private {
    pub use crate::host::call;
    pub use simt_core::build::*;
    pub use simt_core::ops::Signed;
    pub use simt_core::program::Program;
    pub use simt_core::{Constant, Int, Num, ScalarType, Source, Span};
    pub use simt_runtime::{
        Argument, Arguments, Columns, Element, FieldData, HostData, Kernel, SliceData, SliceMutData, borrow_structs,
        instance, pass_struct, share_structs,
    };
}

/// Tests the README's kernel.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
