//! Conversions of numbers and of addresses.

use crate::syntax::Type::{B32, B64, Bf16, Bf16x2, F16, F16x2, F32, F64, Pred, S8, S16, S32, S64, U8, U16, U32, U64};
use crate::table::row::Becomes::{Convert, ConvertPair, FromGeneric, IsSpace, ToGeneric, Unsupported};
use crate::table::row::Shape::{Anything, From, FromWider, MoveFrom, To, ToWider};
use crate::table::row::Slot::{Is, May, Rest, Type};
use crate::table::row::{Of, Row, Shape, row};
use crate::table::sets::*;

/// The result and the value of a conversion: registers may be wider, as none has 8 bits.
const TO: Shape = ToWider(Of::Type(0));
const FROM: Shape = FromWider(Of::Type(1));
const S1: Shape = From(Of::Type(1));
const GENERIC: &[&str] = &["global", "shared", "shared::cta", "local", "const", "param", "param::entry"];
const NARROW: &[&str] = &[
    "tf32", "e4m3x2", "e5m2x2", "e4m3x4", "e5m2x4", "e2m1x2", "e2m1x4", "e2m3x2", "e3m2x2", "e2m3x4", "e3m2x4",
    "ue8m0x2", "rs",
];
const NARROW_REASON: &str = "floats of tensor cores: use `.f16`, `.bf16` or `.f32`";
const RELU: &[&str] = &["relu"];
const FINITE: &[&str] = &["satfinite"];
/// The roundings that `.relu` and `.satfinite` go with.
const NEAR: &[&str] = &["rn", "rz"];
const ROUND_ANY: &[&str] = &["rn", "rz", "rm", "rp", "rna", "rs"];
const CLUSTER: &str = "clusters of blocks: the blocks of a launch share global memory only";

pub(in crate::table) const ROWS: &[Row] = &[
    row("cvt", &[Type(CONVERTED_INT), Type(CONVERTED_INT)], &[TO, FROM], Convert),
    // Only where the result has not room for all that the value may be.
    row("cvt", &[Is(SAT), Type(&[U8]), Type(&[U16, U32, U64, S8, S16, S32, S64])], &[TO, FROM], Convert),
    row("cvt", &[Is(SAT), Type(&[U16]), Type(&[U32, U64, S8, S16, S32, S64])], &[TO, FROM], Convert),
    row("cvt", &[Is(SAT), Type(&[U32]), Type(&[U64, S8, S16, S32, S64])], &[TO, FROM], Convert),
    row("cvt", &[Is(SAT), Type(&[U64]), Type(&[S8, S16, S32, S64])], &[TO, FROM], Convert),
    row("cvt", &[Is(SAT), Type(&[S8]), Type(&[U8, U16, U32, U64, S16, S32, S64])], &[TO, FROM], Convert),
    row("cvt", &[Is(SAT), Type(&[S16]), Type(&[U16, U32, U64, S32, S64])], &[TO, FROM], Convert),
    row("cvt", &[Is(SAT), Type(&[S32]), Type(&[U32, U64, S64])], &[TO, FROM], Convert),
    row("cvt", &[Is(SAT), Type(&[S64]), Type(&[U64])], &[TO, FROM], Convert),
    row("cvt", &[Is(ROUND), May(FTZ), May(SAT), Type(&[F32]), Type(CONVERTED_INT)], &[TO, FROM], Convert),
    row("cvt", &[Is(ROUND), May(SAT), Type(&[F16, F64]), Type(CONVERTED_INT)], &[TO, FROM], Convert),
    row("cvt", &[Is(ROUND), Type(&[Bf16]), Type(INT)], &[TO, FROM], Convert),
    row("cvt", &[Is(ROUND_INT), May(FTZ), May(SAT), Type(CONVERTED_INT), Type(&[F32])], &[TO, FROM], Convert),
    row("cvt", &[Is(ROUND_INT), May(SAT), Type(CONVERTED_INT), Type(&[F16, F64])], &[TO, FROM], Convert),
    row("cvt", &[Is(ROUND_INT), Type(INT), Type(&[Bf16])], &[TO, FROM], Convert),
    row("cvt", &[May(FTZ), May(SAT), Type(&[F32]), Type(&[F16, Bf16])], &[TO, FROM], Convert),
    row("cvt", &[May(SAT), Type(&[F64]), Type(&[F16, Bf16])], &[TO, FROM], Convert),
    row("cvt", &[May(FTZ), May(SAT), Type(&[F64]), Type(&[F32])], &[TO, FROM], Convert),
    row("cvt", &[May(ROUND_INT), May(FTZ), May(SAT), Type(&[F32]), Type(&[F32])], &[TO, FROM], Convert),
    row("cvt", &[May(ROUND_INT), May(SAT), Type(&[F64]), Type(&[F64])], &[TO, FROM], Convert),
    row("cvt", &[May(ROUND_INT), May(SAT), Type(&[F16]), Type(&[F16])], &[TO, FROM], Convert),
    row("cvt", &[May(ROUND_INT), Type(&[Bf16]), Type(&[Bf16])], &[TO, FROM], Convert),
    row("cvt", &[Is(ROUND), Type(&[F16]), Type(&[Bf16])], &[TO, FROM], Convert),
    row("cvt", &[Is(ROUND), Type(&[Bf16]), Type(&[F16])], &[TO, FROM], Convert),
    row("cvt", &[Is(ROUND), May(FTZ), May(SAT), Type(&[F32]), Type(&[F64])], &[TO, FROM], Convert),
    row("cvt", &[Is(ROUND), May(FTZ), May(SAT), Type(&[F16]), Type(&[F32])], &[TO, FROM], Convert),
    row("cvt", &[Is(ROUND), May(SAT), Type(&[F16]), Type(&[F64])], &[TO, FROM], Convert),
    row("cvt", &[Is(ROUND), Type(&[Bf16]), Type(&[F32, F64])], &[TO, FROM], Convert),
    row("cvt", &[Is(NEAR), Is(RELU), May(FINITE), Type(&[F16, Bf16]), Type(&[F32])], &[TO, FROM], Convert),
    row("cvt", &[Is(NEAR), Is(FINITE), Type(&[F16, Bf16]), Type(&[F32])], &[TO, FROM], Convert),
    row(
        "cvt",
        &[Is(NEAR), May(RELU), May(FINITE), Type(&[F16x2, Bf16x2]), Type(&[F32])],
        &[To(Of::Is(B32)), S1, S1],
        ConvertPair,
    ),
    row(
        "cvt",
        &[Is(&["pack"]), Rest],
        &[Anything],
        Unsupported("packed conversions of integers: use `cvt.sat` and `bfi`"),
    ),
    row(
        "cvt",
        &[May(ROUND_ANY), May(&["satfinite"]), May(&["relu"]), Is(NARROW), Rest],
        &[Anything],
        Unsupported(NARROW_REASON),
    ),
    row(
        "cvt",
        &[Is(&["rn"]), May(&["relu"]), Type(&[F16x2, Bf16x2]), Is(NARROW)],
        &[Anything],
        Unsupported(NARROW_REASON),
    ),
    row("cvta", &[Is(GENERIC), Type(&[U64])], &[D, MoveFrom], ToGeneric),
    row("cvta", &[Is(&["to"]), Is(GENERIC), Type(&[U64])], &[D, MoveFrom], FromGeneric),
    row("cvta", &[May(&["to"]), Is(&["shared::cluster"]), Rest], &[Anything], Unsupported(CLUSTER)),
    row("isspacep", &[Is(GENERIC)], &[To(Of::Is(Pred)), From(Of::Is(B64))], IsSpace),
    row("isspacep", &[Is(&["shared::cluster"])], &[Anything], Unsupported(CLUSTER)),
];
