//! What a machine adds to all: the pipeline to each result, the launch to the first, copies to the second level, and shared
//! memory to the first. A block adds nothing to the next in its place.

use crate::machine::{changed, clock, counted, first_level, kernel, memory, modules, one_core, remembering, timed};
use simt::clock::{ClockReport, MemoryTiming};
use simt::host::{Argument, Kernel};
use simt::{GpuConfig, Grid};

/// A chain of so many additions, each of the result of the last.
fn chain(additions: usize) -> Kernel {
    let addition = "add.u32 %v, %v, 1\n".repeat(additions);
    kernel(&format!("kernel chain(x: &mut [u32])\n.reg u32 %v\nmov.u32 %v, 0\n{addition}st.u32 x[0], %v\nexit"))
}

fn cycles(config: &GpuConfig, kernel: &Kernel) -> u64 {
    timed(config, Grid::new(1, 32), kernel, vec![Argument::slice_mut(&mut [0u32])]).cycles()
}

/// From an addition to one that needs its result: 4 cycles as measured on Volta and Turing (Jia et al. 2018, 2019), 9 in the
/// pipeline of the simulator whose configuration the machines are.
#[test]
fn dependent_operations_go_down_the_whole_pipeline() {
    for config in [GpuConfig::volta(), GpuConfig::turing(), GpuConfig::ampere()] {
        for (pipeline, between) in [(0, 4), (5, 9), (11, 15)] {
            let config = changed(config.clone(), |clock| clock.pipeline = pipeline);
            assert_eq!(cycles(&config, &chain(48)) - cycles(&config, &chain(16)), 32 * between);
        }
        assert_eq!(clock(&config).pipeline, 5);
    }
    // Where the papers give the time between dependent instructions, nothing comes to it.
    for config in [GpuConfig::fung2009(), GpuConfig::fermi()] {
        assert_eq!(clock(&config).pipeline, 0);
    }
}

/// Nothing happens before the first block comes, and no warp has had a place.
#[test]
fn a_launch_takes_its_latency_first() {
    for config in [GpuConfig::fung2009(), GpuConfig::turing()] {
        let late = |cycles| changed(config.clone(), |clock| clock.launch_latency = cycles);
        let report =
            |config: &GpuConfig| timed(config, Grid::new(3, 64), &chain(9), vec![Argument::slice_mut(&mut [0u32])]);
        let (at_once, later) = (report(&late(0)), report(&late(777)));
        assert_eq!(later.cycles(), at_once.cycles() + 777);
        let on_cores = |report: &ClockReport| report.stalls().total() - report.stalls().of(simt::clock::Stall::NoBlock);
        assert_eq!(on_cores(&later), on_cores(&at_once));
    }
    let latency = |config: GpuConfig| clock(&config).launch_latency;
    assert_eq!([GpuConfig::fung2009(), GpuConfig::fermi()].map(latency), [0, 0]);
    assert_eq!([GpuConfig::volta(), GpuConfig::turing(), GpuConfig::ampere()].map(latency), [5000; 3]);
}

/// The host's copies are in the second level: slices that the kernel only reads, not those that it writes.
#[test]
fn copies_of_the_host_are_in_the_second_level() {
    let threads = 8192;
    let from_memory = |copied: bool, kernel: &Kernel| {
        let config = remembering(GpuConfig::fermi(), |memory| memory.copied = copied);
        let (x, mut y) = (vec![0u32; threads], vec![0u32; threads]);
        let arguments = vec![Argument::slice(&x), Argument::slice_mut(&mut y)];
        let report = timed(&config, Grid::new(threads / 256, 256), kernel, arguments);
        modules(counted(&report)).bytes
    };
    let reads = |slice: &str| {
        let load = format!("ld.u32 %v, {slice}[global_id()]");
        kernel(&format!("kernel reads(x: &[u32], y: &mut [u32])\n.reg u32 %v\n{load}\nexit"))
    };
    let bytes = threads as u64 * 4;
    assert_eq!([false, true].map(|copied| from_memory(copied, &reads("x"))), [bytes, 0]);
    assert_eq!([false, true].map(|copied| from_memory(copied, &reads("y"))), [bytes; 2]);
}

/// Rounds over 40 KB: with 64 KB of shared memory in use, 32 of the 96 KB are left; with a few bytes, 64.
#[test]
fn what_shared_memory_does_not_need_is_the_first_levels() {
    let misses = |config: &GpuConfig, shared: usize| {
        let load: String = (0..320).map(|line| format!("ld.u32 %v, x[{}]\n", line * 32)).collect();
        let kernel = kernel(&format!(
            "kernel rounds(x: &[u32], out: &mut [u32])\n.shared tile: [u32 x {}]\n.reg u32 %v\nst.u32 tile[0], 1\n{}\
             st.u32 out[0], %v\nexit",
            shared / 4,
            load.repeat(3),
        ));
        let (x, mut out) = (vec![0u32; 320 * 32], [0u32]);
        let arguments = vec![Argument::slice(&x), Argument::slice_mut(&mut out)];
        let l1 = first_level(&timed(config, Grid::new(1, 1), &kernel, arguments));
        l1.load_sector_misses
    };
    // One block a core: what counts is what the blocks of a core need together.
    let unified = changed(GpuConfig::turing(), |clock| clock.blocks = 1);
    assert_eq!((misses(&unified, 64), misses(&unified, 48 << 10)), (320, 3 * 320));
    let fixed = changed(unified, |clock| clock.unified = None);
    assert_eq!(misses(&fixed, 64), 3 * 320);
}

/// A kernel that reads back what it has stored hits, where the line stays, and misses each time, where it goes.
#[test]
fn what_was_stored_is_read_back() {
    let times = 16;
    let turn = "ld.u32 %v, x[global_id()]\nadd.u32 %v, %v, 1\nst.u32 x[global_id()], %v\n".repeat(times);
    let kernel = kernel(&format!("kernel turns(x: &mut [u32])\n.reg u32 %v\n{turn}exit"));
    let run = |config: &GpuConfig| {
        let mut x = [0u32; 32];
        let report = timed(config, Grid::new(1, 32), &kernel, vec![Argument::slice_mut(&mut x)]);
        assert_eq!(x, [times as u32; 32]);
        let figures = first_level(&report);
        (figures.load_sector_misses, figures.sectors_written)
    };
    for config in [GpuConfig::volta(), GpuConfig::turing(), GpuConfig::ampere()] {
        assert_eq!(run(&config), (4, 4 * times as u64));
    }
    // Lines without sectors, of 128 bytes.
    assert_eq!(run(&GpuConfig::fermi()).0, times as u64);
}

/// A machine without caches that say otherwise: the pipeline comes to what memory takes.
#[test]
fn memory_of_one_latency_has_the_pipeline_besides() {
    let chase = |hops: usize| {
        let load = "ld.usize %p, x[%p]\n".repeat(hops);
        kernel(&format!("kernel chase(x: &mut [usize])\n.reg usize %p\nmov.usize %p, 0\n{load}st.usize x[1], %p\nexit"))
    };
    let config = one_core(GpuConfig::turing());
    assert_eq!(clock(&config).memory, MemoryTiming::Ideal { latency: 40 });
    let kernels = [&chase(4), &chase(12)];
    assert_eq!(crate::machine::difference(&config, Grid::new(1, 1), kernels, &mut [0; 2]), 8 * 45);
    assert!(memory(&GpuConfig::turing()).copied && !memory(&GpuConfig::fermi()).copied);
}

/// A block ends with a load under way, and the next one, in its place, writes the register that it would have come to.
#[test]
fn a_block_does_not_wait_for_a_load_of_the_last() {
    let load = "mov.u32 %v, 7\nld.u32 %v, x[global_id()]\nexit";
    let kernel = kernel(&format!("kernel loads(x: &[u32])\n.reg u32 %v\n{load}"));
    for config in [GpuConfig::fermi(), GpuConfig::turing()] {
        let one = changed(one_core(config), |clock| clock.threads = 32);
        let cycles = |blocks: usize| {
            let x = vec![0u32; 32 * blocks];
            timed(&one, Grid::new(blocks, 32), &kernel, vec![Argument::slice(&x)]).cycles()
        };
        let each = (cycles(9) - cycles(1)) / 8;
        assert!(each < 40, "{each} cycles a block, of which a load takes 40");
    }
}
