//! Instructions.

use super::Parsed;
use super::cursor::{Cursor, shortened};
use crate::lex::Kind;
use crate::syntax::{Guard, Instruction, Name};
use crate::table::{self, Mismatch};

/// What has all that can be written, and where a user of the command or of the library finds it.
const TABLE: &str = "the table of opcodes (`simt ptx --opcodes`, or the page of `simt_ptx::table`)";

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
        // A wrong name does not keep its operands from being read.
        self.arrange(&opcode, &mut modifiers);
        let operands = self.operands(opcode.text == "call")?;
        Ok(Instruction { guard, opcode, modifiers, operands })
    }

    /// Puts modifiers in the order of the table, or notes why no row has them.
    fn arrange(&mut self, opcode: &Name, modifiers: &mut [Name]) {
        let Err(mismatch) = table::arrange(&opcode.text, modifiers) else { return };
        let written = shortened(&opcode.text);
        match mismatch {
            Mismatch::Opcode(near) => {
                let help = match near[..] {
                    [] => format!("look in {TABLE} for what is there"),
                    _ => format!("did you mean {}?", listed("", &near, 3)),
                };
                self.problem(opcode.span, format!("PTX has no instruction `{written}`"), "not known", help);
            }
            Mismatch::Modifier { at, near } => {
                let name = &modifiers[at];
                let before: String = modifiers[..at].iter().map(|name| format!(".{name}")).collect();
                let with = if at == 0 { String::new() } else { format!(" beside `{}`", shortened(&before)) };
                let message = format!("`{written}` has no modifier `.{}`{with}", shortened(&name.text));
                let help = match near[..] {
                    [] => format!("remove one of them, or look in {TABLE} for the forms of `{written}`"),
                    _ => format!("did you mean {}?", listed(".", &near, 3)),
                };
                self.problem(name.span, message, "not one of its modifiers", help);
            }
            Mismatch::Missing(words) => {
                let end = modifiers.last().map_or(opcode.span, |name| name.span).behind();
                let what = listed(".", &words, 12);
                let message = format!("`{written}` lacks a modifier");
                self.problem(end, message, format!("expected {what}"), format!("add {what}"));
            }
        }
    }
}

/// Modifiers or opcodes as a sentence has them: `.a`, `.b` or `.c`. Of many the first.
fn listed(dot: &str, words: &[&str], most: usize) -> String {
    let shown: Vec<String> = words.iter().take(most).map(|word| format!("`{dot}{word}`")).collect();
    match shown.split_last() {
        Some((last, [])) => last.clone(),
        Some((_, _)) if words.len() > most => format!("{} or another", shown.join(", ")),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => String::new(),
    }
}
