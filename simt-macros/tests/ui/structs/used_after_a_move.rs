use simt::prelude::*;

#[derive(Clone, KernelData)]
struct Counter {
    n: u32,
}

#[device]
fn value(counter: Counter) -> u32 {
    counter.n
}

#[device]
fn doubled(counter: Counter) -> u32 {
    value(counter) + value(counter)
}

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let counter = Counter { n };
    let other = counter;
    out[0] = counter.n + other.n;
    out[1] = doubled(other);
}

#[kernel]
fn in_a_loop(n: u32, out: &mut [u32]) {
    let counter = Counter { n };
    for _ in 0..n {
        out[0] += value(counter);
    }
}

fn main() {}
