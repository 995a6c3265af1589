use simt::prelude::*;

#[derive(Clone, Copy)]
struct Unknown {
    a: u32,
}

#[derive(Clone, KernelData)]
struct Moved {
    a: u32,
}

#[derive(Clone, Copy, KernelData)]
struct P {
    a: u32,
}

#[kernel]
fn unknown(x: &mut Unknown, y: &Unknown) {}

#[kernel]
fn moved(x: &mut Moved) {}

#[kernel]
fn read_only(x: &u32, p: &P) {
    *x = 1;
    p.a += 1;
}

#[kernel]
fn any<T: Num>(x: &mut T) {
    *x = 1_u32;
}

#[kernel]
fn up(x: &mut u32) {
    *x += 1;
}

fn main() {
    let grid = Grid::new(1, 1);
    let mut n = 1_u32;
    let _ = Gpu::<Ipdom>::default().launch(grid, up(n));
    let _ = Gpu::<Ipdom>::default().launch(grid, up(&n));
    let _ = Gpu::<Ipdom>::default().launch(grid, up(&mut 1_i64));
    let (first, second) = (up(&mut n), up(&mut n));
    let _ = (Gpu::<Ipdom>::default().launch(grid, first), Gpu::<Ipdom>::default().launch(grid, second));
}
