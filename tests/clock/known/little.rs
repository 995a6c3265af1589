//! Little's law: loads under way = loads a cycle × cycles of a load.
//!
//! Each warp has one thread that chases pointers through memory, so that it has one load under way always: of *n* warps *n*
//! are. In the report, the cycles of a load are those in which its warp issues it or waits for it.

use crate::machine::{Levels, changed, kernel, memory, quick};
use simt::checks::Checks;
use simt::clock::{ClockReport, InFlight, Stall};
use simt::host::{Argument, Kernel};
use simt::policy::Ipdom;
use simt::testing::Random;
use simt::{Gpu, GpuConfig, Grid};

/// Elements of a line of 64 bytes, and lines of the ring.
const LINE: usize = 16;
const LINES: usize = 1 << 18;
/// Loads in a row. What stands between two rows takes no time to speak of.
const ROW: usize = 40;

fn chase(rounds: usize) -> Kernel {
    let load = "ld.usize %p, x[%p]\n".repeat(ROW);
    kernel(&format!(
        "kernel chase(x: &[usize], from: &[usize], out: &mut [usize])\n.reg usize %p, %n, bool %q\n\
         gt.usize %q, lane_id(), 0\n@%q exit\n\
         ld.usize %p, from[global_id()]\nmov.usize %n, 0\nAGAIN:\n{load}\
         add.usize %n, %n, 1\nlt.usize %q, %n, {rounds}\n@%q bra AGAIN\nst.usize out[global_id()], %p\nexit"
    ))
}

/// All lines in a ring, in an order without order.
fn ring() -> Vec<usize> {
    let mut random = Random::new(11);
    let mut order: Vec<usize> = (0..LINES).collect();
    for last in (1..LINES).rev() {
        order.swap(last, random.below(last + 1));
    }
    order
}

fn launch(config: &GpuConfig, cores: usize, warps: usize, rounds: usize, order: &[usize]) -> ClockReport {
    let mut out = vec![0; cores * warps * 32];
    let mut x = vec![0; LINES * LINE];
    (0..LINES).for_each(|at| x[order[at] * LINE] = order[(at + 1) % LINES] * LINE);
    // No two threads come to the same line.
    let place = |thread: usize| order[thread / 32 * (LINES / (cores * warps))] * LINE;
    let from: Vec<usize> = (0..cores * warps * 32).map(place).collect();
    let kernel = chase(rounds);
    let call =
        simt::host::call(&kernel, vec![Argument::slice(&x), Argument::slice(&from), Argument::slice_mut(&mut out)]);
    let gpu = Gpu::<Ipdom>::new(config.clone()).with_checks(Checks::none());
    let report = gpu.launch(Grid::new(cores, warps * 32), call).unwrap_or_else(|error| panic!("{error}"));
    report.clock().expect("the machine has a clock").clone()
}

#[test]
fn occupancy_is_throughput_times_latency() {
    let config = changed(GpuConfig::fung2009(), |clock| {
        quick(clock);
        // A load that has its answer does not wait for the pipeline.
        (clock.in_flight, clock.simd_width) = (InFlight::Scoreboard, 32);
    });
    let order = ring();
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.05;
    for (cores, warps) in [(1, 1), (1, 8), (4, 4), (16, 4), (16, 12), (16, 24)] {
        let under_way = (cores * warps) as f64;
        let rounds = (LINES / (cores * warps) / ROW).min(50);
        let report = launch(&config, cores, warps, rounds, &order);
        // A load at the beginning and a store at the end, for each warp.
        let loads = (ROW * rounds) as f64 * under_way;
        assert_eq!(report.transactions() as f64, loads + 2.0 * under_way);
        let waited = report.stalls().of(Stall::Memory) + report.stalls().of(Stall::Issued);
        let latency = waited as f64 / loads;
        let throughput = loads / report.cycles() as f64;
        let place = format!("{cores} cores of {warps}: {throughput} of {latency} cycles");
        assert!(near(throughput * latency, under_way), "{place}");
        let memory = memory(&config);
        // A lone load of a closed row: miss, request, the cycle of the controller, activate, read, data, reply.
        let crossbar =
            |data: u32| memory.joined().latency + (memory.joined().header + data).div_ceil(memory.joined().flit) - 1;
        let dram = memory.module();
        let data = memory.l1().line / dram.bus;
        let alone =
            memory.l1().miss_latency + crossbar(0) + 1 + dram.t_rcd + dram.t_cl + data + crossbar(memory.l1().line);
        // Nearly always another row is open, which is closed first.
        let alone = f64::from(alone + dram.t_rp);
        assert!(latency > 0.95 * alone, "{place}, alone {alone}");
        if under_way == 1.0 {
            assert!(near(latency, alone), "{place}, alone {alone}");
            // There is no other warp: the pipeline rests for memory as long as the warp waits for it.
            let (rests, waits) = (report.occupancy().memory, report.stalls().of(Stall::Memory));
            assert!(near(rests as f64, waits as f64), "{place}: {rests} of {waits}");
        }
        // No bus carries more than it can.
        let peak = f64::from(memory.partitions()) / f64::from(data);
        assert!(throughput <= peak, "{place}");
        if under_way >= 384.0 {
            assert!(throughput > 0.8 * peak, "{place}: of {peak}");
        }
    }
}
