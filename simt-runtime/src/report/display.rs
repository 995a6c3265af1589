//! A report for a terminal: the figures, the histogram of active lanes, the table of source lines, and what was printed.

use super::{LineReport, PolicyFigure, Report, ratio};
use crate::clock::{ClockReport, Stall};
use crate::hierarchy::{Amount, Shown};
use std::fmt;

/// Longest source line shown.
const TEXT: usize = 48;
/// Most printed lines shown.
const PRINTS: usize = 200;
/// Length of a full bar.
const BAR: usize = 24;

/// Where the time went.
fn time(f: &mut fmt::Formatter<'_>, clock: &ClockReport) -> fmt::Result {
    writeln!(f, "  cycles               {:>15}", grouped(clock.cycles()))?;
    writeln!(f, "  IPC                  {:>15.2}  {:.1}% of all lanes", clock.ipc(), 100.0 * clock.utilisation())?;
    writeln!(f, "  cycles of warps on cores")?;
    let stalls = clock.stalls();
    for &stall in Stall::ALL.iter().filter(|&&stall| stall != Stall::NoBlock && stalls.of(stall) > 0) {
        let share = stalls.share(stall);
        let bar = "█".repeat((share * BAR as f64).round() as usize);
        writeln!(f, "    {:<14} {:>5.1}% {bar}", stall.name(), 100.0 * share)?;
    }
    if clock.requests() > 0 {
        writeln!(
            f,
            "  accesses to memory   {:>15}  {:.2} transactions each",
            grouped(clock.requests()),
            clock.transactions_per_request()
        )?;
    }
    if let Some(memory) = clock.memory() {
        for level in &memory.levels {
            let Some(Shown { what, amount, note }) = level.figures.shown() else { continue };
            let name = format!("{} {what}", level.name.to_uppercase());
            match amount {
                Amount::Count(count) => writeln!(f, "  {name:<20} {:>15}  {note}", grouped(count))?,
                Amount::Part(part) => writeln!(f, "  {name:<20} {:>14.1}%  {note}", 100.0 * part)?,
            }
        }
    }
    Ok(())
}

/// A report without what changes when lines are added elsewhere in its file: neither number of lines nor the file's name.
#[derive(Clone, Copy, Debug)]
pub struct Redacted<'r>(&'r Report);

impl fmt::Display for Redacted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, false)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, true)
    }
}

impl Report {
    /// The report for a snapshot: as it is displayed, but without numbers of lines and the file's name, so that it stays the
    /// same when the kernel moves in its file.
    ///
    /// ```
    /// # use simt::prelude::*;
    /// #[kernel]
    /// fn double(x: &mut [u32]) {
    ///     x[global_id()] *= 2;
    /// }
    ///
    /// let mut x = [1; 64];
    /// let report = Gpu::<Ipdom>::default().launch(Grid::new(2, 32), double(&mut x))?;
    /// // insta::assert_snapshot!(report.redacted());
    /// let text = report.redacted().to_string();
    /// assert!(text.contains("  [ ]") && text.contains("x[global_id()] *= 2;"), "{text}");
    /// assert!(!text.contains(report.file()));
    /// # Ok::<(), LaunchError>(())
    /// ```
    pub fn redacted(&self) -> Redacted<'_> {
        Redacted(self)
    }

    /// Writes it with the places of its lines, or without.
    fn write(&self, f: &mut fmt::Formatter<'_>, places: bool) -> fmt::Result {
        let lanes = self.lanes_per_issue;
        writeln!(f, "kernel {} under {}, warps of {}", self.kernel, self.policy, self.warp_width)?;
        let markers = match self.marker_issues {
            0 => String::new(),
            count => format!("  (+ {} of markers)", grouped(count)),
        };
        writeln!(f, "  issues               {:>15}{markers}", grouped(self.issues))?;
        let off = match self.guarded_off {
            0 => String::new(),
            off => format!("  ({} of them guarded off)", grouped(off)),
        };
        writeln!(f, "  thread instructions  {:>15}{off}", grouped(self.thread_instructions))?;
        writeln!(
            f,
            "  SIMD efficiency      {:>14.1}%  {:.1} of {lanes} lanes",
            100.0 * self.simd_efficiency(),
            self.simd_efficiency() * lanes as f64
        )?;
        writeln!(
            f,
            "  branch efficiency    {:>14.1}%  {} of {} {} diverged",
            100.0 * self.branch_efficiency(),
            grouped(self.diverged_branches),
            grouped(self.branches),
            if self.branches == 1 { "branch" } else { "branches" }
        )?;
        self.histogram(f)?;
        if let Some(clock) = &self.clock {
            time(f, clock)?;
        }
        for PolicyFigure { name, value, .. } in &self.policy_figures {
            writeln!(f, "  {name:<38} {:>12}", grouped(*value))?;
        }
        self.table(f, places)?;
        self.printed(f)
    }

    /// Issues by active lanes, eight classes as in TACO'09 Fig. 15.
    fn histogram(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.issues == 0 {
            return Ok(());
        }
        writeln!(f, "  active lanes")?;
        let class = (self.lanes_per_issue / 8).max(1);
        let classes: Vec<u64> = self
            .lane_histogram
            .get(1..=self.lanes_per_issue)
            .unwrap_or_default()
            .chunks(class)
            .map(|counts| counts.iter().sum())
            .collect();
        let most = classes.iter().copied().max().unwrap_or(0).max(1);
        for (number, &count) in classes.iter().enumerate() {
            let (low, high) = (number * class + 1, (number + 1) * class);
            let name = if low == high { low.to_string() } else { format!("{low}-{high}") };
            let bar = "█".repeat((count as f64 / most as f64 * BAR as f64).round() as usize);
            writeln!(f, "    {name:>5} {:>5.1}% {bar}", 100.0 * ratio(count, self.issues))?;
        }
        Ok(())
    }

    /// The lines that threads printed, up to as many as a terminal can hold.
    fn printed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.prints.is_empty() {
            return Ok(());
        }
        writeln!(f, "  printed")?;
        for line in self.prints.iter().take(PRINTS) {
            writeln!(f, "    {line}")?;
        }
        match self.prints.len().saturating_sub(PRINTS) {
            0 => Ok(()),
            1 => writeln!(f, "    ... and one more line"),
            more => writeln!(f, "    ... and {} more lines", grouped(more as u64)),
        }
    }

    /// Where the lanes go idle: *idle* is a line's share of all idle lane slots.
    fn table(&self, f: &mut fmt::Formatter<'_>, places: bool) -> fmt::Result {
        let lanes = self.lanes_per_issue as u64;
        let idle = |line: &LineReport| (line.issues * lanes).saturating_sub(line.thread_instructions);
        let all_idle: u64 = self.lines.iter().map(idle).sum();
        let file = if places { &self.file } else { "[file]" };
        writeln!(f, "  {:>5} {:>13} {:>6} {:>9} {:>6}  {}", "line", "issues", "lanes", "diverged", "idle", file)?;
        let mut in_file = &self.file;
        for line in &self.lines {
            if line.issues == 0 && line.marker_issues == 0 {
                continue;
            }
            if places && line.file != *in_file {
                in_file = &line.file;
                writeln!(f, "  {:>5} {:>38}  {in_file}", "", "")?;
            }
            let number = match line.line {
                0 => "-".to_string(),
                _ if !places => "[ ]".to_string(),
                line => line.to_string(),
            };
            let diverged = match line.branches {
                0 => String::new(),
                branches => format!("{:.1}%", 100.0 * ratio(line.divergences, branches)),
            };
            let share = match idle(line) {
                0 => String::new(),
                idle => format!("{:.1}%", 100.0 * ratio(idle, all_idle)),
            };
            writeln!(
                f,
                "  {number:>5} {:>13} {:>6.1} {diverged:>9} {share:>6}  {}",
                grouped(line.issues),
                line.mean_active_lanes(),
                shortened(&line.text)
            )?;
        }
        Ok(())
    }
}

/// Digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= TEXT {
        return text.to_string();
    }
    text.chars().take(TEXT - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_said_as_one_and_lines_of_another_file_are_under_its_name() {
        let line = |file: &str, line| LineReport { file: file.into(), line, issues: 2, ..LineReport::default() };
        let report = Report {
            kernel: "k".into(),
            file: "k.cu".into(),
            policy: "Ipdom".into(),
            warp_width: 32,
            lanes_per_issue: 32,
            issues: 8,
            marker_issues: 0,
            thread_instructions: 0,
            marker_thread_instructions: 0,
            guarded_off: 0,
            branches: 1,
            diverged_branches: 1,
            lane_histogram: vec![0; 33],
            lines: vec![line("k.cu", 0), line("k.cu", 3), line("ends.h", 3), line("ends.h", 14)],
            policy_figures: Vec::new(),
            prints: vec!["x".into(); PRINTS + 1],
            clock: None,
        };
        let text = report.to_string();
        assert!(text.contains("  1 of 1 branch diverged\n") && text.ends_with("    ... and one more line\n"), "{text}");
        let (_, table) = text.split_once("  line ").unwrap();
        let places: Vec<&str> = table.lines().map(|line| line.split_whitespace().next().unwrap_or_default()).collect();
        assert_eq!(places[1..6], ["-", "3", "ends.h", "3", "14"], "{text}");
        let redacted = report.redacted().to_string();
        assert!(!redacted.contains("k.cu") && !redacted.contains("ends.h"), "{redacted}");
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!([grouped(0), grouped(999), grouped(1_234_567)], ["0", "999", "1 234 567"]);
    }
}
