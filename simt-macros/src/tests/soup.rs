//! Tokens in no order, and kernels with one token changed: the macro never panics.

use crate::{Kind, expand};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;
use std::str::FromStr;

/// A stream of numbers for the soup; the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

const WORDS: &str = "fn let mut if else while loop for in break continue return match as const static struct unsafe async \
    await move ref pub impl self true u32 f32 x y i n global_id thread_idx len _k where dyn use type \
    device kernel shared constant rev step_by Ok Some None LIMIT fetch_add load compare_exchange println \
    assert sqrt T N f _ usize Self super crate";

fn soup(numbers: &mut Numbers, depth: usize) -> TokenStream {
    let length = numbers.below(12);
    let token = |numbers: &mut Numbers| -> TokenTree {
        match numbers.below(if depth == 0 { 8 } else { 10 }) {
            0..4 => {
                let words: Vec<&str> = WORDS.split(' ').collect();
                Ident::new(words[numbers.below(words.len())], Span::call_site()).into()
            }
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

/// How many tries a test makes: `SIMT_SOUP`, or a few.
fn tries() -> usize {
    std::env::var("SIMT_SOUP").ok().and_then(|tries| tries.parse().ok()).unwrap_or(1000)
}

#[test]
fn no_tokens_make_it_panic() {
    let mut numbers = Numbers(1);
    for number in 0..tries() {
        let soup = soup(&mut numbers, 3);
        let nothing = TokenStream::new();
        let kind = if number % 2 == 0 { Kind::Kernel } else { Kind::Device };
        match number / 2 % 5 {
            0 => expand(kind, &nothing, soup),
            1 => expand(
                kind,
                &soup,
                quote!(
                    fn k() {}
                ),
            ),
            2 => expand(kind, &nothing, quote!(fn k<T: Num>(#soup) {})),
            3 => expand(kind, &nothing, quote!(fn k(x: &[u32]) { #soup })),
            _ => expand(kind, &nothing, quote!(#soup fn k() #soup { })),
        };
    }
}

/// Pieces of code: `E` is an expression, `P` a pattern, `S` statements.
const EXPRESSIONS: &str = "n ~ x ~ 7 ~ -1 ~ 1.5 ~ true ~ LIMIT ~ m::LIMIT ~ u32::MAX ~ E + E ~ E && E ~ E || E ~ !E ~ -E ~ (E) ~ { E } ~ \
    { S E } ~ x[E] ~ t.0 ~ t.1.0 ~ (E, E).1 ~ (E, E) ~ (E,) ~ () ~ E as u32 ~ E as T ~ E == E ~ if E { E } else { E } ~ if E { S } ~ \
    if let P = E { E } else { E } ~ match E { P => E, P if E => { S E } _ => E } ~ match E { } ~ loop { S } ~ 'a: loop { S } ~ \
    loop { break E; } ~ 'b: { S break 'b E; } ~ 'a: { S E } ~ f(E, E) ~ m::f::<u32, 4>(&x, E) ~ f(&mut x, { S E }) ~ global_id() ~ \
    thread_idx().x ~ x.len() ~ E.min(E) ~ x[E].fetch_add(E, Relaxed) ~ x[E].compare_exchange(E, E, AcqRel, Relaxed) ~ \
    E.checked_add(E) ~ shuffle(E, E) ~ ballot(E) ~ return ~ return E ~ break ~ break E ~ break 'a E ~ continue 'a ~ E.await ~ &E ~ *E ~ \
    E? ~ || E ~ [E, E] ~ [E; N] ~ E..E ~ P { x: E } ~ const { E } ~ println!(\"{}\", E) ~ panic!(\"no\") ~ \"text\" ~ 'c' ~ unsafe { E } ~ \
    (0..E).rev() ~ _ ~ E = E ~ E += E";
const STATEMENTS: &str = "E; ~ let n = E; ~ let mut n: u32 = E; ~ let (n, mut t) = E; ~ let (n, (_, t)): (u32, (u32, f32)) = E; ~ let _ = E; ~ \
    let P = E; ~ let n; ~ let n = E else { return }; ~ n = E; ~ x[E] = E; ~ t.0 = E; ~ (n, x[E]) = E; ~ ((n, _), t) = E; ~ n += E; ~ x[E] <<= E; ~ \
    t.0 *= E; ~ if E { S } else if let P = E { S } else { S } ~ while E { S } ~ 'a: while let P = E { S } ~ for P in E..E { S } ~ \
    'a: for i in (E..=E).rev().step_by(E) { S } ~ for mut i in (E..E).step_by(E).rev() { S } ~ for _ in x { S } ~ loop { S } ~ 'a: { S } ~ 'b: { 'a: loop { S } } ~ \
    match E { P => {} P => E, _ => return } ~ match (E, E) { (P, P) if E => { S } (_, n) => E } ~ break; ~ break 'a; ~ break 'b; ~ continue; ~ continue 'a; ~ \
    return; ~ f(E); ~ f(E) ~ let a = [E; 4]; ~ let mut a: [u32; N] = [E, E]; ~ #[shared] let mut a: [f32; 4]; ~ println!(\"{n} {}\", E); ~ \
    assert!(E); ~ assert_eq!(E, E, \"why\"); ~ x[E].store(E, Relaxed); ~ sync_threads(); ~ const N: u32 = 3; ~ #[device] fn f() {} ~ fn f() {} ~ S S ~ ;";
const PATTERNS: &str = "_ ~ n ~ mut n ~ 1 ~ -1 ~ true ~ 1.5 ~ 1..=5 ~ ..3 ~ 4.. ~ LIMIT ~ m::LIMIT ~ u32::MIN..=LIMIT ~ P | P ~ n @ P ~ (P, P) ~ (P,) ~ () ~ (P) ~ \
    (n, ..) ~ Ok(P) ~ Err(P) ~ Some(P) ~ None ~ Some(P, P) ~ &P ~ ref n ~ [P] ~ P { .. } ~ const { 3 } ~ 'c'";

/// Code that mostly has the grammar of Rust, and mostly makes no sense.
fn code(numbers: &mut Numbers, table: &str, depth: usize, out: &mut String) {
    let rows: Vec<&str> = table.split(" ~ ").collect();
    // The first rows have no parts.
    let row = rows[numbers.below(if depth == 0 { 5.min(rows.len()) } else { rows.len() })];
    for word in row.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
        let name = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let table = match name {
            "E" => EXPRESSIONS,
            "P" => PATTERNS,
            "S" => STATEMENTS,
            _ => {
                out.push_str(word);
                continue;
            }
        };
        if depth == 0 {
            out.push_str(if name == "S" { ";" } else { "n" });
        } else {
            code(numbers, table, depth - 1, out);
        }
        out.push_str(&word[name.len()..]);
    }
}

#[test]
fn no_code_makes_it_panic() {
    let mut numbers = Numbers(3);
    let mut expanded = 0;
    // Each takes as long as ten of the others.
    let tries = tries() / 10;
    for number in 0..tries {
        let mut body = String::new();
        for _ in 0..=numbers.below(4) {
            code(&mut numbers, STATEMENTS, 3, &mut body);
            body.push(' ');
        }
        let (kind, result) = if number % 2 == 0 { (Kind::Kernel, "") } else { (Kind::Device, "-> (u32, f32)") };
        let text = format!("fn k<T: Num, const N: usize>(n: u32, x: &mut [u32]) {result} {{ {body} }}");
        let Ok(tokens) = TokenStream::from_str(&text) else { panic!("the templates are balanced: {text}") };
        expanded += usize::from(syn::parse2::<syn::ItemFn>(tokens.clone()).is_ok());
        expand(kind, &TokenStream::new(), tokens);
    }
    assert!(expanded > tries / 10, "only {expanded} were Rust");
}

/// Kernels of all forms with one token removed, doubled or replaced: closer to users' mistakes than soup.
#[test]
fn no_slip_makes_it_panic() {
    let source = "pub fn k(n: u32, x: &[f32], y: &mut [f32]) {
        let i = global_id(); if i >= x.len() { return; } let mut s: f32 = if n > 3 && x[0] > 1.0 { 1.0 } else { -x[i] };
        for mut k in 0..=n { while s < 2.0 || k == 1 { s *= { k += 1; 2.0 }; continue; } loop { break; } }
        'a: loop { match (n, i) { (0, _) | (3..=5, 1) => break 'a, (k @ 1.., LIMIT) if k > 2 => continue 'a, _ => {} } }
        let (mut a, (b, _)) = 'b: { if let Some(v) = n.checked_add(1) { break 'b (v, (2, 3)); } f::<u32>(&x, n) };
        for j in (0..=n).rev().step_by(3) { (a, y[i]) = (b, loop { break x[j]; }); a.0 += g(n)?.1; }
        y[i + 1] += s as f32 * (x[i] - thread_idx().x as f32); const N: u32 = 3; let _ = !true; }";
    slips(source, |tokens| expand(Kind::Kernel, &TokenStream::new(), tokens));
}

/// Calls a macro with the text's tokens, each time with one removed, doubled or replaced.
pub(super) fn slips(source: &str, call: impl Fn(TokenStream) -> TokenStream) {
    // As text, so that the change can hit a delimiter, too.
    let text = TokenStream::from_str(source).expect("tokens").to_string();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut numbers = Numbers(2);
    let mut expanded = 0;
    let tries = tries();
    for _ in 0..tries {
        let mut words = words.clone();
        let at = numbers.below(words.len());
        match numbers.below(3) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at]),
            _ => words[at] = words[numbers.below(words.len())],
        }
        // Unbalanced delimiters never reach a macro.
        if let Ok(tokens) = TokenStream::from_str(&words.join(" ")) {
            call(tokens);
            expanded += 1;
        }
    }
    assert!(expanded > tries / 3);
}
