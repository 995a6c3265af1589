//! The device functions of the library, which the threads of a warp or of a block call together, against sums by hand.

use simt::prelude::*;
use simt::{block, warp};

#[kernel]
fn of_warps<T: Num>(x: &[T], sums: &mut [T], prefixes: &mut [T], products: &mut [T], least: &mut [T]) {
    let i = global_id();
    sums[i] = warp::sum(x[i]);
    prefixes[i] = warp::prefix_sum(x[i]);
    products[i] = warp::prefix_product(x[i]);
    least[i] = warp::prefix_min(x[i]) + warp::max(x[i]) - warp::min(x[i]);
}

#[kernel]
fn of_blocks<T: Num>(x: &[T], sums: &mut [T], prefixes: &mut [T], least: &mut [T]) {
    let i = block_idx().x * block::threads() + block::thread_id();
    for _ in 0..2 {
        sums[i] = block::sum(x[i]);
        prefixes[i] = block::prefix_sum(x[i]);
    }
    least[i] = block::prefix_min(x[i]) + block::max(x[i]) - block::min(x[i]);
}

fn input(threads: usize) -> Vec<i64> {
    (0..threads as i64).map(|i| 1 + i * 37 % 11 - i % 3).collect()
}

/// The prefixes of each group of so many elements.
fn prefixes(x: &[i64], group: usize, both: fn(i64, i64) -> i64) -> Vec<i64> {
    let scan = |group: &[i64]| {
        let mut before = None;
        let next = |&own: &i64| {
            before = Some(before.map_or(own, |before| both(before, own)));
            before
        };
        group.iter().map_while(next).collect::<Vec<i64>>()
    };
    x.chunks(group).flat_map(scan).collect()
}

/// Of each group what its last prefix is, in all of its places.
fn whole(x: &[i64], group: usize, both: fn(i64, i64) -> i64) -> Vec<i64> {
    let last = |group: &[i64]| vec![*group.last().expect("a group has an element"); group.len()];
    prefixes(x, group, both).chunks(group).flat_map(last).collect()
}

#[test]
fn lanes_of_a_warp_add_up() {
    everywhere!(|gpu| {
        let width = gpu.config().warp_width;
        // A last warp that is full, one of three lanes, one of one.
        for threads in [2 * width, width + 3, 1] {
            let x = input(threads);
            let [mut sums, mut scans, mut products, mut least] =
                [const { Vec::new() }; 4].map(|_: Vec<i64>| vec![0; threads]);
            let launched = of_warps(&x, &mut sums, &mut scans, &mut products, &mut least);
            gpu.launch(Grid::new(1, threads), launched).unwrap();
            assert_eq!(sums, whole(&x, width, |a, b| a + b));
            assert_eq!(scans, prefixes(&x, width, |a, b| a + b));
            assert_eq!(products, prefixes(&x, width, i64::wrapping_mul));
            let spread = whole(&x, width, i64::max).into_iter().zip(whole(&x, width, i64::min));
            let expected =
                prefixes(&x, width, i64::min).into_iter().zip(spread).map(|(least, (most, all))| least + most - all);
            assert!(least.into_iter().eq(expected));
        }
    });
}

#[test]
fn threads_of_a_block_add_up() {
    everywhere!(|gpu| {
        for block in [(70, 1, 1), (6, 5, 2), (3, 1, 1)] {
            let threads = block.0 * block.1 * block.2;
            let x = input(2 * threads);
            let [mut sums, mut scans, mut least] = [(); 3].map(|()| vec![0; 2 * threads]);
            let launched = of_blocks(&x, &mut sums, &mut scans, &mut least);
            gpu.launch(Grid::new(2, block), launched).unwrap();
            assert_eq!(sums, whole(&x, threads, |a, b| a + b));
            assert_eq!(scans, prefixes(&x, threads, |a, b| a + b));
            let spread = whole(&x, threads, i64::max).into_iter().zip(whole(&x, threads, i64::min));
            let expected =
                prefixes(&x, threads, i64::min).into_iter().zip(spread).map(|(least, (most, all))| least + most - all);
            assert!(least.into_iter().eq(expected));
        }
    });
}

#[test]
fn nothing_races() {
    let x = input(140);
    let [mut sums, mut scans, mut least] = [(); 3].map(|()| vec![0; 140]);
    let gpu = Gpu::<Mimd>::default().with_race_check(RaceCheck::Everywhere);
    gpu.launch(Grid::new(2, 70), of_blocks(&x, &mut sums, &mut scans, &mut least)).unwrap();
    assert_eq!(sums, whole(&x, 70, |a, b| a + b));
}
