use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Body {
    at: [f32; 3],
}

#[kernel]
fn length(bodies: &[Body], out: &mut [f32]) {
    let [x, y] = bodies[0].at;
    out[0] = x + y;
}

#[kernel]
fn slice(x: &[f32], out: &mut [f32]) {
    let [a, b] = x;
    out[0] = a + b;
}

#[kernel]
fn number(n: u32, out: &mut [u32]) {
    let [a, b] = n;
    out[0] = a + b;
}

#[kernel]
fn misses(out: &mut [u32]) {
    let v = [1, 2];
    out[0] = match v {
        [0, a] => a,
        [a, 0] => a,
    };
}

#[kernel]
fn changed_rest(bodies: &[Body], out: &mut [f32]) {
    let [x, mut rest @ ..] = bodies[0].at;
    rest[0] = x;
    out[0] = rest[0];
}

#[kernel]
fn of_references(edges: &[[u32; 2]], out: &mut [u32]) {
    for [from, to] in edges {
        out[0] += from * to;
    }
}

fn main() {}
