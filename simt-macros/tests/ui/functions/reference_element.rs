use simt::prelude::*;

#[device]
fn count(calls: &mut u32) {
    calls += 1;
}

#[kernel]
fn wrong(out: &mut [u32]) {
    count(&mut 3);
    count(&mut (out[0] + 1));
}

fn main() {}
