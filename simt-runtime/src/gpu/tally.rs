//! Launches whose blocks run in turns, with blocks of other launches between.

use super::dispatch::PolicyFacts;
use super::kernel::KernelCall;
use super::{Gpu, launch};
use crate::config::GpuConfig;
use crate::environment::MemoryModel;
use crate::error::LaunchError;
use crate::grid::Grid;
use crate::memory::Prints;
use crate::observe::Statistics;
use crate::plan::Plan;
use crate::policy::Policy;
use crate::report::{Ran, Report};
use std::ops::Range;

/// What the blocks of a launch have counted and printed that have run so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// How many of them there are: the next has this number.
    pub(crate) done: usize,
    /// Whether they are all.
    pub(crate) is_complete: bool,
    statistics: Option<Statistics>,
    guarded_off: Vec<u64>,
    prints: Option<Prints>,
}

impl Tally {
    /// The blocks that run next, at most so many. Where blocks run at a time, or what they do is limited together, all do.
    pub(super) fn next(&self, most: usize, blocks: usize, plan: &Plan, config: &GpuConfig) -> Range<usize> {
        let together = config.clock.is_some()
            || config.memory != MemoryModel::Ideal
            || config.work_limit.is_some()
            || config.time_limit_ms.is_some()
            || plan.meets_as_grid();
        self.done..if together { blocks } else { self.done.saturating_add(most).min(blocks) }
    }

    /// Blocks up to `last` have run.
    pub(super) fn add(
        &mut self,
        last: usize,
        blocks: usize,
        statistics: &Statistics,
        guarded_off: &[u64],
        prints: Prints,
    ) {
        (self.done, self.is_complete) = (last, last == blocks);
        match &mut self.statistics {
            Some(counted) => counted.add(statistics),
            None => self.statistics = Some(statistics.clone()),
        }
        self.guarded_off.resize(guarded_off.len(), 0);
        self.guarded_off.iter_mut().zip(guarded_off).for_each(|(count, more)| *count += more);
        match &mut self.prints {
            Some(printed) => printed.append(prints),
            None => self.prints = Some(prints),
        }
    }

    /// The report of the blocks that have run; with what was printed, if they are all.
    pub(super) fn report(&mut self, ran: Ran, plan: &Plan) -> Report {
        let prints = self.prints.take_if(|_| self.is_complete).map(Prints::into_lines).unwrap_or_default();
        let none = Statistics::new(false, plan);
        Report::new(ran, plan, self.statistics.as_ref().unwrap_or(&none), &self.guarded_off, prints)
    }
}

/// A machine, whatever its policy.
pub(crate) trait AnyGpu {
    /// Its config.
    fn config(&self) -> &GpuConfig;

    /// Runs the next blocks of a launch, at most so many: as [`Gpu::launch`] would run them.
    ///
    /// # Errors
    /// As of [`Gpu::launch`]; what these blocks have written is undone, and what blocks before have written is not.
    fn run(&self, grid: Grid, call: KernelCall<'_>, most: usize, tally: &mut Tally) -> Result<Report, LaunchError>;
}

impl<P: Policy> AnyGpu for Gpu<P> {
    fn config(&self) -> &GpuConfig {
        &self.config
    }

    fn run(&self, grid: Grid, call: KernelCall<'_>, most: usize, tally: &mut Tally) -> Result<Report, LaunchError> {
        let policy = PolicyFacts::of::<P>();
        let all = tally.done == 0 && most == usize::MAX;
        launch::launch_some(
            &self.config,
            &policy,
            grid,
            call,
            Some((most, tally)),
            &mut |machine, memory, statistics, watcher| match watcher {
                Some(watcher) => machine.run_boxed::<P>(memory, &mut (statistics, watcher)),
                None if all => machine.run_in_parts::<P>(self.threads, memory, statistics),
                None => machine.run::<P, _>(memory, &mut (statistics, &mut ())),
            },
        )
    }
}
