//! The first pass: what each line is, the declarations, and the address of each label and instruction.

use super::cursor::{Cursor, Read};
use super::declare::{Declared, Owner};
use super::error::{AssembleError, Place, Problem};
use super::lexer::{Kind, Token, tokens};
use crate::code::Pc;
use crate::program::CollectiveOp;

/// A line with an instruction.
#[derive(Debug)]
pub(super) struct Line {
    /// Its number.
    pub(super) number: u32,
    pub(super) tokens: Vec<Token>,
    /// Index of the token that the instruction begins with, its predicate included.
    pub(super) start: usize,
    /// The function it belongs to.
    pub(super) owner: Owner,
    /// The address of the first instruction that it becomes.
    pub(super) pc: u32,
}

/// A text after the first pass.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) declared: Declared,
    pub(super) lines: Vec<Line>,
    /// How many instructions there are.
    pub(super) len: u32,
}

/// Reads all lines of a text.
pub(super) fn read(text: &str, file: &str) -> Result<Lines, AssembleError> {
    let mut lines = Lines::default();
    let mut owner = None;
    let mut begun = false;
    let mut last = 0;
    for (line, number) in text.lines().zip(1..) {
        last = number;
        tokens(line)
            .and_then(|tokens| lines.line(tokens, number, &mut owner, &mut begun))
            .map_err(|problem| problem.on(number, line, file))?;
    }
    if lines.len == 0 || !begun {
        let what = if begun { "there are no instructions" } else { "there is no kernel" };
        let expected = if begun { "at least `exit`" } else { "a line such as `kernel name(x: &mut [u32])`" };
        let place = Place { start: 1, end: 2 };
        return Err(Problem::new(place, what, expected).on(last.max(1), text.lines().last().unwrap_or_default(), file));
    }
    Ok(lines)
}

impl Lines {
    fn line(&mut self, tokens: Vec<Token>, number: u32, owner: &mut Owner, begun: &mut bool) -> Read<()> {
        let mut cursor = Cursor::new(&tokens);
        if cursor.is_done() {
            return Ok(());
        }
        let is_head = !matches!(cursor.peek_second(), Some(Kind::Sign(':')));
        if is_head && !*begun {
            if !cursor.keyword("kernel") {
                return cursor.unexpected("`kernel name(x: &mut [u32])` before everything else");
            }
            *begun = true;
            self.declared.kernel(&mut cursor, number)?;
            return cursor.finish();
        }
        if is_head && matches!(cursor.peek(), Some(Kind::Word(word)) if word == "kernel") {
            let what = "there is a kernel already";
            return Err(Problem::new(cursor.place(), what, "`func name` for a function, or another text"));
        }
        if is_head && cursor.keyword("func") {
            *owner = Some(self.declared.function(&mut cursor, self.len)?);
            return cursor.finish();
        }
        if cursor.take('.') {
            self.declared.directive(&mut cursor, *owner, number)?;
            return cursor.finish();
        }
        self.labels(&mut cursor, *owner)?;
        if cursor.is_done() {
            return Ok(());
        }
        let start = tokens.len() - cursor.rest();
        let count = instructions(&mut cursor)?;
        let pc = self.len;
        self.lines.push(Line { number, tokens, start, owner: *owner, pc });
        self.len += count;
        Ok(())
    }

    /// Labels and the address in front of an instruction.
    fn labels(&mut self, cursor: &mut Cursor<'_>, owner: Owner) -> Read<()> {
        loop {
            let place = cursor.place();
            match (cursor.peek(), cursor.peek_second()) {
                (Some(Kind::Word(label) | Kind::Quoted(label)), Some(Kind::Sign(':'))) => {
                    cursor.skip();
                    cursor.skip();
                    if self.declared.labels.insert((owner, label.clone()), Pc(self.len)).is_some() {
                        let what = format!("there is a label `{label}` already");
                        return Err(Problem::new(place, what, "another name"));
                    }
                }
                (Some(Kind::Sign('@')), Some(Kind::Number(_))) => {
                    cursor.skip();
                    let address = cursor.integer("an address")?;
                    if address != self.len {
                        let what = format!("this instruction is at @{}, not at @{address}", self.len);
                        let expected = format!("`@{}`, or no address", self.len);
                        return Err(Problem::new(cursor.since(place), what, expected));
                    }
                }
                _ => return Ok(()),
            }
        }
    }
}

/// How many instructions a line becomes: some are branched around if they have a predicate.
fn instructions(cursor: &mut Cursor<'_>) -> Read<u32> {
    if !cursor.take('@') {
        return Ok(1);
    }
    cursor.take('!');
    cursor.register()?;
    let is_two = matches!(cursor.peek(), Some(Kind::Word(word)) if is_branched_around(word));
    Ok(if is_two { 2 } else { 1 })
}

/// Whether a predicate on an instruction becomes a branch around it: one by which threads leave for good, or go elsewhere or
/// wait as others say.
pub(super) fn is_branched_around(mnemonic: &str) -> bool {
    matches!(mnemonic, "exit" | "ret" | "cont" | "call" | "brx" | "bar")
        || CollectiveOp::ALL.iter().any(|op| op.name() == mnemonic)
}

/// Whether a predicate on an instruction is the condition that it has itself.
pub(super) fn is_conditional(mnemonic: &str) -> bool {
    matches!(mnemonic, "bra" | "brk" | "jmp" | "break")
}
