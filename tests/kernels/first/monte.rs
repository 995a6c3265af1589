//! The number pi by random points.

use simt::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Copy, KernelData)]
struct Pcg {
    state: u64,
    inc: u64,
}

#[device]
fn next(rng: &mut Pcg) -> u32 {
    let old = rng.state;
    rng.state = old.wrapping_mul(6364136223846793005).wrapping_add(rng.inc | 1);
    let xorshifted = (((old >> 18) ^ old) >> 27) as u32;
    let rot = (old >> 59) as u32;
    xorshifted.rotate_right(rot)
}

#[device]
fn uniform01(rng: &mut Pcg) -> f32 {
    (next(rng) >> 8) as f32 / (1u32 << 24) as f32
}

#[kernel]
fn pi(seed: u64, samples: u32, hits: &[AtomicU64]) {
    let mut rng = Pcg { state: seed, inc: 2 * global_id() as u64 + 1 };
    next(&mut rng);
    rng.state += seed;
    next(&mut rng);
    let mut inside = 0u64;
    for _ in 0..samples {
        let (x, y) = (uniform01(&mut rng), uniform01(&mut rng));
        inside += (x * x + y * y <= 1.0) as u64;
    }
    hits[0].fetch_add(inside, Ordering::Relaxed);
}

#[test]
fn pi_is_three() {
    let want: u64 = (0..256u64)
        .map(|i| {
            let mut s = 42u64;
            let inc = 2 * i + 1;
            let mut next = || {
                let old = s;
                s = old.wrapping_mul(6364136223846793005).wrapping_add(inc | 1);
                ((((old >> 18) ^ old) >> 27) as u32).rotate_right((old >> 59) as u32)
            };
            next();
            let mut s2 = s.wrapping_add(42);
            let mut next = || {
                let old = s2;
                s2 = old.wrapping_mul(6364136223846793005).wrapping_add(inc | 1);
                ((((old >> 18) ^ old) >> 27) as u32).rotate_right((old >> 59) as u32)
            };
            next();
            let mut u = || (next() >> 8) as f32 / (1u32 << 24) as f32;
            (0..100)
                .map(|_| {
                    let (x, y) = (u(), u());
                    (x * x + y * y <= 1.0) as u64
                })
                .sum::<u64>()
        })
        .sum();
    for_each_policy!(P => {
        let hits = [AtomicU64::new(0)];
        Gpu::<P>::default().launch(Grid::new(4, 64), pi(42, 100, &hits)).unwrap();
        assert_eq!(hits[0].load(Ordering::Relaxed), want);
    });
}
