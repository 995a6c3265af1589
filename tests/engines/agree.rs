//! The engine of a policy and the one for all policies do the same, which is held to the reference elsewhere.

use simt::Overflow;
use simt::prelude::*;
use simt::testing::{Arrays, Construct, Faults, Random, random_program_with, shared_memory};
use simt_runtime::Kernel;

const SEEDS: u64 = 60;

/// What a launch leaves: memory, and its report or error.
type Left = (Vec<Vec<u64>>, String);

/// What differs between the two engines under a policy.
fn difference<P: Policy>(gpu: &Gpu<P>, grid: Grid, kernel: &Kernel, before: &Arrays) -> Option<String> {
    let left = |arrays: &Arrays, result: Result<Report, LaunchError>| -> Left {
        (
            arrays.to_bits(),
            result.map_or_else(|error| error.to_string(), |report| format!("{report}{:?}", report.policy_figures())),
        )
    };
    let (mut own, mut shared) = (before.clone(), before.clone());
    let result = gpu.launch(grid, own.call(kernel));
    let own = left(&own, result);
    let result = gpu.launch_watched(grid, shared.call(kernel), &mut ());
    let shared = left(&shared, result);
    (own != shared).then(|| format!("{} at width {}:\n{}\n{}", P::name(), gpu.config().warp_width, own.1, shared.1))
}

#[test]
fn the_engine_of_each_policy_does_what_the_one_for_all_does() {
    for seed in 0..SEEDS {
        let mut constructs = Construct::drawn(seed);
        constructs.retain(|construct| !construct.meets());
        let faults = if seed % 4 == 0 { Faults::Sometimes } else { Faults::Never };
        let program = random_program_with(seed, faults, &constructs);
        let mut random = Random::new(seed ^ 0x5eed);
        let threads = 1 + random.below(90);
        let shared = shared_memory(&program, threads, &mut random, faults);
        let grid = Grid::new(2, threads).with_shared_memory(shared);
        let before = Arrays::random(&mut random, 2 * threads, 30);
        let kernel = Kernel::from_program(program);
        for width in [GpuConfig::WARP_WIDTHS[seed as usize % 5], 32] {
            for_each_policy!(P => {
                let gpu = Gpu::<P>::default().with_checks(Checks::none()).with_warp_width(width);
                let gpu = gpu.with_overflow(if seed % 8 == 0 { Overflow::Fault } else { Overflow::Wrap });
                let differs = difference(&gpu, grid, &kernel, &before);
                assert!(differs.is_none(), "seed {seed}, {}", differs.unwrap_or_default());
            });
        }
    }
}

#[device]
fn halved(n: u32) -> u32 {
    if n % 2 == 0 { n / 2 } else { n }
}

/// The first warp's lanes part twice, and in a function; those of the second go together.
#[kernel]
fn first_parts(x: &mut [u32]) {
    let i = global_id();
    if i < 32 {
        if i % 2 == 0 {
            x[i] = if i % 4 == 0 { halved(x[i] + i as u32) } else { 2 };
        } else {
            x[i] = 3;
        }
    } else {
        x[i] = 4;
    }
}

#[test]
fn figures_are_of_all_warps_that_a_policy_runs_one_after_the_other() {
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default().with_checks(Checks::none());
        let (mut own, mut shared) = ([1; 64], [1; 64]);
        let own = gpu.launch(Grid::new(1, 64), first_parts(&mut own)).unwrap();
        let shared = gpu.launch_watched(Grid::new(1, 64), first_parts(&mut shared), &mut ()).unwrap();
        assert_eq!(own.policy_figures(), shared.policy_figures(), "{}", P::name());
    });
}

/// Lanes part at a call, and warps meet; the last warp of a block is not full.
#[kernel]
fn all_meet(x: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 70];
    let (t, i) = (thread_idx().x, global_id());
    let mut n = x[i];
    if n % 3 == 0 {
        n = halved(n);
    }
    tile[t] = n + ballot(n % 2 == 0).count_ones();
    sync_threads();
    x[i] = tile[69 - t] + n;
}

#[test]
fn blocks_that_follow_each_other_begin_anew() {
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default().with_checks(Checks::none()).with_warp_width(32).with_threads(1);
        let start: [u32; 350] = std::array::from_fn(|i| i as u32);
        let (mut own, mut shared) = (start, start);
        let ran = gpu.launch(Grid::new(5, 70), all_meet(&mut own)).unwrap();
        let watched = gpu.launch_watched(Grid::new(5, 70), all_meet(&mut shared), &mut ()).unwrap();
        assert_eq!((own, ran.to_string()), (shared, watched.to_string()), "{}", P::name());
        assert_eq!(ran.policy_figures(), watched.policy_figures(), "{}", P::name());
        // Each block by itself.
        for block in 0..5 {
            let mut alone: [u32; 70] = std::array::from_fn(|t| start[70 * block + t]);
            gpu.launch(Grid::new(1, 70), all_meet(&mut alone)).unwrap();
            assert_eq!(own[70 * block..][..70], alone, "block {block}, {}", P::name());
        }
    });
}
