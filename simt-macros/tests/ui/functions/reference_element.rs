use simt::prelude::*;

#[device]
fn count(calls: &mut u32) {
    calls += 1;
}

fn main() {}
