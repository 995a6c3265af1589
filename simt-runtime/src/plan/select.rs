//! The choice of a lane operation for an instruction, by its types.

use super::LaneOp;
use simt_core::ScalarType;
use simt_core::ops::{CompareOp, NumericOp};

/// The place of operations on 16-bit floats.
const APART: &str = "16-bit floats are translated apart";

/// The lane operation of a conversion between machine types.
pub(super) fn cast(from: ScalarType, to: ScalarType) -> LaneOp {
    use LaneOp::*;
    use ScalarType::*;
    let narrow = |n32, n64| if from.bits() == 64 { n64 } else { n32 };
    match (from, to) {
        (Bool, Bool) => PredicateMove,
        (Bool, U64 | I64) => Bool64,
        (Bool, _) => Bool32,
        (F32, F32) | (F16, F16) | (Bf16, Bf16) => Move32,
        (F16 | Bf16, _) | (_, F16 | Bf16) => unreachable!("{APART}"),
        (F64, F64) | (U64 | I64, U64 | I64) => Move64,
        (F32, F64) => F32F64,
        (F64, F32) => F64F32,
        (F32, U8) => F32U8,
        (F32, U16) => F32U16,
        (F32, U32 | Usize) => F32U32,
        (F32, U64) => F32U64,
        (F32, I8) => F32I8,
        (F32, I16) => F32I16,
        (F32, I32 | Isize) => F32I32,
        (F32, I64) => F32I64,
        (F64, U8) => F64U8,
        (F64, U16) => F64U16,
        (F64, U32 | Usize) => F64U32,
        (F64, U64) => F64U64,
        (F64, I8) => F64I8,
        (F64, I16) => F64I16,
        (F64, I32 | Isize) => F64I32,
        (F64, I64) => F64I64,
        (U64, F32) => U64F32,
        (U64, F64) => U64F64,
        (I64, F32) => I64F32,
        (I64, F64) => I64F64,
        (_, F32) => {
            if from.is_signed_int() {
                I32F32
            } else {
                U32F32
            }
        }
        (_, F64) => {
            if from.is_signed_int() {
                I32F64
            } else {
                U32F64
            }
        }
        (_, U64 | I64) => {
            if from.is_signed_int() {
                WidenI32
            } else {
                WidenU32
            }
        }
        (_, U8) => narrow(Narrow32U8, Narrow64U8),
        (_, U16) => narrow(Narrow32U16, Narrow64U16),
        (_, I8) => narrow(Narrow32I8, Narrow64I8),
        (_, I16) => narrow(Narrow32I16, Narrow64I16),
        (_, U32 | I32 | Usize | Isize) => narrow(Move32, Narrow64U32),
        (_, Bool) => unreachable!("validated: only bool casts to bool"),
    }
}

pub(super) fn by_class(ty: ScalarType, word: LaneOp, wide: LaneOp, predicate: LaneOp) -> LaneOp {
    match ty.bits() {
        1 => predicate,
        64 => wide,
        _ => word,
    }
}

/// The choice from `[unsigned 32, signed 32, unsigned 64, signed 64]`.
pub(super) fn pick(wide: bool, signed: bool, ops: [LaneOp; 4]) -> LaneOp {
    ops[usize::from(wide) * 2 + usize::from(signed)]
}

/// The exponent of a positive power of two of an integer type.
pub(super) fn power_of_two(bits: u64, machine: ScalarType) -> Option<u32> {
    let positive = !machine.is_signed_int() || bits >> (machine.bits() - 1) == 0;
    (bits.is_power_of_two() && positive).then(|| bits.trailing_zeros())
}

/// The lane operation of a numeric method, if it has one of its own. Narrow integers use that of 32 bits.
pub(super) fn numeric(op: NumericOp, machine: ScalarType) -> Option<LaneOp> {
    use LaneOp::*;
    let small = machine.is_int() && machine.bits() <= 32;
    Some(match (op, machine) {
        (NumericOp::Abs, ScalarType::F32) => AbsF32,
        (NumericOp::Abs, ScalarType::F64) => AbsF64,
        (NumericOp::Abs, _) if small => AbsI32,
        (NumericOp::Sqrt, ScalarType::F32) => SqrtF32,
        (NumericOp::Sqrt, ScalarType::F64) => SqrtF64,
        (NumericOp::Floor, ScalarType::F32) => FloorF32,
        (NumericOp::Floor, ScalarType::F64) => FloorF64,
        (NumericOp::Ceil, ScalarType::F32) => CeilF32,
        (NumericOp::Ceil, ScalarType::F64) => CeilF64,
        (NumericOp::CountOnes, ScalarType::U32 | ScalarType::I32) => Ones32,
        (NumericOp::CountOnes, ScalarType::U64 | ScalarType::I64) => Ones64,
        (NumericOp::LeadingZeros, ScalarType::U32 | ScalarType::I32) => LeadingZeros32,
        (NumericOp::LeadingZeros, ScalarType::U64 | ScalarType::I64) => LeadingZeros64,
        (NumericOp::TrailingZeros, ScalarType::U32 | ScalarType::I32) => TrailingZeros32,
        (NumericOp::TrailingZeros, ScalarType::U64 | ScalarType::I64) => TrailingZeros64,
        (NumericOp::RotateLeft, ScalarType::U32 | ScalarType::I32) => RotateLeft32,
        (NumericOp::RotateRight, ScalarType::U32 | ScalarType::I32) => RotateRight32,
        (NumericOp::ToBits, ScalarType::F32) => BitsF32,
        (NumericOp::ToBits, ScalarType::F64) => BitsF64,
        (NumericOp::FromBits, ScalarType::U32)
        | (NumericOp::FromBitsF16 | NumericOp::FromBitsBf16, _)
        | (NumericOp::ToBits, ScalarType::F16 | ScalarType::Bf16) => Move32,
        (NumericOp::FromBits, ScalarType::U64) => Move64,
        (NumericOp::MulAdd, ScalarType::F32) => MulAddF32,
        (NumericOp::MulAdd, ScalarType::F64) => MulAddF64,
        (NumericOp::Min, ScalarType::F32) => MinF32,
        (NumericOp::Min, ScalarType::F64) => MinF64,
        (NumericOp::Max, ScalarType::F32) => MaxF32,
        (NumericOp::Max, ScalarType::F64) => MaxF64,
        (NumericOp::SaturatingAdd, ScalarType::U32) => SaturatingAddU32,
        (NumericOp::SaturatingSub, ScalarType::U32) => SaturatingSubU32,
        (NumericOp::SaturatingMul, ScalarType::U32) => SaturatingMulU32,
        (NumericOp::StrictAdd, ScalarType::U32) => StrictAddU32,
        (NumericOp::StrictSub, ScalarType::U32) => StrictSubU32,
        (NumericOp::StrictMul, ScalarType::U32) => StrictMulU32,
        (NumericOp::StrictAdd, ScalarType::I32) => StrictAddI32,
        (NumericOp::StrictSub, ScalarType::I32) => StrictSubI32,
        (NumericOp::StrictMul, ScalarType::I32) => StrictMulI32,
        // What is less wraps below zero.
        (NumericOp::SubOverflows, ScalarType::U32) => LtU32,
        (NumericOp::SubOverflows, ScalarType::U64) => LtU64,
        (NumericOp::Min, _) if small => pick(false, machine.is_signed_int(), [MinU32, MinI32, MinU32, MinI32]),
        (NumericOp::Max, _) if small => pick(false, machine.is_signed_int(), [MaxU32, MaxI32, MaxU32, MaxI32]),
        _ => return None,
    })
}

/// The lane operation of a comparison, and whether its operands are swapped.
pub(super) fn compare(op: CompareOp, machine: ScalarType) -> (LaneOp, bool) {
    use LaneOp::*;
    let swapped = matches!(op, CompareOp::Gt | CompareOp::Ge);
    let [eq, ne, lt, le] = match machine {
        ScalarType::F32 => [EqF32, NeF32, LtF32, LeF32],
        ScalarType::F64 => [EqF64, NeF64, LtF64, LeF64],
        ScalarType::F16 | ScalarType::Bf16 => unreachable!("{APART}"),
        ScalarType::Bool => [PredicateEq, PredicateXor, PredicateLt, PredicateLe],
        ScalarType::U64 => [Eq64, Ne64, LtU64, LeU64],
        ScalarType::I64 => [Eq64, Ne64, LtI64, LeI64],
        ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::Isize => [Eq32, Ne32, LtI32, LeI32],
        ScalarType::U8 | ScalarType::U16 | ScalarType::U32 | ScalarType::Usize => [Eq32, Ne32, LtU32, LeU32],
    };
    let op = match op {
        CompareOp::Eq => eq,
        CompareOp::Ne => ne,
        CompareOp::Lt | CompareOp::Gt => lt,
        CompareOp::Le | CompareOp::Ge => le,
    };
    (op, swapped)
}
