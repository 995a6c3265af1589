//! Which loops yield: one kernel for each kind of operation, in a loop of a thread-dependent number of iterations.

use crate::skeleton::Skeleton;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

/// Kernels with a loop over `k`; `p` is memory, `i` the thread, `s` what may be stored behind.
macro_rules! probes {
    ($($name:ident |$p:ident, $i:ident, $k:ident, $s:ident| ($($more:tt)*) $body:block $(=> $after:block)?)*) => {$(
        #[allow(dead_code, reason = "only its program is looked at")]
        #[kernel]
        fn $name($p: &mut [u32] $($more)*) {
            let $i = global_id();
            let x = $p[$i] as usize;
            let mut $s = 0u32;
            for $k in 0..x $body
            $($after)?
        }
    )*};
}

probes! {
    y01_pure_alu |p, i, _k, s| () { s = (s * 1664525 + 1013904223) ^ (s >> 3); } => { p[i + 4096] = s; }
    y02_plain_load |p, i, _k, s| () { s += p[(s & 1023) as usize]; } => { p[i + 4096] = s; }
    y03_plain_store |p, i, k, _s| () { p[i + k * 32] = k as u32; }
    y04_plain_load_store |p, i, k, _s| () { p[i + k * 32] += k as u32; }
    y05_volatile_load |p, i, _k, s| () { s += p.load_volatile((s & 1023) as usize); } => { p[i + 4096] = s; }
    y06_volatile_store |p, i, k, _s| () { p.store_volatile(i, k as u32); }
    y07_red |p, i, k, _s| (, a: &[AtomicU32]) { a[k].fetch_add(1, Relaxed); }
    y08_atom |p, i, _k, s| (, a: &[AtomicU32]) {
        s += a[(s & 255) as usize].fetch_add(1, Relaxed);
    } => { p[i + 4096] = s; }
    y13_fence |p, i, _k, s| () { s = s * 3 + 1; fence_device(); } => { p[i + 4096] = s; }
    y14_fence_block |p, i, _k, s| () { s = s * 3 + 1; fence_block(); } => { p[i + 4096] = s; }
    y20_acquire_load |p, i, _k, s| (, a: &[AtomicU32]) {
        s += a[(s & 1023) as usize].load(Acquire);
    } => { p[i + 4096] = s; }
    y21_relaxed_load |p, i, _k, s| (, a: &[AtomicU32]) {
        s += a[(s & 1023) as usize].load(Relaxed);
    } => { p[i + 4096] = s; }
    y22_shfl |p, i, _k, s| () { s += shuffle_xor_mask(active_mask(), s, 1); } => { p[i + 4096] = s; }
}

#[kernel]
fn y09_shared_load(p: &mut [u32]) {
    #[shared]
    let mut sh: [u32; 256];
    let i = global_id();
    let x = p[i];
    sh[thread_idx().x] = x;
    sync_threads();
    let mut s = 0;
    for _ in 0..x {
        s += sh[(s & 255) as usize];
    }
    p[i + 4096] = s;
}

#[kernel]
fn y10_shared_store(p: &mut [u32]) {
    #[shared]
    let mut sh: [u32; 256];
    let i = global_id();
    for k in 0..p[i] {
        sh[(thread_idx().x + k as usize) & 255] = k;
    }
    sync_threads();
    p[i + 4096] = sh[thread_idx().x];
}

#[kernel]
fn y11_shared_volatile_load(p: &mut [u32]) {
    #[shared]
    let mut sh: [u32; 256];
    let i = global_id();
    let x = p[i];
    sh[thread_idx().x] = x;
    sync_threads();
    let mut s = 0;
    for _ in 0..x {
        s += sh.load_volatile((s & 255) as usize);
    }
    p[i + 4096] = s;
}

#[kernel]
fn y12_shared_atom(p: &mut [u32]) {
    #[shared]
    let sh: [AtomicU32; 256];
    let i = global_id();
    let x = p[i];
    sh[thread_idx().x].store(x, Relaxed);
    sync_threads();
    let mut s = 0;
    for _ in 0..x {
        s += sh[(s & 255) as usize].fetch_add(1, Relaxed);
    }
    p[i + 4096] = s;
}

#[kernel]
fn y15_local(p: &mut [u32]) {
    let i = global_id();
    let x = p[i];
    let mut a = [0u32; 64];
    a[(x & 63) as usize] = i as u32;
    let mut s = 0;
    for k in 0..x {
        s += a[((s + k) & 63) as usize];
        a[((s + 1) & 63) as usize] = k;
    }
    p[i + 4096] = s;
}

#[kernel]
fn y16_const_ldg(c: &[u32], p: &mut [u32]) {
    let i = global_id();
    let mut s = 0;
    for _ in 0..p[i] {
        s += c[(s & 1023) as usize];
    }
    p[i + 4096] = s;
}

#[kernel]
fn y23_vol_uniform_trip(p: &mut [u32], x: u32) {
    let i = global_id();
    let mut s = 0;
    for _ in 0..x {
        s += p.load_volatile((s & 1023) as usize);
    }
    p[i + 4096] = s;
}

#[kernel]
fn y24_vol_uniform_trip_in_divif(p: &mut [u32], x: u32) {
    let i = global_id();
    let mut s = 0;
    if p[i] > 3 {
        for _ in 0..x {
            s += p.load_volatile((s & 1023) as usize);
        }
        p.store_volatile(i, 4);
    }
    p[i + 4096] = s;
}

#[kernel]
fn y25_alu_in_divif(p: &mut [u32], x: u32) {
    let i = global_id();
    let mut s = i as u32;
    if p[i] > 3 {
        for _ in 0..x {
            s = (s * 1664525 + 1013904223) ^ (s >> 3);
        }
        p.store_volatile(i, 4);
    }
    p[i + 4096] = s;
}

#[kernel]
fn y26_spin_vol(p: &mut [u32]) {
    let i = global_id();
    while p.load_volatile(i) == 0 {}
    p[i + 4096] = 1;
}

#[kernel]
fn y27_spin_atomic_exch_after(p: &mut [u32], m: &[AtomicU32]) {
    let i = global_id();
    while m[0].swap(1, Acquire) != 0 {}
    p.store_volatile(i, 1);
    m[0].swap(0, Acquire);
}

#[kernel]
fn y28_outer_div_inner_vol(p: &mut [u32]) {
    let i = global_id();
    let mut s = 0;
    for _ in 0..p[i] {
        s = s * 5 + 1;
        for _ in 0..7 + (s & 31) {
            s += p.load_volatile((s & 1023) as usize);
        }
    }
    p[i + 4096] = s;
}

#[kernel]
fn y29_vol_before_loop_only(p: &mut [u32]) {
    let i = global_id();
    let x = p.load_volatile(i);
    let mut s = i as u32;
    for _ in 0..x {
        s = (s * 1664525 + 1013904223) ^ (s >> 3);
    }
    p[i + 4096] = s;
}

#[kernel]
fn y30_store_after_loop_plain(p: &mut [u32]) {
    let i = global_id();
    let mut s = i as u32;
    for _ in 0..p[i] {
        s = s * 1664525 + p[(s & 255) as usize];
    }
    p.store_volatile(i, s);
}

pub(crate) fn skeletons() -> Vec<(&'static str, Skeleton)> {
    kernels!(
        y01_pure_alu y02_plain_load y03_plain_store y04_plain_load_store y05_volatile_load y06_volatile_store y07_red
        y08_atom y09_shared_load y10_shared_store y11_shared_volatile_load y12_shared_atom y13_fence y14_fence_block
        y15_local y16_const_ldg y20_acquire_load y21_relaxed_load y22_shfl y23_vol_uniform_trip
        y24_vol_uniform_trip_in_divif y25_alu_in_divif y26_spin_vol y27_spin_atomic_exch_after y28_outer_div_inner_vol
        y29_vol_before_loop_only y30_store_after_loop_plain
    )
    .into()
}
