//! `match`, `if let` and `while let`: the text is compiled as plain Rust, too.

use simt::prelude::*;

const SEVEN: u32 = 7;

mod limits {
    pub(super) const LAST: u32 = 25;
}

kernels! {
    fn dense(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        match x[i] {
            0 => out[i] = 100,
            1 => out[i] = 101,
            2 => out[i] = 102,
            3 | 4 => out[i] = 103,
            5 => {
                out[i] = 104;
                out[i] += 1;
            }
            6 => {}
            7 => return,
            _ => out[i] = 108,
        }
        out[i] += 1;
    }

    fn values(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let class = match x[i] {
            0 => 1,
            SEVEN => 2,
            1..=3 | 5 => 3,
            4 => return,
            8..=12 => 4,
            limits::LAST.. => 5,
            n if n % 2 == 0 => n,
            n @ 13..=17 => n * 10,
            n => n * 100,
        };
        let signed = match class as i32 - 50 {
            -49 => -1,
            i32::MIN..=-1 => -2,
            0 => 0,
            1.. => 1,
        };
        out[i] = class * 10 + (signed + 5) as u32;
    }

    fn bools(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let big = x[i] > 12;
        let a = match big { true => 1, false => 2 };
        let b = match (big, x[i] % 2 == 0) {
            (true, true) => 1,
            (false, _) => 2,
            (_, false) => 3,
        };
        match !big {
            false => out[i] = 50,
            true => out[i] = 60,
        }
        out[i] += a * 10 + b;
    }

    fn tuples(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = (x[i] % 4, x[i] % 3);
        let mut n = match (a, b, x[i] > 15) {
            (0, 0, _) => 1,
            (1 | 2, 0..=1, true) => 2,
            (k, 2, false) if k > 1 => k + 10,
            (k, l, _) => k * 4 + l + 20,
        };
        n += match ((a, b), 5) {
            ((0, m), 5) => m,
            (both, _) if both.0 > both.1 => 100,
            ((_, mut m), five) => {
                m += five;
                m
            }
        };
        out[i] = n;
    }

    fn guards_that_read(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i] as usize;
        let r = match n {
            k if k < x.len() && x[k] > 10 => 1,
            k if k + 2 < x.len() && x[k + 2] > 10 => 2,
            0..=9 if x[n] == 0 => 3,
            mut k if n % 2 == 0 => {
                k += 1;
                k as u32
            }
            _ => 5,
        };
        out[i] = r;
    }

    fn scrutinee_is_evaluated_once(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i] % 5;
        let r = match { n += 1; n } {
            1 => { n = 50; 1 }
            2 => { n = 60; n }
            k => { n = k * 2; n + k }
        };
        match n {
            50 => n = 1,
            60 => n = 2,
            _ => n += 100,
        }
        out[i] = r * 1000 + n;
    }

    fn nested(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        out[i] = match n % 4 {
            0 => match n % 3 { 0 => 1, 1 => { if n > 9 { 2 } else { 3 } } _ => 4 },
            1 => if n > 15 { match n { 17 => 5, _ => 6 } } else { 7 },
            2 => {
                let mut k = 0;
                loop {
                    k += 1;
                    match k * n % 16 { 0 => break 8, 1..=3 => break k, _ if k > 6 => break 9, _ => {} }
                }
            }
            _ => 'b: { if n > 20 { break 'b 10; } 11 },
        };
    }

    fn in_operands(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        let r = n + match n { 0..=9 => { n = 1; 5 } _ => 6 } * n + if let 3..=8 = n { 1 } else { 2 };
        out[i] = r;
    }

    fn if_let(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        let mut r = 0;
        if let 3..=12 = n {
            r = 1;
        } else if let k @ (1 | 20..=29) = n {
            r = k;
        } else if n == 13 {
            r = 3;
        } else if let (0, true) = (n, i > 2) {
            r = 4;
        }
        let v = if let (a, 0) = (n, n % 2) { a } else { 1000 };
        if let (mut k, 0..=20) = (n + 1, n) {
            k += 1;
            r += k;
        }
        out[i] = r * 10000 + v;
    }

    fn while_let(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        let mut steps = 0;
        while let 1..=100 = n {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
            if steps > 20 {
                break;
            }
        }
        while let (k, true) = (n % 7, steps % 3 != 0) {
            steps += 1;
            n += k;
            if k == 5 { continue; }
            n += 1;
        }
        out[i] = steps * 10000 + n;
    }

    fn unreachable_arms(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = match x[i] > 7 {
            true if x[i] > 20 => 1,
            true => 2,
            false => 3,
            _ if x[i] == 0 => 4,
        };
    }

    fn floats(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = match x[i] as f32 * 0.5 {
            0.0 => 1,
            1.0..=3.5 => 2,
            v if v > 10.0 => v as u32,
            _ => 4,
        };
    }
}
same! {
    dense values bools tuples guards_that_read scrutinee_is_evaluated_once nested in_operands if_let while_let
    unreachable_arms floats
}

#[test]
fn a_match_is_a_chain_over_one_variable() {
    let text = kernel::dense::program().without_tokens().to_string();
    for line in
        ["_1 = x[i];", "if (_1 == 0) {", "} else if (_1 == 1) {", "} else if ((_1 == 3) | (_1 == 4)) {", "} else {"]
    {
        assert!(text.lines().any(|printed| printed.trim() == line), "{line} in {text}");
    }
}

#[kernel]
fn variants(x: &[u8], out: &mut [u32]) {
    let i = global_id();
    let sum = match x[i].checked_add(100) {
        Some(0..=150) => 1,
        Some(v) if v % 2 == 0 => v as u32,
        Some(_) => 3,
        None => 4,
    };
    let quotient = if let Some(q) = 100u8.checked_div(x[i]) { q as u32 } else { 999 };
    out[i] = sum * 1000 + quotient;
}

#[test]
fn options_are_matched() {
    let x: Vec<u8> = (0..=255).step_by(5).collect();
    let expected: Vec<u32> = x
        .iter()
        .map(|&x| {
            let sum = match x.checked_add(100) {
                Some(0..=150) => 1,
                Some(v) if v % 2 == 0 => u32::from(v),
                Some(_) => 3,
                None => 4,
            };
            sum * 1000 + 100u8.checked_div(x).map_or(999, u32::from)
        })
        .collect();
    everywhere!(|gpu| {
        let mut out = vec![0; x.len()];
        let launched = gpu.launch(Grid::new(1, x.len()), variants(&x, &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, expected);
    });
}
