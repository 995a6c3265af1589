//! The expansion as a function over tokens: what it says, and that it never panics.
//!
//! What the emitted calls build is tested where they can run, in the `simt` package.

use super::expand;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;
use std::str::FromStr;
use syn::visit::{self, Visit};

fn kernel(source: &str) -> TokenStream {
    expand(&TokenStream::new(), TokenStream::from_str(source).expect("tokens"))
}

/// The messages of the `compile_error!`s in an expansion.
fn messages(expansion: TokenStream) -> Vec<String> {
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

#[test]
fn each_expression_that_is_not_supported_is_named() {
    rejects("match n { _ => {} }", "`match` is not supported");
    rejects("let f = |a| a;", "closures are not supported");
    rejects("let a = [1, 2];", "local arrays are not supported");
    rejects("let a = [0; 4];", "local arrays are not supported");
    rejects("let a = (1, 2);", "tuples are not supported");
    rejects("let a = ();", "`()` is no value");
    rejects("let a = &n;", "references are not supported");
    rejects("let a = *n;", "references are not supported");
    rejects("let a = P { x: 1 };", "structs are not supported");
    rejects("let a = \"text\";", "a kernel has no strings");
    rejects("let a = 'c';", "a kernel has no `char`");
    rejects("let a = n?;", "a kernel returns nothing, so `?`");
    rejects("let a = unsafe { n };", "`unsafe` is not supported");
    rejects("let a = async { n };", "a kernel is not asynchronous");
    rejects("let a = n.await;", "a kernel is not asynchronous");
    rejects("let a = (n = 1);", "an assignment has no value");
    rejects("let a = 0..n;", "a range stands only in");
    rejects("let a = x[0..1];", "a range stands only in");
    rejects("let a = x[0][0];", "only a kernel's slice parameters");
    rejects("let a = loop { break; };", "`loop` as a value");
    rejects("let a = while n > 0 {};", "a loop has no value");
    rejects("if let 1 = n {}", "patterns are not supported");
    rejects("if n == 1 && let 2 = n {}", "patterns are not supported");
    rejects("let a = foo(n);", "a kernel cannot call `foo`: write its code here");
    rejects("let a = f32::sqrt(n);", "a kernel cannot call this");
    rejects("let a = n.min(3);", "`.min()` is not supported in a kernel: write `if a < b");
    rejects("let a = n.frobnicate();", "`.frobnicate()` is not supported");
    rejects("let a = n.field;", "a kernel's values have no fields");
    rejects("let a = thread_idx();", "`thread_idx()` has three numbers");
    rejects("let a = thread_idx().w;", "`thread_idx()` has the fields");
    rejects("let a = global_id(1);", "this function has no arguments");
    rejects("let a = x.len(1);", "`len` has no arguments");
    rejects("let a = vec![1];", "macros such as `vec!` are not supported");
    rejects("println!(\"{n}\");", "macros such as `println!` are not supported");
}

#[test]
fn each_statement_that_is_not_supported_is_named() {
    rejects("let a;", "a kernel's variable needs a value");
    rejects("let (a, b) = n;", "patterns are not supported");
    rejects("let a = n else { return };", "`let else` is not supported");
    rejects("fn inner() {}", "functions are not supported");
    rejects("static N: u32 = 1;", "a kernel has no `static`");
    rejects("struct S;", "types are declared outside");
    rejects("'a: loop { break; }", "labels are not supported");
    rejects("loop { break 3; }", "`break` with a value");
    rejects("break;", "`break` outside of a loop");
    rejects("continue;", "`continue` outside of a loop");
    rejects("while { break; true } {}", "`break` in the condition of a `while`");
    rejects("return n;", "a kernel returns nothing");
    rejects("for i in x {}", "a kernel's `for` counts through a range");
    rejects("for i in (0..n).rev() {}", "a kernel's `for` counts through a range");
    rejects("for (a, b) in 0..n {}", "patterns are not supported");
    rejects("n", "this value is not used");
    rejects("if n == 0 { 1 } else { return; }", "this value is not used");
    rejects("let a = if n == 0 { 1 };", "an `if` whose value is used needs an `else`");
    rejects("let a = { n; };", "this block has no value");
    rejects("(n, n) = n;", "a kernel assigns to a variable");
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
    rejects_item("fn k<T>(x: T) {}", &["generic kernels are not supported"]);
    rejects_item("fn k() where u32: Copy {}", &["a kernel has no `where`"]);
    rejects_item("fn k() -> u32 {}", &["a kernel returns nothing"]);
    rejects_item("fn k(&self) {}", &["a kernel is no method"]);
    rejects_item("fn k((a, b): (u32, u32)) {}", &["a kernel's parameter is a name"]);
    rejects_item("fn k(_: u32) {}", &["a kernel's parameter needs a name"]);
    rejects_item("fn k(x: &u32) {}", &["pass a scalar by value"]);
    rejects_item("fn k(x: &mut u32) {}", &["a kernel writes to slices"]);
    rejects_item("fn k(x: &[u32; 4]) {}", &["pass an array as a slice"]);
    rejects_item("fn k(x: [u32; 4]) {}", &["pass many values as a slice"]);
    rejects_item("fn k(x: &'static [u32]) {}", &["a kernel's slices have no lifetime"]);
    rejects_item("fn k(x: &[(u32, u32)]) {}", &["the elements of a kernel's slice are scalars"]);
    rejects_item("fn k(x: impl Copy) {}", &["generic kernels are not supported"]);
    rejects_item("fn k(x: (u32, u32)) {}", &["a kernel's parameter is a scalar or a slice"]);
    rejects_item("fn k(x: fn()) {}", &["a kernel's parameter is a scalar"]);
    rejects_item("fn k(mut x: &[u32]) {}", &["a slice cannot be assigned"]);
    rejects_item("fn k(#[cfg(all())] x: u32) {}", &["a kernel's parameters have no attributes"]);
    rejects_item("fn k() { #![allow(unused)] }", &["write a kernel's attributes above"]);
}

#[test]
fn several_mistakes_are_reported_in_one_go() {
    rejects_item(
        "const fn k(x: &u32) -> u32 { match x {} \"text\"; if true { break; } }",
        &[
            "a kernel cannot be `const`",
            "a kernel returns nothing",
            "pass a scalar",
            "`match`",
            "a kernel has no strings",
            "`break`",
        ],
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
        &quote!(warp = 32),
        quote!(
            fn k() {}
        ),
    ));
    assert_eq!(messages, ["`#[kernel]` takes no arguments"]);
}

#[test]
fn a_kernel_with_mistakes_still_exists() {
    let expansion = kernel("pub fn k(x: &[u32]) { match x {} }").to_string();
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

/// A stream of numbers for the soup; the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

const WORDS: [&str; 40] = [
    "fn",
    "let",
    "mut",
    "if",
    "else",
    "while",
    "loop",
    "for",
    "in",
    "break",
    "continue",
    "return",
    "match",
    "as",
    "const",
    "static",
    "struct",
    "unsafe",
    "async",
    "await",
    "move",
    "ref",
    "pub",
    "impl",
    "self",
    "true",
    "u32",
    "f32",
    "x",
    "y",
    "i",
    "n",
    "global_id",
    "thread_idx",
    "len",
    "_k",
    "where",
    "dyn",
    "use",
    "type",
];

fn soup(numbers: &mut Numbers, depth: usize) -> TokenStream {
    let length = numbers.below(12);
    let token = |numbers: &mut Numbers| -> TokenTree {
        match numbers.below(if depth == 0 { 8 } else { 10 }) {
            0..4 => Ident::new(WORDS[numbers.below(WORDS.len())], Span::call_site()).into(),
            4..7 => {
                let punctuation: Vec<char> = "+-*/%^&|<>=!.,;:?#@$~".chars().collect();
                let spacing = if numbers.below(2) == 0 { Spacing::Alone } else { Spacing::Joint };
                Punct::new(punctuation[numbers.below(punctuation.len())], spacing).into()
            }
            7 => match numbers.below(3) {
                0 => Literal::u32_unsuffixed(7).into(),
                1 => Literal::f32_suffixed(1.5).into(),
                _ => Literal::string("text").into(),
            },
            _ => {
                let delimiters = [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];
                Group::new(delimiters[numbers.below(4)], soup(numbers, depth - 1)).into()
            }
        }
    };
    (0..length).map(|_| token(numbers)).collect()
}

#[test]
fn no_tokens_make_it_panic() {
    let mut numbers = Numbers(1);
    for _ in 0..1000 {
        let soup = soup(&mut numbers, 3);
        expand(&TokenStream::new(), soup.clone());
        expand(&soup, TokenStream::from_str("fn k() {}").expect("tokens"));
        expand(&TokenStream::new(), quote!(fn k(#soup) {}));
        expand(&TokenStream::new(), quote!(fn k(x: &[u32]) { #soup }));
        expand(&TokenStream::new(), quote!(#soup fn k() #soup { }));
    }
}

/// Kernels of all forms with one token removed, doubled or replaced: closer to what people get wrong than soup.
#[test]
fn no_slip_makes_it_panic() {
    let source = "pub fn k(n: u32, x: &[f32], y: &mut [f32]) {
        let i = global_id(); if i >= x.len() { return; } let mut s: f32 = if n > 3 && x[0] > 1.0 { 1.0 } else { -x[i] };
        for mut k in 0..=n { while s < 2.0 || k == 1 { s *= { k += 1; 2.0 }; continue; } loop { break; } }
        y[i + 1] += s as f32 * (x[i] - thread_idx().x as f32); const N: u32 = 3; let _ = !true; }";
    // As text, so that a slip can fall on a delimiter, too.
    let text = TokenStream::from_str(source).expect("tokens").to_string();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut numbers = Numbers(2);
    let mut expanded = 0;
    for _ in 0..3000 {
        let mut words = words.clone();
        let at = numbers.below(words.len());
        match numbers.below(3) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at]),
            _ => words[at] = words[numbers.below(words.len())],
        }
        // Unbalanced delimiters never reach a macro.
        if let Ok(tokens) = TokenStream::from_str(&words.join(" ")) {
            expand(&TokenStream::new(), tokens);
            expanded += 1;
        }
    }
    assert!(expanded > 1000);
}
