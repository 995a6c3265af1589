//! A launch: grid to blocks to warps.
//!
//! Blocks run one after the other in the order of their numbers. The warps of a block run one after the other, too, unless
//! the kernel has barriers or atomics, with which they can wait for each other: then they take turns, in the order of their
//! numbers, of so many instructions each. The order is the same every time.

use crate::block::{Barriers, ResidentWarp, TURN, threads_of};
use crate::checks::{self, Check, Checked, CheckedCore, Checks};
use crate::config::GpuConfig;
use crate::error::{ArgumentError, ArgumentProblem, LaunchError, ProgramError};
use crate::flow::{self, CallLimits, State, Turn, Warp};
use crate::grid::Grid;
use crate::kernel::KernelCall;
use crate::lanes::{Plan, Registers};
use crate::livelock::{self, CyclingWarp};
use crate::memory::{self, Argument, Exceeding, Memory};
use crate::observe::{Observer, WarpId};
use crate::policy::{CorePolicy, Policy, PolicyVisitor, ReconvergencePolicy};
use crate::repeat::{BUDGET, Watch};
use crate::report::{Report, Statistics};
use crate::setup::Setup;
use simt_core::code::{Code, LowerOptions};
use simt_core::program::ArraySpace;
use std::iter;
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gpu<P> {
    config: GpuConfig,
    policy: PhantomData<P>,
}

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

    /// The same machine that checks these invariants while it runs.
    #[must_use]
    pub fn with_checks(mut self, checks: Checks) -> Self {
        self.config.checks = checks;
        self
    }
}

impl<P: Policy> Gpu<P> {
    /// Runs a kernel on every thread of the grid.
    ///
    /// # Errors
    /// If the grid, the config or an argument is out of range, a thread faults, threads wait for each other without end, or
    /// a warp issues more instructions than the step limit. The slices in the call are then as they were before the launch.
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
        let plan = call.kernel.plan(options)?;
        check_arguments(&plan.code, &call.arguments)?;
        check_arrays(&plan.code, &self.config)?;
        checks::addresses(&plan.code, self.config.checks, P::name())?;

        let launch = Launch { plan, grid, blocks, threads, config: &self.config };
        let warps = if plan.is_cooperative() || P::visit(Regroups) { launch.warps() } else { 1 };
        let mut memory = Memory::new(call.arguments, &plan.code.arrays, self.config.warp_width, warps);
        let mut statistics = Statistics::default();
        let result = if self.config.statistics {
            launch.run::<P, _>(&mut memory, &mut (&mut statistics, observer))
        } else {
            launch.run::<P, _>(&mut memory, observer)
        };
        match result {
            Ok(()) => {
                let prints = memory.commit();
                Ok(Report::new(P::name(), self.config.warp_width, plan, &statistics, prints))
            }
            Err(mut error) => {
                error.printed(&memory.prints, threads);
                if let LaunchError::Livelock(livelock) = &mut error {
                    livelock.ends_under = livelock::ends_under(call.kernel, &launch, &mut memory);
                }
                memory.roll_back();
                Err(error)
            }
        }
    }
}

/// What all warps of a launch share.
pub(crate) struct Launch<'l> {
    pub(crate) plan: &'l Plan,
    pub(crate) grid: Grid,
    pub(crate) blocks: usize,
    pub(crate) threads: usize,
    pub(crate) config: &'l GpuConfig,
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

/// Runs a launch by the engine for the policy's kind, with the checks that the config asks for.
struct Run<'r, 'l, 'a, O> {
    launch: &'r Launch<'l>,
    memory: &'r mut Memory<'a>,
    observer: &'r mut O,
}

impl<O: Observer> PolicyVisitor for Run<'_, '_, '_, O> {
    type Output = Result<(), LaunchError>;

    fn warp<P: ReconvergencePolicy>(self) -> Self::Output {
        if self.launch.config.checks.without(Check::P).is_empty() {
            self.launch.run_warps::<P, O>(self.memory, self.observer)
        } else {
            self.launch.run_warps::<Checked<P>, O>(self.memory, self.observer)
        }
    }

    fn core<C: CorePolicy>(self) -> Self::Output {
        if self.launch.config.checks.without(Check::P).is_empty() {
            self.launch.run_regrouped::<C, O>(self.memory, self.observer)
        } else {
            self.launch.run_regrouped::<CheckedCore<C>, O>(self.memory, self.observer)
        }
    }
}

impl Launch<'_> {
    /// Warps of a block.
    pub(crate) fn warps(&self) -> usize {
        self.threads.div_ceil(self.config.warp_width)
    }

    pub(crate) fn run<P: Policy, O: Observer>(
        &self,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        P::visit(Run { launch: self, memory, observer })
    }

    /// Registers that hold what all threads of the launch share.
    pub(crate) fn registers(&self, setup: &Setup<'_>, memory: &Memory<'_>) -> Registers {
        let Plan { words, wides, predicates, .. } = *self.plan;
        let mut registers = Registers::new(self.config.warp_width, words, wides, predicates);
        setup.launch(memory, &mut registers);
        registers
    }

    fn run_warps<P: ReconvergencePolicy, O: Observer>(
        &self,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        let plan = self.plan;
        let setup = Setup::new(plan, self.grid, self.config.warp_width);
        let cooperative = plan.is_cooperative();
        let warps = if cooperative { self.warps() } else { 1 };
        let mut rows: Vec<Registers> = (0..warps).map(|_| self.registers(&setup, memory)).collect();
        observer.launched(&plan.code);
        for block in 0..self.blocks {
            memory.begin_block(block);
            if cooperative {
                rows = self.block_in_turns::<P, O>(block, &setup, rows, memory, observer)?;
            } else if let Some(registers) = rows.first_mut() {
                self.block_in_order::<P, O>(block, &setup, registers, memory, observer)?;
            }
        }
        Ok(())
    }

    /// One warp after the other: none can wait for another.
    fn block_in_order<P: ReconvergencePolicy, O: Observer>(
        &self,
        block: usize,
        setup: &Setup<'_>,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        let width = self.config.warp_width;
        setup.block(block, registers);
        for warp in 0..self.warps() {
            setup.warp(block, warp, registers);
            memory.prints.select_warp(warp);
            observer.warp(WarpId { block, warp });
            let mut state = State::<P>::new(threads_of(warp, self.threads, width), self.config.checks);
            let mut watch = None;
            loop {
                let turn = if watch.is_none() { BUDGET } else { TURN };
                match flow::run::<P, O>(self.warp(registers, memory, turn), &mut state, observer) {
                    Ok(Turn::Paused) => {
                        let watch = watch.get_or_insert_with(Watch::new);
                        if let Some(rounds) = watch.round(iter::once((&state, &*registers)), None, memory) {
                            let mut warps = [CyclingWarp { number: warp, registers, state: &mut state }];
                            return Err(self.livelock(block, rounds, &mut warps, memory, observer));
                        }
                    }
                    Ok(Turn::Ended | Turn::Arrived(_)) => {
                        observer.ended(&state.figures());
                        break;
                    }
                    Err(stop) => {
                        return Err(self.error(stop, WarpId { block, warp }, &state, registers, memory));
                    }
                }
            }
        }
        Ok(())
    }

    /// All warps of the block, in turns. Gives the registers back.
    fn block_in_turns<P: ReconvergencePolicy, O: Observer>(
        &self,
        block: usize,
        setup: &Setup<'_>,
        rows: Vec<Registers>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Vec<Registers>, LaunchError> {
        let width = self.config.warp_width;
        let mut barriers = Barriers::new(width);
        let (mut watch, mut rounds) = (Watch::new(), 0);
        let mut warps: Vec<ResidentWarp<P>> = Vec::with_capacity(rows.len());
        for (warp, mut registers) in rows.into_iter().enumerate() {
            setup.block(block, &mut registers);
            setup.warp(block, warp, &mut registers);
            warps.push(ResidentWarp {
                registers,
                state: State::new(threads_of(warp, self.threads, width), self.config.checks),
            });
        }
        loop {
            let mut ran = false;
            for number in 0..warps.len() {
                let ResidentWarp { registers, state } = &mut warps[number];
                if state.live.is_empty() || state.waits_at().is_some() {
                    continue;
                }
                ran = true;
                let place = WarpId { block, warp: number };
                memory.select_warp(number);
                observer.warp(place);
                match flow::run::<P, O>(self.warp(registers, memory, TURN), state, observer) {
                    Ok(Turn::Arrived(arrival)) => {
                        if let Err(problem) = barriers.arrive(self.plan, number, arrival) {
                            return Err(self.misused_barrier(problem, place, arrival, state));
                        }
                    }
                    Ok(Turn::Ended | Turn::Paused) => {}
                    Err(stop) => return Err(self.error(stop, place, state, registers, memory)),
                }
                ran |= barriers.open(self.plan, &mut warps, |_, state| state.open_barrier());
            }
            if warps.iter().all(|warp| warp.state.live.is_empty()) {
                warps.iter().for_each(|warp| observer.ended(&warp.state.figures()));
                return Ok(warps.into_iter().map(|warp| warp.registers).collect());
            }
            if !ran {
                return Err(self.deadlocked_block(block, &mut warps, &barriers));
            }
            rounds += 1;
            if rounds >= BUDGET / TURN {
                let paused = warps.iter().map(|warp| (&warp.state, &warp.registers));
                if let Some(rounds) = watch.round(paused, Some(&barriers), memory) {
                    let mut warps: Vec<_> = warps.iter_mut().enumerate().map(CyclingWarp::of).collect();
                    return Err(self.livelock(block, rounds, &mut warps, memory, observer));
                }
            }
        }
    }

    pub(crate) fn warp<'w, 'a>(
        &'w self,
        registers: &'w mut Registers,
        memory: &'w mut Memory<'a>,
        turn: u64,
    ) -> Warp<'w, 'a> {
        let GpuConfig { step_limit, call_depth, local_memory, .. } = *self.config;
        let calls = CallLimits { depth: call_depth, memory: local_memory };
        Warp { plan: self.plan, registers, memory, step_limit, turn, calls }
    }
}

fn check_arguments(program: &Code, arguments: &[Argument<'_>]) -> Result<(), LaunchError> {
    let error = |param: std::borrow::Cow<'static, str>, problem| {
        Err(LaunchError::Argument(Box::new(ArgumentError { kernel: program.name.clone(), param, problem })))
    };
    if arguments.len() != program.params.len() {
        let (expected, found) = (program.params.len(), arguments.len());
        return error("(all)".into(), ArgumentProblem::Count { expected, found });
    }
    for (param, argument) in program.params.iter().zip(arguments) {
        let name = param.name.clone();
        if !argument.fits(param.kind) {
            let (expected, found) = (param.to_string(), argument.describe());
            return error(name, ArgumentProblem::Mismatch { expected, found });
        }
        if let Some((index, value)) = &argument.misfit {
            let index = param.kind.element().map(|_| *index);
            return error(name, ArgumentProblem::TooBig { value: value.clone(), index });
        }
        let length = argument.slot.length();
        if u32::try_from(length).is_err() {
            return error(name, ArgumentProblem::TooLong { length });
        }
    }
    Ok(())
}

/// Arrays must have room in the machine.
fn check_arrays(program: &Code, config: &GpuConfig) -> Result<(), LaunchError> {
    let Some(exceeding) = memory::exceeding(&program.arrays, config.shared_memory, config.local_memory) else {
        return Ok(());
    };
    let Exceeding { space, bytes, limit, largest } = exceeding;
    let (whose, field) = match space {
        ArraySpace::Shared => ("`#[shared]` arrays take", "shared_memory"),
        ArraySpace::Local => ("arrays of a thread take", "local_memory"),
    };
    let function = largest.function.and_then(|function| program.functions.get(function.0 as usize));
    let source = function.map_or(&program.source, |function| &function.source);
    let message = format!("the {whose} {bytes} bytes, more than the {limit} of the config's `{field}`");
    Err(LaunchError::Program(Box::new(ProgramError {
        kernel: program.name.clone(),
        function: function.map(|function| function.name.clone()),
        message,
        span: largest.span,
        source: source.clone(),
    })))
}
