use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Point<T> {
    x: T,
}

fn main() {}
