//! The machine that users launch kernels on.

use crate::budget::Budget;
use crate::checks::{self, Checks};
#[cfg(not(debug_assertions))]
use crate::checks::{Checked, CheckedCore};
use crate::clock::{self, Timed};
use crate::config::GpuConfig;
use crate::environment::MemoryModel;
use crate::erased::Erased;
use crate::error::LaunchError;
use crate::grid::Grid;
use crate::kernel::KernelCall;
use crate::lanes::Runs;
use crate::launch::Launch;
use crate::livelock;
use crate::memory::{Memory, Reserved};
use crate::observe::Observer;
#[cfg(not(debug_assertions))]
use crate::observe::WarpId;
use crate::policy::{CorePolicy, Policy, PolicyVisitor, ReconvergencePolicy};
#[cfg(not(debug_assertions))]
use crate::policy::{CoreStart, WarpStart};
use crate::races::{RaceCheck, Races};
use crate::refuse::{check_arguments, check_arrays, refused};
use crate::report::{Ran, Report, Statistics};
use simt_core::code::LowerOptions;
use std::borrow::Cow;
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
    policy: PhantomData<fn() -> P>,
}

// By hand: a policy need not be what its machine is.
impl<P> Clone for Gpu<P> {
    fn clone(&self) -> Self {
        Self::new(self.config.clone())
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
        Self { config, policy: PhantomData }
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

    /// The same machine that checks these invariants while it runs.
    #[must_use]
    pub fn with_checks(mut self, checks: Checks) -> Self {
        self.config.checks = checks;
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
        self.launch_observed(grid, call, &mut ())
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
        let name = || call.kernel.name();
        self.config.validate().map_err(|error| LaunchError::Config { kernel: name(), error })?;
        let (blocks, threads) = grid.validate().map_err(|error| LaunchError::Grid { kernel: name(), error })?;
        let options = LowerOptions { markers: P::markers(), if_conversion: self.config.if_conversion };
        let runs = match (&self.config.memory, &self.config.clock) {
            (MemoryModel::Environment(_), _) => Runs::Modelled,
            (MemoryModel::Ideal, Some(_)) => Runs::OfOne,
            (MemoryModel::Ideal, None) => P::stops().into(),
        };
        let plan = call.kernel.plan(options, runs, self.config.race_check != RaceCheck::Off)?;
        check_arguments(&plan.code, &call.arguments)?;
        check_arrays(&plan.code, &self.config)?;
        checks::addresses(&plan.code, self.config.checks, P::name())?;

        let mut config = Cow::Borrowed(&self.config);
        if let MemoryModel::Environment(environment) = &self.config.memory {
            // There nothing proves that a warp spins without end.
            config.to_mut().step_limit = self.config.step_limit.min(environment.step_limit);
        }
        let budget = Budget::new(&config);
        let launch = Launch { plan, grid, blocks, threads, config: &config, policy: P::name(), budget };
        let together = plan.is_cooperative() || P::visit(Regroups) || self.config.memory != MemoryModel::Ideal;
        let warps = if together { launch.warps() } else { 1 };
        let _reserved = Reserved::wait(name(), &call.arguments).map_err(|error| refused(&plan.code, error))?;
        let mut memory = Memory::new(call.arguments, &plan.code.arrays, self.config.warp_width, warps)
            .map_err(|error| refused(&plan.code, error))?;
        memory.races = Races::new(self.config.race_check, self.config.warp_width, threads);
        if let MemoryModel::Environment(environment) = &self.config.memory {
            memory = memory.through(environment, warps);
        }
        let mut statistics = Statistics::new(self.config.statistics);
        let warp_width = self.config.warp_width;
        let lanes_per_issue = P::lanes_per_issue().map_or(warp_width, |lanes| lanes.clamp(1, warp_width));
        let observer = &mut (&mut statistics, observer);
        let result = match &self.config.clock {
            Some(clock) => {
                let residents = clock::limit(clock, plan, launch.warps(), warp_width)
                    .map_err(|error| LaunchError::Config { kernel: name(), error })?;
                let (launch, memory) = (&launch, &mut memory);
                P::visit(Timed { launch, clock, residents, memory, observer, lanes_per_issue }).map(Some)
            }
            None => P::visit(Run { launch: &launch, memory: &mut memory, observer }).map(|()| None),
        };
        let stuck = memory.stuck().cloned();
        let finished = stuck.map_or(Ok(()), Err).and_then(|()| if result.is_ok() { memory.finish() } else { Ok(()) });
        let result = finished.map_err(|stuck| LaunchError::Memory { kernel: name(), stuck }).and(result);
        match result {
            Ok(timed) => {
                let prints = memory.commit();
                let ran = Ran { policy: P::name(), warp_width, lanes_per_issue };
                Ok(Report::new(ran, plan, &statistics, prints).timed(timed))
            }
            Err(mut error) => {
                error.printed(&memory.prints, threads);
                if let LaunchError::Livelock(livelock) = &mut error {
                    livelock.ends_under = livelock::ends_under(call.kernel, &launch, &mut memory);
                }
                Err(error)
            }
        }
    }
}

/// Whether a policy runs all warps of a block together.
struct Regroups;

impl PolicyVisitor for Regroups {
    type Output = bool;

    fn warp<P: ReconvergencePolicy>(self) -> bool {
        false
    }

    fn core<C: CorePolicy>(self) -> bool {
        true
    }
}

/// Runs a launch by the engine that was compiled for the policy, or by the one for all.
struct Run<'r, 'l, 'a, O> {
    launch: &'r Launch<'l>,
    memory: &'r mut Memory<'a>,
    observer: &'r mut O,
}

impl<O: Observer> PolicyVisitor for Run<'_, '_, '_, O> {
    type Output = Result<(), LaunchError>;

    fn warp<P: ReconvergencePolicy>(self) -> Self::Output {
        let Self { launch, memory, observer } = self;
        #[cfg(not(debug_assertions))]
        if !launch.is_checked() && memory.modelled.is_none() {
            let start = |warp: WarpId, split| {
                P::start_on(split, WarpStart { block: warp.block, warp: warp.warp, config: launch.config })
            };
            return if const { P::GUARD.is_on() } {
                let start = |warp, split| Checked::new(start(warp, split), split, Checks::none(), P::GUARD);
                launch.run_warps(&start, memory, observer)
            } else {
                launch.run_warps(&start, memory, observer)
            };
        }
        Erased { launch, memory, observer }.warp::<P>()
    }

    fn core<C: CorePolicy>(self) -> Self::Output {
        let Self { launch, memory, observer } = self;
        #[cfg(not(debug_assertions))]
        if !launch.is_checked() {
            return if const { C::GUARD.is_on() } {
                let start = |start: CoreStart<'_>| CheckedCore::new(C::start(start), start, C::GUARD);
                launch.run_regrouped(&start, memory, observer)
            } else {
                launch.run_regrouped(&|start| C::start(start), memory, observer)
            };
        }
        Erased { launch, memory, observer }.core::<C>()
    }
}
