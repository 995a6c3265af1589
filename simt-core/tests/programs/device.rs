//! A valid program with a statement of each kind that calls, shares or speaks.

use super::{Maker, assign, break_, call, continue_, if_, return_, stmt, store, while_};
use simt_core::ScalarType;
use simt_core::ops::{AtomicOp, BinaryOp, CompareOp};
use simt_core::program::{
    ArraySpace, AtomicOrder, BarrierOp, Builtin, CollectiveOp, ExprId, FenceScope, Memory, Piece, Program, StmtKind,
    Style, VarId,
};

pub(crate) fn atomic(
    op: AtomicOp,
    target: impl Into<Memory>,
    index: ExprId,
    operands: Vec<ExprId>,
    result: Option<VarId>,
    order: AtomicOrder,
) -> StmtKind {
    StmtKind::Atomic { op, target: target.into(), index, operands, result, order }
}

pub(crate) fn value(arg: u32) -> Piece {
    Piece::Value { arg, style: Style::default() }
}

pub(crate) fn every_statement() -> Program {
    let m = &mut Maker::new("every");
    let (x, out) = (m.constants("x", ScalarType::U32), m.slice_mut("out", ScalarType::U32));
    let hist = m.atomics("hist", ScalarType::U32);
    let tile = m.shared("tile", ScalarType::U32);

    // A function that calls itself and uses an array of its own.
    let (n, r, inner) =
        (m.immutable("n", ScalarType::U32), m.variable("", ScalarType::U32), m.immutable("", ScalarType::U32));
    let sum = m.function("sum", vec![n], Some(r));
    let kept = m.array("kept", ScalarType::U32, ArraySpace::Local, Some(sum));
    let (left, zero, nothing) = (m.get(n), m.constant(0u32), m.constant(0u32));
    let ends = m.compare(left, CompareOp::Eq, zero);
    let (place, value_kept) = (m.constant(0usize), m.get(n));
    let (left, one) = (m.get(n), m.constant(1u32));
    let less = m.binary(left, BinaryOp::Sub, one);
    let place_again = m.constant(0usize);
    let (own, rest) = (m.load(kept, place_again, ScalarType::U32), m.get(inner));
    let total = m.binary(own, BinaryOp::Add, rest);
    m.body(
        sum,
        vec![
            if_(ends, vec![assign(r, nothing), return_()], vec![]),
            store(kept, place, value_kept),
            call(sum, vec![less], Some(inner)),
            assign(r, total),
        ],
    );

    let (k, s) = (m.variable("k", ScalarType::U32), m.variable("s", ScalarType::U32));
    let (votes, flag) = (m.immutable("votes", ScalarType::U64), m.immutable("flag", ScalarType::Bool));
    let (zero, zero_again) = (m.constant(0u32), m.constant(0u32));
    // 'a: while (k < 4) { while (true) { if (k == 1) { continue 'a } else if (k == 2) { break 'a } break } } step { k += 1 }
    let (value_of, four) = (m.get(k), m.constant(4u32));
    let inside = m.compare(value_of, CompareOp::Lt, four);
    let endless = m.constant(true);
    let (value_of, one) = (m.get(k), m.constant(1u32));
    let first = m.compare(value_of, CompareOp::Eq, one);
    let (value_of, two) = (m.get(k), m.constant(2u32));
    let second = m.compare(value_of, CompareOp::Eq, two);
    let (value_of, one) = (m.get(k), m.constant(1u32));
    let next = m.binary(value_of, BinaryOp::Add, one);
    let arms = if_(first, vec![continue_(1)], vec![if_(second, vec![break_(1)], vec![])]);
    let leaves = while_(inside, vec![while_(endless, vec![arms, break_(0)], vec![])], vec![assign(k, next)]);

    let three = m.constant(3u32);
    let (index, addend) = (m.constant(1usize), m.get(k));
    let count = stmt(atomic(AtomicOp::Add, hist, index, vec![addend], None, AtomicOrder::Relaxed));
    let (index, current, new) = (m.constant(0usize), m.constant(3u32), m.constant(9u32));
    let operands = vec![current, new];
    let exchange = stmt(atomic(AtomicOp::CompareExchange, hist, index, operands, Some(k), AtomicOrder::AcqRel));
    let (place, own) = (m.builtin(Builtin::ThreadIdxX), m.get(s));
    let share = store(tile, place, own);
    let sync = stmt(StmtKind::Barrier { op: BarrierOp::Sync, index: None, threads: None, value: None, result: None });
    let (number, threads, holds) = (m.constant(1u32), m.constant(64u32), m.constant(true));
    let reduce = stmt(StmtKind::Barrier {
        op: BarrierOp::Count,
        index: Some(number),
        threads: Some(threads),
        value: Some(holds),
        result: Some(s),
    });
    let (mask, holds) = (m.constant(1u64), m.constant(true));
    let ballot = stmt(StmtKind::Collective {
        op: CollectiveOp::Ballot,
        mask: Some(mask),
        args: vec![holds],
        result: Some(votes),
    });
    let place = m.builtin(Builtin::ThreadIdxX);
    let (near, lane) = (m.load(tile, place, ScalarType::U32), m.constant(1u32));
    let args = vec![near, lane];
    let shuffle = stmt(StmtKind::Collective { op: CollectiveOp::ShuffleXor, mask: None, args, result: Some(s) });
    let holds = m.constant(false);
    let args = vec![holds];
    let vote = stmt(StmtKind::Collective { op: CollectiveOp::Any, mask: None, args, result: Some(flag) });
    let fence = stmt(StmtKind::Fence { scope: FenceScope::Block });
    let said = m.message(vec![Piece::Text("k = ".into()), value(0)]);
    let args = vec![m.get(k)];
    let print = stmt(StmtKind::Print { message: said, args });
    let (place, zero_index) = (m.constant(0usize), m.constant(0usize));
    let (left, right) = (m.load(x, zero_index, ScalarType::U32), m.get(s));
    let result = m.binary(left, BinaryOp::Add, right);
    let wrong = m.message(vec![value(0), Piece::Text(" is too large".into()), value(1)]);
    let args = vec![m.get(k), m.get(votes)];
    let panic = stmt(StmtKind::Panic { message: wrong, args });
    let raised = m.get(flag);
    let body = vec![
        assign(k, zero),
        assign(s, zero_again),
        leaves,
        call(sum, vec![three], Some(s)),
        count,
        exchange,
        share,
        sync,
        reduce,
        ballot,
        shuffle,
        vote,
        fence,
        print,
        store(out, place, result),
        if_(raised, vec![panic], vec![]),
    ];
    std::mem::take(m).finish(body)
}
