use simt::prelude::*;

#[device]
fn apply(n: u32, f: impl Fn(u32) -> u32) -> u32 {
    f(n)
}

#[device]
fn sum(a: u32, b: u32) -> u32 {
    a + b
}

#[kernel]
fn wrong_types(x: &[u32], out: &mut [u32]) {
    out[0] = apply(3, |v| v as f32);
    out[1] = apply(3, |v: i32| v);
    out[2] = apply(3, sum);
    out[3] = apply(3, 4);
    out[4] = apply(3, x);
}

#[kernel]
fn moved(x: &[u32], out: &mut [u32]) {
    let f = |v: &mut u32| *v += 1;
    f(&mut 3);
    f(x[0]);
    let s = |v: &[u32]| v[0];
    out[0] = s(x[1]);
    out[1] = apply(3, |v: &mut u32| *v);
}

#[device]
fn lent(total: &mut u32, f: impl Fn(u32) -> u32) {
    *total = f(*total);
}

#[kernel]
fn aliased(out: &mut [u32]) {
    let mut total = 3;
    lent(&mut total, |v| v + total);
    out[0] = total;
}

#[device]
fn of_references(f: impl Fn(&mut u32), g: impl Fn() -> &[u32]) {}

#[kernel]
fn launched(f: impl Fn(u32) -> u32) {}

fn main() {}
