//! Schedulers put warps in different orders; what the warps do stays the same.

use crate::machine::{changed, machines};
use simt::clock::{ClockReport, WarpScheduling};
use simt::prelude::*;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Each warp prints twice, with work in between; the order is the scheduler's.
#[kernel]
fn arrive(x: &[u32], next: &[AtomicU32], order: &mut [u32], sums: &mut [u32]) {
    let i = global_id();
    let mut sum = 0;
    for round in 0..2 {
        for k in 0..5 {
            sum += x[(i * 17 + k * 64 + round) % x.len()] * 3;
        }
        if i % 32 == 0 {
            let place = next[0].fetch_add(1, Relaxed);
            order[place as usize] = i as u32 / 32;
        }
    }
    sums[i] = sum;
}

#[test]
fn schedulers_differ_in_order_and_not_in_result() {
    const THREADS: usize = 1024;
    let x: Vec<u32> = (0..5000).map(|i| i * 7 % 1013).collect();
    let sum = |i: usize| (0..10).map(|n| x[(i * 17 + n % 5 * 64 + n / 5) % x.len()] * 3).sum::<u32>();
    let expected: Vec<u32> = (0..THREADS).map(sum).collect();
    let mut orders = BTreeSet::new();
    for (name, config) in machines() {
        for &scheduling in WarpScheduling::ALL {
            let config = changed(config.clone(), |clock| {
                (clock.scheduling, clock.cores, clock.threads, clock.registers) = (scheduling, 1, 1024, 1 << 20);
            });
            let (mut order, mut sums) = (vec![99; THREADS / 16], vec![0; THREADS]);
            let next = [AtomicU32::new(0)];
            let gpu = Gpu::<Ipdom>::new(config);
            let report = gpu.launch(Grid::new(1, THREADS), arrive(&x, &next, &mut order, &mut sums));
            let report = report.unwrap_or_else(|error| panic!("{error}"));
            assert!(report.clock().is_some_and(|clock: &ClockReport| clock.cycles() > 0));
            assert_eq!(sums, expected, "{name} {}", scheduling.name());
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..THREADS as u32 / 16).map(|n| n / 2).collect::<Vec<_>>());
            orders.insert((name, order));
        }
    }
    // Of all schedulers on three machines, few agree on an order.
    assert!(orders.len() >= 9, "{} orders", orders.len());
}
