//! The rules of functions, arrays and labels: for each, a program that keeps it and every way to break it.

use crate::programs::verdict::{accepts, rejects};
use crate::programs::{Maker, assign, break_, call, continue_, evaluate, if_, return_, stmt, store, while_};
use simt_core::program::{ArraySpace, Block, CHAIN_LIMIT, FunctionId, Program, Stmt, StmtKind, VarId};
use simt_core::{ScalarType, Source};

type Exit = fn() -> Stmt;

#[test]
fn an_exit_names_a_loop_around_it() {
    let forever = |m: &mut Maker, body: Block| while_(m.constant(true), body, vec![]);
    let nested = |exit: Exit| {
        move |m: &mut Maker| {
            let inner = forever(m, vec![exit()]);
            vec![forever(m, vec![inner])]
        }
    };
    accepts(nested(|| break_(1)));
    accepts(nested(|| continue_(1)));
    rejects("`break` goes 2 loops further out than the innermost, but there are 2 in all", nested(|| break_(2)));
    rejects("`continue` goes 3 loops further out than the innermost, but there are 2 in all", nested(|| continue_(3)));
    // A step is in no loop, but for those in the step.
    let stepping = |exit: Exit| {
        move |m: &mut Maker| {
            let inner = forever(m, vec![exit()]);
            vec![while_(m.constant(true), vec![], vec![inner])]
        }
    };
    accepts(stepping(|| break_(0)));
    rejects("`break` goes 1 loops further out than the innermost, but there are 1 in all", stepping(|| break_(1)));
    // Nor is a function in a loop of its caller.
    rejects("`break` outside of a loop's body", |m| {
        let f = m.function("f", vec![], None);
        m.body(f, vec![break_(0)]);
        let call = call(f, vec![], None);
        vec![forever(m, vec![call])]
    });
}

#[test]
fn a_call_fits_its_function() {
    let calling = |arguments: fn(&mut Maker) -> Vec<simt_core::program::ExprId>, result: Option<ScalarType>| {
        move |m: &mut Maker| {
            let (a, b) = (m.immutable("a", ScalarType::U32), m.immutable("b", ScalarType::F32));
            let r = m.variable("r", ScalarType::U8);
            let f = m.function("f", vec![a, b], Some(r));
            let one = m.constant(1u8);
            m.body(f, vec![assign(r, one)]);
            let result = result.map(|ty| m.immutable("x", ty));
            vec![call(f, arguments(m), result)]
        }
    };
    let fitting = |m: &mut Maker| vec![m.constant(1u32), m.constant(2f32)];
    accepts(calling(fitting, None));
    accepts(calling(fitting, Some(ScalarType::U8)));
    rejects("the result of `f` is of type u8, variable `x` of type i8", calling(fitting, Some(ScalarType::I8)));
    rejects("the arguments of `f` are 2, not 1", calling(|m| vec![m.constant(1u32)], None));
    rejects("argument `2` is of type i32, not f32", calling(|m| vec![m.constant(1u32), m.constant(2i32)], None));
    rejects("there is no function f0", |_| vec![call(FunctionId(0), vec![], None)]);
    rejects("there is no variable v7", |m| {
        let r = m.variable("r", ScalarType::U8);
        let f = m.function("f", vec![], Some(r));
        vec![call(f, vec![], Some(VarId(7)))]
    });
    rejects("`f` has no result, but one is used", |m| {
        let f = m.function("f", vec![], None);
        let x = m.variable("x", ScalarType::U8);
        vec![call(f, vec![], Some(x))]
    });
}

#[test]
fn a_function_may_call_itself() {
    accepts(|m| {
        let (f, g) = (m.function("f", vec![], None), m.function("g", vec![], None));
        m.body(f, vec![call(g, vec![], None)]);
        m.body(g, vec![call(f, vec![], None), call(g, vec![], None)]);
        vec![]
    });
}

#[test]
fn heads_of_functions_name_different_variables_that_exist() {
    accepts(|m| {
        let (a, b) = (m.variable("a", ScalarType::U8), m.variable("b", ScalarType::U8));
        // Its result may be one of its parameters.
        m.function("f", vec![a, b], Some(a));
        vec![]
    });
    rejects("`a` is a parameter twice", |m| {
        let a = m.variable("a", ScalarType::U8);
        m.function("f", vec![a, a], None);
        vec![]
    });
    rejects("there is no variable v3", |m| {
        m.function("f", vec![VarId(3)], None);
        vec![]
    });
    rejects("there is no variable v3", |m| {
        m.function("f", vec![], Some(VarId(3)));
        vec![]
    });
}

#[test]
fn variables_belong_to_one_body() {
    const FOREIGN: &str = "variable `a` belongs to another function";
    // Between two functions, and between a function and the kernel; as a parameter, a result, assigned and read.
    rejects(FOREIGN, |m| {
        let a = m.variable("a", ScalarType::U8);
        m.function("f", vec![a], None);
        m.function("g", vec![], Some(a));
        vec![]
    });
    rejects(FOREIGN, |m| {
        let a = m.variable("a", ScalarType::U8);
        m.function("f", vec![a], None);
        vec![assign(a, m.constant(1u8))]
    });
    rejects(FOREIGN, |m| {
        let a = m.variable("a", ScalarType::U8);
        m.function("f", vec![a], None);
        let (value, one) = (m.get(a), m.constant(1u8));
        let sum = m.binary(one, simt_core::ops::BinaryOp::Add, value);
        vec![evaluate(sum)]
    });
    rejects(FOREIGN, |m| {
        let a = m.variable("a", ScalarType::U8);
        let f = m.function("f", vec![], None);
        let one = m.constant(1u8);
        m.body(f, vec![assign(a, one)]);
        vec![assign(a, m.constant(1u8))]
    });
    // The result of a call is the caller's.
    rejects(FOREIGN, |m| {
        let a = m.variable("a", ScalarType::U8);
        let f = m.function("f", vec![a], Some(a));
        let one = m.constant(1u8);
        vec![call(f, vec![one], Some(a))]
    });
}

#[test]
fn a_call_assigns_the_parameters() {
    rejects("immutable variable `a` is assigned more than once", |m| {
        let a = m.immutable("a", ScalarType::U8);
        let f = m.function("f", vec![a], None);
        let one = m.constant(1u8);
        m.body(f, vec![assign(a, one)]);
        vec![]
    });
    rejects("immutable variable `r` is never assigned", |m| {
        let r = m.immutable("r", ScalarType::U8);
        m.function("f", vec![], Some(r));
        vec![]
    });
    rejects("immutable variable `x` is assigned more than once", |m| {
        let r = m.variable("r", ScalarType::U8);
        let f = m.function("f", vec![r], Some(r));
        let x = m.immutable("x", ScalarType::U8);
        let (one, two) = (m.constant(1u8), m.constant(2u8));
        vec![call(f, vec![one], Some(x)), call(f, vec![two], Some(x))]
    });
}

#[test]
fn a_function_returns_with_its_result() {
    let unassigned = "the result `r` may not be assigned where the function returns";
    let function = |body: fn(&mut Maker, VarId) -> Block| {
        move |m: &mut Maker| {
            let (c, r) = (m.immutable("c", ScalarType::Bool), m.variable("r", ScalarType::U8));
            let f = m.function("f", vec![c], Some(r));
            let body = body(m, r);
            m.body(f, body);
            vec![]
        }
    };
    let set = |m: &mut Maker, r| assign(r, m.constant(1u8));
    accepts(function(move |m, r| vec![assign(r, m.constant(1u8))]));
    rejects(unassigned, function(|_, _| vec![]));
    rejects(unassigned, function(|m, r| vec![return_(), assign(r, m.constant(1u8))]));
    rejects(
        unassigned,
        function(|m, r| {
            let c = m.get(VarId(0));
            vec![if_(c, vec![return_()], vec![]), assign(r, m.constant(1u8)), return_()]
        }),
    );
    // A path that panics returns nothing, and an endless loop either.
    accepts(|m| {
        let message = m.message(vec![]);
        let panic = stmt(StmtKind::Panic { message, args: vec![] });
        let (c, r) = (m.immutable("c", ScalarType::Bool), m.variable("r", ScalarType::U8));
        let f = m.function("f", vec![c], Some(r));
        let (c, one) = (m.get(VarId(0)), set(m, r));
        m.body(f, vec![if_(c, vec![one], vec![panic])]);
        vec![]
    });
    accepts(function(|m, _| vec![while_(m.constant(true), vec![], vec![])]));
}

#[test]
fn an_error_in_a_function_names_it_and_shows_its_text() {
    let program = |make: fn(&mut Maker) -> Block| {
        let mut m = Maker::new("k");
        m.program.source = Source { file: "src/kernel.rs".into(), ..Source::default() };
        let f = m.function("helper", vec![], None);
        m.program.functions[0].source = Source { file: "src/helper.rs".into(), ..Source::default() };
        let body = make(&mut m);
        m.body(f, body);
        m.finish(vec![]).validate().expect_err("wrong")
    };
    // A rule of statements, of expressions, of nesting, of paths.
    let error = program(|_| vec![break_(0)]);
    assert_eq!(error.to_string(), "kernel `k`, function `helper` in src/helper.rs: `break` outside of a loop's body");
    assert_eq!((error.kernel(), error.function()), ("k", Some("helper")));
    assert_eq!(error.source_text().file, "src/helper.rs");
    let error = program(|m| {
        let one = m.node(simt_core::program::Expr::Var(VarId(5)), ScalarType::U8);
        vec![evaluate(m.cast(one, ScalarType::U16))]
    });
    assert_eq!(error.to_string(), "kernel `k`, function `helper` at src/helper.rs:1:1: there is no variable v5");
    let deep = |m: &mut Maker| {
        let cond = m.constant(true);
        (0..100_000).fold(vec![], |inner, _| vec![while_(cond, inner, vec![]), stmt(StmtKind::Skip)])
    };
    assert_eq!(program(deep).function(), Some("helper"));
    let unassigned = program(|m| {
        let x = m.variable("x", ScalarType::U8);
        vec![evaluate(m.get(x))]
    });
    assert_eq!(unassigned.function(), Some("helper"));
}

#[test]
fn arrays_are_of_some_length_and_may_be_passed() {
    let array = |space, function| {
        move |m: &mut Maker| {
            let f = m.function("f", vec![], None);
            let a = m.array("a", ScalarType::U8, space, function);
            let (index, value) = (m.constant(0usize), m.constant(1u8));
            m.body(f, vec![store(a, index, value)]);
            vec![]
        }
    };
    accepts(array(ArraySpace::Shared, None));
    accepts(array(ArraySpace::Local, Some(FunctionId(0))));
    accepts(array(ArraySpace::Local, None));
    rejects("there is no function f1", array(ArraySpace::Local, Some(FunctionId(1))));
    rejects("array `a` has no elements", |m| {
        let a = m.shared("a", ScalarType::U8);
        m.program.arrays[a.0 as usize].length = 0;
        vec![]
    });
    rejects("there is no array a0", |m| {
        let (index, value) = (m.constant(0usize), m.constant(1u8));
        vec![store(simt_core::program::ArrayId(0), index, value)]
    });
    rejects("there is no array a2", |m| {
        let index = m.constant(0usize);
        vec![evaluate(m.load(simt_core::program::ArrayId(2), index, ScalarType::U8))]
    });
}

/// `if (true) {;} else if (true) {;} ..`, with so many `else if`s.
fn chain(m: &mut Maker, links: usize) -> Block {
    let one = |m: &mut Maker, last| vec![if_(m.constant(true), vec![stmt(StmtKind::Skip)], last)];
    (0..=links).fold(vec![], |last, _| one(m, last))
}

fn chained(links: usize) -> Program {
    let mut m = Maker::new("k");
    let body = chain(&mut m, links);
    m.finish(body)
}

#[test]
fn else_if_is_no_deeper_to_a_limit() {
    let program = chained(CHAIN_LIMIT - 1);
    // Cloned, printed, compared and dropped on this thread's stack.
    let copy = program.clone();
    assert_eq!(program.to_string().lines().count(), 2 + 2 * CHAIN_LIMIT + 1);
    assert_eq!(program.validate().expect("valid").into_inner(), copy);
    let error = chained(100_000).validate().expect_err("too long");
    assert_eq!(error.message(), format!("an `if` has more than {CHAIN_LIMIT} `else if`s"));
}
