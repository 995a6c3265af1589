//! Atomics, shared and local arrays, constant slices and printed lines: the same under every policy and at every width.

use simt::core::Atomic;
use simt::prelude::*;
use std::sync::atomic::Ordering::{self, AcqRel, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicIsize, AtomicU32, AtomicU64, AtomicUsize};

#[kernel]
fn sums(total: &[AtomicU32], wide: &[AtomicU64], signed: &[AtomicI32], sizes: &[AtomicUsize], x: &[u32]) {
    let i = global_id();
    if i >= x.len() {
        return;
    }
    // Divergent, so that every policy splits the warp in its own way.
    if x[i] % 3 == 0 {
        total[0].fetch_add(x[i], Relaxed);
    } else {
        total[(x[i] % 2) as usize].fetch_add(x[i], Ordering::SeqCst);
    }
    wide[0].fetch_add((x[i] as u64) << 32, Relaxed);
    signed[0].fetch_sub(x[i] as i32, Relaxed);
    sizes[0].fetch_add(1, AcqRel);
}

#[test]
fn contended_sums_are_exact() {
    let x: Vec<u32> = (0..1000).map(|i| i * 7 % 64).collect();
    let sum = |keep: fn(&u32) -> bool| x.iter().copied().filter(keep).sum::<u32>();
    let odd = sum(|x| x % 3 != 0 && x % 2 == 1);
    everywhere!(|gpu| {
        let (total, wide) = ([AtomicU32::new(5), AtomicU32::new(0)], [AtomicU64::new(1)]);
        let (signed, sizes) = ([AtomicI32::new(-1)], [AtomicUsize::new(0)]);
        gpu.launch(Grid::new(4, 256), sums(&total, &wide, &signed, &sizes, &x)).unwrap();
        assert_eq!(total.each_ref().map(Atomic::get), [5 + sum(|_| true) - odd, odd]);
        assert_eq!(wide[0].get(), 1 + (u64::from(sum(|_| true)) << 32));
        assert_eq!((signed[0].get(), sizes[0].get()), (-1 - sum(|_| true) as i32, 1000));
    });
}

#[kernel]
fn extremes(x: &[i64], least: &[AtomicI64], greatest: &[AtomicI64], small: &[AtomicIsize]) {
    let i = global_id();
    if i < x.len() {
        least[0].fetch_min(x[i], Relaxed);
        greatest[0].fetch_max(x[i], Relaxed);
        small[0].fetch_max(-(i as isize) - 3, Relaxed);
    }
}

#[test]
fn the_least_and_the_greatest_are_of_the_types_own_order() {
    let x: Vec<i64> = (0..300).map(|i| (i * 37 % 101 - 50) << 40).collect();
    everywhere!(|gpu| {
        let (least, greatest) = ([AtomicI64::new(0)], [AtomicI64::new(i64::MIN)]);
        let small = [AtomicIsize::new(-100)];
        gpu.launch(Grid::new(2, 150), extremes(&x, &least, &greatest, &small)).unwrap();
        assert_eq!((least[0].get(), greatest[0].get(), small[0].get()), (-50 << 40, 50 << 40, -3));
    });
}

#[kernel]
fn bits(and: &[AtomicU32], or: &[AtomicU32], xor: &[AtomicU64], flag: &[AtomicBool]) {
    let i = global_id() as u32;
    and[0].fetch_and(!(1 << i % 32), Relaxed);
    or[0].fetch_or(1 << i % 32, Relaxed);
    xor[0].fetch_xor(i as u64, Relaxed);
    flag[0].fetch_xor(i % 3 == 0, Relaxed);
}

#[test]
fn bits_are_set_cleared_and_flipped() {
    everywhere!(|gpu| {
        let (and, or) = ([AtomicU32::new(u32::MAX)], [AtomicU32::new(0)]);
        let (xor, flag) = ([AtomicU64::new(1 << 50)], [AtomicBool::new(false)]);
        gpu.launch(Grid::new(1, 20), bits(&and, &or, &xor, &flag)).unwrap();
        assert_eq!((and[0].get(), or[0].get()), (!0 << 20, (1 << 20) - 1));
        let parity = (0..20).fold(1u64 << 50, |xor, i| xor ^ i);
        assert_eq!((xor[0].get(), flag[0].get()), (parity, 7 % 2 == 1));
    });
}

/// A queue: each thread takes a place of its own and writes its number there.
#[kernel]
fn queue(tail: &[AtomicUsize], places: &mut [usize]) {
    let i = global_id();
    if i % 3 != 1 {
        let place = tail[0].fetch_add(1, Relaxed);
        places[place] = i;
    }
}

#[test]
fn every_thread_gets_a_place_of_its_own() {
    everywhere!(|gpu| {
        let tail = [AtomicUsize::new(0)];
        let mut places = vec![0; 200];
        gpu.launch(Grid::new(3, 100), queue(&tail, &mut places)).unwrap();
        places.sort_unstable();
        assert_eq!(places, (0..300).filter(|i| i % 3 != 1).collect::<Vec<_>>());
    });
}

/// The greatest, by hand: a loop that tries again until no other thread came between.
#[kernel]
fn greatest(best: &[AtomicU32], tries: &[AtomicU32], x: &[u32]) {
    let i = global_id();
    let mut now = best[0].load(Relaxed);
    while now < x[i] {
        tries[0].fetch_add(1, Relaxed);
        match best[0].compare_exchange(now, x[i], AcqRel, Relaxed) {
            Ok(_) => break,
            Err(found) => now = found,
        }
    }
    tries[1].store(7, Relaxed);
    let was = tries[2].swap(i as u32 + 1, Relaxed);
    tries[3].fetch_add(was, Relaxed);
}

#[test]
fn compare_exchange_writes_only_what_was_expected() {
    let x: Vec<u32> = (0..128).map(|i| i * 77 % 1000).collect();
    everywhere!(|gpu| {
        let (best, tries) = ([AtomicU32::new(3)], [0; 4].map(AtomicU32::new));
        gpu.launch(Grid::new(1, 128), greatest(&best, &tries, &x)).unwrap();
        assert_eq!(best[0].get(), *x.iter().max().unwrap());
        let [count, stored, last, swapped] = tries.each_ref().map(Atomic::get);
        assert!(count >= 1 && stored == 7);
        // What was swapped out and what is left are all numbers.
        assert_eq!(swapped + last, (1..=128).sum::<u32>());
    });
}

/// Each block turns its own part of the slice around, by way of an array that is its own.
#[kernel]
fn reverse(x: &mut [f32]) {
    #[shared]
    let mut tile: [f32; 96];
    let t = thread_idx().x;
    let i = global_id();
    tile[t] = x[i];
    sync_threads();
    x[i] = tile[block_dim().x - 1 - t];
}

#[test]
fn a_shared_array_is_a_blocks_own() {
    let x: Vec<f32> = (0..96 * 5).map(|i| i as f32 / 4.0).collect();
    let expected: Vec<f32> = x.chunks(96).flat_map(|part| part.iter().rev().copied()).collect();
    everywhere!(|gpu| {
        let mut y = x.clone();
        gpu.launch(Grid::new(5, 96), reverse(&mut y)).unwrap();
        assert_eq!(y, expected);
    });
}

/// A histogram in shared memory, added up in global memory.
#[kernel]
fn histogram(data: &[u8], bins: &[AtomicU32]) {
    #[shared]
    let hist: [AtomicU32; 16];
    let t = thread_idx().x;
    if t < hist.len() {
        hist[t].store(0, Relaxed);
    }
    sync_threads();
    let i = global_id();
    if i < data.len() {
        hist[(data[i] % 16) as usize].fetch_add(1, Relaxed);
    }
    sync_threads();
    if t < hist.len() {
        bins[t].fetch_add(hist[t].load(Relaxed), Relaxed);
    }
}

#[test]
fn a_shared_histogram_counts_everything_once() {
    let data: Vec<u8> = (0..1000u32).map(|i| (i * i / 7) as u8).collect();
    let mut expected = [0; 16];
    data.iter().for_each(|&byte| expected[usize::from(byte % 16)] += 1);
    everywhere!(|gpu| {
        let bins = [0; 16].map(AtomicU32::new);
        gpu.launch(Grid::covering(data.len(), 192), histogram(&data, &bins)).unwrap();
        assert_eq!(bins.each_ref().map(Atomic::get), expected);
    });
}

/// Sorts a few values a thread in an array of its own; some threads with less.
#[kernel]
fn sorted(x: &[i16], medians: &mut [i16], evens: &mut [bool]) {
    let i = global_id();
    let mut own = [0i16; 7];
    let mut even = [true; 7];
    let count = 3 + i % 5;
    for k in 0..count {
        let value = x[i + k];
        let mut place = k;
        while place > 0 && own[place - 1] > value {
            own[place] = own[place - 1];
            even[place] = even[place - 1];
            place -= 1;
        }
        own[place] = value;
        even[place] = value % 2 == 0;
    }
    medians[i] = own[count / 2];
    evens[i] = even[count / 2];
}

#[test]
fn a_local_array_is_a_threads_own() {
    let x: Vec<i16> = (0..200).map(|i| (i * 71 % 97) as i16 - 48).collect();
    let expected: Vec<i16> = (0..150)
        .map(|i| {
            let mut own = x[i..][..3 + i % 5].to_vec();
            own.sort_unstable();
            own[own.len() / 2]
        })
        .collect();
    everywhere!(|gpu| {
        let (mut medians, mut evens) = ([0; 150], [false; 150]);
        gpu.launch(Grid::new(3, 50), sorted(&x, &mut medians, &mut evens)).unwrap();
        assert_eq!(medians[..], expected);
        assert!(medians.iter().zip(evens).all(|(median, even)| even == (median % 2 == 0)));
    });
}

#[kernel]
fn weighted(#[constant] weights: &[f64], #[constant] keep: &[bool], x: &mut [f64]) {
    let i = global_id();
    if keep[i % keep.len()] {
        x[i] *= weights[i % weights.len()];
    }
}

#[test]
fn constant_memory_is_read_as_any_other() {
    everywhere!(|gpu| {
        let mut x = [1.0; 12];
        gpu.launch(Grid::new(1, 12), weighted(&[2.0, 3.0, 5.0], &[true, false], &mut x)).unwrap();
        assert_eq!(x, [2.0, 1.0, 5.0, 1.0, 3.0, 1.0, 2.0, 1.0, 5.0, 1.0, 3.0, 1.0]);
    });
}

#[kernel]
fn speaking(x: &[i32]) {
    let i = global_id();
    let mut left = i % 3;
    while left > 0 {
        println!("{i}: {left} left");
        left -= 1;
    }
    if x[i] < 0 {
        println!("{i}: {} is less than zero, {:.2}", x[i], x[i] as f32 / 3.0);
    }
}

#[test]
fn lines_come_in_the_same_order_everywhere() {
    let x: Vec<i32> = (0..100).map(|i| i % 7 - 3).collect();
    let expected: Vec<String> = (0..100)
        .flat_map(|i| {
            let left = (1..=i % 3).rev().map(move |left| format!("{i}: {left} left"));
            let negative = x[i] < 0;
            let line = format!("{i}: {} is less than zero, {:.2}", x[i], x[i] as f32 / 3.0);
            left.chain(negative.then_some(line))
        })
        .collect();
    everywhere!(|gpu| {
        let mut report = gpu.launch(Grid::new(2, 50), speaking(&x)).unwrap();
        assert_eq!(report.prints(), expected);
        assert!(report.to_string().contains("  printed\n    0: -3 is less than zero, -1.00\n    1: 1 left\n"));
        let other = report.clone();
        report.merge(&other);
        assert_eq!(report.prints().len(), 2 * expected.len());
    });
}
