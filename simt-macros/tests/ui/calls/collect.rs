use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    let twice = x.iter().map(|v| v * 2.0).collect::<Vec<_>>();
    out[i] = twice[i];
}

fn main() {}
