use simt::prelude::*;

#[kernel]
fn wrong(x: &mut [f32]) {
    let i = global_id();
    x[i] = fmaxf(x[i], sqrtf(x[i]));
    x[i] = powf(x[i], 2.0) + rsqrtf(x[i]);
    printf("%f", x[i]);
}

fn main() {}
