//! Loops, and what leaves them.

use crate::skeleton::Skeleton;
use simt::prelude::*;

#[kernel]
fn k05_while(p: &mut [i32]) {
    let i = global_id();
    let mut x = p[i];
    while x > 1 {
        p.store_volatile(i, x);
        x = x * 5 / 7 - p[(x & 63) as usize];
    }
    p[i + 4096] = x;
}

#[kernel]
fn k06_do_while(p: &mut [i32]) {
    let i = global_id();
    let mut x = p[i];
    loop {
        p.store_volatile(i, x);
        x = x * 5 / 7 - p[(x & 63) as usize];
        if x <= 1 {
            break;
        }
    }
    p[i + 4096] = x;
}

#[kernel]
fn k07_for_break(p: &mut [i32], n: usize) {
    let i = global_id();
    let mut s = 0;
    for k in 0..n {
        p.store_volatile(i, 1);
        if p[i + k] == 7 {
            break;
        }
        s += p[k];
        p.store_volatile(i, 2);
    }
    p[i + 4096] = s;
}

#[kernel]
fn k08_for_continue(p: &mut [i32], n: usize) {
    let i = global_id();
    let mut s = 0;
    for k in 0..n {
        p.store_volatile(i, 1);
        if p[i + k] == 7 {
            continue;
        }
        s += p[k];
        p.store_volatile(i, 2);
    }
    p[i + 4096] = s;
}

#[kernel]
fn k09_nested_loop_break_inner(p: &mut [i32], n: usize) {
    let i = global_id();
    let mut s = 0;
    let mut a = 0;
    while a < p[i + 9] as usize {
        p.store_volatile(i, 1);
        for b in 0..n {
            p.store_volatile(i, 2);
            if p[i + a * b] == 7 {
                break;
            }
            s += p[b];
            p.store_volatile(i, 3);
        }
        p.store_volatile(i, 4);
        a += 1;
    }
    p[i + 4096] = s;
}

#[kernel]
fn k10_break_two_levels(p: &mut [i32]) {
    let i = global_id();
    let mut s = 0;
    let mut a = 0;
    'done: while a < p[i + 9] as usize {
        p.store_volatile(i, 1);
        let mut b = 0;
        while b < p[i + 10] as usize {
            p.store_volatile(i, 2);
            if p[i + a * b] == 7 {
                break 'done;
            }
            s += p[b];
            p.store_volatile(i, 3);
            b += 1;
        }
        p.store_volatile(i, 4);
        a += 1;
    }
    p[i + 4096] = s;
}

#[kernel]
fn k14_return_in_loop(p: &mut [i32], n: usize) {
    let i = global_id();
    let mut s = 0;
    for k in 0..n {
        p.store_volatile(i, 1);
        if p[i + k] == 7 {
            p.store_volatile(i, 99);
            return;
        }
        s += p[k];
        p.store_volatile(i, 2);
    }
    p[i + 4096] = s;
}

#[kernel]
fn k14_inf_loop_return(p: &mut [i32]) {
    let i = global_id();
    let mut k = 0;
    loop {
        p.store_volatile(i, 1);
        if p[i + k] == 7 {
            p.store_volatile(i, 99);
            return;
        }
        k += 1;
    }
}

#[kernel]
fn k14_inf_loop_two_returns(p: &mut [i32]) {
    let i = global_id();
    let mut k = 0;
    loop {
        p.store_volatile(i, 1);
        if p[i + k] == 7 {
            p.store_volatile(i, 99);
            return;
        }
        p.store_volatile(i, 2);
        if p[i + k] == 9 {
            p.store_volatile(i, 98);
            p[i] = 6;
            return;
        }
        k += 1;
    }
}

#[kernel]
fn k26_mandelbrot(p: &mut [u32], x0: f32, y0: f32, dx: f32, most: u32) {
    let i = global_id();
    let cx = x0 + dx * thread_idx().x as f32;
    let cy = y0 + dx * block_idx().x as f32;
    let mut x = 0.0;
    let mut y = 0.0;
    let mut k = 0;
    while k < most && x * x + y * y < 4.0 {
        let t = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = t;
        k += 1;
    }
    p[i] = k;
}

pub(crate) fn skeletons() -> Vec<(&'static str, Skeleton)> {
    kernels!(
        k05_while k06_do_while k07_for_break k08_for_continue k09_nested_loop_break_inner k10_break_two_levels
        k14_return_in_loop k14_inf_loop_return k14_inf_loop_two_returns k26_mandelbrot
    )
    .into()
}
