//! Names that stand for elements: items of a `for`, `let r = &mut x[i];`, parameters of kernels that are references to one
//! value.

use super::closure::Is;
use super::{Emitter, bare};
use crate::item::{Kind, ParamKind};
use proc_macro2::Ident;
use syn::Expr;

impl Emitter<'_> {
    /// The name is one of a reference to an element from here on.
    pub(super) fn name_item(&mut self, name: &Ident) {
        self.name_is(name, Is::Item { is_seen: false, is_given: false, is_written: false, of: None });
    }

    /// A closure sees what has been named since then by reference.
    pub(super) fn see_items(&mut self, known: usize) {
        for named in &mut self.closures[known..] {
            if let Is::Item { is_seen, .. } = &mut named.is {
                *is_seen = true;
            }
        }
    }

    /// What has been named since then is a `&mut` each.
    pub(super) fn write_items(&mut self, known: usize) {
        for named in &mut self.closures[known..] {
            if let Is::Item { is_written, .. } = &mut named.is {
                *is_written = true;
            }
        }
    }

    /// The name, if an expression is one that a `for` gives to references, or that of a parameter which is one.
    pub(super) fn item<'a>(&self, expr: &'a Expr) -> Option<&'a Ident> {
        let name = named(expr)?;
        let is_item = match self.meaning(name) {
            Some(is) => matches!(is, Is::Item { .. }),
            None => self.parameter_item(expr).is_some(),
        };
        is_item.then_some(name)
    }

    /// Whether an expression is the name of a kernel's parameter that is a reference to one value, and whether it is `&mut`.
    pub(super) fn parameter_item(&self, expr: &Expr) -> Option<bool> {
        let name = named(expr).filter(|name| self.kernel.kind == Kind::Kernel && self.meaning(name).is_none())?;
        match self.kernel.params.iter().find(|param| param.name == name)?.kind {
            ParamKind::Ref(_) => Some(false),
            ParamKind::RefMut(_) => Some(true),
            _ => None,
        }
    }

    /// Whether an expression is the name of an item that is seen by reference, and may be a value.
    pub(super) fn is_seen_item(&self, expr: &Expr) -> bool {
        named(expr).is_some_and(|name| matches!(self.meaning(name), Some(Is::Item { is_seen: true, .. })))
    }

    /// Whether an expression is the name of an item that a function or a field gives.
    pub(super) fn is_given_item(&self, expr: &Expr) -> bool {
        named(expr).is_some_and(|name| matches!(self.meaning(name), Some(Is::Item { is_given: true, .. })))
    }

    /// Whether an expression is the name of an item that is a `&mut` for certain.
    pub(super) fn is_written_item(&self, expr: &Expr) -> bool {
        named(expr).is_some_and(|name| matches!(self.meaning(name), Some(Is::Item { is_written: true, .. })))
    }
}

fn named(expr: &Expr) -> Option<&Ident> {
    match bare(expr) {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}
