//! Floats of all widths.

use crate::syntax::Type::{Bf16, Bf16x2, F16, F16x2, F32, F32x2, F64};
use crate::table::row::Becomes::{Binary as B2, Ternary as B3, Unary as B1};
use crate::table::row::Slot::{Is, May, Type};
use crate::table::row::{Becomes, Binary, Of, Row, Shape, Ternary, Unary, row};
use crate::table::sets::*;

/// Bf16 has no `.ftz`, and no `.sat` but in `fma`.
const F16S: &[crate::syntax::Type] = &[F16, F16x2];
const BF16S: &[crate::syntax::Type] = &[Bf16, Bf16x2];
const RN: &[&str] = &["rn"];
const S1: Shape = Shape::From(Of::Type(1));

pub(in crate::table) const ROWS: &[Row] = &[
    row("add", &[May(ROUND), May(FTZ), May(SAT), Type(&[F32])], &[D, S, S], B2(Binary::Add)),
    row("add", &[May(ROUND), Type(&[F64])], &[D, S, S], B2(Binary::Add)),
    row("add", &[May(RN), May(FTZ), May(SAT), Type(F16S)], &[D, S, S], B2(Binary::Add)),
    row("add", &[May(RN), Type(BF16S)], &[D, S, S], B2(Binary::Add)),
    row("add", &[May(ROUND), May(FTZ), Type(&[F32x2])], &[D, S, S], B2(Binary::Add)),
    row("add", &[May(ROUND), May(SAT), Type(&[F32]), Type(&[F16, Bf16])], &[D, S1, S], B2(Binary::Add)),
    row("sub", &[May(ROUND), May(FTZ), May(SAT), Type(&[F32])], &[D, S, S], B2(Binary::Sub)),
    row("sub", &[May(ROUND), Type(&[F64])], &[D, S, S], B2(Binary::Sub)),
    row("sub", &[May(RN), May(FTZ), May(SAT), Type(F16S)], &[D, S, S], B2(Binary::Sub)),
    row("sub", &[May(RN), Type(BF16S)], &[D, S, S], B2(Binary::Sub)),
    row("sub", &[May(ROUND), May(FTZ), Type(&[F32x2])], &[D, S, S], B2(Binary::Sub)),
    row("sub", &[May(ROUND), May(SAT), Type(&[F32]), Type(&[F16, Bf16])], &[D, S1, S], B2(Binary::Sub)),
    row("mul", &[May(ROUND), May(FTZ), May(SAT), Type(&[F32])], &[D, S, S], B2(Binary::MulLo)),
    row("mul", &[May(ROUND), Type(&[F64])], &[D, S, S], B2(Binary::MulLo)),
    row("mul", &[May(RN), May(FTZ), May(SAT), Type(F16S)], &[D, S, S], B2(Binary::MulLo)),
    row("mul", &[May(RN), Type(BF16S)], &[D, S, S], B2(Binary::MulLo)),
    row("mul", &[May(ROUND), May(FTZ), Type(&[F32x2])], &[D, S, S], B2(Binary::MulLo)),
    row("fma", &[Is(ROUND), May(FTZ), Type(&[F32x2])], &[D, S, S, S], B3(Ternary::Fma)),
    row("fma", &[Is(ROUND), May(SAT), Type(&[F32]), Type(&[F16, Bf16])], &[D, S1, S1, S], B3(Ternary::Fma)),
    row("fma", &[Is(ROUND), May(FTZ), May(SAT), Type(&[F32])], &[D, S, S, S], B3(Ternary::Fma)),
    row("fma", &[Is(ROUND), Type(&[F64])], &[D, S, S, S], B3(Ternary::Fma)),
    row("fma", &[Is(RN), May(FTZ), May(&["sat", "relu"]), Type(F16S)], &[D, S, S, S], B3(Ternary::Fma)),
    row("fma", &[Is(RN), May(&["relu"]), Type(BF16S)], &[D, S, S, S], B3(Ternary::Fma)),
    row("mad", &[Is(ROUND), May(FTZ), May(SAT), Type(&[F32])], &[D, S, S, S], B3(Ternary::Fma)),
    row("mad", &[Is(ROUND), Type(&[F64])], &[D, S, S, S], B3(Ternary::Fma)),
    row("div", &[Is(&["approx", "full"]), May(FTZ), Type(&[F32])], &[D, S, S], B2(Binary::Div)),
    row("div", &[Is(ROUND), May(FTZ), Type(&[F32])], &[D, S, S], B2(Binary::Div)),
    row("div", &[Is(ROUND), Type(&[F64])], &[D, S, S], B2(Binary::Div)),
    row("abs", &[May(FTZ), Type(&[F32, F16, F16x2])], &[D, S], B1(Unary::Abs)),
    row("abs", &[Type(&[F64, Bf16, Bf16x2])], &[D, S], B1(Unary::Abs)),
    row("neg", &[May(FTZ), Type(&[F32, F16, F16x2])], &[D, S], B1(Unary::Neg)),
    row("neg", &[Type(&[F64, Bf16, Bf16x2])], &[D, S], B1(Unary::Neg)),
    row("min", &[May(FTZ), May(&["NaN"]), Type(&[F32])], &[D, S, S], B2(Binary::Min)),
    row("min", &[May(FTZ), May(&["NaN"]), May(&["abs"]), Type(&[F32])], &[D, S, S, S], B3(Ternary::Min3)),
    row("min", &[Type(&[F64])], &[D, S, S], B2(Binary::Min)),
    row("min", &[May(FTZ), May(&["NaN"]), Type(HALF)], &[D, S, S], B2(Binary::Min)),
    row("max", &[May(FTZ), May(&["NaN"]), Type(&[F32])], &[D, S, S], B2(Binary::Max)),
    row("max", &[May(FTZ), May(&["NaN"]), May(&["abs"]), Type(&[F32])], &[D, S, S, S], B3(Ternary::Max3)),
    row("max", &[Type(&[F64])], &[D, S, S], B2(Binary::Max)),
    row("max", &[May(FTZ), May(&["NaN"]), Type(HALF)], &[D, S, S], B2(Binary::Max)),
    row("min", &[May(FTZ), May(&["NaN"]), Is(XORSIGN), Is(ABS), Type(&[F32])], &[D, S, S], B2(Binary::Min)),
    row("min", &[May(FTZ), May(&["NaN"]), Is(XORSIGN), Is(ABS), Type(HALF)], &[D, S, S], B2(Binary::Min)),
    row("max", &[May(FTZ), May(&["NaN"]), Is(XORSIGN), Is(ABS), Type(&[F32])], &[D, S, S], B2(Binary::Max)),
    row("max", &[May(FTZ), May(&["NaN"]), Is(XORSIGN), Is(ABS), Type(HALF)], &[D, S, S], B2(Binary::Max)),
    row("rcp", &[Is(APPROX), May(FTZ), Type(&[F32])], &[D, S], B1(Unary::Rcp)),
    row("rcp", &[Is(ROUND), May(FTZ), Type(&[F32])], &[D, S], B1(Unary::Rcp)),
    row("rcp", &[Is(ROUND), Type(&[F64])], &[D, S], B1(Unary::Rcp)),
    row("rcp", &[Is(APPROX), Is(FTZ), Type(&[F64])], &[D, S], B1(Unary::Rcp)),
    row("sqrt", &[Is(APPROX), May(FTZ), Type(&[F32])], &[D, S], B1(Unary::Sqrt)),
    row("sqrt", &[Is(ROUND), May(FTZ), Type(&[F32])], &[D, S], B1(Unary::Sqrt)),
    row("sqrt", &[Is(ROUND), Type(&[F64])], &[D, S], B1(Unary::Sqrt)),
    row("rsqrt", &[Is(APPROX), May(FTZ), Type(FLOAT)], &[D, S], B1(Unary::Rsqrt)),
    row("sin", &[Is(APPROX), May(FTZ), Type(&[F32])], &[D, S], B1(Unary::Sin)),
    row("cos", &[Is(APPROX), May(FTZ), Type(&[F32])], &[D, S], B1(Unary::Cos)),
    row("lg2", &[Is(APPROX), May(FTZ), Type(&[F32])], &[D, S], B1(Unary::Lg2)),
    row("ex2", &[Is(APPROX), May(FTZ), Type(&[F32])], &[D, S], B1(Unary::Ex2)),
    row("ex2", &[Is(APPROX), Type(F16S)], &[D, S], B1(Unary::Ex2)),
    row("ex2", &[Is(APPROX), Is(FTZ), Type(BF16S)], &[D, S], B1(Unary::Ex2)),
    row("tanh", &[Is(APPROX), Type(&[F32, F16, F16x2, Bf16, Bf16x2])], &[D, S], B1(Unary::Tanh)),
    row("copysign", &[Type(FLOAT)], &[D, S, S], B2(Binary::CopySign)),
    row("testp", &[Is(TESTED), Type(FLOAT)], &[DP, S], Becomes::TestFloat),
];

const XORSIGN: &[&str] = &["xorsign"];
const ABS: &[&str] = &["abs"];
const TESTED: &[&str] = &["finite", "infinite", "number", "notanumber", "normal", "subnormal"];
