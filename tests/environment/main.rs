//! Kernels whose memory is the environment of the CUDA report: the results that many seeds find, and those that none may.

#[path = "../support/litmus.rs"]
mod litmus;

mod by_address;
mod handed_over;
mod race_free;

use litmus::{careful, careless, fenced_store_buffers, hasty, ordered, own_store, store_buffers};
use litmus::{config, gpu};
use litmus::{independent_reads, volatile_independent_reads};
use simt::environment::{EnvironmentConfig, MemoryModel};
use simt::policy::RoundRobin;
use simt::prelude::*;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};

/// The slices after a launch of some blocks of one thread, for many seeds.
fn results<const N: usize>(
    seeds: u64,
    blocks: usize,
    launch: impl Fn(&Gpu<Ipdom>, Grid) -> [u32; N],
) -> BTreeSet<[u32; N]> {
    (0..seeds).map(|seed| launch(&gpu(config(seed)), Grid::new(blocks, 1))).collect()
}

#[test]
fn golden_cuda_memory_a_kernel_without_coherence_is_caught() {
    let launch = |kernel: for<'a> fn(&'a mut [u32], &'a mut [u32], &'a mut [u32]) -> KernelCall<'a>| {
        results(300, 2, |gpu, grid| {
            let (mut data, mut flag, mut seen) = ([1], [0], [0; 2]);
            gpu.launch(grid, kernel(&mut data, &mut flag, &mut seen)).expect("it ends");
            assert_eq!((data, flag), ([7], [1]));
            seen
        })
    };
    let seconds = |seen: BTreeSet<[u32; 2]>| seen.into_iter().map(|[_, second]| second).collect::<BTreeSet<u32>>();
    let stale = launch(careless);
    assert_eq!(stale, BTreeSet::from([[1, 1], [1, 7], [7, 7]]), "old for ever, old and then new, always new");
    assert_eq!(seconds(launch(careful)), BTreeSet::from([7]));
    assert_eq!(seconds(launch(hasty)), BTreeSet::from([1, 7]));
    let orders = results(300, 2, |gpu, grid| {
        let (mut data, flag, mut seen) = ([1], [AtomicU32::new(0)], [0; 2]);
        gpu.launch(grid, ordered(&mut data, &flag, &mut seen)).expect("it ends");
        seen
    });
    assert_eq!(seconds(orders), BTreeSet::from([7]));
}

#[test]
fn golden_cuda_memory_stores_are_seen_late_without_a_fence() {
    let launch = |fenced: bool| {
        results(300, 2, |gpu, grid| {
            let (mut x, mut y, mut seen) = ([0], [0], [0; 2]);
            let call = if fenced {
                fenced_store_buffers(&mut x, &mut y, &mut seen)
            } else {
                store_buffers(&mut x, &mut y, &mut seen)
            };
            gpu.launch(grid, call).expect("it ends");
            seen
        })
    };
    let in_order = BTreeSet::from([[0, 1], [1, 0], [1, 1]]);
    assert_eq!(launch(true), in_order);
    assert_eq!(launch(false), &in_order | &BTreeSet::from([[0, 0]]));
}

/// Neither reader sees the word that the other has seen: by old lines of L1, but not if they do not ask it.
#[test]
fn golden_cuda_memory_readers_agree_on_the_order_of_stores_unless_they_ask_l1() {
    let launch = |kernel: for<'a> fn(&'a mut [u32], &'a mut [u32], &'a mut [u32]) -> KernelCall<'a>| {
        results(600, 4, |gpu, grid| {
            let (mut x, mut y, mut seen) = ([0], [0], [0; 2]);
            gpu.launch(grid, kernel(&mut x, &mut y, &mut seen)).expect("it ends");
            seen
        })
    };
    let in_order = BTreeSet::from([[0, 1], [1, 0], [1, 1]]);
    assert_eq!(launch(volatile_independent_reads), in_order);
    assert_eq!(launch(independent_reads), &in_order | &BTreeSet::from([[0, 0]]));
}

#[test]
fn golden_cuda_memory_a_thread_sees_its_own_stores_unless_the_letter_is_asked_for() {
    let launch = |own_order| {
        let seeds = 0..100;
        let launch = |seed| {
            let (mut x, mut seen) = ([0], [9]);
            let environment = EnvironmentConfig { own_order, ..config(seed) };
            gpu::<Ipdom>(environment).launch(Grid::new(1, 1), own_store(&mut x, &mut seen)).expect("it ends");
            seen[0]
        };
        seeds.map(launch).collect::<BTreeSet<u32>>()
    };
    assert_eq!(launch(true), BTreeSet::from([5]));
    assert_eq!(launch(false), BTreeSet::from([0, 5]));
}

#[kernel]
fn conflicts(x: &mut [u32], total: &[AtomicU32], before: &mut [u32]) {
    let i = global_id();
    x[0] = i as u32;
    before[i] = total[0].fetch_add(1, Relaxed);
}

#[test]
fn golden_cuda_memory_h14_all_atomics_of_a_warp_are_done() {
    let (mut winners, mut orders) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..200 {
        let (mut x, total, mut before) = ([9], [AtomicU32::new(0)], [9; 4]);
        let call = conflicts(&mut x, &total, &mut before);
        gpu::<Ipdom>(config(seed)).launch(Grid::new(1, 4), call).expect("it ends");
        assert_eq!(total[0].load(Relaxed), 4);
        let mut sorted = before;
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3]);
        winners.insert(x[0]);
        orders.insert(before);
    }
    assert_eq!(winners, BTreeSet::from([0, 1, 2, 3]), "of stores to one element one wins, whichever");
    assert_eq!(orders.len(), 24, "atomics come in any order");
}

/// Sums of the block by shared memory, then of all by atomics; the last block writes what came out.
#[kernel]
fn sum(x: &[u32], parts: &mut [u32], done: &[AtomicU32], out: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 16];
    let i = thread_idx().x;
    tile[i] = x[global_id()];
    sync_threads();
    let mut stride = 8;
    while stride > 0 {
        if i < stride {
            tile[i] += tile[i + stride];
        }
        sync_threads();
        stride /= 2;
    }
    if i == 0 {
        parts[block_idx().x] = tile[0];
        fence_device();
        if done[0].fetch_add(1, AcqRel) == 5 {
            let mut total = 0;
            for part in 0..6 {
                total += parts.load_cg(part);
            }
            out[0] = total;
        }
    }
}

#[test]
fn a_kernel_that_asks_for_what_it_needs_gives_one_result() {
    let x: Vec<u32> = (0..96).map(|i| i * i).collect();
    fn check<P: Policy>(x: &[u32], seed: u64) {
        let (mut parts, done, mut out) = ([0; 6], [AtomicU32::new(0)], [0]);
        let call = sum(x, &mut parts, &done, &mut out);
        gpu::<P>(config(seed)).launch(Grid::new(6, 16), call).unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!(out[0], x.iter().sum::<u32>(), "{seed} under {}", P::name());
    }
    for seed in 0..60 {
        check::<Ipdom>(&x, seed);
        check::<TokenStack>(&x, seed);
        check::<ConvergenceBarriers>(&x, seed);
        check::<StackLess<RoundRobin>>(&x, seed);
        check::<Dwf<Majority>>(&x, seed);
    }
}

/// One warp writes what the other has looked at before; behind the barrier both read it.
#[kernel]
fn look_early(x: &mut [u32], seen: &mut [u32]) {
    let i = global_id();
    if i < 4 {
        x[i] = 11;
    } else {
        seen[i] = x[i - 4];
    }
    sync_threads();
    seen[i] = x[i % 4];
}

#[test]
fn golden_cuda_memory_h6_the_race_breaks_barriers() {
    let is_ever_stale = |refill_race| {
        (0..300).any(|seed| {
            let (mut x, mut seen) = ([10; 4], [0; 8]);
            let environment = EnvironmentConfig { refill_race, ..config(seed) };
            gpu::<Ipdom>(environment).launch(Grid::new(1, 8), look_early(&mut x, &mut seen)).expect("it ends");
            assert_eq!(x, [11; 4]);
            seen != [11; 8]
        })
    };
    assert!(!is_ever_stale(false), "a barrier shows what the block has written");
    assert!(is_ever_stale(true), "unless a load has brought the old line back");
}

#[kernel]
fn widen(bytes: &mut [i8], shorts: &mut [i16], wide: &mut [i32]) {
    wide[0] = bytes[0] as i32;
    wide[1] = shorts[0] as i32;
}

#[test]
fn narrow_integers_keep_their_sign() {
    let (mut bytes, mut shorts, mut wide) = ([-3], [-400], [0; 2]);
    gpu::<Ipdom>(config(0)).launch(Grid::new(1, 1), widen(&mut bytes, &mut shorts, &mut wide)).expect("it ends");
    assert_eq!(wide, [-3, -400]);
}

#[kernel]
fn beyond(x: &mut [u32]) {
    let i = global_id();
    x[i] = 1;
    x[i + 1] = 2;
}

#[kernel]
fn for_ever(x: &mut [u32]) {
    while x.load_volatile(0) == 0 {}
}

#[kernel]
fn unwritten(x: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 4];
    if global_id() == 1 {
        tile[1] = 1;
    }
    sync_threads();
    x[global_id()] = tile[global_id()];
}

#[test]
fn errors_are_those_of_ideal_memory() {
    let gpu = gpu::<Ipdom>(EnvironmentConfig { step_limit: 1000, ..config(3) });
    let mut x = [0; 4];
    let error = gpu.launch(Grid::new(1, 4), beyond(&mut x)).expect_err("it goes beyond the end");
    assert!(error.to_string().contains("index 4 is out of bounds of `x`, whose length is 4"), "{error}");
    assert_eq!((x, error.thread().map(|thread| thread.lane)), ([0; 4], Some(3)));
    let error = gpu.launch(Grid::new(1, 4), for_ever(&mut x)).expect_err("it spins");
    assert!(matches!(error, LaunchError::StepLimit(_)), "{error}");
    let regrouped = Gpu::<Dwf<Majority>>::new(gpu.config().clone());
    let error = regrouped.launch(Grid::new(1, 4), for_ever(&mut x)).expect_err("it spins");
    assert!(matches!(error, LaunchError::StepLimit(_)), "{error}");
    let error = gpu.launch(Grid::new(1, 4), unwritten(&mut x)).expect_err("it reads what no thread has written");
    assert!(error.to_string().contains("tile"), "{error}");
    assert_eq!(error.thread().map(|thread| thread.lane), Some(0));
}

#[test]
fn each_bad_field_is_named() {
    let fails = |change: &dyn Fn(&mut EnvironmentConfig)| {
        let mut environment = EnvironmentConfig::default();
        change(&mut environment);
        let memory = MemoryModel::Environment(environment);
        GpuConfig { memory, ..GpuConfig::functional() }.validate().map_err(|error| error.to_string())
    };
    assert_eq!(fails(&|_| {}), Ok(()));
    let error = |change: &dyn Fn(&mut EnvironmentConfig)| fails(change).expect_err("it cannot work");
    assert_eq!(error(&|config| config.processors = 0), "`processors` is 0: it must be 1 to 1024");
    assert_eq!(error(&|config| config.line_bytes = 24), "`line_bytes` is 24: it must be 8, 16, 32, 64 or 128");
    assert!(error(&|config| config.l1.ways = 0).contains("`l1.ways` is 0"));
    assert!(error(&|config| (config.processors, config.l1.ways) = (1024, 1 << 12)).contains("`l1.ways` is 4096"));
    assert!(error(&|config| config.l1.sets = 0).contains("`l1.sets` is 0"));
    assert!(error(&|config| config.l2.ways = usize::MAX).contains("`l2.ways`"));
    assert!(error(&|config| config.turn = 0).contains("`turn`"));
    assert!(error(&|config| config.banks = 0).contains("`banks`"));
    assert!(error(&|config| config.resident_blocks = 65).contains("`resident_blocks`"));
    assert!(error(&|config| config.step_limit = 0).contains("`step_limit`"));
}

#[test]
fn the_same_seed_gives_the_same_launch() {
    let launch = |seed| {
        let (mut x, total, mut before) = ([9], [AtomicU32::new(0)], [9; 8]);
        let call = conflicts(&mut x, &total, &mut before);
        let report = gpu::<Ipdom>(config(seed)).launch(Grid::new(2, 4), call).expect("it ends");
        (x, before, report.issues())
    };
    assert_eq!(launch(5), launch(5));
    assert!((0..20).any(|seed| launch(seed) != launch(5)));
}

/// Takes what is not given back.
#[kernel]
fn taken(lock: &[AtomicU32]) {
    while lock[0].compare_exchange(5, 7, Relaxed, Relaxed).is_err() {}
}

/// What lanes read there is not in the caller's slice, which keeps its old value until the launch ends.
#[test]
fn what_lanes_that_spin_have_read_is_told_on_ideal_memory_alone() {
    let told = |gpu: &Gpu<Ipdom>| {
        let lock = [AtomicU32::new(5)];
        gpu.launch(Grid::new(1, 2), taken(&lock)).expect_err("one lane never has it").to_string()
    };
    let ideal = told(&Gpu::default().with_warp_width(4));
    assert!(ideal.contains("read that `lock[0]` is 7"), "{ideal}");
    let modelled = told(&gpu(config(1)).with_progress_limit(10_000));
    assert!(modelled.contains("no-progress") && !modelled.contains("read that"), "{modelled}");
}
