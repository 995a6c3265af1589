//! Kernels of every form raise no lint in the crate of their author, and build the programs that Rust means.
//!
//! The first half of that is tested by compiling this file: the lints below are errors.

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
    clippy::unwrap_used,
    clippy::missing_docs_in_private_items,
    clippy::allow_attributes_without_reason,
    clippy::semicolon_if_nothing_returned
)]

#[path = "lints/data.rs"]
pub mod data;
#[path = "lints/effects.rs"]
pub mod effects;
#[path = "lints/hosted.rs"]
pub mod hosted;
#[path = "lints/programs.rs"]
mod programs;

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

/// An enum whose variants are in scope.
#[derive(Clone, Copy, Debug, Eq, KernelData, PartialEq)]
pub enum Turn {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

use Turn::{Left, Right};

/// The sum of turns.
#[kernel]
pub fn turns(x: &[Turn], out: &mut [i32]) {
    let i = global_id();
    out[i] += match x[i] {
        Left => -1,
        Right => 1,
    };
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
    let casts = b as i32 + a as u8 as i32 + flag as i32 + b'a' as i32;
    let chosen = if compared {
        bits
    } else if flag {
        shifts
    } else {
        casts
    };
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

/// Loops that are left from within others, and that have values.
#[kernel]
pub fn labels(n: u32, x: &[u32], out: &mut [u32]) {
    let i = global_id();
    let mut sum = 0;
    'outer: for row in (0..n).rev() {
        for column in (0..=row).step_by(2) {
            if column == 3 {
                continue 'outer;
            } else if x[i] == column {
                break 'outer;
            }
            sum += column;
        }
        for mut k in (0..row).step_by(3).rev() {
            k += 1;
            sum ^= k;
        }
    }
    let found = loop {
        sum += 1;
        if sum % 5 == 0 {
            break sum;
        }
    };
    let class = 'class: {
        if found > 100 {
            break 'class 1;
        }
        if found > 50 {
            break 'class 2;
        }
        3
    };
    'done: {
        if class == 2 {
            break 'done;
        }
        out[i] = class;
    }
}

/// Every pattern.
#[kernel]
pub fn patterns(n: u32, x: &[i32], out: &mut [u32]) {
    let i = global_id();
    let class = match x[i] {
        i32::MIN..=-1 => 0,
        0 | 7 => 1,
        k @ 1..=5 if k % 2 == 0 => 2,
        mut k => {
            k /= 2;
            k as u32
        }
    };
    match (n, class > 2) {
        (LIMIT, true) => out[i] = 1,
        (0..=9, _) | (20, false) => {
            out[i] = 2;
        }
        (k, big) => out[i] = k + u32::from(big),
    }
    if let 3..=8 = n {
        out[i] += 1;
    } else if let (1, k) = (class, n) {
        out[i] += k;
    }
    let mut left = n;
    while let 1..=LIMIT = left {
        left -= 1;
    }
    if let Some(sum) = n.checked_add(left) {
        out[i] += sum;
    }
    match n {
        0 => return,
        1 => out[i] = 5,
        _ => {}
    }
}

/// Tuples.
#[kernel]
pub fn tuples(n: u32, out: &mut [u32]) {
    let i = global_id();
    let (mut a, (b, _)) = (n, (2, 3.5));
    let mut t = (a, b);
    (a, t.1) = (b, a);
    t.0 += 1;
    let u = if n > 3 { t } else { (1, n) };
    let (c, d): (u32, u32) = division(u.0, u.1);
    out[i] = a + b + c + d;
}

/// A device function with docs.
#[device]
pub fn division(a: u32, b: u32) -> (u32, u32) {
    if b == 0 {
        return (0, a);
    }
    (a / b, a % b)
}

#[device]
fn undocumented<T: Num, const N: usize>(x: &[T], out: &mut [T]) {
    for k in 0..N {
        out[k] += x[k] * 2 as T;
    }
}

#[device]
fn without_parameters() -> usize {
    global_id() + 1
}

/// A generic kernel.
#[kernel]
pub fn generic<T, const N: usize>(x: &[T], out: &mut [T])
where
    T: Num,
{
    if x.len() > without_parameters() {
        undocumented::<T, N>(x, out);
    }
}

#[kernel]
fn generic_with_bounds<T: Int + Scalar>(x: &[T], out: &mut [T]) {
    out[0] = x[0] << 2;
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

/// Where lints are forbidden, the expansion cannot allow them to itself.
#[forbid(unused, nonstandard_style, missing_docs, missing_debug_implementations, clippy::all, clippy::pedantic)]
pub mod strict {
    use simt::kernel;

    /// Docs.
    #[kernel]
    pub fn forbidding(out: &mut [u32]) {
        let i = global_id();
        out[i] = 1;
    }
}

/// A module, so that paths and visibilities are tried.
pub mod module {
    use simt::kernel;

    #[kernel]
    pub(super) fn restricted(out: &mut [super::Word]) {
        out[0] = super::LIMIT;
    }

    /// The visibility of a program is the kernel's.
    #[must_use]
    pub fn program() -> &'static simt::Program {
        restricted::program()
    }
}

/// Another name of a type.
pub type Word = u32;

/// Where an operand has effects, those before it are read first, as in Rust.
#[kernel]
fn order(n: u32, x: &mut [u32]) {
    let mut a = n;
    a = a + {
        a = 5;
        a
    };
    a += {
        a = 7;
        1
    };
    x[a as usize] += if a > 3 { 1 } else { 2 };
    for i in a..if n > 0 {
        a = 9;
        a
    } else {
        n
    } {
        x[i as usize] = i;
    }
    let outside = n > 3 && x[a as usize] == 1 && n < 7;
    while outside && x[0] > 0 {
        x[0] -= 1;
    }
}
