use simt::prelude::*;

#[device]
fn count(calls: &mut u32, by: &u32) {
    *calls += 1;
    *by = 2;
}

#[kernel]
fn wrong(out: &mut [u32]) {
    let mut calls = 0;
    count(&mut calls, &1);
    out[0] = calls;
}

fn main() {}
