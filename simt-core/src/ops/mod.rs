//! The operations of the kernel language: one table each, from which names, meanings, printers and lane loops follow.
//!
//! A row gives the operation's name in `Code`, its symbol in the while-language, and its meaning for each kind of type
//! that has it. The unit struct of the row (`Add`, `Lt`, ...) implements [`BinaryMeaning`] and friends, so that the scalar
//! evaluation here and the lane loops of the runtime run the same expression.
//!
//! * Integers wrap, but in the rows that are strict. Division and remainder by zero are a [`ArithmeticFault`], found before the meaning is applied.
//! * A shift uses the low bits of its count, as release builds of Rust do.
//! * The payload of a NaN is unspecified inside arithmetic; [`canonical`] fixes it where bits become visible.
//! * The 16-bit floats have no meanings of their own: `half` makes them from those of `f32`.

mod atomic;
mod binary;
mod cast;
mod compare;
mod half;
mod machine;
mod names;
mod number;
mod numeric;
mod overflow;
mod unary;

pub use atomic::{AtomicMeaning, AtomicOp, atomic_meaning, evaluate_atomic, has_atomic, has_atomic_at};
pub use binary::{BinaryMeaning, BinaryOp, binary as binary_ops, evaluate_binary};
pub use cast::{CastMeaning, CastsToHalves, CastsToNumbers, evaluate_cast, is_castable};
pub use compare::{CompareMeaning, CompareOp, compare as compare_ops, evaluate_compare};
pub use half::half_cast;
pub use machine::MachineOp;
pub(crate) use names::define_names;
pub use number::{Bits, Float, HalfFloat, Int, Num, Signed, SignedInt, UnsignedInt};
pub use numeric::{Args, NumericFn, NumericMeaning, NumericOp, Real, Slot, evaluate_numeric, numeric as numeric_ops};
pub use overflow::Overflow;
pub use unary::{UnaryMeaning, UnaryOp, evaluate_unary, unary as unary_ops};

use crate::scalar::{Constant, ScalarType};

/// An arithmetic operation that has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArithmeticFault {
    /// Division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// Remainder by zero.
    #[error("remainder by zero")]
    RemainderByZero,
    /// An integer's logarithm that is not defined.
    #[error("integer logarithm of a number that is not positive, or to a base below 2")]
    Logarithm,
    /// Square root of a negative integer.
    #[error("integer square root of a negative number")]
    SquareRoot,
    /// `clamp` whose lower bound is not below its upper one.
    #[error("clamp to bounds that are not in order")]
    ClampBounds,
    /// A result that the type does not have, or a shift by the type's width or more.
    #[error("integer overflow")]
    Overflow,
}

/// A float constant whose NaN, if it is one, is Rust's `NAN`; anything else unchanged. So are the 16-bit floats: of those
/// every operation gives the canonical NaN, and what is only copied keeps its bits.
///
/// Applied wherever a float's bits become visible (stores), so that results do not depend on the order in which the
/// host's instructions take their operands.
pub fn canonical(constant: Constant) -> Constant {
    let bits = if constant.ty == ScalarType::F32 && f32::from_bits(constant.bits as u32).is_nan() {
        u64::from(f32::NAN.to_bits())
    } else if constant.ty == ScalarType::F64 && f64::from_bits(constant.bits).is_nan() {
        f64::NAN.to_bits()
    } else {
        constant.bits
    };
    Constant { bits, ..constant }
}

/// Dispatches on a machine type: binds `$t` to the Rust type in the arm of each listed kind.
macro_rules! with_machine_type {
    ($ty:expr, int $t:ident => $int:expr, float => $float:expr, bool => $bool:expr) => {
        match $ty.machine() {
            ScalarType::U8 => with_machine_type!(@arm $t = u8, $int),
            ScalarType::U16 => with_machine_type!(@arm $t = u16, $int),
            ScalarType::U32 | ScalarType::Usize => with_machine_type!(@arm $t = u32, $int),
            ScalarType::U64 => with_machine_type!(@arm $t = u64, $int),
            ScalarType::I8 => with_machine_type!(@arm $t = i8, $int),
            ScalarType::I16 => with_machine_type!(@arm $t = i16, $int),
            ScalarType::I32 | ScalarType::Isize => with_machine_type!(@arm $t = i32, $int),
            ScalarType::I64 => with_machine_type!(@arm $t = i64, $int),
            ScalarType::F32 => with_machine_type!(@arm $t = f32, $float),
            ScalarType::F64 => with_machine_type!(@arm $t = f64, $float),
            ScalarType::Bool => with_machine_type!(@arm $t = bool, $bool),
            ScalarType::F16 | ScalarType::Bf16 => unreachable!("`half` has the meanings for 16-bit floats"),
        }
    };
    (@arm $t:ident = $machine:ty, $body:expr) => {{
        #[allow(dead_code, reason = "an arm need not use its type")]
        type $t = $machine;
        $body
    }};
}
pub(crate) use with_machine_type;
