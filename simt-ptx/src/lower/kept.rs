//! Parameters and results that a call would overwrite: the function keeps them in registers of its own.
//!
//! What passes values belongs to no activation. So a function copies what it reads behind a call of one that is passed its
//! arguments in the same registers, and what it has written as a result in front of such a call. Compilers read parameters
//! first, and write results last: of most functions nothing is copied.

use super::callees::Callees;
use super::emit::Emitter;
use super::operands::unsigned;
use super::passed::{Callee, PassedPlace};
use crate::syntax::{Function, Instruction, OperandKind, StatementKind, Variable};
use simt_core::code::{Inst, Operand};
use simt_core::program::FunctionId;
use std::collections::HashSet;

/// Variables of a function: whether it is returned, and its number.
pub(super) type Kept = HashSet<(bool, u32)>;

/// What matters here of a statement.
enum Step<'m> {
    /// A label that branches go to.
    Target,
    /// It goes elsewhere.
    Branch,
    Call,
    /// It ends the function, of all lanes.
    End,
    /// An access of a variable.
    Access {
        name: &'m str,
        writes: bool,
    },
}

/// The variables that a function keeps.
pub(super) fn kept<'m>(function: &'m Function, callees: &Callees<'m>) -> Kept {
    let mut kept = Kept::new();
    if !callees.shares_with_callees(function) {
        return kept;
    }
    let of = |variables: &[Variable], name: &str| variables.iter().position(|own| own.name.text == name);
    let steps = steps(function);
    let mut overwritten = false;
    for step in &steps {
        match step {
            Step::Access { name, writes: false } if overwritten => {
                kept.extend(of(&function.parameters, name).map(|number| (false, number as u32)));
            }
            // Arguments of a call are written in front of it.
            Step::Access { writes, .. } => overwritten |= writes,
            Step::Target | Step::Call => overwritten = true,
            Step::Branch | Step::End => {}
        }
    }
    overwritten = false;
    for step in steps.iter().rev() {
        match step {
            Step::Access { name, writes: true } if overwritten => {
                kept.extend(of(&function.returns, name).map(|number| (true, number as u32)));
            }
            Step::Branch | Step::Call => overwritten = true,
            Step::End => overwritten = false,
            Step::Target | Step::Access { .. } => {}
        }
    }
    kept
}

fn steps(function: &Function) -> Vec<Step<'_>> {
    let statements = function.body.as_ref().map_or(&[][..], |body| &body.statements);
    let mut targets = HashSet::new();
    super::walk(statements, &mut |statement| match &statement.kind {
        StatementKind::Instruction(instruction) if instruction.opcode.text == "bra" => {
            targets.extend(instruction.operands.iter().filter_map(|operand| match &operand.kind {
                OperandKind::Name(name) => Some(name.as_str()),
                _ => None,
            }));
        }
        StatementKind::BranchTargets(names) => targets.extend(names.iter().map(|name| name.text.as_str())),
        _ => {}
    });
    let mut steps = Vec::new();
    super::walk(statements, &mut |statement| match &statement.kind {
        StatementKind::Label(name) if targets.contains(name.text.as_str()) => steps.push(Step::Target),
        StatementKind::Instruction(instruction) => steps.extend(step(instruction)),
        _ => {}
    });
    steps
}

fn step(instruction: &Instruction) -> Option<Step<'_>> {
    let name = || {
        instruction.operands.iter().find_map(|operand| match &operand.kind {
            OperandKind::Address { base: Some(base), .. } => Some(base.text.as_str()),
            _ => None,
        })
    };
    match instruction.opcode.text.as_str() {
        "bra" | "brx" => Some(Step::Branch),
        "call" => Some(Step::Call),
        "ret" | "exit" if instruction.guard.is_none() => Some(Step::End),
        opcode @ ("ld" | "st") => name().map(|name| Step::Access { name, writes: opcode == "st" }),
        _ => None,
    }
}

impl<'m> Emitter<'m, '_> {
    /// Begins a function: copies the parameters that it keeps.
    pub(super) fn keep_parameters(&mut self, function: &'m Function, owner: Option<FunctionId>) {
        self.kept = owner.map_or_else(Kept::new, |_| kept(function, &self.callees));
        self.copy_kept(false);
    }

    /// Ends it: results go to where the caller expects them.
    pub(super) fn return_kept(&mut self) {
        self.copy_kept(true);
        self.return_registers();
    }

    fn copy_kept(&mut self, returned: bool) {
        let (Some(function), Some(owner)) = (self.function, self.owner) else { return };
        let mut numbers: Vec<u32> = self.kept.iter().filter(|own| own.0 == returned).map(|own| own.1).collect();
        numbers.sort_unstable();
        for number in numbers {
            for (offset, bytes) in self.parts.all((self.callees.class(&function.name.text), returned, number)) {
                let ty = unsigned(8 * bytes);
                let place = PassedPlace { function: self.callee(owner), returned, number, offset };
                let passing = self.passing(place, ty);
                let own = self.passing(PassedPlace { function: Callee::Kept(owner), ..place }, ty);
                let (dst, src) = if returned { (passing, own) } else { (own, passing) };
                self.push(Inst::Move { ty, dst, src: Operand::Reg(src) });
            }
        }
    }
}
