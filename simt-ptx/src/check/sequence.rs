//! What stands around calls: `st.param` of an argument in front of its call, `ld.param` of a result behind it, and no other call
//! between them (PTX ISA, "Function Declarations and Definitions").
//!
//! Arguments are passed in registers of the function that is called: those of another call would take their place.

use super::Checker;
use crate::scope::Meaning;
use crate::syntax::{Instruction, Operand, OperandKind, Space, Variable};
use crate::table::{Becomes, Form};
use std::collections::HashMap;
use std::ptr;

/// What has been passed in front of a place in a function.
#[derive(Default)]
pub(super) struct Sequence<'a> {
    /// The variables that have been written since the last call, with the operands that name them.
    written: Vec<(&'a Variable, &'a Operand)>,
    /// What the last call has returned.
    returned: Vec<*const Variable>,
    /// The line of the last call that has passed a variable which was written in front of it.
    passed: HashMap<*const Variable, u32>,
}

impl<'a> Checker<'a> {
    /// The variable of a call that an operand names.
    fn of_call(&self, operand: &Operand) -> Option<&'a Variable> {
        let name = match &operand.kind {
            OperandKind::Name(name) => name,
            OperandKind::Address { base: Some(base), .. } => &base.text,
            _ => return None,
        };
        match self.scopes.find(name) {
            Some(Meaning::Variable { variable, of_function: false, .. }) if variable.space == Space::Param => {
                Some(variable)
            }
            _ => None,
        }
    }

    /// A load or store of what a call passes.
    pub(super) fn sequence_access(&mut self, form: &Form<'a>) {
        let writes = match form.becomes() {
            Becomes::Load => false,
            Becomes::Store => true,
            _ => return,
        };
        let Some((variable, operand)) =
            form.instruction.operands.iter().find_map(|operand| Some((self.of_call(operand)?, operand)))
        else {
            return;
        };
        if let Some(guard) = &form.instruction.guard {
            let message = format!("`{}` of what a call passes has a guard", form.instruction.full_name());
            let help = "choose the value by `selp` in front of the call, or branch around all of it";
            self.problem(guard.register.span, message, "may not have one", help);
        }
        let name = &variable.name;
        if writes {
            self.sequence.written.push((variable, operand));
        } else if !self.sequence.returned.contains(&ptr::from_ref(variable)) {
            let message = format!("`{name}` is not what the call in front of this returns");
            let help = "read a result behind its call, in front of the next one";
            self.problem(operand.span, message, "not a result here", help);
        }
    }

    /// The end of a function, in front of which nothing is left to be passed.
    pub(super) fn sequence_end(&mut self) {
        if let Some((variable, operand)) = std::mem::take(&mut self.sequence.written).into_iter().next() {
            let message = format!("`{}` is written, and no call behind it passes it", variable.name);
            self.problem(operand.span, message, "of no call", "write it in front of the call that passes it");
        }
    }

    /// A call, which passes what has been written since the one before.
    pub(super) fn sequence_call(&mut self, instruction: &'a Instruction) {
        let Some(call) = instruction.as_call() else { return };
        let variables = |operands: &'a [Operand]| -> Vec<(&'a Variable, &'a Operand)> {
            operands.iter().filter_map(|operand| Some((self.of_call(operand)?, operand))).collect()
        };
        let (arguments, results) = (variables(call.arguments), variables(call.returns));
        let is_among = |all: &[(&'a Variable, &'a Operand)], one| all.iter().any(|&(other, _)| ptr::eq(one, other));
        let written = std::mem::take(&mut self.sequence.written);
        let mut said = Vec::new();
        for &(variable, operand) in &written {
            if is_among(&arguments, variable) || said.contains(&ptr::from_ref(variable)) {
                continue;
            }
            said.push(ptr::from_ref(variable));
            let line = instruction.opcode.span.line;
            let message =
                format!("`{}` is written in front of a call that does not pass it, in line {line}", variable.name);
            let help = "write what a call passes directly in front of it, behind the call before";
            self.problem(operand.span, message, "not for the next call", help);
        }
        for &(variable, operand) in &arguments {
            if is_among(&written, variable) {
                self.sequence.passed.insert(ptr::from_ref(variable), instruction.opcode.span.line);
            } else if self.sequence.returned.contains(&ptr::from_ref(variable)) {
                let message = format!("`{}` is the result of another call", variable.name);
                let help = "read it by `ld.param`, and write the value to an argument by `st.param`";
                self.problem(operand.span, message, "not written", help);
            } else if let Some(line) = self.sequence.passed.get(&ptr::from_ref(variable)) {
                let message =
                    format!("`{}` was passed by the call in line {line}, and is not written again", variable.name);
                self.problem(operand.span, message, "not written", "write it in front of each call, by `st.param`");
            }
        }
        self.sequence.returned = results.into_iter().map(|(variable, _)| ptr::from_ref(variable)).collect();
    }
}
