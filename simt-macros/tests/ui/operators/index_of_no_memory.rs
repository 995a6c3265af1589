use simt::prelude::*;
use std::ops::*;

#[derive(Clone, Copy, KernelData)]
struct V {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, KernelData)]
struct ReadOnly {
    x: [f32; 4],
}

#[device]
impl Index<usize> for ReadOnly {
    type Output = f32;

    fn index(&self, i: usize) -> &f32 {
        &self.x[i]
    }
}

#[kernel]
fn no_index(out: &mut [f32]) {
    let v = V { x: 1.0, y: 2.0 };
    out[0] = v[1];
}

#[kernel]
fn no_index_of_two(out: &mut [f32]) {
    let v = V { x: 1.0, y: 2.0 };
    out[0] = v[(0, 1)];
}

#[kernel]
fn no_index_mut(out: &mut [f32]) {
    let mut v = ReadOnly { x: [0.0; 4] };
    v[1] = 3.0;
    out[0] = v[1];
}

#[kernel]
fn another_index(out: &mut [f32]) {
    let v = ReadOnly { x: [0.0; 4] };
    out[0] = v[(1, 2)];
}

#[device]
fn change(x: &mut f32) {
    *x += 1.0;
}

#[kernel]
fn lent(out: &mut [f32]) {
    let mut v = ReadOnly { x: [0.0; 4] };
    change(&mut v[(1, 2)]);
    out[0] = 1.0;
}

fn main() {}
