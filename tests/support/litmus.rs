//! Litmus tests of the memory environment: a few accesses whose results say in which order threads see them.

use simt::environment::{EnvironmentConfig, Geometry, MemoryModel};
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Release};

/// Two multiprocessors; caches large and small.
pub(crate) fn config(seed: u64) -> EnvironmentConfig {
    let lines = [2, 4, 128][seed as usize % 3];
    let l1 = Geometry { sets: 1, ways: lines };
    EnvironmentConfig { processors: 2, turn: 1 + seed as usize % 4, l1, l2: l1, ..EnvironmentConfig::seeded(seed) }
}

pub(crate) fn gpu<P: Policy>(environment: EnvironmentConfig) -> Gpu<P> {
    let gpu = Gpu::<P>::default().with_warp_width(4);
    gpu.with_memory(MemoryModel::Environment(environment))
}

/// Block 0 sends a word to block 1, which has had the old one.
#[kernel]
pub(crate) fn careless(data: &mut [u32], flag: &mut [u32], seen: &mut [u32]) {
    if global_id() == 0 {
        data[0] = 7;
        fence_device();
        flag.store_volatile(0, 1);
    } else {
        seen[0] = data[0];
        while flag.load_volatile(0) == 0 {}
        seen[1] = data[0];
    }
}

/// The same, which does not ask its L1 cache.
#[kernel]
pub(crate) fn careful(data: &mut [u32], flag: &mut [u32], seen: &mut [u32]) {
    if global_id() == 0 {
        data[0] = 7;
        fence_device();
        flag.store_volatile(0, 1);
    } else {
        seen[0] = data[0];
        while flag.load_volatile(0) == 0 {}
        seen[1] = data.load_volatile(0);
    }
}

/// The same without a fence where the word is sent.
#[kernel]
pub(crate) fn hasty(data: &mut [u32], flag: &mut [u32], seen: &mut [u32]) {
    if global_id() == 0 {
        data[0] = 7;
        flag.store_volatile(0, 1);
    } else {
        while flag.load_volatile(0) == 0 {}
        seen[1] = data.load_volatile(0);
    }
}

/// The same with an atomic that releases and acquires.
#[kernel]
pub(crate) fn ordered(data: &mut [u32], flag: &[AtomicU32], seen: &mut [u32]) {
    if global_id() == 0 {
        data[0] = 7;
        flag[0].store(1, Release);
    } else {
        seen[0] = data[0];
        while flag[0].load(Acquire) == 0 {}
        seen[1] = data[0];
    }
}

#[kernel]
pub(crate) fn store_buffers(x: &mut [u32], y: &mut [u32], seen: &mut [u32]) {
    if global_id() == 0 {
        x[0] = 1;
        seen[0] = y.load_cg(0);
    } else {
        y[0] = 1;
        seen[1] = x.load_cg(0);
    }
}

#[kernel]
pub(crate) fn fenced_store_buffers(x: &mut [u32], y: &mut [u32], seen: &mut [u32]) {
    if global_id() == 0 {
        x[0] = 1;
        fence_device();
        seen[0] = y.load_cg(0);
    } else {
        y[0] = 1;
        fence_device();
        seen[1] = x.load_cg(0);
    }
}

/// Two blocks write a word each. Two others, which have looked at the word of the one, wait for that of the other, and look again.
#[kernel]
pub(crate) fn independent_reads(x: &mut [u32], y: &mut [u32], seen: &mut [u32]) {
    let i = global_id();
    if i == 0 {
        x[0] = 1;
    } else if i == 1 {
        y[0] = 1;
    } else if i == 2 {
        seen[0] = y[0];
        while x.load_volatile(0) == 0 {}
        seen[0] = y[0];
    } else {
        seen[1] = x[0];
        while y.load_volatile(0) == 0 {}
        seen[1] = x[0];
    }
}

/// The same, whose readers do not ask their L1 caches at last.
#[kernel]
pub(crate) fn volatile_independent_reads(x: &mut [u32], y: &mut [u32], seen: &mut [u32]) {
    let i = global_id();
    if i == 0 {
        x[0] = 1;
    } else if i == 1 {
        y[0] = 1;
    } else if i == 2 {
        seen[0] = y[0];
        while x.load_volatile(0) == 0 {}
        seen[0] = y.load_volatile(0);
    } else {
        seen[1] = x[0];
        while y.load_volatile(0) == 0 {}
        seen[1] = x.load_volatile(0);
    }
}

#[kernel]
pub(crate) fn own_store(x: &mut [u32], seen: &mut [u32]) {
    x[0] = 5;
    seen[0] = x[0];
}
