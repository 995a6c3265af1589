//! Local variables of functions that call themselves: each activation has its own, on a stack of the thread's.
//!
//! A symbol of local memory is one place of a thread. So the stack is one symbol, and where in it the next activation may begin
//! is passed to each function that needs it, in a register beside its parameters: the functions that call themselves and have
//! local variables, and those by which they are reached. No other function has one.

use super::addressed::addressed;
use super::callees::Callees;
use super::emit::Emitter;
use super::operands::constant;
use super::passed::{Callee, PassedPlace};
use crate::syntax::{Function, Module, Space, StatementKind, Variable};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Reg, SymbolId};
use simt_core::ops::BinaryOp;
use simt_core::program::FunctionId;
use simt_core::source::Span;
use std::collections::{HashMap, HashSet};
use std::ptr;

/// The least alignment of an activation: that of the largest type.
const ALIGNMENT: u32 = 16;

/// Bytes of the stack: for so many activations of the function that has the most, within these bounds.
///
/// **Assumed:** of CUDA's, the least is the size that a thread's stack has unless the host says another.
const ACTIVATIONS: u32 = 128;
const SIZES: [u32; 2] = [1024, 64 << 10];

/// The name of the symbol in errors.
const NAME: &str = "stack of functions that call themselves";

/// The number of the parameter that says where the next activation may begin.
pub(super) const NUMBER: u32 = u32::MAX;

/// What is on the stack.
#[derive(Debug, Default)]
pub(super) struct Stack<'m> {
    /// Bytes of an activation, of functions that have any.
    frames: HashMap<&'m str, u32>,
    /// Where in it a variable is.
    offsets: HashMap<*const Variable, u32>,
    /// The functions that are passed where it ends.
    passed: HashSet<&'m str>,
    /// The alignment of each activation: that of all variables.
    align: u32,
    symbol: Option<SymbolId>,
    /// Of the function that is emitted: the address of its activation, and where the next one may begin.
    frame: Option<Reg>,
    next: Option<Reg>,
}

impl<'m> Stack<'m> {
    pub(super) fn of(module: &'m Module, callees: &Callees<'m>) -> Self {
        let bodies = || module.functions().filter(|function| function.body.is_some());
        let mut stack = Self::default();
        let mut variables: HashMap<&'m str, Vec<&'m Variable>> = HashMap::new();
        for function in bodies() {
            let local = variables.entry(&function.name.text).or_default();
            let statements = function.body.as_ref().map_or(&[][..], |body| &body.statements);
            local.extend(addressed(function));
            super::walk(statements, &mut |statement| {
                if let StatementKind::Variable(variable) = &statement.kind
                    && variable.space == Space::Local
                {
                    local.push(variable);
                }
            });
        }
        variables.retain(|name, local| !local.is_empty() && callees.reached(name).contains(name));
        let alignments = variables.values().flatten().map(|variable| variable.alignment());
        stack.align = alignments.max().unwrap_or(0).max(ALIGNMENT);
        for (name, local) in variables {
            let mut size = 0_u32;
            for variable in local {
                // Of no size, or too large: refused where it is used, as all are.
                let Some(bytes) = variable.bytes().and_then(|bytes| u32::try_from(bytes).ok()) else { continue };
                let start = size.checked_next_multiple_of(variable.alignment().max(1));
                let Some((start, end)) = start.and_then(|start| Some((start, start.checked_add(bytes)?))) else {
                    continue;
                };
                stack.offsets.insert(ptr::from_ref(variable), start);
                size = end;
            }
            stack.frames.insert(name, size.checked_next_multiple_of(stack.align).unwrap_or(size));
        }
        if !stack.frames.is_empty() {
            let needs = |name: &&'m str| {
                stack.frames.contains_key(name)
                    || callees.reached(name).iter().any(|callee| stack.frames.contains_key(callee))
            };
            stack.passed = bodies().map(|function| function.name.text.as_str()).filter(needs).collect();
        }
        stack
    }
}

impl<'m> Emitter<'m, '_> {
    /// Begins a function: its activation is where the caller's ends.
    pub(super) fn begin_activation(&mut self, function: &'m Function, owner: Option<FunctionId>) {
        (self.stack.frame, self.stack.next) = (None, None);
        let Some(owner) = owner.filter(|_| self.stack.passed.contains(function.name.text.as_str())) else { return };
        let begins = Operand::Reg(self.passing(end_of(self.callee(owner)), ScalarType::U64));
        let next = self.temporary(ScalarType::U64);
        match self.stack.frames.get(function.name.text.as_str()).copied() {
            None => self.push(Inst::Move { ty: ScalarType::U64, dst: next, src: begins }),
            Some(size) => {
                let (symbol, frame) = (self.stack_symbol(), self.temporary(ScalarType::U64));
                self.binary(BinaryOp::Add, ScalarType::U64, frame, &[Operand::Symbol(symbol), begins]);
                self.binary(BinaryOp::Add, ScalarType::U64, next, &[begins, constant(size.into(), ScalarType::U64)]);
                self.stack.frame = Some(frame);
            }
        }
        self.stack.next = Some(next);
    }

    /// Passes where its activation may begin to what may be any of some functions.
    pub(super) fn pass_activation(&mut self, functions: &[&Function], callee: Callee) {
        if !functions.iter().any(|function| self.stack.passed.contains(function.name.text.as_str())) {
            return;
        }
        let src = self.stack.next.map_or(constant(0, ScalarType::U64), Operand::Reg);
        let dst = self.passing(end_of(callee), ScalarType::U64);
        self.push(Inst::Move { ty: ScalarType::U64, dst, src });
    }

    /// The address of a local variable that is on the stack.
    pub(super) fn on_stack(&mut self, variable: &'m Variable) -> Option<Operand> {
        let (frame, offset) = (self.stack.frame?, *self.stack.offsets.get(&ptr::from_ref(variable))?);
        if offset == 0 {
            return Some(Operand::Reg(frame));
        }
        let address = self.temporary(ScalarType::U64);
        let offset = constant(offset.into(), ScalarType::U64);
        self.binary(BinaryOp::Add, ScalarType::U64, address, &[Operand::Reg(frame), offset]);
        Some(Operand::Reg(address))
    }

    fn stack_symbol(&mut self) -> SymbolId {
        if let Some(known) = self.stack.symbol {
            return known;
        }
        let largest = self.stack.frames.values().copied().max().unwrap_or(0);
        let size = largest.saturating_mul(ACTIVATIONS).clamp(SIZES[0], SIZES[1]).max(largest);
        let id = self.local_symbol(NAME, size, self.stack.align, Span::default());
        // All functions have parts of it.
        self.symbols[id.0 as usize].function = None;
        self.stack.symbol = Some(id);
        id
    }
}

/// Where a function is told that its activation may begin.
fn end_of(function: Callee) -> PassedPlace {
    PassedPlace { function, returned: false, number: NUMBER, offset: 0 }
}
