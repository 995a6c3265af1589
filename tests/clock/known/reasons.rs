//! Where a warp's cycles go, worked out: each of *n* warps issues once a round, for *w* cycles; its result is there *L* cycles
//! after it began; and then it waits for its turn, until the others have issued for *w* cycles each.

use crate::machine::{changed, clock, kernel, one_core, timed};
use simt::clock::{InFlight, MemoryTiming, Stall, WarpScheduling};
use simt::host::{Argument, Kernel};
use simt::{GpuConfig, Grid};

const SHORT: usize = 6;
const MORE: usize = 10;

fn repeated(instruction: &str, times: usize) -> Kernel {
    kernel(&format!(
        "kernel repeated(x: &mut [usize])\n.reg usize %a\nmov.usize %a, 0\n{}exit",
        format!("{instruction}\n").repeat(times)
    ))
}

/// Cycles of warps by reason that the rounds take which the longer kernel has more, of all warps together.
fn reasons(config: &GpuConfig, warps: usize, instruction: &str) -> Vec<(&'static str, u64)> {
    let [short, long] = [SHORT, SHORT + MORE].map(|times| {
        let mut x = [0usize];
        let arguments = vec![Argument::slice_mut(&mut x)];
        *timed(config, Grid::new(1, warps * 32), &repeated(instruction, times), arguments).stalls()
    });
    let more = |&stall: &Stall| (stall.name(), long.of(stall) - short.of(stall));
    Stall::ALL.iter().map(more).filter(|&(_, cycles)| cycles > 0).collect()
}

fn machine(in_flight: InFlight) -> GpuConfig {
    changed(one_core(GpuConfig::fung2009()), |clock| {
        (clock.scheduling, clock.in_flight) = (WarpScheduling::RoundRobin, in_flight);
        clock.memory = MemoryTiming::Ideal { latency: 60 };
    })
}

#[test]
fn issues_results_and_turns() {
    for in_flight in [InFlight::OneInstruction, InFlight::Scoreboard] {
        let config = machine(in_flight);
        let width = 32 / clock(&config).simd_width as u64;
        for (instruction, latency, name) in
            [("add.usize %a, %a, 1", 24, "execution"), ("ld.usize %a, x[%a]", 60, "memory")]
        {
            for warps in [1, 4, 6, 12, 15, 20, 24] {
                let n = warps as u64;
                let (rounds, turn) = (MORE as u64 * n, (n * width).saturating_sub(latency));
                let expected = [("issued", width), (name, latency - width), ("not selected", turn)];
                // In the order of the reasons.
                let mut expected: Vec<_> = expected.map(|(name, cycles)| (name, rounds * cycles)).to_vec();
                expected.retain(|&(_, cycles)| cycles > 0);
                assert_eq!(
                    reasons(&config, warps, instruction),
                    expected,
                    "{warps} warps, {instruction}, {in_flight:?}"
                );
            }
        }
    }
}

/// A place is without a block from the cycle after a block's last issue: until the next comes, or the last issue has gone
/// down the pipeline.
#[test]
fn places_are_empty_when_no_block_is_there() {
    let config = machine(InFlight::OneInstruction);
    let width = 32 / clock(&config).simd_width as u64;
    for (blocks, warps) in [(1, 1), (1, 5), (4, 3), (9, 8)] {
        let mut x = [0usize];
        let arguments = vec![Argument::slice_mut(&mut x)];
        let report = timed(&config, Grid::new(blocks, warps * 32), &repeated("add.usize %a, %a, 1", 9), arguments);
        assert_eq!((report.blocks_per_core(), report.warp_places()), (1, warps as u64));
        let empty = (blocks as u64 - 1 + width) * warps as u64;
        assert_eq!(report.stalls().of(Stall::NoBlock), empty, "{blocks} blocks of {warps} warps");
    }
}
