//! The programs of ESOP'12.

#![allow(dead_code, reason = "each test uses some of it")]

use super::programs::{Maker, assign, break_, call, if_, return_, store, while_};
use simt_core::ScalarType;
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{Builtin, ExprId, ParamId, Program, Stmt, Validated};

/// A program and its arguments.
pub(crate) struct Kernel {
    pub(crate) program: Validated<Program>,
    pub(crate) arguments: Vec<Vec<u64>>,
}

fn tid(m: &mut Maker) -> ExprId {
    m.builtin(Builtin::LaneId)
}

/// Program 1 (section 2.3), with the arrays that its text gives.
pub(crate) fn program_1() -> Kernel {
    let m = &mut Maker::new("main");
    let (a, b) = (m.slice("a", ScalarType::I32), m.slice_mut("b", ScalarType::I32));
    let (i, j) = (m.variable("i", ScalarType::I32), m.variable("j", ScalarType::I32));
    let func = m.function("func", vec![], None);
    let index = tid(m);
    let first = m.load(a, index, ScalarType::I32);
    let index = tid(m);
    let second = m.load(b, index, ScalarType::I32);
    let (value, zero) = (m.get(i), m.constant(0i32));
    let positive = m.compare(value, CompareOp::Gt, zero);
    let (left, two, value) = (m.get(j), m.constant(2i32), m.get(i));
    let twice = m.binary(two, BinaryOp::Mul, value);
    let greater = m.compare(left, CompareOp::Gt, twice);
    let (place, index) = (tid(m), tid(m));
    let (old, addend) = (m.load(b, index, ScalarType::I32), m.get(i));
    let sum = m.binary(old, BinaryOp::Add, addend);
    let (value, one) = (m.get(i), m.constant(1i32));
    let less = m.binary(value, BinaryOp::Sub, one);
    let branch = if_(greater, vec![store(b, place, sum)], vec![break_(0)]);
    let body = vec![branch, assign(i, less)];
    m.body(func, vec![assign(i, first), assign(j, second), while_(positive, body, vec![]), return_()]);
    let program = std::mem::take(m).finish(vec![call(func, vec![], None), return_()]);
    Kernel {
        program: program.validate().expect("a valid program"),
        arguments: vec![vec![0, 1, 1, 1], vec![0, 1, 1, 3]],
    }
}

/// A program over one shared element, `lock` or `next`, which is 0 at the start.
fn over_shared(name: &'static str, make: impl FnOnce(&mut Maker, ParamId) -> Vec<Stmt>) -> Kernel {
    let m = &mut Maker::new(name);
    let shared = m.slice_mut("lock", ScalarType::U32);
    let body = make(m, shared);
    let program = std::mem::take(m).finish(body).validate().expect("a valid program");
    Kernel { program, arguments: vec![vec![0]] }
}

fn shared_value(m: &mut Maker, shared: ParamId) -> ExprId {
    let index = m.constant(0usize);
    m.load(shared, index, ScalarType::U32)
}

fn tid_u32(m: &mut Maker) -> ExprId {
    let tid = tid(m);
    m.cast(tid, ScalarType::U32)
}

/// `lock = 1;`
fn unlock(m: &mut Maker, shared: ParamId) -> Stmt {
    let (index, one) = (m.constant(0usize), m.constant(1u32));
    store(shared, index, one)
}

/// `++lock;`
fn increment(m: &mut Maker, shared: ParamId) -> Stmt {
    let index = m.constant(0usize);
    let (old, one) = (shared_value(m, shared), m.constant(1u32));
    let sum = m.binary(old, BinaryOp::Add, one);
    store(shared, index, sum)
}

/// `while (lock != 1) {}`
fn wait(m: &mut Maker, shared: ParamId) -> Stmt {
    let (value, one) = (shared_value(m, shared), m.constant(1u32));
    let locked = m.compare(value, CompareOp::Ne, one);
    while_(locked, vec![], vec![])
}

/// Program 2 (section 5.1): `if (tid == 0) lock = 1; else while (lock != 1) {}`
pub(crate) fn program_2() -> Kernel {
    over_shared("p2", |m, lock| {
        let (left, zero) = (tid_u32(m), m.constant(0u32));
        let first = m.compare(left, CompareOp::Eq, zero);
        let (then, otherwise) = (unlock(m, lock), wait(m, lock));
        vec![if_(first, vec![then], vec![otherwise])]
    })
}

/// Program 2 with the conditional statement reversed: `if (tid != 0) while (lock != 1) {} else lock = 1;`
pub(crate) fn program_2_swapped() -> Kernel {
    over_shared("p2_swapped", |m, lock| {
        let (left, zero) = (tid_u32(m), m.constant(0u32));
        let other = m.compare(left, CompareOp::Ne, zero);
        let (then, otherwise) = (wait(m, lock), unlock(m, lock));
        vec![if_(other, vec![then], vec![otherwise])]
    })
}

/// Program 3: `while (lock != tid) {} ++lock;`
pub(crate) fn program_3() -> Kernel {
    over_shared("p3", |m, lock| {
        let (value, own) = (shared_value(m, lock), tid_u32(m));
        let locked = m.compare(value, CompareOp::Ne, own);
        let next = increment(m, lock);
        vec![while_(locked, vec![], vec![]), next]
    })
}

/// Program 4: `while (next != threads) { if (tid == next) ++next; }`; the paper has 32 threads.
pub(crate) fn program_4(threads: u32) -> Kernel {
    over_shared("p4", |m, next| {
        let (value, all) = (shared_value(m, next), m.constant(threads));
        let unfinished = m.compare(value, CompareOp::Ne, all);
        let (own, value) = (tid_u32(m), shared_value(m, next));
        let mine = m.compare(own, CompareOp::Eq, value);
        let advance = increment(m, next);
        vec![while_(unfinished, vec![if_(mine, vec![advance], vec![])], vec![])]
    })
}

/// `while (true) {}`, which ends under no schedule.
pub(crate) fn endless() -> Kernel {
    over_shared("endless", |m, _| {
        let always = m.constant(true);
        vec![while_(always, vec![], vec![])]
    })
}

/// `x = x + 1;` of a shared variable, the example of section 4.1.
pub(crate) fn shared_increment() -> Kernel {
    over_shared("increment", |m, x| vec![increment(m, x)])
}
