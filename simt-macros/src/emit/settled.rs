//! Places in arrays of variables: as in Rust, the indices are evaluated before the array is looked at, `self.words[self.next()]`.

use super::{Emitter, bare, memory};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprPath, Path};

impl Emitter<'_> {
    /// What evaluates the indices of a place, and the place with names for them; `None` if nothing could tell when it is done.
    pub(super) fn settled(&mut self, place: &Expr) -> Option<(TokenStream, Expr)> {
        if !self.is_variable(place) || !self.has_index_that_emits(place) {
            return None;
        }
        let (mut declared, mut settled) = (TokenStream::new(), place.clone());
        self.settle(&mut settled, &mut declared);
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

    fn settle(&mut self, place: &mut Expr, declared: &mut TokenStream) {
        match place {
            Expr::Paren(paren) => self.settle(&mut paren.expr, declared),
            Expr::Group(group) => self.settle(&mut group.expr, declared),
            Expr::Field(field) => self.settle(&mut field.base, declared),
            Expr::Index(index) => {
                self.settle(&mut index.expr, declared);
                if memory::range_of(index).is_some() {
                    return;
                }
                let (at, value) = (self.spans.place(&*index.index), self.value(&index.index));
                let name = self.fresh("index", at.extent.first);
                let keep = self.call_typed(&at, "keep", name.span(), &quote!(usize), &value);
                quote_spanned!(name.span()=> let #name = #keep;).to_tokens(declared);
                let path = Path::from(name);
                *index.index = Expr::Path(ExprPath { attrs: Vec::new(), qself: None, path });
            }
            _ => {}
        }
    }
}
