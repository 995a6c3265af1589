//! Races on machines with a clock and with modelled memory, of several blocks, and in launches that fail anyway.

use super::race;
use simt::RaceCheck;
use simt::environment::{EnvironmentConfig, MemoryModel};
use simt::error::FaultKind;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Acquire;

/// Each block writes one element of its own array, and all blocks one element of the slice.
#[kernel]
fn blocks(out: &mut [u32], synchronised: bool) {
    #[shared]
    let mut tile: [u32; 64];
    let i = thread_idx().x;
    tile[i] = 0;
    sync_threads();
    tile[i] = i as u32;
    if synchronised {
        sync_threads();
    }
    let read = tile[i ^ 1];
    if read == 0 {
        out[0] = block_idx().x as u32;
    }
}

/// One thread of each block reads and writes an element of the block's own: nothing else is.
#[kernel]
fn without_arrays(out: &mut [u32]) {
    if thread_idx().x == block_idx().x {
        out[block_idx().x] += 1;
    }
}

#[kernel]
fn spins(flag: &[AtomicU32], out: &mut [u32]) {
    out[global_id()] = 1;
    sync_warp();
    while flag[0].load(Acquire) == 0 {}
}

#[kernel]
fn beyond(out: &mut [u32]) {
    out[global_id() + 1] = 1;
}

fn check<P: Policy>(config: GpuConfig) {
    let gpu = Gpu::<P>::new(config).with_race_check(RaceCheck::Everywhere);
    let launched = gpu.launch(Grid::new(6, 64), blocks(&mut [0], true));
    assert!(launched.is_ok(), "{launched:?}");
    let launched = gpu.launch(Grid::new(6, 64), without_arrays(&mut [0; 6]));
    assert!(launched.is_ok(), "{launched:?}");
    let race = race(gpu.launch(Grid::new(6, 64), blocks(&mut [0], false)));
    assert!(race.same_warp && race.name == "tile", "{race:?}");
}

#[test]
fn blocks_that_run_at_the_same_time_are_kept_apart() {
    for config in [GpuConfig::functional(), GpuConfig::fermi(), GpuConfig::turing()] {
        check::<Ipdom>(config.clone());
        check::<Mimd>(config.clone());
        check::<Dwf<Majority>>(config);
    }
    for seed in 0..5 {
        let environment = EnvironmentConfig { seed, ..EnvironmentConfig::default() };
        let memory = MemoryModel::Environment(environment);
        check::<Ipdom>(GpuConfig { memory: memory.clone(), ..GpuConfig::functional() });
        check::<MinPc>(GpuConfig { memory, ..GpuConfig::functional() });
    }
}

#[test]
fn other_failures_stay_what_they_are() {
    watched!(|gpu| {
        let error = gpu.launch(Grid::new(1, 8), beyond(&mut [0; 8])).expect_err("the last thread is beyond");
        let LaunchError::Fault(fault) = error else { panic!("{error}") };
        assert!(matches!(fault.kind, FaultKind::OutOfBounds { index: 8, .. }), "{:?}", fault.kind);
    });
    let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Everywhere);
    let error = gpu.launch(Grid::new(1, 32), spins(&[AtomicU32::new(0)], &mut [0; 32])).expect_err("it spins");
    let LaunchError::Livelock(livelock) = error else { panic!("{error}") };
    assert_eq!(livelock.spins[0].reads.len(), 1);
}
