//! Loads for which half of a warp hits in the first level and the other half misses, under [`WarpSubdivision`].
//!
//! The first load misses for the upper half. The index of the second depends on it, and it misses for the lower half. A hit
//! takes *h* cycles, a miss *m*, and an issue *w*; between the loads there is one instruction, and two come behind them.
//!
//! * As a whole, the warp has its data *m* after the first load issues, issues the second *w* later, has its data *m* after
//!   that, and issues two more: *2 m + 3 w*.
//! * Divided, the lower half has its data after *h* and misses then, and the upper half has its data after *m* and hits then:
//!   both have all after *h + w + m*. They issue two instructions each: *h + m + 5 w*.
//! * By pc, the upper half comes to where the lower one waits for its second load. They go on as one: *h + m + 3 w*.

use crate::machine::{changed, clock, kernel, memory};
use simt::clock::{ClockConfig, InFlight, MemoryTiming, OpTiming, OpTimings};
use simt::host::{Argument, Kernel};
use simt::policy::{AtPostDominators, ByPc, LoadSplits, Remerge, WarpSubdivision};
use simt::{Gpu, GpuConfig, Grid, Report};

/// Elements of a row of one memory module and as much of the others: 16 KB.
const ROW: usize = 4096;

/// Warps other than the first do what is `beside`.
fn parted(beside: &str) -> Kernel {
    kernel(&format!(
        "kernel parted(x: &[usize], out: &mut [usize])\n.reg usize %zero, %a, %b, %p, u64 %long, bool %q\n\
         ld.usize %zero, x[0]\n\
         ge.usize %q, global_id(), 32\n@%q bra BESIDE\n\
         div.usize %p, lane_id(), 16\nmul.usize %a, %p, {ROW}\nadd.usize %a, %a, %zero\n\
         xor.usize %p, %p, 1\nmul.usize %b, %p, {}\n\
         ld.usize %a, x[%a]\nadd.usize %b, %b, %a\nld.usize %b, x[%b]\nadd.usize %b, %b, 1\nexit\n\
         BESIDE:\n{beside}exit",
        2 * ROW
    ))
}

/// One core, and all operations take as long as they issue.
fn machine(change: impl FnOnce(&mut ClockConfig)) -> GpuConfig {
    changed(GpuConfig::fung2009(), |clock| {
        clock.cores = 1;
        clock.timings = OpTimings::all(OpTiming { latency: 1, interval: 0 });
        change(clock);
    })
}

fn launch<M: Remerge>(config: &GpuConfig, load_splits: LoadSplits, warps: usize, beside: &str) -> Report {
    let x: Vec<usize> = vec![0; 3 * ROW];
    let mut out = [0];
    let kernel = parted(beside);
    let call = simt::host::call(&kernel, vec![Argument::slice(&x), Argument::slice_mut(&mut out)]);
    let gpu = Gpu::<WarpSubdivision<M>>::new(GpuConfig { load_splits, ..config.clone() });
    gpu.launch(Grid::new(1, 32 * warps), call).unwrap_or_else(|error| panic!("{error}"))
}

/// Cycles, and how many splits were divided at loads.
fn cycles(report: &Report) -> (u64, u64) {
    let figures = report.policy_figures();
    let divided = figures.iter().find(|figure| figure.name == "splits divided at loads").expect("it is counted");
    (report.clock().expect("the machine has a clock").cycles(), divided.value)
}

/// Cycles of a hit, a miss and an issue.
fn times(config: &GpuConfig) -> [u64; 3] {
    let memory = memory(config);
    let of = |served| memory.unloaded_latency(served, 4).expect("the machine has the level");
    [of("l1"), of("dram"), 32 / clock(config).simd_width as u64]
}

#[test]
fn those_which_hit_run_ahead() {
    for in_flight in [InFlight::OneInstruction, InFlight::Scoreboard] {
        let config = machine(|clock| clock.in_flight = in_flight);
        let [hit, miss, issue] = times(&config);
        assert_eq!([hit, miss, issue], [10, 41, 4]);
        let (whole, none) = cycles(&launch::<AtPostDominators>(&config, LoadSplits::Never, 1, ""));
        assert_eq!(none, 0);
        assert_eq!(cycles(&launch::<ByPc>(&config, LoadSplits::Never, 1, "")), (whole, 0));
        for scheme in [LoadSplits::Aggressive, LoadSplits::Lazy, LoadSplits::Revive] {
            let by_pc = cycles(&launch::<ByPc>(&config, scheme, 1, ""));
            assert_eq!(by_pc, (whole - (miss - hit), 1), "{scheme:?}, {in_flight:?}");
            let at_the_end = cycles(&launch::<AtPostDominators>(&config, scheme, 1, ""));
            assert_eq!(at_the_end, (whole - (miss - hit) + 2 * issue, 1), "{scheme:?}, {in_flight:?}");
        }
    }
}

/// Lane 3 loads nothing, and goes on with those that hit.
#[test]
fn lanes_that_are_guarded_off_come_back() {
    let kernel = kernel(&format!(
        "kernel guarded(x: &[usize], out: &mut [usize])\n.reg usize %zero, %a, bool %q\n\
         ld.usize %zero, x[0]\nne.usize %q, lane_id(), 3\n\
         div.usize %a, lane_id(), 16\nmul.usize %a, %a, {ROW}\nadd.usize %a, %a, %zero\n\
         @%q ld.usize %a, x[%a]\nadd.usize %a, %a, 1\nexit"
    ));
    let (x, mut out) = (vec![0_usize; 2 * ROW], [0_usize]);
    for in_flight in [InFlight::OneInstruction, InFlight::Scoreboard] {
        for (load_splits, divided) in [(LoadSplits::Never, 0), (LoadSplits::Aggressive, 1)] {
            let config = GpuConfig { load_splits, ..machine(|clock| clock.in_flight = in_flight) };
            let call = simt::host::call(&kernel, vec![Argument::slice(&x), Argument::slice_mut(&mut out)]);
            let report = Gpu::<WarpSubdivision<ByPc>>::new(config).launch(Grid::new(1, 32), call);
            let report = report.unwrap_or_else(|error| panic!("{in_flight:?}: {error}"));
            assert_eq!(cycles(&report).1, divided, "{in_flight:?}");
        }
    }
}

/// No lanes can run ahead if a warp has no second split, nor if all accesses take as long.
#[test]
fn without_room_or_caches_nothing_is_divided() {
    for scheme in LoadSplits::ALL {
        let config = GpuConfig { warp_splits: 1, ..machine(|_| {}) };
        let whole = cycles(&launch::<ByPc>(&config, LoadSplits::Never, 1, ""));
        assert_eq!(cycles(&launch::<ByPc>(&config, *scheme, 1, "")), whole, "{scheme:?}");
        assert_eq!(whole.1, 0);
        let config = machine(|clock| clock.memory = MemoryTiming::Ideal { latency: 41 });
        assert_eq!(cycles(&launch::<ByPc>(&config, *scheme, 1, "")), whole, "{scheme:?}");
    }
}

/// While the first warp loads, another one computes for `busy` cycles.
#[test]
fn what_is_lazy_looks_at_the_other_warps() {
    let with = |busy, scheme| {
        let config = machine(|clock| clock.timings.long = OpTiming { latency: busy, interval: 0 });
        cycles(&launch::<ByPc>(&config, scheme, 2, "add.u64 %long, 1, 2\n"))
    };
    // It ends before the first load, and nothing of it is left.
    let [never, aggressive, lazy] =
        [LoadSplits::Never, LoadSplits::Aggressive, LoadSplits::Lazy].map(|scheme| with(1, scheme));
    assert_eq!(lazy, aggressive);
    assert!(lazy.0 < never.0);
    // It ends after what hits has come, and before what misses has: only the second load can be divided lazily, when that is
    // of no use.
    let [never, aggressive, lazy, revive] = [0, 1, 2, 3].map(|scheme| with(35, LoadSplits::ALL[scheme]));
    assert_eq!((never.1, aggressive.1), (0, 1));
    assert_eq!(lazy.0, never.0);
    assert!(aggressive.0 < revive.0 && revive.0 < never.0, "{aggressive:?} {revive:?} {never:?}");
}
