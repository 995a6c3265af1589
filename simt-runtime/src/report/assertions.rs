//! Assertions on the figures of a launch, whose failures show the lines to blame.

use super::{LineReport, Report, ratio};
use std::fmt::Write;
use std::ops::{Bound, RangeBounds};

/// How many lines a failure shows.
const BLAMED: usize = 5;

/// Which lines are to blame for a figure, and how much each of them is.
struct Blame<'b> {
    /// What the lines below have most of.
    what: &'static str,
    of: &'b dyn Fn(&Report, &LineReport) -> u64,
}

/// Lane slots of a line that no active lane had.
fn idle(report: &Report, line: &LineReport) -> u64 {
    (line.issues * report.lanes_per_issue as u64).saturating_sub(line.thread_instructions)
}

/// A range as it is written.
fn written<T: std::fmt::Display>(range: &impl RangeBounds<T>) -> String {
    let begin = match range.start_bound() {
        Bound::Included(begin) | Bound::Excluded(begin) => begin.to_string(),
        Bound::Unbounded => String::new(),
    };
    match range.end_bound() {
        Bound::Included(end) => format!("{begin}..={end}"),
        Bound::Excluded(end) => format!("{begin}..{end}"),
        Bound::Unbounded => format!("{begin}.."),
    }
}

impl Report {
    /// Asserts that the SIMD efficiency is in a range.
    ///
    /// ```should_panic
    /// # use simt::prelude::*;
    /// #[kernel]
    /// fn halves(x: &mut [u32]) {
    ///     let i = global_id();
    ///     if i % 2 == 0 {
    ///         for k in 0..100 {
    ///             x[i] += k;
    ///         }
    ///     }
    /// }
    ///
    /// let mut x = [0; 64];
    /// let report = Gpu::<Ipdom>::default().launch(Grid::new(2, 32), halves(&mut x)).unwrap();
    /// report.assert_simd_efficiency(0.4..);
    /// // SIMD efficiency of `halves` under Ipdom is 0.508, and not in 0.9..
    /// // lines of src/lib.rs with most idle lanes:
    /// //    6   67.2%  16.0 of 32 lanes  x[i] += k;
    /// report.assert_simd_efficiency(0.9..);
    /// ```
    ///
    /// # Panics
    /// If it is not: the message lists the lines that lose most lanes.
    #[track_caller]
    pub fn assert_simd_efficiency(&self, range: impl RangeBounds<f64>) {
        let blame = Blame { what: "idle lanes", of: &idle };
        self.assert_in("SIMD efficiency", self.simd_efficiency(), &range, &blame);
    }

    /// Asserts that the branch efficiency is in a range.
    ///
    /// # Panics
    /// If it is not: the message lists the lines whose branches diverge most often.
    #[track_caller]
    pub fn assert_branch_efficiency(&self, range: impl RangeBounds<f64>) {
        let blame = Blame { what: "diverged branches", of: &|_, line| line.divergences };
        self.assert_in("branch efficiency", self.branch_efficiency(), &range, &blame);
    }

    /// Asserts that the number of transactions of an access to memory is in a range, on average: 1 if neighbouring threads
    /// access neighbouring elements.
    ///
    /// # Panics
    /// If it is not, or the machine has no clock: the message lists the lines with most transactions
    /// beyond one an access.
    #[track_caller]
    pub fn assert_transactions_per_request(&self, range: impl RangeBounds<f64>) {
        let blame = Blame {
            what: "transactions beyond one an access",
            of: &|report, line| {
                report.line_clock(line).map_or(0, |line| line.transactions.saturating_sub(line.requests))
            },
        };
        let value = self.timed_figure().transactions_per_request();
        self.assert_in("transactions per access", value, &range, &blame);
    }

    /// Asserts that no access to shared memory takes several passes.
    ///
    /// # Panics
    /// If one does, or the machine has no clock: the message lists the lines with most additional passes.
    #[track_caller]
    pub fn assert_no_bank_conflicts(&self) {
        let more = |report: &Self, line: &LineReport| {
            report.line_clock(line).map_or(0, |line| line.shared_passes.saturating_sub(line.shared_requests))
        };
        let conflicts: u64 = self.timed_figure().bank_conflicts().iter().skip(2).sum();
        let blame = Blame { what: "passes that conflicts add", of: &more };
        self.assert_in("number of accesses with bank conflicts", conflicts as f64, &(..=0.0), &blame);
    }

    /// The clock's figures.
    #[track_caller]
    fn timed_figure(&self) -> &crate::clock::ClockReport {
        let Some(clock) = self.clock() else {
            panic!(
                "`{}` ran on a machine without a clock, which counts no accesses to memory: use another config, such as `GpuConfig::turing()`",
                self.kernel
            )
        };
        clock
    }

    fn line_clock(&self, line: &LineReport) -> Option<&crate::clock::LineClock> {
        self.clock()?.lines().iter().find(|timed| (timed.line, &timed.file) == (line.line, &line.file))
    }

    #[track_caller]
    fn assert_in(&self, name: &str, value: f64, range: &impl RangeBounds<f64>, blame: &Blame<'_>) {
        if range.contains(&value) {
            return;
        }
        let mut text = format!(
            "{name} of `{}` under {} is {}, and not in {}",
            self.kernel,
            self.policy,
            (1000.0 * value).round() / 1000.0,
            written(range)
        );
        let mut lines: Vec<_> = self.lines.iter().map(|line| ((blame.of)(self, line), line)).collect();
        lines.retain(|&(amount, _)| amount > 0);
        // Those of one amount stay in their order.
        lines.sort_by_key(|&(amount, _)| std::cmp::Reverse(amount));
        let all: u64 = lines.iter().map(|(amount, _)| amount).sum();
        if !lines.is_empty() {
            // A `write!` to a string cannot fail.
            let _ = write!(text, "\nlines of {} with most {}:", self.file, blame.what);
        }
        for (amount, line) in lines.into_iter().take(BLAMED) {
            let _ = write!(
                text,
                "\n{:>5}  {:>5.1}%  {:.1} of {} lanes  {}{}",
                line.line,
                100.0 * ratio(amount, all),
                line.mean_active_lanes(),
                self.lanes_per_issue,
                line.text,
                if line.file == self.file { String::new() } else { format!("  (in {})", line.file) }
            );
        }
        panic!("{text}");
    }
}
