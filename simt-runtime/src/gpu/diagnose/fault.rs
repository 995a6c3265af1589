//! What a lane did that has no meaning, worked out when it is too late from what it has in its registers.

use crate::error::{FaultKind, SourcePlace};
use crate::grid::Dim3;
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::plan::{Access, Extended, LaneOp, Micro, Origin, Place, Plan, slot};
use simt_core::code::{Code, Inst};
use simt_core::ops::{ArithmeticFault, BinaryOp, NumericOp};
use simt_core::{Constant, ScalarType, program};
use std::borrow::Cow;

/// What a lane did at a lane operation that it could not execute, in a grid of so many blocks.
pub(crate) fn kind(
    plan: &Plan,
    number: u32,
    lane: usize,
    registers: &Registers,
    memory: &mut Memory<'_>,
    blocks: Dim3,
) -> FaultKind {
    let Plan { code, micros, origins, .. } = plan;
    let origin = code.inst(origins[number as usize].pc);
    let micro = faulting(plan, micros[number as usize]);
    let extended = extended(plan, micro);
    let access = match extended {
        Some(Extended::Access(access)) => Some(access),
        _ => None,
    };
    if let Some(Access::Panic(text)) = access {
        return FaultKind::Panic { message: text.render(registers, memory, lane).0 };
    }
    if let (Some(access), Some(spaces)) = (access.and_then(Access::address), memory.spaces.as_mut()) {
        let address = access.address(registers, lane);
        let bad = spaces.explain(access.space, address, access.bytes(), access.writes());
        return FaultKind::Address(Box::new(bad));
    }
    if let Some((slice, place)) = accessed(plan, number) {
        let index = registers.get(place, lane) as usize;
        let number = slot(code, slice);
        let length = memory.length(number as usize);
        if index < length
            && let program::Memory::Array(array) = slice
        {
            let unwritten = memory.array(number).and_then(|array| array.unwritten(index));
            let array = &code.arrays[array.0 as usize];
            return FaultKind::Unwritten {
                array: array.name.clone(),
                index,
                by_block: unwritten.and_then(|unwritten| unwritten.by_block).map(|block| blocks.point(block)),
                in_flight: unwritten.is_none() && array.space == program::ArraySpace::Shared,
                declared: declaration(code, array),
            };
        }
        let write = matches!(origin, Inst::Store { .. } | Inst::Atomic { .. });
        // The index that the user wrote: that within a row is checked before.
        let row = row(code, slice);
        // That of an element which no index can name is the largest there is, whatever its row.
        let row = if index == u32::MAX as usize { 1 } else { row };
        return FaultKind::OutOfBounds { slice: name(code, slice), index: index / row, length: length / row, write };
    }
    if let Some(Extended::Numeric(numeric)) = extended {
        let (op, operands) = numeric.operands(registers, lane);
        return without_result(op, &operands);
    }
    let value = |row, ty: ScalarType| {
        registers.value(if ty.bits() == 64 { Place::Wide(row) } else { Place::Word(row) }, ty, lane)
    };
    let (op, ty) = match *origin {
        Inst::Numeric { op, ty, .. } => return without_result(op, &[value(micro.a, ty), value(micro.b, ty)]),
        Inst::Binary { op, ty, .. } => (op, ty),
        _ => unreachable!("only memory accesses, operations on numbers and messages fault"),
    };
    let dividend = value(micro.a, ty).to_string();
    if op == BinaryOp::Rem { FaultKind::RemainderByZero { dividend } } else { FaultKind::DivisionByZero { dividend } }
}

/// What an operation is that is too rare for the lanes' own table.
fn extended(plan: &Plan, micro: Micro) -> Option<&Extended> {
    plan.extended.get(micro.extended()).filter(|_| micro.op == LaneOp::Extended)
}

/// The operation that can fault: of a guarded instruction, the one of its operations that can.
fn faulting(plan: &Plan, micro: Micro) -> Micro {
    let Some(Extended::Guarded(guarded)) = extended(plan, micro) else { return micro };
    let can = |micro: &&Micro| {
        // What only reports an access comes before it.
        micro.op == LaneOp::Extended || micro.op.divides() || micro.op.is_strict() || micro.op.accesses_memory()
    };
    guarded.micros.iter().rev().find(can).copied().unwrap_or(micro)
}

/// The memory that a lane operation accesses, and where the index is.
pub(crate) fn accessed(plan: &Plan, micro: u32) -> Option<(program::Memory, Place)> {
    let Origin { pc, index } = plan.origins[micro as usize];
    match *plan.code.inst(pc) {
        Inst::Load { slice, .. } | Inst::Store { slice, .. } | Inst::Atomic { slice, .. } => Some((slice, index?)),
        _ => None,
    }
}

/// A numeric method that has no result for its operands.
fn without_result(op: NumericOp, operands: &[Constant]) -> FaultKind {
    let values: Vec<String> = operands.iter().map(Constant::to_string).collect();
    let [first, rest @ ..] = &values[..] else { unreachable!("a method has a receiver") };
    match op.fault_on(operands) {
        Some(ArithmeticFault::Overflow) => {
            let second = rest.first().map_or("", String::as_str);
            let (attempt, operation) = overflow(op, first, second);
            FaultKind::Overflow { attempt, operation, ty: operands[0].ty }
        }
        Some(ArithmeticFault::DivisionByZero) => FaultKind::DivisionByZero { dividend: first.clone() },
        Some(ArithmeticFault::RemainderByZero) => FaultKind::RemainderByZero { dividend: first.clone() },
        Some(reason) => {
            FaultKind::NoResult { method: op.name(), receiver: first.clone(), arguments: rest.to_vec(), reason }
        }
        None => unreachable!("{op:?} has a result for all operands"),
    }
}

/// What was attempted, in Rust's words and as Rust writes it.
fn overflow(op: NumericOp, first: &str, second: &str) -> (&'static str, String) {
    // In Rust's reading a sign binds less than a method, and another sign.
    let receiver = if first.starts_with('-') { format!("({first})") } else { first.to_owned() };
    let infix = |symbol| format!("{first} {symbol} {second}");
    let method = |name| format!("{receiver}.{name}({second})");
    match op {
        NumericOp::StrictAdd => ("add", infix("+")),
        NumericOp::StrictSub => ("subtract", infix("-")),
        NumericOp::StrictMul => ("multiply", infix("*")),
        NumericOp::StrictDiv => ("divide", infix("/")),
        NumericOp::StrictRem => ("calculate the remainder", infix("%")),
        NumericOp::StrictShl => ("shift left", infix("<<")),
        NumericOp::StrictShr => ("shift right", infix(">>")),
        NumericOp::StrictNeg => ("negate", format!("-{receiver}")),
        NumericOp::StrictAbs => ("negate", method("abs")),
        NumericOp::StrictPow => ("multiply", method("pow")),
        NumericOp::StrictDivEuclid => ("divide", method("div_euclid")),
        NumericOp::StrictRemEuclid => ("calculate the remainder", method("rem_euclid")),
        NumericOp::StrictNextMultipleOf => ("add", method("next_multiple_of")),
        NumericOp::StrictNextPowerOfTwo => ("add", method("next_power_of_two")),
        NumericOp::StrictAddSigned | NumericOp::StrictAddUnsigned => ("add", method(op.name())),
        NumericOp::StrictSubSigned | NumericOp::StrictSubUnsigned => ("subtract", method(op.name())),
        _ => unreachable!("{op:?} is not strict"),
    }
}

pub(crate) fn name(code: &Code, memory: program::Memory) -> Cow<'static, str> {
    match memory {
        program::Memory::Param(param) => code.params[param.0 as usize].name.clone(),
        program::Memory::Array(array) => code.arrays[array.0 as usize].name.clone(),
    }
}

/// How many elements an index of the user's has.
pub(crate) fn row(code: &Code, memory: program::Memory) -> usize {
    let row = match memory {
        program::Memory::Param(param) => code.params[param.0 as usize].row,
        program::Memory::Array(array) => code.arrays[array.0 as usize].row,
    };
    row.max(1) as usize
}

/// Where an array is declared: in the kernel, or in a function that may stand in another file.
fn declaration(code: &Code, array: &program::Array) -> SourcePlace {
    let function = array.function.and_then(|function| code.functions.get(function.0 as usize));
    SourcePlace { span: array.span, source: function.map_or(&code.source, |function| &function.source).clone() }
}
