//! Warps that wait for each other by locks: turns do not resonate with them, and what ends under a fair scheduler ends.

use simt::KernelCall;
use simt::error::LivelockProof;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// A ring between a warp that makes items and one that takes them, with one lock around it.
#[kernel]
fn ring(lock: &[AtomicU32], head: &[AtomicU32], tail: &[AtomicU32], items: &mut [u32], sum: &[AtomicU32], count: u32) {
    if lane_id() != 0 {
        return;
    }
    let makes = warp_id() == 0;
    let mut done = 0;
    while done < count {
        while lock[0].swap(1, Acquire) == 1 {}
        let (h, t) = (head[0].load(Relaxed), tail[0].load(Relaxed));
        if makes && h - t < items.len() as u32 {
            items[h as usize % items.len()] = done + 1;
            head[0].store(h + 1, Relaxed);
            done += 1;
        }
        if !makes && h > t {
            sum[0].fetch_add(items[t as usize % items.len()], Relaxed);
            tail[0].store(t + 1, Relaxed);
            done += 1;
        }
        lock[0].store(0, Release);
    }
}

/// Warp 0 has the lock most of the time until warp 1 has had it; `work` makes the section longer.
#[kernel]
fn greedy(lock: &[AtomicU32], done: &[AtomicU32], work: u32) {
    if lane_id() != 0 {
        return;
    }
    if warp_id() == 0 {
        while done[0].load(Acquire) == 0 {
            while lock[0].swap(1, Acquire) == 1 {}
            let mut k = 0;
            while k < work {
                k += 1;
            }
            lock[0].store(0, Release);
        }
    } else {
        while lock[0].swap(1, Acquire) == 1 {}
        done[0].store(1, Relaxed);
        lock[0].store(0, Release);
    }
}

/// The same where nothing comes between giving the lock back and taking it.
#[kernel]
fn greediest(lock: &[AtomicU32], done: &[AtomicU32]) {
    if lane_id() != 0 {
        return;
    }
    if warp_id() == 0 {
        loop {
            while lock[0].swap(1, Acquire) == 1 {}
            if done[0].load(Relaxed) == 1 {
                lock[0].store(0, Release);
                break;
            }
            lock[0].store(0, Release);
        }
    } else {
        while lock[0].swap(1, Acquire) == 1 {}
        done[0].store(1, Relaxed);
        lock[0].store(0, Release);
    }
}

fn zeros() -> [AtomicU32; 2] {
    [AtomicU32::new(0), AtomicU32::new(0)]
}

/// The policies that regroup the threads of a block and are not fair: they may leave one of two threads aside for ever, which
/// is proved then. All others give each warp its turns.
#[track_caller]
fn ends_where_warps_have_turns<P: Policy>(call: KernelCall<'_>) -> bool {
    let regroups = P::name().starts_with("Dwf") || P::name() == "BlockCompaction";
    let gpu = Gpu::<P>::default().with_ends_under_limit(0).with_checks(Checks::none());
    match gpu.launch(Grid::new(1, 64), call) {
        Ok(_) => true,
        Err(LaunchError::Livelock(livelock)) if regroups && !P::is_fair() => {
            assert_eq!(livelock.proof, LivelockProof::ThisPolicy);
            false
        }
        Err(error) => panic!("{}: {error}", P::name()),
    }
}

#[test]
fn a_ring_between_two_warps_passes_all_on() {
    for_each_policy!(P => {
        let (lock, head, tail, sum) = (zeros(), zeros(), zeros(), zeros());
        let mut items = [0; 4];
        if ends_where_warps_have_turns::<P>(ring(&lock, &head, &tail, &mut items, &sum, 20)) {
            assert_eq!(sum[0].load(Relaxed), 210, "{}", P::name());
        }
    });
}

#[test]
fn a_lock_is_had_whatever_the_length_of_the_loop_around_it() {
    for work in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100] {
        for_each_policy!(P => {
            ends_where_warps_have_turns::<P>(greedy(&zeros(), &zeros(), work));
        });
    }
}

#[test]
fn a_lock_that_is_taken_again_at_once_is_free_in_between() {
    for_each_policy!(P => {
        ends_where_warps_have_turns::<P>(greediest(&zeros(), &zeros()));
    });
}

#[test]
fn turns_are_the_same_every_time_and_others_with_another_seed() {
    let issues = |seed| {
        let (lock, head, tail, sum) = (zeros(), zeros(), zeros(), zeros());
        let gpu = Gpu::<Ipdom>::default().with_seed(seed);
        let report = gpu.launch(Grid::new(1, 64), ring(&lock, &head, &tail, &mut [0; 4], &sum, 20)).expect("it ends");
        report.issues()
    };
    assert_eq!(issues(3), issues(3));
    assert_ne!(issues(3), issues(4));
}

#[kernel]
fn leaves_by_a_return(lock: &[AtomicU32], sum: &mut [u32]) {
    loop {
        if lock[0].swap(1, Acquire) == 0 {
            sum[0] += 1;
            if sum[0] % 3 == 0 {
                lock[0].store(0, Release);
                return;
            }
            lock[0].store(0, Release);
            break;
        }
    }
    sum[1 + global_id()] = 5;
}

#[device]
fn take(lock: &[AtomicU32]) {
    while lock[0].swap(1, Acquire) != 0 {}
}

#[kernel]
fn takes_in_a_function(lock: &[AtomicU32], sum: &mut [u32]) {
    for _ in 0..2 {
        take(lock);
        sum[0] += 1;
        lock[0].store(0, Release);
    }
}

#[kernel]
fn waits_under_an_if(flags: &[AtomicU32], sum: &mut [u32]) {
    let i = global_id();
    if i > 0 {
        while flags[i - 1].load(Acquire) == 0 {}
    }
    sum[i] = i as u32;
    flags[i].store(1, Release);
}

/// The statements of the page on termination about locks under Hanoi.
#[test]
fn locks_that_hang_under_hanoi() {
    fn ends<P: Policy>() -> [bool; 3] {
        let gpu = Gpu::<P>::default().with_ends_under_limit(0);
        [0, 1, 2].map(|number| {
            let flags: Vec<AtomicU32> = (0..32).map(|_| AtomicU32::new(0)).collect();
            let (grid, sum) = (Grid::new(1, 32), &mut [0; 33]);
            let launched = match number {
                0 => gpu.launch(grid, leaves_by_a_return(&flags, sum)),
                1 => gpu.launch(grid, takes_in_a_function(&flags, sum)),
                _ => gpu.launch(grid, waits_under_an_if(&flags, sum)),
            };
            launched.is_ok()
        })
    }
    assert_eq!(ends::<Hanoi>(), [false; 3]);
    assert_eq!(ends::<ConvergenceBarriers>(), [true; 3]);
}
