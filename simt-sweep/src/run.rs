//! Points are run on all processors, and kept one by one.

use crate::error::SweepError;
use crate::execute::execute;
use crate::point::Point;
use crate::store::{Outcome, Store};
use crate::sweep::Sweep;
use crate::worker::{Crew, Ended};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How points are run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct How {
    /// How many at a time: as many as there are processors, if not given.
    pub(crate) threads: Option<usize>,
    /// Whether points that have failed or were stopped run again.
    pub(crate) retry: bool,
    /// Whether they run in this process, not in others.
    pub(crate) in_process: bool,
    /// How long each may take.
    pub(crate) limit: Option<Duration>,
    /// Whether there is no progress bar even on a terminal.
    pub(crate) quiet: bool,
}

/// What became of the points that were to be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Those that were run and gave what is measured.
    pub done: usize,
    /// Those that were not run, as their results are known.
    pub known: usize,
    /// Those that ended with an error or a panic, or took their process with them; now, or in a run before.
    pub failed: usize,
    /// Those that were stopped, as they took too long; now, or in a run before.
    pub timed_out: usize,
    /// Files that were cut off or edited, with place and reason. Their points were run again.
    pub damaged: Vec<String>,
}

impl Summary {
    /// Whether every point gave what is measured.
    pub fn is_whole(&self) -> bool {
        self.failed == 0 && self.timed_out == 0
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { done, known, failed, timed_out, damaged: _ } = self;
        write!(f, "{done} {} run, {known} known before", if *done == 1 { "point" } else { "points" })?;
        if self.is_whole() {
            return Ok(());
        }
        write!(f, "; {failed} failed, {timed_out} timed out: `merge` lists them, `run --retry` runs them again")
    }
}

/// Points by what became of them, counted by several threads.
#[derive(Default)]
struct Counts {
    done: AtomicUsize,
    failed: AtomicUsize,
    timed_out: AtomicUsize,
}

impl Counts {
    fn add(&self, ended: Ended) {
        let count = match ended {
            Ended::Done => &self.done,
            Ended::Failed => &self.failed,
            Ended::TimedOut => &self.timed_out,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// Runs those of the points whose results are not known.
///
/// # Errors
/// If results cannot be written, or processes not be started. What a point does is no error here.
pub(crate) fn run(sweep: &Sweep, points: &[&Point], store: &Store, how: How) -> Result<Summary, SweepError> {
    store.create()?;
    let (mut summary, counts, mut todo) = (Summary::default(), Counts::default(), Vec::new());
    for &point in points {
        match store.read(point) {
            Ok(Some(Outcome::Done(_))) => summary.known += 1,
            Ok(Some(outcome)) if !how.retry => counts.add(Ended::of(&outcome)),
            Ok(_) => todo.push(point),
            Err(reason) => {
                summary.damaged.push(reason);
                todo.push(point);
            }
        }
    }
    let bar = bar(todo.len(), how.quiet);
    let crew = (!how.in_process).then(|| Crew::new(store, how.limit, &bar));
    let one = |point: &&Point| {
        let ended = match &crew {
            Some(crew) => crew.run(point)?,
            None => here(sweep, point, store)?,
        };
        counts.add(ended);
        bar.inc(1);
        Ok(())
    };
    let pool = ThreadPoolBuilder::new().num_threads(how.threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| SweepError::Worker { done: "started", error: error.to_string() })?;
    // One at a time: points take very different times.
    pool.install(|| todo.par_iter().with_max_len(1).try_for_each(one))?;
    bar.finish_and_clear();
    summary.done = counts.done.into_inner();
    summary.failed = counts.failed.into_inner();
    summary.timed_out = counts.timed_out.into_inner();
    Ok(summary)
}

/// Runs a point in this process, and keeps what becomes of it.
///
/// # Errors
/// If it cannot be kept.
pub(crate) fn here(sweep: &Sweep, point: &Point, store: &Store) -> Result<Ended, SweepError> {
    let outcome = execute(sweep, point);
    store.write(point, &outcome)?;
    Ok(Ended::of(&outcome))
}

/// It is drawn on terminals only.
fn bar(length: usize, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(length as u64), target);
    let style = ProgressStyle::with_template("{elapsed:>4} [{bar:40}] {pos}/{len} points, eta {eta}");
    style.map(|style| bar.clone().with_style(style.progress_chars("=> "))).unwrap_or(bar)
}
