//! Comparisons, to predicates and to values.

use crate::syntax::Type::{Bf16, Bf16x2, F16, F16x2, F32, F64, Pred, S16, S32, U16, U32};
use crate::table::row::Becomes::{Compare, CompareValue};
use crate::table::row::Shape::{From, ToPair};
use crate::table::row::Slot::{Is, May, Type};
use crate::table::row::{Of, Row, Shape, row};
use crate::table::sets::*;

const PAIR: Shape = ToPair(Of::Is(Pred));
const S1: Shape = From(Of::Type(1));
const SET: &[crate::syntax::Type] = &[U32, S32, F32];

pub(in crate::table) const ROWS: &[Row] = &[
    row("setp", &[Is(COMPARE_BITS), Type(BITS)], &[PAIR, S, S], Compare),
    row("setp", &[Is(COMPARE_BITS), Is(BOOLEAN), Type(BITS)], &[PAIR, S, S, P], Compare),
    row("setp", &[Is(COMPARE_SIGNED), Type(SIGNED)], &[PAIR, S, S], Compare),
    row("setp", &[Is(COMPARE_SIGNED), Is(BOOLEAN), Type(SIGNED)], &[PAIR, S, S, P], Compare),
    row("setp", &[Is(COMPARE_UNSIGNED), Type(UNSIGNED)], &[PAIR, S, S], Compare),
    row("setp", &[Is(COMPARE_UNSIGNED), Is(BOOLEAN), Type(UNSIGNED)], &[PAIR, S, S, P], Compare),
    row("setp", &[Is(COMPARE_FLOAT), May(FTZ), Type(&[F32])], &[PAIR, S, S], Compare),
    row("setp", &[Is(COMPARE_FLOAT), Is(BOOLEAN), May(FTZ), Type(&[F32])], &[PAIR, S, S, P], Compare),
    row("setp", &[Is(COMPARE_FLOAT), Type(&[F64])], &[PAIR, S, S], Compare),
    row("setp", &[Is(COMPARE_FLOAT), Is(BOOLEAN), Type(&[F64])], &[PAIR, S, S, P], Compare),
    row("setp", &[Is(COMPARE_FLOAT), May(FTZ), Type(&[F16])], &[DP, S, S], Compare),
    row("setp", &[Is(COMPARE_FLOAT), Is(BOOLEAN), May(FTZ), Type(&[F16])], &[DP, S, S, P], Compare),
    row("setp", &[Is(COMPARE_FLOAT), Type(&[Bf16])], &[DP, S, S], Compare),
    row("setp", &[Is(COMPARE_FLOAT), Is(BOOLEAN), Type(&[Bf16])], &[DP, S, S, P], Compare),
    row("setp", &[Is(COMPARE_FLOAT), May(FTZ), Type(&[F16x2])], &[PAIR, S, S], Compare),
    row("setp", &[Is(COMPARE_FLOAT), Is(BOOLEAN), May(FTZ), Type(&[F16x2])], &[PAIR, S, S, P], Compare),
    row("setp", &[Is(COMPARE_FLOAT), Type(&[Bf16x2])], &[PAIR, S, S], Compare),
    row("setp", &[Is(COMPARE_FLOAT), Is(BOOLEAN), Type(&[Bf16x2])], &[PAIR, S, S, P], Compare),
    row("set", &[Is(COMPARE_BITS), Type(SET), Type(BITS)], &[D, S1, S1], CompareValue),
    row("set", &[Is(COMPARE_BITS), Is(BOOLEAN), Type(SET), Type(BITS)], &[D, S1, S1, P], CompareValue),
    row("set", &[Is(COMPARE_SIGNED), Type(SET), Type(SIGNED)], &[D, S1, S1], CompareValue),
    row("set", &[Is(COMPARE_SIGNED), Is(BOOLEAN), Type(SET), Type(SIGNED)], &[D, S1, S1, P], CompareValue),
    row("set", &[Is(COMPARE_UNSIGNED), Type(SET), Type(UNSIGNED)], &[D, S1, S1], CompareValue),
    row("set", &[Is(COMPARE_UNSIGNED), Is(BOOLEAN), Type(SET), Type(UNSIGNED)], &[D, S1, S1, P], CompareValue),
    row("set", &[Is(COMPARE_FLOAT), May(FTZ), Type(SET), Type(&[F32])], &[D, S1, S1], CompareValue),
    row("set", &[Is(COMPARE_FLOAT), Is(BOOLEAN), May(FTZ), Type(SET), Type(&[F32])], &[D, S1, S1, P], CompareValue),
    row("set", &[Is(COMPARE_FLOAT), Type(SET), Type(&[F64])], &[D, S1, S1], CompareValue),
    row("set", &[Is(COMPARE_FLOAT), Is(BOOLEAN), Type(SET), Type(&[F64])], &[D, S1, S1, P], CompareValue),
    row(
        "set",
        &[Is(COMPARE_FLOAT), May(FTZ), Type(&[F16, U16, S16, U32, S32]), Type(&[F16])],
        &[D, S1, S1],
        CompareValue,
    ),
    row(
        "set",
        &[Is(COMPARE_FLOAT), Is(BOOLEAN), May(FTZ), Type(&[F16, U16, S16, U32, S32]), Type(&[F16])],
        &[D, S1, S1, P],
        CompareValue,
    ),
    row("set", &[Is(COMPARE_FLOAT), Type(&[Bf16, U16, S16, U32, S32]), Type(&[Bf16])], &[D, S1, S1], CompareValue),
    row(
        "set",
        &[Is(COMPARE_FLOAT), Is(BOOLEAN), Type(&[Bf16, U16, S16, U32, S32]), Type(&[Bf16])],
        &[D, S1, S1, P],
        CompareValue,
    ),
    row("set", &[Is(COMPARE_FLOAT), May(FTZ), Type(&[F16x2, U32, S32]), Type(&[F16x2])], &[D, S1, S1], CompareValue),
    row(
        "set",
        &[Is(COMPARE_FLOAT), Is(BOOLEAN), May(FTZ), Type(&[F16x2, U32, S32]), Type(&[F16x2])],
        &[D, S1, S1, P],
        CompareValue,
    ),
    row("set", &[Is(COMPARE_FLOAT), Type(&[Bf16x2, U32, S32]), Type(&[Bf16x2])], &[D, S1, S1], CompareValue),
    row(
        "set",
        &[Is(COMPARE_FLOAT), Is(BOOLEAN), Type(&[Bf16x2, U32, S32]), Type(&[Bf16x2])],
        &[D, S1, S1, P],
        CompareValue,
    ),
];
