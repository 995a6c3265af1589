//! `turing()` and `volta()` beside GPGPU-Sim 4.2 as RTX 2060 and QV100, on microkernels of our own: what is counted is the
//! same, and cycles are near.

mod reference;

use reference::{ROWS, Row};
use simt_core::code::Code;
use simt_runtime::{Argument, Gpu, GpuConfig, Grid, Ipdom, Kernel, Report};

/// Elements of both slices.
const LENGTH: usize = 1 << 20;

fn text(kernel: &str) -> &'static str {
    match kernel {
        "stride" => include_str!("kernels/stride.simt"),
        "gather" => include_str!("kernels/gather.simt"),
        "bank" => include_str!("kernels/bank.simt"),
        "chase" => include_str!("kernels/chase.simt"),
        "trips" => include_str!("kernels/trips.simt"),
        "nested" => include_str!("kernels/nested.simt"),
        "fan" => include_str!("kernels/fan.simt"),
        other => panic!("no text of {other}"),
    }
}

fn h32(mut x: u32) -> u32 {
    x = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
    x = (x ^ x >> 15).wrapping_mul(0x846c_a68b);
    x ^ x >> 16
}

/// Runs a row's kernel: the report, and the checksum.
fn run(config: &GpuConfig, row: &Row) -> (Report, u64) {
    let code = Code::parse(text(row.kernel)).unwrap_or_else(|error| panic!("{}: {error}", row.kernel));
    let kernel = Kernel::from_code(code);
    let chases = row.kernel == "chase";
    let x: Vec<u32> =
        (0..LENGTH as u32).map(|i| if chases { (i + row.argument) % LENGTH as u32 } else { h32(i) }).collect();
    let mut y = vec![0u32; LENGTH];
    let arguments = match row.kernel {
        "stride" => vec![Argument::slice(&x), Argument::slice_mut(&mut y), Argument::scalar(row.argument)],
        "gather" => vec![Argument::slice(&x), Argument::slice_mut(&mut y)],
        "chase" => vec![Argument::slice(&x), Argument::slice_mut(&mut y), Argument::scalar(512u32)],
        "trips" | "nested" => vec![Argument::slice_mut(&mut y)],
        _ => vec![Argument::slice_mut(&mut y), Argument::scalar(row.argument)],
    };
    let grid = if chases { Grid::new(1, 1) } else { Grid::new(32, 128) };
    let report = Gpu::<Ipdom>::new(config.clone())
        .launch(grid, simt_runtime::call(&kernel, arguments))
        .unwrap_or_else(|error| panic!("{}: {error}", row.kernel));
    let checksum =
        y.iter().zip(0u64..).fold(0u64, |sum, (&y, i)| sum.wrapping_add(u64::from(y).wrapping_mul(2 * i + 1)));
    (report, checksum)
}

/// The machines, and where the reference's cycles of each are in a row.
fn machines() -> [(&'static str, GpuConfig, usize); 2] {
    [("turing", GpuConfig::turing(), 0), ("volta", GpuConfig::volta(), 1)]
}

/// The rows of which the reference says cycles for a machine.
fn rows(machine: usize) -> impl Iterator<Item = (&'static Row, u64)> {
    ROWS.iter().filter_map(move |row| Some((row, row.cycles[machine]?)))
}

/// Instructions of a thread that a text has more than the PTX that the reference ran, which is of another compilation; all
/// threads execute them.
fn more_instructions(kernel: &str) -> i64 {
    match kernel {
        "bank" | "chase" => 1,
        "nested" => -3,
        _ => 0,
    }
}

#[test]
fn what_is_counted_is_the_same() {
    for (name, config, machine) in machines() {
        for (row, _) in rows(machine) {
            let place = format!("{} {} on {name}", row.kernel, row.argument);
            let (report, checksum) = run(&config, row);
            assert_eq!(checksum, row.checksum, "{place}");
            let (threads, warps) = if row.kernel == "chase" { (1, 1) } else { (32 * 128, 32 * 4) };
            let more = more_instructions(row.kernel);
            let issues = report.issues() as i64 - more * warps;
            assert_eq!(issues, row.issues as i64, "{place}");
            let efficiency = (report.thread_instructions() as i64 - more * threads) as f64 / (32 * issues) as f64;
            assert!((efficiency - row.efficiency).abs() < 0.000_051, "{place}: {efficiency}");
            let clock = report.clock().expect("the machine has a clock");
            let l1 = clock.memory().and_then(|memory| memory.cache("l1")).expect("memory is modelled");
            let beyond = (l1.sectors_read, l1.sectors_written);
            assert_eq!(beyond, (row.read, row.written), "{place}");
            assert_eq!(l1.load_sectors + l1.store_sectors, row.lookups, "{place}");
            assert_eq!(l1.load_sector_misses + l1.store_sector_misses, row.misses, "{place}");
            let passes = clock.bank_conflicts().iter().zip(0u64..);
            let extra: u64 = passes.map(|(count, passes)| count * passes.saturating_sub(1)).sum();
            assert_eq!(extra, row.extra_passes, "{place}");
        }
    }
}

/// Cycles of the reference for a launch, which both have.
const LAUNCH: u64 = 5000;

/// What is near with the launch and without it is near.
#[test]
#[expect(clippy::print_stdout, reason = "the figures, for `--nocapture`")]
fn cycles_are_near() {
    for (name, config, machine) in machines() {
        let mut all = Vec::new();
        for (row, theirs) in rows(machine) {
            let ours = run(&config, row).0.cycles().expect("the machine has a clock");
            let ratio = |launch: u64| (ours - launch) as f64 / (theirs - launch) as f64;
            println!(
                "{name}: {} {}: {ours} of {theirs}: {:.2}, {:.2}",
                row.kernel,
                row.argument,
                ratio(0),
                ratio(LAUNCH)
            );
            for ratio in [ratio(0), ratio(LAUNCH)] {
                assert!((0.7..=1.4).contains(&ratio), "{} {} on {name}: {ours} of {theirs}", row.kernel, row.argument);
            }
            all.push((ours, theirs));
        }
        for launch in [0, LAUNCH] {
            let logarithms = all.iter().map(|&(ours, theirs)| ((ours - launch) as f64 / (theirs - launch) as f64).ln());
            let mean = (logarithms.sum::<f64>() / all.len() as f64).exp();
            println!("{name}: geometric mean {mean:.3}");
            assert!((0.9..=1.1).contains(&mean), "{name}: {mean}");
        }
        let correlation = spearman(&all);
        println!("{name}: Spearman {correlation:.3}");
        assert!(correlation >= 0.97, "{name}: {correlation}");
    }
}

/// Spearman's rank correlation; what is alike has the mean of its ranks.
fn spearman(pairs: &[(u64, u64)]) -> f64 {
    let ranks = |values: Vec<u64>| -> Vec<f64> {
        let rank = |value: &u64| {
            let below = values.iter().filter(|other| *other < value).count() as f64;
            let alike = values.iter().filter(|other| *other == value).count() as f64;
            below + (alike + 1.0) / 2.0
        };
        values.iter().map(rank).collect()
    };
    let ours = ranks(pairs.iter().map(|pair| pair.0).collect());
    let theirs = ranks(pairs.iter().map(|pair| pair.1).collect());
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    product(&ours, &theirs) / (product(&ours, &ours) * product(&theirs, &theirs)).sqrt()
}
