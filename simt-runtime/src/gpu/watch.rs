//! What observes every launch of the process, if something does.
//!
//! PERF: without, it costs a launch one load, and an issue nothing.

use crate::config::GpuConfig;
use crate::error::LaunchError;
use crate::grid::Grid;
use crate::observe::Observer;
use crate::report::Report;
use std::sync::OnceLock;

static WATCH: OnceLock<Watch> = OnceLock::new();

/// Returns what watches a launch that begins; none, and it runs as if nothing watched any.
pub type Watch = fn(LaunchBegun<'_>) -> Option<Box<dyn LaunchWatcher>>;

/// A launch that begins.
#[derive(Clone, Copy, Debug)]
pub struct LaunchBegun<'l> {
    /// Name of the kernel.
    pub kernel: &'l str,
    /// Name of the policy.
    pub policy: &'static str,
    /// The machine.
    pub config: &'l GpuConfig,
    /// The threads.
    pub grid: Grid,
}

/// Watches one launch, whatever it is launched with, and is told what became of it.
pub trait LaunchWatcher {
    /// What observes it, besides the caller's own observer.
    fn observer(&mut self) -> &mut dyn Observer;

    /// The launch has ended. If its policy or an observer panics, it never does.
    fn ended(self: Box<Self>, outcome: Result<&Report, &LaunchError>);
}

/// Has every launch of the process watched from now on; whether nothing had done so before, else nothing changes.
///
/// A launch that is watched runs by the engine for all policies, as [`Gpu::launch_watched`](crate::Gpu::launch_watched) does,
/// and its blocks in order. What an error makes known by running the launch again is not watched. Of a grid of a
/// [device](crate::device) whose blocks run in turns the watcher is told the outcome only.
pub fn watch_launches(watch: Watch) -> bool {
    WATCH.set(watch).is_ok()
}

/// What watches launches, if something does.
pub(super) fn watch() -> Option<Watch> {
    WATCH.get().copied()
}
