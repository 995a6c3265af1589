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
    let x: Vec<u32> = (0..LENGTH as u32).map(|i| if chases { (i + row.argument) % LENGTH as u32 } else { h32(i) }).collect();
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
    let checksum = y.iter().zip(0u64..).fold(0u64, |sum, (&y, i)| sum.wrapping_add(u64::from(y).wrapping_mul(2 * i + 1)));
    (report, checksum)
}

#[test]
fn cycles() {
    for (machine, config) in [GpuConfig::turing(), GpuConfig::volta()].into_iter().enumerate() {
        for row in ROWS {
            let Some(theirs) = row.cycles[machine] else { continue };
            if row.kernel == "fan" && row.argument > 8 { continue }
            let (report, checksum) = run(&config, row);
            assert_eq!(checksum, row.checksum);
            let ours = report.cycles().expect("clock");
            let c = report.clock().unwrap();
            let l1 = c.memory().unwrap().l1;
            let passes: u64 = c.bank_conflicts().iter().zip(0u64..).map(|(count, passes)| count * passes.saturating_sub(1)).sum();
            println!("{machine} {:7}{:4}: {:4} {ours:6} vs {theirs:6} {:.2} net {:.2} rd {} wr {} acc {} miss {} bk {}", row.kernel, row.argument, report.issues() as i64 - row.issues as i64, ours as f64 / theirs as f64, (ours-5000) as f64 / (theirs-5000) as f64,
                l1.sectors_read as i64 - row.read as i64, l1.sectors_written as i64 - row.written as i64, (l1.load_sectors+l1.store_sectors) as i64 - row.lookups as i64, (l1.load_sector_misses+l1.store_sector_misses) as i64 - row.misses as i64, passes as i64 - row.extra_passes as i64);
        }
    }
}
