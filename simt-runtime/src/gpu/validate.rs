//! What is wrong with a launch before it begins.

use super::addresses::addresses;
use super::kernel::Kernel;
use crate::config::GpuConfig;
use crate::engine::Launch;
use crate::environment::MemoryModel;
use crate::error::{ArgumentError, ArgumentProblem, LaunchError, ProgramError};
use crate::grid::{Grid, GridError};
use crate::memory::spaces::symbol_bytes;
use crate::memory::{self, Argument, Exceeding, Problem, Refused};
use crate::plan::Plan;
use simt_core::Span;
use simt_core::code::{AddressSpace, Code};
use simt_core::program::{ArraySpace, LaunchBounds};
use std::borrow::Cow;

/// Config and grid must be ones that can work. Returns how many blocks there are, and how many threads of a block.
pub(super) fn launch(config: &GpuConfig, grid: Grid, kernel: &Kernel) -> Result<(usize, usize), LaunchError> {
    config.validate().map_err(|error| LaunchError::Config { kernel: kernel.name(), error })?;
    grid.validate().map_err(|error| LaunchError::Grid { kernel: kernel.name(), error })
}

/// The config with the limits that apply on its memory.
pub(super) fn effective(config: &GpuConfig) -> Cow<'_, GpuConfig> {
    let mut config = Cow::Borrowed(config);
    if let MemoryModel::Environment(environment) = &config.memory {
        // There nothing proves that a warp spins without end.
        let step_limit = config.step_limit.min(environment.step_limit);
        config.to_mut().step_limit = step_limit;
    }
    config
}

/// Arguments and arrays must fit the kernel and the machine, and its code must lead only to where instructions are.
pub(super) fn call(
    plan: &Plan,
    arguments: &[Argument<'_>],
    threads: usize,
    config: &GpuConfig,
    policy: &'static str,
) -> Result<(), LaunchError> {
    let code = &plan.code;
    check_arguments(code, arguments)?;
    check_bounds(code, threads)?;
    check_arrays(plan, config)?;
    check_addresses(plan, config)?;
    addresses(plan, config.checks, policy)
}

/// Threads of a grid that wait for each other, on a machine without cores.
///
/// **Assumed:** more than any GPU holds, and few enough that the host has room for them.
const THREADS_OF_GRID: usize = 1 << 20;

/// Blocks that wait for each other at the barrier of the grid must all have room: a core holds `residents`, if there is a clock.
pub(super) fn together(launch: &Launch<'_>, residents: usize) -> Result<(), LaunchError> {
    if !launch.plan.meets_as_grid() {
        return Ok(());
    }
    let (room, field) = match (&launch.config.clock, &launch.config.memory) {
        (Some(clock), _) => (clock.cores * residents, "more `clock.cores`, or more of what a core has"),
        (None, MemoryModel::Environment(environment)) => (
            environment.processors * environment.resident_blocks,
            "more `processors` or `resident_blocks` of the `EnvironmentConfig`",
        ),
        (None, MemoryModel::Ideal) => (THREADS_OF_GRID / launch.threads, "a smaller block"),
    };
    if launch.blocks <= room {
        return Ok(());
    }
    let error = GridError::NotAllAtOnce { blocks: launch.blocks, room, field };
    Err(LaunchError::Grid { kernel: launch.plan.code.name.clone(), error })
}

/// Arguments must be of the kinds, and of sizes, that the kernel's parameters have.
fn check_arguments(program: &Code, arguments: &[Argument<'_>]) -> Result<(), LaunchError> {
    let error = |param: Cow<'static, str>, problem| {
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

/// An argument that a launch cannot take, found when it was about to begin.
pub(super) fn refused(program: &Code, Refused { slot, problem }: Refused) -> LaunchError {
    let name = |slot: usize| program.params.get(slot).map(|param| param.name.clone()).unwrap_or_default();
    let problem = match problem {
        Problem::Misfit((index, value)) => ArgumentProblem::TooBig { value, index: Some(index) },
        Problem::InUse { by, elsewhere } => ArgumentProblem::InUse { by, elsewhere },
        Problem::OtherAtomics { slot } => ArgumentProblem::OtherAtomics { with: name(slot) },
    };
    LaunchError::Argument(Box::new(ArgumentError { kernel: program.name.clone(), param: name(slot), problem }))
}

/// Blocks must not have more threads than the kernel is declared for.
fn check_bounds(program: &Code, threads: usize) -> Result<(), LaunchError> {
    let Some(LaunchBounds { threads: most, span }) =
        program.launch_bounds.filter(|bounds| threads > bounds.threads as usize)
    else {
        return Ok(());
    };
    let message = format!("the grid has blocks of {threads} threads, and the kernel's `launch_bounds` allow {most}");
    Err(LaunchError::Program(Box::new(ProgramError {
        kernel: program.name.clone(),
        function: None,
        message,
        span,
        source: program.source.clone(),
    })))
}

/// What is declared in memory by address must have room in the machine.
fn check_addresses(plan: &Plan, config: &GpuConfig) -> Result<(), LaunchError> {
    let code = &plan.code;
    let error = |message: String, span: Span| {
        Err(LaunchError::Program(Box::new(ProgramError {
            kernel: code.name.clone(),
            function: None,
            message,
            span,
            source: code.source.clone(),
        })))
    };
    let arrays = |space: ArraySpace| {
        let arrays = code.arrays.iter().filter(move |array| array.space == space && !array.dynamic);
        arrays.map(|array| u64::from(array.length) * u64::from(array.element.bits().div_ceil(8))).sum::<u64>()
    };
    let spaces = [
        (
            AddressSpace::Shared,
            arrays(ArraySpace::Shared) + plan.shared_memory as u64,
            config.shared_memory,
            "shared_memory",
        ),
        (AddressSpace::Local, arrays(ArraySpace::Local), config.local_memory, "local_memory"),
    ];
    for (space, others, limit, field) in spaces {
        let bytes = symbol_bytes(&code.symbols, space).saturating_add(others);
        let of_space = code.symbols.iter().filter(|symbol| symbol.space == space);
        if let Some(largest) = of_space.max_by_key(|symbol| symbol.size).filter(|_| bytes > limit as u64) {
            let message = format!(
                "what is declared in {} memory takes {bytes} bytes, more than the {limit} of the config's `{field}`",
                space.name()
            );
            return error(message, largest.span);
        }
    }
    Ok(())
}

/// Arrays must have room in the machine.
fn check_arrays(plan: &Plan, config: &GpuConfig) -> Result<(), LaunchError> {
    let program = &plan.code;
    let Some(exceeding) =
        memory::exceeding(&program.arrays, plan.shared_memory, config.shared_memory, config.local_memory)
    else {
        return Ok(());
    };
    let Exceeding { space, bytes, limit, largest } = exceeding;
    let (whose, field) = match space {
        ArraySpace::Shared => ("`#[shared]` arrays take", "shared_memory"),
        ArraySpace::Local => ("arrays of a thread take", "local_memory"),
    };
    let function =
        largest.and_then(|largest| largest.function).and_then(|function| program.functions.get(function.0 as usize));
    let source = function.map_or(&program.source, |function| &function.source);
    let given = match plan.shared_memory {
        given @ 1.. if space == ArraySpace::Shared => format!(", {given} of them the grid's,"),
        _ => ",".to_owned(),
    };
    let message = format!("the {whose} {bytes} bytes{given} more than the {limit} of the config's `{field}`");
    Err(LaunchError::Program(Box::new(ProgramError {
        kernel: program.name.clone(),
        function: function.map(|function| function.name.clone()),
        message,
        span: largest.map(|largest| largest.span).unwrap_or_default(),
        source: source.clone(),
    })))
}
