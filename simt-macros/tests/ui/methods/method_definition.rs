use simt::prelude::*;
use std::ops::Add;

#[derive(Clone, Copy, KernelData)]
struct Counter {
    hits: u32,
}

#[device]
impl Counter {
    fn into_iter(self, other: Self) -> Self {
        other
    }

    fn boxed(self: Box<Self>) -> u32 {
        self.hits
    }

    fn twice(self) -> u32 {
        vec![self.hits].len() as u32
    }
}

#[device]
impl Add for Counter {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { hits: self.hits + other.hits }
    }
}

impl Counter {
    #[device]
    fn inside(self) -> u32 {
        self.hits
    }
}

#[kernel]
fn wrong(counters: &mut [Counter], out: &mut [u32]) {
    let mut counter = counters[0];
    counter.join(&mut counter);
    out[0] = Counter::hit(counter);
}

fn main() {}
