//! Atomics: what `std` means by them, whatever the order of the threads.

use simt::prelude::*;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicIsize, AtomicU32, AtomicU64, AtomicUsize};

const THREADS: usize = 90;

fn values<A, T>(atomics: &[A], load: impl Fn(&A) -> T) -> Vec<T> {
    atomics.iter().map(load).collect()
}

#[kernel]
fn histogram(x: &[u32], bins: &[AtomicU32]) {
    let i = global_id();
    if i < x.len() {
        bins[x[i] as usize % bins.len()].fetch_add(1, Relaxed);
    }
}

#[kernel]
fn shared_histogram(x: &[u32], bins: &[AtomicU32]) {
    #[shared]
    let local: [AtomicU32; 8];
    let t = thread_idx().x;
    if t < local.len() {
        local[t].store(0, Relaxed);
    }
    sync_threads();
    local[x[global_id()] as usize % 8].fetch_add(1, Relaxed);
    sync_threads();
    if t < 8 {
        let count = local[t].load(Relaxed);
        bins[t].fetch_add(count, Relaxed);
    }
}

#[test]
fn counts_are_exact() {
    let x: Vec<u32> = (0..THREADS as u32).map(|i| i * i % 23).collect();
    let mut expected = [0; 8];
    x.iter().for_each(|&x| expected[x as usize % 8] += 1);
    everywhere!(|gpu| {
        let bins = [const { AtomicU32::new(0) }; 8];
        gpu.launch(Grid::new(3, 30), histogram(&x, &bins)).expect("a launch");
        assert_eq!(values(&bins, |bin| bin.load(Relaxed)), expected);
        let bins = [const { AtomicU32::new(0) }; 8];
        gpu.launch(Grid::new(3, 30), shared_histogram(&x, &bins)).expect("a launch");
        assert_eq!(values(&bins, |bin| bin.load(Relaxed)), expected);
    });
}

#[kernel]
fn every_operation(i32s: &[AtomicI32], i64s: &[AtomicI64], usizes: &[AtomicUsize], isizes: &[AtomicIsize]) {
    let i = global_id();
    let n = i as i32 * 7 % 13 - 6;
    i32s[0].fetch_min(n, Relaxed);
    i32s[1].fetch_max(n, AcqRel);
    i32s[2].fetch_sub(n, Ordering::SeqCst);
    i64s[0].fetch_and(!(1 << (i % 60)), Relaxed);
    i64s[1].fetch_or(1 << (i % 60), Release);
    i64s[2].fetch_xor(-1, Acquire);
    usizes[0].fetch_max(i, Relaxed);
    isizes[0].fetch_add(i as isize - 40, Relaxed);
}

#[test]
fn each_operation_is_stds() {
    everywhere!(|gpu| {
        let i32s = [AtomicI32::new(3), AtomicI32::new(-3), AtomicI32::new(0)];
        let i64s = [AtomicI64::new(-1), AtomicI64::new(0), AtomicI64::new(5)];
        let (usizes, isizes) = ([AtomicUsize::new(5)], [AtomicIsize::new(0)]);
        gpu.launch(Grid::new(2, 45), every_operation(&i32s, &i64s, &usizes, &isizes)).expect("a launch");
        let numbers: Vec<i32> = (0..THREADS as i32).map(|i| i * 7 % 13 - 6).collect();
        assert_eq!(values(&i32s, |x| x.load(Relaxed)), [-6, 6, -numbers.iter().sum::<i32>()]);
        assert_eq!(values(&i64s, |x| x.load(Relaxed)), [-1 << 60, (1 << 60) - 1, 5]);
        let signed: isize = (0..THREADS as isize).map(|i| i - 40).sum();
        assert_eq!((usizes[0].load(Relaxed), isizes[0].load(Relaxed)), (THREADS - 1, signed));
    });
}

#[kernel]
fn flags(flags: &[AtomicBool], firsts: &[AtomicU32]) {
    let i = global_id();
    if !flags[0].swap(true, AcqRel) {
        firsts[0].fetch_add(1, Relaxed);
    }
    if flags[1].compare_exchange(false, true, AcqRel, Relaxed).is_ok() {
        firsts[1].fetch_add(1, Relaxed);
    }
    flags[2].fetch_and(i % 2 == 0, Relaxed);
    flags[3].fetch_or(i == 7, Relaxed);
    flags[4].fetch_xor(i < 5, Relaxed);
}

#[test]
fn of_all_threads_one_is_first() {
    everywhere!(|gpu| {
        let set = [false, false, true, false, false].map(AtomicBool::new);
        let firsts = [const { AtomicU32::new(0) }; 2];
        gpu.launch(Grid::new(2, 33), flags(&set, &firsts)).expect("a launch");
        assert_eq!(values(&set, |flag| flag.load(Relaxed)), [true, true, false, true, true]);
        assert_eq!(values(&firsts, |first| first.load(Relaxed)), [1, 1]);
    });
}

#[kernel]
fn compare_and_swap_loop(sums: &[AtomicU64], tries: &mut [u32]) {
    let i = global_id();
    let mut old = sums[0].load(Acquire);
    loop {
        tries[i] += 1;
        let exchanged = sums[0].compare_exchange_weak(old, old + i as u64, Release, Relaxed);
        if exchanged.is_ok() {
            break;
        }
        old = sums[0].load(Relaxed);
    }
}

#[kernel]
fn matched(sums: &[AtomicU64], seen: &mut [u64]) {
    let i = global_id();
    let mut old = 0;
    loop {
        match sums[0].compare_exchange(old, old + 3, AcqRel, Acquire) {
            Ok(was) => {
                seen[i] = was;
                break;
            }
            Err(now) => old = now,
        }
    }
}

#[test]
fn an_exchange_tells_what_was_there() {
    everywhere!(|gpu| {
        let sum = [AtomicU64::new(10)];
        let mut tries = vec![0; THREADS];
        gpu.launch(Grid::new(2, 45), compare_and_swap_loop(&sum, &mut tries)).expect("a launch");
        assert_eq!(sum[0].load(Relaxed), 10 + (0..THREADS as u64).sum::<u64>());
        assert!(tries.iter().all(|&tries| tries >= 1));

        let sum = [AtomicU64::new(0)];
        let mut seen = vec![0; THREADS];
        gpu.launch(Grid::new(2, 45), matched(&sum, &mut seen)).expect("a launch");
        seen.sort_unstable();
        assert_eq!(seen, (0..THREADS as u64).map(|i| i * 3).collect::<Vec<_>>());
    });
}

#[kernel]
fn operations_are_in_place(hist: &[AtomicU32], x: &mut [u32]) {
    let i = global_id();
    let k = i;
    let both = x[k] + hist[k].fetch_add(x[k], Relaxed) * x[k];
    hist[k].store(both, Release);
    x[i] = hist[i].swap(1, Ordering::SeqCst);
}

#[test]
fn operands_are_evaluated_in_order() {
    everywhere!(|gpu| {
        let hist = [const { AtomicU32::new(5) }; 6];
        let mut x = [0, 1, 2, 3, 4, 5];
        gpu.launch(Grid::new(1, 6), operations_are_in_place(&hist, &mut x)).expect("a launch");
        assert_eq!(x, [0, 6, 12, 18, 24, 30]);
        assert_eq!(values(&hist, |x| x.load(Relaxed)), [1; 6]);
    });
}

#[kernel]
fn caching(#[constant] table: &[u32], x: &mut [u32]) {
    let i = global_id();
    x.store_volatile(i, table.load_ca(i) + x.load_volatile(i));
    x.store_cg(i, x.load_cg(i) * 2);
    x.store_cs(i, x.load_cs(i) + table[0]);
    x.store_wt(i, x.load_cv(i) + 1);
    x.store_wb(i, x[i] + 1);
}

#[test]
fn cache_operators_change_no_value() {
    everywhere!(|gpu| {
        let mut x = [10, 20, 30];
        gpu.launch(Grid::new(1, 3), caching(&[1, 2, 3], &mut x)).expect("a launch");
        assert_eq!(x, [25, 47, 69]);
    });
}
