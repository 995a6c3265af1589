use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
enum Cell {
    Empty,
    Wall,
}

#[derive(Clone, Copy, KernelData)]
enum Shape {
    Circle(f32),
    Rect { w: f32, h: f32 },
}

#[kernel]
fn compared(cells: &[Cell], out: &mut [bool]) {
    out[0] = cells[0] == Cell::Wall;
}

#[kernel]
fn cases(cells: &[Cell], out: &mut [u32]) {
    match cells[0] {
        Cell::Empty => out[0] = 1,
    }
}

#[kernel]
fn names(cells: &mut [Cell]) {
    cells[0] = Cell::Water;
    let Cell::Wall = cells[1] else { return };
    cells[1] = 1;
}

#[kernel]
fn fields(out: &mut [f32]) {
    let a = Shape::Circle(1u32);
    let b = Shape::Rect { w: 1.0 };
    let c = Shape::Circle(1.0);
    if let Shape::Rect { w, d } = b {
        out[0] = w;
    }
    if let Shape::Circle(x, y) = a {
        out[0] = x;
    }
}

#[kernel]
fn casts(cells: &[Cell], shapes: u32, out: &mut [f32]) {
    out[0] = cells[0] as f32;
    let shape = Shape::Circle(1.0);
    out[1] = shape as u32 as f32;
    let cell = shapes as Cell;
}

fn main() {}
