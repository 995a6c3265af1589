//! `compare_exchange` with the methods of its `Result`, and `fetch_update`.

use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, SeqCst};

#[device]
fn bounded(count: &AtomicU32, limit: u32) -> Result<u32, u32> {
    count.fetch_update(AcqRel, Acquire, |seen| (seen < limit).then(|| seen + 1))
}

#[kernel]
fn updates(a: &[AtomicU32], out: &mut [u32]) {
    let i = global_id();
    let old = a[i % 3].fetch_update(SeqCst, Relaxed, |v| {
        let next = v + 2;
        if v < 7 { Some(next) } else { None }
    });
    out[i] = old.unwrap_or_else(|seen| seen + 100);
    if bounded(&a[3], 5).is_err() {
        a[4].fetch_add(1, Relaxed);
    }
}

/// Of the threads as many succeed as one after the other would.
#[test]
fn updates_are_exact() {
    everywhere!(|gpu| {
        let a: [AtomicU32; 5] = Default::default();
        let mut out = vec![0; 15];
        gpu.launch(Grid::new(3, 5), updates(&a, &mut out)).unwrap();
        assert_eq!(a.map(AtomicU32::into_inner), [8, 8, 8, 5, 10]);
        out.sort_unstable();
        assert_eq!(out, [0, 0, 0, 2, 2, 2, 4, 4, 4, 6, 6, 6, 108, 108, 108]);
    });
}

#[kernel]
fn exchanges(a: &[AtomicU32]) {
    let first = a[0].compare_exchange(0, 5, SeqCst, Relaxed);
    if first.ok().is_some() {
        a[1].fetch_add(1, Relaxed);
    }
    let seen = a[0].compare_exchange(9, 7, SeqCst, Relaxed).unwrap_or_else(|seen| seen);
    if seen == 5 && first.is_err() {
        a[2].fetch_add(1, Relaxed);
    }
    let old = a[3].compare_exchange_weak(3, 4, AcqRel, Acquire).map_or_else(|seen| seen, |_| 50);
    a[4].fetch_max(old, Relaxed);
}

#[test]
fn results_of_exchanges_have_their_methods() {
    everywhere!(|gpu| {
        let a = [0, 0, 0, 3, 0].map(AtomicU32::new);
        gpu.launch(Grid::new(1, 12), exchanges(&a)).unwrap();
        assert_eq!(a.map(AtomicU32::into_inner), [5, 1, 11, 4, 50]);
    });
}
