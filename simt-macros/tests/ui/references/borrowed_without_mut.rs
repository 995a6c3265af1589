use simt::prelude::*;

#[device]
fn bump(n: &mut u32) { *n += 1; }
#[kernel]
fn k(out: &mut [u32]) {
    let i = global_id();
    let n = 0;
    bump(&mut n);
    out[i] = n;
}

fn main() {}
