use simt::prelude::*;

#[device]
trait Area { fn area(&self) -> f32; }
#[device]
fn area_of(shape: &dyn Area) -> f32 { shape.area() }
#[kernel]
fn k(out: &mut [f32]) {
    let i = global_id();
    out[i] = 1.0;
}

fn main() {}
