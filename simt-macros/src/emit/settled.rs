//! Places in arrays of variables: as in Rust, the indices are evaluated before the array is looked at, `self.words[self.next()]`.

use super::{Emitter, bare, memory};
use proc_macro2::TokenStream;
use syn::Expr;

impl Emitter<'_> {
    /// What evaluates the indices of a place, and the place with names for them; `None` if nothing could tell when it is done.
    pub(super) fn settled(&mut self, place: &Expr) -> Option<(TokenStream, Expr)> {
        if !self.is_variable(place) || !is_place(place) || !self.has_index_that_emits(place) {
            return None;
        }
        let mut declared = TokenStream::new();
        let settled = self.with_names(place, &mut declared)?;
        Some((declared, settled))
    }

    fn has_index_that_emits(&self, place: &Expr) -> bool {
        match bare(place) {
            Expr::Field(field) => self.has_index_that_emits(&field.base),
            Expr::Index(index) => {
                let is_one = memory::range_of(index).is_none();
                is_one && self.known.may_emit_statements(&index.index) || self.has_index_that_emits(&index.expr)
            }
            _ => false,
        }
    }
}

/// Whether it is a variable or a part of one, and not of a value such as a call's.
fn is_place(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Path(_) | Expr::Unary(_) => true,
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(index) => is_place(&index.expr),
        _ => false,
    }
}
