#![deny(unused)]

use simt::prelude::*;

#[device]
fn wrong(x: u32) -> u32 {
    if x > 3 {
        return 1;
        x + 2
    } else {
        let mut y = x;
        y
    }
}

#[must_use = "it is all there is"]
#[device]
fn double<T: Int>(x: T) -> T {
    x + x
}

#[device]
fn quiet(x: u32) -> u32 {
    x
}

#[derive(Clone, Copy, Default, KernelData)]
struct Counter {
    n: u32,
}

#[device]
impl Counter {
    #[must_use]
    fn next(&mut self) -> u32 {
        self.n += 1;
        self.n
    }

    #[must_use = "it is a copy"]
    fn doubled(self) -> Self {
        Self { n: self.n * 2 }
    }

    fn bump(&mut self) -> u32 {
        self.n += 1;
        self.n
    }
}

#[device]
fn tried(x: u32) -> Result<u32, u32> {
    if x > 3 { Err(x) } else { Ok(x) }
}

#[kernel]
fn not_used(x: &[u32], out: &mut [u32]) {
    let mut counter = Counter::default();
    counter.next();
    counter.doubled();
    Counter::doubled(counter);
    tried(x[0]);
    counter.bump();
    let n = x[0];
    n.wrapping_add(1);
    n + 1;
    n > 3;
    !n;
    out[0] = counter.n;
}

#[kernel]
fn overwritten(x: &[u32], out: &mut [u32]) {
    let mut first = 0;
    first = x[0];
    let mut second = x[1];
    out[0] = first + second;
    second = 2;
    second = x[2];
    for i in 0..4 {
        out[i] = second;
        if i == 2 {
            second = 3;
            break;
        }
        second = x[i];
    }
    let mut third = second;
    out[1] = third;
    third = 7;
}

#[kernel]
fn wrong_too(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    let mut a = x[i];
    #[allow(unused_mut)]
    let mut allowed = x[i];
    let mut items = x.iter();
    double(x[i]);
    quiet(double(x[i]));
    let _ = double(x[i]);
    for k in 0..4 {
        out[i] += wrong(a + 1) + allowed + *items.next().unwrap();
        if k == 2 {
            continue;
            out[i] = 1;
        }
    }
}

fn main() {
    let _ = (wrong_too::program(), not_used::program(), overwritten::program());
}
