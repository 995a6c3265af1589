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

/// Where a run of threads begins and ends, and their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, KernelData)]
struct Run {
    first: u32,
    last: u32,
    sum: f32,
}

#[device]
impl Run {
    fn of(x: u32) -> Self {
        Self { first: x, last: x, sum: x as f32 }
    }

    fn then(self, next: Self) -> Self {
        Self { first: self.first, last: next.last, sum: self.sum + next.sum }
    }
}

#[kernel]
fn by_operations(x: &[u32], lanes: &mut [Run], before: &mut [Run], threads: &mut [Run], all: &mut [u32]) {
    let i = global_id();
    let own = Run::of(x[i]);
    lanes[i] = warp::reduce(own, Run::then);
    before[i] = warp::scan(own, |a, b| a.then(b));
    threads[i] = block::scan(own, Run::then);
    all[i] = block::reduce(x[i], |a, b| a.max(b)) + block::reduce(own, Run::then).first;
}

/// An operation that is not commutative.
#[test]
fn values_are_combined_by_any_associative_operation() {
    let x: Vec<u32> = (0..200).map(|i| i * 37 % 101).collect();
    let of = |range: &[u32]| Run {
        first: range[0],
        last: range[range.len() - 1],
        sum: range.iter().map(|&v| v as f32).sum(),
    };
    everywhere!(|gpu| {
        let width = gpu.config().warp_width;
        let [mut lanes, mut before, mut threads] =
            [const { Vec::new() }; 3].map(|_: Vec<Run>| vec![Run::default(); 200]);
        let mut all = vec![0; 200];
        let call = by_operations(&x, &mut lanes, &mut before, &mut threads, &mut all);
        gpu.launch(Grid::new(2, 100), call).unwrap();
        for i in 0..200 {
            let block = i / 100 * 100;
            let warp = block + (i - block) / width * width;
            assert_eq!(lanes[i], of(&x[warp..(warp + width).min(block + 100)]));
            assert_eq!(before[i], of(&x[warp..=i]));
            assert_eq!(threads[i], of(&x[block..=i]));
            assert_eq!(all[i], x[block..block + 100].iter().max().unwrap() + x[block]);
        }
    });
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
