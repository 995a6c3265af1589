//! A ring between two warps, behind a lock that spins.

use simt::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// A bounded ring guarded by a spin lock. Blocks with even index produce, odd consume; one thread each.
#[kernel]
fn ring(
    lock: &[AtomicU32],
    head: &[AtomicUsize],
    tail: &[AtomicUsize],
    buf: &mut [u32],
    sum: &[AtomicU32],
    items: u32,
) {
    if thread_idx().x != 0 {
        return;
    }
    let warp = warp_id();
    if warp == 0 {
        let mut made = 0;
        while made < items {
            while lock[0].compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {}
            let h = head[0].load(Ordering::Relaxed);
            let t = tail[0].load(Ordering::Relaxed);
            if h - t < buf.len() {
                buf[h % buf.len()] = made + 1;
                head[0].store(h + 1, Ordering::Relaxed);
                made += 1;
            }
            lock[0].store(0, Ordering::Release);
        }
    }
}

/// Two warps of one block: warp 0 produces, warp 1 consumes.
#[kernel]
fn pipe(
    lock: &[AtomicU32],
    head: &[AtomicUsize],
    tail: &[AtomicUsize],
    buf: &mut [u32],
    sum: &[AtomicU32],
    items: u32,
) {
    if lane_id() != 0 {
        return;
    }
    let producer = warp_id() == 0;
    let mut done = 0u32;
    while done < items {
        while lock[0].swap(1, Ordering::Acquire) == 1 {
            std::hint::spin_loop();
        }
        let h = head[0].load(Ordering::Relaxed);
        let t = tail[0].load(Ordering::Relaxed);
        if producer && h - t < buf.len() {
            buf[h % buf.len()] = done + 1;
            head[0].store(h + 1, Ordering::Relaxed);
            done += 1;
        }
        if !producer && h > t {
            sum[0].fetch_add(buf[t % buf.len()], Ordering::Relaxed);
            tail[0].store(t + 1, Ordering::Relaxed);
            done += 1;
        }
        lock[0].store(0, Ordering::Release);
    }
}

#[test]
fn pipes() {
    for_each_policy!(P => {
        let lock = [AtomicU32::new(0)];
        let head = [AtomicUsize::new(0)];
        let tail = [AtomicUsize::new(0)];
        let sum = [AtomicU32::new(0)];
        let mut buf = [0; 4];
        let launched = Gpu::<P>::default().launch(Grid::new(1, 64), pipe(&lock, &head, &tail, &mut buf, &sum, 100));
        match launched {
            Err(LaunchError::Livelock(_)) => assert!(!P::is_fair()),
            launched => {
                launched.unwrap();
                assert_eq!(sum[0].load(Ordering::Relaxed), 5050);
            }
        }
    });
}
