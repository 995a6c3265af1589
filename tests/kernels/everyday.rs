//! What Rust has for everyday use: chains of `let`, `matches!`, `dbg!`. The text is compiled as plain Rust, too.

#![allow(clippy::char_lit_as_u8, reason = "kernels have it")]

use simt::prelude::*;

kernels! {
    fn chains(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = 100;
        if let Some(n) = x[i].checked_sub(3) && n % 2 == 0 && let Some(half) = (n / 2).checked_sub(2) && half < 9 {
            out[i] = half;
        } else if x[i] > 20 && let (1 | 2, mut rest) = (x[i] % 4, x[i]) && { rest += 1; rest % 3 != 0 } {
            rest += 50;
            out[i] = rest;
        } else if let 0..9 = x[i] && let small = x[i] + n {
            out[i] = small;
        } else {
            out[i] = n;
        }
    }

    fn guarded_reads(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        let mut at = x[i] as usize;
        while at < x.len() && let Some(less) = x[at].checked_sub(1) && x[less as usize] != 4 && sum < 70 {
            if less % 5 == 3 {
                at += 2;
                continue;
            }
            sum += less;
            at += 1;
        }
        let value = if let Some(a) = sum.checked_sub(20) && let b = a * 2 && b > 10 { b } else { sum };
        out[i] = value;
    }

    fn jumps(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        'all: for k in 0..x.len() {
            let mut n = x[k];
            loop {
                if let Some(less) = n.checked_sub(4) && less % 3 != i as u32 % 3 {
                    n = less;
                    if less == 11 && let 7.. = x[i] {
                        continue 'all;
                    }
                } else if n > 1 && let 2 | 5 = n {
                    break;
                } else {
                    if sum > 90 && let Some(_) = x[i].checked_sub(9) {
                        break 'all;
                    }
                    sum += n;
                    continue 'all;
                }
            }
            sum += 7;
        }
        out[i] = sum;
    }

    fn matching(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = (x[i] % 7, x[i] / 7);
        let mut bits = 0;
        if matches!(a, 1 | 3 | 5..) && !matches!((a, b), (1, n) if n > 2) {
            bits += 1;
        }
        if matches!(x[i].checked_sub(9), Some(rest) if x[rest as usize] < 16,) {
            bits += 2;
        }
        while !matches!(bits % 8, 0 | 5) {
            bits += 3;
        }
        let odd = matches!(bits, n if n % 2 == 1) as u32;
        matches!(x[odd as usize], 0);
        out[i] = bits + 100 * odd + match a {
            4 if b > 100 => todo!(),
            4 if b > 90 => unimplemented!("b is {b}"),
            _ => 1,
        };
    }

    fn exchanges(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (mut a, mut b) = (x[i], 7);
        std::mem::swap(&mut a, &mut b);
        let mut local = [x[i], 2, 3, 4];
        let mut other = [5, x[i] + 6];
        let mut k = 0;
        std::mem::swap(&mut local[{ k += 1; k }], &mut other[{ k += 1; k - 1 }]);
        std::mem::swap(&mut local[i % 4], &mut b);
        let mut pair = (3, b);
        core::mem::swap(&mut pair.0, &mut pair.1);
        let old = std::mem::replace(&mut local[k], a + x[i]) + std::mem::take(&mut pair.1);
        let none = std::mem::take(&mut other[0]);
        let _ = std::mem::replace(&mut k, 1);
        local.swap({ k += 1; k }, 3);
        out[i] = local[0] + 3 * local[1] + 5 * local[2] + 7 * local[3] + 100 * old + 10 * none + a + b + pair.0 + other[1];
    }

    fn letters(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let letter: u8 = b'a' + (x[i] % 26) as u8;
        let upper = letter as u32 - 'a' as u32 + 'A' as u32;
        let vowel = matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u') as u32;
        let small = 'z' as u8 - letter;
        let wide: u64 = upper as _;
        let index: usize = (i as u32 % 9) as _;
        out[i] = upper + 100 * vowel + 1000 * small as u32 + (wide as u32 ^ x[index]);
    }
}

same! { chains guarded_reads jumps matching exchanges letters }

/// The line before the one that has `fn shows`.
const DBG: u32 = line!() + 1;
#[kernel]
fn shows(x: &[u32], y: &mut [f32]) {
    let i = global_id();
    let twice = dbg!(x[i] * 2) + 1;
    let (a, b) = dbg!(twice, y[i] > 1.0);
    dbg!();
    dbg!(a);
    eprintln!("{b}");
    y[i] = twice as f32;
}

#[test]
fn dbg_shows_place_text_and_value_and_has_the_value() {
    let mut y = [1.5];
    let report = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), shows(&[4], &mut y)).unwrap();
    let at = |line: u32, column: u32| format!("[{}:{}:{column}]", file!(), DBG + line);
    let expected = [
        format!("{} x[i] * 2 = 8", at(3, 17)),
        format!("{} twice = 9", at(4, 18)),
        format!("{} y[i] > 1.0 = true", at(4, 18)),
        at(5, 5),
        format!("{} a = 9", at(6, 5)),
        "true".to_owned(),
    ];
    assert_eq!(report.prints(), expected);
    assert_eq!(y, [9.0]);
}

#[kernel]
fn beyond(x: &mut [u32], y: &mut [u32], i: usize, j: usize) {
    std::mem::swap(&mut x[i], &mut y[j]);
    y.swap(i, j);
}

#[test]
fn an_exchange_names_the_element_that_is_not_there() {
    for (i, j, text) in [
        (4, 9, "index 4 is out of bounds of `x`, whose length is 3"),
        (0, 9, "index 9 is out of bounds of `y`, whose length is 2"),
        (2, 0, "index 2 is out of bounds of `y`, whose length is 2"),
    ] {
        let (mut x, mut y) = ([1, 2, 3], [4, 5]);
        let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), beyond(&mut x, &mut y, i, j)).unwrap_err();
        assert!(error.to_string().contains(text), "{error}");
        assert_eq!((x, y), ([1, 2, 3], [4, 5]));
    }
}

#[kernel]
fn unfinished(which: u32) {
    match which {
        0 => todo!(),
        1 => todo!("the case {which}"),
        2 => unimplemented!(),
        3 => unimplemented!("the case {}", which),
        _ => {}
    }
}

#[test]
#[allow(clippy::todo, clippy::unimplemented, reason = "their messages are compared")]
fn what_is_not_finished_panics_with_the_text_of_std() {
    let host = |which: u32| {
        let text = std::panic::catch_unwind(|| match which {
            0 => todo!(),
            1 => todo!("the case {which}"),
            2 => unimplemented!(),
            _ => unimplemented!("the case {}", which),
        });
        let text = text.unwrap_err();
        text.downcast_ref::<String>().cloned().unwrap_or_else(|| (*text.downcast_ref::<&str>().unwrap()).to_owned())
    };
    for which in 0..4 {
        let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), unfinished(which)).unwrap_err().to_string();
        let first = error.lines().next().unwrap();
        assert_eq!(first, format!("error[simt::panic]: {}", host(which)));
    }
}
