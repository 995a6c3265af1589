//! Launches on several threads of the host: the same results, reports and errors as on one.

use simt::prelude::*;

/// Threads of the grids: enough to be cut into parts.
const MANY: usize = 5000;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Item {
    key: u32,
    weight: f64,
    is_odd: bool,
}

#[kernel]
fn everything(x: &[u32], items: &mut [Item], flags: &mut [bool], places: &mut [usize], sums: &mut [u64]) {
    #[shared]
    let mut tile: [u32; 64];
    let mut own = [0_u32; 4];
    let (i, t) = (global_id(), thread_idx().x);
    tile[t] = if i < x.len() { x[i] } else { 0 };
    sync_threads();
    for k in 0..4 {
        own[k] = tile[(t + k) % 64];
    }
    if i >= x.len() {
        return;
    }
    let mut n = x[i];
    while n > 3 {
        n = if n % 2 == 0 { n / 2 } else { n - 1 };
        items[i].key += own[n as usize % 4];
    }
    items[i].weight = f64::from(n) / 3.0;
    items[i].is_odd = x[i] % 2 == 1;
    flags[i] = flags[i] != items[i].is_odd;
    places[x.len() - 1 - i] = i;
    if t == 0 {
        sums[block_idx().x] = tile.iter().map(|v| u64::from(*v)).sum();
    }
    if x[i] % 1009 == 0 {
        println!("{i} has {}", x[i]);
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Results {
    items: Vec<Item>,
    flags: Vec<bool>,
    places: Vec<usize>,
    sums: Vec<u64>,
    report: String,
    prints: Vec<String>,
}

fn run<P: Policy>(gpu: &Gpu<P>) -> Results {
    let x: Vec<u32> = (0..MANY as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 20).collect();
    let mut items = vec![Item { key: 7, ..Item::default() }; MANY];
    let (mut flags, mut places) = (vec![true; MANY], vec![0; MANY]);
    let grid = Grid::covering(MANY, 64);
    let mut sums = vec![u64::MAX; grid.blocks().x + 3];
    let report = gpu.launch(grid, everything(&x, &mut items, &mut flags, &mut places, &mut sums));
    let report = report.unwrap_or_else(|error| panic!("{}: {error}", P::name()));
    Results { items, flags, places, sums, report: report.to_string(), prints: report.prints().to_vec() }
}

#[test]
fn results_and_reports_are_those_of_one_thread() {
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default();
        let expected = run(&gpu);
        assert!(!expected.prints.is_empty());
        for threads in [2, 3, 8, 1000] {
            let found = run(&gpu.clone().with_threads(threads));
            assert_eq!(found, expected, "{} on {threads} threads", P::name());
        }
    });
}

/// Blocks write the same elements, and read what others write.
#[kernel]
fn racy(x: &mut [u32]) {
    let i = global_id();
    let before = x[(i * 7) % 512];
    x[i % 512] = before + i as u32;
}

#[test]
fn a_race_ends_in_the_same_way_for_any_number_of_threads_above_one() {
    let run = |threads| {
        let mut x = vec![1; 512];
        let gpu = Gpu::<Ipdom>::default().with_threads(threads);
        gpu.launch(Grid::covering(MANY, 64), racy(&mut x)).expect("it ends");
        x
    };
    let expected = run(2);
    assert_ne!(expected, run(1), "or it is no race");
    for threads in [3, 4, 8, 1000] {
        assert_eq!(run(threads), expected, "{threads}");
    }
}

#[kernel]
fn failing(x: &mut [u32], bad: usize) {
    let i = global_id();
    x[i] = i as u32;
    assert!(i < bad, "thread {i} is bad");
}

#[test]
fn an_error_is_that_of_one_thread_and_changes_nothing() {
    for bad in [0, 100, 3000, MANY - 1] {
        let run = |threads| {
            let mut x = vec![9; MANY + 64];
            let gpu = Gpu::<Ipdom>::default().with_threads(threads);
            let error = gpu.launch(Grid::covering(MANY, 64), failing(&mut x, bad)).expect_err("it fails");
            assert!(x.iter().all(|&x| x == 9), "{threads}");
            error.to_string()
        };
        let expected = run(1);
        assert!(expected.contains(&format!("thread {bad} is bad")), "{expected}");
        assert_eq!(run(4), expected);
    }
}

/// With atomics, blocks may talk: they run in order.
#[kernel]
fn numbered(next: &AtomicU32, x: &mut [u32]) {
    x[global_id()] = next.fetch_add(1, Relaxed);
}

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[test]
fn blocks_that_may_talk_run_in_order() {
    let run = |threads| {
        let (next, mut x) = (AtomicU32::new(0), vec![0; 4096]);
        Gpu::<MinPc>::default().with_threads(threads).launch(Grid::new(64, 64), numbered(&next, &mut x)).expect("ends");
        (next.into_inner(), x)
    };
    assert_eq!(run(8), run(1));
}

#[test]
fn an_observer_sees_all_issues_in_order() {
    struct Order(Vec<(usize, usize)>);
    impl simt::observe::Observer for Order {
        fn warp(&mut self, warp: simt::observe::WarpId) {
            self.0.push((warp.block, warp.warp));
        }
    }
    let mut order = Order(Vec::new());
    let mut x = vec![0; MANY + 64];
    let gpu = Gpu::<Ipdom>::default().with_threads(4);
    gpu.launch_observed(Grid::covering(MANY, 64), failing(&mut x, MANY + 64), &mut order).expect("it ends");
    assert!(order.0.is_sorted() && order.0.len() >= MANY / 32);
}
