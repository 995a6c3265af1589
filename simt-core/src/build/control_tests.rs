//! Labels, values of loops, ranges, patterns, tuples and functions, built by hand as the macro builds them.

use super::tests::{body, check};
use super::{Builder, Definition, Let, OnlyKernelsCallThis, Value, Walk};
use crate::code::Markers;
use crate::program::{Expr, NESTING_LIMIT, StmtKind};
use crate::scalar::Constant;

#[test]
fn a_jump_says_how_far_out_it_goes() {
    check(
        |k| {
            let n = k.scalar::<u32>(0, "n");
            k.begin_loop(0);
            k.begin_while();
            k.while_(0, k.lt(0, n, 3));
            k.continue_(0, 1);
            k.end_loop();
            k.begin_block(0);
            k.break_(0, 1);
            k.end_block();
            k.end_loop();
        },
        &["'a: while (true) {", "while (n < 3) {", "continue 'a;", "}", "while (true) {", "break 'a;", "}", "}"],
    );
}

#[test]
fn a_loop_has_the_value_of_its_breaks() {
    check(
        |k| {
            let n = k.scalar::<u32>(0, "n");
            let slot = k.slot();
            k.begin_loop(0);
            k.break_with(0, 0, slot, (n, 1.5));
            k.end_loop();
            let (a, b) = k.split::<(_, _)>(0, slot);
            k.bind::<u32>(0, "a", a);
            k.bind::<f32>(0, "b", b);
        },
        &["while (true) {", "_0 = n;", "_1 = 1.5;", "break;", "}", "a = _0;", "b = _1;"],
    );
}

#[test]
fn a_reversed_range_counts_down_at_the_start_of_an_iteration() {
    check(
        |k| {
            let n = k.scalar::<u8>(0, "n");
            k.for_rev(0, Some("i"), 3, n);
            k.end_loop();
            k.for_rev_inclusive(0, Some("j"), 0, n);
            k.end_loop();
        },
        &[
            "i = n;",
            "while (3 < i) {",
            "i = i - 1;",
            "}",
            "j = n;",
            "_2 = 0 <= j;",
            "while (_2) {",
            "} step {",
            "_2 = 0 != j;",
            "j = j - 1;",
            "}",
        ],
    );
}

#[test]
fn steps_saturate_where_that_is_enough() {
    check(
        |k| {
            let n = k.scalar::<u32>(0, "n");
            k.for_step(0, Some("i"), 0, n, false, Walk::Up, 4);
            k.end_loop();
        },
        &["i = 0;", "while (i < n) {", "} step {", "i = i.saturating_add(4);", "}"],
    );
}

#[test]
fn steps_are_counted_where_the_end_of_the_type_is_near() {
    check(
        |k| {
            let (n, step) = (k.scalar::<i8>(0, "n"), k.scalar::<usize>(0, "step"));
            k.for_step(0, Some("i"), -3, n, true, Walk::Down, step);
            k.end_loop();
        },
        &[
            "if (step == 0) {",
            "panic!(\"assertion failed: step != 0\");",
            "}",
            "_1 = -3 <= n;",
            "_2 = (n - -3) as u8 as u32 / step as u32;",
            "_3 = step as i8;",
            "i = n;",
            "while (_1) {",
            "} step {",
            "_1 = _2 != 0;",
            "_2 = _2 - 1;",
            "i = i - _3;",
            "}",
        ],
    );
}

#[test]
fn parts_that_are_swapped_are_read_first() {
    check(
        |k| {
            let t = k.bind_mut(0, "t", (1u32, 2u32));
            k.assign(0, t, (k.field::<1, _>(0, t), k.field::<0, _>(0, t)));
            k.assign(0, k.field_place::<0, _>(t), 7);
            // Nothing to hold: what is read is assigned already, or never.
            k.assign(0, t, (k.field::<0, _>(0, t), 5));
        },
        &[
            "t.0 = 1;",
            "t.1 = 2;",
            "_2 = t.1;",
            "_3 = t.0;",
            "t.0 = _2;",
            "t.1 = _3;",
            "t.0 = 7;",
            "t.0 = t.0;",
            "t.1 = 5;",
        ],
    );
}

#[test]
fn a_field_of_a_new_tuple_keeps_the_faults_of_the_others() {
    check(
        |k| {
            let x = k.slice::<u32>(0, "x");
            k.bind(0, "a", k.field::<0, _>(0, (k.load(0, x, 0), k.load(0, x, 1))));
        },
        &["_0 = x[0];", "_1 = x[1];", "a = _0;"],
    );
}

#[test]
fn patterns_compare_one_value() {
    check(
        |k| {
            let x = k.slice::<i64>(0, "x");
            let value = k.keep(0, k.load(0, x, 0));
            k.begin_if(0, k.bit_and(0, k.is_from(0, value, -5_i128), k.is_up_to(0, value, 5_000_000_000_i128)));
            k.begin_else();
            k.begin_if(0, k.is(0, value, i64::MIN));
            k.begin_else();
            k.end_if();
            k.end_if();
        },
        &["_0 = x[0];", "if ((_0 >= -5) & (_0 <= 5000000000)) {", "} else if (_0 == -9223372036854775808) {}"],
    );
}

/// `fn f(n: u32) -> (u32, bool) { (n, n > 3) }`, or a call of itself.
fn call_f(mut call: OnlyKernelsCallThis<'_>, n: Value<u32>, recursive: bool) -> Value<(u32, bool)> {
    call.value::<u32>(n);
    let definition = Definition { name: "f", file: "f.rs", first_line: 1, text: "", spans: "" };
    fn instance() {}
    call.emit(instance, &definition, move |k: &Builder, result: Let<(u32, bool)>| {
        let n = k.parameter::<u32>(0, "n");
        if recursive {
            k.give_result(0, result, call_f(k.function(0, |call| call).begin(), k.sub(0, n, 1), true));
        } else {
            k.give_result(0, result, (n, k.gt(0, n, 3)));
        }
    })
}

#[test]
fn a_call_becomes_a_statement_and_the_function_is_built_once() {
    let k = Builder::new("test", "test.rs", 1, "", "");
    let n = k.scalar::<u32>(0, "n");
    for _ in 0..2 {
        let result = call_f(k.function(0, |call| call).begin(), k.add(0, n, 1), false);
        k.bind(0, "r", result);
    }
    let program = k.finish();
    assert_eq!(program.functions.len(), 1);
    let calls = program.body.iter().filter(|stmt| matches!(stmt.kind, StmtKind::Call { .. })).count();
    assert_eq!(calls, 2);
    let text = body(&program).join("\n");
    assert!(text.contains("results_bool[0]"), "{text}");
    assert!(program.validate().is_ok());
}

#[test]
fn a_function_in_the_making_is_found() {
    let k = Builder::new("test", "test.rs", 1, "", "");
    let result = call_f(k.function(0, |call| call).begin(), k.add(0, k.scalar::<u32>(0, "n"), 1), true);
    k.evaluate(0, result);
    let program = k.finish();
    assert_eq!(program.functions.len(), 1);
    assert!(program.functions[0].body.iter().any(|stmt| matches!(stmt.kind, StmtKind::Call { .. })));
    assert!(program.validate().is_ok());
}

/// A deep expression is one of several temporaries; in the condition of a loop, each round evaluates them anew.
#[test]
fn a_deep_expression_is_evaluated_in_parts() {
    let k = Builder::new("test", "test.rs", 1, "", "");
    let x = k.bind_mut(0, "x", 1u32);
    let sum = |k: &Builder| (0..1000u32).fold(k.add(0, x, 1), |sum, n| k.add(0, k.mul(0, sum, 3), n));
    k.begin_while();
    k.while_(0, k.ne(0, sum(&k), 7u32));
    k.assign(0, x, sum(&k));
    k.end_loop();
    k.begin_if(0, k.ne(0, sum(&k), 7u32));
    k.begin_else();
    k.end_if();
    let program = k.finish();
    let StmtKind::While { cond, body, .. } = &program.body[1].kind else { panic!("{program}") };
    assert_eq!(program.expr(*cond).expr, Expr::Const(Constant::of(true)), "the condition's parts are in the loop");
    assert!(body.len() > 2 * 2000 / NESTING_LIMIT, "{program}");
    assert!(program.validate().is_ok());
}

/// What is at hand is not copied at a branch: with copies this takes minutes.
#[test]
fn a_branch_copies_nothing_that_is_at_hand() {
    let k = Builder::new("test", "test.rs", 1, "", "");
    let x = k.bind_mut(0, "x", 1u32);
    for n in 0..20_000u32 {
        k.begin_if(0, k.lt(0, x, n));
        k.assign(0, x, k.add(0, x, k.mul(0, n, 3u32)));
        k.begin_else();
        k.end_if();
    }
    let program = k.finish().validate().expect("a valid program");
    assert!(program.code(Markers::PostDominators).insts.len() > 40_000);
}
