//! Elements of rows that have a name, before a method, an operator, a cast, and as arguments.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct P {
    a: f32,
    k: [i32; 3],
}

kernels_with_devices! {
    devices:
        fn twice(x: u32) -> u32 {
            2 * x
        }

        fn of(x: &u32) -> u32 {
            *x + 1
        }

    kernels:
        fn of_arrays(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let (u, n) = (x[i], x[i] as i32 - 15);
            let rows = [[u, 2, 3], [4, u + 1, 6]];
            let signed = [[n, -2], [3, -n]];
            let floats = [[u as f32, -2.5], [1.5, 0.25]];
            let row = &rows[i % 2];
            let mut s = row[1].saturating_sub(row[2]).pow(2).max(row[0]) + row[0].count_ones();
            s += twice(row[1]) + of(&row[2]) + (!row[0]) % 7;
            let s1 = &signed[1];
            s += s1[1].abs() as u32 + (-s1[0]).unsigned_abs() + s1[1].rem_euclid(5) as u32 + (-s1[1]) as u8 as u32;
            let f = &floats[i % 2];
            s += f[0].sqrt() as u32 + (-f[1]) as i32 as u32 + f[0].max(f[1]).floor() as u32;
            for row in &rows {
                s = s * 3 + row[1].min(3) + twice(row[2]) + of(&row[0]);
            }
            for (k, row) in rows.iter().enumerate() {
                s += row[0].leading_zeros() + k as u32 + row[k] as u8 as u32;
            }
            for row in rows {
                s += row[1].trailing_zeros() + row[2].pow(2);
            }
            for (a, b) in rows.iter().zip(&signed) {
                s += a[0].wrapping_mul(3) + b[1].signum() as u32 % 5 + (-b[0]) as u32 % 9;
            }
            for pair in x.chunks(5) {
                s += pair[0].min(4) + twice(pair[1]) + !pair[2] % 3;
            }
            for w in rows[1].windows(2) {
                s += w[0].max(w[1]) - w[0].min(w[1]);
            }
            let t = (rows[0], 3_u32);
            s += t.0[1].min(5) + t.1.pow(2);
            let mut m = rows;
            for row in m.iter_mut() {
                row[1] = row[1].pow(2);
                row[0] += row[1].min(9) + of(&row[2]);
            }
            out[i] = s + m[0][0] + m[1][1];
        }

        fn of_structs(x: &[u32], out: &mut [u32]) {
            use super::P;
            let i = global_id();
            let n = x[i] as i32 - 12;
            let one = P { a: -1.5 * x[i] as f32, k: [n, 4, -n] };
            let points = [[one, P { a: 4.0, ..one }], [P { k: [1, -2, 3], ..one }, one]];
            let row = &points[i % 2];
            let mut s = row[1].a.abs() as u32 + row[0].k[1].abs() as u32 + row[0].k[2].unsigned_abs();
            for row in &points {
                s += row[0].k[2].unsigned_abs() + row[1].a.max(2.0) as u32 + (-row[0].k[0]) as u32 % 7;
            }
            for (k, row) in points.iter().enumerate() {
                s += row[k].k[k].pow(2) as u32 + row[k].a.abs() as u32;
            }
            let q = &row[1];
            s += q.k[0].abs() as u32 + q.a.abs().sqrt() as u32;
            let k = &row[1].k;
            out[i] = s + k[0].unsigned_abs() + k[1].clamp(0, 3) as u32 + k.iter().map(|v| v.abs()).max().unwrap() as u32;
        }
}

same! { of_arrays of_structs }

#[kernel]
fn of_slices(x: &[[u32; 4]], p: &[[P; 2]], rows: &mut [[i32; 2]], out: &mut [u32]) {
    let i = global_id();
    let row = &x[i];
    out[i] = row[1].saturating_sub(row[2]) + row[3].pow(2) + !row[0] % 5;
    for r in x {
        out[i] += r[1].min(3);
    }
    for (k, r) in x.iter().enumerate() {
        out[i] += r[k].count_ones();
    }
    let pr = &p[0];
    out[i] += pr[1].a.abs() as u32 + pr[0].k[i].unsigned_abs();
    let changed = &mut rows[i];
    changed[0] = changed[1].abs();
    changed[1] += changed[0].pow(2);
}

#[test]
fn rows_of_slices_have_elements_with_methods() {
    let one = P { a: -2.5, k: [-7, 8, -9] };
    let points = [[one, one]];
    for_each_policy!(P_ => {
        let (mut rows, mut out) = ([[1, -3], [5, -4]], [0; 2]);
        let call = of_slices(&[[1, 9, 4, 2], [2, 1, 7, 3]], &points, &mut rows, &mut out);
        Gpu::<P_>::default().launch(Grid::new(1_u32, 2_i32), call).unwrap();
        // 5 + 4 + 4, 3 + 1, 1 + 1, 2 + 7; 0 + 9 + 3, 4, 2, 2 + 8
        assert_eq!(out, [28, 28]);
        assert_eq!(rows, [[3, 6], [4, 12]]);
    });
}
