//! Functions and statements.

use super::{commas, linkage, pragma};
use crate::syntax::{Block, Directive, Function, FunctionKind, Location, Statement, StatementKind, Variable};
use std::fmt;

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        linkage(f, self.linkage)?;
        f.write_str(if self.kind == FunctionKind::Entry { ".entry " } else { ".func " })?;
        if !self.returns.is_empty() {
            parameters(f, &self.returns)?;
            f.write_str(" ")?;
        }
        write!(f, "{}", self.name)?;
        parameters(f, &self.parameters)?;
        self.directives.iter().try_for_each(|directive| write!(f, "\n{directive}"))?;
        match &self.body {
            Some(body) => {
                f.write_str("\n")?;
                block(f, body, 0)
            }
            None => f.write_str(";"),
        }
    }
}

impl fmt::Display for Directive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.texts.is_empty() {
            return pragma(f, &self.texts);
        }
        write!(f, ".{} ", self.name)?;
        commas(f, &self.values)
    }
}

fn parameters(f: &mut fmt::Formatter<'_>, parameters: &[Variable]) -> fmt::Result {
    f.write_str("(")?;
    commas(f, parameters)?;
    f.write_str(")")
}

/// A block whose braces stand `depth` steps from the edge. The parser lets none nest deep.
fn block(f: &mut fmt::Formatter<'_>, block: &Block, depth: usize) -> fmt::Result {
    writeln!(f, "{:1$}{{", "", 2 * depth)?;
    for statement in &block.statements {
        match &statement.kind {
            StatementKind::Block(inner) => self::block(f, inner, depth + 1)?,
            StatementKind::Label(_) => write!(f, "{statement}")?,
            _ => write!(f, "{:1$}{statement}", "", 2 * depth + 2)?,
        }
        writeln!(f)?;
    }
    write!(f, "{:1$}}}", "", 2 * depth)
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            StatementKind::Label(name) => write!(f, "{name}:"),
            StatementKind::Instruction(instruction) => write!(f, "{instruction}"),
            StatementKind::Block(inner) => block(f, inner, 0),
            StatementKind::Registers(registers) => write!(f, "{registers};"),
            StatementKind::Variable(variable) => write!(f, "{variable};"),
            StatementKind::Location(location) => write!(f, "{location}"),
            StatementKind::Pragma(texts) => pragma(f, texts),
            StatementKind::BranchTargets(names) => {
                f.write_str(".branchtargets ")?;
                commas(f, names)?;
                f.write_str(";")
            }
            StatementKind::CallTargets(names) => {
                f.write_str(".calltargets ")?;
                commas(f, names)?;
                f.write_str(";")
            }
            StatementKind::CallPrototype { returns, parameters: taken, no_return } => {
                f.write_str(".callprototype ")?;
                if !returns.is_empty() {
                    parameters(f, returns)?;
                    f.write_str(" ")?;
                }
                f.write_str("_ ")?;
                parameters(f, taken)?;
                f.write_str(if *no_return { " .noreturn;" } else { ";" })
            }
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".loc {} {} {}", self.file, self.line, self.column)?;
        if let Some((name, offset)) = &self.function {
            write!(f, ", function_name {name}")?;
            if *offset != 0 {
                write!(f, "+{offset}")?;
            }
        }
        let inlined_at = self.inlined_at.as_ref();
        inlined_at.map_or(Ok(()), |(file, line, column)| write!(f, ", inlined_at {file} {line} {column}"))
    }
}
