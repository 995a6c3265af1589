//! The meaning of expressions for one thread.

use crate::programs::thread::{End, LENGTH, Thread};
use crate::programs::{Maker, collatz, evaluate as evaluate_stmt, sum_of_even};
use simt_core::ops::{ArithmeticFault, BinaryOp, UnaryOp};
use simt_core::program::{
    Builtin, Environment, EvaluateFault, Expr, ExprId, LoadFault, Memory, ParamId, VarId, evaluate,
};
use simt_core::{Constant, ScalarType};

/// Global memory with one slice of `i32`, and a scalar parameter of 7.
struct Host(Vec<i32>);

impl Environment for Host {
    fn variable(&self, var: VarId) -> Constant {
        Constant::of(var.0 as i32 * 10)
    }
    fn parameter(&self, _: ParamId) -> Constant {
        Constant::of(7i32)
    }
    fn builtin(&self, builtin: Builtin) -> u32 {
        if builtin == Builtin::GlobalId { 2 } else { u32::MAX }
    }
    fn length(&self, _: Memory) -> u32 {
        self.0.len() as u32
    }
    /// Elements that are -1 are those that no thread has written.
    fn load(&self, _: Memory, index: u32) -> Result<Constant, LoadFault> {
        match self.0.get(index as usize) {
            Some(-1) => Err(LoadFault::Unwritten),
            element => element.map(|&element| Constant::of(element)).ok_or(LoadFault::OutOfBounds),
        }
    }
}

/// The value of the expression that `make` returns; parameter 0 is the slice, parameter 1 the scalar.
fn value(make: impl FnOnce(&mut Maker, ParamId, ParamId) -> ExprId) -> Result<Constant, EvaluateFault> {
    let mut m = Maker::new("k");
    let (slice, scalar) = (m.slice("a", ScalarType::I32), m.scalar("n", ScalarType::I32));
    let id = make(&mut m, slice, scalar);
    let program = m.finish(vec![]).validate().expect("a valid program");
    evaluate(&program, id, &Host(vec![-5, 0, 40, -1]))
}

#[test]
fn leaves_ask_the_environment() {
    assert_eq!(value(|m, _, _| m.constant(1.5f64)), Ok(Constant::of(1.5f64)));
    assert_eq!(value(|m, _, n| m.node(Expr::Param(n), ScalarType::I32)), Ok(Constant::of(7i32)));
    assert_eq!(value(|m, a, _| m.len(a)), Ok(Constant::of(4usize)));
    assert_eq!(value(|m, _, _| m.builtin(Builtin::GlobalId)), Ok(Constant::of(2usize)));
    assert_eq!(value(|m, _, _| m.builtin(Builtin::LaneId)), Ok(Constant::of(u32::MAX as usize)));
    let second = value(|m, _, _| {
        m.variable("x", ScalarType::I32);
        let y = m.variable("y", ScalarType::I32);
        m.get(y)
    });
    assert_eq!(second, Ok(Constant::of(10i32)));
}

#[test]
fn operations_have_their_meaning() {
    let result = value(|m, a, _| {
        let index = m.builtin(Builtin::GlobalId);
        let (loaded, two) = (m.load(a, index, ScalarType::I32), m.constant(2i32));
        let product = m.binary(loaded, BinaryOp::Mul, two);
        let negative = m.unary(UnaryOp::Neg, product);
        m.cast(negative, ScalarType::U8)
    });
    assert_eq!(result, Ok(Constant::of(-80i32 as u8)));
    let shifted = value(|m, _, _| {
        let (one, count) = (m.constant(1u64), m.constant(40u32));
        m.binary(one, BinaryOp::Shl, count)
    });
    assert_eq!(shifted, Ok(Constant::of(1u64 << 40)));
}

#[test]
fn a_load_at_the_length_is_a_fault() {
    let fault = value(|m, a, _| {
        let index = m.constant(4usize);
        m.load(a, index, ScalarType::I32)
    });
    let slice = ParamId(0).into();
    let expected = EvaluateFault::OutOfBounds { expr: ExprId(1), slice, index: 4, length: 4 };
    assert_eq!(fault, Err(expected));
    assert_eq!(expected.to_string(), "index 4 is out of bounds of a slice of length 4");
}

#[test]
fn a_load_of_what_none_has_written_is_a_fault() {
    let fault = value(|m, a, _| {
        let index = m.constant(3usize);
        m.load(a, index, ScalarType::I32)
    });
    let expected = EvaluateFault::Unwritten { expr: ExprId(1), slice: ParamId(0).into(), index: 3 };
    assert_eq!(fault, Err(expected));
    assert_eq!((expected.expr(), expected.to_string().contains("no thread has written")), (ExprId(1), true));
}

#[test]
fn the_leftmost_fault_is_found() {
    let fault = value(|m, a, n| {
        let (dividend, index) = (m.node(Expr::Param(n), ScalarType::I32), m.constant(1usize));
        let zero = m.load(a, index, ScalarType::I32);
        let left = m.binary(dividend, BinaryOp::Rem, zero);
        let index = m.constant(9usize);
        let right = m.load(a, index, ScalarType::I32);
        m.binary(left, BinaryOp::Add, right)
    });
    let fault = fault.expect_err("the remainder has no value");
    assert_eq!(fault, EvaluateFault::Arithmetic { expr: ExprId(3), fault: ArithmeticFault::RemainderByZero });
    assert_eq!((fault.expr(), fault.to_string()), (ExprId(3), "remainder by zero".into()));
}

#[test]
fn a_thread_runs_whole_programs() {
    // Every element of `start` is 3, which takes 7 steps: 10, 5, 16, 8, 4, 2, 1.
    let program = collatz().validate().expect("valid");
    let (end, thread) = Thread::run(&program, 1000);
    assert_eq!(end, End::Normal);
    assert_eq!(thread.slice(ParamId(1)), [LENGTH, LENGTH, 7].map(Constant::of));

    // 0 + 2, for n = 3.
    let program = sum_of_even().validate().expect("valid");
    let (end, thread) = Thread::run(&program, 1000);
    assert_eq!(end, End::Normal);
    assert_eq!(thread.slice(ParamId(1))[0], Constant::of(2u32));
}

#[test]
fn evaluating_for_faults_only_ends_a_thread() {
    let mut m = Maker::new("k");
    let (one, zero) = (m.constant(1u8), m.constant(0u8));
    let quotient = m.binary(one, BinaryOp::Div, zero);
    let program = m.finish(vec![evaluate_stmt(quotient)]).validate().expect("valid");
    assert_eq!(Thread::run(&program, 10).0, End::Fault);
}
