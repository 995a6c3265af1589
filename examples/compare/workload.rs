//! Runs an algorithm in plain Rust and under every policy, compares the results, takes the times.

use std::fmt;
use std::time::{Duration, Instant};

use simt::KernelCall;
use simt::prelude::*;

use crate::progress::Progress;

/// Launches a kernel on a machine of some policy.
pub(crate) type Launch<'a> = dyn Fn(Grid, KernelCall<'_>) -> Result<Report, LaunchError> + 'a;

/// An algorithm with its input: once in plain Rust, once as a kernel.
pub(crate) trait Workload {
    /// One element of the result.
    type Item: PartialEq + fmt::Debug;
    /// The name in the table.
    const NAME: &'static str;

    /// Runs it in plain Rust, on one thread.
    fn host(&self) -> Vec<Self::Item>;
    /// Runs the kernel; `launch` decides the policy.
    fn device(&self, launch: &Launch<'_>) -> Result<(Vec<Self::Item>, Report), LaunchError>;
    /// One line about the input and the result.
    fn summary(&self, result: &[Self::Item]) -> String;
}

/// How to run a workload.
pub(crate) struct Settings {
    pub(crate) warp_width: usize,
    /// Runs are repeated for this long, and the fastest counts.
    pub(crate) patience: Duration,
}

/// All runs of one workload.
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    pub(crate) summary: String,
    /// The time in plain Rust.
    pub(crate) host: Duration,
    pub(crate) runs: Vec<Run>,
}

/// A workload under one policy.
pub(crate) struct Run {
    pub(crate) policy: &'static str,
    pub(crate) report: Report,
    pub(crate) time: Duration,
}

/// Runs a workload in plain Rust and under every policy.
pub(crate) fn measure<W: Workload>(
    workload: &W,
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Measured, Box<dyn std::error::Error>> {
    progress.start(W::NAME, "plain Rust");
    let (expected, host) = fastest(settings, || Ok(workload.host()))?;
    progress.finish(host);
    let mut runs = Vec::new();
    for (policy, launch) in policies(settings.warp_width) {
        progress.start(W::NAME, policy);
        let ((result, report), time) = fastest(settings, || workload.device(&*launch))?;
        check(W::NAME, policy, &expected, &result)?;
        progress.finish(time);
        runs.push(Run { policy, report, time });
    }
    Ok(Measured { name: W::NAME, summary: workload.summary(&expected), host, runs })
}

/// Every policy by its name, and how kernels are launched under it.
fn policies(warp_width: usize) -> Vec<(&'static str, Box<Launch<'static>>)> {
    let mut policies: Vec<(_, Box<Launch<'_>>)> = Vec::new();
    for_each_policy!(P => {
        // Examples are built with the feature `testing`, which would check every step.
        let gpu = Gpu::<P>::default().with_warp_width(warp_width).with_checks(Checks::none());
        // PERF: `launch` would compile an engine for each policy, a seventh of what this example takes to build (two cores of
        // an Intel Xeon, 2026-11-29). Watched launches share one, and here nothing watches.
        policies.push((P::name(), Box::new(move |grid, call| gpu.launch_watched(grid, call, &mut ()))));
    });
    policies
}

/// How many runs `measure` makes.
pub(crate) fn runs_per_workload(settings: &Settings) -> u64 {
    1 + policies(settings.warp_width).len() as u64
}

/// Runs `f` at least once and until patience ends; the last result, and the shortest time.
fn fastest<T>(
    settings: &Settings,
    mut f: impl FnMut() -> Result<T, LaunchError>,
) -> Result<(T, Duration), LaunchError> {
    let begin = Instant::now();
    let mut shortest = Duration::MAX;
    loop {
        let start = Instant::now();
        let result = f()?;
        shortest = shortest.min(start.elapsed());
        if begin.elapsed() >= settings.patience {
            return Ok((result, shortest));
        }
    }
}

fn check<T: PartialEq + fmt::Debug>(name: &str, policy: &str, expected: &[T], result: &[T]) -> Result<(), Mismatch> {
    let Some(index) = expected.iter().zip(result).position(|(expected, result)| expected != result) else {
        return Ok(());
    };
    Err(Mismatch(format!(
        "{name} under {policy} differs from plain Rust at index {index}: {:?} instead of {:?}",
        result[index], expected[index]
    )))
}

/// A kernel's result is wrong.
#[derive(Debug)]
struct Mismatch(String);

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Mismatch {}

/// A number with its thousands set apart.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1_000, 65_536, 1_234_567].map(grouped), ["0", "999", "1,000", "65,536", "1,234,567"]);
    }

    #[test]
    fn a_wrong_result_is_named() {
        assert!(check("w", "P", &[1, 2], &[1, 2]).is_ok());
        let error = check("w", "P", &[1, 2], &[1, 3]).unwrap_err();
        assert_eq!(error.to_string(), "w under P differs from plain Rust at index 1: 3 instead of 2");
    }
}
