use simt::prelude::*;

#[kernel]
fn missing(n: u32, out: &mut [u32]) {
    match (n, 3) {
        (0, k) | (_, 0) => out[0] = k,
        _ => out[0] = 2,
    }
}

#[kernel]
fn types(n: u32, x: f32, out: &mut [u32]) {
    match (n, x) {
        (0, k) | (k, _) => out[0] = k,
    }
}

fn main() {}
