//! Launches in parts, on several threads of the host: the results, reports and errors of blocks one after the other.

use simt::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Threads of the grids: enough to be cut into parts.
const MANY: usize = 5000;

/// Blocks run one after the other where what all of them do is limited.
fn in_order<P: Policy>() -> Gpu<P> {
    Gpu::default().with_work_limit(u64::MAX)
}

/// Numbers of threads of the host.
const THREADS: [usize; 5] = [1, 2, 3, 8, 1000];

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
fn results_and_reports_are_those_of_blocks_one_after_the_other() {
    for_each_policy!(P => {
        let expected = run(&in_order::<P>());
        assert!(!expected.prints.is_empty());
        assert_eq!(run(&Gpu::<P>::default()), expected, "{}", P::name());
        for threads in THREADS {
            let found = run(&Gpu::<P>::default().with_threads(threads));
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
fn a_race_ends_in_the_same_way_for_any_number_of_threads() {
    let run = |gpu: &Gpu<Ipdom>| {
        let mut x = vec![1; 512];
        gpu.launch(Grid::covering(MANY, 64), racy(&mut x)).expect("it ends");
        x
    };
    let expected = run(&Gpu::default());
    assert_ne!(expected, run(&in_order()), "or it is no race");
    for threads in THREADS {
        assert_eq!(run(&Gpu::default().with_threads(threads)), expected, "{threads}");
    }
}

/// Threads read and write the elements that have their numbers, and write others that they do not read.
#[kernel]
fn apart(own: &mut [u64], bytes: &mut [u8], out: &mut [u16], scale: u64) {
    let i = global_id();
    if i < own.len() {
        own[i] = own[i] * scale + i as u64;
        if own[i] % 3 == 0 {
            own[i] += u64::from(bytes[i]);
            bytes[i] = 9;
        }
        out[(i * 31) % 1000] = i as u16;
    }
}

#[test]
fn blocks_that_see_nothing_of_each_other_leave_the_same_in_parts_as_in_order() {
    let run = |gpu: &Gpu<Ipdom>, length: usize| {
        let (mut own, mut bytes) = ((0..length as u64).collect::<Vec<_>>(), vec![5; length]);
        let mut out = vec![3; 1001];
        let gpu = gpu.clone();
        let report = gpu.launch(Grid::covering(MANY, 64), apart(&mut own, &mut bytes, &mut out, 7)).expect("it ends");
        (own, bytes, out, report.to_string())
    };
    for length in [0, 1, 1000, MANY, 2 * MANY] {
        let expected = run(&in_order(), length);
        for threads in THREADS {
            assert_eq!(run(&Gpu::default().with_threads(threads), length), expected, "{length} on {threads}");
        }
    }
}

#[kernel]
fn failing(x: &mut [u32], bad: usize) {
    let i = global_id();
    x[i] = i as u32;
    assert!(i < bad, "thread {i} is bad");
}

#[test]
fn an_error_is_that_of_blocks_in_order_and_changes_nothing() {
    for bad in [0, 100, 3000, MANY - 1] {
        let run = |gpu: &Gpu<Ipdom>| {
            let mut x = vec![9; MANY + 64];
            let error = gpu.launch(Grid::covering(MANY, 64), failing(&mut x, bad)).expect_err("it fails");
            assert!(x.iter().all(|&x| x == 9));
            error.to_string()
        };
        let expected = run(&in_order());
        assert!(expected.contains(&format!("thread {bad} is bad")), "{expected}");
        for threads in THREADS {
            assert_eq!(run(&Gpu::default().with_threads(threads)), expected);
        }
    }
}

/// Threads add up what none of them looks at.
#[kernel]
#[allow(clippy::too_many_arguments, reason = "one for each operation")]
fn tallied(
    x: &[u32],
    counts: &[AtomicU32],
    left: &AtomicI64,
    least: &[AtomicU32],
    most: &AtomicI64,
    common: &AtomicU32,
    any: &AtomicBool,
    parity: &[AtomicUsize],
    scale: &AtomicU32,
    racy: &mut [u32],
) {
    let i = global_id();
    if thread_idx().x == 0 {
        racy[0] += 1;
    }
    if i >= x.len() {
        return;
    }
    let v = x[i] * scale.load(Relaxed);
    counts[v as usize % 16].fetch_add(v, Relaxed);
    left.fetch_sub(i64::from(v), Relaxed);
    left.fetch_add(1, Relaxed);
    least[v as usize % 3].fetch_min(v, Relaxed);
    most.fetch_max(-i64::from(v), Relaxed);
    common.fetch_and(!v | 0x10, Relaxed);
    any.fetch_or(v == 77, Relaxed);
    parity[v as usize % 5].fetch_xor(v as usize, Relaxed);
}

#[test]
fn what_blocks_add_up_is_that_of_blocks_in_order() {
    /// What is added up, and what comes of a race, by which it shows whether there were parts.
    fn run<P: Policy>(gpu: &Gpu<P>) -> (String, u32) {
        let mut racy = [0];
        let x: Vec<u32> = (0..MANY as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 20).collect();
        let counts = [const { AtomicU32::new(u32::MAX - 5) }; 16];
        let (left, most) = (AtomicI64::new(i64::MIN + 3), AtomicI64::new(-1_000_000));
        let least = [AtomicU32::new(5000), AtomicU32::new(3), AtomicU32::new(9)];
        let (common, any, scale) = (AtomicU32::new(0xffff), AtomicBool::new(false), AtomicU32::new(3));
        let parity = [const { AtomicUsize::new(0x5555) }; 5];
        let call = tallied(&x, &counts, &left, &least, &most, &common, &any, &parity, &scale, &mut racy);
        let report =
            gpu.launch(Grid::covering(MANY, 64), call).unwrap_or_else(|error| panic!("{}: {error}", P::name()));
        let all = format!("{counts:?} {left:?} {least:?} {most:?} {common:?} {any:?} {parity:?} {report}");
        (all, racy[0])
    }
    for_each_policy!(P => {
        let (expected, in_order) = run(&in_order::<P>());
        for threads in THREADS {
            let (found, in_parts) = run(&Gpu::<P>::default().with_threads(threads));
            assert_eq!(found, expected, "{} on {threads}", P::name());
            assert_ne!(in_parts, in_order, "{}", P::name());
        }
    });
}

/// Two ways of adding up that do not go together: a sum that must not grow beyond a limit.
#[kernel]
fn limited(x: &AtomicU32, limit: u32) {
    x.fetch_add(3, Relaxed);
    x.fetch_min(limit, Relaxed);
}

/// Sums that are rounded.
#[kernel]
fn rounded(x: &AtomicF32) {
    x.fetch_add(1.0 / (1 + global_id() % 97) as f32, Relaxed);
}

#[test]
fn what_depends_on_the_order_runs_in_order() {
    let limited_by = |gpu: &Gpu<MinPc>| {
        let x = AtomicU32::new(0);
        gpu.launch(Grid::covering(MANY, 64), limited(&x, 100)).expect("it ends");
        x.into_inner()
    };
    let rounded_to = |gpu: &Gpu<MinPc>| {
        let x = AtomicF32::new(0.0);
        gpu.launch(Grid::covering(MANY, 64), rounded(&x)).expect("it ends");
        x.load(Relaxed).to_bits()
    };
    for threads in THREADS {
        let gpu = Gpu::default().with_threads(threads);
        assert_eq!((limited_by(&gpu), rounded_to(&gpu)), (limited_by(&in_order()), rounded_to(&in_order())));
    }
}

#[test]
fn launches_beside_each_other_share_the_processors() {
    let expected = run(&in_order::<Ipdom>());
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| (0..3).for_each(|_| assert_eq!(run(&Gpu::<Ipdom>::default()), expected)));
        }
    });
}

/// Blocks may talk by what atomics return: they run in order.
#[kernel]
fn numbered(next: &AtomicU32, x: &mut [u32]) {
    x[global_id()] = next.fetch_add(1, Relaxed);
}

#[test]
fn blocks_that_may_talk_run_in_order() {
    let run = |gpu: &Gpu<MinPc>| {
        let (next, mut x) = (AtomicU32::new(0), vec![0; 4096]);
        gpu.launch(Grid::new(64, 64), numbered(&next, &mut x)).expect("it ends");
        (next.into_inner(), x)
    };
    assert_eq!(run(&Gpu::default()), run(&in_order()));
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
