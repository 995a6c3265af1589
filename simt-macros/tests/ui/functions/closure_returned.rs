use simt::prelude::*;

#[device]
fn adder(n: u32) -> impl Fn(u32) -> u32 {
    move |x| x + n
}

#[kernel]
fn add(out: &mut [u32]) {
    let add = adder(1);
    out[global_id()] += 1;
}

fn main() {}
