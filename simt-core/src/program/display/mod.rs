//! The text form: the while-language as ESOP'12 writes it, and which tokens a statement pushes where it stands.
//!
//! ```text
//! kernel collatz(start: &[u32], steps: &mut [u32]) {  // call{Θ}
//!     while (n != 1) {                                // brk{Θ}
//!         if (n % 2 == 0) {                           // sync{Θ} div{act}
//! ```
//!
//! Θ is the mask with which the statement executes, *act* those of its threads for which the condition holds, and
//! `Δ ↦ b` disables them until the token named beside it (ESOP'12, Table 2; `cont` is an extension, see `StmtKind`). A loop that is
//! left from within another one has a label, and its tokens have it too: `brk(a){Θ}`.
//!
//! Functions follow the kernel, the variable that holds the result behind the arrow: `fn f(x: u32) -> r: u32 {`.
//!
//! A program that is wrong is printed to see what is wrong with it. So printing works for every program, and what
//! cannot be shown (a number out of range, an operand behind its parent) appears as its bare number, `?e7`.

mod expression;
mod message;
mod names;
mod statement;

use super::validate::NESTING_LIMIT;
use super::visit::{continues, else_if, needs_label};
use super::{Array, ArrayId, ArraySpace, Block, FunctionId, Param, ParamKind, Program, Stmt, StmtKind, VarId};
use crate::scalar::Constant;
use crate::scalar::ScalarType;
use expression::Printer;
pub(crate) use message::specification;
use std::borrow::Cow;
use std::fmt;

/// Tokens that statements push, and disable states that they set; those of loops depend on the loop's label.
mod token {
    pub(super) const CALL: &str = "call{Θ}";
    pub(super) const IF: &str = "sync{Θ} div{act}";
    pub(super) const RETURN: &str = "Δ ↦ r, until call";
}

/// Comment beside a statement.
type Tokens = Option<Cow<'static, str>>;

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
        match *self {
            Self::Scalar(ty) => write!(f, "{ty}"),
            Self::Slice { element, writable: true } => write!(f, "&mut [{element}]"),
            Self::Slice { element, writable: false } | Self::Constant { element } => write!(f, "&[{element}]"),
            Self::Atomic { element } => write!(f, "&[{}]", atomic_type(element)),
            Self::Bytes { size, align } => write!(f, "bytes {size} align {align}"),
        }
    }
}

/// How many elements of a table are shown.
const SHOWN: usize = 8;

/// A parameter as in the signature.
fn parameter(param: &Param) -> String {
    let attribute = if matches!(param.kind, ParamKind::Constant { .. }) { "#[constant] " } else { "" };
    let table = match (&param.table, param.kind.element()) {
        (Some(table), Some(ty)) => {
            let shown = table.iter().take(SHOWN).map(|&bits| Constant { ty, bits }.to_string());
            let rest = (table.len() > SHOWN).then(|| "..".to_owned());
            format!(" = [{}]", shown.chain(rest).collect::<Vec<_>>().join(", "))
        }
        _ => String::new(),
    };
    format!("{attribute}{}: {}{table}", param.name, param.kind)
}

/// The type of `std::sync::atomic` that holds the type.
fn atomic_type(ty: ScalarType) -> String {
    let name = ty.to_string();
    let mut rest = name.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    "Atomic".chars().chain(first).chain(rest).collect()
}

struct Line {
    text: String,
    tokens: Tokens,
}

struct Listing<'a> {
    printer: Printer<'a>,
    lines: Vec<Line>,
    /// The loops around the current statement, innermost last, each with its label if it needs one.
    loops: Vec<Option<String>>,
    /// How many labels there are in the current function.
    labels: usize,
}

impl<'a> Listing<'a> {
    fn of(program: &'a Program) -> Self {
        let mut listing = Self { printer: Printer::new(program), lines: Vec::new(), loops: Vec::new(), labels: 0 };
        let params: Vec<_> = program.params.iter().map(parameter).collect();
        let head = format!("kernel {}({}) {{", program.name, params.join(", "));
        if let Some(bounds) = program.launch_bounds {
            listing.line(0, &format!("#[launch_bounds({})]", bounds.threads), None);
        }
        listing.line(0, &head, Some(token::CALL.into()));
        listing.body(None, &program.body);
        for (function, number) in program.functions.iter().zip(0..) {
            let typed = |var: VarId| {
                let known = program.variables.get(var.0 as usize);
                let ty = known.map_or_else(|| "?".to_string(), |variable| variable.ty.to_string());
                format!("{}: {ty}", listing.printer.variable(var))
            };
            let params: Vec<_> = function.params.iter().map(|&param| typed(param)).collect();
            let result = function.result.map_or_else(String::new, |result| format!(" -> {}", typed(result)));
            let name = listing.printer.function(FunctionId(number));
            let head = format!("fn {name}({}){result} {{", params.join(", "));
            listing.line(0, "", None);
            listing.line(0, &head, None);
            listing.body(Some(FunctionId(number)), &function.body);
        }
        listing
    }

    /// What stands between the braces of the kernel or a function, and the last one.
    fn body(&mut self, function: Option<FunctionId>, block: &Block) {
        let program = self.printer.program();
        self.labels = 0;
        for (array, number) in program.arrays.iter().zip(0..) {
            // An array of a function that there is not appears in the kernel.
            let owner = array.function.filter(|id| (id.0 as usize) < program.functions.len());
            if owner == function {
                let name = self.printer.memory(ArrayId(number).into());
                self.line(1, &declaration(&name, array), None);
            }
        }
        self.block(block, 1);
        self.line(0, "}", None);
    }

    fn line(&mut self, level: usize, text: &str, tokens: Tokens) {
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
        match kind {
            StmtKind::If { cond, then, otherwise } => {
                let head = format!("if ({}) {{", self.printer.expr(*cond));
                self.if_chain(head, then, otherwise, level);
            }
            StmtKind::While { cond, body, step } => {
                let label = needs_label(body).then(|| self.new_label());
                let of = label.as_ref().map_or_else(String::new, |label| format!("({label})"));
                let cont = if continues(body) { format!(" cont{of}{{act}}") } else { String::new() };
                let tokens = format!("brk{of}{{Θ}}{cont}");
                let label_text = label.as_ref().map_or_else(String::new, |label| format!("'{label}: "));
                let head = format!("{label_text}while ({}) {{", self.printer.expr(*cond));
                self.repeat(head, tokens.into(), label, (body, step), level);
            }
            StmtKind::Break { out } => self.exit("break", ["b", "brk"], *out, level),
            StmtKind::Continue { out } => self.exit("continue", ["c", "cont"], *out, level),
            StmtKind::Return => self.line(level, "return;", Some(token::RETURN.into())),
            StmtKind::Call { .. } => self.line(level, &self.printer.statement(kind), Some(token::CALL.into())),
            simple => self.line(level, &self.printer.statement(simple), None),
        }
    }

    fn new_label(&mut self) -> String {
        let number = self.labels;
        self.labels += 1;
        let letter = char::from(b'a' + (number % 26) as u8);
        if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26) }
    }

    /// `break` or `continue`, its disable state and the token that it waits for.
    fn exit(&mut self, name: &str, [state, token]: [&str; 2], out: u32, level: usize) {
        let around = self.loops.iter().rev().nth(out as usize);
        let label = match around {
            Some(label) => label.clone(),
            None => (out > 0).then(|| format!("?{out}")),
        };
        let of = label.as_ref().map_or_else(String::new, |label| format!("({label})"));
        let text = match label {
            Some(label) if out > 0 => format!("{name} '{label};"),
            _ => format!("{name};"),
        };
        self.line(level, &text, Some(format!("Δ ↦ {state}{of}, until {token}{of}").into()));
    }

    /// `if`, its `else if`s on the same level, and the last `else`. A loop, because chains can be long.
    fn if_chain<'b>(&mut self, mut head: String, mut then: &'b Block, mut otherwise: &'b Block, level: usize) {
        while let Some(StmtKind::If { cond, then: next_then, otherwise: next_otherwise }) =
            else_if(otherwise).map(|stmt| &stmt.kind)
        {
            self.line(level, &head, Some(token::IF.into()));
            self.block(then, level + 1);
            head = format!("}} else if ({}) {{", self.printer.expr(*cond));
            (then, otherwise) = (next_then, next_otherwise);
        }
        if then.is_empty() && otherwise.is_empty() {
            return self.line(level, &(head + "}"), Some(token::IF.into()));
        }
        self.line(level, &head, Some(token::IF.into()));
        self.block(then, level + 1);
        if !otherwise.is_empty() {
            self.line(level, "} else {", None);
            self.block(otherwise, level + 1);
        }
        self.line(level, "}", None);
    }

    fn repeat(
        &mut self,
        head: String,
        tokens: Cow<'static, str>,
        label: Option<String>,
        (body, step): (&Block, &Block),
        level: usize,
    ) {
        if body.is_empty() && step.is_empty() {
            return self.line(level, &(head + "}"), Some(tokens));
        }
        self.line(level, &head, Some(tokens));
        self.loops.push(label);
        self.block(body, level + 1);
        self.loops.pop();
        if !step.is_empty() {
            self.line(level, "} step {", None);
            // From there no loop around can be left.
            let around = std::mem::take(&mut self.loops);
            self.block(step, level + 1);
            self.loops = around;
        }
        self.line(level, "}", None);
    }
}

fn declaration(name: &str, array: &Array) -> String {
    let space = match array.space {
        ArraySpace::Shared => "shared",
        ArraySpace::Local => "local",
    };
    let ty = if array.atomic { atomic_type(array.element) } else { array.element.to_string() };
    match (array.dynamic, array.row) {
        (true, 0 | 1) => format!("{space} {name}: [{ty}];"),
        (true, row) => format!("{space} {name}: [[{ty}; {row}]];"),
        (false, _) if array.unset => format!("{space} {name}: [{ty}; {}] unset;", array.length),
        (false, _) => format!("{space} {name}: [{ty}; {}];", array.length),
    }
}
