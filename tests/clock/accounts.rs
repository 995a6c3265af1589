//! Every cycle and every access is accounted for, once.

use crate::machine::clock;
use simt::clock::Stall;
use simt::{GpuConfig, Report};

/// The most samples of a time series, as `ClockConfig::sample` has it.
const MOST_SAMPLES: usize = 16_384;

/// The laws of the figures of any launch.
pub(crate) fn check(report: &Report, config: &GpuConfig, place: &dyn Fn() -> String) {
    let (figures, machine) = (report.clock().expect("the machine has a clock"), clock(config));
    let (cycles, pipelines) = (figures.cycles(), (machine.cores * machine.ports) as u64);
    let lines = figures.lines();
    let sum = |of: fn(&simt::clock::LineClock) -> u64| lines.iter().map(of).sum::<u64>();

    // Each place for a warp has one reason a cycle.
    let blocks = (machine.cores * figures.blocks_per_core()) as u64;
    assert!(figures.warp_places() >= blocks && figures.warp_places().is_multiple_of(blocks), "{}", place());
    assert_eq!(figures.stalls().total(), figures.warp_places() * cycles, "stalls, {}", place());

    // Each pipeline has one class a cycle. Where lanes issue alone, cycles are shared, and each class is rounded down.
    let occupancy = figures.occupancy();
    let classes = occupancy.classes().len() as u64;
    let whole = report.lanes_per_issue().is_multiple_of(machine.simd_width);
    let slack = if whole { 0 } else { classes };
    let total = occupancy.total();
    assert!(
        total <= pipelines * cycles && total + slack >= pipelines * cycles,
        "{total} of {pipelines} × {cycles}, {}",
        place()
    );

    // Lines have all of it.
    let active: u64 = occupancy.active.iter().sum();
    let issued = sum(|line| line.issue_cycles);
    let slack = if whole { 0 } else { classes + lines.len() as u64 };
    assert!(active.abs_diff(issued) <= slack, "{active} {issued}, {}", place());
    assert_eq!(sum(|line| line.requests), figures.requests(), "requests, {}", place());
    assert_eq!(sum(|line| line.transactions), figures.transactions(), "transactions, {}", place());
    let conflicts = figures.bank_conflicts().iter().enumerate();
    assert_eq!(sum(|line| line.shared_requests), figures.bank_conflicts().iter().sum::<u64>(), "shared, {}", place());
    let passes: u64 = conflicts.map(|(passes, &count)| passes as u64 * count).sum();
    assert_eq!(sum(|line| line.shared_passes), passes, "passes, {}", place());
    use Stall::{Barrier, Execution, Formation, Memory, NotSelected, Pipeline};
    for stall in [Memory, Execution, Pipeline, NotSelected, Barrier, Formation] {
        let of_lines: u64 = lines.iter().map(|line| line.waits.of(stall)).sum();
        assert!(of_lines <= figures.stalls().of(stall), "{}: {of_lines}, {}", stall.name(), place());
    }

    // No more issues than there are lanes.
    let lanes = (pipelines as usize * machine.simd_width) as f64;
    assert!(figures.ipc() <= lanes && figures.utilisation() <= 1.0, "{} of {lanes}, {}", figures.ipc(), place());
    let ipc = report.thread_instructions() as f64 / cycles as f64;
    assert!((figures.ipc() - ipc).abs() < 1e-9, "{} {ipc}, {}", figures.ipc(), place());

    // Samples follow each other, and add up, to the end or to the last that there may be.
    if machine.sample.is_some() {
        let samples = figures.samples();
        let mut next = 0;
        for sample in samples {
            assert_eq!(sample.begin, next, "{}", place());
            next += sample.cycles;
        }
        let slots: u64 = samples.iter().map(|sample| sample.occupancy.total()).sum();
        let slack = if whole { 0 } else { classes * samples.len() as u64 };
        assert!(
            slots <= pipelines * next && slots + slack >= pipelines * next,
            "samples: {slots} of {pipelines} × {next} in {}, {}",
            samples.len(),
            place()
        );
        if samples.len() == MOST_SAMPLES {
            assert!(next <= cycles, "samples, {}", place());
            return;
        }
        assert_eq!(next, cycles, "samples, {}", place());
        let issued: u64 = samples.iter().map(|sample| sample.thread_instructions).sum();
        assert_eq!(issued, report.thread_instructions(), "samples, {}", place());
        assert_eq!(samples.last().map(|sample| sample.incomplete_threads), Some(0), "{}", place());
    }
}
