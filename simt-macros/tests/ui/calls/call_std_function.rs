use simt::prelude::*;
use std::cmp::max;
use std::mem::swap;

#[kernel]
fn wrong(n: f32, x: &mut [f32]) {
    x[0] = max(n, x[1]);
}

#[kernel]
fn of_values(mut n: u32, m: u32) {
    swap(&mut n, m);
}

#[kernel]
fn also_wrong(n: u32, x: &mut [u32]) {
    let mut m = n;
    std::mem::swap(&mut x[0], &mut x[1]);
    std::mem::swap(m, &mut x[0]);
    x[1] = std::mem::swap(&mut m, &mut x[0]);
    let fixed = 3;
    x[2] = std::mem::replace(&mut fixed, m);
    m = std::mem::take(&mut (m + 1));
}

fn main() {}
