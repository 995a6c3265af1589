//! Control, functions, tuples and generics: the mistakes that the macro names.

use super::{Kind, accepts, expand, kernel, messages, rejects, rejects_item};
use proc_macro2::TokenStream;
use std::str::FromStr;

#[test]
fn labels() {
    rejects("loop { break 'a; }", "no loop or block around this has the label `'a`");
    rejects("'a: loop { continue 'b; }", "no loop or block around this has the label `'b`");
    rejects("'a: loop { break; } loop { break 'a; }", "no loop or block around this");
    rejects("'a: while { break 'a; true } {}", "`break` in the condition of the loop that it names");
    rejects("while { continue; } {}", "`continue` in the condition of a `while`");
    rejects("loop { 'a: { break; } }", "`break` in a labelled block");
    rejects("loop { 'a: { continue; } }", "`continue` in a labelled block");
    rejects("'a: { continue 'a; }", "`continue` goes on with a loop");
}

#[test]
fn values_of_loops() {
    rejects("loop { break 3; }", "this value is not used");
    rejects("'a: { break 'a 3; }", "this value is not used");
    rejects("while n > 0 { break 3; }", "`break` with a value leaves a `loop` or a labelled block");
    rejects("let a = 'a: loop { for i in 0..n { break 3; } break 'a 1; };", "`break` with a value leaves");
    rejects("let a = loop { if n > 1 { break; } break 3; };", "the value of this loop is used");
    rejects("let a = 'a: { if n > 1 { break 'a 2; } n; };", "this block has no value");
    rejects("let a = for i in 0..n {};", "a loop has no value");
}

#[test]
fn ranges() {
    rejects("for i in (0..n).map() {}", "`map` has 1 argument");
    rejects(
        "for i in x.array_chunks(2) {}",
        "`.array_chunks()` is not supported in a kernel's `for`: there are `.iter()`",
    );
    rejects("for i in x.rev() {}", "an iterator has this method: write `.iter().rev(..)`");
    rejects("for i in x.iter().skip() {}", "`skip` has 1 argument");
    accepts("for [a, b] in x.iter() {}");
    rejects("for i in (0..n).rev(1) {}", "`rev` has no arguments");
    rejects("for i in (0..n).step_by() {}", "`step_by` has 1 argument");
    rejects("for i in (0..n).step_by(0) {}", "steps of 0 go nowhere");
    rejects("for i in (0..n).step_by(2).step_by(3) {}", "`.step_by(k)` stands once");
    rejects("for i in (0..n).rev().step_by(3).rev() {}", "`.rev()` stands once");
    rejects("for i in (0..).rev() {}", "a kernel's `for` counts through a range");
    rejects("for (a, b) in 0..n {}", "this pattern is not supported here");
}

#[test]
fn patterns() {
    accepts("match n { ref k => y[0] = *k }");
    rejects("match n + 1 { ref mut k => {} }", "a `ref mut` is to a variable");
    accepts("if let Some(a) = &mut n { *a += 1; } match &n { Some(a) => y[0] = *a, None => {} }");
    rejects("match n { &k => {} }", "what this is for is no reference");
    accepts("match x.get(n) { Some(&k) => {} Some(k) => y[0] = *k, None => {} } match &n { &k => {} }");
    rejects("if let Some(v) = &mut x[n] {}", "a pattern with places is for a variable");
    accepts("match n { [k] => {} }");
    rejects("match n { Some(1, 2) => {} }", "this pattern is not supported");
    rejects("match n { .. => {} }", "`..` stands once");
    rejects("match n { P(.., 1) => {} }", "in a kernel, `..` stands behind the parts");
    rejects("match (n, n) { (0, a) | (a, _) => {} (b, 1) | (0, _) => {} _ => {} }", "`b` is not in all alternatives");
    rejects("match n { 1 | k => {} }", "`k` is not in all alternatives");
    rejects("match n { 'c' => {} _ => {} }", "a kernel has no `char`");
    rejects("match n { \"c\" => {} _ => {} }", "a kernel has no strings");
    rejects("match n { 1 => 5, _ => {} }", "this value is not used");
    rejects("let a = match n { 1 => 5, _ => {} };", "this block has no value");
    accepts(
        "if n == 1 && let 2 = n && n > 1 {} else if let 2 = n && let 3 = n {} while n == 1 && let 2 = n { break; }",
    );
    rejects("if n == 1 || let 2 = n {}", "`let` stands in the condition of an `if` or `while`");
    accepts("let [a, b] = n;");
    rejects("match n { #[inline] 1 => {} _ => {} }", "this attribute is not supported");
}

#[test]
fn tuples() {
    rejects("(n, 3) = n;", "a kernel assigns to a variable");
    accepts("[n, m] = [m, n];");
    accepts("[n, m,] = [m, n,];");
    accepts("[n, m] = a; [n, ..] = [1, 2, 3]; [.., n] = a; (n, ..) = t; (n, [m, _]) = (1, a);");
    accepts("P { x: n, .. } = p; P { n, y: [m, _] } = p; Pair(n, a[m]) = p; q::Pair(n, ..) = p;");
    rejects("[] = [];", "a kernel assigns to a variable");
    rejects("[n, 3] = a;", "a kernel assigns to a variable");
    rejects("P { x: 3, .. } = p;", "a kernel assigns to a variable");
    rejects("f(n) = a;", "a kernel assigns to a variable");
    rejects("n.at(m) = a;", "a kernel assigns to a variable");
    rejects("(n..m, m) = a;", "a kernel assigns to a variable");
    accepts("f(n).0 = 3;");
    rejects("(n, n);  (n)", "this value is not used");
}

#[test]
fn calls() {
    rejects("f(&mut *g(n));", "a `&mut` is to a variable, a field of one, an element, a slice or an array");
    rejects("f(&mut y[0], &y[1]);", "`y[0]` is passed by reference already");
    rejects("f(&mut y[n].a, y);", "`y[n].a` is passed by reference already");
    rejects("f(y, &mut y[0]);", "`y` is passed by reference already");
    rejects("f(&mut y[0], g(1, y[1]));", "`y[0]` is passed by reference already");
    rejects("n.frob(&mut n);", "`n` is what the method is called of");
    rejects("f(&mut n, n, &n);", "`n` is passed by reference already");
    rejects("f(&n.x, &mut n);", "`n.x` is passed by reference already");
    rejects("(n)(1)(2);", "a kernel cannot call this");
    accepts("<u32 as T>::f(1);");
    accepts("fn inner() {} inner(); struct S; impl S { fn f(self) {} } enum E { A }");
    accepts("f(|a| a + n); f(g); f(&|| { return; }); let h = |a| a; f(h); f(&h);");
    rejects("f(&mut n, |a| a + n);", "`n` is passed by reference already");
    rejects("return n;", "a kernel returns nothing");
}

#[track_caller]
fn rejects_device(item: &str, start_of_message: &str) {
    let tokens = TokenStream::from_str(item).expect("tokens");
    let messages = messages(expand(Kind::Device, &TokenStream::new(), tokens));
    let [message] = messages.as_slice() else { panic!("one mistake in `{item}`: {messages:?}") };
    assert!(message.starts_with(start_of_message), "`{item}`: {message}");
}

#[test]
fn device_functions() {
    rejects_device("struct S;", "`#[device]` goes on a function");
    rejects_device("fn f(&self) {}", "a device function is no method");
    rejects_device("fn f(g: impl Fn() -> &u32) {}", "in a kernel, a closure that is passed takes and returns values");
    rejects_device(
        "impl Clone for B { fn clone(&self) -> Self { *self } }",
        "of std's traits, kernels have the operators",
    );
    rejects_device("impl [u32] { fn f(self) {} }", "kernels call methods of a struct");
    rejects_device("impl B { fn step_by(self) {} }", "`.step_by()` means something else");
    rejects_device("impl B { fn f(self: &Self) {} }", "in a kernel, `self` has no other type");
    rejects_device("fn f() -> impl Fn() { g() }", "a device function returns a value, whose type has a name");
    rejects_device("fn f() -> u32 { return; }", "this function gives a `u32`");
    rejects_device("fn f() { return 3; }", "this function returns nothing");
    rejects_device("fn f() -> u32 { let x = 3; }", "this block has no value");
    rejects_device(
        "fn f(y: &mut [Option<u32>]) -> u32 { let Some(v) = &mut y[0] else { return 1; }; *v += 1; }",
        "this block has no value",
    );
    rejects_device("fn f() { #![allow(unused)] }", "write a device function's attributes above");
}

#[test]
fn generic_kernels() {
    rejects_item("fn k<T>(x: &[T]) {}", &[]);
    rejects_item("fn k<'a, T>(x: &'a [T]) where T: Num, 'a: 'static {}", &[]);
    rejects_item("fn k<T: Num, const N: usize>(x: &[T]) where T: Int { let a: T = N as T; }", &[]);
}

#[test]
fn what_is_right_says_nothing() {
    for body in [
        "'a: loop { 'b: { for i in 0..n { if i == 1 { break 'b; } if i == 2 { continue 'a; } } } break; }",
        "let a = loop { break if n > 1 { 2 } else { return }; }; let _ = 'a: { if n > 1 { break 'a 1; } 2 };",
        "for i in ((0..n).rev()).step_by(2) {} for mut i in (0..=n).step_by(n as usize).rev() { i += 1; }",
        "match n { 0 => return, 1 | 2 => {} k @ 3..=9 if k > 4 => y[0] = k, mut k => { k += 1; } }",
        "if let (0, k) = (n, n) { y[0] = k; } while let 1..=3 = n { break; } let t = (1, (2.0, true)); let u = t.1.0;",
        "let (mut a, (_, b)): (u32, (u32, u32)) = f(n, &x, &mut y, g::<u32, 4>()); (a, y[0], _) = (b, a, 1);",
        "let a = n.frob(y[0]).frob::<u32>(&x, &mut y); y[n].a.frob(a);",
        "let a = match n { 0 => loop { if n == 2 { return; } }, _ => panic!() };",
    ] {
        let item = format!("fn k(n: u32, x: &[u32], y: &mut [u32]) {{ {body} }}");
        let messages = messages(kernel(&item));
        assert!(messages.is_empty(), "`{body}`: {messages:?}");
    }
}

/// What users write first: each mistake is reported once, where it is.
#[test]
fn one_mistake_is_one_message() {
    accepts("let a: f32 = x.iter().map(|v| v + 1).sum();");
    accepts("let a = x.iter(); let b = a.clone().rev(); for v in a {} let c = b.len();");
    rejects("let a = x.iter().sum(1);", "`.iter()` is not supported in a kernel");
    rejects("let a = x.iter().any(|v, w| v);", "this closure has one parameter");
    accepts("x.iter().for_each(|v| { if *v > 3 { return; } });");
    accepts("for v in x.iter().map(|v| v).rev() {}");
    accepts("for v in &mut p.v {} for v in p.v.iter_mut() {}");
    accepts("for v in &mut p.v { return; }");
    accepts("p.v.iter_mut().for_each(|v| *v = 1);");
    rejects("for v in x { v = 3; }", "this is an item or a reference: write `*v`");
    accepts("y[0] = *x.get(0).unwrap();");
    accepts("let a = x.get(0..2);");
    rejects("let a = n.min(3).unwrap();", "`.unwrap()` is not supported in a kernel: only an `Option`");
    accepts("for (k, v) in x.iter().enumerate() {} for &v in x { y[0] = v; } for (mut v, _) in x.iter().zip(y) {}");
    rejects(
        "for k in 0..x.len().step_by(2) {}",
        "`.step_by()` is not supported in a kernel: it stands behind a range in parentheses",
    );
    rejects("#[shared] let mut b = [0u32; 64];", "a `#[shared]` array has no initial value: write `let mut a");
    accepts("let [a, b] = [1, 2];");
    rejects("#[shared] let [a, b]: [u32; 2];", "an array needs a name");
    rejects("sync_threads(&x);", "`sync_threads` has no arguments");
    rejects("sync_threads;", "`sync_threads` is a function of the machine: write `sync_threads(..)`");
    rejects("let i = thread_idx.x;", "`thread_idx` is a function of the machine");
    rejects(
        "let Some(m): Option<u32> = n.checked_sub(1) else { return };",
        "in a kernel, the pattern of a `let else` has no type",
    );
    rejects("(0..n).contains(n);", "a range's `contains` takes a reference: write `.contains(&x)`");
    rejects("(..).contains(&n);", "`..` has everything");
    let accepted = messages(kernel("fn k(y: &mut [u32]) { let lane_id = lane_id(); y[0] = lane_id; }"));
    assert_eq!(accepted, [""; 0]);
}

#[test]
fn what_follows_from_a_wrong_parameter_is_not_told() {
    let reference = "fn k(state: &mut &u32, other: &mut &u32) { *state += 1; let a = *state; *other = a; }";
    let found = messages(kernel(reference));
    assert_eq!(found.len(), 2, "{found:?}");
    let found = messages(kernel("fn k(n: u32) -> u32 { if n > 1 { return n; } }"));
    assert_eq!(found.len(), 1, "{found:?}");
}
