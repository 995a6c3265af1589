//! Pointer chasing: one thread loads where to load next. Each hop takes the latency of a lone load, no more and no less.
//!
//! A load that issues in cycle *t* is offered to the hierarchy in *t*; its reply comes in *t + L*, and the next load, which
//! needs it, issues in *t + L*, because the pipeline has been free since *t + warp / lanes*. So *n* hops take *n L*, with *L*
//! as `HierarchyConfig::unloaded_latency` has it and the cores' pipeline besides; the tests add its parts up by hand.

use crate::machine::{Levels, changed, clock, kernel, machines, memory, remembering, timed};
use simt::hierarchy::{HierarchyConfig, Replacement};
use simt::host::{Argument, Kernel};
use simt::{GpuConfig, Grid};

/// So many loads, each of which says where the next is.
fn chase(hops: usize) -> Kernel {
    let load = "ld.usize %p, x[%p]\n".repeat(hops);
    kernel(&format!(
        "kernel chase(x: &[usize], out: &mut [usize])\n.reg usize %p\nmov.usize %p, 0\n{load}st.usize out[0], %p\nexit"
    ))
}

/// A ring of so many elements so far apart, in bytes.
fn ring(elements: usize, apart: usize) -> Vec<usize> {
    let apart = apart / 4;
    let mut x = vec![0; elements * apart];
    for element in 0..elements {
        x[element * apart] = (element + 1) % elements * apart;
    }
    x
}

/// Cycles that the hops between the two counts take.
fn hops(config: &GpuConfig, x: &[usize], [few, many]: [usize; 2]) -> u64 {
    let cycles = |hops| {
        let mut out = [0];
        let report =
            timed(config, Grid::new(1, 1), &chase(hops), vec![Argument::slice(x), Argument::slice_mut(&mut out)]);
        let mut at = 0;
        (0..hops).for_each(|_| at = x[at]);
        assert_eq!(out, [at]);
        report.cycles()
    };
    cycles(many) - cycles(few)
}

/// Cycles of a packet with so many bytes of data on the crossbar: its flits follow each other.
fn crossbar(memory: &HierarchyConfig, data: u32) -> u64 {
    let flits = (memory.joined().header + data).div_ceil(memory.joined().flit);
    u64::from(memory.joined().latency + flits - 1)
}

/// The constant part of a load's time.
fn pipeline(config: &GpuConfig) -> u64 {
    clock(config).pipeline.into()
}

/// All in one line: but for the first load, each is a hit.
#[test]
fn the_first_level() {
    for (name, config) in machines() {
        let l1 = memory(&config).l1();
        let found = hops(&config, &ring(4, l1.line as usize / 4), [8, 24]);
        assert_eq!(found, 16 * (pipeline(&config) + u64::from(l1.hit_latency)), "{name}");
    }
}

/// A ring of more lines than the first level has, which is made small: with LRU each load misses there, and from the second
/// round on it hits in the second level.
#[test]
fn the_second_level() {
    for (name, config) in machines() {
        if memory(&config).cache("l2").is_none() {
            continue;
        }
        let config = remembering(config, |memory| {
            memory.l1_mut().ways = 4;
            memory.l1_mut().bytes = u64::from(4 * memory.l1().line);
            memory.l1_mut().replacement = Replacement::Lru;
        });
        let memory = memory(&config);
        let latency = pipeline(&config)
            + u64::from(memory.l1().miss_latency)
            + crossbar(memory, 0)
            + u64::from(memory.cache("l2").expect("it is there").hit_latency)
            + crossbar(memory, memory.l1().sector);
        assert_eq!(hops(&config, &ring(8, memory.l1().line as usize), [8, 24]), 16 * latency, "{name}");
    }
}

/// Each load wakes another bank, whose rows are closed. With clocks of one speed the hops are alike; with others each begins
/// at another place of a memory cycle, and rounds up twice.
#[test]
fn memory_behind_all_levels() {
    for (name, config) in machines() {
        for alike in [true, false] {
            let config = remembering(config.clone(), |memory| {
                if alike {
                    (memory.module_mut().clock, memory.module_mut().core_clock) = (1, 1);
                }
            });
            let memory = memory(&config);
            let row = (memory.module().row * memory.partitions()) as usize;
            let found = hops(&config, &ring(memory.module().banks as usize, row), [2, 6]);
            let (dram, l2) = (memory.module(), memory.cache("l2"));
            let line = l2.map_or(0, |l2| l2.sector).max(memory.l1().sector);
            // The cycle after which the controller sees it; activate, read, data.
            let commands = u64::from(1 + dram.t_rcd + dram.t_cl + line.div_ceil(dram.bus));
            let second = l2.map_or(0, |l2| u64::from(l2.miss_latency));
            let around = pipeline(&config)
                + u64::from(memory.l1().miss_latency + dram.latency)
                + crossbar(memory, 0)
                + second
                + crossbar(memory, memory.l1().sector);
            if alike {
                assert_eq!(found, 4 * (around + commands), "{name}");
            } else {
                let exact = around as f64 + commands as f64 * f64::from(dram.core_clock) / f64::from(dram.clock);
                assert!((found as f64 / 4.0 - exact).abs() <= 2.0, "{name}: {found} for 4 of {exact}");
            }
        }
    }
}

/// Loads of shared memory without conflicts.
#[test]
fn shared_memory() {
    let chase = |hops: usize| {
        let load = "ld.usize %p, tile[%p]\n".repeat(hops);
        kernel(&format!(
            "kernel chase(x: &mut [usize])\n.shared tile: [usize x 4]\n.reg usize %p\n\
             st.usize tile[0], 1\nst.usize tile[1], 2\nst.usize tile[2], 0\nmov.usize %p, 0\n{load}st.usize x[0], %p\nexit"
        ))
    };
    for (name, config) in machines() {
        for latency in [clock(&config).shared_latency, 3, 61] {
            let config = changed(config.clone(), |clock| clock.shared_latency = latency);
            let whole = pipeline(&config) + u64::from(latency);
            let found = crate::machine::difference(&config, Grid::new(1, 1), [&chase(5), &chase(17)], &mut [0]);
            // An issue takes warp / lanes cycles at least.
            let least = 32 / clock(&config).simd_width as u64;
            assert_eq!(found, 12 * whole.max(least), "{name} {latency}");
        }
    }
}
