use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Place {
    x: u32,
    y: u32,
}

#[derive(Clone, Copy, KernelData)]
struct Meters(f32);

#[kernel]
fn fields(p: &[Place], out: &mut [u32]) {
    let Place { x } = p[0];
    let Place { x: a, z, .. } = p[1];
    out[0] = x + a;
}

#[kernel]
fn parts(d: &[Meters], out: &mut [f32]) {
    let Meters(a, b) = d[0];
    let Meters(.., c) = d[1];
    out[0] = a;
}

#[kernel]
fn cases(p: &[Place], out: &mut [u32]) {
    match p[0] {
        Place { x: 0, .. } => out[0] = 1,
        Place { y: 3, x } => out[0] = x,
    }
}

#[kernel]
fn types(p: &[Place], d: &[Meters], out: &mut [u32]) {
    let Meters(a) = p[0];
    out[0] = match d[0] {
        Place { x, .. } => x,
    };
}

#[kernel]
fn made(d: &mut [Meters]) {
    d[0] = Meters(1u32);
    d[1] = Meters(1.0, 2.0);
    d[2].1 = 3.0;
}

fn main() {}
