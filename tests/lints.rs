//! Kernels of every form raise no lint in the crate of their author, and build the programs that Rust means.
//!
//! The first half of this test is that it compiles: the lints below are errors.

#![deny(
    warnings,
    unused,
    nonstandard_style,
    future_incompatible,
    keyword_idents,
    let_underscore,
    refining_impl_trait,
    rust_2018_idioms,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    meta_variable_misuse,
    non_ascii_idents,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    unit_bindings,
    unreachable_pub,
    unsafe_code,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_parens,
    unused_qualifications,
    unused_results,
    variant_size_differences,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::cargo,
    clippy::unwrap_used,
    clippy::missing_docs_in_private_items,
    clippy::allow_attributes_without_reason,
    clippy::semicolon_if_nothing_returned
)]

use simt::prelude::*;
use std::f32::consts::PI;

const LIMIT: u32 = 40;
const SCALE: f32 = 0.5;

/// A public kernel with docs.
#[kernel]
pub fn documented(x: &[f32], y: &mut [f32]) {
    let i = global_id();
    if i < x.len() {
        y[i] += x[i] * SCALE + PI - f32::MAX;
    }
}

/// Every statement.
#[kernel]
pub fn statements(n: u32, mut left: u32, x: &[u32], out: &mut [u32]) {
    const STEP: u32 = 3;
    use std::primitive::u32 as word;
    let i = global_id();
    let _ = x[0];
    let _unused = n;
    if i >= x.len() {
        return;
    }
    let x0 = x[i];
    let x0 = x0 + 1;
    let mut sum: u32 = 0;
    for k in 0..n {
        if k == 2 {
            continue;
        } else if k > word::BITS {
            break;
        } else {
            sum += k;
        }
    }
    for mut k in 1..=x0 {
        k *= 2;
        sum ^= k;
    }
    for _ in 0..2 {
        sum -= 1;
    }
    while sum < LIMIT && left > 0 {
        sum += STEP;
        left -= 1;
    }
    loop {
        sum += 1;
        if sum % 7 == 0 {
            break;
        }
    }
    {
        let shadow = sum;
        sum = shadow + shadow;
    }
    x[i];
    out[i] = sum;
    out[i] <<= 1;
}

/// Every operator.
#[kernel]
pub fn values(a: i32, b: f32, flag: bool, x: &[i32], out: &mut [i32]) {
    let arithmetic = (a + 1) * (a - 2) / 3 % 5;
    let bits = (a & 0xff | 1) ^ !a;
    let shifts = (a << 2) + (a >> 1u64) + (1 << a);
    let float = -b * 2.0 + 1e-3 - (-1.5);
    let compared = a < 3 && b >= 0.5 || !flag && a != i32::MIN;
    let casts = b as i32 + a as u8 as i32 + flag as i32 + 3 as i32 + b'a' as i32;
    let chosen = if compared { bits } else if flag { shifts } else { casts };
    let block = {
        let twice = chosen * 2;
        twice + 1
    };
    let early = if a == 0 { return } else { block };
    let dims = thread_idx().x + block_idx().y * block_dim().z + grid_dim().x + lane_id() + warp_id();
    let checked = dims < x.len() && x[dims] > 0;
    if checked {
        out[dims] = arithmetic + early + float as i32;
    }
}

/// No parameters at all.
#[kernel]
pub fn empty() {}

#[kernel]
fn private_without_docs(out: &mut [usize]) {
    out[0] = usize::MAX;
}

#[allow(unused_variables, reason = "what an attribute on a kernel allows is allowed in its body")]
#[kernel]
fn allowed(n: u32) {
    let unused = 1;
}

#[expect(unused_variables, reason = "an expectation holds for the body, too")]
#[kernel]
fn expected(n: u32) {}

macro_rules! kernels {
    ($($name:ident: $ty:ty = $value:expr;)*) => {$(
        /// By a macro.
        #[kernel]
        pub fn $name(x: &[$ty], out: &mut [$ty]) {
            let i = global_id();
            let mut value = x[i] + $value;
            while value < $value * 2 as $ty { value += $value; }
            out[i] = value;
        }
    )*};
}

kernels! {
    by_macro_u32: u32 = 1 + 2;
    by_macro_f64: f64 = 0.5;
}

/// A module, so that paths and visibilities are tried.
pub mod module {
    use simt::kernel;

    #[kernel]
    pub(super) fn restricted(out: &mut [super::Word]) {
        out[0] = super::LIMIT;
    }
}

/// Another name of a type.
pub type Word = u32;

#[allow(dead_code)]#[track_caller]
fn check(program: &simt::Program, expected: &str) {
    let printed = program.without_tokens().to_string();
    let lines = |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).map(String::from).collect();
    let (printed, expected): (Vec<String>, Vec<String>) = (lines(&printed), lines(expected));
    assert_eq!(printed, expected);
}

#[test]
fn t() {
    #[kernel]
    fn inner(out: &mut [u32]) {
        out[0] = N;
    }
    const N: u32 = 7;
    println!("{}", statements::program());
    println!("{}", values::program());
    println!("{}", inner::program());
    println!("{}", by_macro_u32::program());
    println!("{}", by_macro_f64::program());
    println!("{}", private_without_docs::program());
    println!("{:?}", by_macro_f64::program().source);
    println!("{}", module::restricted::program());
    println!("{}", values::program().source.text);
    let _ = (allowed::program(), expected::program());
}
