use simt::prelude::*;

#[kernel]
fn scale<T: Float>(by: T, out: &mut [T]) {
    out[0] = out[0] * by;
}

fn main() {
    let mut out = [1, 2];
    let _ = scale(3, &mut out);
}
