//! Kernels built by hand, as the macro builds them, and the programs that they become.

mod effects;

use super::{Builder, Builtin, Never};
use crate::program::{Program, StmtKind};
use crate::source::Span;

/// The program's statements as printed, without the kernel's own lines.
pub(super) fn body(program: &Program) -> Vec<String> {
    let text = program.without_tokens().to_string();
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    lines[1..lines.len() - 1].iter().map(|line| line.trim().to_owned()).collect()
}

#[track_caller]
pub(super) fn check(build: impl FnOnce(&Builder), expected: &[&str]) {
    let k = Builder::new("test", "test.rs", 1, "", "");
    build(&k);
    let program = k.finish();
    assert_eq!(body(&program), expected);
    if let Err(error) = program.validate() {
        panic!("the builder made an invalid program: {error}");
    }
}

#[test]
fn unsuffixed_literals_take_the_type_of_what_they_meet() {
    check(
        |k| {
            let x = k.slice::<u64>(0, "x");
            let count = k.bind_mut(0, "count", 0);
            k.assign(0, count, k.add(0, k.load(0, x, 0), count));
            let index = k.bind_mut(0, "index", 1);
            k.evaluate(0, k.load(0, x, index));
            k.bind(0, "half", k.mul(0, 0.5, k.cast::<f32, _>(0, count)));
            k.bind(0, "alone", 7);
        },
        &["count = 0;", "count = x[0] + count;", "index = 1;", "x[index];", "half = 0.5 * count as f32;", "alone = 7;"],
    );
}

#[test]
fn constants_are_folded_as_the_device_computes() {
    check(
        |k| {
            k.bind(0, "wrapped", k.sub(0, 0usize, 1));
            k.bind(0, "shifted", k.shl(0, 1u32, 35u64));
            k.bind(0, "negated", k.not(0, k.lt(0, 1.0, 2.0)));
            k.bind(0, "cast", k.cast::<u8, _>(0, 300));
            // Whether it is ever reached is not known here.
            k.bind(0, "fault", k.div(0, 1, 0));
        },
        &["wrapped = 4294967295;", "shifted = 8;", "negated = false;", "cast = 44;", "fault = 1 / 0;"],
    );
}

#[test]
fn folding_leaves_no_node_behind() {
    let k = Builder::new("test", "test.rs", 1, "", "");
    k.bind(0, "x", k.add(0, k.mul(0, 2, 3), 4));
    assert_eq!(k.finish().exprs.len(), 1);
}

#[test]
fn a_shifts_count_becomes_a_u32() {
    check(
        |k| {
            let n = k.scalar::<u64>(0, "n");
            let s = k.scalar::<i8>(0, "s");
            let x = k.slice_mut::<u64>(0, "x");
            k.bind(0, "a", k.shr(0, n, 60));
            k.bind(0, "b", k.shl(0, n, s));
            k.shl_at(0, x, s, 0);
        },
        &["a = n >> 60;", "b = n << s as u32;", "x[0] = x[0] << s as u32;"],
    );
}

#[test]
fn held_operands_are_read_before_later_statements() {
    check(
        |k| {
            let n = k.scalar::<u32>(0, "n");
            let x = k.bind_mut(0, "x", n);
            // x + { x = 5; x }
            let left = k.hold(0, x);
            k.assign(0, x, 5);
            k.assign(0, x, k.add(0, left, x));
            // Neither a constant nor a parameter needs a temporary.
            k.assign(0, x, k.add(0, k.hold(0, n), k.hold(0, 1)));
        },
        &["x = n;", "_1 = x;", "x = 5;", "x = _1 + x;", "x = n + 1;"],
    );
}

#[test]
fn compound_assignment_evaluates_the_index_once() {
    check(
        |k| {
            let x = k.slice_mut::<u32>(0, "x");
            let i = k.bind(0, "i", k.builtin(0, Builtin::GlobalId));
            let j = k.bind_mut(0, "j", 0);
            k.add_at(0, x, 1, i);
            k.add_at(0, x, 1, j);
            k.add_at(0, x, 1, k.cast::<usize, _>(0, k.load(0, x, i)));
            k.add_at(0, x, 1, k.builtin(0, Builtin::LaneId));
        },
        &[
            "i = global_id();",
            "j = 0;",
            "x[i] = x[i] + 1;",
            "_2 = j;",
            "x[_2] = x[_2] + 1;",
            "_3 = x[i] as usize;",
            "x[_3] = x[_3] + 1;",
            "x[lane_id()] = x[lane_id()] + 1;",
        ],
    );
}

#[test]
fn logic_without_effects_needs_no_branch() {
    check(
        |k| {
            let n = k.scalar::<u32>(0, "n");
            let a = k.left(0, k.lt(0, n, 3));
            let both = k.and(0, a, k.gt(0, n, 1));
            k.bind(0, "both", both);
            let a = k.left(0, k.lt(0, n, 3));
            // A division by a constant other than zero cannot fault.
            let either = k.or(0, a, k.eq(0, k.rem(0, n, 2), 0));
            k.bind(0, "either", either);
        },
        &["both = (n < 3) & (n > 1);", "either = (n < 3) | (n % 2 == 0);"],
    );
}

#[test]
fn logic_whose_right_side_may_fault_branches() {
    check(
        |k| {
            let x = k.slice::<bool>(0, "x");
            let i = k.bind(0, "i", k.builtin(0, Builtin::GlobalId));
            let a = k.left(0, k.lt(0, i, k.len(0, x)));
            k.bind(0, "and", k.and(0, a, k.load(0, x, i)));
            let a = k.left(0, k.ge(0, i, k.len(0, x)));
            k.bind(0, "or", k.or(0, a, k.load(0, x, i)));
        },
        &[
            "i = global_id();",
            "_1 = i < x.len();",
            "if (_1) {",
            "_1 = x[i];",
            "}",
            "and = _1;",
            "_3 = i >= x.len();",
            "if (_3) {",
            "} else {",
            "_3 = x[i];",
            "}",
            "or = _3;",
        ],
    );
}

#[test]
fn the_arms_of_an_if_share_a_slot() {
    check(
        |k| {
            let n = k.scalar::<u32>(0, "n");
            let slot = k.slot();
            k.begin_if(0, k.eq(0, n, 0));
            let never: Never = k.return_(0);
            k.give(0, slot, never);
            k.begin_else();
            k.give(0, slot, k.div(0, 8, n));
            k.end_if();
            k.bind(0, "q", slot);
        },
        &["if (n == 0) {", "return;", "} else {", "_0 = 8 / n;", "}", "q = _0;"],
    );
}

#[test]
fn a_value_behind_a_jump_is_never_assigned_but_declared() {
    check(
        |k| {
            let x = k.bind(0, "x", k.return_(0));
            let y = k.bind_mut(0, "y", k.add(0, x, 1u8));
            k.assign(0, y, k.return_(0));
        },
        &["return;", "x = 0;", "y = x + 1;", "return;"],
    );
}

#[test]
fn a_condition_that_needs_statements_moves_into_the_loop() {
    check(
        |k| {
            let x = k.slice::<u32>(0, "x");
            let i = k.bind_mut(0, "i", 0);
            k.begin_while();
            let inside = k.left(0, k.lt(0, i, k.len(0, x)));
            k.while_(0, k.and(0, inside, k.ne(0, k.load(0, x, i), 0)));
            k.assign(0, i, k.add(0, i, 1));
            k.end_loop();
        },
        &[
            "i = 0;",
            "while (true) {",
            "_1 = i < x.len();",
            "if (_1) {",
            "_1 = x[i] != 0;",
            "}",
            "if (_1) {",
            "} else {",
            "break;",
            "}",
            "i = i + 1;",
            "}",
        ],
    );
}

#[test]
fn a_for_holds_its_bounds_and_counts_in_its_step() {
    check(
        |k| {
            let x = k.slice::<u32>(0, "x");
            let n = k.bind_mut(0, "n", k.load(0, x, 0));
            let i = k.for_in(0, Some("i"), 1, n);
            k.assign(0, n, k.add(0, n, i));
            k.continue_(0, 0);
            k.end_loop();
            k.for_in(0, None, 0usize, k.len(0, x));
            k.end_loop();
        },
        &[
            "n = x[0];",
            "i = 1;",
            "_2 = n;",
            "while (i < _2) {",
            "n = n + i;",
            "continue;",
            "} step {",
            "i = i + 1;",
            "}",
            "_3 = 0;",
            "while (_3 < x.len()) {",
            "} step {",
            "_3 = _3 + 1;",
            "}",
        ],
    );
}

#[test]
fn an_inclusive_for_ends_at_the_types_maximum() {
    check(
        |k| {
            let i = k.for_in_inclusive(0, Some("i"), 250u8, 255);
            k.bind(0, "x", i);
            k.end_loop();
        },
        &["i = 250;", "_1 = i <= 255;", "while (_1) {", "x = i;", "} step {", "_1 = i != 255;", "i = i + 1;", "}"],
    );
}

#[test]
fn a_constant_that_does_not_fit_is_a_problem_with_a_place() {
    let k = Builder::new("test", "test.rs", 1, "", "3:5-3:9");
    k.bind(0, "x", 1usize << 32);
    let problems = k.finish().problems;
    let [(span, message)] = problems.as_slice() else { panic!("one problem: {problems:?}") };
    assert_eq!(*span, Span::new(3, 5, 3, 9));
    assert_eq!(message, "4294967296 does not fit in a `usize` of the device, which has 32 bits: use `u64`");
}

#[test]
fn statements_have_the_places_of_their_calls() {
    let k = Builder::new("test", "test.rs", 1, "", "1:2-1:3 4:5-6:7");
    let x = k.bind_mut(1, "x", 0u32);
    k.assign(0, x, 1);
    k.return_(99);
    let body = k.finish().body;
    let places: Vec<Span> = body.iter().map(|statement| statement.span).collect();
    assert_eq!(places, [Span::new(4, 5, 6, 7), Span::new(1, 2, 1, 3), Span::default()]);
    assert!(matches!(body[2].kind, StmtKind::Return));
}
