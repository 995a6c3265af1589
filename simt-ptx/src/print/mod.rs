//! The tree back to text: parsing what is printed is the tree again.
//!
//! Each node displays as its text. Debug sections are printed empty, as the tree has only their names.

mod function;
mod operand;
mod variable;

use crate::syntax::{Header, Item, ItemKind, Linkage, Module, SourceFile};
use std::fmt;

/// The text of a module.
#[must_use]
pub fn print(module: &Module) -> String {
    module.to_string()
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.header)?;
        self.items.iter().try_for_each(|item| writeln!(f, "{item}"))
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = self.version;
        write!(f, ".version {major}.{minor}\n.target ")?;
        commas(f, &self.targets)?;
        writeln!(f)?;
        self.address_size.map_or(Ok(()), |size| writeln!(f, ".address_size {size}"))
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ItemKind::Function(function) => write!(f, "{function}"),
            ItemKind::Variable(variable) => write!(f, "{variable};"),
            ItemKind::Registers(registers) => write!(f, "{registers};"),
            ItemKind::File(file) => write!(f, "{file}"),
            ItemKind::Section(name) => write!(f, ".section {name} {{ }}"),
            ItemKind::Alias { name, of } => write!(f, ".alias {name}, {of};"),
            ItemKind::Pragma(texts) => pragma(f, texts),
        }
    }
}

impl fmt::Display for SourceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".file {} \"{}\"", self.number, self.name)?;
        self.stamp.map_or(Ok(()), |(time, size)| write!(f, ", {time}, {size}"))
    }
}

/// A linkage in front of what it is of.
fn linkage(f: &mut fmt::Formatter<'_>, linkage: Linkage) -> fmt::Result {
    linkage.text().map_or(Ok(()), |text| write!(f, ".{text} "))
}

fn pragma(f: &mut fmt::Formatter<'_>, texts: &[String]) -> fmt::Result {
    f.write_str(".pragma ")?;
    for (at, text) in texts.iter().enumerate() {
        write!(f, "{}\"{text}\"", if at == 0 { "" } else { ", " })?;
    }
    f.write_str(";")
}

/// Nodes with commas between them.
fn commas<T: fmt::Display>(f: &mut fmt::Formatter<'_>, nodes: &[T]) -> fmt::Result {
    for (at, node) in nodes.iter().enumerate() {
        if at > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{node}")?;
    }
    Ok(())
}
