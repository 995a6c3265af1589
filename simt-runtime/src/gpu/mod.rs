//! The machine that users launch kernels on.

mod addresses;
pub(crate) mod diagnose;
mod dispatch;
mod instance;
mod kernel;
mod launch;
mod parts;
mod pool;
mod tally;
mod validate;
mod watch;

pub use diagnose::{ScheduleLint, schedule_lints};
pub use instance::instance;
pub use kernel::{Kernel, KernelCall, call};
pub(crate) use tally::{AnyGpu, Tally};
pub use watch::{LaunchBegun, LaunchWatcher, Watch, watch_launches};

use crate::config::{GpuConfig, RaceCheck};
use crate::environment::MemoryModel;
use crate::error::LaunchError;
use crate::grid::Grid;
use crate::observe::Observer;
use crate::policy::Policy;
use crate::policy::checked::Checks;
use crate::report::Report;
use dispatch::PolicyFacts;
use simt_core::ops::Overflow;
use std::fmt;
use std::marker::PhantomData;

/// A simulated GPU whose warps reconverge by policy `P`.
///
/// A `Gpu` holds no state between launches: the same launch gives the same results and the same report every time.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn double(x: &mut [u32]) {
///     let i = global_id();
///     if i < x.len() {
///         x[i] *= 2;
///     }
/// }
///
/// let mut x = [1, 2, 3];
/// let gpu = Gpu::<Ipdom>::default().with_warp_width(8);
/// let report = gpu.launch(Grid::covering(x.len(), 64), double(&mut x))?;
/// assert_eq!(x, [2, 4, 6]);
/// assert_eq!(report.warp_width(), 8);
/// # Ok::<(), LaunchError>(())
/// ```
pub struct Gpu<P> {
    config: GpuConfig,
    /// The most threads of the host, on which nothing that a launch gives depends.
    threads: usize,
    policy: PhantomData<fn() -> P>,
}

// By hand: a policy need not be what its machine is.
impl<P> Clone for Gpu<P> {
    fn clone(&self) -> Self {
        Self::new(self.config.clone()).with_threads(self.threads)
    }
}

impl<P> fmt::Debug for Gpu<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("config", &self.config).finish_non_exhaustive()
    }
}

impl<P> PartialEq for Gpu<P> {
    fn eq(&self, other: &Self) -> bool {
        self.config == other.config
    }
}

impl<P> Eq for Gpu<P> {}

impl<P> Default for Gpu<P> {
    /// The functional machine: [`GpuConfig::functional`].
    fn default() -> Self {
        Self::new(GpuConfig::functional())
    }
}

impl<P> Gpu<P> {
    /// A machine; its config is checked at launch.
    pub fn new(config: GpuConfig) -> Self {
        Self { config, threads: usize::MAX, policy: PhantomData }
    }

    /// The machine's config.
    pub fn config(&self) -> &GpuConfig {
        &self.config
    }

    /// The same machine with warps of another width: 4, 8, 16, 32 or 64 lanes.
    #[must_use]
    pub fn with_warp_width(mut self, lanes: usize) -> Self {
        self.config.warp_width = lanes;
        self
    }

    /// The same machine with another limit on the instructions, markers included, that one warp may issue.
    #[must_use]
    pub fn with_step_limit(mut self, limit: u64) -> Self {
        self.config.step_limit = limit;
        self
    }

    /// The same machine with another limit on what a block may do without progress: see [`GpuConfig::progress_limit`].
    #[must_use]
    pub fn with_progress_limit(mut self, work: u64) -> Self {
        self.config.progress_limit = work;
        self
    }

    /// The same machine with a limit on what all blocks of a launch may do together: see [`GpuConfig::work_limit`].
    #[must_use]
    pub fn with_work_limit(mut self, work: u64) -> Self {
        self.config.work_limit = Some(work);
        self
    }

    /// The same machine with a limit on the time of the host that a launch may take: see [`GpuConfig::time_limit_ms`].
    #[must_use]
    pub fn with_time_limit_ms(mut self, milliseconds: u64) -> Self {
        self.config.time_limit_ms = Some(milliseconds);
        self
    }

    /// The same machine with another limit on what other policies may do to show that they end a launch that this one does
    /// not: see [`GpuConfig::ends_under_limit`].
    #[must_use]
    pub fn with_ends_under_limit(mut self, work: u64) -> Self {
        self.config.ends_under_limit = work;
        self
    }

    /// The same machine with another limit on how deep calls of functions may nest.
    #[must_use]
    pub fn with_call_depth(mut self, calls: usize) -> Self {
        self.config.call_depth = calls;
        self
    }

    /// The same machine with or without if-conversion: see [`GpuConfig::if_conversion`].
    #[must_use]
    pub fn with_if_conversion(mut self, if_conversion: bool) -> Self {
        self.config.if_conversion = if_conversion;
        self
    }

    /// The same machine with or without counting. Without, the report's figures are all zero.
    #[must_use]
    pub fn with_statistics(mut self, statistics: bool) -> Self {
        self.config.statistics = statistics;
        self
    }

    /// The same machine whose policies draw other numbers, as far as they choose at random.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.config.seed = seed;
        self
    }

    /// The same machine with another memory: see [`MemoryModel`].
    #[must_use]
    pub fn with_memory(mut self, memory: MemoryModel) -> Self {
        self.config.memory = memory;
        self
    }

    /// The same machine on which arithmetic that overflows does this: see [`Overflow`].
    ///
    /// ```
    /// use simt::Overflow;
    /// use simt::prelude::*;
    ///
    /// #[kernel]
    /// fn increment(x: &mut [u8]) {
    ///     x[global_id()] += 1;
    /// }
    ///
    /// let mut x = [7, 255];
    /// Gpu::<Ipdom>::default().launch(Grid::new(1, 2), increment(&mut x))?;
    /// assert_eq!(x, [8, 0]);
    ///
    /// let gpu = Gpu::<Ipdom>::default().with_overflow(Overflow::Fault);
    /// let mut x = [7, 255];
    /// let error = gpu.launch(Grid::new(1, 2), increment(&mut x)).unwrap_err();
    /// assert!(error.to_string().starts_with("error[simt::overflow]: attempt to add with overflow: `255 + 1` of `u8`"));
    /// assert_eq!(x, [7, 255]);
    /// # Ok::<(), LaunchError>(())
    /// ```
    #[must_use]
    pub fn with_overflow(mut self, overflow: Overflow) -> Self {
        self.config.overflow = overflow;
        self
    }

    /// The same machine that checks these invariants while it runs.
    #[must_use]
    pub fn with_checks(mut self, checks: Checks) -> Self {
        self.config.checks = checks;
        self
    }

    /// The same machine, whose launches run on at most so many threads of the host, the caller's included. By default they run
    /// on all processors that no other launch of the process keeps busy. Nothing that a launch gives depends on it.
    ///
    /// A launch of at least 2^12 threads is cut into up to 64 parts of neighbouring blocks, on every machine. Each part sees
    /// the slices as they were before the launch, and what its own blocks have written; of elements that several parts write,
    /// the last part's value stays, and what parts add up by atomics is added up. Unless the kernel has a race between blocks,
    /// that is what blocks do that run one after the other. A launch that fails runs again in that order, for its error.
    ///
    /// Each thread of the host copies the slices of which elements are read that other parts may write; of other slices it takes
    /// memory for what it writes. On one thread, a launch in which nothing depends on what other blocks write runs in order.
    ///
    /// In that order launches run that have a clock, the memory environment, the race check, a limit of work or of time or an
    /// observer, and kernels whose blocks may talk: by atomics whose result is used, or that add floats or write, by volatile
    /// accesses, fences or `sync_grid()`.
    ///
    /// Without the feature `parallel`, which is on by default, all run on the caller's thread.
    ///
    /// ```
    /// use simt::prelude::*;
    ///
    /// #[kernel]
    /// fn collatz(steps: &mut [u32]) {
    ///     let i = global_id();
    ///     let mut n = i as u32 + 1;
    ///     while n != 1 {
    ///         n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
    ///         steps[i] += 1;
    ///     }
    /// }
    ///
    /// let (mut all, mut one) = (vec![0; 1 << 13], vec![0; 1 << 13]);
    /// let gpu = Gpu::<Ipdom>::default();
    /// let report = gpu.launch(Grid::covering(1 << 13, 128), collatz(&mut all))?;
    /// let alone = gpu.with_threads(1).launch(Grid::covering(1 << 13, 128), collatz(&mut one))?;
    /// assert_eq!((all, report.to_string()), (one, alone.to_string()));
    /// # Ok::<(), LaunchError>(())
    /// ```
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// The same machine that looks for races: see [`RaceCheck`].
    #[must_use]
    pub fn with_race_check(mut self, race_check: RaceCheck) -> Self {
        self.config.race_check = race_check;
        self
    }
}

impl<P: Policy> Gpu<P> {
    /// Runs a kernel on every thread of the grid.
    ///
    /// A launch waits for those of other threads of the host that have atomics in common with it: see
    /// [`Argument::atomic`](crate::Argument::atomic).
    ///
    /// # Errors
    /// If the grid, the config or an argument is out of range, a thread faults, threads wait for each other without end, or
    /// the launch does more than the limits of the config allow. The slices in the call are then as they were before the
    /// launch; so they are if an observer or a policy panics.
    pub fn launch(&self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError> {
        let policy = PolicyFacts::of::<P>();
        launch::launch(&self.config, &policy, grid, call, &mut |machine, memory, statistics, watcher| match watcher {
            None => machine.run_in_parts::<P>(self.threads, memory, statistics),
            Some(watcher) => machine.run_boxed::<P>(memory, &mut (statistics, watcher)),
        })
    }

    /// Runs a kernel as [`Gpu::launch`] does, with an observer that sees every issue.
    ///
    /// # Errors
    /// As [`Gpu::launch`].
    pub fn launch_observed<O: Observer>(
        &self,
        grid: Grid,
        call: KernelCall<'_>,
        observer: &mut O,
    ) -> Result<Report, LaunchError> {
        let policy = PolicyFacts::of::<P>();
        launch::launch(&self.config, &policy, grid, call, &mut |machine, memory, statistics, watcher| match watcher {
            None => machine.run::<P, _>(memory, &mut (statistics, &mut *observer)),
            Some(watcher) => {
                machine.run_boxed::<P>(memory, &mut (statistics, (&mut *observer as &mut dyn Observer, watcher)))
            }
        })
    }

    /// Runs a kernel as [`Gpu::launch_observed`] does, by an engine that is there already: nothing is compiled for the policy
    /// and the observer. In optimised builds it takes up to a half longer, besides what the observer does (three kernels
    /// under eight policies, Intel Xeon, 2026-11-29).
    ///
    /// # Errors
    /// As [`Gpu::launch`].
    pub fn launch_watched(
        &self,
        grid: Grid,
        call: KernelCall<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, LaunchError> {
        let policy = PolicyFacts::of::<P>();
        launch::launch(&self.config, &policy, grid, call, &mut |machine, memory, statistics, watcher| match watcher {
            None => machine.run_boxed::<P>(memory, &mut (statistics, &mut *observer)),
            Some(watcher) => machine.run_boxed::<P>(memory, &mut (statistics, (&mut *observer, watcher))),
        })
    }
}
