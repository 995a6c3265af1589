use simt::prelude::*;

#[device]
fn count(calls: &mut u32) {
    *calls += 1;
}

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let calls = 0;
    let mut share = 0.5;
    count(&mut calls);
    count(&mut share);
    count(&n);
    count(n);
}

fn main() {}
