use simt::prelude::*;

#[kernel]
fn right(n: u32, x: &[f32], out: &mut [f32]) {
    out[0] = x[0] * n as f32;
}

fn main() {
    let mut out = [0.0_f32; 4];
    let _ = right(1, &[1_u32], &mut out);
    let _ = right(1, &[1.0], &out);
    let _ = right(&[1.0], &mut out);
}
