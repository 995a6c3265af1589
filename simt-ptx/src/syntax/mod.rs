//! The tree of a module: what its text says, nothing of what it means.
//!
//! Names are as written, with their `%`. Comments and the contents of debug sections are not in the tree; instructions have
//! their modifiers in the order of the table ([`crate::table`]), whatever the order in the text.

mod function;
mod instruction;
mod label;
mod module;
mod operand;
mod types;

pub use function::{Directive, Function, FunctionKind};
pub use instruction::{Block, Call, Guard, Instruction, Location, RegisterName, Registers, Statement, StatementKind};
pub use label::{Labelled, Prototype, labels};
pub use module::{Header, Item, ItemKind, Linkage, Module, SourceFile};
pub use operand::{Component, Float, Operand, OperandKind};
pub(crate) use types::dotted;
pub use types::{Initializer, Pointer, Space, Type, Variable, Vector};

use crate::span::Span;
use std::fmt;

/// A name, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name as written, with its `%`; of a modifier without its dot.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Name {
    /// A name that stands somewhere.
    #[must_use]
    pub fn new(text: impl Into<String>, span: Span) -> Name {
        Name { text: text.into(), span }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
