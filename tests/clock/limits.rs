//! How many blocks a core holds, what limits them, and configs that cannot work.

use crate::machine::{Levels, changed, kernel, machines, remembering, timed};
use simt::clock::{MemoryTiming, UnifiedConfig};
use simt::error::ConfigError;
use simt::hierarchy::HierarchyConfig;
use simt::host::{Argument, Kernel};
use simt::policy::Ipdom;
use simt::{Gpu, GpuConfig, Grid, LaunchError};

/// A kernel with so many bytes of shared memory.
fn sharing(bytes: usize) -> Kernel {
    kernel(&format!(
        "kernel sharing(x: &mut [u32])\n.shared tile: [u32 x {}]\nst.u32 tile[0], 1\nst.u32 x[0], 2\nexit",
        bytes / 4
    ))
}

/// A machine on which nothing limits but what a test says.
fn wide() -> GpuConfig {
    let config = changed(GpuConfig::fermi(), |clock| {
        (clock.threads, clock.blocks, clock.registers, clock.shared_memory) = (1 << 16, 64, 1 << 30, 1 << 20);
    });
    GpuConfig { shared_memory: 1 << 20, ..config }
}

fn blocks(config: &GpuConfig, threads: usize, kernel: &Kernel) -> usize {
    timed(config, Grid::new(1, threads), kernel, vec![Argument::slice_mut(&mut [0u32])]).blocks_per_core()
}

/// As many as the scarcest resource has room for: the least of *there / needed*, in whole blocks of whole warps.
#[test]
fn each_resource_limits_blocks() {
    let kernel = sharing(4000);
    let registers = timed(&wide(), Grid::new(1, 1), &kernel, vec![Argument::slice_mut(&mut [0u32])]).registers();
    assert!(registers >= 1);
    for threads in [1usize, 32, 33, 100, 256] {
        let whole = threads.div_ceil(32) * 32;
        for room in [256, 700, 1024, 1536] {
            let config = changed(wide(), |clock| clock.threads = room);
            assert_eq!(blocks(&config, threads, &kernel), (room / whole).min(64), "{threads} of {room} threads");
        }
        for room in [1, 3, 16] {
            let config = changed(wide(), |clock| clock.blocks = room);
            assert_eq!(blocks(&config, threads, &kernel), room);
        }
        for room in [4000, 7999, 8000, 50_000] {
            let config = changed(wide(), |clock| clock.shared_memory = room);
            assert_eq!(blocks(&config, threads, &kernel), room / 4000, "{room} bytes");
        }
        for times in [1, 2, 5] {
            let config = changed(wide(), |clock| clock.registers = registers * whole * times + registers * whole - 1);
            assert_eq!(blocks(&config, threads, &kernel), times, "registers for {times} blocks of {threads}");
        }
    }
    // The least of them counts.
    let config = changed(wide(), |clock| (clock.threads, clock.blocks, clock.shared_memory) = (320, 4, 12_100));
    assert_eq!(blocks(&config, 64, &kernel), 3);
}

#[test]
fn a_block_that_does_not_fit_names_what_it_lacks() {
    let kernel = sharing(4000);
    let refused = |config: GpuConfig, threads: usize| {
        let mut x = [5u32];
        let call = simt::host::call(&kernel, vec![Argument::slice_mut(&mut x)]);
        let error = Gpu::<Ipdom>::new(config).launch(Grid::new(2, threads), call).expect_err("it does not fit");
        assert_eq!(x, [5]);
        match error {
            LaunchError::Config {
                error: error @ ConfigError::BlockTooLarge { resource, field, needed, there },
                ..
            } => {
                let text = error.to_string();
                for part in [resource, field, &needed.to_string(), &there.to_string()] {
                    assert!(text.contains(part), "{text}");
                }
                (resource, field, needed, there)
            }
            other => panic!("another error: {other}"),
        }
    };
    // The cores of TACO'09 have 768 threads.
    assert_eq!(refused(GpuConfig::fung2009(), 1024), ("threads", "clock.threads", 1024, 768));
    let config = changed(wide(), |clock| clock.threads = 96);
    assert_eq!(refused(config, 97), ("threads", "clock.threads", 128, 96));
    let config = changed(wide(), |clock| clock.shared_memory = 3999);
    assert_eq!(refused(config, 32), ("bytes of shared memory", "clock.shared_memory", 4000, 3999));
    let config = changed(wide(), |clock| clock.registers = 63);
    let (resource, field, needed, there) = refused(config, 64);
    assert_eq!((resource, field, there), ("registers", "clock.registers", 63));
    assert!(needed >= 64 && needed.is_multiple_of(64));
}

/// A config, a field that is wrong in it, and how.
type Bad = (&'static str, fn(&mut GpuConfig));

fn clock(config: &mut GpuConfig) -> &mut simt::clock::ClockConfig {
    config.clock.as_mut().expect("the machine has a clock")
}

fn hierarchy(config: &mut GpuConfig) -> &mut HierarchyConfig {
    match &mut clock(config).memory {
        MemoryTiming::Hierarchy(hierarchy) => hierarchy,
        MemoryTiming::Ideal { .. } => panic!("the memory is ideal"),
    }
}

/// One array of a size, with sizes of shared memory, both by what a core has of that.
fn unified(config: &mut GpuConfig, of: impl FnOnce(usize) -> (usize, Vec<usize>)) {
    let (bytes, shared) = of(clock(config).shared_memory);
    clock(config).unified = Some(UnifiedConfig { bytes, shared });
}

const BAD: &[Bad] = &[
    ("clock.cores", |config| clock(config).cores = 0),
    ("clock.cores", |config| clock(config).cores = 129),
    ("clock.threads", |config| clock(config).threads = 31),
    ("clock.threads", |config| clock(config).threads = 1 << 20),
    ("clock.blocks", |config| clock(config).blocks = 0),
    ("clock.registers", |config| clock(config).registers = 0),
    ("clock.simd_width", |config| clock(config).simd_width = 0),
    ("clock.simd_width", |config| clock(config).simd_width = 12),
    ("clock.simd_width", |config| clock(config).simd_width = 48),
    ("clock.simd_width", |config| clock(config).simd_width = 1 << 62),
    ("clock.ports", |config| clock(config).ports = 0),
    ("clock.ports", |config| clock(config).ports = 65),
    ("clock.shared_banks", |config| clock(config).shared_banks = 0),
    ("clock.shared_banks", |config| clock(config).shared_banks = 24),
    ("clock.shared_banks", |config| clock(config).shared_banks = 128),
    ("clock.shared_latency", |config| clock(config).shared_latency = 0),
    ("clock.pipeline", |config| clock(config).pipeline = u32::MAX),
    ("clock.launch_latency", |config| clock(config).launch_latency = 1 << 62),
    ("clock.launch_latency", |config| clock(config).launch_latency = u64::MAX),
    ("clock.unified.bytes", |config| unified(config, |most| (most, vec![most]))),
    ("clock.memory", |config| unified(config, |most| (1 << 40, vec![most]))),
    ("clock.unified.shared", |config| unified(config, |most| (2 * most, vec![]))),
    ("clock.unified.shared", |config| unified(config, |most| (2 * most, vec![most, 0, most]))),
    ("clock.unified.shared", |config| unified(config, |most| (2 * most, vec![1000, most]))),
    ("clock.cycle_limit", |config| clock(config).cycle_limit = 0),
    ("clock.sample", |config| clock(config).sample = Some(0)),
    ("clock.timings.integer.latency", |config| clock(config).timings.integer.latency = 0),
    ("clock.timings.special.latency", |config| clock(config).timings.special.latency = 0),
    ("clock.timings.access.latency", |config| clock(config).timings.access.latency = 0),
    ("clock.memory.ideal.latency", |config| clock(config).memory = MemoryTiming::Ideal { latency: 0 }),
    ("clock.memory", |config| {
        let l1 = hierarchy(config).l1_mut();
        l1.bytes = u64::from(l1.line * l1.ways) << 18;
    }),
    ("clock.memory", |config| {
        clock(config).cores = 128;
        let l1 = hierarchy(config).l1_mut();
        (l1.bytes, l1.ways) = (1 << 27, 8);
    }),
    ("partitions", |config| hierarchy(config).joined_mut().partitions = 0),
    ("interleave", |config| hierarchy(config).joined_mut().interleave = 96),
    ("l1.ways", |config| hierarchy(config).l1_mut().ways = 0),
    ("l1.line", |config| hierarchy(config).l1_mut().line = 0),
    ("l1.sector", |config| hierarchy(config).l1_mut().sector = 0),
    ("l1.sector", |config| hierarchy(config).l1_mut().sector *= 8),
    ("l1.mshrs", |config| hierarchy(config).l1_mut().mshrs = 0),
    ("l1.hit_latency", |config| hierarchy(config).l1_mut().hit_latency = 0),
    ("crossbar.latency", |config| hierarchy(config).joined_mut().latency = 0),
    ("crossbar.flit", |config| hierarchy(config).joined_mut().flit = 0),
    ("dram.banks", |config| hierarchy(config).module_mut().banks = 0),
    ("dram.row", |config| hierarchy(config).module_mut().row = 1000),
    ("dram.bus", |config| hierarchy(config).module_mut().bus = 0),
    ("dram.queue", |config| hierarchy(config).module_mut().queue = 0),
];

#[test]
fn a_machine_that_cannot_work_is_refused_with_the_field() {
    for (name, config) in machines() {
        assert_eq!(config.validate(), Ok(()), "{name}");
        for &(field, spoil) in BAD {
            let mut config = config.clone();
            spoil(&mut config);
            let error = config.validate().expect_err(field);
            let named = error.to_string().split('`').nth(1).unwrap_or_default().to_string();
            assert!(named == field || named.ends_with(&format!(".{field}")), "{name}: {error}, not {field}");
            let mut x = [5u32];
            let kernel = sharing(4);
            let launched = Gpu::<Ipdom>::new(config)
                .launch(Grid::new(1, 1), simt::host::call(&kernel, vec![Argument::slice_mut(&mut x)]));
            assert!(matches!(launched, Err(LaunchError::Config { .. })), "{name} {field}");
        }
    }
}

/// Nothing overflows, and no memory is taken for room that is never used.
#[test]
fn the_largest_values_work() {
    let kernel = sharing(4);
    for (name, config) in machines() {
        let config = changed(config, |clock| clock.sample = Some(u64::MAX));
        let config = remembering(config, |memory| {
            for cache in memory.caches_mut() {
                (cache.mshrs, cache.merges, cache.ports, cache.hit_latency) = (1 << 14, 1 << 14, 1 << 14, 1 << 20);
            }
        });
        let mut x = [5u32];
        let clock = timed(&config, Grid::new(3, 70), &kernel, vec![Argument::slice_mut(&mut x)]);
        assert_eq!((x, clock.samples().len()), ([2], 1), "{name}");
        assert_eq!(clock.samples()[0].cycles, clock.cycles());
    }
}

/// A hierarchy without a first level, without a second, or without both, and warps wider and narrower than pipelines, work.
#[test]
fn unusual_machines_work() {
    let kernel = sharing(4);
    let run = |config: &GpuConfig| {
        let mut x = [5u32];
        timed(config, Grid::new(3, 70), &kernel, vec![Argument::slice_mut(&mut x)]);
        assert_eq!(x, [2]);
    };
    for (_, config) in machines() {
        for (first, second) in [(true, false), (false, true), (true, true)] {
            run(&remembering(config.clone(), |memory| {
                if first {
                    memory.remove("l1");
                }
                if second {
                    memory.remove("l2");
                }
            }));
        }
        for lanes in [1, 2, 32, 64, 128] {
            run(&changed(config.clone(), |clock| clock.simd_width = lanes));
        }
        for warp_width in [4, 8, 16, 64] {
            run(&GpuConfig { warp_width, ..config.clone() });
        }
    }
}
