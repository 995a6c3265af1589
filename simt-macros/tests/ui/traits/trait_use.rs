use simt::prelude::*;

#[device]
trait Area {
    fn area(self) -> f32;
}

trait OfHost {
    fn size(self) -> f32;
}

#[derive(Clone, Copy, KernelData)]
struct Square {
    side: f32,
}

#[device]
impl Area for Square {
    fn area(self) -> f32 {
        self.side * self.side
    }
}

#[device]
impl OfHost for Square {
    fn size(self) -> f32 {
        self.side
    }
}

#[device]
impl Default for Square {
    fn default() -> Self {
        Square { side: 1.0 }
    }
}

#[device]
impl PartialEq for Square {
    fn eq(&self, other: &Self) -> bool {
        self.side == other.side
    }
}

#[device]
fn twice<T: Area>(x: T) -> f32 {
    x.area() + T::area(x)
}

#[kernel]
fn wrong(x: &[f32], out: &mut [f32]) {
    out[0] = twice(x[0]);
    out[1] = x[1].area();
}

fn main() {}
