use simt::prelude::*;

#[kernel]
fn not_sliced(n: u32, out: &mut [u32]) {
    let part = &n[1..];
    out[0] = part[0];
}

#[kernel]
fn ends(x: &[u32], n: u32, out: &mut [u32]) {
    out[0] = sum(&x[..n]);
}

#[kernel]
fn elements(x: &[f32], out: &mut [u32]) {
    out[0] = sum(&x[1..]);
}

#[kernel]
fn annotated(x: &[u32], out: &mut [u32]) {
    let part: &[f32] = &x[1..];
    let e: &f32 = &x[1];
    out[0] = part.len() as u32;
}

#[kernel]
fn not_a_reference(x: &[u32], out: &mut [u32]) {
    let n: u32 = &x[2];
    out[0] = n;
}

#[kernel]
fn names(x: &[u32], out: &mut [u32]) {
    let (a, (b, c)) = x.split_at(1);
    out[0] = a[0];
}

#[device]
fn sum(x: &[u32]) -> u32 {
    x[0]
}

fn main() {}
