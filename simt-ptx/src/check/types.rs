//! Which registers an instruction of some type may have.

use crate::syntax::{Float, Type};

/// What kind of value a type is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Predicate,
    Bits,
    Integer,
    Float,
    Handle,
}

fn kind(ty: Type) -> Kind {
    match ty {
        Type::Pred => Kind::Predicate,
        Type::B8 | Type::B16 | Type::B32 | Type::B64 | Type::B128 => Kind::Bits,
        Type::U8
        | Type::U16
        | Type::U32
        | Type::U64
        | Type::U16x2
        | Type::S8
        | Type::S16
        | Type::S32
        | Type::S64
        | Type::S16x2 => Kind::Integer,
        Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2 | Type::F32 | Type::F32x2 | Type::F64 => Kind::Float,
        Type::Texref | Type::Samplerref | Type::Surfref => Kind::Handle,
    }
}

/// Whether a register of one type may stand where an instruction has another: the same size, and bits, or both integers, or the
/// same float. Where a register may be wider, one of bits or of integers may be (PTX manual, "Operand Size Exceeding
/// Instruction-Type Size").
pub(super) fn compatible(instruction: Type, register: Type, wider: bool) -> bool {
    let kinds = match (kind(instruction), kind(register)) {
        (Kind::Float, Kind::Float) => instruction == register,
        (Kind::Predicate, Kind::Predicate)
        | (Kind::Bits, Kind::Bits | Kind::Integer | Kind::Float)
        | (Kind::Integer, Kind::Bits | Kind::Integer)
        | (Kind::Float, Kind::Bits) => true,
        _ => false,
    };
    let (has, needs) = (register.bits(), instruction.bits());
    kinds
        && (has == needs || wider && has > needs && (kind(register) != Kind::Float || kind(instruction) == Kind::Bits))
}

/// Whether integers may stand where an instruction has a type.
pub(super) fn takes_integers(ty: Type) -> bool {
    matches!(kind(ty), Kind::Predicate | Kind::Bits | Kind::Integer)
}

/// Whether a float may stand where an instruction has a type: any for a float, one of the same width for bits.
pub(super) fn takes_float(ty: Type, float: Float) -> bool {
    match float {
        Float::Single(_) => matches!(ty, Type::F32 | Type::F64 | Type::B32),
        Float::Double(_) => matches!(ty, Type::F32 | Type::F64 | Type::B64),
    }
}

/// The integer of twice the width, of `.wide`.
pub(super) fn wide(ty: Type) -> Type {
    match ty {
        Type::U16 => Type::U32,
        Type::S16 => Type::S32,
        Type::U32 => Type::U64,
        Type::S32 => Type::S64,
        other => other,
    }
}
