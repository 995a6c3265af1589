//! A launch from its call to its report, whatever the policy.
//!
//! PERF: nothing here depends on the policy's type, so that it is compiled once.

use super::diagnose;
use super::dispatch::{Machine, PolicyFacts};
use super::kernel::{Kernel, KernelCall};
use super::tally::Tally;
use super::validate::{self, refused};
use super::watch::{self, LaunchBegun};
use crate::clock::ClockReport;
use crate::config::{GpuConfig, RaceCheck};
use crate::engine::{Budget, Launch, Stopped};
use crate::environment::MemoryModel;
use crate::error::LaunchError;
use crate::grid::Grid;
use crate::memory::races::Races;
use crate::memory::{Argument, DeviceMemory, Memory, Reserved};
use crate::observe::{Observer, Statistics};
use crate::plan::{Plan, Runs};
use crate::report::{Ran, Report};
use simt_core::lower::LowerOptions;
use std::cell::Cell;

/// Dispatches a launch to the engine of its policy, with what watches every launch, if something does. Returns what a clock has
/// counted, if there is one.
pub(super) type Dispatch<'d> = dyn FnMut(
        &Machine<'_>,
        &mut Memory<'_>,
        &mut Statistics,
        Option<&mut dyn Observer>,
    ) -> Result<Option<ClockReport>, Box<Stopped>>
    + 'd;

/// Validates, plans, binds memory, dispatches, and commits or diagnoses.
pub(super) fn launch(
    config: &GpuConfig,
    policy: &PolicyFacts,
    grid: Grid,
    call: KernelCall<'_>,
    dispatch: &mut Dispatch<'_>,
) -> Result<Report, LaunchError> {
    launch_some(config, policy, grid, call, None, dispatch)
}

/// The same, of the next blocks only if it is said how many, and what others have counted before. The report is of all of them.
pub(super) fn launch_some(
    config: &GpuConfig,
    policy: &PolicyFacts,
    grid: Grid,
    call: KernelCall<'_>,
    some: Option<(usize, &mut Tally)>,
    dispatch: &mut Dispatch<'_>,
) -> Result<Report, LaunchError> {
    let Some(watch) = watch::watch() else { return run(config, policy, grid, call, some, None, dispatch) };
    let kernel = call.kernel.name();
    let begun = LaunchBegun { kernel: &kernel, policy: policy.name, config, grid };
    // An observer is told once that a launch begins, not at each turn of its blocks.
    let in_turns = some.as_ref().is_some_and(|(most, tally)| tally.done > 0 || *most < usize::MAX);
    let mut watcher = if in_turns { None } else { watch(begun) };
    let observer = watcher.as_mut().map(|watcher| watcher.observer());
    let (outcome, is_complete) = match some {
        None => (run(config, policy, grid, call, None, observer, dispatch), true),
        Some((most, tally)) => {
            (run(config, policy, grid, call, Some((most, &mut *tally)), observer, dispatch), tally.is_complete)
        }
    };
    if in_turns && (is_complete || outcome.is_err()) {
        watcher = watch(begun);
    }
    if let Some(watcher) = watcher {
        watcher.ended(outcome.as_ref());
    }
    outcome
}

/// The same, with what watches it.
fn run(
    config: &GpuConfig,
    policy: &PolicyFacts,
    grid: Grid,
    mut call: KernelCall<'_>,
    some: Option<(usize, &mut Tally)>,
    observer: Option<&mut dyn Observer>,
    dispatch: &mut Dispatch<'_>,
) -> Result<Report, LaunchError> {
    let kernel = call.kernel.with_overflow(config.overflow);
    let (blocks, threads) = validate::launch(config, grid, kernel)?;
    let config = &*validate::effective(config);
    let plan = &*plan(config, policy, kernel)?.with_shared_memory(grid.shared_memory());
    call.arguments.extend(plan.code.params.iter().filter_map(Argument::table));
    validate::call(plan, &call.arguments, threads, config, policy.name)?;
    let part = some.as_ref().map_or(0..blocks, |(most, tally)| tally.next(*most, blocks, plan, config));
    let (last, budget) = (part.end, Budget::new(config));
    let spare = Cell::default();
    let launch = Launch { plan, grid, blocks, part, threads, config, policy: policy.name, budget, spare };
    let machine = Machine::new(&launch, policy)?;
    validate::together(&launch, machine.residents)?;

    let _reserved = Reserved::wait(kernel.name(), &call.arguments).map_err(|error| refused(&plan.code, error))?;
    let mut memory = bind(&launch, call.arguments, call.memory, policy.regroups)?;

    let mut statistics = Statistics::new(config.statistics, plan);
    let ran = dispatch(&machine, &mut memory, &mut statistics, observer);

    match (memory.finish(ran.is_ok()), ran) {
        (Ok(()), Ok(clock)) => {
            let (warp_width, lanes_per_issue) = (config.warp_width, machine.lanes_per_issue);
            let ran = Ran { policy: policy.name, warp_width, lanes_per_issue };
            let guarded_off = std::mem::take(&mut memory.guarded_off);
            let Some((_, tally)) = some else {
                return Ok(Report::new(ran, plan, &statistics, &guarded_off, memory.commit()).timed(clock));
            };
            tally.add(last, blocks, &statistics, &guarded_off, std::mem::take(&mut memory.prints));
            memory.commit();
            Ok(tally.report(ran, plan).timed(clock))
        }
        (Ok(()), Err(stopped)) => Err(diagnose::diagnose(*stopped, kernel, &launch, &mut memory)),
        (Err(stuck), _) => Err(diagnose::stuck(stuck, &launch, &memory)),
    }
}

/// The kernel's code, planned for a machine with this policy.
fn plan<'k>(config: &GpuConfig, policy: &PolicyFacts, kernel: &'k Kernel) -> Result<&'k Plan, LaunchError> {
    let options = LowerOptions { markers: policy.markers, if_conversion: config.if_conversion };
    let runs = match (&config.memory, &config.clock) {
        (MemoryModel::Environment(_), _) => Runs::Modelled,
        (MemoryModel::Ideal, Some(_)) => Runs::OfOne,
        (MemoryModel::Ideal, None) => policy.stops.into(),
    };
    kernel.plan(options, runs, config.race_check != RaceCheck::Off)
}

/// The memory of a launch, with its arguments.
fn bind<'a>(
    launch: &Launch<'_>,
    arguments: Vec<Argument<'a>>,
    device: Option<&'a mut DeviceMemory>,
    regroups: bool,
) -> Result<Memory<'a>, LaunchError> {
    let Launch { plan, config, threads, .. } = *launch;
    let together = plan.is_cooperative() || regroups || config.memory != MemoryModel::Ideal;
    let warps = if together { launch.warps() } else { 1 };
    let mut memory = Memory::new(arguments, &plan.code.arrays, config.warp_width, warps)
        .map_err(|error| refused(&plan.code, error))?;
    memory.guarded_off = vec![0; plan.guards.len()];
    if plan.code.uses_addresses() {
        memory = memory
            .with_spaces(device, &plan.code, config.warp_width, warps)
            .map_err(|error| LaunchError::Device { kernel: plan.code.name.clone(), error })?;
    }
    memory.races = Races::new(config.race_check, config.warp_width, threads);
    Ok(match &config.memory {
        MemoryModel::Environment(environment) => memory.through(environment, warps),
        MemoryModel::Ideal => memory,
    })
}
