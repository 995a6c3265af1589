//! Patterns of arrays.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Body {
    at: [i32; 3],
    mass: u32,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Pair(u32, u32);

mod on_device {
    use simt::prelude::*;

    #[device]
    pub(super) fn weighted([a, mut b]: [u32; 2], by: u32) -> u32 {
        b *= by;
        a + b
    }
}

mod on_host {
    pub(super) fn weighted([a, mut b]: [u32; 2], by: u32) -> u32 {
        b *= by;
        a + b
    }
}

macro_rules! both {
    ($(fn $name:ident($($params:tt)*) $body:block)*) => {
        mod kernel {
            use super::{Pair, on_device::weighted};
            use simt::prelude::*;
            $(#[kernel] pub(super) fn $name($($params)*) $body)*
        }
        mod plain {
            #![allow(clippy::all, clippy::pedantic, reason = "the text is written for the device")]
            use super::{Pair, on_host::weighted};
            use crate::support::host::*;
            $(pub(super) fn $name($($params)*) $body)*
        }
    };
}

both! {
    fn taken(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        let v = [n, n / 2, n % 5, 7];
        let [a, b, c, d] = v;
        let mut w = [0u32; 12];
        w[0] = n;
        w[10] = 3;
        w[11] = b;
        let [first, .., last] = w;
        let [.., ten, _] = w;
        w[0] = 100;
        w[11] = 200;
        let [mut s, t] = [n, 2];
        s += t;
        let [lo, hi] = if a < last + ten { [a, ten] } else { [ten, a] };
        let mut sum = a + 2 * b + 3 * c + 4 * d + first + last + ten + s + lo * hi;
        let [Pair(p, _), Pair(_, q)] = [Pair(n, 1), Pair(2, b)];
        sum += p * q;
        for [u, v] in [[n, 1], [2, 3], [c, d]] {
            sum = 3 * sum + u * v;
        }
        let edges = [[0u32, n], [1, 2]];
        for &[from, to] in &edges {
            sum += from * to;
        }
        for (k, &[from, .., to]) in edges.iter().enumerate() {
            sum += k as u32 + from * to;
        }
        let apart = |[a, b]: [u32; 2], (c, Pair(d, _)): (u32, Pair)| a * b + c * d;
        out[i] = sum + w[0] + w[11] + weighted([a, b], 3) + apart([n, 3], (c, Pair(d, 1)));
    }

    fn matched(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        let v = [n % 3, n % 4, n % 2];
        let mut result = match v {
            [0, 0, _] => 1,
            [0, b, 1] | [b, 0, 1] if b > 1 => 10 + b,
            [a @ 1..=2, .., 0] => 20 + a,
            [first, rest @ ..] if false => first + rest.len() as u32,
            [.., last] => 30 + last,
        };
        let pair = ([n % 2, n % 3], Pair(n, 5));
        if let ([1, y], Pair(z, 5)) = pair {
            result += 100 * y + z;
        }
        if let [2, _, z] = v && let [a, ..] = v {
            result += 1000 * z + a;
        }
        let [0 | 1, b, _] = v else {
            out[i] = result;
            return;
        };
        if matches!(v, [1, ..] | [.., 1]) {
            result += 5;
        }
        out[i] = result + b + 10000;
    }
}

same!(taken matched);

#[kernel]
fn fields(bodies: &mut [Body], points: &[[f32; 2]], out: &mut [f32]) {
    let i = global_id();
    let Body { at: [x, mut y, z], .. } = bodies[i];
    y += x * z;
    bodies[i].at[1] = y;
    let body = bodies[i];
    bodies[i].mass = match body {
        Body { at: [0, ..], mass } => mass,
        Body { at: [.., 2], mass: 0..4 } => 50,
        Body { at: [first, others @ ..], .. } => {
            let mut sum = first;
            for other in others {
                sum += other;
            }
            (sum + others.len() as i32) as u32
        }
    };
    let [u, v] = points[i];
    out[i] = u - v;
}

#[test]
fn fields_and_elements_that_are_arrays_are_taken_apart() {
    let bodies: Vec<Body> = (0..30).map(|i| Body { at: [i % 3, i % 7 - 2, i % 4], mass: i as u32 % 6 }).collect();
    let points: Vec<[f32; 2]> = (0..30).map(|i| [i as f32, 0.5 * i as f32]).collect();
    let expected: Vec<Body> = bodies
        .iter()
        .map(|body| {
            let [x, mut y, z] = body.at;
            y += x * z;
            let mass = match (x, z, body.mass) {
                (0, _, mass) => mass,
                (_, 2, 0..4) => 50,
                _ => (x + y + z + 2) as u32,
            };
            Body { at: [x, y, z], mass }
        })
        .collect();
    everywhere!(|gpu| {
        let (mut all, mut out) = (bodies.clone(), vec![0.0; 30]);
        gpu.launch(Grid::new(2, 15), fields(&mut all, &points, &mut out)).unwrap();
        assert_eq!(all, expected);
        assert!(out.iter().zip(&points).all(|(out, [u, v])| *out == u - v));
    });
}

#[test]
fn what_is_left_of_an_array_has_elements() {
    #[kernel]
    fn no_rest(out: &mut [u32]) {
        let [a, rest @ ..] = [out[0]];
        out[0] = a + rest.len() as u32;
    }
    #[kernel]
    fn named(out: &mut [u32]) {
        let v = [1, 2, 3];
        let [a, rest @ ..] = v;
        out[0] = a + rest[1] * 10;
    }
    let (gpu, mut out) = (Gpu::<Ipdom>::default(), [0]);
    assert!(gpu.launch(Grid::new(1, 1), named(&mut out)).is_ok());
    assert_eq!(out, [31]);
    let error = gpu.launch(Grid::new(1, 1), no_rest(&mut [0])).unwrap_err().to_string();
    assert!(error.contains("`rest` has no elements"), "{error}");
}
