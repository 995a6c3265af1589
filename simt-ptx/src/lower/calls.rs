//! Functions: what they are passed and what they return is in registers, one for each place of a `.param` that is accessed.

use super::emit::{Emitter, PassedPlace};
use crate::scope::Meaning;
use crate::syntax::{Instruction, Operand as Written, OperandKind, Space, StatementKind};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Pc};
use simt_core::program::FunctionId;

/// A place in a `.param` variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed(PassedPlace);

impl Passed {
    /// The place so many bytes behind.
    pub(super) fn at(self, bytes: u32) -> PassedPlace {
        PassedPlace { offset: self.0.offset + bytes, ..self.0 }
    }
}

impl<'m> Emitter<'m, '_> {
    /// The place that an address of parameters means, if it is one of a function's, or of a call's.
    pub(super) fn passed_place(&mut self, written: &'m Written) -> Option<Passed> {
        let OperandKind::Address { base: Some(base), offset } = &written.kind else { return None };
        let offset = u32::try_from(*offset).ok()?;
        let Some(Meaning::Variable { variable, of_function, scope }) = self.scopes.find(&base.text) else {
            return None;
        };
        if !of_function {
            return if variable.space == Space::Param { self.of_call(scope, &base.text, offset) } else { None };
        }
        let (function, owner) = (self.function?, self.owner?);
        let of = |variables: &[crate::syntax::Variable]| variables.iter().position(|own| own.name.text == base.text);
        let (returned, number) = match (of(&function.parameters), of(&function.returns)) {
            (Some(number), _) => (false, number),
            (None, number) => (true, number?),
        };
        Some(Passed(PassedPlace { function: owner, returned, number: number as u32, offset }))
    }

    /// What a variable of a block is to the call that names it.
    fn of_call(&mut self, scope: usize, name: &str, offset: u32) -> Option<Passed> {
        let mut found = None;
        super::walk(self.blocks.statements_of(scope), &mut |statement| {
            let StatementKind::Instruction(instruction) = &statement.kind else { return };
            let Some(call) = instruction.as_call() else { return };
            let place = |all: &[Written]| {
                all.iter().position(|operand| matches!(&operand.kind, OperandKind::Name(own) if own == name))
            };
            let (returned, number) = match (place(call.arguments), place(call.returns)) {
                (Some(number), _) => (false, number),
                (None, Some(number)) => (true, number),
                (None, None) => return,
            };
            found.get_or_insert((call.callee, returned, number as u32));
        });
        let (callee, returned, number) = found?;
        let OperandKind::Name(callee) = &callee.kind else { return None };
        let function = self.called(callee)?;
        Some(Passed(PassedPlace { function, returned, number, offset }))
    }

    /// The number of a function that is called.
    fn called(&mut self, name: &str) -> Option<FunctionId> {
        let Some(Meaning::Function(function)) = self.scopes.find(name) else { return None };
        if let Some(known) = self.functions.iter().position(|known| std::ptr::eq(*known, function)) {
            return Some(FunctionId(known as u32));
        }
        function.body.as_ref()?;
        self.functions.push(function);
        Some(FunctionId(self.functions.len() as u32 - 1))
    }

    pub(super) fn load_passed(
        &mut self,
        instruction: &'m Instruction,
        passed: Passed,
        ty: ScalarType,
        elements: &'m [Written],
    ) -> Option<()> {
        for (number, dst) in elements.iter().enumerate() {
            let from = self.pass(passed, ty, number);
            let own = self.type_of(from);
            if own.bits() != ty.bits() {
                return self.unsupported(instruction, "a parameter is accessed in places of different widths");
            }
            let value = self.as_type(Operand::Reg(from), own, ty);
            self.write(dst, ty, |emitter, dst| emitter.push(Inst::Move { ty, dst, src: value }))?;
        }
        Some(())
    }

    pub(super) fn store_passed(
        &mut self,
        instruction: &'m Instruction,
        passed: Passed,
        ty: ScalarType,
        elements: &'m [Written],
    ) -> Option<()> {
        for (number, value) in elements.iter().enumerate() {
            let dst = self.pass(passed, ty, number);
            let own = self.type_of(dst);
            if own.bits() != ty.bits() {
                return self.unsupported(instruction, "a parameter is accessed in places of different widths");
            }
            let value = self.low_bits(value, Self::register_type(ty))?;
            self.push(Inst::Move { ty: Self::register_type(ty), dst, src: value });
        }
        Some(())
    }

    /// `call`
    pub(super) fn call(&mut self, instruction: &'m Instruction) -> Option<()> {
        let Some(call) = instruction.as_call() else { return self.miscounted(instruction) };
        let OperandKind::Name(name) = &call.callee.kind else { return self.miscounted(instruction) };
        if call.targets.is_some() || self.named_register(name).is_some() {
            return self.unsupported(instruction, "a call of what a register holds is not supported yet");
        }
        let Some(function) = self.called(name) else {
            let message = format!("the module has no body of the function `{name}`");
            self.problem(
                call.callee.span,
                message,
                "link it into the module: functions of other modules are not found",
            );
            return None;
        };
        // What stands for itself, without a `.param` variable.
        let is_variable = |operand: &Written| matches!(&operand.kind, OperandKind::Name(name) if matches!(self.scopes.find(name), Some(Meaning::Variable { .. })));
        if !call.arguments.iter().chain(call.returns).all(is_variable) {
            return self.unsupported(instruction, "arguments are `.param` variables");
        }
        self.push_control(Inst::Call { function, target: Pc(0) });
        Some(())
    }
}
