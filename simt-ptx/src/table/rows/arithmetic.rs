//! Integers: sums, products, bits counted, carry chains.

use crate::syntax::Type::{B32, S16x2, S32, U32};
use crate::table::row::Becomes::{Binary as B2, Carry as Flag, Ternary as B3, Unary as B1};
use crate::table::row::Shape::From;
use crate::table::row::Slot::{Is, May, Type};
use crate::table::row::{Binary, Carry, Of, Row, Ternary, Unary, row};
use crate::table::sets::*;

pub(in crate::table) const ROWS: &[Row] = &[
    row("add", &[Type(INT)], &[D, S, S], B2(Binary::Add)),
    row("add", &[Is(SAT), Type(&[S32])], &[D, S, S], B2(Binary::Add)),
    row("add", &[Is(CC), Type(INT_32_64)], &[D, S, S], Flag(Carry::Add)),
    row("add", &[Type(INT_PAIRS)], &[D, S, S], B2(Binary::Add)),
    row("addc", &[May(CC), Type(INT_32_64)], &[D, S, S], Flag(Carry::AddC)),
    row("sub", &[Type(INT)], &[D, S, S], B2(Binary::Sub)),
    row("sub", &[Is(SAT), Type(&[S32])], &[D, S, S], B2(Binary::Sub)),
    row("sub", &[Is(CC), Type(INT_32_64)], &[D, S, S], Flag(Carry::Sub)),
    row("subc", &[May(CC), Type(INT_32_64)], &[D, S, S], Flag(Carry::SubC)),
    row("mul", &[Is(&["lo"]), Type(INT)], &[D, S, S], B2(Binary::MulLo)),
    row("mul", &[Is(&["hi"]), Type(INT)], &[D, S, S], B2(Binary::MulHi)),
    row("mul", &[Is(&["wide"]), Type(INT_16_32)], &[DW, S, S], B2(Binary::MulWide)),
    row("mul24", &[Is(&["lo"]), Type(WORD)], &[D, S, S], B2(Binary::Mul24Lo)),
    row("mul24", &[Is(&["hi"]), Type(WORD)], &[D, S, S], B2(Binary::Mul24Hi)),
    row("mad", &[Is(&["lo"]), Type(INT)], &[D, S, S, S], B3(Ternary::MadLo)),
    row("mad", &[Is(&["hi"]), Type(INT)], &[D, S, S, S], B3(Ternary::MadHi)),
    row("mad", &[Is(&["hi"]), Is(SAT), Type(&[S32])], &[D, S, S, S], B3(Ternary::MadHi)),
    row("mad", &[Is(&["wide"]), Type(INT_16_32)], &[DW, S, S, SW], B3(Ternary::MadWide)),
    row("mad", &[Is(&["lo"]), Is(CC), Type(INT_32_64)], &[D, S, S, S], Flag(Carry::MadLo)),
    row("mad", &[Is(&["hi"]), Is(CC), Type(INT_32_64)], &[D, S, S, S], Flag(Carry::MadHi)),
    row("madc", &[Is(&["lo"]), May(CC), Type(INT_32_64)], &[D, S, S, S], Flag(Carry::MadCLo)),
    row("madc", &[Is(&["hi"]), May(CC), Type(INT_32_64)], &[D, S, S, S], Flag(Carry::MadCHi)),
    row("mad24", &[Is(&["lo"]), Type(WORD)], &[D, S, S, S], B3(Ternary::Mad24Lo)),
    row("mad24", &[Is(&["hi"]), Type(WORD)], &[D, S, S, S], B3(Ternary::Mad24Hi)),
    row("mad24", &[Is(&["hi"]), Is(SAT), Type(&[S32])], &[D, S, S, S], B3(Ternary::Mad24Hi)),
    row("sad", &[Type(INT)], &[D, S, S, S], B3(Ternary::Sad)),
    row("div", &[Type(INT)], &[D, S, S], B2(Binary::Div)),
    row("rem", &[Type(INT)], &[D, S, S], B2(Binary::Rem)),
    row("abs", &[Type(SIGNED)], &[D, S], B1(Unary::Abs)),
    row("neg", &[Type(SIGNED)], &[D, S], B1(Unary::Neg)),
    row("min", &[Type(INT)], &[D, S, S], B2(Binary::Min)),
    row("min", &[Is(&["relu"]), Type(&[S32, S16x2])], &[D, S, S], B2(Binary::Min)),
    row("min", &[Type(INT_PAIRS)], &[D, S, S], B2(Binary::Min)),
    row("max", &[Type(INT)], &[D, S, S], B2(Binary::Max)),
    row("max", &[Is(&["relu"]), Type(&[S32, S16x2])], &[D, S, S], B2(Binary::Max)),
    row("max", &[Type(INT_PAIRS)], &[D, S, S], B2(Binary::Max)),
    row("popc", &[Type(BITS_32_64)], &[D32, S], B1(Unary::Popc)),
    row("clz", &[Type(BITS_32_64)], &[D32, S], B1(Unary::Clz)),
    row("bfind", &[May(&["shiftamt"]), Type(INT_32_64)], &[D32, S], B1(Unary::Bfind)),
    row("brev", &[Type(BITS_32_64)], &[D, S], B1(Unary::Brev)),
    row("bfe", &[Type(INT_32_64)], &[D, S, S32_, S32_], B3(Ternary::BitExtract)),
    row("bfi", &[Type(BITS_32_64)], &[D, S, S, S32_, S32_], B3(Ternary::BitInsert)),
    row("szext", &[Is(&["clamp", "wrap"]), Type(WORD)], &[D, S, S32_], B2(Binary::SignExtend)),
    row("bmsk", &[Is(&["clamp", "wrap"]), Type(&[B32])], &[D, S32_, S32_], B2(Binary::BitMask)),
    row("fns", &[Type(&[B32])], &[D32, S32_, S32_, From(Of::Is(S32))], B3(Ternary::FindNth)),
    row("dp4a", &[Type(WORD), Type(WORD)], &[D32, S32_, S32_, S32_], B3(Ternary::Dot4)),
    row("dp2a", &[Is(&["lo", "hi"]), Type(WORD), Type(WORD)], &[D32, S32_, S32_, S32_], B3(Ternary::Dot2)),
    row("vabsdiff4", &[Type(WORD), Type(WORD), Type(WORD)], &[D32, S32_, S32_, S32_], B3(Ternary::AbsDiff4)),
    row(
        "vabsdiff4",
        &[Type(WORD), Type(WORD), Type(WORD), Is(&["add"])],
        &[D32, S32_, S32_, S32_],
        B3(Ternary::AbsDiff4Add),
    ),
];

const WORD: &[crate::syntax::Type] = &[U32, S32];
