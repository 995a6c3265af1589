//! Parameters and results that are registers of the function: `.func (.reg .u32 r) f(.reg .u32 n)`. It begins with a copy of what
//! it is passed, and ends with one of what it returns.

use super::calls::Passed;
use super::emit::Emitter;
use super::passed::PassedPlace;
use crate::syntax::{Function, Space, Variable};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Reg};
use simt_core::program::FunctionId;

impl<'m> Emitter<'m, '_> {
    /// Begins a function: its registers get what it is passed.
    pub(super) fn take_registers(&mut self, function: &'m Function, owner: Option<FunctionId>) {
        for (passed, ty, dst) in self.registers_of(&function.parameters, owner, false) {
            let parts = self.whole_parts(passed, ty);
            let src = self.value_of(passed, ty, &parts);
            self.push(Inst::Move { ty, dst, src });
        }
    }

    /// Ends it: what its registers hold is returned.
    pub(super) fn return_registers(&mut self) {
        let Some(function) = self.function else { return };
        for (passed, ty, reg) in self.registers_of(&function.returns, self.owner, true) {
            let parts = self.whole_parts(passed, ty);
            self.pass(passed, ty, Operand::Reg(reg), &parts);
        }
    }

    /// The registers among parameters or results, each with where its value is passed.
    fn registers_of(
        &mut self,
        variables: &'m [Variable],
        owner: Option<FunctionId>,
        returned: bool,
    ) -> Vec<(Passed, ScalarType, Reg)> {
        let Some(owner) = owner else { return Vec::new() };
        let own = (0..).zip(variables).filter(|(_, variable)| variable.space == Space::Reg);
        let register = |(number, variable): (u32, &'m Variable)| {
            let reg = self.named_register(&variable.name.text)?;
            let place = PassedPlace { function: self.callee(owner), returned, number, offset: 0 };
            Some((Passed::new(place), self.type_of(reg), reg))
        };
        own.filter_map(register).collect()
    }
}
