//! Arrays, atomics, collectives, messages and structs, as the macro builds them.

use super::super::{
    Column, Composite, Fields, First, KernelData, LoadAccess, Part, Piece, Shape, StoreAccess, Style, Written,
};
use super::{Builder, body, check};
use crate::scalar::ScalarType;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What `#[derive(KernelData)]` makes of `struct Body { x: f32, v: [u8; 2] }`.
#[derive(Clone, Copy, PartialEq)]
struct Body {
    x: f32,
    v: [u8; 2],
}

#[derive(Clone, Copy)]
struct BodyFields {
    x: Part<f32>,
    v: Part<[u8; 2]>,
}

impl Composite for Body {
    const COUNT: u32 = f32::COUNT + <[u8; 2]>::COUNT;

    fn shape() -> Shape {
        let parts = vec![("x", f32::shape()), ("v", <[u8; 2]>::shape())];
        Shape::Fields(Fields { name: "Body", of: None, written: Written::Named, parts })
    }

    fn made(next: &mut dyn FnMut(ScalarType) -> u64) -> Self {
        Self { x: f32::made(next), v: Composite::made(next) }
    }

    fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
        f32::leaves(&format!("{path}.x"), show);
        <[u8; 2]>::leaves(&format!("{path}.v"), show);
    }
}

impl KernelData for Body {
    type Fields = BodyFields;
    const COLUMNS: u32 = f32::COLUMNS + <[u8; 2]>::COLUMNS;

    fn fields(mut first: First) -> BodyFields {
        BodyFields { x: Part::next(&mut first), v: Part::next(&mut first) }
    }

    fn columns(path: &str, show: &mut dyn FnMut(Column<'_>)) {
        f32::columns(&format!("{path}.x"), show);
        <[u8; 2]>::columns(&format!("{path}.v"), show);
    }

    fn cells(column: u32, show: &mut dyn FnMut(u32, u32)) {
        f32::cells(column, show);
        <[u8; 2]>::cells(column + f32::COLUMNS, show);
    }
}

#[test]
fn short_arrays_are_filled_one_by_one_and_long_ones_by_a_loop() {
    check(
        |k| {
            let n = k.bind_mut(0, "n", 5u32);
            let a = k.array::<[_; 2]>(0, "a");
            k.element(0, a, 0, 1);
            k.element(0, a, 1, n);
            let a = k.read_only(a);
            let b = k.array_as::<[u32; 3], [_; 3]>(0, "b");
            k.fill(0, b, k.add(0, n, 1));
            let c = k.array::<[_; 9]>(0, "c");
            k.fill(0, c, 0.5);
            k.add_at(0, c, 1.0, k.sub(0, k.len(0, c), k.len(0, a)));
            k.bind(0, "empty", k.is_empty(0, b));
        },
        &[
            "local a: [u32; 2];",
            "local b: [u32; 3];",
            "local c: [f64; 9];",
            "n = 5;",
            "a[0] = 1;",
            "a[1] = n;",
            "_1 = n + 1;",
            "b[0] = _1;",
            "b[1] = _1;",
            "b[2] = _1;",
            "_2 = 0;",
            "while (_2 < 9) {",
            "c[_2] = 0.5;",
            "} step {",
            "_2 = _2 + 1;",
            "}",
            "c[7] = c[7] + 1.0;",
            "empty = false;",
        ],
    );
}

#[test]
fn shared_arrays_belong_to_the_block() {
    check(
        |k| {
            let tile = k.shared_mut::<[f32; 64]>(0, "tile");
            let counts = k.shared::<[AtomicU32; 8]>(0, "counts");
            k.store(0, tile, 1.0, 0);
            k.evaluate(0, k.fetch_add(0, counts, 1, 2, Ordering::Relaxed));
        },
        &[
            "shared tile: [f32; 64];",
            "shared counts: [AtomicU32; 8];",
            "tile[0] = 1.0;",
            "counts[1].fetch_add(2, Relaxed);",
        ],
    );
}

#[test]
fn an_array_that_no_device_can_hold_is_a_problem() {
    let k = Builder::new("test", "test.rs", 1, "", "");
    k.shared::<[u8; 5_000_000_000]>(0, "huge");
    let problems = k.finish().problems;
    assert_eq!(problems[0].1, "the array `huge` has 5000000000 elements, which no device can hold: pass a slice");
}

#[test]
fn a_result_that_none_wants_is_not_asked_for() {
    let k = Builder::new("test", "test.rs", 1, "", "");
    let x = k.slice::<AtomicU32>(0, "x");
    k.evaluate(0, k.swap(0, x, 0, 1, Ordering::Relaxed));
    let kept = k.bind(0, "kept", k.fetch_max(0, x, 0, 1, Ordering::AcqRel));
    k.evaluate(0, kept);
    let program = k.finish();
    assert_eq!(
        body(&program),
        ["x[0].swap(1, Relaxed);", "_0 = x[0].fetch_max(1, AcqRel);", "kept = _0;"],
        "and no variable is left over"
    );
}

#[test]
fn an_exchange_has_one_order_the_stronger() {
    let orders = [
        (Ordering::Relaxed, Ordering::Relaxed, "Relaxed"),
        (Ordering::Relaxed, Ordering::Acquire, "Acquire"),
        (Ordering::Release, Ordering::Acquire, "AcqRel"),
        (Ordering::AcqRel, Ordering::Relaxed, "AcqRel"),
        (Ordering::Release, Ordering::SeqCst, "SeqCst"),
    ];
    for (success, failure, expected) in orders {
        let operation = format!("_0 = x[1].compare_exchange(false, true, {expected});");
        check(
            |k| {
                let x = k.slice::<AtomicBool>(0, "x");
                let exchanged = k.keep(0, k.compare_exchange(0, x, 1, false, true, success, failure));
                k.bind(0, "ok", k.is_ok(0, exchanged));
                k.bind(0, "err", k.is_err(0, exchanged));
                k.bind(0, "old", k.err_value(exchanged));
            },
            &[&operation, "_1 = _0 == false;", "ok = _1;", "err = !_1;", "old = _0;"],
        );
    }
}

#[test]
fn orders_at_which_std_panics_are_problems() {
    let k = Builder::new("test", "test.rs", 1, "", "");
    let x = k.slice::<AtomicU32>(0, "x");
    k.evaluate(0, k.atomic_load(0, x, 0, Ordering::Release));
    k.atomic_store(0, x, 0, 1, Ordering::Acquire);
    k.evaluate(0, k.compare_exchange(0, x, 0, 1, 2, Ordering::SeqCst, Ordering::AcqRel));
    let problems = k.finish().problems;
    let starts =
        ["a load cannot be `Release`", "a store cannot be `Acquire`", "the order of a failure cannot be `AcqRel`"];
    assert_eq!(problems.len(), starts.len());
    assert!(problems.iter().zip(starts).all(|((_, message), start)| message.starts_with(start)), "{problems:?}");
}

#[test]
fn what_threads_do_together_is_a_statement() {
    check(
        |k| {
            let n = k.scalar::<u32>(0, "n");
            let mask = k.bind(0, "mask", k.ballot(0, k.gt(0, n, 2)));
            k.bind(0, "x", k.shuffle_up_mask(0, mask, n, 1));
            k.bind(0, "every", k.uniform(0, true));
            k.sync_warp_mask(0, mask);
            k.sync_threads(0);
            k.bind(0, "count", k.sync_barrier_count(0, 1, 64, k.eq(0, n, 0)));
            k.arrive_barrier(0, n, 64);
            k.fence_device(0);
            k.bind(0, "here", k.active_mask(0));
        },
        &[
            "_0 = ballot(n > 2);",
            "mask = _0;",
            "_2 = shuffle_up_mask(mask, n, 1);",
            "x = _2;",
            "_4 = uniform(true);",
            "every = _4;",
            "sync_warp_mask(mask);",
            "sync_threads();",
            "_6 = sync_barrier_count(1, 64, n == 0);",
            "count = _6;",
            "arrive_barrier(n, 64);",
            "fence_device();",
            "_8 = active_mask();",
            "here = _8;",
        ],
    );
}

#[test]
fn accesses_say_how_caches_treat_them() {
    check(
        |k| {
            let x = k.slice_mut::<u32>(0, "x");
            let t = k.constant_slice::<u32>(0, "t");
            k.store_with(0, x, StoreAccess::Wt, 1, k.load_with(0, t, LoadAccess::Cg, 2));
            k.store_with(0, x, StoreAccess::Volatile, 1, k.load_with(0, x, LoadAccess::Volatile, 0));
        },
        &["x.store_wt(1, t.load_cg(2));", "x.store_volatile(1, x.load_volatile(0));"],
    );
}

#[test]
fn messages_have_text_and_values() {
    check(
        |k| {
            let n = k.scalar::<u32>(0, "n");
            let value = |arg| Piece::Value { arg, style: Style::default() };
            k.print(0, &[Piece::Text("n is ".into()), value(0)], [k.shown(0, n)]);
            k.begin_if(0, k.gt(0, n, 3));
            k.begin_else();
            k.evaluate::<()>(0, k.panic(0, &[value(1), value(0)], [k.shown_bits(0, n), k.shown_number(0, 1.5)]));
            k.end_if();
        },
        &["println!(\"n is {}\", n);", "if (n > 3) {", "} else {", "panic!(\"{1}{}\", n, 1.5);", "}"],
    );
}

#[test]
fn a_slice_of_structs_is_a_slice_for_each_field() {
    let k = Builder::new("test", "test.rs", 1, "", "");
    let p = k.slice_mut::<Body>(0, "p");
    let i = k.scalar::<usize>(0, "i");
    k.add_at(0, k.column(p, |body| body.x), 1.0, i);
    let read = k.bind_mut(0, "b", k.load(0, p, i));
    k.assign(0, k.get_place(read, |body| body.x), 2.0);
    k.store_inner(0, k.column(p, |body| body.v), k.get_element(0, read, |body| body.v, 1), i, 0);
    k.store(0, p, read, 0);
    k.bind(0, "length", k.len(0, p));
    let program = k.finish();
    let params: Vec<_> = program.params.iter().map(|param| &*param.name).collect();
    assert_eq!(params, ["p.x", "p.v", "i"]);
    assert_eq!(
        body(&program),
        [
            "p.x[i] = p.x[i] + 1.0;",
            "b.x = p.x[i];",
            "b.v.0 = p.v[i.saturating_mul(2)];",
            "b.v.1 = p.v[i.saturating_mul(2).saturating_add(1)];",
            "b.x = 2.0;",
            "p.v[i.saturating_mul(2)] = b.v.1;",
            "_3 = b.x;",
            "_4 = b.v.0;",
            "_5 = b.v.1;",
            "p.x[0] = _3;",
            "p.v[0] = _4;",
            "p.v[1] = _5;",
            "length = p.x.len();",
        ]
    );
    program.validate().expect("a valid program");
}

#[test]
fn a_struct_is_put_together_of_fields_and_others() {
    check(
        |k| {
            let literal = || Body { x: k.witness(), v: k.witness() };
            let a = k.record(0, literal).with(0, |body| body.v, [k.item(0, 1), k.item(0, 2)]);
            let a = k.bind(0, "a", a.with(0, |body| body.x, 0.5).done());
            let b = k.record(0, literal).with(0, |body| body.v, k.repeated::<_, 2>(0, 7)).others(0, a).done();
            k.bind(0, "b", b);
        },
        &["a.x = 0.5;", "a.v.0 = 1;", "a.v.1 = 2;", "b.x = a.x;", "b.v.0 = 7;", "b.v.1 = 7;"],
    );
}

#[test]
fn a_field_with_an_index_that_is_not_known_is_an_array() {
    check(
        |k| {
            let i = k.scalar::<usize>(0, "i");
            let p = k.slice::<Body>(0, "p");
            let b = k.bind_mut(0, "b", k.load(0, p, 0));
            k.change_element(0, b, |body| body.v, i, |old| k.add(0, old, 1));
            k.put_element(0, b, |body| body.v, 9, 0);
            k.bind(0, "inner", k.load_inner(0, k.column(p, |body| body.v), 3, i));
        },
        &[
            "local b.v: [u8; 2];",
            "b.x = p.x[0];",
            "b.v[0] = p.v[0];",
            "b.v[1] = p.v[1];",
            "b.v[i] = b.v[i] + 1;",
            "b.v[0] = 9;",
            "if (i < 2) {",
            "} else {",
            "panic!(\"index {} is out of bounds of `p[{}].v`, whose length is 2\", i, 3);",
            "}",
            "inner = p.v[6.saturating_add(i)];",
        ],
    );
}
