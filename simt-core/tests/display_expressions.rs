//! How expressions print.

use crate::programs::{Maker, evaluate, store};
use simt_core::ops::{BinaryOp, CompareOp, UnaryOp};
use simt_core::program::{Builtin, Expr, ExprId};
use simt_core::{Constant, ScalarType};

/// The text of the one expression that `make` returns.
#[track_caller]
fn check_expr(expected: &str, make: impl FnOnce(&mut Maker, [ExprId; 4]) -> ExprId) {
    let mut m = Maker::new("k");
    let variables = ["a", "b", "c", "d"].map(|name| m.variable(name, ScalarType::I32));
    let operands = variables.map(|var| m.get(var));
    let id = make(&mut m, operands);
    assert_eq!(m.program.expr_to_string(id), expected);
}

#[test]
fn parentheses_follow_rusts_precedence() {
    use BinaryOp::{Add, And, Mul, Or, Shl, Sub, Xor};
    check_expr("a + b * c", |m, [a, b, c, _]| {
        let product = m.binary(b, Mul, c);
        m.binary(a, Add, product)
    });
    check_expr("(a + b) * c", |m, [a, b, c, _]| {
        let sum = m.binary(a, Add, b);
        m.binary(sum, Mul, c)
    });
    check_expr("a - b - (c - d)", |m, [a, b, c, d]| {
        let (left, right) = (m.binary(a, Sub, b), m.binary(c, Sub, d));
        m.binary(left, Sub, right)
    });
    check_expr("a | b ^ c & d", |m, [a, b, c, d]| {
        let and = m.binary(c, And, d);
        let xor = m.binary(b, Xor, and);
        m.binary(a, Or, xor)
    });
    check_expr("(a | b) & c << d", |m, [a, b, c, d]| {
        let (or, shift) = (m.binary(a, Or, b), m.binary(c, Shl, d));
        m.binary(or, And, shift)
    });
    check_expr("a & b == c", |m, [a, b, c, _]| {
        let and = m.binary(a, And, b);
        m.compare(and, CompareOp::Eq, c)
    });
    check_expr("(a < b) == (c < d)", |m, [a, b, c, d]| {
        let (left, right) = (m.compare(a, CompareOp::Lt, b), m.compare(c, CompareOp::Lt, d));
        m.compare(left, CompareOp::Eq, right)
    });
}

#[test]
fn casts_and_signs_bind_as_in_rust() {
    check_expr("a as f32 as u8", |m, [a, ..]| {
        let float = m.cast(a, ScalarType::F32);
        m.cast(float, ScalarType::U8)
    });
    check_expr("(a + b) as f32", |m, [a, b, ..]| {
        let sum = m.binary(a, BinaryOp::Add, b);
        m.cast(sum, ScalarType::F32)
    });
    check_expr("a as f32 + b as f32", |m, [a, b, ..]| {
        let (a, b) = (m.cast(a, ScalarType::F32), m.cast(b, ScalarType::F32));
        m.binary(a, BinaryOp::Add, b)
    });
    check_expr("-a as f32", |m, [a, ..]| {
        let negative = m.unary(UnaryOp::Neg, a);
        m.cast(negative, ScalarType::F32)
    });
    check_expr("-(a as f32)", |m, [a, ..]| {
        let float = m.cast(a, ScalarType::F32);
        m.unary(UnaryOp::Neg, float)
    });
    check_expr("-(-a)", |m, [a, ..]| {
        let negative = m.unary(UnaryOp::Neg, a);
        m.unary(UnaryOp::Neg, negative)
    });
    check_expr("!(a < b)", |m, [a, b, ..]| {
        let less = m.compare(a, CompareOp::Lt, b);
        m.unary(UnaryOp::Not, less)
    });
    check_expr("a - -1", |m, [a, ..]| {
        let one = m.constant(-1i32);
        m.binary(a, BinaryOp::Sub, one)
    });
    check_expr("-(-1.5)", |m, _| {
        let negative = m.constant(-1.5f32);
        m.unary(UnaryOp::Neg, negative)
    });
}

#[test]
fn places_in_memory_print_as_in_rust() {
    let mut m = Maker::new("k");
    let (x, y) = (m.slice("x", ScalarType::U8), m.slice_mut("y", ScalarType::U8));
    let (id, one) = (m.builtin(Builtin::ThreadIdxX), m.constant(1usize));
    let index = m.binary(id, BinaryOp::Add, one);
    let (value, end) = (m.load(x, index, ScalarType::U8), m.len(y));
    let again = m.constant(true);
    let program = m.finish(vec![store(y, end, value), evaluate(again)]);
    let text = program.without_tokens().to_string();
    assert!(text.contains("    y[y.len()] = x[thread_idx().x + 1];\n    true;\n"), "{text}");
}

#[test]
fn an_expression_that_stands_for_exponentially_many_nodes_is_cut() {
    let mut m = Maker::new("k");
    let mut sum = m.constant(1u32);
    for _ in 0..200 {
        sum = m.binary(sum, BinaryOp::Add, sum);
    }
    let text = m.program.expr_to_string(sum);
    assert!(text.contains("?e") && text.len() < 10_000, "{text}");
}

#[test]
fn a_tree_of_any_size_is_not_cut() {
    let mut m = Maker::new("k");
    let mut level: Vec<_> = (0..1024).map(|_| m.node(Expr::Const(Constant::of(1u32)), ScalarType::U32)).collect();
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| m.binary(pair[0], BinaryOp::Add, pair[1])).collect();
    }
    let text = m.program.expr_to_string(level[0]);
    assert_eq!(text.matches('1').count(), 1024);
    assert!(!text.contains('?'));
}
