//! The memory of a random kernel: one read-only and one writable slice of each element type, constants and atomics.

use super::Random;
use simt_core::ops::evaluate_cast;
use simt_core::program::{Param, ParamId, ParamKind};
use simt_core::{Atomic, Constant, Scalar, ScalarType, Span};
use simt_runtime::Argument;
use simt_runtime::{Kernel, KernelCall, call};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32};

/// Atomics, compared by their values.
#[derive(Debug, Default)]
pub struct Atomics<A>(pub Vec<A>);

impl<A: Atomic<Value: PartialEq> + Default> Clone for Atomics<A> {
    fn clone(&self) -> Self {
        Self::of(self.0.iter().map(Atomic::get))
    }
}

impl<A: Atomic<Value: PartialEq>> PartialEq for Atomics<A> {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(left, right)| left.get() == right.get())
    }
}

impl<A: Atomic + Default> Atomics<A> {
    fn of(values: impl Iterator<Item = A::Value>) -> Self {
        let atomic = |value| {
            let atomic = A::default();
            atomic.set(value);
            atomic
        };
        Self(values.map(atomic).collect())
    }

    fn to_bits(&self) -> Vec<u64> {
        self.0.iter().map(|atomic| atomic.get().to_bits64()).collect()
    }
}

macro_rules! arrays {
    ($($input:ident, $output:ident: $ty:ty;)*) => {
        /// The slices that a random kernel works on, and its scalar parameters.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Arrays {
            $(
                #[doc = concat!("Read by threads: `&[", stringify!($ty), "]`.")]
                pub $input: Vec<$ty>,
                #[doc = concat!("Each thread has the element of its number: `&mut [", stringify!($ty), "]`.")]
                pub $output: Vec<$ty>,
            )*
            /// A scalar parameter.
            pub scale: u32,
            /// Another scalar parameter.
            pub bias: f32,
            /// Constant memory.
            pub table: Vec<u16>,
            /// Atomics that threads change in one way, by the remainder of the element's number.
            pub counts: Atomics<AtomicU32>,
            /// Atomics of another type.
            pub sums: Atomics<AtomicI64>,
            /// Atomics of another type.
            pub flags: Atomics<AtomicBool>,
        }

        impl Arrays {
            /// The element types, in the order of the parameters: inputs have even numbers, outputs odd ones.
            pub const TYPES: &[ScalarType] = &[$(<$ty>::TYPE,)*];

            /// The number of the first parameter that is no slice of [`Arrays::TYPES`]; the others follow.
            const OTHERS: u32 = 2 * Self::TYPES.len() as u32;
            /// A scalar parameter, a `u32`.
            pub(super) const SCALE: ParamId = ParamId(Self::OTHERS);
            /// A scalar parameter, an `f32`.
            pub(super) const BIAS: ParamId = ParamId(Self::OTHERS + 1);
            /// The atomics, with the type of their values.
            pub(super) const ATOMICS: [(ParamId, ScalarType); 3] = [
                (ParamId(Self::OTHERS + 3), ScalarType::U32),
                (ParamId(Self::OTHERS + 4), ScalarType::I64),
                (ParamId(Self::OTHERS + 5), ScalarType::Bool),
            ];
            /// Elements of each slice of atomics.
            pub(super) const ATOMICS_LEN: usize = 24;

            /// Slices for `threads` threads with random contents, of all magnitudes.
            pub fn random(random: &mut Random, threads: usize, input_len: usize) -> Self {
                Self {
                    $(
                        $input: (0..input_len).map(|_| <$ty>::from_bits64(value(random, <$ty>::TYPE))).collect(),
                        $output: (0..threads).map(|_| <$ty>::from_bits64(value(random, <$ty>::TYPE))).collect(),
                    )*
                    scale: random.below(100) as u32,
                    bias: random.below(1000) as f32 / 8.0,
                    table: (0..11).map(|_| random.bits() as u16).collect(),
                    counts: Atomics::of((0..Self::ATOMICS_LEN).map(|_| random.bits() as u32)),
                    sums: Atomics::of((0..Self::ATOMICS_LEN).map(|_| random.bits() as i64)),
                    flags: Atomics::of((0..Self::ATOMICS_LEN).map(|_| random.once_in(2))),
                }
            }

            /// The parameters of a kernel on such slices.
            pub fn params() -> Vec<Param> {
                let param = |name: &'static str, kind| Param { name: name.into(), kind, row: 1, table: None, span: Span::default() };
                let slice = |name, element, writable| param(name, ParamKind::Slice { element, writable });
                let scalar = |name, ty| param(name, ParamKind::Scalar(ty));
                let atomics = |name, element| param(name, ParamKind::Atomic { element });
                vec![
                    $(slice(stringify!($input), <$ty>::TYPE, false), slice(stringify!($output), <$ty>::TYPE, true),)*
                    scalar("scale", ScalarType::U32),
                    scalar("bias", ScalarType::F32),
                    param("table", ParamKind::Constant { element: ScalarType::U16 }),
                    atomics("counts", ScalarType::U32),
                    atomics("sums", ScalarType::I64),
                    atomics("flags", ScalarType::Bool),
                ]
            }

            /// A call of a kernel with these slices.
            pub fn call<'a>(&'a mut self, kernel: &'a Kernel) -> KernelCall<'a> {
                let arguments = vec![
                    $(Argument::slice(&self.$input), Argument::slice_mut(&mut self.$output),)*
                    Argument::scalar(self.scale),
                    Argument::scalar(self.bias),
                    Argument::constant(&self.table),
                    Argument::atomic(&self.counts.0),
                    Argument::atomic(&self.sums.0),
                    Argument::atomic(&self.flags.0),
                ];
                call(kernel, arguments)
            }

            /// The device's bits of each slice by parameter, and of each scalar as a slice of one.
            pub fn to_bits(&self) -> Vec<Vec<u64>> {
                vec![
                    $(
                        self.$input.iter().map(|value| value.to_bits64()).collect(),
                        self.$output.iter().map(|value| value.to_bits64()).collect(),
                    )*
                    vec![self.scale.to_bits64()],
                    vec![self.bias.to_bits64()],
                    self.table.iter().map(|value| value.to_bits64()).collect(),
                    self.counts.to_bits(),
                    self.sums.to_bits(),
                    self.flags.to_bits(),
                ]
            }
        }
    };
}

/// The types of slices without any feature, and those with features.
macro_rules! arrays_and {
    ($($more:tt)*) => {
        arrays! {
            in_u8, out_u8: u8;
            in_u16, out_u16: u16;
            in_u32, out_u32: u32;
            in_u64, out_u64: u64;
            in_i8, out_i8: i8;
            in_i16, out_i16: i16;
            in_i32, out_i32: i32;
            in_i64, out_i64: i64;
            in_f32, out_f32: f32;
            in_f64, out_f64: f64;
            in_bool, out_bool: bool;
            in_usize, out_usize: usize;
            in_isize, out_isize: isize;
            $($more)*
        }
    };
}
#[cfg(not(feature = "half"))]
arrays_and! {}
#[cfg(feature = "half")]
arrays_and! {
    in_f16, out_f16: simt_core::half::f16;
    in_bf16, out_bf16: simt_core::half::bf16;
}

/// The bits of the nearest 16-bit float.
fn half(ty: ScalarType, value: f32) -> u64 {
    evaluate_cast(Constant::of(value), ty).bits
}

/// The bits of a random value: small ones often, special ones at times.
pub(super) fn value(random: &mut Random, ty: ScalarType) -> u64 {
    let machine = ty.machine();
    let bits = match (machine, random.below(4)) {
        (ScalarType::F32, 0..=2) => u64::from((random.below(64) as f32 / 4.0 - 4.0).to_bits()),
        (ScalarType::F64, 0..=2) => (random.below(64) as f64 / 4.0 - 4.0).to_bits(),
        (ScalarType::F16 | ScalarType::Bf16, 0..=2) => half(machine, random.below(64) as f32 / 4.0 - 4.0),
        (ScalarType::F16 | ScalarType::Bf16, _) => {
            let special = [f32::NAN, f32::INFINITY, -0.0, 65504.0, 6e-8, 1e-40, -1.5e9, 0.1];
            half(machine, *random.pick(&special))
        }
        (ScalarType::F32, _) => {
            let special = [f32::NAN, f32::INFINITY, -0.0, f32::MAX, 1e-40, -1.5e9, 3.0e19];
            u64::from(random.pick(&special).to_bits())
        }
        (ScalarType::F64, _) => {
            let special = [f64::NAN, f64::NEG_INFINITY, -0.0, f64::MAX, 1e-310, -1.5e9, 3.0e19];
            random.pick(&special).to_bits()
        }
        (_, 0..=1) => random.below(10) as u64,
        (_, 2) => (random.below(10) as u64).wrapping_neg(),
        _ => random.bits(),
    };
    match machine.bits() {
        64 => bits,
        width => bits & ((1 << width) - 1),
    }
}
