//! Loops with labels, values and all kinds of ranges, and blocks with labels: the text is compiled as plain Rust, too.

use simt::prelude::*;

kernels! {
    fn labels(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        'rows: for row in 0..6 {
            for column in 0..6 {
                if (row * 6 + column + x[i]) % 11 == 0 {
                    continue 'rows;
                }
                if sum > 60 + x[i] {
                    break 'rows;
                }
                sum += row + column;
            }
            sum += 100;
        }
        out[i] = sum;
    }

    fn three_deep(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        let mut steps = 0;
        'a: loop {
            let mut b = n % 3;
            'b: while b < 9 {
                b += 1;
                for c in 0..5 {
                    steps += 1;
                    match (steps + b + c) % 9 {
                        0 => continue 'b,
                        1 if steps > 5 => continue 'a,
                        2 if steps > 20 => break 'b,
                        3 if steps > 30 => break 'a,
                        4 => break,
                        5 => continue,
                        _ => {}
                    }
                    steps += 1;
                }
                steps += 2;
            }
            steps += 3;
            if steps > 200 {
                break;
            }
        }
        out[i] = steps;
    }

    fn from_a_condition(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        let mut rounds = 0;
        'outer: loop {
            rounds += 1;
            while {
                n += 3;
                if n % 7 == 0 {
                    break 'outer;
                }
                if n % 5 == 0 {
                    continue 'outer;
                }
                n % 4 != 0
            } {
                rounds += 10;
            }
            if rounds > 100 {
                break;
            }
        }
        out[i] = rounds * 1000 + n;
    }

    fn loop_values(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        let first = loop {
            n += 1;
            if n % 5 == 0 {
                break n;
            }
            if n > 20 {
                break if n % 2 == 0 { n / 2 } else { 3 * n };
            }
        };
        let found = 'search: loop {
            for a in 1..10 {
                for b in a..10 {
                    if a * b == first % 40 {
                        break 'search a * 10 + b;
                    }
                }
            }
            break 'search 0;
        };
        let wide: u64 = loop {
            break first as u64 + 1;
        };
        out[i] = first + found * 1000 + wide as u32;
    }

    fn loops_that_only_return(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        out[i] = 77;
        let never: u32 = loop {
            n += 1;
            if n % 6 == 0 {
                out[i] = n;
                return;
            }
        };
        out[i] = never;
    }

    fn labelled_blocks(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        let class = 'class: {
            if n < 5 {
                break 'class 1;
            }
            for k in 2..n {
                if n % k == 0 {
                    break 'class k * 10;
                }
            }
            7
        };
        let mut seen = 0;
        'done: {
            if n == 3 {
                break 'done;
            }
            seen += 1;
            for k in 0..n {
                if k == 10 {
                    break 'done;
                }
                seen += 2;
            }
            seen += 100;
        }
        'unused: {
            seen += 1000;
        }
        out[i] = class * 10000 + seen;
    }

    fn blocks_in_operands(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        let mut m = n;
        let sum = m + loop {
            m += 1;
            if m % 4 == 0 {
                break m;
            }
        } * 'b: {
            if m > 12 {
                break 'b 2;
            }
            m += 5;
            3
        } + m;
        let chosen = if { m += 1; m % 2 == 0 } { { m } } else { { let z = m; z + 1 } };
        out[{ m += 1; i }] = sum * 100 + chosen + m;
    }

    fn reversed(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut hash = 7;
        for k in (0..x[i]).rev() {
            hash = (hash * 31 + k) % 65521;
        }
        for k in (x[i]..=20).rev() {
            hash = (hash * 33 + k) % 65521;
        }
        for k in (0..=3u8).rev() {
            hash = (hash * 5 + k as u32) % 65521;
        }
        for k in (-3..3i8).rev() {
            hash = (hash * 7 + (k + 9) as u32) % 65521;
        }
        for k in (i8::MIN..=i8::MIN + 1).rev() {
            hash = (hash * 7 + (k as i32 + 200) as u32) % 65521;
        }
        for k in (5..5).rev() {
            hash += k;
        }
        for k in (0..=x.len() - 1).rev().rev() {
            hash ^= x[k];
        }
        for mut k in (0..4).rev() {
            k *= 3;
            if k == 6 {
                continue;
            }
            hash += k;
        }
        out[i] = hash;
    }

    fn steps(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        let step = i % 4 + 1;
        let mut hash = 3;
        for k in (0..n).step_by(3) {
            hash = (hash * 31 + k) % 65521;
        }
        for k in (0..=n).step_by(step) {
            hash = (hash * 31 + k) % 65521;
        }
        for k in (n..40).rev().step_by(step) {
            hash = (hash * 31 + k) % 65521;
        }
        for k in (2..=n as u16).rev().step_by(4) {
            hash = (hash * 31 + k as u32) % 65521;
        }
        for k in (-7..n as i32).step_by(step) {
            hash = (hash * 31 + (k + 10) as u32) % 65521;
        }
        for k in (n as usize..40).step_by(step).rev() {
            hash = (hash * 31 + k as u32) % 65521;
        }
        for k in (5..n).step_by(1) {
            hash = (hash * 31 + k) % 65521;
        }
        for k in (5..n).rev().step_by(1) {
            hash = (hash * 31 + k) % 65521;
        }
        for _ in (0..10).step_by(4) {
            hash += 1;
        }
        out[i] = hash;
    }

    fn short_circuits_of_all_kinds(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        let mut touched = 0;
        let a = n > 10 && { touched += 1; n % 2 == 0 };
        let b = n > 20 || loop { touched += 10; break n % 3 == 0; };
        let c = n != 0 && 60 / n > 4 && x[n as usize % x.len()] > 3;
        let d = n > 3 && match n { 4 | 8 => true, k if k % 5 == 0 => { touched += 100; true } _ => false } || a;
        out[i] = touched * 16 + a as u32 + b as u32 * 2 + c as u32 * 4 + d as u32 * 8;
    }
}
same! {
    labels three_deep from_a_condition loop_values loops_that_only_return labelled_blocks blocks_in_operands reversed
    steps short_circuits_of_all_kinds
}

/// Ranges that touch the ends of their types, which a naive count would miss.
#[kernel]
fn at_the_ends(out: &mut [u64]) {
    let i = global_id();
    let mut n = 0;
    for k in (0..=u8::MAX).step_by(100) {
        n = n * 1000 + k as u64;
    }
    for k in (0..u8::MAX).rev().step_by(100) {
        n = n * 1000 + k as u64;
    }
    out[i] = n;
    n = 0;
    for k in (i8::MIN..=i8::MAX).step_by(200) {
        n = n * 1000 + (k as i64 + 128) as u64;
    }
    for k in (u64::MAX - 5..=u64::MAX).step_by(3).rev() {
        n = n * 10 + (u64::MAX - k);
    }
    for k in (u64::MAX - 5..u64::MAX).step_by(3) {
        n = n * 10 + (u64::MAX - k);
    }
    for k in (i32::MIN..i32::MAX).step_by(4_000_000_000) {
        n = n * 10 + if k == i32::MIN { 1 } else { 2 };
    }
    for k in (0u8..10).step_by(300) {
        n = n * 10 + k as u64 + 5;
    }
    for k in (0..=255u8).rev().step_by(255) {
        n = n * 10 + k as u64 % 8;
    }
    out[i + 1] = n;
}

#[test]
fn ranges_end_at_the_ends_of_their_types() {
    let expected = {
        let mut n = 0;
        for k in (0..=u8::MAX).step_by(100) {
            n = n * 1000 + u64::from(k);
        }
        for k in (0..u8::MAX).rev().step_by(100) {
            n = n * 1000 + u64::from(k);
        }
        let first = n;
        n = 0;
        for k in (i8::MIN..=i8::MAX).step_by(200) {
            n = n * 1000 + (i64::from(k) + 128) as u64;
        }
        // The standard library has no `rev` here: from u64::MAX - 5 in steps of three, backwards.
        n = n * 100 + 25;
        for k in (u64::MAX - 5..u64::MAX).step_by(3) {
            n = n * 10 + (u64::MAX - k);
        }
        for k in (i32::MIN..i32::MAX).step_by(4_000_000_000) {
            n = n * 10 + if k == i32::MIN { 1 } else { 2 };
        }
        for k in (0u8..10).step_by(300) {
            n = n * 10 + u64::from(k) + 5;
        }
        for k in (0..=255u8).rev().step_by(255) {
            n = n * 10 + u64::from(k) % 8;
        }
        [first, n]
    };
    everywhere!(|gpu| {
        let mut out = [0; 2];
        let launched = gpu.launch(Grid::new(1, 1), at_the_ends(&mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, expected);
    });
}

#[kernel]
fn steps_of(step: usize, out: &mut [u32]) {
    for _ in (0..0).step_by(step) {
        out[0] += 1;
    }
    out[0] += 1;
}

#[test]
fn a_step_of_zero_panics_as_in_the_standard_library() {
    let gpu = Gpu::<Ipdom>::default();
    let mut out = [0];
    assert!(gpu.launch(Grid::new(1, 1), steps_of(1, &mut out)).is_ok());
    let error = gpu.launch(Grid::new(1, 1), steps_of(0, &mut out)).expect_err("a panic");
    assert!(error.to_string().contains("step != 0"), "{error}");
    assert_eq!(out, [1], "the failed launch left no trace");
}

#[test]
fn a_labelled_block_that_none_leaves_is_no_loop() {
    let text = kernel::labelled_blocks::program().to_string();
    assert_eq!(text.matches("while (true)").count(), 2, "{text}");
}
