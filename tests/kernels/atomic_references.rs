//! References to atomics as values: `x.get(i)` and its likes.

use simt::prelude::*;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::sync::atomic::{AtomicU32, AtomicU64};

#[device]
fn add(counter: &AtomicU32, value: u32) {
    counter.fetch_add(value, Relaxed);
}

#[device]
fn taken(counters: &[AtomicU32], i: usize) -> Option<u32> {
    let counter = counters.get(i)?;
    Some(counter.fetch_add(1, Relaxed))
}

#[device]
fn stored(counters: &[AtomicU32], i: usize, value: u32) -> bool {
    let Some(counter) = counters.get(i) else { return false };
    counter.store(value, Relaxed);
    true
}

#[kernel]
fn refers(counters: &[AtomicU32], best: &[AtomicU64], out: &mut [u32]) {
    let i = global_id();
    #[shared]
    let tile: [AtomicU32; 3];
    if let Some(own) = tile.get(i) {
        own.store(0, Relaxed);
    }
    sync_threads();
    tile.get(i % 3).unwrap().fetch_add(1, Relaxed);
    tile.get(i % 3).expect("there are three").fetch_max(1, Relaxed);
    sync_threads();
    if let Some(counter) = counters.get(i) {
        counter.fetch_add(5, Relaxed);
        add(counter, 2);
    }
    let old = best.get(i).map(|best| best.swap(u64::MAX, AcqRel));
    out[i] = old.unwrap_or(7) as u32 + taken(counters, i).unwrap_or(99);
    sync_threads();
    match counters.last() {
        Some(last) if i == 0 => {
            last.fetch_add(1000, Relaxed);
        }
        _ => {}
    }
    if i == 1
        && let Some(second) = (&counters[1..]).first()
    {
        second.fetch_add(100, Relaxed);
    }
    if i == 3
        && let Some(first) = tile.first()
    {
        out[i] += 100 * first.load(Relaxed);
    }
    if counters.get(i + 1).is_none() && !stored(counters, i + 1, 3) {
        out[i] += 10_000;
    }
    out[i] += counters.len() as u32 + u32::from(counters.is_empty());
}

#[test]
fn elements_that_may_not_be_there() -> Result<(), LaunchError> {
    for_each_policy!(P => {
        let counters: [AtomicU32; 3] = Default::default();
        let best = [11, 12].map(AtomicU64::new);
        let mut out = [0; 4];
        Gpu::<P>::default().launch(Grid::new(1, 4), refers(&counters, &best, &mut out))?;
        assert_eq!(out, [11 + 7 + 3, 12 + 7 + 3, 7 + 7 + 3 + 10_000, 7 + 99 + 3 + 200 + 10_000]);
        assert_eq!(counters.map(AtomicU32::into_inner), [8, 108, 1008]);
        assert_eq!(best.map(AtomicU64::into_inner), [u64::MAX; 2]);
    });
    Ok(())
}

#[device]
fn holds(value: u32, test: impl Fn(u32) -> bool) -> bool {
    test(value)
}

#[kernel]
fn counted(counters: &[AtomicU32], least: u32) {
    if holds(global_id() as u32, |value| value >= least) {
        counters[0].fetch_add(5, Relaxed);
    }
    counters[1].fetch_add(u32::from(holds(least, |value| value > 1)), Relaxed);
}

/// The variable of a result that nothing uses goes away; those of functions to which closures are passed stay theirs.
#[test]
fn results_that_nothing_uses_beside_closures() -> Result<(), LaunchError> {
    let counters: [AtomicU32; 2] = Default::default();
    Gpu::<Ipdom>::default().launch(Grid::new(1, 4), counted(&counters, 3))?;
    assert_eq!(counters.map(AtomicU32::into_inner), [5, 4]);
    Ok(())
}
