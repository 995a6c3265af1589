//! The names that a function binds, and which parameters are slices.

use crate::item::{Kernel, ParamKind};
use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Expr, PatIdent};

impl Kernel<'_> {
    /// Whether an expression is the name of a parameter that is a slice.
    pub(crate) fn is_slice(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        let is_slice = |kind: &ParamKind<'_>| {
            matches!(kind, ParamKind::Slice(_) | ParamKind::SliceMut(_) | ParamKind::Constant(_))
        };
        self.params.iter().any(|param| path.path.is_ident(param.name) && is_slice(&param.kind))
    }

    /// Whether a pattern of the function, or a parameter, is the name.
    pub(crate) fn binds(&self, name: &Ident) -> bool {
        struct Search<'n> {
            name: &'n Ident,
            found: bool,
        }
        impl<'a> Visit<'a> for Search<'_> {
            fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
                self.found |= pattern.ident == *self.name;
                visit::visit_pat_ident(self, pattern);
            }
        }
        let mut search = Search { name, found: false };
        search.visit_item_fn(self.function);
        search.found
    }

    /// The names that are bound with `mut`.
    pub(crate) fn mutables(&self) -> Vec<Ident> {
        struct Mutables(Vec<Ident>);
        impl<'a> Visit<'a> for Mutables {
            fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
                if pattern.mutability.is_some() {
                    self.0.push(pattern.ident.clone());
                }
                visit::visit_pat_ident(self, pattern);
            }
        }
        let mut mutables = Mutables(Vec::new());
        mutables.visit_item_fn(self.function);
        mutables.0
    }
}
