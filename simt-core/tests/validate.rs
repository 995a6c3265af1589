//! The rules of programs and statements: for each, a program that keeps it and every way to break it.

use crate::programs::verdict::{accepts, message, rejects, rejects_expr};
use crate::programs::{Maker, assign, break_, collatz, continue_, evaluate, if_, stmt, store, sum_of_even, while_};
use simt_core::ops::{BinaryOp, UnaryOp};
use simt_core::program::{Expr, ExprId, NESTING_LIMIT, ParamId, Program, StmtKind, VarId};
use simt_core::{ScalarType, Source, Span};

#[test]
fn whole_kernels_are_valid() {
    assert_eq!(collatz().validate().map(|valid| valid.into_inner()), Ok(collatz()));
    assert!(sum_of_even().validate().is_ok());
    assert!(Program::default().validate().is_ok());
}

#[test]
fn an_error_says_what_and_where() {
    let mut m = Maker::new("wrong");
    let (left, right) = (m.constant(1u8), m.constant(2i8));
    m.binary(left, BinaryOp::Add, right);
    m.program.source = Source { file: "src/k.rs".into(), ..Source::default() };
    let error = m.finish(vec![]).validate().expect_err("mixed types");
    assert_eq!(error.to_string(), "kernel `wrong` at src/k.rs:2:1: right operand `2` is of type i8, not u8");
    assert_eq!((error.kernel(), error.span()), ("wrong", Span::new(2, 1, 2, 2)));
    assert_eq!(error.source_text().file, "src/k.rs");

    let nowhere = Program { name: "k".into(), body: vec![break_(0)], ..Program::default() };
    let error = nowhere.validate().expect_err("no loop");
    assert_eq!(error.to_string(), "kernel `k`: `break` outside of a loop's body");
}

#[test]
fn problems_of_the_builder_are_reported() {
    let problems = vec![(Span::new(4, 9, 4, 19), "5000000000 does not fit".to_string())];
    let program = Program { name: "k".into(), problems, ..Program::default() };
    let error = program.validate().expect_err("a problem");
    assert_eq!(error.to_string(), "kernel `k` at 4:9: 5000000000 does not fit");
}

#[test]
fn statements_nest_to_the_limit() {
    let nested = |depth| {
        message(|m| {
            let skip = || stmt(StmtKind::Skip);
            (1..depth).fold(vec![skip()], |mut inner, level| {
                let cond = m.constant(true);
                // Through each kind of block.
                vec![match level % 4 {
                    0 => if_(cond, inner, vec![]),
                    1 => {
                        inner.push(skip());
                        if_(cond, vec![], inner)
                    }
                    2 => while_(cond, inner, vec![]),
                    _ => while_(cond, vec![], inner),
                }]
            })
        })
    };
    assert_eq!(nested(NESTING_LIMIT), Ok(()));
    let too_deep = Err("statements nest more than 256 levels deep".to_string());
    assert_eq!(nested(NESTING_LIMIT + 1), too_deep);
    // Deep enough to overflow the stack of anything that recurses.
    assert_eq!(nested(200_000), too_deep);
}

#[test]
fn expressions_nest_to_the_limit() {
    let nested = |depth| {
        message(|m| {
            let first = m.constant(true);
            let root = (1..depth).fold(first, |value, _| m.unary(UnaryOp::Not, value));
            vec![evaluate(root)]
        })
    };
    assert_eq!(nested(NESTING_LIMIT), Ok(()));
    let too_deep = Err("an expression nests more than 256 levels deep".to_string());
    assert_eq!(nested(NESTING_LIMIT + 1), too_deep);
    assert_eq!(nested(200_000), too_deep);
}

#[test]
fn numbers_are_in_range() {
    rejects_expr("there is no expression e9", |m| m.node(Expr::Cast { value: ExprId(9) }, ScalarType::U8));
    rejects_expr("there is no variable v0", |m| m.node(Expr::Var(VarId(0)), ScalarType::U8));
    rejects_expr("there is no parameter p0", |m| m.node(Expr::Param(ParamId(0)), ScalarType::U8));
    rejects_expr("there is no parameter p0", |m| m.len(ParamId(0)));
    rejects_expr("there is no parameter p2", |m| {
        let index = m.constant(0usize);
        m.load(ParamId(2), index, ScalarType::U8)
    });
    rejects("there is no expression e0", |_| vec![evaluate(ExprId(0))]);
    rejects("there is no variable v4294967295", |m| vec![assign(VarId(u32::MAX), m.constant(1u8))]);
    rejects("there is no parameter p0", |m| vec![store(ParamId(0), m.constant(0usize), m.constant(1u8))]);
}

#[test]
fn statements_have_types_that_fit() {
    rejects("assigned value `1` is of type i32, not u32", |m| {
        let x = m.variable("x", ScalarType::U32);
        vec![assign(x, m.constant(1i32))]
    });
    rejects("condition `1` is of type i32, not bool", |m| vec![if_(m.constant(1i32), vec![], vec![])]);
    rejects("condition `1` is of type i32, not bool", |m| vec![while_(m.constant(1i32), vec![], vec![])]);
    let stored = |writable: bool, index: fn(&mut Maker) -> ExprId, value: fn(&mut Maker) -> ExprId| {
        move |m: &mut Maker| {
            let a = if writable { m.slice_mut("a", ScalarType::F32) } else { m.slice("a", ScalarType::F32) };
            vec![store(a, index(m), value(m))]
        }
    };
    accepts(stored(true, |m| m.constant(0usize), |m| m.constant(1f32)));
    rejects("slice `a` is read-only, but stored to", stored(false, |m| m.constant(0usize), |m| m.constant(1f32)));
    rejects("index `0` is of type u32, not usize", stored(true, |m| m.constant(0u32), |m| m.constant(1f32)));
    rejects("stored value `1.0` is of type f64, not f32", stored(true, |m| m.constant(0usize), |m| m.constant(1f64)));
    rejects("parameter `n` is a value, used as a slice", |m| {
        let n = m.scalar("n", ScalarType::F32);
        vec![store(n, m.constant(0usize), m.constant(1f32))]
    });
}

#[test]
fn break_and_continue_stand_in_a_loops_body() {
    for (kind, text) in [(break_(0), "break"), (continue_(0), "continue")] {
        let exit = || vec![kind.clone()];
        let error = &format!("`{text}` outside of a loop's body");
        accepts(|m| vec![while_(m.constant(true), exit(), vec![])]);
        accepts(|m| vec![while_(m.constant(true), vec![if_(m.constant(true), vec![], exit())], vec![])]);
        accepts(|m| vec![while_(m.constant(true), vec![], vec![while_(m.constant(false), exit(), vec![])])]);
        rejects(error, |_| exit());
        rejects(error, |m| vec![if_(m.constant(true), exit(), vec![])]);
        rejects(error, |m| vec![while_(m.constant(true), vec![], exit())]);
        rejects(error, |m| vec![while_(m.constant(true), vec![], vec![if_(m.constant(true), exit(), vec![])])]);
        // In the step of an inner loop, not even for the outer one.
        rejects(error, |m| vec![while_(m.constant(true), vec![while_(m.constant(true), vec![], exit())], vec![])]);
    }
}

#[test]
fn an_immutable_variable_is_assigned_by_one_statement() {
    let one = |m: &mut Maker, x| assign(x, m.constant(1u8));
    accepts(|m| {
        let x = m.immutable("x", ScalarType::U8);
        vec![while_(m.constant(true), vec![one(m, x)], vec![])]
    });
    accepts(|m| {
        let x = m.variable("x", ScalarType::U8);
        vec![one(m, x), one(m, x)]
    });
    accepts(|m| {
        m.variable("x", ScalarType::U8);
        vec![]
    });
    rejects("immutable variable `x` is assigned more than once", |m| {
        let x = m.immutable("x", ScalarType::U8);
        vec![if_(m.constant(true), vec![one(m, x)], vec![one(m, x)])]
    });
    rejects("immutable variable `_1` is never assigned", |m| {
        m.variable("x", ScalarType::U8);
        m.immutable("", ScalarType::U8);
        vec![]
    });
}
