//! `==` and `<` of structs and tuples, as they are derived.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq, PartialOrd)]
struct Vec3 {
    x: f32,
    y: f32,
    z: f32,
}

impl Vec3 {
    const UP: Self = Self { x: 0.0, y: 1.0, z: 0.0 };

    fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Body {
    at: Vec3,
    speed: Vec3,
    mass: f32,
}

alike! {
    fn compare(x: &[Vec3], limits: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = (x[i], x[(i + 1) % x.len()]);
        let mut result = 0;
        if a == b {
            result += 1;
        }
        if a != b && a != Vec3::UP {
            result += 2;
        }
        if a < b {
            result += 4;
        }
        if a <= b {
            result += 8;
        }
        if a > Vec3::UP || a >= b {
            result += 16;
        }
        let pair = (i as u32 % 3, (i % 9) as i8 - 4);
        if pair < (1, 0) || (pair.0, pair.1) >= (limits[0], 2) {
            result += 32;
        }
        let speeds = Body { at: a, speed: b, mass: 1.0 };
        if speeds == (Body { at: b, speed: a, mass: a.x }) {
            result += 64;
        }
        out[i] = result;
    }
}

#[test]
fn structs_and_tuples_are_compared_field_by_field() {
    let numbers = [0.0, -0.0, 1.0, f32::NAN];
    let vector = |i: usize| Vec3::new(numbers[i % 4], numbers[i / 4 % 3], numbers[i / 8 % 4]);
    let x: Vec<Vec3> = (0..96).flat_map(|i| [vector(i), vector(i * 7 / 8), vector(2), vector(2)]).collect();
    let limits = [1];
    let mut expected = vec![0; x.len()];
    crate::support::host::run(Grid::new(3, 128), || plain::compare(&x, &limits, &mut expected));
    for bit in 0..7 {
        assert!(expected.iter().any(|result| result >> bit & 1 == 1), "{bit}");
    }
    everywhere!(|gpu| {
        let mut out = vec![0; x.len()];
        gpu.launch(Grid::new(3, 128), compare(&x, &limits, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

#[derive(Clone, Copy, KernelData)]
struct Near {
    at: f32,
}

impl PartialEq for Near {
    fn eq(&self, other: &Self) -> bool {
        (self.at - other.at).abs() < 0.001
    }
}

#[derive(Clone, Copy, KernelData, PartialEq, PartialOrd)]
struct Named {
    name: u32,
    near: Near2,
}

#[derive(Clone, Copy, KernelData, PartialEq)]
struct Near2 {
    at: i32,
    time: i32,
}

impl PartialOrd for Near2 {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.time.partial_cmp(&other.time)
    }
}

#[kernel]
fn nearly(x: &[Near], out: &mut [bool]) {
    out[0] = x[0] == x[1];
}

#[kernel]
fn before(x: &[Named], out: &mut [bool]) {
    out[0] = x[0] == x[1];
    out[1] = x[0] < x[1];
}

/// The result would be another on the host.
#[test]
fn a_comparison_that_is_not_derived_is_refused() {
    let gpu = Gpu::<Ipdom>::default();
    let error = gpu.launch(Grid::new(1, 1), nearly(&[Near { at: 1.0 }; 2], &mut [false])).unwrap_err().to_string();
    assert!(error.contains("kernels compare a `Near` field by field, as `#[derive(PartialEq)]` does"), "{error}");
    let named = Named { name: 1, near: Near2 { at: 1, time: 2 } };
    let error = gpu.launch(Grid::new(1, 1), before(&[named; 2], &mut [false; 2])).unwrap_err().to_string();
    assert!(error.contains("kernels compare a `Named` field by field, as `#[derive(PartialOrd)]` does"), "{error}");
}
