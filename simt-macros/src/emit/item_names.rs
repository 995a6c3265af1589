//! Names that stand for elements: items of a `for`, `let r = &mut x[i];`, parameters of kernels that are references to one
//! value.

use super::closure::Is;
use super::{Emitter, bare};
use crate::item::ParamKind;
use proc_macro2::Ident;
use syn::Expr;

/// A name in the pattern of a `for` over elements, or of a reference to one.
pub(super) struct Reference {
    name: Ident,
    /// Whether the body binds it again: a field of it may then be one of a value.
    is_bound_again: bool,
    /// Whether it is of a closure that sees the item by reference: `*` of a number there is the number.
    is_seen: bool,
    /// Whether it is a parameter, of which each name that hides it is known.
    is_parameter: bool,
}

impl Reference {
    pub(super) fn new(name: &Ident, is_bound_again: bool) -> Self {
        Self { name: name.clone(), is_bound_again, is_seen: false, is_parameter: false }
    }

    /// A parameter of a kernel.
    pub(super) fn parameter(name: &Ident) -> Self {
        Self { is_parameter: true, ..Self::new(name, false) }
    }

    /// A closure sees it by reference.
    pub(super) fn see(&mut self) {
        self.is_seen = true;
    }

    pub(super) fn is_seen(&self) -> bool {
        self.is_seen
    }
}

impl Emitter<'_> {
    /// The name, if an expression is one that a `for` gives to references.
    pub(super) fn item<'a>(&self, expr: &'a Expr) -> Option<(&Reference, &'a Ident)> {
        let Expr::Path(path) = bare(expr) else { return None };
        let name = path.path.get_ident()?;
        let meaning = self.meaning(name);
        if let Some(Is::Reference { .. } | Is::Closure { .. }) = meaning {
            return None;
        }
        let known = self.references.iter().rfind(|reference| reference.name == *name)?;
        (!known.is_parameter || meaning.is_none()).then_some((known, name))
    }

    /// Whether an expression is the name of a kernel's parameter that is a reference to one value, and whether it is `&mut`.
    pub(super) fn parameter_item(&self, expr: &Expr) -> Option<bool> {
        let (_, name) = self.item(expr).filter(|(reference, _)| reference.is_parameter)?;
        let param = self.kernel.params.iter().find(|param| param.name == name)?;
        Some(matches!(param.kind, ParamKind::RefMut(_)))
    }

    /// The name, if it is one and the body does not bind it again.
    pub(super) fn only_item<'a>(&self, expr: &'a Expr) -> Option<&'a Ident> {
        self.item(expr).filter(|(reference, _)| !reference.is_bound_again).map(|(_, name)| name)
    }

    /// Whether an expression is the name of an item that is seen by reference, and may be a value.
    pub(super) fn is_seen_item(&self, expr: &Expr) -> bool {
        self.item(expr).is_some_and(|(reference, _)| reference.is_seen && !reference.is_bound_again)
    }
}
