use simt::prelude::*;

#[kernel]
fn part_of_input(x: &[u32]) {
    let part = &mut x[1..];
    part[0] = 1;
}

#[kernel]
fn through_shared(x: &mut [u32]) {
    let part = &x[1..];
    part[0] = 1;
}

#[kernel]
fn variable(n: u32, out: &mut [u32]) {
    let m = n + 1;
    let r = &mut m;
    *r += 1;
    out[0] = m;
}

#[kernel]
fn element(x: &[u32], out: &mut [u32]) {
    let e = &mut x[1];
    *e = 1;
    out[0] = *e;
}

#[kernel]
fn halves(x: &[u32]) {
    let (a, b) = x.split_at_mut(2);
    a[0] = b[0];
}

#[kernel]
fn pieces(x: &[u32]) {
    for piece in x.chunks_mut(2) {
        piece[0] = 1;
    }
}

fn main() {}
