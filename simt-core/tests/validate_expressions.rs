//! The rules of expressions: for each, an expression that keeps it and every way to break it.

use crate::programs::verdict::{accepts, accepts_expr, rejects, rejects_expr};
use crate::programs::{Maker, assign, evaluate, store};
use simt_core::ops::{BinaryOp, CompareOp, UnaryOp};
use simt_core::program::{Builtin, Expr, ExprId};
use simt_core::{Constant, ScalarType};

#[test]
fn operands_come_before_their_parents() {
    rejects_expr("expression e0 comes before its operand e0", |m| {
        m.node(Expr::Unary { op: UnaryOp::Not, value: ExprId(0) }, ScalarType::Bool)
    });
    rejects_expr("expression e0 comes before its operand e1", |m| {
        let cast = m.node(Expr::Cast { value: ExprId(1) }, ScalarType::U8);
        m.constant(1u8);
        cast
    });
}

#[test]
fn expressions_are_trees() {
    rejects_expr("expression `1` is used more than once", |m| {
        let one = m.constant(1u8);
        m.binary(one, BinaryOp::Add, one)
    });
    rejects("expression `1` is used more than once", |m| {
        let one = m.constant(1u8);
        m.cast(one, ScalarType::U16);
        vec![evaluate(one)]
    });
    rejects("expression `1` is used more than once", |m| {
        let one = m.constant(1u8);
        vec![evaluate(one), evaluate(one)]
    });
    rejects("expression `1` is used more than once", |m| {
        let (a, one) = (m.slice_mut("a", ScalarType::Usize), m.constant(1usize));
        vec![store(a, one, one)]
    });
    // A node that is not used is harmless.
    accepts(|m| {
        m.constant(1u8);
        vec![]
    });
}

#[test]
fn constants_fit_their_type() {
    for (ty, most) in [(ScalarType::Bool, 1), (ScalarType::I16, 0xffff), (ScalarType::Usize, 0xffff_ffff)] {
        let constant = |bits| move |m: &mut Maker| m.node(Expr::Const(Constant { ty, bits }), ty);
        accepts_expr(constant(most));
        let beyond = Constant { ty, bits: most + 1 };
        rejects_expr(&format!("{beyond:?} has bits beyond its type"), constant(most + 1));
    }
    accepts_expr(|m| m.constant(u64::MAX));
    accepts_expr(|m| m.constant(-1i64));
    let three = Expr::Const(Constant::of(3u8));
    rejects_expr("expression `3` is of type u16, not u8", |m| m.node(three, ScalarType::U16));
}

#[test]
fn names_have_their_declared_types() {
    accepts(|m| {
        let x = m.variable("x", ScalarType::F32);
        vec![assign(x, m.constant(1f32)), evaluate(m.get(x))]
    });
    rejects_expr("expression `x` is of type f64, not f32", |m| {
        let x = m.variable("x", ScalarType::F32);
        m.node(Expr::Var(x), ScalarType::F64)
    });
    let param = |ty| {
        move |m: &mut Maker| {
            let n = m.scalar("n", ScalarType::I8);
            m.node(Expr::Param(n), ty)
        }
    };
    accepts_expr(param(ScalarType::I8));
    rejects_expr("expression `n` is of type u8, not i8", param(ScalarType::U8));
    rejects_expr("parameter `a` is a slice, used as a value", |m| {
        let a = m.slice("a", ScalarType::I8);
        m.node(Expr::Param(a), ScalarType::I8)
    });
    let lane = Expr::Builtin(Builtin::LaneId);
    accepts_expr(|m| m.node(lane, ScalarType::Usize));
    rejects_expr("expression `lane_id()` is of type u32, not usize", |m| m.node(lane, ScalarType::U32));
}

#[test]
fn lengths_and_loads_are_of_slices() {
    let len = |ty| {
        move |m: &mut Maker| {
            let a = m.slice("a", ScalarType::I8);
            m.node(Expr::Len(a.into()), ty)
        }
    };
    accepts_expr(len(ScalarType::Usize));
    rejects_expr("expression `a.len()` is of type u64, not usize", len(ScalarType::U64));
    rejects_expr("parameter `n` is a value, used as a slice", |m| {
        let n = m.scalar("n", ScalarType::I8);
        m.len(n)
    });
    let load = |index, element| {
        move |m: &mut Maker| {
            let a = m.slice("a", ScalarType::I8);
            let index = m.node(Expr::Const(Constant { ty: index, bits: 2 }), index);
            m.load(a, index, element)
        }
    };
    accepts_expr(load(ScalarType::Usize, ScalarType::I8));
    rejects_expr("index `2` is of type u32, not usize", load(ScalarType::U32, ScalarType::I8));
    rejects_expr("expression `a[2]` is of type u8, not i8", load(ScalarType::Usize, ScalarType::U8));
    rejects_expr("parameter `n` is a value, used as a slice", |m| {
        let (n, index) = (m.scalar("n", ScalarType::I8), m.constant(2usize));
        m.load(n, index, ScalarType::I8)
    });
}

#[test]
fn operations_have_types_that_accept_them() {
    accepts_expr(|m| {
        let x = m.constant(1.0f32);
        m.unary(UnaryOp::Neg, x)
    });
    rejects_expr("`-` in `-1` is not defined on u8", |m| {
        let x = m.constant(1u8);
        m.unary(UnaryOp::Neg, x)
    });
    rejects_expr("operand `1` is of type i8, not i16", |m| {
        let value = m.constant(1i8);
        m.node(Expr::Unary { op: UnaryOp::Neg, value }, ScalarType::I16)
    });
    rejects_expr("`+` in `true + false` is not defined on bool", |m| {
        let (left, right) = (m.constant(true), m.constant(false));
        m.binary(left, BinaryOp::Add, right)
    });
    rejects_expr("left operand `1` is of type u32, not usize", |m| {
        let (left, right) = (m.constant(1u32), m.constant(1usize));
        m.node(Expr::Binary { op: BinaryOp::Add, left, right }, ScalarType::Usize)
    });
    rejects_expr("right operand `1` is of type usize, not u32", |m| {
        let (left, right) = (m.constant(1u32), m.constant(1usize));
        m.binary(left, BinaryOp::Add, right)
    });
}

#[test]
fn a_shift_count_is_a_u32() {
    accepts_expr(|m| {
        let (left, right) = (m.constant(1i64), m.constant(1u32));
        m.binary(left, BinaryOp::Shl, right)
    });
    rejects_expr("shift count `1` is of type i64, not u32", |m| {
        let (left, right) = (m.constant(1i64), m.constant(1i64));
        m.binary(left, BinaryOp::Shl, right)
    });
}

#[test]
fn comparisons_and_casts_have_types_that_accept_them() {
    accepts_expr(|m| {
        let (left, right) = (m.constant(true), m.constant(false));
        m.compare(left, CompareOp::Lt, right)
    });
    rejects_expr("`1 < 2` compares u8 with u16", |m| {
        let (left, right) = (m.constant(1u8), m.constant(2u16));
        m.compare(left, CompareOp::Lt, right)
    });
    rejects_expr("expression `1 == 2` is of type u8, not bool", |m| {
        let (left, right) = (m.constant(1u8), m.constant(2u8));
        m.node(Expr::Compare { op: CompareOp::Eq, left, right }, ScalarType::U8)
    });
    accepts_expr(|m| {
        let value = m.constant(true);
        m.cast(value, ScalarType::U8)
    });
    rejects_expr("`1 as bool` casts u8, which Rust does not cast as bool", |m| {
        let value = m.constant(1u8);
        m.cast(value, ScalarType::Bool)
    });
    rejects_expr("`true as f32` casts bool, which Rust does not cast as f32", |m| {
        let value = m.constant(true);
        m.cast(value, ScalarType::F32)
    });
}
