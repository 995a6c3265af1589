use simt::prelude::*;

#[kernel]
fn k(x: &[f32], out: &mut [f32], n: u32) {
    let i = global_id();
    out[i] = x[i] + n as f32;
}
fn main() {
    let mut out = [0.0; 4];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 4), k(&[1.0; 4], &mut out)).unwrap();
}
