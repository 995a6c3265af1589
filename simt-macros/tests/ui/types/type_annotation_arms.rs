use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [f32]) {
    let a: f32 = if n > 3 { 1.0 } else { n };
    out[0] = a;
}

fn main() {}
