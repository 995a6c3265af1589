use simt::prelude::*;

#[device]
fn add(to: &mut u32, by: &u32, all: &[u32]) -> u32 {
    *to += *by;
    all[0]
}

#[kernel]
fn wrong(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    add(&mut out[i], &out[i + 1], x);
    add(&mut out[i], &x[i], out);
    add(&mut out[i], &add(&mut out[0], &1, x), x);
}

fn main() {}
