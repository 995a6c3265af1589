//! The rules of atomics, collectives, barriers and messages: for each, a program that keeps it and every way to break it.

use crate::programs::device::{atomic, every_statement, value};
use crate::programs::verdict::{accepts, rejects};
use crate::programs::{Maker, evaluate, stmt, store};
use simt_core::ScalarType;
use simt_core::ops::AtomicOp;
use simt_core::program::{
    ArraySpace, AtomicOrder, BarrierOp, CollectiveOp, ExprId, MessageId, ParamId, Piece, StmtKind,
};

#[test]
fn every_statement_can_be_valid() {
    assert_eq!(every_statement().validate().map(drop), Ok(()));
}

#[test]
fn atomics_are_of_types_that_have_them() {
    const TYPES: [ScalarType; 9] = [
        ScalarType::U32,
        ScalarType::I32,
        ScalarType::U64,
        ScalarType::I64,
        ScalarType::Usize,
        ScalarType::Isize,
        ScalarType::Bool,
        ScalarType::F32,
        ScalarType::F64,
    ];
    for &ty in ScalarType::ALL {
        let param = |m: &mut Maker| {
            m.atomics("a", ty);
            vec![]
        };
        let array = |m: &mut Maker| {
            let a = m.shared("a", ty);
            m.program.arrays[a.0 as usize].atomic = true;
            vec![]
        };
        if TYPES.contains(&ty) {
            accepts(param);
            accepts(array);
        } else {
            let error = format!("`a` holds atomics of type {ty}, which there are not");
            rejects(&error, param);
            rejects(&error, array);
        }
    }
    rejects("array `a` holds atomics, but is not shared", |m| {
        let a = m.array("a", ScalarType::U32, ArraySpace::Local, None);
        m.program.arrays[a.0 as usize].atomic = true;
        vec![]
    });
}

#[test]
fn plain_memory_and_atomics_do_not_mix() {
    rejects("`a` holds atomics, but is read or written as if it did not", |m| {
        let (a, index) = (m.atomics("a", ScalarType::U32), m.constant(0usize));
        vec![evaluate(m.load(a, index, ScalarType::U32))]
    });
    rejects("`a` holds atomics, but is read or written as if it did not", |m| {
        let a = m.atomics("a", ScalarType::U32);
        vec![store(a, m.constant(0usize), m.constant(1u32))]
    });
    for make in [Maker::slice_mut as fn(&mut Maker, _, _) -> ParamId, Maker::constants] {
        rejects("`a` holds no atomics, but an atomic operation is used on it", |m| {
            let (a, index) = (make(m, "a", ScalarType::U32), m.constant(0usize));
            vec![stmt(atomic(AtomicOp::Load, a, index, vec![], None, AtomicOrder::Relaxed))]
        });
    }
    rejects("parameter `n` is a value, used as a slice", |m| {
        let (n, index) = (m.scalar("n", ScalarType::U32), m.constant(0usize));
        vec![stmt(atomic(AtomicOp::Load, n, index, vec![], None, AtomicOrder::Relaxed))]
    });
    // The length of atomics is known, and constants can be read, but not written.
    accepts(|m| {
        let (a, c, index) = (m.atomics("a", ScalarType::U32), m.constants("c", ScalarType::U8), m.constant(0usize));
        vec![evaluate(m.len(a)), evaluate(m.load(c, index, ScalarType::U8))]
    });
    rejects("slice `c` is read-only, but stored to", |m| {
        let c = m.constants("c", ScalarType::U8);
        vec![store(c, m.constant(0usize), m.constant(1u8))]
    });
}

/// An atomic operation on a slice of a type, with constants of a type as operands and a result of a type.
fn on(
    element: ScalarType,
    op: AtomicOp,
    operands: Vec<ScalarType>,
    result: Option<ScalarType>,
    order: AtomicOrder,
) -> impl FnOnce(&mut Maker) -> Vec<simt_core::program::Stmt> {
    move |m| {
        let (a, index) = (m.atomics("a", element), m.constant(0usize));
        let one = |m: &mut Maker, ty: ScalarType| {
            let constant = simt_core::Constant { ty, bits: 1 };
            m.node(simt_core::program::Expr::Const(constant), ty)
        };
        let operands: Vec<ExprId> = operands.into_iter().map(|ty| one(m, ty)).collect();
        let result = result.map(|ty| m.immutable("x", ty));
        vec![stmt(atomic(op, a, index, operands, result, order))]
    }
}

#[test]
fn atomics_have_operands_and_results_of_their_type() {
    use ScalarType::{Bool, F64, I64, U32};
    let relaxed = AtomicOrder::Relaxed;
    for &op in AtomicOp::ALL {
        let operands = vec![I64; op.operands()];
        accepts(on(I64, op, operands.clone(), None, relaxed));
        let result = on(I64, op, operands.clone(), Some(I64), relaxed);
        if op == AtomicOp::Store {
            rejects("`store` has no result, but one is used", result);
        } else {
            accepts(result);
            let error = format!("the result of `{}` is of type i64, variable `x` of type u32", op.name());
            rejects(&error, on(I64, op, operands.clone(), Some(U32), relaxed));
        }
        let (count, more) = (op.operands(), [operands.clone(), vec![I64]].concat());
        let error = format!("the operands of `{}` are {count}, not {}", op.name(), count + 1);
        rejects(&error, on(I64, op, more, None, relaxed));
        if count > 0 {
            rejects("operand `1` is of type u32, not i64", on(I64, op, vec![U32; count], None, relaxed));
        }
        let of_bool = on(Bool, op, vec![Bool; count], None, relaxed);
        let counts = matches!(op, AtomicOp::Inc | AtomicOp::Dec);
        if counts || matches!(op, AtomicOp::Add | AtomicOp::Sub | AtomicOp::Min | AtomicOp::Max) {
            rejects(&format!("`{}` is not defined on atomics of type bool", op.name()), of_bool);
        } else {
            accepts(of_bool);
        }
        let of_float = on(F64, op, vec![F64; count], None, relaxed);
        if counts || matches!(op, AtomicOp::And | AtomicOp::Or | AtomicOp::Xor) {
            rejects(&format!("`{}` is not defined on atomics of type f64", op.name()), of_float);
        } else {
            accepts(of_float);
        }
    }
    rejects("index `0` is of type u32, not usize", |m| {
        let (a, index) = (m.atomics("a", U32), m.constant(0u32));
        vec![stmt(atomic(AtomicOp::Load, a, index, vec![], None, relaxed))]
    });
    rejects("there is no variable v9", |m| {
        let (a, index) = (m.atomics("a", U32), m.constant(0usize));
        vec![stmt(atomic(AtomicOp::Load, a, index, vec![], Some(simt_core::program::VarId(9)), relaxed))]
    });
}

#[test]
fn orders_are_those_that_rust_allows() {
    use AtomicOrder::{AcqRel, Acquire, Release};
    for &op in AtomicOp::ALL {
        for &order in AtomicOrder::ALL {
            let operation = on(ScalarType::U32, op, vec![ScalarType::U32; op.operands()], None, order);
            match (op, order) {
                (AtomicOp::Load, Release | AcqRel) | (AtomicOp::Store, Acquire | AcqRel) => {
                    rejects(&format!("`{}` cannot be ordered `{}`", op.name(), order.name()), operation);
                }
                _ => accepts(operation),
            }
        }
    }
}

/// A collective with constants as operands and a result of a type.
fn collective(
    op: CollectiveOp,
    mask: bool,
    make: impl Fn(&mut Maker) -> Vec<ExprId>,
    result: Option<ScalarType>,
) -> impl FnOnce(&mut Maker) -> Vec<simt_core::program::Stmt> {
    move |m| {
        let mask = mask.then(|| m.constant(1u64));
        let args = make(m);
        let result = result.map(|ty| m.immutable("x", ty));
        vec![stmt(StmtKind::Collective { op, mask, args, result })]
    }
}

#[test]
fn collectives_have_operands_and_results_that_fit() {
    use CollectiveOp as Op;
    for &op in CollectiveOp::ALL {
        let args = |m: &mut Maker| match op {
            Op::SyncWarp | Op::ActiveMask => vec![],
            Op::Ballot | Op::Any | Op::All | Op::Uniform => vec![m.constant(true)],
            Op::MatchAny | Op::MatchAll => vec![m.constant(1.5f64)],
            Op::ReduceAdd | Op::ReduceMin | Op::ReduceMax | Op::ReduceAnd | Op::ReduceOr | Op::ReduceXor => {
                vec![m.constant(7i64)]
            }
            Op::Shuffle | Op::ShuffleUp | Op::ShuffleDown | Op::ShuffleXor => {
                vec![m.constant(1.5f64), m.constant(1u32)]
            }
        };
        let ty = match op {
            Op::SyncWarp => None,
            Op::Ballot | Op::ActiveMask | Op::MatchAny | Op::MatchAll => Some(ScalarType::U64),
            Op::ReduceAdd | Op::ReduceMin | Op::ReduceMax | Op::ReduceAnd | Op::ReduceOr | Op::ReduceXor => {
                Some(ScalarType::I64)
            }
            Op::Any | Op::All | Op::Uniform => Some(ScalarType::Bool),
            Op::Shuffle | Op::ShuffleUp | Op::ShuffleDown | Op::ShuffleXor => Some(ScalarType::F64),
        };
        accepts(collective(op, false, args, None));
        accepts(collective(op, false, args, ty));
        let name = op.name();
        match ty {
            None => rejects(
                &format!("`{name}` has no result, but one is used"),
                collective(op, false, args, Some(ScalarType::Bool)),
            ),
            Some(ty) => rejects(
                &format!("the result of `{name}` is of type {ty}, variable `x` of type i8"),
                collective(op, false, args, Some(ScalarType::I8)),
            ),
        }
        if op == Op::ActiveMask {
            rejects("`active_mask` names lanes, but waits for none", collective(op, true, args, ty));
        } else {
            accepts(collective(op, true, args, ty));
        }
        let more = |m: &mut Maker| [args(m), vec![m.constant(true)]].concat();
        let count = op.operands();
        let error = format!("the operands of `{name}` are {count}, not {}", count + 1);
        rejects(&error, collective(op, false, more, None));
    }
    let number = |m: &mut Maker| vec![m.constant(1u32)];
    rejects("operand `1` is of type u32, not bool", collective(Op::Ballot, false, number, None));
    for (op, value) in [(Op::ReduceAdd, 1.5f32), (Op::ReduceAnd, 2.5)] {
        let error = format!("`{}` is not defined on values of type f32, but on integers of 32 and 64 bits", op.name());
        rejects(&error, collective(op, false, move |m| vec![m.constant(value)], None));
    }
    let lane = |m: &mut Maker| vec![m.constant(1u8), m.constant(1usize)];
    rejects("lane `1` is of type usize, not u32", collective(Op::ShuffleUp, false, lane, None));
    rejects("mask `1` is of type u32, not u64", |m| {
        let mask = Some(m.constant(1u32));
        vec![stmt(StmtKind::Collective { op: Op::SyncWarp, mask, args: vec![], result: None })]
    });
}

/// What a barrier has, each with its type.
#[derive(Clone, Copy, Default)]
struct Barrier {
    index: bool,
    threads: bool,
    value: bool,
    result: Option<ScalarType>,
}

fn barrier(op: BarrierOp, has: Barrier) -> impl FnOnce(&mut Maker) -> Vec<simt_core::program::Stmt> {
    move |m| {
        let index = has.index.then(|| m.constant(3u32));
        let threads = has.threads.then(|| m.constant(64u32));
        let value = has.value.then(|| m.constant(true));
        let result = has.result.map(|ty| m.immutable("x", ty));
        vec![stmt(StmtKind::Barrier { op, index, threads, value, result })]
    }
}

#[test]
fn barriers_have_operands_and_results_that_fit() {
    let plain = Barrier::default();
    let named = Barrier { index: true, threads: true, ..plain };
    for has in [plain, named] {
        accepts(barrier(BarrierOp::Sync, has));
        let reduced = Barrier { value: true, ..has };
        rejects("the values of `sync_threads` are 0, not 1", barrier(BarrierOp::Sync, reduced));
        let with_result = Barrier { result: Some(ScalarType::Bool), ..has };
        rejects("`sync_threads` has no result, but one is used", barrier(BarrierOp::Sync, with_result));
        for (op, name, ty) in [
            (BarrierOp::And, "sync_threads_and", ScalarType::Bool),
            (BarrierOp::Or, "sync_threads_or", ScalarType::Bool),
            (BarrierOp::Count, "sync_threads_count", ScalarType::U32),
        ] {
            rejects(&format!("the values of `{name}` are 1, not 0"), barrier(op, has));
            accepts(barrier(op, reduced));
            accepts(barrier(op, Barrier { result: Some(ty), ..reduced }));
            let error = format!("the result of `{name}` is of type {ty}, variable `x` of type usize");
            rejects(&error, barrier(op, Barrier { result: Some(ScalarType::Usize), ..reduced }));
        }
    }
    accepts(barrier(BarrierOp::Arrive, named));
    rejects(
        "an arrival at a barrier does not say how many threads it waits for",
        barrier(BarrierOp::Arrive, Barrier { index: true, ..plain }),
    );
    type Make = fn(&mut Maker) -> ExprId;
    let parts = |index: Make, threads: Make, value: Make| {
        move |m: &mut Maker| {
            let (index, threads, value) = (Some(index(m)), Some(threads(m)), Some(value(m)));
            vec![stmt(StmtKind::Barrier { op: BarrierOp::Or, index, threads, value, result: None })]
        }
    };
    let (number, flag): (Make, Make) = (|m| m.constant(1u32), |m| m.constant(true));
    accepts(parts(number, number, flag));
    rejects("barrier `true` is of type bool, not u32", parts(flag, number, flag));
    rejects("number of threads `true` is of type bool, not u32", parts(number, flag, flag));
    rejects("operand `1` is of type u32, not bool", parts(number, number, number));
}

#[test]
fn messages_show_values_that_they_have() {
    for ends in [false, true] {
        let saying = |pieces: Vec<Piece>, values: usize| {
            move |m: &mut Maker| {
                let message = m.message(pieces);
                let args = (0..values).map(|_| m.constant(1.5f32)).collect();
                vec![stmt(if ends { StmtKind::Panic { message, args } } else { StmtKind::Print { message, args } })]
            }
        };
        accepts(saying(vec![], 0));
        accepts(saying(vec![value(1), Piece::Text("{}".into()), value(0), value(1)], 2));
        accepts(saying(vec![value(0)], 3));
        rejects("a message shows value 0, but the values are 0", saying(vec![value(0)], 0));
        rejects("a message shows value 7, but the values are 2", saying(vec![value(1), value(7), value(2)], 2));
        rejects("there is no message m0", |_| {
            let (message, args) = (MessageId(0), vec![]);
            vec![stmt(if ends { StmtKind::Panic { message, args } } else { StmtKind::Print { message, args } })]
        });
    }
}
