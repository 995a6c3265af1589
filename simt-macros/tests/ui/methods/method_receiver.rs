use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Counter {
    hits: u32,
}

#[device]
impl Counter {
    fn hit(&mut self, by: u32) -> u32 {
        self.hits += by;
        self.hits
    }

    fn join(&mut self, other: &mut Counter) {
        self.hits += other.hits;
    }
}

#[kernel]
fn wrong(x: &[Counter], n: u32, out: &mut [u32]) {
    let fixed = x[0];
    fixed.hit(1);
    x[0].hit(2);
    let mut counter = x[1];
    counter.hit(1.5);
    counter.hit();
    counter.miss(1);
    n.hit(1);
    out[0] = counter.hits;
}

fn main() {}
