//! Operators whose operands may be of users' types: rustc chooses between that on scalars and the user's own.

use super::fields::Element;
use super::{Emitter, bare};
use crate::spans::Place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprLit, ExprUnary, Lit, UnOp};

impl Emitter<'_> {
    /// `a op b`, of operands that are built, as `k.operands(a, b).op(at)`.
    pub(super) fn overloaded(
        &self,
        place: &Place,
        method: &str,
        symbol: Span,
        (left, left_is): (&TokenStream, &Expr),
        (right, right_is): (&TokenStream, &Expr),
    ) -> TokenStream {
        let (left, right) = (self.literal_operand(left_is, left), self.literal_operand(right_is, right));
        self.operator(place, method, symbol, &quote!(#left, #right))
    }

    /// `-a`, `!a`
    pub(super) fn overloaded_unary(
        &self,
        place: &Place,
        method: &str,
        symbol: Span,
        value: &TokenStream,
    ) -> TokenStream {
        self.operator(place, method, symbol, &quote!(#value, ()))
    }

    /// `a op= b`, of a variable.
    pub(super) fn overloaded_assign(
        &self,
        place: &Place,
        method: &str,
        symbol: Span,
        name: &TokenStream,
        (value, is): (&TokenStream, &Expr),
    ) -> TokenStream {
        let value = self.literal_operand(is, value);
        self.operator(place, &format!("{method}_assign"), symbol, &quote!(#name, #value))
    }

    /// `a[i] op= b`; `None` for an element that is a scalar for certain.
    ///
    /// Of scalars Rust evaluates the value first, and of others the place. Where that could be told, the element is taken for a
    /// scalar.
    pub(super) fn overloaded_update(
        &mut self,
        place: &Place,
        method: &str,
        symbol: Span,
        element: &Element<'_>,
        (value, is): (&TokenStream, &Expr),
    ) -> Option<TokenStream> {
        let may_emit = |expr: &Expr| self.known.may_emit_statements(expr);
        if may_emit(is) && element.indices().any(may_emit) {
            return None;
        }
        let (slice, index) = match element {
            Element::Of { slice, index } => (slice, self.value(index)),
            Element::Behind { slice, index } => (slice, index.clone()),
            Element::Subscript(subscript) => {
                let value = self.literal_operand(is, value);
                return Some(self.update_subscript(place, (method, symbol), subscript, &value));
            }
            Element::InVariable { variable, path, index, .. } => {
                let Some(variable) = self.variable(variable) else { return Some(quote!(())) };
                let value = self.literal_operand(is, value);
                return Some(self.update_of_field(place, (method, symbol), (&variable, path, index), &value));
            }
            Element::Deep { memory, index, .. } => {
                let names: &[&syn::Member] = if let Element::Deep { names, .. } = element { names } else { &[] };
                let new = self.fresh("value", symbol);
                let value = if self.known.may_emit_statements(is) {
                    self.call_at(place, "hold", symbol, value)
                } else {
                    self.literal_operand(is, value)
                };
                let updated = self.writing(memory, |emitter, slice| {
                    let (slice, index) = (emitter.column(slice, names), emitter.value(index));
                    emitter.update(place, method, symbol, (&slice, &index), &new)
                });
                return Some(quote_spanned!(symbol=> { let #new = #value; #updated }));
            }
            Element::InSlice { fields, index, inner } => {
                let (new, value) = (self.fresh("value", symbol), self.literal_operand(is, value));
                let (operands, k) = (self.operands([*index, *inner]), self.builder.at(symbol));
                let index = self.call_at(place, "element_index", symbol, &quote!(#fields, #(#operands),*));
                let slice = quote_spanned!(symbol=> #k.elements(#fields));
                let update = self.update(place, method, symbol, (&slice, &index), &new);
                return Some(quote_spanned!(symbol=> { let #new = #value; #update }));
            }
        };
        let (new, value) = (self.fresh("value", symbol), self.literal_operand(is, value));
        let update = self.update(place, method, symbol, (slice, &index), &new);
        Some(quote_spanned!(symbol=> { let #new = #value; #update }))
    }

    /// `slice[index] op= new`
    fn update(
        &self,
        place: &Place,
        method: &str,
        symbol: Span,
        (slice, index): (&TokenStream, &TokenStream),
        new: &Ident,
    ) -> TokenStream {
        let k = self.builder.at(symbol);
        let target = quote_spanned!(symbol=> #k.target(#slice, #index));
        self.operator(place, &format!("{method}_assign"), symbol, &quote!(#target, #new))
    }

    pub(super) fn operator(&self, place: &Place, method: &str, symbol: Span, operands: &TokenStream) -> TokenStream {
        let (k, at) = (self.builder.at(symbol), &place.at);
        let method = Ident::new(method, symbol);
        quote_spanned!(symbol=> #k.operands(#operands).#method(#at))
    }

    /// A literal's type is a number's, whatever stands on the other side.
    fn literal_operand(&self, expr: &Expr, value: &TokenStream) -> TokenStream {
        if !is_literal(expr) {
            return value.clone();
        }
        let k = self.builder.at(crate::extent::Extent::of(expr).first);
        quote!(#k.literal(#value))
    }
}

/// Whether it is a number, with or without a sign, or computed of such.
pub(super) fn is_literal(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Lit(ExprLit { lit: Lit::Int(_) | Lit::Float(_), .. }) => true,
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => is_literal(expr),
        other => super::value::is_float_constant(other),
    }
}
