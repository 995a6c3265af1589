//! What the atomics of a warp become: lanes at different addresses go together, as plain accesses do; of lanes at one address
//! each has its turn.

use crate::machine::{counted, kernel, machines, memory, modules, timed};
use simt::clock::ClockReport;
use simt::hierarchy::{CacheFigures, Coalescing};
use simt::host::{Argument, Kernel};
use simt::{GpuConfig, Grid};
use std::sync::atomic::AtomicU32;

const LANES: u64 = 32;

/// `times` times: each lane at element `stride` times its number, so many lanes at each.
fn adding(instruction: &str, stride: u64, alike: u64, times: usize) -> Kernel {
    let parameter = if instruction.starts_with("atom") { "&[AtomicU32]" } else { "&mut [u32]" };
    let text = format!("{instruction}\n").repeat(times);
    kernel(&format!(
        "kernel adding(x: {parameter})\n.reg usize %at, u32 %v\ndiv.usize %at, global_id(), {alike}\n\
         mul.usize %at, %at, {stride}\n{text}exit"
    ))
}

/// What the second level has counted; nothing without one.
fn second_level(report: &ClockReport) -> CacheFigures {
    counted(report).cache("l2").copied().unwrap_or_default()
}

/// Transactions of one atomic, and the sectors that it touches at the second level.
fn atomics(config: &GpuConfig, stride: u64, alike: u64) -> (u64, u64) {
    let [one, three] = [1, 3].map(|times| {
        let x: Vec<AtomicU32> = (0..LANES * stride + 1).map(|_| AtomicU32::new(0)).collect();
        let add = "atom.u32.fetch_add.relaxed %v, x[%at], 1";
        let kernel = adding(add, stride, alike, times);
        let report = timed(config, Grid::new(1, LANES as usize), &kernel, vec![Argument::atomic(&x)]);
        let lanes_there = u32::try_from(times as u64 * alike).expect("a few");
        assert_eq!(x[0].load(std::sync::atomic::Ordering::Relaxed), lanes_there);
        (report.transactions(), second_level(&report).atomic_sectors)
    });
    ((three.0 - one.0) / 2, (three.1 - one.1) / 2)
}

/// The same of a store past the first level, of one lane for each address.
fn stores(config: &GpuConfig, stride: u64, lanes: u64) -> (u64, u64) {
    let [one, three] = [1, 3].map(|times| {
        let mut x = vec![0u32; (LANES * stride + 1) as usize];
        let kernel = adding("st.u32.volatile x[%at], 1", stride, 1, times);
        let report = timed(config, Grid::new(1, lanes as usize), &kernel, vec![Argument::slice_mut(&mut x)]);
        (report.transactions(), second_level(&report).volatile_sectors)
    });
    ((three.0 - one.0) / 2, (three.1 - one.1) / 2)
}

#[test]
fn atomics_at_different_addresses_go_together_as_stores_do() {
    for (name, config) in machines() {
        for stride in [1, 2, 4, 8, 16, 32] {
            let all = stores(&config, stride, LANES);
            assert_eq!(atomics(&config, stride, 1), all, "{name}: stride {stride}");
            // So many turns of the lanes that are left.
            for alike in [2, 8, 32] {
                let one = stores(&config, stride, LANES / alike);
                let turns = (alike * one.0, alike * one.1);
                assert_eq!(atomics(&config, stride, alike), turns, "{name}: {alike} lanes an address, stride {stride}");
            }
        }
    }
}

/// By hand, on the machines with sectors of 32 bytes: 32 neighbours touch four.
#[test]
fn atomics_of_a_warp_touch_sectors() {
    for config in [GpuConfig::volta(), GpuConfig::turing(), GpuConfig::ampere()] {
        assert_eq!(memory(&config).coalescing_past, Coalescing::Sectors { sector: 32, line: 128 });
        let touched = [(1, 1), (8, 1), (1, 8), (1, 32)].map(|(stride, alike)| atomics(&config, stride, alike));
        assert_eq!(touched, [(1, 4), (8, 32), (8, 8), (32, 32)]);
    }
}

/// Lines that a launch leaves dirty count as written back, and take neither time nor anything of DRAM.
#[test]
fn lines_that_are_dirty_at_the_end_count_as_written_back() {
    for (name, config) in machines() {
        let kernel = kernel("kernel fill(x: &mut [u32])\nst.u32 x[global_id()], 1\nexit");
        let mut x = vec![0u32; 4096];
        let report = timed(&config, Grid::new(16, 256), &kernel, vec![Argument::slice_mut(&mut x)]);
        let memory = memory(&config);
        let figures = counted(&report);
        // The one that keeps what is stored.
        let last = if memory.cache("l2").is_some() { "l2" } else { "l1" };
        let cache = figures.cache(last).expect("it is there");
        let line = memory.cache(last).expect("it is there").line;
        assert_eq!(cache.write_backs, 4096 * 4 / u64::from(line), "{name}");
        assert_eq!((cache.sectors_written, cache.evictions, modules(figures).writes), (0, 0, 0), "{name}");
    }
}
