use simt::prelude::*;

#[kernel]
fn walks(x: &[u32], out: &mut [u32]) {
    let mut rest = &x[1..];
    rest = &rest[1..];
    out[0] = rest[0];
}

#[kernel]
fn chooses(x: &[u32], n: u32, out: &mut [u32]) {
    let some = if n > 3 { &x[1..] } else { &x[2..] };
    out[0] = some[0];
}

fn main() {}
