//! Loops over arrays by value see the array as it was, wherever the variable has its value from.

#![allow(
    redundant_semicolons,
    unused_assignments,
    clippy::never_loop,
    clippy::redundant_closure_call,
    clippy::redundant_pattern_matching,
    reason = "that is what is tested"
)]

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Part {
    v: i32,
}

#[derive(Clone, Copy, KernelData)]
struct Whole {
    parts: [i32; 3],
    n: i32,
}

type Three = [i32; 3];

/// Functions of kernels, and the same of the host.
macro_rules! functions {
    ($module:ident $(, #[$($attribute:tt)*])?) => {
        mod $module {
            use super::Three;

            $(#[$($attribute)*])?
            pub(super) fn doubles(x: &mut [i32; 3]) -> i32 {
                let mut sum = 0;
                for v in x {
                    *v *= 2;
                    sum += *v;
                }
                sum
            }

            $(#[$($attribute)*])?
            pub(super) fn doubles_three(x: &mut Three) -> i32 {
                let mut sum = 0;
                for v in x {
                    *v *= 2;
                    sum += *v;
                }
                sum
            }

            $(#[$($attribute)*])?
            pub(super) fn twice(v: [i32; 3], f: impl Fn([i32; 3]) -> i32) -> i32 {
                f(v) - 3 * f([v[2], v[1], v[0]])
            }

            $(#[$($attribute)*])?
            pub(super) fn sees(x: &Three) -> i32 {
                let mut sum = 0;
                for v in x {
                    sum += *v;
                }
                sum
            }
        }
    };
}
functions!(of_kernels, #[simt::device]);
functions!(of_the_host);

macro_rules! twice {
    ($x:ident, $out:ident: $body:block) => {
        mod in_kernel {
            use super::of_kernels::*;
            use super::*;

            #[kernel]
            pub(super) fn run($x: &[i32], $out: &mut [i32]) $body
        }

        mod on_the_host {
            use super::of_the_host::*;
            use super::*;

            pub(super) fn run($x: &[i32], $out: &mut [i32]) $body
        }
    };
}
twice! {
    x, out: {
        let is_two = x[0] > 1;
        // Values of an `if`, a loop, a pattern, later, and of a field.
        let mut a = if is_two { [Part { v: 1 }, Part { v: 2 }] } else { [Part { v: 5 }; 2] };
        for part in a { a[1].v = 9; out[0] = out[0] * 10 + part.v; }
        for mut b in [[1i32, 2, 3], [4, 5, 6]] { for v in b { b[2] = 100; out[1] = out[1] * 10 + v.abs(); } }
        let mut c = if is_two { [1; 4] } else { [2; 4] };
        for v in c { out[2] += v; c[3] = 50; }
        out[2] += c[3];
        let mut d: [i32; 4] = if is_two { [1; 4] } else { [2; 4] };
        d[0] = 3;;
        for (i, v) in d.into_iter().enumerate() { d[2] = 7; out[3] += v * i as i32; }
        let (mut sum, mut e) = (3i32, if is_two { [1, 2, 3] } else { [3, 2, 1] });
        for v in e.into_iter().rev() { e[0] = 8; sum = sum * 10 + v; }
        out[4] = sum;
        let some = if is_two { Some([1, 2, 3]) } else { None };
        if let Some(mut inner) = some { for v in inner { inner[1] = 40; out[5] += v.max(0); } }
        let mut late;
        if x[1] > 1 { late = [1, 2, 3]; } else { late = [4, 5, 6]; }
        for v in late { late[2] = 77; out[6] = out[6] * 10 + match v { 5 => 1, _ => v }; }
        let mut broken = loop { break [x[0], 5, 6]; };
        for (u, v) in broken.into_iter().zip(x.iter()) { broken[1] = 100; out[7] = out[7] * 10 + u + *v; }
        let mut whole = if is_two { Whole { parts: [1, 2, 3], n: 4 } } else { Whole { parts: [0; 3], n: 0 } };
        let mut sum = whole.n;
        for v in whole.parts { whole.parts[2] = 9; sum = sum * 10 + v.abs(); }
        out[8] = sum;
        let mut rows = if is_two { [[3, 4], [5, 6]] } else { [[0; 2]; 2] };
        for row in rows { rows[1][0] = 90; out[9] = out[9] * 10 + row[0]; }
        out[10] = e.into_iter().map(|v| v * 2).sum::<i32>() + e.into_iter().fold(0, |sum, v| sum * 2 + v);
        // What is behind a reference is changed.
        out[11] = doubles(&mut e) + e[0];
        out[12] = doubles_three(&mut e) + 1000 * e[1];
        out[13] = sees(&e);
        let reference = &mut late;
        for v in reference.iter_mut() { *v += 1; out[14] += *v; }
        for v in &mut late { *v += 1; out[14] += *v; }
        for row in rows.iter_mut() { row[1] = 1; }
        for row in &mut rows { row[0] += 1; }
        out[15] = rows[1][0] + rows[0][1];
        // All else that an array has.
        e.sort();
        e.swap(0, 2);
        e[1..].fill(4);
        out[16] = e.iter().sum::<i32>() + e.len() as i32 + e.first().copied().unwrap_or(0);
        let same = e;
        out[17] = (e == same) as i32;
        if let Some(..) = some { out[18] = 1; }
        out[18] += matches!(some, None | Some(..)) as i32 * 2;
        let (mut first, mut second) = (x[0], x[1]);
        [first, second, _] = [second, first + 1, 5];
        [out[19], out[20]] = [first * 10, second * 100];
        // Parameters of closures.
        let (k, mine) = (is_two as usize, [x[0], 5, 6]);
        let product = |v: [i32; 3]| v[0] + v[1] * v[k];
        out[21] = product(mine) + product([1, x[1], 3]) + twice(mine, product) + twice(mine, |v| v[2 - k] - v[0]);
        let changed = |mut v: [i32; 3]| {
            v[0] = 10;
            let mut sum = 0;
            for item in v { v[2] = 100; sum = sum * 10 + item; }
            for item in v.iter_mut() { *item += mine[k]; }
            sum + v.iter().sum::<i32>()
        };
        out[23] = changed(mine);
        let of_structs = |p: [Part; 2], at: [[i32; 2]; 2]| p[k].v + at[1 - k][1];
        out[22] = of_structs([Part { v: 1 }, Part { v: 2 }], [[3, 4], [5, 6]]) + (|[p, q]: [i32; 2]| p * q)([x[0], 7]);
        out[24] = mine[0];
        loop {; break; }
    }
}

#[test]
fn a_loop_over_an_array_by_value_sees_it_as_it_was() -> Result<(), LaunchError> {
    for x in [[2, 3, 4], [0, 0, 1]] {
        let (mut out, mut expected) = ([0; 25], [0; 25]);
        on_the_host::run(&x, &mut expected);
        Gpu::<Ipdom>::default().launch(Grid::new(1, 1), in_kernel::run(&x, &mut out))?;
        assert_eq!(out, expected);
    }
    Ok(())
}
