//! From the type of a policy to the engine that runs it: one compiled for the policy, or the one for all, which reaches
//! policy and observer through pointers. Both run what is checked with the checks around the policy.
//!
//! A launch in a release build runs the engine of its policy. What is checked, has a clock or runs on the memory environment
//! need not be as fast, and in debug builds, in which tests run, an engine for each policy, observer and crate would take
//! longer to compile than to run.

use super::parts;
use crate::clock::{self, ClockReport, PolicyTraits, Timed};
use crate::config::GpuConfig;
use crate::engine::{ByBlocks, ByWarps, Launch, Stopped, order};
use crate::error::LaunchError;
use crate::memory::Memory;
use crate::observe::{Observer, Statistics, WarpId};
#[cfg(not(debug_assertions))]
use crate::policy::checked::Checks;
use crate::policy::checked::{Check, Checked, CheckedBlock, Guard};
use crate::policy::{
    BlockPolicy, BlockStart, BoxedBlockPolicy, BoxedWarpPolicy, Policy, PolicyConfig, PolicyVisitor, Stops, WarpPolicy,
    WarpSplit, WarpStart,
};
use simt_core::code::Markers;

/// What a launch has to know of its policy before it is dispatched.
pub(super) struct PolicyFacts {
    pub(super) name: &'static str,
    pub(super) markers: Markers,
    pub(super) stops: Stops,
    /// Whether it runs all warps of a block together.
    pub(super) regroups: bool,
    /// Lanes of the pipeline that an issue goes down, if they are not as many as the warp has.
    lanes_per_issue: Option<usize>,
}

impl PolicyFacts {
    pub(super) fn of<P: Policy>() -> Self {
        Self {
            name: P::name(),
            markers: P::markers(),
            stops: P::stops(),
            regroups: P::visit(Regroups),
            lanes_per_issue: P::lanes_per_issue(),
        }
    }
}

/// Whether a policy runs all warps of a block together.
struct Regroups;

impl PolicyVisitor for Regroups {
    type Output = bool;

    fn warp<P: WarpPolicy>(self) -> bool {
        false
    }

    fn block<C: BlockPolicy>(self) -> bool {
        true
    }
}

/// A machine that a launch runs on.
#[derive(Clone, Copy)]
pub(super) struct Machine<'m> {
    launch: &'m Launch<'m>,
    /// How many blocks a core holds, if there is a clock.
    pub(super) residents: usize,
    pub(super) lanes_per_issue: usize,
}

impl<'m> Machine<'m> {
    /// The machine of a launch under a policy.
    ///
    /// # Errors
    /// If a block needs more than a core has.
    pub(super) fn new(launch: &'m Launch<'m>, policy: &PolicyFacts) -> Result<Self, LaunchError> {
        let (config, width) = (launch.config, launch.config.warp_width);
        let residents = match &config.clock {
            Some(clock) => clock::limit(clock, launch.plan, launch.warps(), width)
                .map_err(|error| LaunchError::Config { kernel: launch.plan.code.name.clone(), error })?,
            None => 0,
        };
        let lanes_per_issue = policy.lanes_per_issue.map_or(width, |lanes| lanes.clamp(1, width));
        Ok(Self { launch, residents, lanes_per_issue })
    }

    /// Runs the launch with no observer, on so many threads of the host if it can; with a clock, what that has counted.
    pub(super) fn run_in_parts<P: Policy>(
        &self,
        threads: usize,
        memory: &mut Memory<'_>,
        statistics: &mut Statistics,
    ) -> Result<Option<ClockReport>, Box<Stopped>> {
        let part = |launch: &Launch<'_>, memory: &mut Memory<'_>, statistics: &mut Statistics| {
            P::visit(Run { launch, memory, observer: &mut (statistics, &mut ()) })
        };
        if self.launch.config.clock.is_none() && parts::run(self.launch, memory, statistics, threads, &part) {
            return Ok(None);
        }
        self.run::<P, _>(memory, &mut (statistics, &mut ()))
    }

    /// Runs the launch by the engine for all policies; with a clock, what that has counted.
    pub(super) fn run_boxed<P: Policy>(
        &self,
        memory: &mut Memory<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Option<ClockReport>, Box<Stopped>> {
        let Self { launch, residents, lanes_per_issue } = *self;
        memory.keep();
        match &launch.config.clock {
            Some(clock) => {
                P::visit(RunTimed(Timed { launch, clock, residents, memory, observer, lanes_per_issue })).map(Some)
            }
            None => P::visit(Boxed { launch, memory, observer }).map(|()| None),
        }
    }

    /// Runs the launch; with a clock, what that has counted.
    pub(super) fn run<P: Policy, O: Observer>(
        &self,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Option<ClockReport>, Box<Stopped>> {
        if self.launch.config.clock.is_some() {
            return self.run_boxed::<P>(memory, observer);
        }
        memory.keep();
        P::visit(Run { launch: self.launch, memory, observer }).map(|()| None)
    }
}

/// Runs a launch without a clock.
struct Run<'r, 'l, 'a, O> {
    launch: &'r Launch<'l>,
    memory: &'r mut Memory<'a>,
    observer: &'r mut O,
}

impl<O: Observer> PolicyVisitor for Run<'_, '_, '_, O> {
    type Output = Result<(), Box<Stopped>>;

    fn warp<P: WarpPolicy>(self) -> Self::Output {
        let Self { launch, memory, observer } = self;
        #[cfg(not(debug_assertions))]
        if !is_checked(launch.config) && memory.modelled.is_none() {
            let (config, guard) = (&launch.config.policy_config(), P::CHECKING.guard());
            let start = |warp, split| P::start(of_warp(config, warp, split));
            return if const { P::CHECKING.guard().is_on() } {
                let start = |warp, split| Checked::new(start(warp, split), split, Checks::none(), guard);
                order::run(launch, &ByWarps(start), memory, observer)
            } else {
                order::run(launch, &ByWarps(start), memory, observer)
            };
        }
        Boxed { launch, memory, observer }.warp::<P>()
    }

    fn block<C: BlockPolicy>(self) -> Self::Output {
        let Self { launch, memory, observer } = self;
        #[cfg(not(debug_assertions))]
        if !is_checked(launch.config) {
            let guard = C::CHECKING.guard();
            return if const { C::CHECKING.guard().is_on() } {
                let start = |start: BlockStart<'_>| CheckedBlock::new(C::start(start), start, Checks::none(), guard);
                order::run(launch, &ByBlocks(start), memory, observer)
            } else {
                order::run(launch, &ByBlocks(|start: BlockStart<'_>| C::start(start)), memory, observer)
            };
        }
        Boxed { launch, memory, observer }.block::<C>()
    }
}

/// Runs a launch by the engine for all policies.
pub(super) struct Boxed<'r, 'l, 'a> {
    pub(super) launch: &'r Launch<'l>,
    pub(super) memory: &'r mut Memory<'a>,
    pub(super) observer: &'r mut dyn Observer,
}

impl PolicyVisitor for Boxed<'_, '_, '_> {
    type Output = Result<(), Box<Stopped>>;

    fn warp<P: WarpPolicy>(self) -> Self::Output {
        let (config, starts) = (&self.launch.config.policy_config(), BoxedWarpPolicy::starts::<P>());
        let start = |warp, split| starts(of_warp(config, warp, split));
        self.warps(P::CHECKING.guard(), &start)
    }

    fn block<C: BlockPolicy>(self) -> Self::Output {
        self.threads(C::CHECKING.guard(), &BoxedBlockPolicy::starts::<C>())
    }
}

impl Boxed<'_, '_, '_> {
    fn warps(self, guard: Guard, start: &dyn Fn(WarpId, WarpSplit) -> BoxedWarpPolicy) -> Result<(), Box<Stopped>> {
        let Self { launch, memory, mut observer } = self;
        let checked = |warp, split| Checked::new(start(warp, split), split, launch.config.checks, guard);
        match (compares(launch.config, guard), memory.modelled.is_some()) {
            (true, false) => order::run(launch, &ByWarps(checked), memory, &mut observer),
            (true, true) => order::run_on_multiprocessors(launch, &ByWarps(checked), memory, &mut observer),
            (false, false) => order::run(launch, &ByWarps(start), memory, &mut observer),
            (false, true) => order::run_on_multiprocessors(launch, &ByWarps(start), memory, &mut observer),
        }
    }

    fn threads(self, guard: Guard, start: &dyn Fn(BlockStart<'_>) -> BoxedBlockPolicy) -> Result<(), Box<Stopped>> {
        let Self { launch, memory, mut observer } = self;
        if compares(launch.config, guard) {
            let checked = |begin: BlockStart<'_>| CheckedBlock::new(start(begin), begin, launch.config.checks, guard);
            order::run(launch, &ByBlocks(checked), memory, &mut observer)
        } else {
            order::run(launch, &ByBlocks(start), memory, &mut observer)
        }
    }
}

/// Runs a launch with a clock, by the engine for all policies.
struct RunTimed<'r, 'l, 'a>(Timed<'r, 'l, 'a>);

impl PolicyVisitor for RunTimed<'_, '_, '_> {
    type Output = Result<ClockReport, Box<Stopped>>;

    fn warp<P: WarpPolicy>(self) -> Self::Output {
        let (config, starts) = (&self.0.launch.config.policy_config(), BoxedWarpPolicy::starts::<P>());
        let traits = PolicyTraits { overlaps: P::TIMING.select.is_some(), divides: P::TIMING.divide.is_some() };
        let start = |warp, split| starts(of_warp(config, warp, split));
        self.warps(traits, P::CHECKING.guard(), &start)
    }

    fn block<C: BlockPolicy>(self) -> Self::Output {
        self.threads(C::CHECKING.guard(), &BoxedBlockPolicy::starts::<C>())
    }
}

impl RunTimed<'_, '_, '_> {
    fn warps(
        self,
        traits: PolicyTraits,
        guard: Guard,
        start: &dyn Fn(WarpId, WarpSplit) -> BoxedWarpPolicy,
    ) -> Result<ClockReport, Box<Stopped>> {
        let config = self.0.launch.config;
        if compares(config, guard) {
            let checked = |warp, split| Checked::new(start(warp, split), split, config.checks, guard);
            self.0.run(traits, &ByWarps(checked))
        } else {
            self.0.run(traits, &ByWarps(start))
        }
    }

    fn threads(
        self,
        guard: Guard,
        start: &dyn Fn(BlockStart<'_>) -> BoxedBlockPolicy,
    ) -> Result<ClockReport, Box<Stopped>> {
        let traits = PolicyTraits { overlaps: true, divides: false };
        let config = self.0.launch.config;
        if compares(config, guard) {
            let checked = |begin: BlockStart<'_>| CheckedBlock::new(start(begin), begin, config.checks, guard);
            self.0.run(traits, &ByBlocks(checked))
        } else {
            self.0.run(traits, &ByBlocks(start))
        }
    }
}

/// Which warp begins, for its policy.
fn of_warp(config: &PolicyConfig, warp: WarpId, split: WarpSplit) -> WarpStart<'_> {
    WarpStart { split, block: warp.block, warp: warp.warp, config }
}

/// Whether the policy is to be checked at each step.
fn is_checked(config: &GpuConfig) -> bool {
    !config.checks.without(Check::P).is_empty()
}

/// Whether steps of a policy are compared with where its lanes are.
fn compares(config: &GpuConfig, guard: Guard) -> bool {
    guard.is_on() || is_checked(config)
}
