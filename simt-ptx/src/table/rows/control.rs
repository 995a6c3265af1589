//! Branches, calls, ends, barriers, and what lanes do together.

use crate::syntax::Type::{B32, B64, Pred, S32, U32};
use crate::table::row::Becomes::{
    ActiveMask, Barrier, BarrierArrive, BarrierReduce, Branch, BranchIndexed, Call, Elect, Exit, Match, Nothing,
    Return, Shuffle, Sleep, Trap, Unsupported, Vote, WarpBarrier, WarpReduce,
};
use crate::table::row::Shape::{self, Anything, Constant, Label, Targets, ToPair};
use crate::table::row::Slot::{Is, May, Rest, Type};
use crate::table::row::{Of, Row, row};
use crate::table::sets::*;

const UNI: &[&str] = &["uni"];
const SYNC: &[&str] = &["sync"];
const ALIGNED: &[&str] = &["aligned"];
const CTA: &[&str] = &["cta"];
const LOGIC: &[&str] = &["and", "or"];
const MASKLESS: &str = "needs the mask of the lanes that take part: write `.sync`, with the mask as the last operand";
const PAIR: Shape = ToPair(Of::Type(0));
const MODES: &[&str] = &["up", "down", "bfly", "idx"];
const CLUSTER: &str = "clusters of blocks: the blocks of a launch share global memory only";

pub(in crate::table) const ROWS: &[Row] = &[
    row("bra", &[May(UNI)], &[Label], Branch),
    row("brx", &[Is(&["idx"]), May(UNI)], &[S32_, Targets], BranchIndexed),
    row("call", &[May(UNI)], &[Shape::Call], Call),
    row("ret", &[May(UNI)], &[], Return),
    row("exit", &[], &[], Exit),
    row("trap", &[], &[], Trap),
    row("brkpt", &[], &[], Nothing),
    row("pmevent", &[May(&["mask"])], &[Constant(Of::Is(B32))], Nothing),
    row("nanosleep", &[Type(&[U32])], &[S], Sleep),
    row("bar", &[May(CTA), Is(SYNC)], &[S32_], Barrier),
    row("bar", &[May(CTA), Is(SYNC)], &[S32_, S32_], Barrier),
    row("bar", &[May(CTA), Is(&["arrive"])], &[S32_, S32_], BarrierArrive),
    row("bar", &[May(CTA), Is(&["red"]), Is(&["popc"]), Type(&[U32])], &[D, S32_, P], BarrierReduce),
    row("bar", &[May(CTA), Is(&["red"]), Is(&["popc"]), Type(&[U32])], &[D, S32_, S32_, P], BarrierReduce),
    row("bar", &[May(CTA), Is(&["red"]), Is(LOGIC), Type(&[Pred])], &[D, S32_, P], BarrierReduce),
    row("bar", &[May(CTA), Is(&["red"]), Is(LOGIC), Type(&[Pred])], &[D, S32_, S32_, P], BarrierReduce),
    row("bar", &[Is(&["warp"]), Is(SYNC)], &[S32_], WarpBarrier),
    row("barrier", &[May(CTA), Is(SYNC), May(ALIGNED)], &[S32_], Barrier),
    row("barrier", &[May(CTA), Is(SYNC), May(ALIGNED)], &[S32_, S32_], Barrier),
    row("barrier", &[May(CTA), Is(&["arrive"]), May(ALIGNED)], &[S32_, S32_], BarrierArrive),
    row("barrier", &[May(CTA), Is(&["red"]), Is(&["popc"]), May(ALIGNED), Type(&[U32])], &[D, S32_, P], BarrierReduce),
    row(
        "barrier",
        &[May(CTA), Is(&["red"]), Is(&["popc"]), May(ALIGNED), Type(&[U32])],
        &[D, S32_, S32_, P],
        BarrierReduce,
    ),
    row("barrier", &[May(CTA), Is(&["red"]), Is(LOGIC), May(ALIGNED), Type(&[Pred])], &[D, S32_, P], BarrierReduce),
    row(
        "barrier",
        &[May(CTA), Is(&["red"]), Is(LOGIC), May(ALIGNED), Type(&[Pred])],
        &[D, S32_, S32_, P],
        BarrierReduce,
    ),
    row("barrier", &[Is(&["cluster"]), Rest], &[Anything], Unsupported(CLUSTER)),
    row("vote", &[Is(SYNC), Is(&["all", "any", "uni"]), Type(&[Pred])], &[D, P, S32_], Vote),
    row("vote", &[Is(SYNC), Is(&["ballot"]), Type(&[B32])], &[D, P, S32_], Vote),
    row("vote", &[Is(&["all", "any", "uni", "ballot"]), Type(&[Pred, B32])], &[Anything], Unsupported(MASKLESS)),
    row("shfl", &[Is(SYNC), Is(MODES), Type(&[B32])], &[PAIR, S, S32_, S32_, S32_], Shuffle),
    row("shfl", &[Is(MODES), Type(&[B32])], &[Anything], Unsupported(MASKLESS)),
    row("match", &[Is(&["any"]), Is(SYNC), Type(&[B32, B64])], &[D32, S, S32_], Match),
    row("match", &[Is(&["all"]), Is(SYNC), Type(&[B32, B64])], &[ToPair(Of::Is(B32)), S, S32_], Match),
    row("redux", &[Is(SYNC), Is(&["add", "min", "max"]), Type(&[U32, S32])], &[D, S, S32_], WarpReduce),
    row("redux", &[Is(SYNC), Is(&["and", "or", "xor"]), Type(&[B32])], &[D, S, S32_], WarpReduce),
    row(
        "redux",
        &[Is(SYNC), Is(&["min", "max"]), May(&["abs"]), May(&["NaN"]), Type(&[crate::syntax::Type::F32])],
        &[D, S, S32_],
        WarpReduce,
    ),
    row("activemask", &[Type(&[B32])], &[D], ActiveMask),
    row("elect", &[Is(SYNC)], &[ToPair(Of::Is(B32)), S32_], Elect),
];
