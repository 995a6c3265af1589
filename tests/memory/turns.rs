//! Launches that have atomics in common take turns.

use super::{bump, values, zeros};
use simt::core::LaneMask;
use simt::core::code::Pc;
use simt::error::{ArgumentError, ArgumentProblem};
use simt::observe::Observer;
use simt::prelude::*;
use std::sync::Barrier;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::thread;

/// Runs a closure at the first issue of a launch.
struct Once<F>(Option<F>);

impl<F: FnOnce()> Observer for Once<F> {
    fn issued(&mut self, _: Pc, _: u32, _: LaneMask) {
        if let Some(act) = self.0.take() {
            act();
        }
    }
}

fn gpu() -> Gpu<Ipdom> {
    Gpu::default()
}

#[track_caller]
fn in_use(result: Result<Report, LaunchError>) -> (ArgumentError, String) {
    let error = result.expect_err("the atomics are in use");
    let text = error.to_string();
    let LaunchError::Argument(error) = error else { panic!("{text}") };
    (*error, text)
}

#[test]
fn launches_at_a_time_lose_nothing() {
    let counter = zeros(1);
    thread::scope(|scope| {
        for number in 0..32 {
            let counter = &counter;
            scope.spawn(move || {
                for _ in 0..20 {
                    let launched = match number % 2 {
                        0 => gpu().launch(Grid::new(1, 64), bump(counter)),
                        _ => Gpu::<Dwf<Majority>>::default().launch(Grid::new(1, 64), bump(counter)),
                    };
                    launched.expect("a launch");
                }
            });
        }
    });
    assert_eq!(values(&counter), [32 * 20 * 64]);
}

#[kernel]
fn both(a: &[AtomicU32], b: &[AtomicU32]) {
    a[0].fetch_add(1, Relaxed);
    b[0].fetch_add(1, Relaxed);
}

#[test]
fn launches_on_parts_and_in_any_order_lose_nothing_and_do_not_block_each_other() {
    let all = zeros(9);
    thread::scope(|scope| {
        for number in 0..16 {
            let all = &all;
            scope.spawn(move || {
                for round in 0..20 {
                    let (a, b) = ((number + round) % 8, (3 * number + 5 * round) % 8);
                    gpu().launch(Grid::new(1, 32), both(&all[a..a + 2], &all[b..])).expect("a launch");
                }
            });
        }
    });
    assert_eq!(values(&all).iter().sum::<u32>(), 16 * 20 * 64);
}

#[kernel]
fn claim(owner: &[AtomicU32], name: u32, wins: &[AtomicU32]) {
    if owner[0].compare_exchange(0, name, AcqRel, Relaxed).is_ok() {
        wins[0].fetch_add(1, Relaxed);
    }
}

#[test]
fn of_many_launches_one_wins_a_comparison() {
    for _ in 0..10 {
        let (owner, wins) = (zeros(1), zeros(1));
        thread::scope(|scope| {
            for name in 1..=8 {
                let (owner, wins) = (&owner, &wins);
                scope.spawn(move || gpu().launch(Grid::new(1, 32), claim(owner, name, wins)).expect("a launch"));
            }
        });
        assert_eq!(values(&wins), [1]);
    }
}

#[test]
fn values_are_those_of_the_launch_not_of_the_call() {
    let a = zeros(1);
    let (first, second) = (bump(&a), bump(&a));
    a[0].store(1000, Relaxed);
    gpu().launch(Grid::new(1, 32), first).expect("a launch");
    gpu().launch(Grid::new(1, 32), second).expect("a launch");
    assert_eq!(values(&a), [1064]);
}

#[test]
fn what_the_host_stores_meanwhile_stays_where_the_launch_changes_nothing() {
    let a = zeros(200);
    let mut host = Once(Some(|| a.iter().for_each(|atomic| atomic.store(7, Relaxed))));
    gpu().launch_observed(Grid::new(1, 32), bump(&a), &mut host).expect("a launch");
    assert_eq!(values(&a), [[32].as_slice(), &[7; 199]].concat());
}

#[test]
fn a_launch_within_a_launch_on_its_atomics_is_refused() {
    let a = zeros(4);
    let mut inner = Vec::new();
    let launches = || {
        inner.push(gpu().launch(Grid::new(1, 32), bump(&a[2..])));
        inner.push(gpu().launch(Grid::new(1, 32), both(&a[3..], &a[1..])));
        inner.push(gpu().launch(Grid::new(1, 32), bump(&a[3..])));
        inner.push(gpu().launch(Grid::new(1, 32), bump(&a[..0])).map_err(panic_if_in_use));
    };
    gpu().launch_observed(Grid::new(1, 32), both(&a[..2], &a[2..3]), &mut Once(Some(launches))).expect("a launch");
    let mut inner = inner.into_iter();
    let mut next = || inner.next().expect("four launches");
    let problem = ArgumentProblem::InUse { by: "both".into(), elsewhere: false };
    let (error, text) = in_use(next());
    assert_eq!((error.kernel.as_ref(), error.param.as_ref(), &error.problem), ("bump", "counters", &problem));
    assert!(text.contains("the atomics of `counters` are in use by a launch of `both`"), "{text}");
    let (error, _) = in_use(next());
    assert_eq!((error.param.as_ref(), &error.problem), ("b", &problem));
    next().expect("other atomics");
    assert!(matches!(next(), Err(LaunchError::Fault(_))), "no atomics at all");
    assert_eq!(values(&a), [32, 0, 32, 32]);
    // And it is over.
    gpu().launch(Grid::new(1, 32), bump(&a)).expect("a launch");
}

fn panic_if_in_use(error: LaunchError) -> LaunchError {
    assert!(!matches!(error, LaunchError::Argument(_)), "{error}");
    error
}

/// Two launches, each of which starts another one on the atomics of the other.
#[test]
fn launches_that_would_wait_for_each_other_are_refused() {
    let (x, y) = (zeros(1), zeros(1));
    let begun = Barrier::new(2);
    let crossing = |outer: &[AtomicU32], inner: &[AtomicU32]| {
        let mut result = None;
        let launch = || {
            begun.wait();
            result = Some(gpu().launch(Grid::new(1, 32), bump(inner)));
        };
        gpu().launch_observed(Grid::new(1, 32), bump(outer), &mut Once(Some(launch))).expect("a launch");
        result.expect("it was launched")
    };
    let results = thread::scope(|scope| {
        let other = scope.spawn(|| crossing(&y, &x));
        [crossing(&x, &y), other.join().expect("no panic")]
    });
    let [refused, launched]: [Vec<_>; 2] = {
        let (refused, launched) = results.into_iter().partition::<Vec<_>, _>(Result::is_err);
        [refused, launched]
    };
    assert_eq!((refused.len(), launched.len()), (1, 1));
    let (error, text) = in_use(refused.into_iter().next().expect("one is"));
    assert_eq!(error.problem, ArgumentProblem::InUse { by: "bump".into(), elsewhere: true });
    assert!(text.contains("on another thread"), "{text}");
    assert_eq!(values(&x)[0] + values(&y)[0], 96);
}

/// Reads beyond the end.
#[kernel]
fn failing(counters: &[AtomicU32]) {
    counters[0].fetch_add(1, Relaxed);
    counters[1].fetch_add(1, Relaxed);
}

#[test]
fn a_launch_that_fails_leaves_its_atomics_to_others() {
    let a = zeros(1);
    for _ in 0..2 {
        assert!(gpu().launch(Grid::new(1, 32), failing(&a)).is_err());
    }
    let panics = || panic!("the observer does");
    let observed = || gpu().launch_observed(Grid::new(1, 32), bump(&a), &mut Once(Some(panics)));
    for _ in 0..2 {
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(observed)).is_err());
    }
    assert_eq!(values(&a), [0]);
    gpu().launch(Grid::new(1, 32), bump(&a)).expect("a launch");
    assert_eq!(values(&a), [32]);
}
