//! Fields of items, `p.name`: what an item is, a reference to an element or a value, only rustc knows.

use super::Emitter;
use super::fields::{Element, closure};
use crate::spans::Place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, Member};

impl Emitter<'_> {
    /// What a reference of a `for` refers to.
    pub(super) fn element_behind<'a>(&self, name: &Ident) -> Element<'a> {
        let k = self.builder.at(name.span());
        let (slice, index) = (
            quote_spanned!(name.span()=> #k.slice_behind(#name)),
            quote_spanned!(name.span()=> #k.index_behind(#name)),
        );
        Element::Behind { slice, index }
    }

    /// What stands before the point of a method: a `&mut` is the value behind it there.
    pub(super) fn before_point(&mut self, receiver: &Expr) -> TokenStream {
        match self.item(receiver) {
            Some(name) => {
                let k = self.builder.at(name.span());
                quote_spanned!(name.span()=> #k.seen(#name))
            }
            None => self.value(receiver),
        }
    }

    /// `r.name` of a reference of a `for`.
    pub(super) fn field_behind<'a>(&self, base: &Expr, names: &[&Member]) -> Option<Element<'a>> {
        let name = self.item(base)?;
        let Element::Behind { slice, index } = self.element_behind(name) else { return None };
        let (k, path) = (self.builder.at(name.span()), closure(names));
        let span = names.first().map_or_else(Span::call_site, |name| name.span());
        Some(Element::Behind { slice: quote_spanned!(span=> #k.column(#slice, #path)), index })
    }

    /// `p.name` of an item, which may be a reference or a value: as the one or the other.
    pub(super) fn item_field(&self, base: &Expr, names: &[&Member]) -> Option<TokenStream> {
        let name = self.item(base)?;
        let (k, path) = (self.builder.at(name.span()), closure(names));
        let span = names.first().map_or_else(Span::call_site, |name| name.span());
        Some(quote_spanned!(span=> #k.item_field(#name, #path)))
    }

    /// Its value.
    pub(super) fn load_item_field(
        &self,
        place: &Place,
        symbol: Span,
        base: &Expr,
        names: &[&Member],
    ) -> Option<TokenStream> {
        let field = self.item_field(base, names)?;
        Some(self.call_at(place, "behind_seen", symbol, &field))
    }
}
