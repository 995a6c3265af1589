//! Atomics, fences, and threads that write the same.

use super::race;
use simt::RaceCheck;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

#[kernel]
fn histogram(x: &[u32], total: &[AtomicU32]) {
    #[shared]
    let bins: [AtomicU32; 8];
    let i = thread_idx().x;
    if i < 8 {
        bins[i].store(0, Relaxed);
    }
    sync_threads();
    bins[x[i] as usize % 8].fetch_add(1, Relaxed);
    sync_threads();
    if i < 8 {
        total[i].fetch_add(bins[i].load(Relaxed), Relaxed);
    }
}

/// A lock whose section changes an element of a shared array.
#[kernel]
fn locked(out: &mut [u32], lock: &[AtomicU32], ordered: bool) {
    #[shared]
    let mut sum: [u32; 1];
    if thread_idx().x == 0 {
        sum[0] = 0;
    }
    sync_threads();
    let (mut tries, mut done) = (0, false);
    while !done {
        if lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            tries += 1;
        } else {
            sum[0] += 1;
            if ordered {
                lock[0].store(0, Release);
            } else {
                lock[0].store(0, Relaxed);
            }
            done = true;
        }
    }
    sync_threads();
    out[thread_idx().x] = sum[0] + tries.min(0);
}

/// A message from one warp to the next, by a flag without an order of its own.
#[kernel]
fn fenced(out: &mut [u32], flag: &[AtomicU32], writer: bool, reader: bool) {
    #[shared]
    let mut message: [u32; 1];
    let i = thread_idx().x;
    if i == 0 {
        message[0] = 5;
    }
    sync_threads();
    if i == 0 {
        message[0] = 7;
        if writer {
            fence_block();
        }
        flag[0].store(1, Relaxed);
    }
    if i == 64 {
        while flag[0].load(Relaxed) == 0 {}
        if reader {
            fence_block();
        }
        out[0] = message[0];
    }
}

/// All threads write one element: the same, or each its own number.
#[kernel]
fn to_one(out: &mut [u32], same: bool) {
    #[shared]
    let mut flag: [u32; 1];
    let value = if same { 3 } else { lane_id() as u32 };
    flag[0] = value;
    sync_threads();
    out[global_id()] = flag[0];
}

/// All threads add to one element without an atomic.
#[kernel]
fn lost(sum: &mut [u32]) {
    sum[0] += 1;
}

#[test]
fn atomics_do_not_race() {
    let x: Vec<u32> = (0..128).collect();
    watched!(|gpu| {
        let total: [AtomicU32; 8] = Default::default();
        let launched = gpu.launch(Grid::new(1, 128), histogram(&x, &total));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(total.map(AtomicU32::into_inner), [16; 8]);
    });
}

#[test]
fn a_lock_orders_those_which_had_it() {
    // Of those under which it ends.
    fn check<P: Policy>() {
        let gpu = Gpu::<P>::default().with_warp_width(8).with_race_check(RaceCheck::Everywhere);
        let mut out = [0; 16];
        let launched = gpu.launch(Grid::new(1, 16), locked(&mut out, &[AtomicU32::new(0)], true));
        assert!(launched.is_ok(), "under {}: {launched:?}", P::name());
        assert_eq!(out, [16; 16]);
        let race = race(gpu.launch(Grid::new(1, 16), locked(&mut out, &[AtomicU32::new(0)], false)));
        assert_eq!((&*race.name, race.index), ("sum", 0));
    }
    check::<Ipdom>();
    check::<TokenStack>();
    check::<Mimd>();
    check::<Dwf<TimeStamp>>();
    check::<BlockCompaction>();
}

#[test]
fn fences_order_what_flags_tell_of() {
    fn check<P: Policy>() {
        for (writer, reader) in [(true, true), (true, false), (false, true), (false, false)] {
            let gpu = Gpu::<P>::default().with_race_check(RaceCheck::Everywhere);
            let (mut out, flag) = ([0], [AtomicU32::new(0)]);
            let launched = gpu.launch(Grid::new(1, 128), fenced(&mut out, &flag, writer, reader));
            if writer && reader {
                assert!(launched.is_ok(), "under {}: {launched:?}", P::name());
                assert_eq!(out, [7]);
            } else {
                let text = launched.as_ref().expect_err("it races").to_string();
                assert!(text.contains("an atomic that the one stores with `Release`"), "{text}");
                assert_eq!(race(launched).name, "message");
            }
        }
    }
    check::<Ipdom>();
    check::<Mimd>();
    check::<Dwf<TimeStamp>>();
}

#[test]
fn threads_that_write_the_same_do_not_race() {
    watched!(|gpu| {
        let mut out = [0; 128];
        let launched = gpu.launch(Grid::new(1, 128), to_one(&mut out, true));
        assert!(launched.is_ok() && out == [3; 128], "{launched:?}");
        let race = race(gpu.launch(Grid::new(1, 128), to_one(&mut out, false)));
        assert!(race.write && race.earlier_write && race.value != race.earlier_value, "{race:?}");
    });
}

#[test]
fn lanes_that_write_different_values_at_once_are_told_so() {
    let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared);
    let error = gpu.launch(Grid::new(1, 32), to_one(&mut [0; 32], false)).expect_err("it races");
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("at_once", error.to_string());
    });
    assert!(race(Err(error)).same_issue);
}

#[test]
fn a_sum_without_an_atomic_is_found() {
    watched!(|gpu| {
        let race = race(gpu.launch(Grid::new(1, 64), lost(&mut [0])));
        assert!(race.same_warp && race.name == "sum", "{race:?}");
    });
}
