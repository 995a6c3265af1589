//! What is wrong with a launch before it begins.

use crate::config::GpuConfig;
use crate::error::{ArgumentError, ArgumentProblem, LaunchError, ProgramError};
use crate::memory::{self, Argument, Exceeding, Problem, Refused};
use simt_core::code::Code;
use simt_core::program::ArraySpace;

/// Arguments must be of the kinds, and of sizes, that the kernel's parameters have.
pub(crate) fn check_arguments(program: &Code, arguments: &[Argument<'_>]) -> Result<(), LaunchError> {
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

/// An argument that a launch cannot take, found when it was about to begin.
pub(crate) fn refused(program: &Code, Refused { slot, problem }: Refused) -> LaunchError {
    let name = |slot: usize| program.params.get(slot).map(|param| param.name.clone()).unwrap_or_default();
    let problem = match problem {
        Problem::Misfit((index, value)) => ArgumentProblem::TooBig { value, index: Some(index) },
        Problem::InUse { by, elsewhere } => ArgumentProblem::InUse { by, elsewhere },
        Problem::OtherAtomics { slot } => ArgumentProblem::OtherAtomics { with: name(slot) },
    };
    LaunchError::Argument(Box::new(ArgumentError { kernel: program.name.clone(), param: name(slot), problem }))
}

/// Arrays must have room in the machine.
pub(crate) fn check_arrays(program: &Code, config: &GpuConfig) -> Result<(), LaunchError> {
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
