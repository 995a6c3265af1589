//! Little's law: loads under way = loads a cycle × cycles of a load.
//!
//! Each warp has one thread that chases pointers through memory, so that it has one load under way always: of *n* warps *n*
//! are. In the report, the cycles of a load are those in which its warp issues it or waits for it.

use crate::machine::{kernel, memory};
use simt::{Argument, Checks, ClockReport, Gpu, GpuConfig, Grid, Ipdom, Kernel, Stall};

/// Elements of a line of 64 bytes, and lines of the ring.
const LINE: usize = 16;
const LINES: usize = 1 << 18;
/// Hops after which all banks have been touched, and how many more the longer kernel has.
const SHORT: usize = 300;
const MORE: usize = 80;

fn chase(hops: usize) -> Kernel {
    let load = "ld.usize %p, x[%p]\n".repeat(hops);
    kernel(&format!(
        "kernel chase(x: &[usize], out: &mut [usize])\n.reg usize %p, bool %q\n\
         gt.usize %q, lane_id(), 0\n@%q exit\n\
         mul.usize %p, global_id(), 26016\nrem.usize %p, %p, {}\n{load}st.usize out[global_id()], %p\nexit",
        LINES * LINE
    ))
}

/// A line that no other leads to, far away: an odd multiple is a permutation.
fn ring() -> Vec<usize> {
    let mut x = vec![0; LINES * LINE];
    for line in 0..LINES {
        x[line * LINE] = (line.wrapping_mul(0x9E37_79B1) + 12345) % LINES * LINE;
    }
    x
}

fn launch(config: &GpuConfig, cores: usize, warps: usize, hops: usize, x: &[usize]) -> ClockReport {
    let mut out = vec![0; cores * warps * 32];
    let kernel = chase(hops);
    let call = simt::call(&kernel, vec![Argument::slice(x), Argument::slice_mut(&mut out)]);
    let gpu = Gpu::<Ipdom>::new(config.clone()).with_checks(Checks::none());
    let report = gpu.launch(Grid::new(cores, warps * 32), call).unwrap_or_else(|error| panic!("{error}"));
    report.clock().expect("the machine has a clock").clone()
}

#[test]
fn occupancy_is_throughput_times_latency() {
    let (config, x) = (GpuConfig::fung2009(), ring());
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.05;
    for (cores, warps) in [(1, 1), (1, 8), (4, 4), (16, 4), (16, 12), (16, 24)] {
        let (short, long) = (launch(&config, cores, warps, SHORT, &x), launch(&config, cores, warps, SHORT + MORE, &x));
        let under_way = (cores * warps) as f64;
        let loads = (long.transactions() - short.transactions()) as f64;
        assert_eq!(loads, MORE as f64 * under_way);
        let cycles = (long.cycles() - short.cycles()) as f64;
        let waited = |report: &ClockReport| report.stalls().of(Stall::Memory) + report.stalls().of(Stall::Issued);
        let latency = (waited(&long) - waited(&short)) as f64 / loads;
        let throughput = loads / cycles;
        let place = format!("{cores} cores of {warps}: {throughput} of {latency} cycles");
        assert!(near(throughput * latency, under_way), "{place}");
        let memory = memory(&config);
        // A lone load of a closed row: miss, request, the cycle of the controller, activate, read, data, reply.
        let crossbar =
            |data: u32| memory.crossbar.latency + (memory.crossbar.header + data).div_ceil(memory.crossbar.flit) - 1;
        let dram = &memory.dram;
        let data = memory.l1.line / dram.bus;
        let alone = memory.l1.miss_latency + crossbar(0) + 1 + dram.t_rcd + dram.t_cl + data + crossbar(memory.l1.line);
        // Nearly always another row is open, which is closed first.
        let alone = f64::from(alone + dram.t_rp);
        assert!(latency > 0.95 * alone, "{place}, alone {alone}");
        if under_way == 1.0 {
            assert!(near(latency, alone), "{place}, alone {alone}");
        }
        // No bus carries more than it can.
        let peak = f64::from(memory.partitions) / f64::from(data);
        assert!(throughput <= peak, "{place}");
        if under_way >= 384.0 {
            assert!(throughput > 0.8 * peak, "{place}: of {peak}");
        }
    }
}
