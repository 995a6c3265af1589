//! Locks, and the programs of ESOP'12 (M. Habermaier and A. Knapp, 2012, section 5 and Figure 1).

use crate::skeleton::Skeleton;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

#[kernel]
fn k16_spinlock(mutex: &[AtomicU32], p: &mut [u32]) {
    let i = global_id();
    while mutex[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
    p[0] += i as u32;
    mutex[0].swap(0, AcqRel);
    p[i + 4096] = i as u32;
}

/// As the Hanoi paper prints it, its condition the wrong way round.
#[kernel]
fn k16_spinlock_fig3_literal(mutex: &[AtomicU32], p: &mut [u32]) {
    let i = global_id();
    while mutex[0].compare_exchange(0, 1, Acquire, Relaxed).is_ok() {}
    p[0] += i as u32;
    mutex[0].swap(0, AcqRel);
    p[i + 4096] = i as u32;
}

#[kernel]
fn k16_spinlock_fence(mutex: &[AtomicU32], p: &mut [u32]) {
    let i = global_id();
    while mutex[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
    fence_device();
    p.store_volatile(0, p.load_volatile(0) + i as u32);
    fence_device();
    mutex[0].swap(0, AcqRel);
    p[i + 4096] = i as u32;
}

#[kernel]
fn k16_spinlock_divergent(mutex: &[AtomicU32], p: &mut [u32]) {
    let i = global_id();
    if p[i] > 3 {
        while mutex[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
        p.store_volatile(i, 5);
        mutex[0].swap(0, AcqRel);
    }
    p.store_volatile(i, 6);
}

/// There is no `__nanosleep` here.
#[kernel]
fn k16_spinlock_nanosleep(mutex: &[AtomicU32], p: &mut [u32]) {
    let i = global_id();
    let mut ns = 8u32;
    while mutex[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {
        ns *= 2;
    }
    p.store_volatile(i, ns);
    mutex[0].swap(0, AcqRel);
    p[i + 4096] = i as u32;
}

#[kernel]
fn k17_lock_safe(mutex: &[AtomicU32], p: &mut [u32]) {
    let i = global_id();
    let mut done = false;
    while !done {
        if mutex[0].compare_exchange(0, 1, Acquire, Relaxed).is_ok() {
            p.store_volatile(i, 1);
            fence_device();
            mutex[0].swap(0, AcqRel);
            done = true;
        }
    }
    p[i + 4096] = i as u32;
}

#[kernel]
fn k17_lock_break(mutex: &[AtomicU32], p: &mut [u32]) {
    let i = global_id();
    loop {
        if mutex[0].compare_exchange(0, 1, Acquire, Relaxed).is_ok() {
            p.store_volatile(i, 1);
            mutex[0].swap(0, Release);
            break;
        }
    }
    p[i + 4096] = i as u32;
}

#[kernel]
fn k24_prog1(a: &mut [i32], b: &mut [i32]) {
    let tid = thread_idx().x;
    let mut i = a.load_volatile(tid);
    let j = b.load_volatile(tid);
    while i > 0 {
        if j > 2 * i {
            b.store_volatile(tid, b.load_volatile(tid) + i);
        } else {
            break;
        }
        i -= 1;
    }
}

#[device]
fn func(a: &mut [i32], b: &mut [i32]) {
    let tid = thread_idx().x;
    let mut i = a.load_volatile(tid);
    let j = b.load_volatile(tid);
    while i > 0 {
        if j > 2 * i {
            b.store_volatile(tid, b.load_volatile(tid) + i);
        } else {
            break;
        }
        i -= 1;
    }
}

#[kernel]
fn k24_prog1_call(a: &mut [i32], b: &mut [i32]) {
    func(a, b);
}

#[kernel]
fn k24_prog2(lock: &mut [usize], p: &mut [usize]) {
    let tid = thread_idx().x;
    if tid == 0 {
        lock.store_volatile(0, 1);
    } else {
        while lock.load_volatile(0) != 1 {}
    }
    p[tid] = 1;
}

#[kernel]
fn k24_prog2_shared(p: &mut [usize]) {
    #[shared]
    let mut lock: [usize; 1];
    let tid = thread_idx().x;
    lock.store_volatile(0, 0);
    sync_threads();
    if tid == 0 {
        lock.store_volatile(0, 1);
    } else {
        while lock.load_volatile(0) != 1 {}
    }
    p[tid] = 1;
}

#[kernel]
fn k24_prog3(lock: &mut [usize], p: &mut [usize]) {
    let tid = thread_idx().x;
    while lock.load_volatile(0) != tid {}
    p[tid] = tid;
    lock.store_volatile(0, lock.load_volatile(0) + 1);
}

#[kernel]
fn k24_prog3_after(lock: &mut [usize], p: &mut [usize]) {
    let tid = thread_idx().x;
    while lock.load_volatile(0) != tid {}
    p[tid] = tid;
    lock.store_volatile(0, lock.load_volatile(0) + 1);
    p.store_volatile(tid, 3);
}

pub(crate) fn skeletons() -> Vec<(&'static str, Skeleton)> {
    kernels!(
        k16_spinlock k16_spinlock_fig3_literal k16_spinlock_fence k16_spinlock_divergent k16_spinlock_nanosleep
        k17_lock_safe k17_lock_break k24_prog1 k24_prog1_call k24_prog2 k24_prog2_shared k24_prog3 k24_prog3_after
    )
    .into()
}
