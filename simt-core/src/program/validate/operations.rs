//! The rules of what one statement does, wherever it stands.

use super::Check;
use super::error::Kind;
use super::expressions::{Elements, elements, expect_type, plain_elements};
use crate::ops::{AtomicOp, has_atomic};
use crate::program::{
    AtomicOrder, BarrierOp, CollectiveOp, ExprId, FunctionId, MessageId, Piece, Program, Stmt, StmtKind, VarId,
};
use crate::scalar::ScalarType;

/// Checks rules 14 to 19 for a statement whose expressions exist; also that the variable which it assigns does.
pub(super) fn check(program: &Program, stmt: &Stmt) -> Check {
    let here = |kind| (kind, stmt.span);
    let expect = |role, id, ty| expect_type(program, role, id, ty);
    match &stmt.kind {
        &StmtKind::Assign { var, value } => {
            let variable = program.variables.get(var.0 as usize).ok_or(here(Kind::MissingVariable(var)))?;
            expect("assigned value", value, variable.ty)
        }
        &StmtKind::Store { slice, index, value, .. } => {
            let elements = plain_elements(program, slice).map_err(here)?;
            if !elements.writable {
                return Err(here(Kind::ReadOnly(program.memory_name(slice))));
            }
            expect("index", index, ScalarType::Usize)?;
            expect("stored value", value, elements.ty)
        }
        &StmtKind::If { cond, .. } | &StmtKind::While { cond, .. } => expect("condition", cond, ScalarType::Bool),
        StmtKind::Call { function, args, result } => {
            let params = call(program, *function, args, *result).map_err(here)?;
            params.iter().zip(args).try_for_each(|(&ty, &arg)| expect("argument", arg, ty))
        }
        StmtKind::Atomic { op, target, index, operands, result, order } => {
            let elements = elements(program, *target).map_err(here)?;
            if !elements.atomic {
                return Err(here(Kind::NotAtomic(program.memory_name(*target))));
            }
            atomic(program, *op, elements, operands, *result, *order).map_err(here)?;
            expect("index", *index, ScalarType::Usize)?;
            operands.iter().try_for_each(|&operand| expect("operand", operand, elements.ty))
        }
        StmtKind::Collective { op, mask, args, result } => {
            counted("operands", op.name(), op.operands(), args.len()).map_err(here)?;
            if let Some(mask) = *mask {
                expect("mask", mask, ScalarType::U64)?;
                if *op == CollectiveOp::ActiveMask {
                    return Err(here(Kind::NoMask(op.name())));
                }
            }
            let ty = collective_result(program, *op, args);
            if op.is_shuffle() {
                args[1..].iter().try_for_each(|&lane| expect("lane", lane, ScalarType::U32))?;
            } else if !op.is_typed() {
                args.iter().try_for_each(|&arg| expect("operand", arg, ScalarType::Bool))?;
            } else if let Some(ty) = args.first().map(|&arg| program.expr(arg).ty).filter(|&ty| !op.accepts(ty)) {
                return Err(here(Kind::NoReduction { op: op.name(), ty }));
            }
            gives(program, op.name(), ty, *result).map_err(here)
        }
        &StmtKind::Barrier { op, index, threads, value, result } => {
            let (values, ty) = match op {
                BarrierOp::Sync | BarrierOp::Arrive | BarrierOp::Grid => (0, None),
                BarrierOp::And | BarrierOp::Or => (1, Some(ScalarType::Bool)),
                BarrierOp::Count => (1, Some(ScalarType::U32)),
            };
            let name = format!("sync_threads_{}", op.name());
            let name = if ty.is_some() { &name } else { "sync_threads" };
            counted("values", name, values, value.iter().len()).map_err(here)?;
            if op == BarrierOp::Grid && (index.is_some() || threads.is_some()) {
                return Err(here(Kind::NumberedGridBarrier));
            }
            if op == BarrierOp::Arrive && threads.is_none() {
                return Err(here(Kind::ArrivalWithoutThreads));
            }
            index.map_or(Ok(()), |index| expect("barrier", index, ScalarType::U32))?;
            threads.map_or(Ok(()), |threads| expect("number of threads", threads, ScalarType::U32))?;
            value.map_or(Ok(()), |value| expect("operand", value, ScalarType::Bool))?;
            gives(program, name, ty, result).map_err(here)
        }
        StmtKind::Print { message, args } | StmtKind::Panic { message, args } => {
            shows(program, *message, args.len()).map_err(here)
        }
        StmtKind::Skip
        | StmtKind::Evaluate { .. }
        | StmtKind::Break { .. }
        | StmtKind::Continue { .. }
        | StmtKind::Return
        | StmtKind::Fence { .. } => Ok(()),
    }
}

fn counted(role: &'static str, of: &str, expected: usize, found: usize) -> Result<(), Kind> {
    if expected == found { Ok(()) } else { Err(Kind::Count { role, of: of.into(), expected, found }) }
}

/// An error unless the variable, if there is one, may get a result of the type, if there is one.
fn gives(program: &Program, of: &str, ty: Option<ScalarType>, result: Option<VarId>) -> Result<(), Kind> {
    let Some(var) = result else { return Ok(()) };
    let variable = program.variables.get(var.0 as usize).ok_or(Kind::MissingVariable(var))?;
    let expected = ty.ok_or_else(|| Kind::NoResult(of.into()))?;
    if variable.ty == expected {
        return Ok(());
    }
    Err(Kind::ResultType { of: of.into(), variable: program.variable_name(var), found: variable.ty, expected })
}

/// The types of a function's parameters, as many as the call has arguments.
fn call(
    program: &Program,
    function: FunctionId,
    args: &[ExprId],
    result: Option<VarId>,
) -> Result<Vec<ScalarType>, Kind> {
    let callee = program.functions.get(function.0 as usize).ok_or(Kind::MissingFunction(function))?;
    counted("arguments", &callee.name, callee.params.len(), args.len())?;
    gives(program, &callee.name, callee.result.map(|var| program.variable(var).ty), result)?;
    Ok(callee.params.iter().map(|&param| program.variable(param).ty).collect())
}

fn atomic(
    program: &Program,
    op: AtomicOp,
    elements: Elements,
    operands: &[ExprId],
    result: Option<VarId>,
    order: AtomicOrder,
) -> Result<(), Kind> {
    let name = op.name();
    if !has_atomic(op, elements.ty) {
        return Err(Kind::NoAtomicOperation { op: name, ty: elements.ty });
    }
    let is_wrong = match order {
        AtomicOrder::Relaxed | AtomicOrder::SeqCst => false,
        AtomicOrder::Acquire => op == AtomicOp::Store,
        AtomicOrder::Release => op == AtomicOp::Load,
        AtomicOrder::AcqRel => matches!(op, AtomicOp::Load | AtomicOp::Store),
    };
    if is_wrong {
        return Err(Kind::AtomicOrder { op: name, order });
    }
    counted("operands", name, op.operands(), operands.len())?;
    gives(program, name, (op != AtomicOp::Store).then_some(elements.ty), result)
}

/// The type of a collective's result, whose operands are as many as it needs.
fn collective_result(program: &Program, op: CollectiveOp, args: &[ExprId]) -> Option<ScalarType> {
    op.result(args.first().map_or(ScalarType::Bool, |&value| program.expr(value).ty))
}

fn shows(program: &Program, message: MessageId, values: usize) -> Result<(), Kind> {
    let known = program.messages.get(message.0 as usize).ok_or(Kind::MissingMessage(message))?;
    let shown = known.pieces.iter().filter_map(|piece| match piece {
        Piece::Text(_) => None,
        Piece::Value { arg, .. } => Some(*arg),
    });
    match shown.filter(|&arg| arg as usize >= values).max() {
        Some(arg) => Err(Kind::MissingValue { arg, values }),
        None => Ok(()),
    }
}
