//! Operations of threads together: those of a warp, barriers of the block, fences.

use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[kernel]
fn votes(x: &[u32], masks: &mut [u64], holds: &mut [bool]) {
    let i = global_id();
    masks[i] = ballot(x[i] % 3 == 0);
    holds[3 * i] = any(x[i] > 50);
    holds[3 * i + 1] = all(x[i] > 2);
    holds[3 * i + 2] = uniform(x[i] < 1000);
}

#[kernel]
fn shuffles(x: &[i64], out: &mut [i64]) {
    let i = global_id();
    let lane = lane_id() as u32;
    out[4 * i] = shuffle(x[i], 3);
    out[4 * i + 1] = shuffle_up(x[i], 1);
    out[4 * i + 2] = shuffle_down(x[i], lane % 2);
    out[4 * i + 3] = shuffle_xor(x[i], 1);
}

#[kernel]
fn named_lanes(x: &[u32], out: &mut [u32], masks: &mut [u64]) {
    let i = global_id();
    let lane = lane_id();
    // The lower half and the upper half of each four lanes go separate ways.
    let mine = 0b11 << (lane / 2 * 2);
    if lane % 4 < 2 {
        out[i] = shuffle_xor_mask(mine, x[i], 1);
        masks[i] = ballot_mask(mine, x[i] > 5);
    } else {
        sync_warp_mask(mine);
        out[i] = shuffle_mask(mine, x[i], lane as u32 & !1) + all_mask(mine, x[i] > 5) as u32;
    }
    sync_warp();
}

fn warps(count: usize, width: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..count).step_by(width).map(move |first| first..(first + width).min(count))
}

#[test]
fn votes_see_the_lanes_of_the_warp() {
    let x: Vec<u32> = (0..64).map(|i| i * 7 % 61).collect();
    everywhere!(|gpu| {
        let width = gpu.config().warp_width;
        let (mut masks, mut holds) = (vec![0; 64], vec![false; 192]);
        gpu.launch(Grid::new(1, 64), votes(&x, &mut masks, &mut holds)).expect("a launch");
        for warp in warps(64, width) {
            let mask = warp.clone().filter(|&i| x[i].is_multiple_of(3)).map(|i| 1 << (i - warp.start)).sum::<u64>();
            let (any, all) = (warp.clone().any(|i| x[i] > 50), warp.clone().all(|i| x[i] > 2));
            for i in warp {
                assert_eq!((masks[i], &holds[3 * i..3 * i + 3]), (mask, &[any, all, true][..]), "{i}");
            }
        }
    });
}

#[test]
fn values_move_between_lanes() {
    let x: Vec<i64> = (0..128).map(|i| (i - 20) << 33).collect();
    everywhere!(|gpu| {
        let width = gpu.config().warp_width;
        let mut out = vec![0; 512];
        gpu.launch(Grid::new(2, 64), shuffles(&x, &mut out)).expect("a launch");
        for warp in warps(128, width) {
            for (lane, i) in warp.clone().enumerate() {
                let up = if lane == 0 { i } else { i - 1 };
                let down = if lane % 2 == 1 && i + 1 < warp.end { i + 1 } else { i };
                let expected = [x[warp.start + 3], x[up], x[down], x[i ^ 1]];
                assert_eq!(out[4 * i..4 * i + 4], expected, "{i}");
            }
        }
    });
}

#[test]
fn lanes_can_be_named() {
    let x: Vec<u32> = (0..64).map(|i| i * 5 % 13).collect();
    everywhere!(|gpu| {
        let width = gpu.config().warp_width;
        let (mut out, mut masks) = (vec![0; 64], vec![0; 64]);
        gpu.launch(Grid::new(1, 64), named_lanes(&x, &mut out, &mut masks)).expect("a launch");
        for i in 0..64 {
            let (pair, lane) = ([i & !1, i | 1], (i & !1) % width);
            let expected = if i % width % 4 < 2 {
                let mask = u64::from(x[pair[0]] > 5) << lane | u64::from(x[pair[1]] > 5) << (lane + 1);
                (x[i ^ 1], mask)
            } else {
                (x[pair[0]] + u32::from(pair.iter().all(|&i| x[i] > 5)), 0)
            };
            assert_eq!((out[i], masks[i]), expected, "{i}");
        }
    });
}

#[kernel]
fn reduced(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    let count = sync_threads_count(x[i] % 2 == 0);
    let every = sync_threads_and(x[i] < 60);
    let some = sync_threads_or(x[i] == 5);
    out[i] = count * 4 + every as u32 * 2 + some as u32;
}

#[test]
fn barriers_reduce_over_the_block() {
    let x: Vec<u32> = (0..96).map(|i| i * 11 % 67).collect();
    let expected: Vec<u32> = x
        .chunks(48)
        .flat_map(|block| {
            let count = block.iter().filter(|&x| x % 2 == 0).count() as u32;
            let (every, some) = (block.iter().all(|&x| x < 60), block.contains(&5));
            vec![count * 4 + u32::from(every) * 2 + u32::from(some); block.len()]
        })
        .collect();
    everywhere!(|gpu| {
        let mut out = vec![0; 96];
        gpu.launch(Grid::new(2, 48), reduced(&x, &mut out)).expect("a launch");
        assert_eq!(out, expected);
    });
}

#[kernel]
fn produce_and_consume(x: &[u32], out: &mut [u32]) {
    #[shared]
    let mut handed: [u32; 64];
    let t = thread_idx().x;
    // The first 64 threads hand values to the last 64: each side is whole warps at every width.
    if t < 64 {
        handed[t] = x[t] + 1;
        fence_block();
        arrive_barrier(1, 128);
    } else {
        sync_barrier(1, 128);
        out[t - 64] = handed[127 - t];
    }
}

#[test]
fn some_arrive_and_others_wait() {
    let x: Vec<u32> = (0..64).map(|i| i * i).collect();
    let expected: Vec<u32> = x.iter().rev().map(|x| x + 1).collect();
    everywhere!(|gpu| {
        let mut out = vec![0; 64];
        gpu.launch(Grid::new(1, 128), produce_and_consume(&x, &mut out)).expect("a launch");
        assert_eq!(out, expected);
    });
}

#[kernel]
fn counted_by_active_lanes(total: &[AtomicU32], x: &[u32]) {
    let i = global_id();
    if x[i] % 2 == 0 {
        let together = active_mask();
        // The lowest lane of those that are here adds for all of them.
        if together.trailing_zeros() == lane_id() as u32 {
            total[0].fetch_add(together.count_ones(), Relaxed);
        }
    }
    fence_device();
}

#[test]
fn active_lanes_are_counted_once_under_every_policy() {
    let x: Vec<u32> = (0..80).map(|i| i * 7 % 5).collect();
    let even = x.iter().filter(|&x| x % 2 == 0).count() as u32;
    everywhere!(|gpu| {
        let total = [AtomicU32::new(0)];
        gpu.launch(Grid::new(2, 40), counted_by_active_lanes(&total, &x)).expect("a launch");
        assert_eq!(total[0].load(Relaxed), even);
    });
}

#[kernel]
fn comes_in_the_first_block_alone(x: &mut [u32]) {
    if block_idx().x == 0 {
        arrive_barrier(1, 64);
    } else {
        sync_barrier(1, 64);
    }
    x[global_id()] = 1;
}

/// Blocks follow each other in the same memory of the host: what had come to a barrier of the last is not for this one.
#[test]
fn a_block_does_not_find_what_another_left_at_its_barriers() {
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default().with_warp_width(32).with_ends_under_limit(0);
        let error = gpu.launch(Grid::new(2, 32), comes_in_the_first_block_alone(&mut [0; 64])).unwrap_err();
        let LaunchError::Deadlock(deadlock) = &error else { panic!("{}: {error}", P::name()) };
        assert_eq!(deadlock.block.x, 1, "{error}");
    });
}
