//! Bits, shifts, choices, copies.

use crate::syntax::Type::{B16, B32, B64, F32, S16, S32, S64, U16, U32, U64};
use crate::table::row::Becomes::{Binary as B2, Move, Select, SelectBySign, Ternary as B3, Unary as B1};
use crate::table::row::Shape::{Constant, From, FromVector, MoveFrom, MoveTo, ToPair, ToVector};
use crate::table::row::Slot::{Is, May, Type};
use crate::table::row::{Binary, Of, Row, Shape, Ternary, Unary, row};
use crate::table::sets::*;

const S1: Shape = From(Of::Type(1));
/// Of these a vector of four has 16 bytes at most.
const WORDS: &[crate::syntax::Type] = &[B16, B32, U16, U32, S16, S32, F32];
const MODES: &[&str] = &["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"];

pub(in crate::table) const ROWS: &[Row] = &[
    row("and", &[Type(BITS_PRED)], &[D, S, S], B2(Binary::And)),
    row("or", &[Type(BITS_PRED)], &[D, S, S], B2(Binary::Or)),
    row("xor", &[Type(BITS_PRED)], &[D, S, S], B2(Binary::Xor)),
    row("not", &[Type(BITS_PRED)], &[D, S], B1(Unary::Not)),
    row("cnot", &[Type(BITS)], &[D, S], B1(Unary::Cnot)),
    row("shl", &[Type(BITS)], &[D, S, S32_], B2(Binary::Shl)),
    row("shr", &[Type(&[B16, B32, B64, U16, U32, U64, S16, S32, S64])], &[D, S, S32_], B2(Binary::Shr)),
    row("shf", &[Is(&["l"]), Is(&["clamp", "wrap"]), Type(&[B32])], &[D, S, S, S32_], B3(Ternary::FunnelLeft)),
    row("shf", &[Is(&["r"]), Is(&["clamp", "wrap"]), Type(&[B32])], &[D, S, S, S32_], B3(Ternary::FunnelRight)),
    row("lop3", &[Type(&[B32])], &[D, S, S, S, Constant(Of::Is(B32))], B3(Ternary::Lookup3)),
    row(
        "lop3",
        &[Is(&["or", "and"]), Type(&[B32])],
        &[ToPair(Of::Type(0)), S, S, S, Constant(Of::Is(B32)), Shape::Predicate],
        B3(Ternary::Lookup3),
    ),
    row("prmt", &[Type(&[B32]), May(MODES)], &[D, S, S, S32_], B3(Ternary::Permute)),
    row("selp", &[Type(COMPARED)], &[D, S, S, P], Select),
    row("slct", &[Type(COMPARED), Type(&[S32])], &[D, S, S, S1], SelectBySign),
    row("slct", &[May(FTZ), Type(COMPARED), Type(&[F32])], &[D, S, S, S1], SelectBySign),
    row("mov", &[Type(MOVED)], &[MoveTo, MoveFrom], Move),
    row("mov", &[Is(&["v2"]), Type(COMPARED)], &[ToVector(Of::Type(0)), FromVector(Of::Type(0))], Move),
    row("mov", &[Is(&["v4"]), Type(WORDS)], &[ToVector(Of::Type(0)), FromVector(Of::Type(0))], Move),
];
