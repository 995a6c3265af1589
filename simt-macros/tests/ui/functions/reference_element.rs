use simt::prelude::*;

#[device]
fn count(calls: &mut u32) {
    calls += 1;
}

#[kernel]
fn calls(out: &mut [u32]) {
    let mut calls = 0;
    count(&mut calls);
    out[global_id()] = calls;
}

fn main() {}
