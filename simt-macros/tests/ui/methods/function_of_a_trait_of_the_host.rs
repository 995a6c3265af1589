use simt::prelude::*;

trait Area {
    fn of(side: f32) -> f32;
    fn area(&self) -> f32;
}
#[derive(Clone, Copy, KernelData)]
struct Square { side: f32 }
impl Area for Square {
    fn of(side: f32) -> f32 { side * side }
    fn area(&self) -> f32 { self.side * self.side }
}
#[kernel]
fn k(out: &mut [f32]) {
    out[0] = Square::of(2.0);
    out[1] = Square { side: 2.0 }.area();
}
#[kernel]
fn by_its_path(out: &mut [f32]) {
    out[0] = <Square as Area>::of(2.0);
}

trait Length { fn length(&self) -> f32; }
#[device]
impl Length for Square {
    fn length(&self) -> f32 { 4.0 * self.side }
}

fn main() {}
