use simt::prelude::*;

#[kernel]
fn wrong(x: &[f32], out: &mut [f32]) {
    let mut sum = 0;
    for i in 0..x.len() {
        sum += x[i];
    }
    out[0] = sum;
}

fn main() {}
