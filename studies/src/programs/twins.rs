//! The kernels of `tests/placement`: twins of CUDA kernels of which it is known where NVIDIA's assembler puts barriers.
//!
//! The test looks at their code only. Here they run, in eight warps, on data of a fixed kind: small numbers that are none too rarely
//! what a kernel looks for. Nothing is known of their results, and some have races or wait for ever.

use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;

use simt::core::ScalarType;
use simt::core::program::{Param, ParamKind};
use simt::host::{Argument, Kernel, call};
use simt::prelude::*;

use super::Machine;
use crate::skeleton::Skeleton;

/// Kernels by name, as the files list them.
macro_rules! kernels {
    ($($name:ident)*) => { [$((stringify!($name), Skeleton::program($name::program()))),*] };
}

#[path = "../../../tests/placement/kernels/mod.rs"]
#[allow(unused_imports, reason = "tests beside the kernels look at their code")]
mod kernels;

/// A kernel, with its parameters.
pub(super) struct Twin {
    pub(super) name: &'static str,
    kernel: Box<Kernel>,
    params: Vec<Param>,
}

/// Kernels that are left out, with the reason.
const LEFT_OUT: [(&str, &str); 2] = [
    ("k16_spinlock_fig3_literal", "its condition is the wrong way round: no thread gets out"),
    ("y22_shfl", "it asks for values of lanes that have left its loop"),
];

/// The twins.
pub(super) fn all() -> &'static [Twin] {
    static TWINS: OnceLock<Vec<Twin>> = OnceLock::new();
    TWINS.get_or_init(|| {
        let kept = |(name, _): &(&str, Skeleton)| LEFT_OUT.iter().all(|(left_out, _)| left_out != name);
        let twins = kernels::skeletons().into_iter().filter(kept);
        twins.map(|(name, Skeleton { kernel, params })| Twin { name, kernel, params }).collect()
    })
}

/// The number of threads, of one block: kernels with shared memory have 256 elements of it.
const THREADS: usize = 256;
/// Elements of a slice: kernels write behind 4096, and read some beyond their own.
const ELEMENTS: usize = 4096 + 4 * THREADS;

/// The elements of a slice: 1 to 12, drawn by their place; 0 in one that is a lock or a counter.
fn element(param: &Param, at: usize) -> u32 {
    if param.name == "lock" {
        return 0;
    }
    let mixed = (at as u32).wrapping_mul(0x9e37_79b9) ^ (at as u32) << 7;
    1 + (mixed >> 16) % 12
}

/// What is passed for a parameter.
enum Passed {
    I32(Vec<i32>),
    U32(Vec<u32>),
    Usize(Vec<usize>),
    Atomics(Vec<AtomicU32>),
    Scalar(Param),
}

impl Passed {
    fn of(param: &Param) -> Self {
        let elements = || (0..ELEMENTS).map(|at| element(param, at));
        match param.kind {
            ParamKind::Slice { element: ScalarType::I32, .. } => {
                Self::I32(elements().map(|value| value as i32).collect())
            }
            ParamKind::Slice { element: ScalarType::U32, .. } => Self::U32(elements().collect()),
            ParamKind::Slice { .. } => Self::Usize(elements().map(|value| value as usize).collect()),
            ParamKind::Atomic { .. } => Self::Atomics((0..ELEMENTS).map(|_| AtomicU32::new(0)).collect()),
            _ => Self::Scalar(param.clone()),
        }
    }

    fn argument(&mut self, param: &Param) -> Argument<'_> {
        let writable = matches!(param.kind, ParamKind::Slice { writable: true, .. });
        match (self, writable) {
            (Self::I32(slice), true) => Argument::slice_mut(slice),
            (Self::I32(slice), false) => Argument::slice(slice),
            (Self::U32(slice), true) => Argument::slice_mut(slice),
            (Self::U32(slice), false) => Argument::slice(slice),
            (Self::Usize(slice), true) => Argument::slice_mut(slice),
            (Self::Usize(slice), false) => Argument::slice(slice),
            (Self::Atomics(atomics), _) => Argument::atomic(atomics),
            (Self::Scalar(param), _) => scalar(param),
        }
    }
}

/// A bound of 8 turns; the corner and the step of a picture.
fn scalar(param: &Param) -> Argument<'static> {
    match param.kind {
        ParamKind::Scalar(ScalarType::F32) => Argument::scalar(if param.name == "x0" { -1.75_f32 } else { 0.05 }),
        ParamKind::Scalar(ScalarType::U32) => Argument::scalar(8_u32),
        _ => Argument::scalar(8_usize),
    }
}

impl Twin {
    pub(super) fn run(&self, machine: &mut dyn Machine) -> Result<(), LaunchError> {
        let mut passed: Vec<Passed> = self.params.iter().map(Passed::of).collect();
        let arguments = passed.iter_mut().zip(&self.params).map(|(passed, param)| passed.argument(param)).collect();
        machine.launch(Grid::new(1, THREADS), call(&self.kernel, arguments)).map(drop)
    }
}
