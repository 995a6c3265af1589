use simt::prelude::*;

#[kernel]
fn k(x: f32, y: &[f32], n: &mut [u32]) {
    if y[0] {
        n[0] = 1;
    }
    while n[0] {
        n[0] -= 1;
    }
    let flag: bool = x;
    let other = x as bool;
    if x && flag {
        n[0] = 1;
    }
}

fn main() {}
