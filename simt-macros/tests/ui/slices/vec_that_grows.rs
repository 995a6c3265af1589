use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    let mut stack = Vec::new();
    stack.push(x[i]);
    while let Some(v) = stack.pop() { out[i] += v; }
}

fn main() {}
