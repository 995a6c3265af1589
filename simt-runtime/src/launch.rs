//! A launch: grid to blocks to warps.
//!
//! Blocks run in the order of their numbers, and the warps of a block one after the other: nothing in the language lets
//! one warp wait for another yet, and the order is the same every time.

use crate::config::GpuConfig;
use crate::error::{ArgumentError, ArgumentProblem, Fault, FaultKind, LaunchError, StepLimit, ThreadPlace};
use crate::flow::{self, Warp, WarpStop};
use crate::grid::Grid;
use crate::kernel::KernelCall;
use crate::lanes::{Plan, Registers};
use crate::memory::{Argument, Memory, Slot};
use crate::observe::{Observer, WarpId};
use crate::policy::ReconvergencePolicy;
use crate::report::{Report, Statistics};
use crate::setup::Setup;
use simt_core::code::Inst;
use simt_core::ops::BinaryOp;
use simt_core::program::{ParamKind, Program};
use simt_core::{Constant, LaneMask, ScalarType};
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

    /// The same machine with or without counting. Without, the report's figures are all zero.
    #[must_use]
    pub fn with_statistics(mut self, statistics: bool) -> Self {
        self.config.statistics = statistics;
        self
    }
}

impl<P: ReconvergencePolicy> Gpu<P> {
    /// Runs a kernel on every thread of the grid.
    ///
    /// # Errors
    /// If the grid, the config or an argument is out of range, a thread faults, or a warp issues more instructions than
    /// the step limit. The slices in the call are then as they were before the launch.
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
        let program = call.kernel.program();
        let name = || program.name.clone();
        self.config.validate().map_err(|error| LaunchError::Config { kernel: name(), error })?;
        let (blocks, threads) = grid.validate().map_err(|error| LaunchError::Grid { kernel: name(), error })?;
        let validated = call.kernel.validated().map_err(|error| LaunchError::program(error, &program.source))?;
        let plan = call
            .kernel
            .plan(validated, P::MARKERS)
            .map_err(|error| LaunchError::plan(error, name(), &program.source))?;
        check_arguments(program, &call.arguments)?;

        let launch = Launch { plan, grid, blocks, threads, config: &self.config };
        let mut memory = Memory::new(call.arguments);
        let mut statistics = Statistics::default();
        let result = if self.config.statistics {
            launch.run::<P, _>(&mut memory, &mut (&mut statistics, observer))
        } else {
            launch.run::<P, _>(&mut memory, observer)
        };
        match result {
            Ok(()) => {
                memory.commit();
                Ok(Report::new(P::NAME, self.config.warp_width, plan, &statistics))
            }
            Err(error) => {
                memory.roll_back();
                Err(error)
            }
        }
    }
}

/// What all warps of a launch share.
struct Launch<'l> {
    plan: &'l Plan,
    grid: Grid,
    blocks: usize,
    threads: usize,
    config: &'l GpuConfig,
}

impl Launch<'_> {
    fn run<P: ReconvergencePolicy, O: Observer>(
        &self,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        let Self { plan, config, .. } = *self;
        let width = config.warp_width;
        let mut registers = Registers::new(width, plan.words, plan.wides, plan.predicates);
        let setup = Setup::new(plan, self.grid, width);
        setup.launch(memory, &mut registers);
        observer.launched(&plan.code);
        for block in 0..self.blocks {
            setup.block(block, &mut registers);
            for warp in 0..self.threads.div_ceil(width) {
                setup.warp(block, warp, &mut registers);
                observer.warp(WarpId { block, warp });
                let threads = LaneMask::first((self.threads - warp * width).min(width));
                let run = Warp { plan, registers: &mut registers, memory, threads, step_limit: config.step_limit };
                if let Err(stop) = flow::run::<P, O>(run, observer) {
                    return Err(self.error::<P>(stop, WarpId { block, warp }, &mut registers, memory));
                }
            }
        }
        Ok(())
    }

    #[cold]
    fn error<P: ReconvergencePolicy>(
        &self,
        stop: WarpStop,
        warp: WarpId,
        registers: &mut Registers,
        memory: &Memory<'_>,
    ) -> LaunchError {
        let code = &self.plan.code;
        let (kernel, source) = (code.name.clone(), code.source.clone());
        let warp_width = self.config.warp_width;
        match stop {
            WarpStop::Fault { micro, lane, mask } => LaunchError::Fault(Box::new(Fault {
                kernel,
                kind: self.fault_kind(micro, lane as usize, registers, memory),
                thread: self.thread(warp, lane as usize),
                active: mask,
                policy: P::NAME,
                span: code.spans[self.plan.origins[micro as usize].index()],
                warp_width,
                source,
            })),
            WarpStop::StepLimit { splits } => LaunchError::StepLimit(Box::new(StepLimit {
                kernel,
                limit: self.config.step_limit,
                block: self.grid.blocks().point(warp.block),
                warp: warp.warp,
                thread: self.thread(warp, splits.first().and_then(|s| s.mask.lanes().next()).unwrap_or(0)),
                policy: P::NAME,
                splits: splits
                    .iter()
                    .map(|split| (split.mask, code.spans.get(split.pc.index()).copied().unwrap_or_default()))
                    .collect(),
                warp_width,
                source,
            })),
        }
    }

    fn thread(&self, warp: WarpId, lane: usize) -> ThreadPlace {
        let thread = warp.warp * self.config.warp_width + lane;
        ThreadPlace {
            block: self.grid.blocks().point(warp.block),
            thread: self.grid.threads().point(thread),
            global_id: warp.block * self.threads + thread,
            warp: warp.warp,
            lane,
        }
    }

    fn fault_kind(&self, micro: u32, lane: usize, registers: &mut Registers, memory: &Memory<'_>) -> FaultKind {
        let Plan { code, micros, origins, .. } = self.plan;
        let origin = code.inst(origins[micro as usize]);
        let micro = micros[micro as usize];
        let mut word = || registers.word_row(micro.a).nth(lane).copied().unwrap_or(0);
        if let Inst::Load { slice, .. } | Inst::Store { slice, .. } = *origin {
            return FaultKind::OutOfBounds {
                slice: code.params[slice.0 as usize].name.clone(),
                index: word() as usize,
                length: memory.length(slice.0 as usize),
                write: matches!(origin, Inst::Store { .. }),
            };
        }
        let Inst::Binary { op, ty, .. } = *origin else {
            unreachable!("only memory accesses and divisions fault");
        };
        let bits = match ty.bits() {
            64 => registers.wide_row(micro.a).nth(lane).copied().unwrap_or(0),
            bits => u64::from(word()) & ((1u64 << bits) - 1),
        };
        let dividend = Constant { ty, bits }.to_string();
        if op == BinaryOp::Rem {
            FaultKind::RemainderByZero { dividend }
        } else {
            FaultKind::DivisionByZero { dividend }
        }
    }
}

fn check_arguments(program: &Program, arguments: &[Argument<'_>]) -> Result<(), LaunchError> {
    let error = |param: std::borrow::Cow<'static, str>, problem| {
        Err(LaunchError::Argument(Box::new(ArgumentError { kernel: program.name.clone(), param, problem })))
    };
    if arguments.len() != program.params.len() {
        return error("(all)".into(), ArgumentProblem::Mismatch);
    }
    for (param, argument) in program.params.iter().zip(arguments) {
        let name = param.name.clone();
        if !fits(param.kind, &argument.slot) {
            return error(name, ArgumentProblem::Mismatch);
        }
        if let Some((index, value)) = &argument.misfit {
            let index = matches!(param.kind, ParamKind::Slice { .. }).then_some(*index);
            return error(name, ArgumentProblem::TooBig { value: value.clone(), index });
        }
        let length = argument.slot.length();
        if u32::try_from(length).is_err() {
            return error(name, ArgumentProblem::TooLong { length });
        }
    }
    Ok(())
}

/// Whether an argument has the layout that a parameter's type has on the device.
fn fits(kind: ParamKind, slot: &Slot<'_>) -> bool {
    match kind {
        ParamKind::Scalar(ty) => matches!(slot, Slot::Scalar(constant) if constant.ty == ty),
        ParamKind::Slice { element, writable } => {
            let bits = if element == ScalarType::Bool { 8 } else { element.bits() };
            slot.element_bits() == Some(bits) && (slot.is_writable() || !writable)
        }
    }
}
