//! Calls of what a register points to: an indirect branch, by the number of the function, to one call for each that it may be.
//!
//! All functions of a signature whose addresses are taken are passed their arguments in the same registers, so that nothing is
//! copied at the call.

use super::callees::{APART, FIRST, IndirectCall};
use super::emit::Emitter;
use super::labels::LabelId;
use super::operands::constant;
use super::passed::Callee;
use crate::syntax::{Call, Function, Instruction};
use simt_core::ScalarType;
use simt_core::code::{Inst, JumpKind, Operand, Pc, TableId, ValuesId};
use simt_core::ops::{BinaryOp, NumericOp};
use simt_core::program::{Form, Message, MessageId, Piece, Style};
use std::ptr;

/// How many functions the error of a wrong pointer names.
const NAMED: usize = 8;

impl<'m> Emitter<'m, '_> {
    /// `call` of a register
    pub(super) fn call_indirect(&mut self, instruction: &'m Instruction, call: Call<'m>) -> Option<()> {
        let Some(indirect) = self.callees.indirect(&call).cloned() else {
            let help =
                "write `call (results), %rd1, (arguments), name;` and `name: .callprototype (results) _ (parameters);`";
            self.problem(call.callee.span, "what a register points to is called without a prototype", help);
            return None;
        };
        let callee = Callee::Signature(indirect.signature);
        self.arguments(instruction, callee, indirect.parameters, call.arguments)?;
        self.pass_activation(&indirect.callees, callee);
        let pointer = self.read(call.callee, ScalarType::U64)?;
        self.dispatch(&indirect, pointer)?;
        self.results(instruction, callee, indirect.returns, call.returns)
    }

    /// Lanes go to the call of their function, and meet behind.
    fn dispatch(&mut self, indirect: &IndirectCall<'m>, pointer: Operand) -> Option<()> {
        if indirect.callees.is_empty() {
            self.wrong_pointer(indirect, pointer);
            return Some(());
        }
        let taken: Vec<&Function> = self.callees.taken().collect();
        let (word, wrong, behind) = (ScalarType::U64, self.new_label(), self.new_label());
        // What is no function's address becomes a number beyond the last.
        let (number, index) = (self.temporary(word), self.temporary(ScalarType::U32));
        self.binary(BinaryOp::Sub, word, number, &[pointer, constant(FIRST.into(), word)]);
        let bits = constant(APART.ilog2().into(), ScalarType::U32);
        self.numeric(NumericOp::RotateRight, word, number, &[Operand::Reg(number), bits]);
        self.numeric(NumericOp::Min, word, number, &[Operand::Reg(number), constant(taken.len() as i128, word)]);
        self.push(Inst::Cast { from: word, to: ScalarType::U32, dst: index, src: Operand::Reg(number) });
        let labels: Vec<LabelId> = indirect.callees.iter().map(|_| self.new_label()).collect();
        let label_of = |function: &Function| {
            let callee = indirect.callees.iter().position(|callee| ptr::eq(*callee, function));
            callee.map_or(wrong, |callee| labels[callee])
        };
        let targets = taken.into_iter().map(label_of).chain([wrong]).collect();
        let table = TableId(self.tables.len() as u32);
        self.tables.push(Vec::new());
        self.table_labels.push((table, targets));
        self.push_control(Inst::Indirect { index: Operand::Reg(index), table });
        for (callee, &label) in indirect.callees.iter().zip(&labels) {
            self.place_label(label);
            let function = self.called(&callee.name.text)?;
            self.push_control(Inst::Call { function, target: Pc(0) });
            self.push_jump(Inst::Jump { target: Pc(0), kind: JumpKind::Plain }, behind);
        }
        self.place_label(wrong);
        self.wrong_pointer(indirect, pointer);
        self.place_label(behind);
        Some(())
    }

    /// Ends the launch: the pointer is that of no function that the call may call.
    fn wrong_pointer(&mut self, indirect: &IndirectCall<'m>, pointer: Operand) {
        let text = |text: String| Piece::Text(text.into());
        let style = Style { form: Form::LowerHex, alternate: true, ..Style::default() };
        let message = Message {
            pieces: vec![text("call of ".into()), Piece::Value { arg: 0, style }, text(self.expected(indirect))],
        };
        let (id, values) = (MessageId(self.messages.len() as u32), ValuesId(self.values.len() as u32));
        self.messages.push(message);
        self.values.push(vec![(ScalarType::U64, pointer)]);
        self.push_control(Inst::Panic { message: id, values });
    }

    /// What the call may call, and what to do.
    fn expected(&self, indirect: &IndirectCall<'m>) -> String {
        let address = |function: &Function| match self.function_address(function) {
            Some(Operand::Const(address)) => format!("`{}` ({:#x})", function.name, address.bits),
            _ => format!("`{}`", function.name),
        };
        let listed = |functions: Vec<&Function>| {
            let named: Vec<String> = functions.iter().take(NAMED).map(|one| address(one)).collect();
            let more = functions.len().saturating_sub(NAMED);
            named.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
        };
        let is_callee = |function: &Function| indirect.callees.iter().any(|callee| ptr::eq(*callee, function));
        let others: Vec<&Function> = self.callees.taken().filter(|function| !is_callee(function)).collect();
        let (label, line) = (indirect.label, indirect.label.span.line);
        let mut text = format!(", which is the address of no function that `{label}` (PTX line {line}) describes: ");
        text += &match indirect.callees.is_empty() {
            true => "the module takes the address of none".into(),
            false => format!("those are {}", listed(indirect.callees.clone())),
        };
        if !others.is_empty() {
            text += &format!("; others are {}", listed(others));
        }
        text + "; call an address that `mov` or an initializer has taken of a function with these parameters and results"
    }
}
