//! Instructions.

use super::Parsed;
use super::cursor::Cursor;
use crate::lex::Kind;
use crate::syntax::{Guard, Instruction, Name};

impl Cursor<'_> {
    /// An instruction with its guard and its `;`.
    pub(super) fn instruction(&mut self) -> Parsed<Instruction> {
        let guard = if self.eat(Kind::At) {
            let negated = self.eat(Kind::Not);
            Some(Guard { negated, register: self.name("a predicate behind `@`")? })
        } else {
            None
        };
        let opcode = self.name("an instruction")?;
        let mut modifiers = Vec::new();
        while let Some(text) = self.dotted() {
            let span = self.take().span();
            modifiers.push(Name::new(text, span));
        }
        let operands = self.operands()?;
        Ok(Instruction { guard, opcode, modifiers, operands })
    }
}
