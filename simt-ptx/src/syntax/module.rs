//! Modules and what they consist of.

use super::function::Function;
use super::types::Variable;
use super::{Name, RegisterName};
use crate::span::Span;

/// A file of PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// What it says of itself.
    pub header: Header,
    /// What is in it.
    pub items: Vec<Item>,
}

impl Module {
    /// Its functions and kernels, declarations too.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Function(function) => Some(function),
            _ => None,
        })
    }

    /// Its variables.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Variable(variable) => Some(variable),
            _ => None,
        })
    }

    /// The files of source that [`super::Location`]s name by number.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::File(file) => Some(file),
            _ => None,
        })
    }
}

/// The directives at the beginning of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version of PTX: major and minor number.
    pub version: (u32, u32),
    /// Where `.version` stands.
    pub version_span: Span,
    /// The targets: `sm_75`, `debug`.
    pub targets: Vec<Name>,
    /// The size of an address in bits, if it says so.
    pub address_size: Option<u32>,
}

/// Something in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Where it begins.
    pub span: Span,
}

/// What stands in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A kernel or function.
    Function(Function),
    /// A variable.
    Variable(Variable),
    /// Registers of no function, which old PTX has.
    Registers(super::Registers),
    /// A file of source.
    File(SourceFile),
    /// Debug information, of which only the name is kept.
    Section(Name),
    /// A function's other name.
    Alias {
        /// The other name.
        name: Name,
        /// Of what.
        of: Name,
    },
    /// Texts for the compiler.
    Pragma(Vec<String>),
}

/// A `.file`: a file of source and the number that `.loc` calls it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its number.
    pub number: u32,
    /// Its name, escapes and all.
    pub name: String,
    /// The time of its last change and its size in bytes, if they are there.
    pub stamp: Option<(u64, u64)>,
}

/// Whether others see a function or variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Linkage {
    /// Only this module sees it.
    #[default]
    Internal,
    /// `.visible`
    Visible,
    /// `.extern`: it stands in another module.
    Extern,
    /// `.weak`: one of another module may replace it.
    Weak,
    /// `.common`
    Common,
}

impl Linkage {
    /// How it is written, without the dot.
    #[must_use]
    pub fn text(self) -> Option<&'static str> {
        match self {
            Linkage::Internal => None,
            Linkage::Visible => Some("visible"),
            Linkage::Extern => Some("extern"),
            Linkage::Weak => Some("weak"),
            Linkage::Common => Some("common"),
        }
    }

    /// What is written so, without the dot.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Linkage> {
        [Linkage::Visible, Linkage::Extern, Linkage::Weak, Linkage::Common]
            .into_iter()
            .find(|linkage| linkage.text() == Some(text))
    }
}

impl RegisterName {
    /// How many registers it declares.
    #[must_use]
    pub fn registers(&self) -> u32 {
        self.count.unwrap_or(1)
    }
}
