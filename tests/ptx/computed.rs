//! Kernels of the corpus against plain Rust, under every policy.

use crate::{LENGTH, Other, corpus, launched, machine::Machine, numbers};
use simt::{Gpu, Grid};

/// Calls a function with a machine of each policy.
fn everywhere(test: &mut dyn FnMut(&dyn Machine)) {
    simt::for_each_policy!(P => test(&Gpu::<P>::default()));
}

const THREADS: usize = 128;

fn grid() -> Grid {
    Grid::new(2, 64)
}

/// A kernel of one buffer by each compiler, and what thread `i` leaves at `i + 4096`, of what the buffer has held.
fn check(stem: &str, kernel: &str, others: &[Other], grid: Grid, expected: impl Fn(&[i32], usize) -> i32) {
    let files = corpus(stem);
    let start = numbers(7, LENGTH);
    for (file, module) in &files {
        let Some(name) = module.kernels().find(|name| *name == kernel) else { continue };
        let compiled = module.kernel(name).unwrap_or_else(|error| panic!("{error}"));
        everywhere(&mut |gpu| {
            let (left, _) = launched(gpu, &compiled, grid, std::slice::from_ref(&start), others)
                .unwrap_or_else(|error| panic!("{error}"));
            for i in 0..THREADS {
                assert_eq!(left[0][4096 + i], expected(&start, i), "thread {i} of {kernel} of {file}");
            }
        });
    }
}

#[test]
fn pure_arithmetic() {
    check("k30_yield_probe", "y01_pure_alu", &[], grid(), |p, i| {
        let mut s = i as u32;
        for _ in 0..p[i] {
            s = s.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            s ^= s >> 3;
        }
        s as i32
    });
}

#[test]
fn loads_that_depend_on_loads() {
    check("k30_yield_probe", "y02_plain_load", &[], grid(), |p, i| {
        (0..p[i]).fold(0i32, |s, _| s.wrapping_add(p[(s & 1023) as usize]))
    });
}

#[test]
fn shared_memory_and_barriers() {
    // A block for all of its array.
    check("k30_yield_probe", "y09_shared_load", &[], Grid::new(1, 256), |p, i| {
        (0..p[i]).fold(0i32, |s, _| s + p[(s & 255) as usize])
    });
}

#[test]
fn sums_that_others_cannot_see() {
    check("k30_yield_probe", "y18_asm_volatile", &[], grid(), |p, i| i as i32 + 5 * p[i]);
    check("k30_yield_probe", "y17_nanosleep", &[], grid(), |p, i| {
        (0..p[i]).fold(i as i32, |s, _| s.wrapping_mul(3).wrapping_add(1))
    });
    check("k30_yield_probe", "y13_fence", &[], grid(), |p, i| {
        (0..p[i]).fold(i as i32, |s, _| s.wrapping_mul(3).wrapping_add(1))
    });
}

/// How many steps a point takes to leave the circle, as the compiler has ordered the operations.
fn steps(i: usize) -> i32 {
    let along = |number: usize, start: f32| (number as f32).mul_add(0.03, start);
    let (cx, cy) = (along(i % 64, -1.5), along(i / 64, -1.0));
    let (mut x, mut y, mut xx, mut yy) = (0f32, 0f32, 0f32, 0f32);
    for step in 1.. {
        let next = cx + (xx - yy);
        y = (x + x).mul_add(y, cy);
        (xx, yy) = (next * next, y * y);
        x = next;
        if step == 40 || xx + yy >= 4.0 {
            return step;
        }
    }
    unreachable!("the loop ends")
}

#[test]
fn points_of_the_mandelbrot_set() {
    let others = [Other::Float(-1.5), Other::Float(-1.0), Other::Float(0.03), Other::Word(40)];
    let files = corpus("k26_mandelbrot");
    assert_eq!(files.len(), 1);
    let kernel = files[0].1.kernel("k26_mandelbrot").unwrap();
    everywhere(&mut |gpu| {
        let (left, report) = launched(gpu, &kernel, grid(), &[vec![0; LENGTH]], &others).unwrap();
        let expected: Vec<i32> = (0..THREADS).map(steps).collect();
        assert_eq!(left[0][..THREADS], expected);
        // Each instruction of the file once: fourteen in front of the branch, five to the loop, thirteen in each round, and seven at the end.
        let rounds: i32 = expected.iter().sum();
        assert_eq!(report.thread_instructions(), (14 + 5 + 7) * THREADS as u64 + 13 * rounds as u64);
    });
}
