//! Kernels and functions.

use super::instruction::Block;
use super::types::Variable;
use super::{Linkage, Name};
use crate::span::Span;

/// A kernel or a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Whether it is a kernel.
    pub kind: FunctionKind,
    /// Whether others see it.
    pub linkage: Linkage,
    /// Its name.
    pub name: Name,
    /// What it returns; of a kernel nothing.
    pub returns: Vec<Variable>,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// What it asks of a launch: `.maxntid` and others.
    pub directives: Vec<Directive>,
    /// Its statements; none is a declaration.
    pub body: Option<Block>,
    /// Where it begins.
    pub span: Span,
}

impl Function {
    /// The numbers of a directive, if it has that: those of `.maxntid 128, 1, 1`.
    #[must_use]
    pub fn directive(&self, name: &str) -> Option<&[u32]> {
        self.directives.iter().find(|directive| directive.name.text == name).map(|directive| &directive.values[..])
    }
}

/// Whether a function is a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// `.entry`
    Entry,
    /// `.func`
    Func,
}

/// What a kernel or function asks of a launch or of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Its name without the dot: `maxntid`.
    pub name: Name,
    /// Its numbers.
    pub values: Vec<u32>,
    /// Its texts, of `.pragma`.
    pub texts: Vec<String>,
}
