//! Parameters of functions whose addresses are taken: a function puts what it is passed into local memory, too, and such an
//! address is one of that (PTX ISA, `mov`).

use super::emit::Emitter;
use super::operands::unsigned;
use super::passed::PassedPlace;
use crate::syntax::{Function, FunctionKind, OperandKind, StatementKind, Variable};
use simt_core::code::{Address, AddressSpace, Inst, Operand};
use simt_core::program::{FunctionId, StoreAccess};

/// The parameters of a function that are named other than as places in brackets, and in lists of calls.
pub(super) fn addressed(function: &Function) -> impl Iterator<Item = &Variable> {
    let mut names: Vec<&str> = Vec::new();
    let statements = function.body.as_ref().map_or(&[][..], |body| &body.statements);
    super::walk(statements, &mut |statement| {
        let StatementKind::Instruction(instruction) = &statement.kind else { return };
        if instruction.as_call().is_some() {
            return;
        }
        names.extend(instruction.operands.iter().filter_map(|operand| match &operand.kind {
            OperandKind::Name(name) | OperandKind::Sum(name, _) => Some(name.as_str()),
            _ => None,
        }));
    });
    let is_called = function.kind != FunctionKind::Entry;
    function.parameters.iter().filter(move |own| is_called && names.contains(&own.name.text.as_str()))
}

impl<'m> Emitter<'m, '_> {
    /// Begins a function: what is passed in registers goes to memory, for those whose addresses it takes.
    pub(super) fn parameters_to_memory(&mut self, function: &'m Function, owner: Option<FunctionId>) {
        let Some(owner) = owner else { return };
        for variable in addressed(function) {
            let Some(number) = function.parameters.iter().position(|own| std::ptr::eq(own, variable)) else { continue };
            let Some(base) = self.parameter_address(variable) else { continue };
            let number = number as u32;
            for (offset, bytes) in self.parts.all((self.callees.class(&function.name.text), false, number)) {
                let ty = unsigned(8 * bytes);
                let place = PassedPlace { function: self.callee(owner), returned: false, number, offset };
                let reg = self.passing(place, ty);
                let value = self.as_type(Operand::Reg(reg), self.type_of(reg), ty);
                let at = Address { space: AddressSpace::Local, offset: offset as i32, base };
                self.push(Inst::StoreAt { ty, from: ty, at, value, access: StoreAccess::Plain });
            }
        }
    }

    /// The address of a parameter of the function that is emitted, in local memory.
    pub(super) fn parameter_address(&mut self, variable: &'m Variable) -> Option<Operand> {
        if let Some(address) = self.on_stack(variable) {
            return Some(address);
        }
        let key = format!("{:?}:parameter {}", self.owner, variable.name);
        if let Some(&known) = self.symbol_numbers.get(&key) {
            return Some(Operand::Symbol(known));
        }
        let size = variable.bytes().and_then(|bytes| u32::try_from(bytes).ok()).filter(|&bytes| bytes > 0)?;
        let span = self.declared(variable.name.span);
        let id = self.local_symbol(&variable.name.text, size, variable.alignment().max(1), span);
        self.symbol_numbers.insert(key, id);
        Some(Operand::Symbol(id))
    }
}
