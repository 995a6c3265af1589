//! Sets of modifiers and types that several rows have, and shapes of operands with short names.

use super::row::{Of, Shape};
use crate::syntax::Type::{
    self, B8, B16, B32, B64, B128, Bf16, Bf16x2, F16, F16x2, F32, F64, Pred, S8, S16, S16x2, S32, S64, U8, U16, U16x2,
    U32, U64,
};

pub(super) const INT: &[Type] = &[U16, U32, U64, S16, S32, S64];
pub(super) const INT_32_64: &[Type] = &[U32, S32, U64, S64];
pub(super) const INT_16_32: &[Type] = &[U16, U32, S16, S32];
pub(super) const SIGNED: &[Type] = &[S16, S32, S64];
pub(super) const UNSIGNED: &[Type] = &[U16, U32, U64];
pub(super) const BITS: &[Type] = &[B16, B32, B64];
pub(super) const BITS_PRED: &[Type] = &[Pred, B16, B32, B64];
pub(super) const BITS_32_64: &[Type] = &[B32, B64];
pub(super) const INT_PAIRS: &[Type] = &[U16x2, S16x2];
pub(super) const HALF: &[Type] = &[F16, F16x2, Bf16, Bf16x2];
pub(super) const FLOAT: &[Type] = &[F32, F64];
pub(super) const COMPARED: &[Type] = &[B16, B32, B64, U16, U32, U64, S16, S32, S64, F32, F64];
pub(super) const MEMORY: &[Type] = &[B8, B16, B32, B64, B128, U8, U16, U32, U64, S8, S16, S32, S64, F32, F64];
pub(super) const MOVED: &[Type] = &[Pred, B16, B32, B64, B128, U16, U32, U64, S16, S32, S64, F32, F64];
pub(super) const CONVERTED_INT: &[Type] = &[U8, U16, U32, U64, S8, S16, S32, S64];

pub(super) const FTZ: &[&str] = &["ftz"];
pub(super) const SAT: &[&str] = &["sat"];
pub(super) const CC: &[&str] = &["cc"];
pub(super) const APPROX: &[&str] = &["approx"];
pub(super) const ROUND: &[&str] = &["rn", "rz", "rm", "rp"];
pub(super) const ROUND_INT: &[&str] = &["rni", "rzi", "rmi", "rpi"];
/// Comparisons of bits.
pub(super) const COMPARE_BITS: &[&str] = &["eq", "ne"];
/// Comparisons of signed integers.
pub(super) const COMPARE_SIGNED: &[&str] = &["eq", "ne", "lt", "le", "gt", "ge"];
/// Comparisons of unsigned integers.
pub(super) const COMPARE_UNSIGNED: &[&str] = &["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"];
/// Comparisons of floats; those that end in `u` hold if one is a NaN.
pub(super) const COMPARE_FLOAT: &[&str] =
    &["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"];
pub(super) const BOOLEAN: &[&str] = &["and", "or", "xor"];
pub(super) const SPACE: &[&str] =
    &["global", "shared", "shared::cta", "local", "const", "param", "param::entry", "param::func"];
/// Memory that other threads or the launch may change while a kernel runs.
pub(super) const CHANGING: &[&str] = &["global", "shared", "shared::cta", "local"];
pub(super) const WRITABLE: &[&str] = &["global", "shared", "shared::cta", "local", "param", "param::func"];
pub(super) const ATOMIC: &[&str] = &["global", "shared", "shared::cta"];
pub(super) const ORDER: &[&str] = &["relaxed", "acquire", "release", "acq_rel"];
/// The order of a reduction, which reads nothing.
pub(super) const ORDER_OF_REDUCTIONS: &[&str] = &["relaxed", "release"];
pub(super) const SCOPE: &[&str] = &["cta", "cluster", "gpu", "sys"];
pub(super) const VECTOR: &[&str] = &["v2", "v4"];
pub(super) const LOAD_CACHE: &[&str] = &["ca", "cg", "cs", "lu", "cv"];
/// Those of memory that does not change.
pub(super) const LOAD_CACHE_NC: &[&str] = &["ca", "cg", "cs"];
pub(super) const STORE_CACHE: &[&str] = &["wb", "cg", "cs", "wt"];
pub(super) const EVICTION: &[&str] =
    &["L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"];
pub(super) const L2_EVICTION: &[&str] = &["L2::evict_normal", "L2::evict_first", "L2::evict_last"];
pub(super) const PREFETCH: &[&str] = &["L2::64B", "L2::128B", "L2::256B"];

/// A result of the first type.
pub(super) const D: Shape = Shape::To(Of::Type(0));
/// A value of the first type.
pub(super) const S: Shape = Shape::From(Of::Type(0));
/// A result of twice the first type.
pub(super) const DW: Shape = Shape::To(Of::Wide(0));
/// A value of twice the first type.
pub(super) const SW: Shape = Shape::From(Of::Wide(0));
/// A result of 32 bits.
pub(super) const D32: Shape = Shape::To(Of::Is(U32));
/// A value of 32 bits: an amount, a mask, a number of a barrier.
pub(super) const S32_: Shape = Shape::From(Of::Is(U32));
/// A result that is a predicate.
pub(super) const DP: Shape = Shape::To(Of::Is(Pred));
/// A predicate that is read, or its opposite.
pub(super) const P: Shape = Shape::Predicate;
/// Memory.
pub(super) const A: Shape = Shape::Address;
