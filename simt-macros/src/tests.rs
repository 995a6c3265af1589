//! The expansion as a function over tokens: what it says, and that it never panics.
//!
//! The behaviour of the emitted calls is tested where they can run, in the `simt` package.

mod control;
mod effects;
mod soup;

use super::{Kind, expand};
use proc_macro2::TokenStream;
use quote::quote;
use std::str::FromStr;
use syn::visit::{self, Visit};

pub(crate) fn kernel(source: &str) -> TokenStream {
    expand(Kind::Kernel, &TokenStream::new(), TokenStream::from_str(source).expect("tokens"))
}

/// The messages of the `compile_error!`s in an expansion.
pub(crate) fn messages(expansion: TokenStream) -> Vec<String> {
    struct Messages(Vec<String>);
    impl<'a> Visit<'a> for Messages {
        fn visit_macro(&mut self, call: &'a syn::Macro) {
            if call.path.segments.last().is_some_and(|last| last.ident == "compile_error") {
                self.0.extend(call.parse_body::<syn::LitStr>().map(|message| message.value()));
            }
        }
    }
    let file: syn::File = syn::parse2(expansion).expect("an expansion is items");
    let mut messages = Messages(Vec::new());
    visit::visit_file(&mut messages, &file);
    messages.0
}

#[track_caller]
fn rejects(body: &str, start_of_message: &str) {
    let messages = messages(kernel(&format!("fn k(n: u32, x: &[u32], y: &mut [u32]) {{ {body} }}")));
    let [message] = messages.as_slice() else { panic!("one mistake in `{body}`: {messages:?}") };
    assert!(message.starts_with(start_of_message), "`{body}`: {message}");
}

#[track_caller]
fn accepts(body: &str) {
    let messages = messages(kernel(&format!("fn k(n: u32, x: &[u32], y: &mut [u32]) {{ {body} }}")));
    assert!(messages.is_empty(), "`{body}`: {messages:?}");
}

#[test]
fn each_expression_that_is_not_supported_is_named() {
    rejects("let a = 1 + (|a| a);", "a closure has a name in a kernel");
    rejects("let f = |a| a; let b = 1 + f;", "a closure is called");
    accepts("let mut m = 1; let f = move |a| a + m; let g = |a| { n?; Some(2) };");
    rejects("let f = |a| a; f(1, 2);", "this closure has 1 parameter, not 2");
    accepts("let f = |a: &[u32]| a[0]; f(x); let g = |a: &mut u32| *a += 1; let mut m = 1; g(&mut m); g(&mut y[0]);");
    rejects("let f = |a: fn(u32)| 1;", "in a kernel, a closure's parameters are values");
    rejects("let (f, g) = |a| a;", "a closure needs a name");
    rejects("loop { let f = || break; f(); }", "`break` outside of a loop");
    accepts("let f = |a| a; { let f = 3; y[0] = f; } y[1] = f(f(2)); let g = || {}; g();");
    accepts("let a = ();");
    rejects("let a = *n;", "this is no reference");
    accepts("let a = *x.last().unwrap(); let b = x.partition_point(|&v| v < n);");
    accepts("let a = x.binary_search_by(|&v| v.cmp(&n)); y.sort_by_key(|v| *v);");
    rejects("let a = x.partition_point(|| true);", "`.partition_point()` takes another closure: write `|v| ..`");
    rejects("let a = \"text\";", "a kernel has no strings");
    rejects("let a = 'c';", "a kernel has no `char`");
    rejects("let a = n?;", "a kernel returns nothing, so `?`");
    rejects("let a = unsafe { n };", "`unsafe` is not supported");
    rejects("let a = async { n };", "a kernel is not asynchronous");
    rejects("let a = n.await;", "a kernel is not asynchronous");
    rejects("let a = (n = 1);", "an assignment has no value");
    rejects("let a = 0..;", "a range has two ends");
    rejects("let a = x[0..1];", "a range has two ends");
    rejects("let a = while n > 0 {};", "a loop has no value");
    rejects("let a = thread_idx(1);", "this function has no arguments");
    rejects("let a = thread_idx().w;", "`thread_idx()` has the fields");
    rejects("let a = global_id_2d().z;", "it has the fields `.x` and `.y`");
    rejects("let a = global_id_3d(1);", "this function has no arguments");
    rejects("let a = global_id(1);", "this function has no arguments");
    rejects("let a = x.len(1);", "`len` has no arguments");
    rejects("let a = vec![1];", "macros such as `vec!` are not supported");
}

#[test]
fn each_statement_that_is_not_supported_is_named() {
    rejects("let a: [u32; 3];", "an array without values is written to later");
    rejects("let 3 = n else { };", "this block must not go on behind the `let`");
    rejects("static mut N: u32 = 1;", "a kernel has no `static mut`");
    rejects("union S { a: u32 }", "types whose fields share memory");
    rejects("macro_rules! m { (a) => { n } } y[0] = m!(b);", "no rule of `m!` takes these tokens");
    rejects("macro_rules! m { (a) { n } } y[0] = 1;", "a rule is `(tokens) => { tokens };`");
    rejects("break;", "`break` outside of a loop");
    rejects("continue;", "`continue` outside of a loop");
    rejects("while { break; true } {}", "`break` in the condition of a `while`");
    rejects("return n;", "a kernel returns nothing");
    rejects("n", "this value is not used");
    rejects("if n == 0 { 1 } else { return; }", "this value is not used");
    rejects("let a = if n == 0 { 1 };", "an `if` whose value is used needs an `else`");
    rejects("let a = { n; };", "this block has no value");
    rejects("#[inline] let a = n;", "this attribute is not supported");
    rejects("#[inline] if n == 0 {}", "this attribute is not supported");
}

#[track_caller]
fn rejects_item(item: &str, starts: &[&str]) {
    let messages = messages(kernel(item));
    assert_eq!(messages.len(), starts.len(), "`{item}`: {messages:?}");
    for (message, start) in messages.iter().zip(starts) {
        assert!(message.starts_with(start), "`{item}`: {message}");
    }
}

#[test]
fn each_signature_that_is_not_supported_is_named() {
    rejects_item("const fn k() {}", &["a kernel cannot be `const`"]);
    rejects_item("async fn k() {}", &["a kernel cannot be `async`"]);
    rejects_item("unsafe fn k() {}", &["a kernel cannot be `unsafe`"]);
    rejects_item("extern \"C\" fn k() {}", &["a kernel cannot be `extern`"]);
    rejects_item("fn k() -> u32 {}", &["a kernel returns nothing"]);
    rejects_item("fn k(&self) {}", &["a kernel is no method"]);
    rejects_item("fn k(ref a: u32) {}", &["a kernel's parameter is a name"]);
    rejects_item("fn k(_: u32, _: &[u32]) {}", &[]);
    rejects_item("fn k(x: &u32, y: &mut P<u32>, z: &mut (u32, f32)) {}", &[]);
    rejects_item("fn k(x: &&u32) {}", &["one reference is enough"]);
    rejects_item("fn k(x: &mut ()) {}", &["a reference is to a scalar"]);
    rejects_item("fn k(x: &mut AtomicU32) {}", &["threads write an atomic through `&`"]);
    rejects_item("fn k(x: &[u32; 4]) {}", &[]);
    rejects_item("fn k(x: [u32; 4], y: [[P; 2]; N]) {}", &[]);
    rejects_item("fn k(x: [u32]) {}", &["pass many values as a slice"]);
    rejects_item("fn k(x: [AtomicU32; 4]) {}", &["pass many values as a slice"]);
    rejects_item("fn k(x: &[&u32]) {}", &["the elements of a kernel's slice are scalars"]);
    rejects_item("fn k(x: impl Copy, y: &impl Weight, z: &[impl Num]) {}", &[]);
    rejects_item("fn k(x: impl DoubleEndedIterator) {}", &["an iterator that is passed has items"]);
    rejects_item("fn k(x: ()) {}", &["`()` says nothing"]);
    rejects_item("fn k(x: fn()) {}", &["a kernel's parameter is a scalar"]);
    rejects_item("fn k(mut x: &[u32]) {}", &[]);
    rejects_item("fn k(mut x: &[u32; 4]) {}", &["a slice cannot be assigned"]);
    rejects_item("fn k(#[cfg(all())] x: u32) {}", &["a kernel's parameters have no attributes"]);
    rejects_item("fn k() { #![allow(unused)] }", &["write a kernel's attributes above"]);
}

#[test]
fn several_mistakes_are_reported_in_one_go() {
    rejects_item(
        "const fn k(x: &[u32]) { x.await; \"text\"; if true { break; } }",
        &["a kernel cannot be `const`", "a kernel is not asynchronous", "a kernel has no strings", "`break`"],
    );
    // What the body does with a parameter that is a mistake follows from that.
    rejects_item(
        "const fn k(x: &()) -> u32 { x.await; *x.lock() += 1; *x }",
        &["a kernel cannot be `const`", "a reference is to a scalar", "a kernel returns nothing"],
    );
}

#[test]
fn items_that_are_no_functions_are_rejected_and_kept() {
    for item in ["struct S;", "impl S {}", "trait T {}", "mod m {}", "static X: u32 = 1;", "enum E {}"] {
        let expansion = kernel(item);
        assert!(expansion.to_string().ends_with(&TokenStream::from_str(item).expect("tokens").to_string()));
        let messages = messages(expansion);
        assert!(messages[0].starts_with("`#[kernel]` goes on a function"), "{messages:?}");
    }
}

#[test]
fn arguments_of_the_attribute_are_rejected() {
    let messages = messages(expand(
        Kind::Kernel,
        &quote!(warp = 32),
        quote!(
            fn k() {}
        ),
    ));
    assert_eq!(
        messages,
        [
            "`#[kernel]` takes no arguments but `crate = path`, the path of a renamed `simt`, and `launch_bounds(256)`, the most threads of a block"
        ]
    );
}

#[test]
fn blocks_of_no_threads_are_rejected() {
    let messages = messages(expand(
        Kind::Kernel,
        &quote!(launch_bounds(0)),
        quote!(
            fn k() {}
        ),
    ));
    assert_eq!(messages, ["a block has a thread at least: write how many it may have, `launch_bounds(256)`"]);
}

#[test]
fn a_kernel_with_mistakes_still_exists() {
    let expansion = kernel("pub fn k(x: &[u32]) { |x| x; }").to_string();
    assert!(
        expansion.contains("pub fn k < 'simt > (_ : & 'simt [u32]) -> :: simt :: KernelCall < 'simt >"),
        "{expansion}"
    );
    assert!(expansion.contains("pub enum k"), "{expansion}");
}

#[test]
fn a_kernel_without_mistakes_says_nothing() {
    assert_eq!(messages(kernel("fn k(x: &mut [u32]) { x[0] = 1; }")), [""; 0]);
}

/// How many tokens an expansion has, those in groups included.
fn size(tokens: TokenStream) -> usize {
    let (mut count, mut pending) = (0, vec![tokens]);
    while let Some(tokens) = pending.pop() {
        for token in tokens {
            count += 1;
            if let proc_macro2::TokenTree::Group(group) = token {
                pending.push(group.stream());
            }
        }
    }
    count
}

/// How deep the groups of tokens nest.
fn depth(tokens: TokenStream) -> usize {
    let (mut deepest, mut pending) = (0, vec![(tokens, 1)]);
    while let Some((tokens, depth)) = pending.pop() {
        deepest = deepest.max(depth);
        for token in tokens {
            if let proc_macro2::TokenTree::Group(group) = token {
                pending.push((group.stream(), depth + 1));
            }
        }
    }
    deepest
}

/// Bodies that grow with a number: chains, and many statements.
fn bodies(n: usize) -> Vec<String> {
    let chain = |link: &str| format!("y[0] = n{};", link.repeat(n));
    vec![
        chain(" ^ x[0]"),
        chain(".wrapping_add(x[0])"),
        chain(" as u64 as u32"),
        format!("if true{} {{ y[0] = 1; }}", " && n != 3".repeat(n)),
        format!("while true{} {{ break; }}", " || { y[0] = 1; n == 3 }".repeat(n)),
        "if n == 3 { y[0] = 1; } else ".repeat(n) + "{ y[0] = 2; }",
        "let a = if n == 3 { x[0] } else { n };".repeat(n),
        format!("match n {{ {} _ => y[0] = 3 }}", "1 => { y[0] = 1; } 2 if n > 3 => {}".repeat(n)),
        "for i in 0..n { y[0] += f(i, &x); }".repeat(n),
    ]
}

#[test]
fn the_expansion_is_as_long_as_the_kernel() {
    let sizes = |n| {
        bodies(n).into_iter().map(|body| size(kernel(&format!("fn k(n: u32, x: &[u32], y: &mut [u32]) {{ {body} }}"))))
    };
    for ((once, twice), body) in sizes(100).zip(sizes(200)).zip(bodies(1)) {
        assert!(twice < 2 * once, "`{body}`: {once} tokens become {twice}");
    }
}

#[test]
fn a_long_chain_is_no_deep_expression() {
    for body in bodies(400) {
        let expansion = kernel(&format!("fn k(n: u32, x: &[u32], y: &mut [u32]) {{ {body} }}"));
        assert!(messages(expansion.clone()).is_empty());
        assert!(depth(expansion) < 80, "{}", &body[..60]);
    }
}

/// Bodies that nest so many levels deep.
fn nests(levels: usize) -> Vec<String> {
    let nest = |open: &str, inner: &str, close: &str| open.repeat(levels) + inner + &close.repeat(levels);
    let value = |open: &str, close: &str| format!("y[0] = {};", nest(open, "n", close));
    vec![
        nest("if n == 1 { ", "", "} else { }"),
        nest("loop { ", "break;", "}"),
        nest("{ m = 1; ", "", "}"),
        nest("for i in 0..n { ", "m = 1;", "}"),
        value("if n == 1 { ", "} else { 2 }"),
        value("(1 + ", ")"),
        value("x[", "]"),
        value("f(1, ", ")"),
        value("n.min(", ")"),
        value("- ", ""),
    ]
}

/// A `let .. else` through whose names elements are written is around all that is behind it.
#[test]
fn many_lets_do_not_nest_deep() {
    let check = || {
        let lets = |count: u32| -> String {
            let one = |k| format!("let mut a{k} = [Some(n)]; let Some(v) = &mut a{k}[0] else {{ return; }}; *v += 1; ");
            (0..count).map(one).collect()
        };
        let found = |count| messages(kernel(&format!("fn k(n: u32) {{ {} }}", lets(count))));
        assert_eq!(found(8), [""; 0]);
        let many = found(200);
        let message = many.first().expect("what is behind too many is refused");
        assert!(message.starts_with("a pattern with places is for a variable"), "{message}");
    };
    let thread = std::thread::Builder::new().stack_size(6 << 20).spawn(check).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn what_nests_too_deep_is_one_mistake() {
    let found = |body: &str| messages(kernel(&format!("fn k(n: u32, x: &[u32], y: &mut [u32]) {{ {body} }}")));
    let check = move || {
        for body in nests(super::nesting::LIMIT) {
            assert_eq!(found(&body), [""; 0], "{body}");
        }
        for body in nests(super::nesting::LIMIT + 1).into_iter().chain(nests(20_000)) {
            let messages = found(&body);
            let [message] = &messages[..] else { panic!("{body}: {messages:?}") };
            assert!(message.starts_with("this nests more than 128 levels deep"), "{message}");
        }
    };
    // rustc's threads have 8 MiB.
    let thread = std::thread::Builder::new().stack_size(6 << 20).spawn(check).expect("a thread");
    thread.join().expect("no panic");
}
