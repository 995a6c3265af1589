//! Arrays, atomics, collectives, printed lines and structs: the mistakes that the macro names.

use super::soup::slips;
use super::{Kind, accepts, expand, messages, rejects, rejects_item};
use crate::data;
use proc_macro2::TokenStream;

#[test]
fn arrays() {
    rejects("let _ = [1, 2];", "an array needs a name");
    rejects("let (a, b): [u32; 2] = [1, 2];", "an array needs a name");
    accepts("let a = [1, 2][0]; let b = [0; 4].len();");
    rejects("let a = (1 + 2)[0];", "a slice or an array has a name");
    rejects("#[shared] let a: [u32; 4] = [0; 4];", "a `#[shared]` array has no initial value");
    rejects("#[shared] let a;", "a `#[shared]` array needs its type");
    rejects("#[shared] let _: [u32; 4];", "an array needs a name");
    rejects("#[shared(4)] let a: [u32; 4];", "`#[shared]` takes no arguments");
    rejects("#[constant] let a = [0; 4];", "this attribute is not supported");
    rejects("let a = x.len::<u32>();", "`len` has no type arguments");
    accepts("y.fill(0); y.copy_from_slice(&x); y.copy_from_slice(x); let a = x.contains(&n) && y.contains(&3);");
    accepts("y[0].fill(0); y[1..].fill(0); p.v.fill(1); y[n..].swap(0, 1); y[..2].copy_from_slice(&x[2..=3]);");
    accepts("y.copy_within(1..n, 2); y.rotate_left(1); p.v.rotate_right(n); y.sort_unstable(); y.reverse();");
    rejects("y.copy_within(1, 2);", "a range is copied: write `x.copy_within(a..b, to)`");
    rejects("let a = x.contains(n);", "`contains` takes a reference");
    rejects("let a = y.fill(0);", "`.fill()` has no value");
}

#[test]
fn atomics() {
    rejects("let a = x.load(Relaxed);", "`.load()` is an atomic's, and atomics are elements");
    rejects("x.fetch_add(1, Relaxed);", "`.fetch_add()` is an atomic's");
    rejects("let a = x[0].load();", "`load` has 1 argument: write `load(order)`");
    rejects("x[0].fetch_add(1);", "`fetch_add` has 2 arguments: write `fetch_add(value, order)`");
    rejects("x[0].store(1);", "`store` has 2 arguments");
    rejects("let a = x[0].compare_exchange(1, 2, Relaxed);", "`compare_exchange` has 4 arguments");
    rejects("let a = x[0].load(Ordering::Release);", "a load reads");
    rejects("x[0].store(1, std::sync::atomic::Ordering::Acquire);", "a store writes");
    rejects("x[0].compare_exchange(1, 2, Relaxed, AcqRel);", "a failed exchange only reads");
    rejects("let a = x[0].store(1, Relaxed);", "`.store()` has no value");
    rejects(
        "x[0].fetch_update(Relaxed, |v| v);",
        "`fetch_update` has 3 arguments: write `fetch_update(set_order, fetch_order, |v| ..)`",
    );
    rejects("y.swap(0);", "`swap` has 2 arguments: write `swap(i, j)`");
    rejects("let a = y.swap(0, 1);", "`.swap()` has no value");
    accepts("p.v.swap(0, 1);");
    rejects("(n + 1).swap(0, Relaxed);", "`.swap()` is an atomic's, `x[i].swap(value, order)`, or a slice's");
    accepts("y[0].swap(0, 1);");
    rejects("n.fetch_add(0, Relaxed);", "`.fetch_add()` is an atomic's, and atomics are elements");
    rejects("x[0].fetch_add::<u32>(1, Relaxed);", "`fetch_add` has no type arguments");
    rejects("y.store_cg(0);", "`store_cg` has 2 arguments: write `store_cg(index, value)`");
    rejects("let a = y.store_wb(0, 1);", "`.store_wb()` has no value");
    accepts("let a = x[2..].load_cg(0);");
}

#[test]
fn collectives() {
    rejects("let a = ballot();", "`ballot` has 1 argument: write `ballot(holds)`");
    rejects("let a = shuffle(n);", "`shuffle` has 2 arguments: write `shuffle(value, lane)`");
    rejects("let a = any_mask(n > 1);", "`any_mask` has 2 arguments: write `any_mask(lanes, holds)`");
    rejects("sync_threads(1);", "`sync_threads` has no arguments");
    rejects("let a = sync_warp();", "`sync_warp` has no value");
    rejects("sync_barrier(1);", "`sync_barrier` has 2 arguments: write `sync_barrier(index, threads)`");
    rejects("n + fence_block();", "`fence_block` has no value");
}

#[test]
fn printed_lines() {
    rejects("println!(n);", "the text stands here in quotes");
    rejects("println!(\"{}\");", "the text has more `{}` than values, which are 0");
    rejects("println!(\"{1}\", n);", "there is no value 1: those given are 1");
    rejects("println!(\"x\", n);", "the text does not show this value");
    rejects("println!(\"{:p}\", n);", "`{:p}` is not known to kernels");
    rejects("println!(\"{x.y}\");", "`{x.y}` is no name");
    rejects("println!(\"{self}\");", "`{self}` is no name");
    rejects("println!(\"{}\", n n);", "expected `,`");
    rejects("println!(\"{\");", "this text has a `{` without a `}`");
    rejects("let a = println!(\"x\");", "this macro has no value");
    accepts("eprintln!(\"{n}\"); let a = dbg![n]; dbg!(n, n + 1); dbg!(); matches!(n, 1 | 2 if n > 1,);");
    rejects("print!(\"{n}\");", "macros such as `print!` are not supported in a kernel: write `println!`");
    rejects("dbg!(a = n);", "`dbg!` takes values");
    rejects("let a = matches!(n);", "expected `,`");
    rejects("simt::println!(\"x\");", "macros such as `println!`");
}

#[test]
fn assertions() {
    rejects("assert!();", "an assertion needs a condition");
    rejects("assert!(n > 1, n);", "the text stands here in quotes");
    rejects("assert_eq!(n);", "this assertion compares two values: write `assert_eq!(a, b)`");
    rejects("assert_ne!(n, 1, \"{}\");", "the text has more `{}` than values");
    rejects("debug_assert!(n > 1, \"a\", n);", "the text does not show this value");
    rejects("panic!(\"{x y}\");", "`{x y}` is no name");
    accepts("todo![]; unimplemented!(\"{n}\");");
    rejects("let a = assert!(n > 1);", "this macro has no value");
}

#[test]
fn fields() {
    rejects("n.f = 1; (1 + n).x = 1;", "a kernel assigns to");
    accepts("foo().x = 1; *foo(n) += 1; foo(n)[2] = 3;");
    rejects("P { x: 1 }.v[0] = 2;", "a kernel assigns to a field of a variable");
}

#[test]
fn parameters() {
    rejects_item("fn k(#[constant] x: &mut [u32]) {}", &["constant memory is only read"]);
    rejects_item("fn k(#[constant] x: u32) {}", &["a scalar is the same for all threads"]);
    rejects_item("fn k(#[constant] x: &[AtomicU32]) {}", &["constant memory is only read"]);
    rejects_item("fn k(#[constant(1)] x: &[u32]) {}", &["`#[constant]` takes no arguments"]);
    rejects_item("fn k(#[shared] x: &[u32]) {}", &["a `#[shared]` array is declared in the body"]);
    rejects_item("fn k(#[cfg(all())] x: u32) {}", &["a kernel's parameters have no attributes but"]);
    rejects_item("fn k(x: &mut [AtomicU32]) {}", &["threads write atomics through `&[..]`"]);
    rejects_item("fn k(x: &std::sync::atomic::AtomicU32) {}", &[]);
}

#[track_caller]
fn derive(item: &str) -> Vec<String> {
    messages(data::derive(item.parse::<TokenStream>().expect("tokens")))
}

#[test]
fn structs() {
    let starts = [
        ("union U { a: u32 }", "a kernel has no unions"),
        ("#[kernel_data(crate)] struct S { x: f32 }", "write `#[kernel_data(crate = path)]`"),
    ];
    for (item, start) in starts {
        let found = derive(item);
        assert!(matches!(&found[..], [message] if message.starts_with(start)), "`{item}`: {found:?}");
    }
    assert_eq!(derive("#[kernel_data(crate = ::warps::simt)] struct S<T: Num, const N: usize> { x: [T; N] }"), [""; 0]);
    assert_eq!(derive("struct S<'a> { x: T<'a>, y: &'a [f32] }"), [""; 0]);
    assert_eq!(derive("pub struct S { pub x: f32, r#type: [u8; 3] }"), [""; 0]);
}

#[test]
fn no_slip_makes_it_panic() {
    let source = "fn k(#[constant] t: &[f32], h: &[AtomicU32], p: &mut [Body]) {
        let i = global_id(); #[shared] let mut tile: [f32; 64]; let mut a = [0; 8]; let b: [f32; N] = [1.0, t[i]];
        h[i].fetch_add(1, Relaxed); if h[0].compare_exchange(0, 1, AcqRel, Relaxed).is_ok() { sync_threads(); }
        p[i].v[a[0]] += t.load_cg(i); p.store_wt(i, p[0]); let mut c = Body { x: 1.0, v: [0.0; 3], ..p[i] }; c.v[1] = c.m.x;
        println!(\"{} {i:>4} {0:#x} {n}\", a.len(), n = ballot(i > 3)); assert_eq!(i, 3, \"{i}\"); assert!(any(true)); }";
    slips(source, |tokens| expand(Kind::Kernel, &TokenStream::new(), tokens));
    slips("#[repr(C)] pub struct Body { pub x: f32, v: [f32; 3], pub(crate) m: Mass }", data::derive);
}
