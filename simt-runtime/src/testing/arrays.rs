//! The memory of a random kernel: one read-only and one writable slice of each element type.

use super::Random;
use crate::kernel::{Kernel, KernelCall, call};
use crate::memory::Argument;
use simt_core::program::{Param, ParamKind};
use simt_core::{Scalar, ScalarType, Span};

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
            /// Another.
            pub bias: f32,
        }

        impl Arrays {
            /// The element types, in the order of the parameters: inputs have even numbers, outputs odd ones.
            pub const TYPES: &[ScalarType] = &[$(<$ty>::TYPE,)*];

            /// Slices for `threads` threads with random contents, of all magnitudes.
            pub fn random(random: &mut Random, threads: usize, input_len: usize) -> Self {
                Self {
                    $(
                        $input: (0..input_len).map(|_| <$ty>::from_bits64(value(random, <$ty>::TYPE))).collect(),
                        $output: (0..threads).map(|_| <$ty>::from_bits64(value(random, <$ty>::TYPE))).collect(),
                    )*
                    scale: random.below(100) as u32,
                    bias: random.below(1000) as f32 / 8.0,
                }
            }

            /// The parameters of a kernel on such slices.
            pub fn params() -> Vec<Param> {
                let slice = |name: &'static str, element, writable| Param {
                    name: name.into(),
                    kind: ParamKind::Slice { element, writable },
                    span: Span::default(),
                };
                let scalar = |name: &'static str, ty| Param {
                    name: name.into(),
                    kind: ParamKind::Scalar(ty),
                    span: Span::default(),
                };
                vec![
                    $(slice(stringify!($input), <$ty>::TYPE, false), slice(stringify!($output), <$ty>::TYPE, true),)*
                    scalar("scale", ScalarType::U32),
                    scalar("bias", ScalarType::F32),
                ]
            }

            /// A call of a kernel with these slices.
            pub fn call<'a>(&'a mut self, kernel: &'a Kernel) -> KernelCall<'a> {
                let arguments = vec![
                    $(Argument::slice(&self.$input), Argument::slice_mut(&mut self.$output),)*
                    Argument::scalar(self.scale),
                    Argument::scalar(self.bias),
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
                ]
            }
        }
    };
}

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
}

/// The bits of a random value: small ones often, special ones at times.
pub(super) fn value(random: &mut Random, ty: ScalarType) -> u64 {
    let machine = ty.machine();
    let bits = match (machine, random.below(4)) {
        (ScalarType::F32, 0..=2) => u64::from((random.below(64) as f32 / 4.0 - 4.0).to_bits()),
        (ScalarType::F64, 0..=2) => (random.below(64) as f64 / 4.0 - 4.0).to_bits(),
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
