//! The run that is in progress, on stderr: a bar on a terminal, a line per run elsewhere.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::table::duration;

/// The progress of a known number of runs.
pub(crate) struct Progress {
    /// `None` where stderr is not a terminal.
    bar: Option<ProgressBar>,
    runs: u64,
    done: u64,
    now: String,
}

impl Progress {
    pub(crate) fn new(runs: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{elapsed:>4} [{bar:30}] {pos}/{len} {msg}");
            let style = style.expect("the template is well-formed").progress_chars("=> ");
            let bar = ProgressBar::new(runs).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self { bar, runs, done: 0, now: String::new() }
    }

    /// A run begins.
    pub(crate) fn start(&mut self, workload: &str, how: &str) {
        self.now = format!("{workload}, {how}");
        if let Some(bar) = &self.bar {
            bar.set_message(self.now.clone());
        }
    }

    /// The run has ended; its fastest repetition took `time`.
    pub(crate) fn finish(&mut self, time: Duration) {
        self.done += 1;
        match &self.bar {
            Some(bar) => bar.inc(1),
            None => eprintln!("{:>2}/{} {}: {}", self.done, self.runs, self.now, duration(time)),
        }
    }
}

impl Drop for Progress {
    /// Removes the bar from the screen, also when an error ends the program.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
