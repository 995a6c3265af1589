use simt::prelude::*;

#[kernel]
fn wrong(x: &[f32], out: &mut [f32]) {
    let mut stack = Vec::new();
    stack.push(x[0]);
    out[0] = stack[0];
}

fn main() {}
