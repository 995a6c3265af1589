//! Races between threads of different blocks.

use super::race;
use crate::machine::Machine;
use simt::RaceCheck;
use simt::environment::{EnvironmentConfig, MemoryModel};
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

/// A histogram whose blocks add to one, with and without atomics.
#[kernel]
fn lost(x: &[u32], bins: &mut [u32]) {
    if thread_idx().x == 0 {
        bins[x[block_idx().x] as usize] += 1;
    }
}

#[kernel]
fn counted(x: &[u32], bins: &[AtomicU32]) {
    bins[x[global_id()] as usize].fetch_add(1, Relaxed);
}

/// Each thread takes its left neighbour's element, also across the edge of blocks.
#[kernel]
fn shift(x: &mut [u32]) {
    let i = global_id();
    let left = if i > 0 { x[i - 1] } else { 0 };
    sync_threads();
    x[i] = left;
}

/// All blocks say that something has changed.
#[kernel]
fn says_so(changed: &mut [u32]) {
    changed[0] = 1;
}

/// The same, though the first block has its elements still to clear.
#[kernel]
fn clears_and_says_so(changed: &mut [u32], which: &[usize]) {
    let i = global_id();
    if i < changed.len() {
        changed[i] = 0;
    }
    sync_threads();
    changed[which[i]] = 1;
}

/// One thread of each block tells those of the next, which `which` of the ways orders.
#[kernel]
fn relay(x: &mut [u32], flags: &[AtomicU32], which: u32) {
    let (b, i) = (block_idx().x, thread_idx().x);
    if b > 0 {
        if i == 0 {
            while flags[b - 1].load(Acquire) == 0 {}
        }
        if which != 1 {
            sync_threads();
        }
    }
    let before = if b > 0 { x[(b - 1) * 4 + (i + 1) % 4] } else { 7 };
    x[b * 4 + i] = before + 1;
    if which != 2 {
        sync_threads();
    }
    if i == 0 {
        if which == 3 {
            flags[b].store(1, Relaxed);
        } else {
            flags[b].store(1, Release);
        }
    }
}

/// The last block adds up what all have written (CUDA C++ Programming Guide, memory fence functions).
#[kernel]
fn last_adds(x: &mut [u32], arrived: &[AtomicU32], total: &mut [u32], before: u32, after: u32, synchronised: bool) {
    #[shared]
    let mut last: [bool; 1];
    let i = thread_idx().x;
    x[global_id()] = global_id() as u32;
    if synchronised {
        sync_threads();
    }
    if i == 0 {
        if before == 1 {
            fence_block();
        }
        if before == 2 {
            fence_device();
        }
        let count = if before == 3 { arrived[0].fetch_add(1, AcqRel) } else { arrived[0].fetch_add(1, Relaxed) };
        if after == 1 {
            fence_block();
        }
        if after == 2 {
            fence_device();
        }
        last[0] = count as usize + 1 == grid_dim().x;
    }
    sync_threads();
    if last[0] {
        let mut sum = 0;
        for b in 0..grid_dim().x {
            sum += x[b * block_dim().x + i];
        }
        total[i] = sum;
    }
}

/// The blocks exchange elements, with the barrier of the grid between, round by round.
#[kernel]
fn exchange(x: &mut [u32], rounds: u32, all: bool) {
    let (i, n) = (global_id(), grid_dim().x * block_dim().x);
    for round in 0..rounds {
        let other = x[(i + block_dim().x) % n];
        sync_grid();
        x[i] = other + round;
        if all || round % 2 == 1 {
            sync_grid();
        }
    }
}

/// One that goes on while threads of its block have returned.
#[kernel]
fn exchange_some(x: &mut [u32]) {
    let (i, n) = (global_id(), grid_dim().x * block_dim().x);
    x[i] = 1;
    if thread_idx().x >= 32 {
        return;
    }
    sync_grid();
    x[(i + block_dim().x + 32) % n] = 2;
}

/// A message to another warp of the block, by way of a thread of the next one.
#[kernel]
fn there_and_back(x: &mut [u32], flags: &[AtomicU32], out: &mut [u32]) {
    let (b, i) = (block_idx().x, thread_idx().x);
    if b == 0 && i == 0 {
        x[0] = 7;
        flags[0].store(1, Release);
    }
    if b == 1 && i == 0 {
        while flags[0].load(Acquire) == 0 {}
        flags[1].store(1, Release);
    }
    // All blocks are there that wait for each other.
    if b == 0 && i == 64 {
        while flags[1].load(Acquire) == 0 {}
        out[0] = x[0];
    }
    sync_grid();
}

/// A message to another warp of the block by a flag that the next block overwrites: what it says has released nothing.
#[kernel]
fn overwritten(x: &mut [u32], flag: &AtomicU32, out: &mut [u32]) {
    let (b, i) = (block_idx().x, thread_idx().x);
    if b == 0 && i == 0 {
        x[0] = 7;
        flag.store(1, Release);
    }
    if b == 1 && i == 0 {
        while flag.load(Relaxed) != 1 {}
        flag.store(2, Relaxed);
    }
    if b == 0 && i == 64 {
        while flag.load(Relaxed) != 2 {}
        if flag.load(Acquire) == 2 {
            out[0] = x[0];
        }
    }
    sync_grid();
}

fn machine<P: Policy>() -> Gpu<P> {
    Gpu::default().with_race_check(RaceCheck::Grid)
}

/// As many machines as there are policies, on which blocks run one after the other; and such on which they run side by side.
fn machines(test: &mut dyn FnMut(&dyn Machine)) {
    for_each_policy!(P => test(&machine::<P>().with_warp_width(8)));
    for config in [GpuConfig::fermi(), GpuConfig::turing()] {
        test(&Gpu::<Ipdom>::new(config).with_race_check(RaceCheck::Grid));
    }
    for seed in 0..3 {
        let memory = MemoryModel::Environment(EnvironmentConfig { seed, ..Default::default() });
        let config = GpuConfig { memory, ..GpuConfig::functional() };
        test(&Gpu::<MinPc>::new(config).with_race_check(RaceCheck::Grid));
    }
}

#[test]
fn blocks_that_change_an_element_race() {
    let x = [0, 1, 2, 3, 1, 5];
    machines(&mut |gpu| {
        let mut bins = [0; 6];
        let race = race(gpu.launch(Grid::new(6, 8), lost(&x, &mut bins)));
        assert_eq!((&*race.name, race.index, race.same_block, race.same_warp), ("bins", 1, false, false), "{race:?}");
        assert_ne!(race.earlier_thread.block.x, race.earlier_thread.thread.y + 2, "block 2 has bin 2");
        assert_eq!(bins, [0; 6]);
        let bins: [AtomicU32; 6] = Default::default();
        gpu.launch(Grid::new(3, 2), counted(&x, &bins)).expect("atomics do not race");
    });
    // Each block alone has no race, and without the check the sum of blocks that run one after the other is right.
    Gpu::<Ipdom>::default()
        .with_race_check(RaceCheck::Everywhere)
        .launch(Grid::new(6, 8), lost(&x, &mut [0; 6]))
        .expect("threads of a block are compared");
}

#[test]
fn neighbours_across_the_edge_of_blocks_race() {
    machines(&mut |gpu| {
        let mut x = [3; 64];
        let found = race(gpu.launch(Grid::new(2, 32), shift(&mut x)));
        assert!(!found.same_block && found.index == 31, "{found:?}");
        gpu.launch(Grid::new(1, 64), shift(&mut x)).expect("a block has its barrier");
    });
}

#[test]
fn blocks_that_write_the_same_do_not_race() {
    machines(&mut |gpu| {
        gpu.launch(Grid::new(5, 8), says_so(&mut [0])).expect("the value is one");
        // The last that the first block has written is that of the others, too.
        let found = race(gpu.launch(Grid::new(4, 8), clears_and_says_so(&mut [7; 8], &[5; 32])));
        assert!(!found.same_block && found.index == 5, "{found:?}");
    });
}

#[test]
fn a_flag_orders_blocks_together_with_their_barriers() {
    machines(&mut |gpu| {
        let flags = || [(); 4].map(|()| AtomicU32::new(0));
        let launch = |x: &mut [u32], which| gpu.launch(Grid::new(4, 4), relay(x, &flags(), which));
        let mut x = [0; 16];
        launch(&mut x, 0).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(x, std::array::from_fn(|i| 8 + i as u32 / 4));
        for which in 1..4 {
            let found = race(launch(&mut x, which));
            assert!(!found.same_block && found.name == "x", "{which}: {found:?}");
        }
    });
}

#[test]
fn the_last_block_may_read_what_others_have_handed_over() {
    machines(&mut |gpu| {
        let launch = |before, after, synchronised| {
            let mut total = [0; 8];
            let call = (&mut [0; 40], &[AtomicU32::new(0)]);
            let launched =
                gpu.launch(Grid::new(5, 8), last_adds(call.0, call.1, &mut total, before, after, synchronised));
            launched.map(|_| total)
        };
        for (before, after, synchronised) in [(2, 2, true), (3, 0, true), (3, 2, true)] {
            let total = launch(before, after, synchronised).unwrap_or_else(|error| panic!("{before} {after}: {error}"));
            assert_eq!(total, std::array::from_fn(|i| 80 + 5 * i as u32));
        }
        // A fence is missing, or is one of the block, or not all of the block's threads come before it.
        for (before, after, synchronised) in [(0, 2, true), (2, 0, true), (1, 2, true), (2, 1, true), (3, 0, false)] {
            let error = launch(before, after, synchronised).expect_err("a race");
            let is_released = before == 2 || before == 3 && synchronised;
            let missing = if is_released {
                "acquire what the first has released since"
            } else {
                "let the first thread release it"
            };
            let error = error.to_string();
            assert!(error.contains("which nothing orders") && error.contains(missing), "{before} {after}: {error}");
        }
    });
}

#[test]
fn the_barrier_of_the_grid_orders_blocks() {
    machines(&mut |gpu| {
        // A clock has the grids only that fit.
        let grid = Grid::new(4, 32);
        let mut x: Vec<u32> = (0..128).collect();
        gpu.launch(grid, exchange(&mut x, 6, true)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(x[5], 64 + 5 + 15);
        let found = race(gpu.launch(grid, exchange(&mut x, 6, false)));
        assert!(!found.same_block && !found.earlier_returned, "{found:?}");
        // It does not wait for those that have returned.
        let found = race(gpu.launch(Grid::new(4, 64), exchange_some(&mut [0; 256])));
        assert!(!found.same_block && found.earlier_thread.thread.x >= 32 && found.earlier_returned, "{found:?}");
    });
}

#[test]
fn what_a_thread_hears_of_its_own_block_through_another_is_before_it() {
    machines(&mut |gpu| {
        let (mut out, flags) = ([0], [(); 2].map(|()| AtomicU32::new(0)));
        let launched = gpu.launch(Grid::new(2, 128), there_and_back(&mut [0], &flags, &mut out));
        launched.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(out, [7]);
    });
}

#[test]
fn what_another_block_stores_ends_what_a_thread_has_released() {
    machines(&mut |gpu| {
        let launched = gpu.launch(Grid::new(2, 128), overwritten(&mut [0], &AtomicU32::new(0), &mut [0]));
        assert_eq!(race(launched).name, "x");
    });
}

#[test]
fn errors_say_what_orders_blocks() {
    let gpu = machine::<Ipdom>();
    let error = gpu.launch(Grid::new(6, 8), lost(&[1; 6], &mut [0; 6])).unwrap_err();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("other_block", error.to_string());
        let (x, arrived, total) = (&mut [0; 40], [AtomicU32::new(0)], &mut [0; 8]);
        let error = gpu.launch(Grid::new(5, 8), last_adds(x, &arrived, total, 2, 0, true)).unwrap_err();
        insta::assert_snapshot!("not_acquired", error.to_string());
        let error = gpu.launch(Grid::new(4, 64), exchange_some(&mut [0; 256])).unwrap_err();
        insta::assert_snapshot!("returned_before_the_grid_met", error.to_string());
    });
}
