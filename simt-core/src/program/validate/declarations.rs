//! The rules of what is declared beside the body: arrays, parameters of atomics, functions.

use super::error::{Broken, Kind};
use crate::ops::{AtomicOp, has_atomic};
use crate::program::{Array, ArraySpace, Function, FunctionId, Memory, ParamId, ParamKind, Program, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;

/// Checks rules 8 and 9.
pub(super) fn check(program: &Program) -> Result<(), Broken> {
    for (param, id) in program.params.iter().zip(0..) {
        if let ParamKind::Atomic { element } = param.kind
            && !has_atomics(element)
        {
            let memory = program.memory_name(Memory::Param(ParamId(id)));
            return Err(Broken { kind: Kind::AtomicType { memory, ty: element }, span: param.span, function: None });
        }
    }
    for array in &program.arrays {
        // A function that does not exist has no text to show.
        let function = array.function.filter(|id| (id.0 as usize) < program.functions.len());
        check_array(program, array).map_err(|kind| Broken { kind, span: array.span, function })?;
    }
    for (function, id) in program.functions.iter().zip(0..) {
        let broken = |kind| Broken { kind, span: Span::default(), function: Some(FunctionId(id)) };
        check_head(program, function).map_err(broken)?;
    }
    Ok(())
}

/// Whether there are atomics of the type.
fn has_atomics(ty: ScalarType) -> bool {
    has_atomic(AtomicOp::Load, ty)
}

fn check_array(program: &Program, array: &Array) -> Result<(), Kind> {
    let name = || array.name.to_string();
    if let Some(id) = array.function.filter(|id| id.0 as usize >= program.functions.len()) {
        return Err(Kind::MissingFunction(id));
    }
    if array.dynamic && array.space != ArraySpace::Shared {
        return Err(Kind::DynamicLocal(name()));
    }
    if array.length == 0 && !array.dynamic {
        return Err(Kind::EmptyArray(name()));
    }
    match (array.atomic, array.space) {
        (true, ArraySpace::Local) => Err(Kind::LocalAtomics(name())),
        (true, _) if !has_atomics(array.element) => Err(Kind::AtomicType { memory: name(), ty: array.element }),
        _ => Ok(()),
    }
}

fn check_head(program: &Program, function: &Function) -> Result<(), Kind> {
    let exists = |var: VarId| (var.0 as usize) < program.variables.len();
    let mut variables = function.params.iter().chain(&function.result);
    if let Some(&missing) = variables.find(|var| !exists(**var)) {
        return Err(Kind::MissingVariable(missing));
    }
    let mut params = function.params.clone();
    params.sort_unstable();
    match params.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Kind::RepeatedParam(program.variable_name(pair[0]))),
        None => Ok(()),
    }
}
