//! The memory that a launch with a clock takes follows what is on the cores, not the grid.
//!
//! The most that the process has had is read from `/proc`, so this is a test of its own, on Linux.

use simt::prelude::*;

#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id();
    y[i] = a * x[i] + y[i];
}

/// The most bytes that the process has had in memory so far.
fn most() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

/// Threads as a power of two: `SIMT_THREADS`, or as many as a test build runs in seconds.
fn threads() -> usize {
    1 << std::env::var("SIMT_THREADS").ok().and_then(|bits| bits.parse::<u32>().ok()).unwrap_or(20)
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "there is no `/proc`")]
fn a_launch_of_many_threads_stays_small() {
    let count = threads();
    let (x, mut y) = (vec![1.5; count], vec![0.25; count]);
    let before = most().expect("Linux says how much memory there is");
    let gpu = Gpu::<Ipdom>::new(GpuConfig::fung2009()).with_checks(Checks::none());
    let report =
        gpu.launch(Grid::covering(count, 256), saxpy(2.0, &x, &mut y)).unwrap_or_else(|error| panic!("{error}"));
    let taken = most().expect("it said so before") - before;
    assert!(y.iter().all(|&y| y == 3.25));
    let cycles = report.cycles().expect("the machine has a clock");
    let shown = format!("2^{} threads: {} KB beyond the buffers, {cycles} cycles", count.ilog2(), taken >> 10);
    // `y` is kept as it was until the launch has succeeded; the rest is the machine.
    assert!(taken < count * size_of::<f32>() + (40 << 20), "{shown}");
    assert!(taken < 200 << 20, "{shown}");
    if std::env::var_os("SIMT_THREADS").is_some() {
        eprintln!("{shown}");
    }
}
