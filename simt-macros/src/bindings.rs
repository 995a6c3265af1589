//! The names that a function binds.

use crate::item::Kernel;
use proc_macro2::Ident;
use syn::PatIdent;
use syn::visit::{self, Visit};

impl Kernel<'_> {
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
