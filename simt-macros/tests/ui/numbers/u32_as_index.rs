use simt::prelude::*;

#[kernel]
fn scale(x: &mut [f32], n: u32) {
    let i = global_id() as u32;
    if i < n {
        x[i] *= 2.0;
    }
}

fn main() {}
