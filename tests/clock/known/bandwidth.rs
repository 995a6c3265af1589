//! Kernels that memory limits: streams reach the peak, random accesses the bound of activates.

use crate::machine::{Levels, kernel, memory, modules, remembering};
use simt::checks::Checks;
use simt::hierarchy::HierarchyFigures;
use simt::host::{Argument, Kernel};
use simt::policy::Ipdom;
use simt::{Gpu, GpuConfig, Grid};

const CORES: usize = 16;
const THREADS: usize = 768;
const ALL: usize = CORES * THREADS;

/// Each thread loads so many elements; in a round all threads load neighbours, `stride` apart.
fn stream(rounds: usize, stride: usize) -> Kernel {
    let round = format!("ld.u32 %v, x[%at]\nadd.usize %at, %at, {}\n", ALL * stride).repeat(rounds);
    kernel(&format!(
        "kernel stream(x: &[u32], out: &mut [u32])\n.reg usize %at, u32 %v, bool %p\n\
         mul.usize %at, global_id(), {stride}\n{round}\
         gt.usize %p, global_id(), 0\n@%p exit\nst.u32 out[0], %v\nexit"
    ))
}

/// Each thread loads so many elements of 2^22, which a linear congruential generator chooses.
fn random(rounds: usize) -> Kernel {
    let round = "mad.usize %r, %r, 1664525, 1013904223\nshr.usize %at, %r, 10\nld.u32 %v, x[%at]\n".repeat(rounds);
    kernel(&format!(
        "kernel random(x: &[u32], out: &mut [u32])\n.reg usize %r, %at, u32 %v, bool %p\n\
         mul.usize %r, global_id(), 2654435761\n{round}\
         gt.usize %p, global_id(), 0\n@%p exit\nst.u32 out[0], %v\nexit"
    ))
}

/// Cycles, and what memory counted.
fn launch(config: &GpuConfig, kernel: &Kernel, x: &[u32]) -> (u64, HierarchyFigures) {
    let mut out = [0u32];
    let call = simt::host::call(kernel, vec![Argument::slice(x), Argument::slice_mut(&mut out)]);
    let gpu = Gpu::<Ipdom>::new(config.clone()).with_checks(Checks::none());
    let report = gpu.launch(Grid::new(CORES, THREADS), call).unwrap_or_else(|error| panic!("{error}"));
    let clock = report.clock().expect("the machine has a clock");
    (clock.cycles(), clock.memory().expect("memory is modelled").clone())
}

/// The difference to the longer kernel: cycles, bus cycles, activates, bytes. That is the steady state.
fn steady(config: &GpuConfig, [short, long]: [&Kernel; 2], x: &[u32]) -> [f64; 4] {
    let ((short_cycles, short), (long_cycles, long)) = (launch(config, short, x), launch(config, long, x));
    let (short, long) = (modules(&short), modules(&long));
    [
        long_cycles - short_cycles,
        long.busy_cycles - short.busy_cycles,
        long.activates - short.activates,
        long.bytes - short.bytes,
    ]
    .map(|value| value as f64)
}

#[test]
fn a_stream_reaches_nine_tenths_of_the_peak() {
    let config = GpuConfig::fung2009();
    let x = vec![0; 12 * ALL];
    let [cycles, busy, _, bytes] = steady(&config, [&stream(4, 1), &stream(12, 1)], &x);
    // All that is loaded comes from memory once.
    assert_eq!(bytes, (8 * ALL * 4) as f64);
    let memory = memory(&config);
    let peak = f64::from(memory.partitions() * memory.module().bus);
    let reached = bytes / (peak * cycles);
    assert!((reached - busy / (f64::from(memory.partitions()) * cycles)).abs() < 1e-9, "each cycle of a bus is full");
    assert!((0.9..=1.0).contains(&reached), "{reached} of the peak");
}

/// A line is carried for each lane once a stride is as long as one: the same loads take up to 16 times as long.
#[test]
fn strides_waste_bandwidth() {
    let config = GpuConfig::fung2009();
    let line = memory(&config).l1().line as usize / 4;
    let x = vec![0; 6 * ALL * 32];
    let cycles = |stride| steady(&config, [&stream(2, stride), &stream(6, stride)], &x)[0];
    // From stride 4 on memory limits; with less the first round's misses are a part of the whole.
    let base = cycles(4) / 4.0;
    for stride in [8, 16, 32] {
        let ratio = cycles(stride) / base / stride.min(line) as f64;
        assert!((0.85..1.15).contains(&ratio), "stride {stride}: {ratio}");
    }
}

/// Random rows: a bank is activated every tRC at most, any bank every tRRD. A module of *b* banks activates every
/// *max(tRC / b, tRRD)* cycles.
#[test]
fn random_loads_stay_under_the_bound_of_activates() {
    let x = vec![0; 1 << 22];
    // With tRRD of 8 cycles and lines of 8 cycles of the bus, the bus is as scarce.
    for (banks, t_rrd) in [(1, 8), (2, 8), (4, 8), (8, 8), (8, 12), (8, 20)] {
        let config = remembering(GpuConfig::fung2009(), |memory| {
            (memory.module_mut().banks, memory.module_mut().t_rrd) = (banks, t_rrd);
        });
        let memory = memory(&config);
        let each = (f64::from(memory.module().t_rc) / f64::from(banks)).max(f64::from(memory.module().t_rrd));
        let bound = f64::from(memory.partitions()) / each;
        let [cycles, busy, activates, _] = steady(&config, [&random(1), &random(3)], &x);
        let reached = activates / cycles;
        let bus = busy / cycles / f64::from(memory.partitions());
        assert!(reached <= bound, "{banks} banks: {reached} of {bound} activates a cycle");
        assert!(reached > 0.8 * bound || bus > 0.8, "{banks} banks: {reached} of {bound}, buses {bus}");
    }
}
