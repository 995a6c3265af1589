//! Launches that fail, fail alike: the same error, and slices as they were.

use crate::machine::{changed, machines};
use simt::observe::IssueTrace;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

#[kernel]
fn beyond(x: &mut [u32], from: u32) {
    let i = global_id();
    if i == 70 {
        x[i + from as usize] = 1;
    } else {
        x[i] += 1;
    }
}

#[kernel]
fn divided(x: &mut [u32], counts: &[AtomicU32]) {
    let i = global_id();
    counts[0].fetch_add(1, Relaxed);
    if i == 33 {
        x[i] = 10 / (x[i] - x[i]);
    }
}

#[kernel]
fn vote_in_a_branch(x: &mut [u64]) {
    let i = global_id();
    if i % 2 == 0 {
        x[i] = ballot(x[i] > 3);
    } else {
        sync_warp();
    }
}

#[kernel]
fn barrier_in_a_branch(x: &mut [u32]) {
    let i = global_id();
    if i < 32 {
        sync_threads();
    } else {
        sync_barrier(1, 64);
    }
    x[i] = 1;
}

#[kernel]
fn endless(x: &mut [u32]) {
    while x[0] == 0 {
        x[1] += 1;
    }
}

/// Reads and writes no memory until it ends, which is never.
#[kernel]
fn endless_arithmetic(x: &mut [u32]) {
    let mut n = lane_id() as u32;
    while n != 2 {
        n = n * 3 + 1;
        if n % 5 == 2 {
            n += 1;
        }
    }
    x[0] = n;
}

/// The parts in which two errors agree: all that they say of thread, line and reason.
fn text(error: &LaunchError) -> String {
    error.to_string()
}

#[test]
fn a_fault_is_the_same_fault() {
    for_each_policy!(P => {
        let functional = {
            let (mut x, mut y) = ([7; 100], [7; 100]);
            let counts = [AtomicU32::new(0)];
            let gpu = Gpu::<P>::default();
            let beyond = gpu.launch(Grid::new(1, 100), beyond(&mut x, 1000)).unwrap_err();
            let divided = gpu.launch(Grid::new(1, 100), divided(&mut y, &counts)).unwrap_err();
            [text(&beyond), text(&divided)]
        };
        for (name, config) in machines() {
            let gpu = Gpu::<P>::new(config);
            let (mut x, counts) = ([7; 100], [AtomicU32::new(3)]);
            let error = gpu.launch(Grid::new(1, 100), beyond(&mut x, 1000)).unwrap_err();
            assert_eq!((text(&error), x), (functional[0].clone(), [7; 100]), "{name}");
            let error = gpu.launch(Grid::new(1, 100), divided(&mut x, &counts)).unwrap_err();
            assert_eq!((text(&error), x), (functional[1].clone(), [7; 100]), "{name}");
            assert_eq!(counts[0].load(Relaxed), 3, "{name}");
        }
    });
}

/// Lanes that wait for each other at different operations, and warps at different barriers.
#[test]
fn a_deadlock_is_called_one() {
    for_each_policy!(P => {
        for (name, config) in machines() {
            let gpu = Gpu::<P>::new(config).with_ends_under_limit(0);
            let mut x = [7; 64];
            let error = gpu.launch(Grid::new(1, 64), vote_in_a_branch(&mut x)).unwrap_err();
            assert!(matches!(error, LaunchError::Deadlock(_)), "{name} {}: {error}", P::name());
            assert_eq!(x, [7; 64]);
            let mut x = [7; 64];
            let error = gpu.launch(Grid::new(1, 64), barrier_in_a_branch(&mut x)).unwrap_err();
            assert!(matches!(error, LaunchError::Deadlock(_)), "{name} {}: {error}", P::name());
            assert_eq!(x, [7; 64]);
        }
    });
}

/// A launch that does not end is given up after the cycles of the config; the error says which lanes have not ended, and
/// where.
#[test]
fn a_loop_without_end_has_a_limit() {
    for_each_policy!(P => {
        for (name, config) in machines() {
            let config = changed(config, |clock| clock.cycle_limit = 10_000);
            let mut x = [0; 32];
            let error = Gpu::<P>::new(config).launch(Grid::new(2, 32), endless(&mut x)).unwrap_err();
            let text = error.to_string();
            let LaunchError::CycleLimit(stop) = &error else { panic!("{name} {}: {error}", P::name()) };
            assert_eq!((stop.limit, error.kernel(), stop.policy), (10_000, "endless", P::name()));
            assert!(text.contains("10000 cycles") && text.contains("x["), "{name}: {error}");
            assert!(error.thread().is_some_and(|thread| thread.block.x == 0), "{name}: {error}");
            assert!(error.line().is_some(), "{name}: {error}");
            assert_eq!(x, [0; 32]);
        }
    });
}

/// What a warp does by itself counts as any instruction: a limit that is higher by one stops it one instruction later.
#[test]
fn a_warp_has_a_limit_of_instructions() {
    for_each_policy!(P => {
        for (name, config) in machines() {
            let mut before = None;
            for limit in 100..130 {
                let (mut x, mut trace) = ([0; 4], IssueTrace::default());
                let gpu = Gpu::<P>::new(config.clone()).with_step_limit(limit);
                let error = gpu.launch_observed(Grid::new(1, 1), endless_arithmetic(&mut x), &mut trace).unwrap_err();
                let LaunchError::StepLimit(stop) = &error else { panic!("{name} {}: {error}", P::name()) };
                assert_eq!((stop.limit, x), (limit, [0; 4]));
                let issues = trace.issues().len();
                assert!((90..=limit as usize + 1).contains(&issues), "{name} {}: {issues} of {limit}", P::name());
                assert!(before.is_none_or(|before| before + 1 == issues), "{name} {}: {issues}", P::name());
                before = Some(issues);
            }
        }
    });
}
