//! What arithmetic on integers does where its result is not one of the type.

use super::{BinaryOp, NumericOp};
use crate::scalar::ScalarType;

/// What the operators and methods of integers do where they overflow: where Rust panics in a debug build and wraps in a
/// release build.
///
/// A kernel has a program for each of the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// They wrap, as in a release build and on GPUs.
    #[default]
    Wrap,
    /// They end the launch with an error, as a debug build panics.
    Fault,
}

impl BinaryOp {
    /// The method that faults where this operation on values of the type overflows; none if it never does.
    pub const fn strict(self, ty: ScalarType) -> Option<NumericOp> {
        Some(match self {
            _ if !ty.is_int() => return None,
            Self::Add => NumericOp::StrictAdd,
            Self::Sub => NumericOp::StrictSub,
            Self::Mul => NumericOp::StrictMul,
            Self::Div if ty.is_signed_int() => NumericOp::StrictDiv,
            Self::Rem if ty.is_signed_int() => NumericOp::StrictRem,
            Self::Shl => NumericOp::StrictShl,
            Self::Shr => NumericOp::StrictShr,
            Self::Div | Self::Rem | Self::And | Self::Or | Self::Xor => return None,
        })
    }
}

impl NumericOp {
    /// The method that faults where this one on values of the type overflows; none if it never does.
    pub const fn strict(self, ty: ScalarType) -> Option<Self> {
        Some(match self {
            _ if !ty.is_int() => return None,
            Self::Abs => Self::StrictAbs,
            Self::Pow => Self::StrictPow,
            Self::DivEuclid if ty.is_signed_int() => Self::StrictDivEuclid,
            Self::RemEuclid if ty.is_signed_int() => Self::StrictRemEuclid,
            Self::NextMultipleOf => Self::StrictNextMultipleOf,
            Self::NextPowerOfTwo => Self::StrictNextPowerOfTwo,
            _ => return None,
        })
    }
}
