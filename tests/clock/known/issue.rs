//! How fast instructions issue: as fast as dependences allow one warp alone, and as fast as the pipelines allow many.
//!
//! An issue of a warp of *M* threads down a pipeline of *N* lanes takes *w = M / N* cycles. An instruction whose operand was
//! computed by one that issued in cycle *t* with latency *L* issues in *max(t + L, t + w)*.

use crate::machine::{changed, difference, kernel, one_core};
use simt::clock::{ClockConfig, InFlight, OpTiming, OpTimings, WarpScheduling};
use simt::host::Kernel;
use simt::{GpuConfig, Grid};

const WARP: usize = 32;
/// Instructions of each chain in the short kernel and in the long one.
const SHORT: usize = 6;
const LONG: usize = 16;
const MORE: u64 = (LONG - SHORT) as u64;

/// So many chains of dependent instructions, which take turns. `{}` is the register of a chain.
fn chains(ty: &str, instruction: &str, chains: usize, length: usize) -> Kernel {
    let registers: Vec<String> = (0..chains).map(|chain| format!("%c{chain}")).collect();
    let begin: String = registers.iter().map(|register| format!("mov.{ty} {register}, 7\n")).collect();
    let round: String = registers.iter().map(|register| instruction.replace("{}", register) + "\n").collect();
    let end: String =
        registers.iter().map(|register| format!("cvt.usize.{ty} %sum, {register}\nst.usize x[0], %sum\n")).collect();
    let end = if ty == "usize" { end.replace("cvt.usize.usize", "mov.usize") } else { end };
    let round = round.repeat(length);
    // One thread stores: all other warps would only wait for the way to memory.
    kernel(&format!(
        "kernel chains(x: &mut [usize])\n.reg {ty} {}, usize %sum, bool %p\n{begin}{round}\
         gt.usize %p, global_id(), 0\n@%p exit\n{end}exit",
        registers.join(", ")
    ))
}

/// Cycles of the rounds that the long kernel has more.
fn rounds(config: &GpuConfig, warps: usize, ty: &str, instruction: &str, count: usize) -> u64 {
    let kernels = [SHORT, LONG].map(|length| chains(ty, instruction, count, length));
    difference(config, Grid::new(1, warps * WARP), [&kernels[0], &kernels[1]], &mut [0])
}

fn machine(change: impl FnOnce(&mut ClockConfig)) -> GpuConfig {
    changed(one_core(GpuConfig::fermi()), |clock| {
        clock.scheduling = WarpScheduling::RoundRobin;
        change(clock);
    })
}

const ADD: &str = "add.usize {}, {}, 3";

/// With a scoreboard a round of *c* chains takes *max(L, c w)* cycles; with one instruction in flight each instruction takes
/// *max(L, w)*, whether it depends on the last or not.
#[test]
fn one_warp_alone_issues_as_its_dependences_allow() {
    for (latency, lanes) in [(18, 16), (24, 8), (4, 16), (1, 8), (7, 32), (1, 32)] {
        for count in [1, 2, 3, 8, 12] {
            for in_flight in [InFlight::Scoreboard, InFlight::OneInstruction] {
                let config = machine(|clock| {
                    clock.timings = OpTimings::all(OpTiming { latency, interval: 0 });
                    (clock.simd_width, clock.in_flight) = (lanes, in_flight);
                });
                let (latency, width, number) = (u64::from(latency), (WARP / lanes) as u64, count as u64);
                let round = match in_flight {
                    InFlight::Scoreboard => latency.max(number * width),
                    InFlight::OneInstruction => number * latency.max(width),
                };
                let found = rounds(&config, 1, "usize", ADD, count);
                assert_eq!(found, MORE * round, "{count} chains of {latency} on {lanes} lanes, {in_flight:?}");
            }
        }
    }
}

/// Each of *n* warps issues once a round, down one of *p* pipelines: a round takes *max(L, n w / p)*.
#[test]
fn enough_warps_hide_the_latency() {
    for (latency, lanes, ports) in [(24, 8, 1), (18, 16, 2), (4, 16, 4), (12, 32, 1), (6, 16, 1)] {
        for in_flight in [InFlight::Scoreboard, InFlight::OneInstruction] {
            let config = machine(|clock| {
                clock.timings = OpTimings::all(OpTiming { latency, interval: 0 });
                (clock.simd_width, clock.ports, clock.in_flight) = (lanes, ports, in_flight);
            });
            for warps in [1, 2, 4, 8, 12, 16, 24, 32].into_iter().filter(|warps| warps % ports == 0 || *warps == 1) {
                let round = u64::from(latency).max((warps * (WARP / lanes)).div_ceil(ports) as u64);
                let found = rounds(&config, warps, "usize", ADD, 1);
                assert_eq!(found, MORE * round, "{warps} warps of {latency} down {ports} of {lanes}, {in_flight:?}");
            }
        }
    }
}

/// All machines issue at their full rate: as many lanes as they have, each cycle.
#[test]
fn full_machines_reach_their_lanes() {
    for (name, config) in crate::machine::machines() {
        let config = changed(one_core(config), |clock| clock.scheduling = WarpScheduling::RoundRobin);
        let clock = crate::machine::clock(&config);
        let warps = (clock.threads / WARP).min(1024 / WARP);
        let lanes = (clock.simd_width * clock.ports) as u64;
        assert_eq!(rounds(&config, warps, "usize", ADD, 1), MORE * (warps * WARP) as u64 / lanes, "{name}");
    }
}

/// A pipeline that is wider than a warp takes several warps a cycle.
#[test]
fn a_wide_pipeline_takes_several_warps() {
    let config = machine(|clock| {
        quick(clock, 2);
        (clock.simd_width, clock.ports) = (64, 1);
    });
    for (warps, round) in [(2, 2), (4, 2), (8, 4), (16, 8)] {
        assert_eq!(rounds(&config, warps, "usize", ADD, 1), MORE * round, "{warps} warps");
    }
}

fn quick(clock: &mut ClockConfig, latency: u32) {
    clock.timings = OpTimings::all(OpTiming { latency, interval: 0 });
}

/// Of a class with an initiation interval a core begins one every so many cycles, of whichever warp; the others go on beside
/// it.
#[test]
fn classes_have_their_latency_and_their_interval() {
    let timing = OpTiming { latency: 9, interval: 5 };
    type Change = fn(&mut OpTimings, OpTiming);
    let classes: [(&str, &str, Change); 6] = [
        ("f32", "div.f32 {}, {}, 3.0", |timings, timing| timings.special = timing),
        ("f64", "add.f64 {}, {}, 3.0", |timings, timing| timings.double = timing),
        ("usize", "div.usize {}, {}, 3", |timings, timing| timings.divide = timing),
        ("usize", "mul.usize {}, {}, 3", |timings, timing| timings.multiply = timing),
        ("u64", "add.u64 {}, {}, 3", |timings, timing| timings.long = timing),
        ("f32", "add.f32 {}, {}, 3.0", |timings, timing| timings.single = timing),
    ];
    for (ty, instruction, change) in classes {
        for (warps, count) in [(1, 1), (1, 2), (1, 4), (2, 1), (4, 1), (4, 2), (8, 1)] {
            let config = machine(|clock| {
                quick(clock, 2);
                change(&mut clock.timings, timing);
                (clock.simd_width, clock.ports) = (16, 2);
            });
            let together = warps as u64 * count as u64 * u64::from(timing.interval);
            let found = rounds(&config, warps, ty, instruction, count);
            assert_eq!(found, MORE * together.max(u64::from(timing.latency)), "{instruction}: {warps} of {count}");
        }
        // Other classes are as fast as before.
        let config = machine(|clock| {
            quick(clock, 2);
            clock.simd_width = 16;
        });
        assert_eq!(rounds(&config, 1, ty, instruction, 1), MORE * 2, "{instruction}");
    }
}

/// While a unit is busy with one class, instructions of others issue.
#[test]
fn a_busy_unit_holds_up_its_class_only() {
    let config = machine(|clock| {
        quick(clock, 1);
        clock.timings.divide = OpTiming { latency: 1, interval: 20 };
        (clock.simd_width, clock.ports, clock.in_flight) = (32, 1, InFlight::Scoreboard);
    });
    // In a round, one division and three additions of other registers.
    let round = "div.usize {}, {}, 3\nadd.usize %sum, 1, 1\nadd.usize %sum, 1, 2\nadd.usize %sum, 1, 3";
    assert_eq!(rounds(&config, 1, "usize", round, 1), MORE * 20);
    assert_eq!(rounds(&config, 2, "usize", round, 1), MORE * 40);
}
