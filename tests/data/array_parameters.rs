//! Arrays that the host passes by value.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, PartialEq, KernelData)]
struct P {
    x: f32,
    y: f32,
}

#[kernel]
fn by_value(less: [u32; 4], v: [P; 2], m: [[i32; 2]; 3], x: &[u32], out: &mut [u32], sums: &mut [f32]) {
    let i = global_id();
    out[i] = less[x[i] as usize % 4] + less[1] + less.iter().sum::<u32>() + less.len() as u32;
    out[i] += m[i % 3][i % 2] as u32;
    for l in less {
        out[i] += l;
    }
    sums[i] = v[i % 2].x + v[1].y;
}

#[kernel]
fn changed<T: Num, const N: usize>(mut c: [T; N], [a, b]: [T; 2], out: &mut [T]) {
    let i = global_id();
    c[i % N] += a * b;
    out[i] = c.iter().rev().fold(T::ZERO, |sum, &c| sum + c);
}

#[test]
fn all_threads_have_the_elements() -> Result<(), LaunchError> {
    let (mut out, mut sums) = ([0; 4], [0.0; 4]);
    let v = [P { x: 1.0, y: 2.0 }, P { x: 3.0, y: 4.0 }];
    let (less, m, x) = ([1, 2, 3, 4], [[1, 2], [3, 4], [5, 6]], [3, 2, 1, 0]);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 4), by_value(less, v, m, &x, &mut out, &mut sums))?;
    for i in 0..4 {
        assert_eq!(out[i], less[x[i] as usize] + 2 + 10 + 4 + m[i % 3][i % 2] as u32 + 10);
        assert_eq!(sums[i], v[i % 2].x + 4.0);
    }
    let mut out = [0_i64; 2];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 2), changed([1_i64, 2, 3], [4, 5], &mut out))?;
    assert_eq!(out, [26, 26]);
    Ok(())
}
