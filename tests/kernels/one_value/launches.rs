//! Launches with references to one value: types, atomics, what a failure leaves, races, and kernels of a type.

use super::{Counter, Pair, Shape, Stats, input};
use simt::error::FaultKind;
use simt::language::Atomic;
use simt::prelude::*;
use simt::{Overflow, RaceCheck};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

#[kernel]
fn doubled<T: Num>(x: &[T], sum: &mut T, by: &T, pair: &mut Pair<T>) {
    if global_id() == 0 {
        for v in x {
            *sum += *v * *by;
        }
        pair.a = *sum;
        pair.b += pair.a;
    }
}

/// A generic function of the host has the same bound.
fn launch_doubled<T: Num + Default>(gpu: &dyn crate::support::machine::Machine, x: &[T], by: T) -> (T, Pair<T>) {
    let (mut sum, mut pair) = (T::default(), Pair { a: T::default(), b: by });
    gpu.launch(Grid::new(1, 4), doubled(x, &mut sum, &by, &mut pair)).expect("a launch");
    (sum, pair)
}

#[test]
fn the_value_may_be_of_any_type() {
    everywhere!(|gpu| {
        assert_eq!(launch_doubled(gpu, &[1_u8, 2, 3], 2), (12, Pair { a: 12, b: 14 }));
        assert_eq!(launch_doubled(gpu, &[0.5_f64, 1.5], 3.0), (6.0, Pair { a: 6.0, b: 9.0 }));
        assert_eq!(launch_doubled(gpu, &[-7_i64], 1), (-7, Pair { a: -7, b: -6 }));
    });
}

type Hits = AtomicU32;

#[kernel]
fn counted<A: Atomic<Value = u32>>(x: &[u32], hits: &Hits, other: &A, limit: &u32) {
    if x[global_id()] > *limit {
        hits.fetch_add(1, Relaxed);
        other.store(x[global_id()], Relaxed);
    }
}

#[test]
fn an_atomic_by_another_name_is_one() {
    everywhere!(|gpu| {
        let (hits, other) = (Hits::new(1), AtomicU32::new(0));
        gpu.launch(Grid::new(3, 15), counted(&input(), &hits, &other, &20)).expect("a launch");
        let over: Vec<u32> = input().into_iter().filter(|&v| v > 20).collect();
        assert_eq!(hits.into_inner() as usize, over.len() + 1);
        assert!(over.contains(&other.into_inner()));
    });
}

/// Threads write to fields of their own.
#[kernel]
fn parts(s: &mut Stats, step: &Counter) {
    match global_id() {
        0 => s.sum += step.n,
        1 => s.range.1 = 5,
        2 => {
            if let Some(b) = &mut s.best {
                *b += 1;
            }
        }
        k => s.bins[k % 4] = k as u32,
    }
    println!("{} {:?}", step.n, step);
    sync_threads();
    assert!(s.sum == 8, "the sum is {}", s.sum);
}

#[test]
fn parts_of_a_value_are_places_of_their_own() {
    let expected = Stats { sum: 8, range: (0, 5), bins: [4, 5, 6, 3], best: Some(2) };
    everywhere!(|gpu| {
        let mut s = Stats { best: Some(1), ..Stats::default() };
        let report = gpu.launch(Grid::new(1, 7), parts(&mut s, &Counter { n: 8 })).expect("a launch");
        assert_eq!(s, expected);
        assert_eq!(report.prints(), vec!["8 Counter { n: 8 }"; 7]);
        // A launch that fails leaves the value as it was.
        let error = gpu.launch(Grid::new(1, 7), parts(&mut s, &Counter { n: 1 })).unwrap_err().to_string();
        assert!(error.contains("the sum is 9"), "{error}");
        assert_eq!(s, expected);
    });
    // In order of the threads, no two write to one.
    let gpu = Gpu::<Mimd>::default().with_race_check(RaceCheck::Everywhere);
    let mut s = Stats { best: Some(1), ..Stats::default() };
    gpu.launch(Grid::new(1, 7), parts(&mut s, &Counter { n: 8 })).expect("no race");
}

#[kernel]
fn up(total: &mut u32) {
    *total += 1;
}

#[kernel]
fn up_by_warps(total: &mut u32) {
    if lane_id() == 0 {
        *total += 1;
    }
}

#[test]
fn threads_that_change_it_race() {
    let gpu = Gpu::<Ipdom>::default().with_warp_width(4).with_race_check(RaceCheck::Everywhere);
    let mut total = 5;
    for (launched, same_warp) in [
        (gpu.launch(Grid::new(1, 2), up(&mut total)), true),
        (gpu.launch(Grid::new(1, 5), up_by_warps(&mut total)), false),
    ] {
        let Err(LaunchError::Fault(fault)) = launched else { panic!("{launched:?}") };
        let FaultKind::Race(race) = &fault.kind else { panic!("{fault:?}") };
        assert_eq!((&*race.name, race.same_warp), ("total", same_warp));
    }
    assert_eq!(total, 5);
    // Threads of different blocks are compared if that is asked for.
    gpu.clone().with_race_check(RaceCheck::Grid).launch(Grid::new(2, 1), up(&mut total)).expect_err("a race");
    gpu.launch(Grid::new(2, 1), up(&mut total)).expect("a launch");
    assert_eq!(total, 7);
}

#[kernel]
fn sized(n: &mut usize, by: &usize) {
    *n += *by;
}

#[test]
fn a_size_has_32_bits() {
    let (gpu, grid) = (Gpu::<Ipdom>::default(), Grid::new(1, 1));
    let mut n = 1 << 40;
    let error = gpu.launch(grid, sized(&mut n, &1)).unwrap_err().to_string();
    assert!(error.starts_with("error[simt::argument]") && error.contains("`n[0]`"), "{error}");
    let mut n = u32::MAX as usize;
    gpu.launch(grid, sized(&mut n, &2)).expect("it wraps");
    assert_eq!(n, 1);
    let error = gpu.with_overflow(Overflow::Fault).launch(grid, sized(&mut { u32::MAX as usize }, &2)).unwrap_err();
    assert!(error.to_string().starts_with("error[simt::overflow]"), "{error}");
}

#[test]
fn the_program_has_a_slice() {
    let text = up::program().without_tokens().to_string();
    assert_eq!(text, "kernel up(total: &mut [u32]) {\n    total[0] = total[0] + 1;\n}\n");
}

#[device]
impl Pair<u32> {
    fn total(&self) -> u32 {
        self.a + self.b
    }
}

#[device]
impl Shape {
    #[kernel]
    fn grow(shape: &mut Self, by: &f32) {
        if let Self::Circle(r) = shape {
            *r += *by;
        }
    }
}

#[kernel]
#[allow(clippy::similar_names, reason = "users write such")]
fn with_lifetimes<'a, 'b: 'a>(x: &'a Pair<u32>, (a, b): &'b (u32, u32), y: &mut u32) {
    let mut sum = x.total() + *a * *b;
    let y = &mut *y;
    sum += *y;
    *y = sum;
    let x = x.a;
    *y += x;
}

#[test]
fn kernels_of_types_and_lifetimes() {
    everywhere!(|gpu| {
        let (mut shape, mut y) = (Shape::Circle(1.0), 1);
        gpu.launch(Grid::new(1, 1), Shape::grow(&mut shape, &0.5)).expect("a launch");
        gpu.launch(Grid::new(1, 1), with_lifetimes(&Pair { a: 1, b: 2 }, &(3, 4), &mut y)).expect("a launch");
        assert_eq!((shape, y), (Shape::Circle(1.5), 17));
    });
}
