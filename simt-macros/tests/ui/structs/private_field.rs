use simt::prelude::*;

mod points {
    use simt::prelude::*;

    #[derive(Clone, Copy, KernelData)]
    pub struct Point {
        x: u32,
        pub y: u32,
    }
}

#[kernel]
fn wrong(p: points::Point, out: &mut [u32]) {
    out[0] = p.x + p.y;
}

fn main() {}
