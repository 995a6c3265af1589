//! Random kernels on random machines: memory, printed lines and thread instructions are those of a launch without a clock.

use crate::machine::Levels;
use simt::clock::{ClockConfig, InFlight, MemoryTiming, OpTiming, OpTimings, WarpScheduling};
use simt::hierarchy::NamedLevel;
use simt::hierarchy::{Coalescing, HierarchyConfig, Replacement, WritePolicy};
use simt::host::Kernel;
use simt::policy::{AtPostDominators, BranchLimited, ByPc, Ipdom, LoadSplits, Remerge, WarpSubdivision};
use simt::{Gpu, GpuConfig, Grid, for_each_policy};
use simt_testing::{Arrays, Construct, Faults, Random, random_program, random_program_with, shared_memory};

/// How many kernels: `SIMT_CASES`, or as many as take some seconds.
fn cases() -> u64 {
    std::env::var("SIMT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(60)
}

/// A memory with little of everything, so that all that can be full is.
fn hierarchy(random: &mut Random) -> HierarchyConfig {
    let machines =
        [HierarchyConfig::fung2009(), HierarchyConfig::fermi(), HierarchyConfig::turing(), HierarchyConfig::volta()];
    let mut memory = random.pick(&machines).clone();
    for cache in memory.caches_mut() {
        cache.ways = 1 + random.below(3) as u32;
        cache.bytes = u64::from(cache.line * cache.ways) << random.below(3);
        (cache.mshrs, cache.merges) = (1 + random.below(4) as u32, 1 + random.below(3) as u32);
        (cache.passes, cache.ports) = (1 + random.below(4) as u32, 1 + random.below(2) as u32);
        (cache.queue, cache.miss_queue) = (1 + random.below(3) as u32, 2 + random.below(3) as u32);
        cache.replacement = *random.pick(&[Replacement::Lru, Replacement::Fifo, Replacement::Random { seed: 7 }]);
        cache.write = *random.pick(&[WritePolicy::WriteBack, WritePolicy::WriteThrough, WritePolicy::WriteEvict]);
    }
    let line = memory.l1().line;
    let rules = [
        Coalescing::PerThread,
        Coalescing::Lines { line },
        Coalescing::Lines { line: line / 2 },
        Coalescing::Sectors { sector: 32, line },
    ];
    memory.coalescing = *random.pick(&rules);
    memory.coalescing_past = *random.pick(&rules);
    memory.joined_mut().queue = 1 + random.below(3) as u32;
    memory.joined_mut().output_queue = 1 + random.below(3) as u32;
    memory.joined_mut().replies = 1 + random.below(3) as u32;
    memory.module_mut().queue = 1 + random.below(4) as u32;
    // Another cache of each core, or another that all share. It takes no draws from what follows.
    let mut random = random.clone();
    if random.once_in(4) {
        let above = *random.pick(&["l1", "crossbar", "dram"]);
        let more = memory.l1().clone();
        memory.insert_before(above, NamedLevel::new("more", more));
    }
    memory
}

fn machine(random: &mut Random) -> GpuConfig {
    let memory = if random.once_in(4) {
        MemoryTiming::Ideal { latency: 1 + random.below(90) as u32 }
    } else {
        MemoryTiming::Hierarchy(hierarchy(random))
    };
    let mut timing = || OpTiming { latency: 1 + random.below(30) as u32, interval: random.below(9) as u32 };
    let timings = OpTimings { divide: timing(), special: timing(), exchange: timing(), ..OpTimings::all(timing()) };
    let clock = ClockConfig {
        cores: 1 + random.below(3),
        threads: 1024,
        blocks: 1 + random.below(3),
        registers: 1 << 24,
        shared_memory: 227 << 10,
        simd_width: *random.pick(&[1, 2, 4, 8, 16, 32, 64]),
        ports: 1 + random.below(3),
        scheduling: *random.pick(WarpScheduling::ALL),
        in_flight: *random.pick(&[InFlight::OneInstruction, InFlight::Scoreboard]),
        timings,
        shared_banks: *random.pick(&[1, 16, 32]),
        shared_latency: 1 + random.below(30) as u32,
        pipeline: random.below(7) as u32,
        launch_latency: random.below(90) as u64,
        unified: None,
        memory,
        cycle_limit: 1 << 30,
        sample: random.once_in(2).then(|| 1 + random.below(500) as u64),
    };
    let warp_width = *random.pick(&[4, 8, 16, 32, 64]);
    let if_conversion = random.once_in(3);
    let load_splits = *random.pick(LoadSplits::ALL);
    GpuConfig { warp_width, load_splits, clock: Some(clock), if_conversion, ..GpuConfig::functional() }
}

#[test]
fn random_kernels_do_the_same_with_a_clock() {
    (0..cases()).for_each(|seed| does_the_same(seed, &[]));
}

/// Those with barriers, votes, shuffles and the like.
#[test]
fn random_kernels_with_constructs_do_the_same_with_a_clock() {
    (0..cases() / 2).for_each(|seed| does_the_same(seed, &Construct::drawn(seed)));
}

fn does_the_same(seed: u64, constructs: &[Construct]) {
    let mut random = Random::new(seed ^ 0xc10c);
    let program = random_program_with(seed, Faults::Never, constructs);
    let (blocks, threads) = (1 + random.below(4), 1 + random.below(90));
    let (elements, inputs) = (blocks * threads, 1 + random.below(30));
    let before = Arrays::random(&mut random, elements, inputs);
    let mut config = machine(&mut random);
    let bytes = shared_memory(&program, threads, &mut random, Faults::Never);
    let (kernel, grid) = (Kernel::from_program(program), Grid::new(blocks, threads).with_shared_memory(bytes));
    // All blocks must run at once if they wait for each other.
    if let Some(clock) = config.clock.as_mut().filter(|_| constructs.contains(&Construct::Grid)) {
        clock.blocks = clock.blocks.max(blocks);
    }
    let functional = GpuConfig { clock: None, ..config.clone() };
    let mut expected = before.clone();
    let plain = Gpu::<Ipdom>::new(functional).launch(grid, expected.call(&kernel));
    let plain = plain.unwrap_or_else(|error| panic!("{seed}: {error}"));
    for_each_policy!(P => {
        let mut arrays = before.clone();
        let timed = Gpu::<P>::new(config.clone()).launch(grid, arrays.call(&kernel));
        let timed = timed.unwrap_or_else(|error| panic!("{seed}: {error}\n{config:#?}"));
        let place = || format!("seed {seed} under {}: {config:#?}", timed.policy());
        assert_eq!(arrays.to_bits(), expected.to_bits(), "{}", place());
        assert_eq!(timed.prints(), plain.prints(), "{}", place());
        assert_eq!(timed.thread_instructions(), plain.thread_instructions(), "{}", place());
        crate::accounts::check(&timed, &config, &place);
    });
}

/// The same launch takes the same time, cycle by cycle, watched or not.
#[test]
fn timed_launches_repeat_themselves() {
    for seed in 0..cases() / 6 {
        let mut random = Random::new(seed ^ 0xc10c);
        let kernel = Kernel::from_program(random_program(seed, Faults::Never));
        let before = Arrays::random(&mut random, 90, 11);
        let config = machine(&mut random);
        for_each_policy!(P => {
            let (gpu, grid) = (Gpu::<P>::new(config.clone()), Grid::new(2, 45));
            let [first, second, watched] = [false, false, true].map(|is_watched| {
                let mut arrays = before.clone();
                let call = arrays.call(&kernel);
                let report = if is_watched { gpu.launch_watched(grid, call, &mut ()) } else { gpu.launch(grid, call) };
                (report.unwrap_or_else(|error| panic!("{seed}: {error}")), arrays.to_bits())
            });
            assert!(first.0.clock().is_some() && first == second && first == watched, "{seed} under {}", first.0.policy());
        });
    }
}

/// How many splits a launch divides at loads; what it leaves behind is as expected.
fn divided<M: Remerge>(
    config: &GpuConfig,
    grid: Grid,
    kernel: &Kernel,
    [before, expected]: [&Arrays; 2],
    place: &dyn Fn() -> String,
) -> u64 {
    let mut arrays = before.clone();
    let report = Gpu::<WarpSubdivision<M>>::new(config.clone()).launch(grid, arrays.call(kernel));
    let report = report.unwrap_or_else(|error| panic!("{}: {error}", place()));
    assert_eq!(arrays.to_bits(), expected.to_bits(), "{}", place());
    crate::accounts::check(&report, config, place);
    report.policy_figures().iter().filter(|figure| figure.name == "splits divided at loads").map(|f| f.value).sum()
}

/// Lanes that run ahead of those that miss have the results they would have had with them, however many splits there may be.
#[test]
fn splits_that_loads_divide_do_the_same() {
    let mut counts = [0; LoadSplits::ALL.len()];
    // Few programs divide lazily.
    for seed in 0..2 * cases() {
        let mut random = Random::new(seed ^ 0xd200);
        let kernel = Kernel::from_program(random_program(seed, Faults::Never));
        let (config, memory) = (machine(&mut random), MemoryTiming::Hierarchy(hierarchy(&mut random)));
        // A lazy split divides only where no other warp can issue: half of the launches are of one.
        let grid = match seed % 2 {
            0 => Grid::new(1, 1 + random.below(config.warp_width)),
            _ => Grid::new(1 + random.below(2), 1 + random.below(70)),
        };
        let before = Arrays::random(&mut random, grid.blocks().x * grid.threads().x, 1500);
        let mut expected = before.clone();
        let plain = GpuConfig { clock: None, ..config.clone() };
        Gpu::<Ipdom>::new(plain).launch(grid, expected.call(&kernel)).unwrap_or_else(|error| panic!("{seed}: {error}"));
        for (&load_splits, count) in LoadSplits::ALL.iter().zip(&mut counts) {
            let warp_splits = 1 + random.below(9);
            let mut config = GpuConfig { load_splits, warp_splits, ..config.clone() };
            config.clock.as_mut().expect("the machine has a clock").memory = memory.clone();
            let place = || format!("seed {seed}: {config:#?}");
            *count += divided::<AtPostDominators>(&config, grid, &kernel, [&before, &expected], &place);
            *count += divided::<BranchLimited>(&config, grid, &kernel, [&before, &expected], &place);
            *count += divided::<ByPc>(&config, grid, &kernel, [&before, &expected], &place);
        }
    }
    let [never, others @ ..] = counts;
    assert!(never == 0 && others.iter().all(|&count| count > 0), "{counts:?}");
}
