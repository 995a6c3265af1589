//! Loops over the elements of slices and arrays: the text is compiled as plain Rust, too.

use simt::prelude::*;

kernels! {
    #[device]
    fn total(x: &[u32]) -> u32 {
        let mut sum = 0;
        for v in x {
            sum += *v;
        }
        sum
    }

    #[device]
    fn double(x: &mut [u32]) {
        for v in x.iter_mut() {
            *v *= 2;
        }
    }

    fn whole(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        for v in x {
            sum += v;
        }
        for v in x.iter() {
            let v = *v + 1;
            if v % 5 == 0 {
                continue;
            }
            sum ^= v;
        }
        for &v in x {
            if v > sum { break; }
            sum += 1;
        }
        for _ in x.iter() {
            sum += 3;
        }
        let mut local = [1, x[i], 3, 4];
        double(&mut local);
        for &mut_free in &local {
            sum += mut_free;
        }
        for mut v in local {
            v += 1;
            local[3] = 100;
            sum = 3 * sum + v;
        }
        for v in local.into_iter() {
            sum = 5 * sum + v;
        }
        out[i] = sum + total(&local) + total(x);
    }

    fn adapted(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        let k = 1 + x[i] as usize % 5;
        for (at, v) in x.iter().enumerate() {
            sum += at as u32 * *v;
        }
        for (at, &v) in x.iter().skip(k).enumerate().take(7) {
            sum = sum % 1000 * 3 + at as u32 + v;
        }
        for (a, &b) in x.iter().zip(x.iter().skip(3)) {
            sum ^= a * b;
        }
        for v in x.iter().rev().step_by(k).take(4) {
            sum = sum % 1000 * 5 + v;
        }
        let five = [1, 2, 3, 4, 5];
        'rows: for (at, (a, b)) in x.iter().step_by(k).zip(&five).enumerate().rev() {
            for v in x.iter().take(at).copied() {
                sum += v;
                if sum % 13 == 0 { continue 'rows; }
                if sum % 97 == 0 { break 'rows; }
            }
            sum += a + b;
        }
        for v in x.iter().skip(x.len() + 2).step_by(3).rev() {
            sum += 1000 + v;
        }
        for v in x.iter().take(x.len() - 40 + k).step_by(k).rev() {
            sum = sum % 1000 * 7 + *v;
        }
        out[i] = sum;
    }

    fn at_once(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut local = [0; 3];
        let mut other = [[1, 2], [x[i], 4], [5, 6]];
        let more = [[7, x[i]], [8, 9], [10, 11]];
        let mut n = 2;
        local.fill({ n += x[i]; n });
        let mut sum = local[0] + 3 * local[1] + 5 * local[2];
        other.copy_from_slice(&more);
        let third = [x[i], 1, n];
        local.copy_from_slice(&third);
        sum = 7 * sum + other[0][1] + other[2][0] + local[2];
        if x.contains(&(i as u32)) && !local.contains(&3) || more.len() == 4 {
            sum += 1000;
        }
        out[i] = sum;
    }

    fn changed(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut local = [0; 12];
        for (at, v) in local.iter_mut().enumerate() {
            *v = at as u32 + x[i];
        }
        for (v, w) in local.iter_mut().zip(x.iter().skip(i % 9)) {
            if *w % 3 == 0 { continue; }
            *v += *w;
            *v ^= *v >> 2;
        }
        let mut other = [x[i]; 5];
        for (a, b) in other.iter_mut().zip(local.iter_mut().rev()) {
            std::mem::swap(a, b);
            *a += 1;
        }
        for v in &mut other {
            *v = *v * 3 % 1000;
        }
        let mut sum = 0;
        for v in local { sum = sum * 3 + v; }
        for v in other { sum = sum * 3 + v; }
        out[i] = sum;
    }
}

same! { whole adapted changed at_once }

#[kernel]
fn copies(x: &[u32], y: &mut [u32]) {
    y.copy_from_slice(x);
}

#[test]
fn lengths_that_differ_panic_as_in_rust() {
    let mut y = [0; 3];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), copies(&[1, 2, 3], &mut y)).unwrap();
    assert_eq!(y, [1, 2, 3]);
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), copies(&[4, 5], &mut y)).unwrap_err().to_string();
    let host = std::panic::catch_unwind(|| [0; 3].copy_from_slice(&[4, 5][..])).unwrap_err();
    assert_eq!(
        error.lines().next().unwrap(),
        format!("error[simt::panic]: {}", host.downcast_ref::<String>().unwrap())
    );
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Point {
    at: f32,
    speed: f32,
    hits: u32,
}

#[kernel]
fn step(points: &mut [Point], sums: &mut [f32]) {
    let mut sum = 0.0;
    for p in points.iter() {
        sum += p.at;
        let p = *p;
        sum += p.speed;
    }
    sums[global_id()] = sum;
    for p in points {
        p.at += p.speed;
        p.hits = p.hits + 1;
        if p.at > 4.0 {
            *p = Point { at: 0.0, ..*p };
        }
    }
}

#[kernel]
fn written(out: &mut [u32]) {
    for v in out.iter_mut().skip(global_id()).step_by(4) {
        *v += 1;
    }
}

#[kernel]
fn partly(out: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 8];
    let t = thread_idx().x;
    if t < 4 {
        tile[t] = t as u32;
    }
    sync_threads();
    let mut sum = 0;
    // What nothing reads is not read: the last four have no value.
    for (at, v) in tile.iter().enumerate() {
        if at < 4 {
            sum += *v;
        }
    }
    sync_threads();
    tile[t] = sum;
    tile[7 - t] = sum;
    sync_threads();
    for v in tile {
        sum += v;
        sync_threads();
        tile[t] = 9;
    }
    out[t] = sum;
}

#[test]
fn references_are_to_the_elements() {
    everywhere!(|gpu| {
        let mut points = [Point { at: 1.0, speed: 2.0, hits: 0 }, Point { at: 2.5, speed: 2.0, hits: 7 }];
        let mut sums = [0.0];
        gpu.launch(Grid::new(1, 1), step(&mut points, &mut sums)).unwrap();
        assert_eq!(points, [Point { at: 3.0, speed: 2.0, hits: 1 }, Point { at: 0.0, speed: 2.0, hits: 8 }]);
        assert_eq!(sums, [7.5]);
        let mut out = [0; 11];
        gpu.launch(Grid::new(1, 4), written(&mut out)).unwrap();
        assert_eq!(out, [1; 11]);
        let mut out = [0; 4];
        gpu.launch(Grid::new(1, 4), partly(&mut out)).unwrap();
        assert_eq!(out, [6 + 8 * 6; 4], "a copy, which the loop does not change");
    });
}

#[kernel]
fn steps(x: &[u32], k: usize, out: &mut [u32]) {
    for v in x.iter().step_by(k) {
        out[0] += v;
    }
}

#[test]
fn steps_of_none_panic_as_in_rust() {
    let mut out = [0];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), steps(&[1, 2, 3, 4], 3, &mut out)).unwrap();
    assert_eq!(out, [5]);
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), steps(&[1], 0, &mut out)).unwrap_err();
    assert!(error.to_string().starts_with("error[simt::panic]: assertion failed: step != 0"), "{error}");
    let mut none = [];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), steps(&[], 3, &mut none)).unwrap();
}
