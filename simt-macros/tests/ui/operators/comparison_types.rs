use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct V {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, KernelData, PartialEq)]
struct Key {
    high: u32,
    low: u32,
}

#[kernel]
fn wrong(keys: &[Key], out: &mut [bool]) {
    out[0] = keys[0] == (keys[1].high, keys[1].low);
}

fn main() {}
