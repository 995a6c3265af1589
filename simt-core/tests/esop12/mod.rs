//! The programs of ESOP'12.

use super::programs::{Maker, assign, break_, call, if_, return_, store, while_};
use simt_core::ScalarType;
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{Builtin, ExprId, Program, Validated};

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
