use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Point {
    x: u32,
}

#[device]
impl Point {
    fn doubled(self) -> u32 {
        2 * self.x
    }
}

#[kernel]
fn wrong(p: Point, out: &mut [u32]) {
    out[0] = p.doubled;
}

fn main() {}
