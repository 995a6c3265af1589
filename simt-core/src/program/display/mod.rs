//! The text form: the while-language as ESOP'12 writes it, and which tokens a statement pushes where it stands.
//!
//! ```text
//! kernel collatz(start: &[u32], steps: &mut [u32]) {  // call{Θ}
//!     while (n != 1) {                                // brk{Θ}
//!         if (n % 2 == 0) {                           // sync{Θ} div{act}
//! ```
//!
//! Θ is the mask with which the statement executes, *act* those of its threads for which the condition holds, and
//! `Δ ↦ b` disables them until the token named beside it (ESOP'12, Table 2; `cont` is ours, see `StmtKind::Continue`).
//!
//! People print programs that are wrong, to see what is wrong with them: printing works for every program, and what
//! cannot be shown (a number out of range, an operand behind its parent) appears as its bare number, `?e7`.

mod expression;
mod names;

use super::{Block, ParamKind, Program, Stmt, StmtKind, continues, validate::NESTING_LIMIT};
use expression::Printer;
use std::fmt;

/// Tokens that statements push, and disable states that they set.
mod token {
    pub(super) const CALL: &str = "call{Θ}";
    pub(super) const IF: &str = "sync{Θ} div{act}";
    pub(super) const WHILE: &str = "brk{Θ}";
    pub(super) const WHILE_WITH_CONTINUE: &str = "brk{Θ} cont{act}";
    pub(super) const BREAK: &str = "Δ ↦ b, until brk";
    pub(super) const CONTINUE: &str = "Δ ↦ c, until cont";
    pub(super) const RETURN: &str = "Δ ↦ r, until call";
}

/// The rightmost column in which comments may be aligned; behind longer lines they follow directly.
const COMMENT_COLUMN_LIMIT: usize = 60;

/// A program printed without the column of tokens; made by [`Program::without_tokens`].
#[derive(Clone, Copy, Debug)]
pub struct WithoutTokens<'a>(&'a Program);

impl Program {
    /// The program's text without the tokens that its statements push.
    ///
    /// ```
    /// use simt_core::program::Program;
    /// let program = Program { name: "nothing".into(), ..Program::default() };
    /// assert_eq!(program.to_string(), "kernel nothing() {  // call{Θ}\n}\n");
    /// assert_eq!(program.without_tokens().to_string(), "kernel nothing() {\n}\n");
    /// ```
    pub fn without_tokens(&self) -> WithoutTokens<'_> {
        WithoutTokens(self)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = Listing::of(self).lines;
        let lengths = lines.iter().filter(|line| line.tokens.is_some()).map(|line| line.text.chars().count());
        let aligned = lengths.filter(|&length| length + 2 <= COMMENT_COLUMN_LIMIT);
        let width = aligned.max().unwrap_or(0);
        for Line { text, tokens } in &lines {
            match tokens {
                Some(tokens) => writeln!(f, "{text:width$}  // {tokens}")?,
                None => writeln!(f, "{text}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for WithoutTokens<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Listing::of(self.0).lines.iter().try_for_each(|line| writeln!(f, "{}", line.text))
    }
}

impl fmt::Display for ParamKind {
    /// The parameter's type in Rust.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(ty) => write!(f, "{ty}"),
            Self::Slice { element, writable: true } => write!(f, "&mut [{element}]"),
            Self::Slice { element, writable: false } => write!(f, "&[{element}]"),
        }
    }
}

struct Line {
    text: String,
    tokens: Option<&'static str>,
}

struct Listing<'a> {
    printer: Printer<'a>,
    lines: Vec<Line>,
}

impl<'a> Listing<'a> {
    fn of(program: &'a Program) -> Self {
        let mut listing = Self { printer: Printer::new(program), lines: Vec::new() };
        let params: Vec<_> = program.params.iter().map(|param| format!("{}: {}", param.name, param.kind)).collect();
        listing.line(0, &format!("kernel {}({}) {{", program.name, params.join(", ")), Some(token::CALL));
        listing.block(&program.body, 1);
        listing.line(0, "}", None);
        listing
    }

    fn line(&mut self, level: usize, text: &str, tokens: Option<&'static str>) {
        self.lines.push(Line { text: format!("{:1$}{text}", "", level * 4), tokens });
    }

    fn block(&mut self, block: &[Stmt], level: usize) {
        if level > NESTING_LIMIT {
            // Not valid; printing it to the end could overflow the stack.
            return self.line(level, "...", None);
        }
        for stmt in block {
            self.stmt(&stmt.kind, level);
        }
    }

    fn stmt(&mut self, kind: &StmtKind, level: usize) {
        let e = &self.printer;
        match kind {
            StmtKind::Skip => self.line(level, ";", None),
            StmtKind::Assign { var, value } => {
                self.line(level, &format!("{} = {};", e.variable(*var), e.expr(*value)), None);
            }
            StmtKind::Store { slice, index, value } => {
                let text = format!("{}[{}] = {};", e.param(*slice), e.expr(*index), e.expr(*value));
                self.line(level, &text, None);
            }
            StmtKind::Evaluate { value } => self.line(level, &format!("{};", e.expr(*value)), None),
            StmtKind::If { cond, then, otherwise } => {
                let head = format!("if ({}) {{", e.expr(*cond));
                self.if_chain(head, then, otherwise, level);
            }
            StmtKind::While { cond, body, step } => {
                let tokens = if continues(body) { token::WHILE_WITH_CONTINUE } else { token::WHILE };
                let head = format!("while ({}) {{", e.expr(*cond));
                self.braces(head, tokens, body, step, "} step {", level);
            }
            StmtKind::Break => self.line(level, "break;", Some(token::BREAK)),
            StmtKind::Continue => self.line(level, "continue;", Some(token::CONTINUE)),
            StmtKind::Return => self.line(level, "return;", Some(token::RETURN)),
        }
    }

    /// `if`, its `else if`s on the same level, and the last `else`. A loop, because generated chains can be long.
    fn if_chain<'b>(&mut self, mut head: String, mut then: &'b Block, mut otherwise: &'b Block, level: usize) {
        while let [Stmt { kind: StmtKind::If { cond, then: next_then, otherwise: next_otherwise }, .. }] =
            otherwise.as_slice()
        {
            self.line(level, &head, Some(token::IF));
            self.block(then, level + 1);
            head = format!("}} else if ({}) {{", self.printer.expr(*cond));
            (then, otherwise) = (next_then, next_otherwise);
        }
        self.braces(head, token::IF, then, otherwise, "} else {", level);
    }

    /// `head` and the first block; `middle` and the second one if it holds anything.
    fn braces(
        &mut self,
        mut head: String,
        tokens: &'static str,
        first: &Block,
        second: &Block,
        middle: &str,
        level: usize,
    ) {
        if first.is_empty() && second.is_empty() {
            head.push('}');
            return self.line(level, &head, Some(tokens));
        }
        self.line(level, &head, Some(tokens));
        self.block(first, level + 1);
        if !second.is_empty() {
            self.line(level, middle, None);
            self.block(second, level + 1);
        }
        self.line(level, "}", None);
    }
}
