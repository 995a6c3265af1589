//! Tuples: values, fields, and patterns of names.

use super::assign::Target;
use super::{Emitter, bare, title};
use crate::spans::Place;
use crate::unsupported;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprAssign, ExprField, ExprTuple, Member, Pat, PatIdent, PatTuple, Type};

impl Emitter<'_> {
    /// `(a, b)`
    pub(super) fn tuple_value(&mut self, tuple: &ExprTuple) -> TokenStream {
        if let Some(message) = unsupported::parts(tuple.elems.len()) {
            self.report.error(tuple, message);
        }
        let parts = self.operands(&tuple.elems);
        quote_spanned!(tuple.paren_token.span.open()=> (#(#parts,)*))
    }

    /// `t.0`, if it is a tuple's field.
    pub(super) fn tuple_field(&mut self, field: &ExprField) -> Option<TokenStream> {
        let Member::Unnamed(index) = &field.member else { return None };
        if super::fields::chain(field).is_some() {
            return Some(self.named_field(field));
        }
        let place = self.spans.place(field);
        let (base, names) = super::fields::whole_chain(field);
        if let Some(value) = self.load_item_field(&place, index.span, base, &names) {
            return Some(value);
        }
        let tuple = self.value(&field.base);
        let number = index.index as usize;
        Some(self.call_typed(&place, "field", index.span, &quote_spanned!(index.span=> #number, _), &tuple))
    }

    /// `t.0` as the target of an assignment.
    pub(super) fn field_place(&mut self, field: &ExprField) -> Option<TokenStream> {
        if self.item(super::fields::whole_chain(field).0).is_some() {
            // Memory, as an element is.
            return None;
        }
        let Member::Unnamed(index) = &field.member else { return self.named_place(field) };
        let tuple = match bare(&field.base) {
            name @ Expr::Path(_) => name.to_token_stream(),
            Expr::Field(inner) => self.field_place(inner)?,
            _ => return None,
        };
        let (number, k) = (index.index as usize, self.builder.at(field.span()));
        Some(quote_spanned!(index.span=> #k.field_place::<#number, _>(#tuple)))
    }

    /// `let (a, mut b) = value;`
    pub(super) fn let_tuple(
        &mut self,
        place: &Place,
        attributes: &[Attribute],
        tuple: &PatTuple,
        ty: Option<&Type>,
        value: &TokenStream,
    ) -> TokenStream {
        let parts: Vec<Ident> = tuple.elems.iter().map(|part| self.fresh("part", part.span())).collect();
        let blanks = parts.iter().map(|part| quote_spanned!(part.span()=> _));
        let ty = ty.map_or_else(|| quote!((#(#blanks,)*)), ToTokens::to_token_stream);
        let span = tuple.paren_token.span.open();
        let split = self.call_typed(place, "split", span, &ty, value);
        let mut statements = quote_spanned!(span=> let (#(#parts,)*) = #split;);
        for (pattern, part) in tuple.elems.iter().zip(&parts) {
            statements.extend(self.let_part(place, attributes, pattern, part));
        }
        statements
    }

    fn let_part(&mut self, place: &Place, attributes: &[Attribute], pattern: &Pat, part: &Ident) -> TokenStream {
        match pattern {
            Pat::Paren(paren) => self.let_part(place, attributes, &paren.pat, part),
            Pat::Tuple(tuple) => self.let_tuple(place, attributes, tuple, None, &part.to_token_stream()),
            Pat::Rest(rest) => {
                self.report.error(rest, "write `_` for each part that does not matter");
                TokenStream::new()
            }
            pattern => {
                let Some(PatIdent { ident, mutability, .. }) = self.pattern_name(pattern) else {
                    let call = self.call_at(place, "evaluate", part.span(), &part.to_token_stream());
                    return quote!(#call;);
                };
                let (method, title) = (if mutability.is_some() { "bind_mut" } else { "bind" }, title(ident));
                let call = self.call(pattern, method, ident.span(), &quote!(#title, #part));
                quote_spanned!(ident.span()=> #(#attributes)* let #ident = #call;)
            }
        }
    }

    /// `(a, x[i]) = value;`: all parts have their values before the first is assigned.
    pub(super) fn assign_tuple(&mut self, assign: &ExprAssign, tuple: &ExprTuple) -> TokenStream {
        let value = self.value(&assign.right);
        let place = self.spans.place(assign);
        let statements = self.assign_parts(&place, tuple, "split_held", &value);
        super::scope(assign.eq_token.span, statements)
    }

    fn assign_parts(&mut self, place: &Place, tuple: &ExprTuple, method: &str, value: &TokenStream) -> TokenStream {
        let parts: Vec<Ident> = tuple.elems.iter().map(|part| self.fresh("part", part.span())).collect();
        let blanks = parts.iter().map(|part| quote_spanned!(part.span()=> _));
        let span = tuple.paren_token.span.open();
        let split = self.call_typed(place, method, span, &quote!((#(#blanks,)*)), value);
        let mut statements = quote_spanned!(span=> let (#(#parts,)*) = #split;);
        for (target, part) in tuple.elems.iter().zip(&parts) {
            let value = part.to_token_stream();
            let call = match bare(target) {
                Expr::Infer(_) => self.call_at(place, "evaluate", part.span(), &value),
                Expr::Tuple(inner) => {
                    statements.extend(self.assign_parts(place, inner, "split_held", &value));
                    continue;
                }
                target => match self.assigned(target) {
                    Some(Target::Name(name)) => self.call_at(place, "assign", part.span(), &quote!(#name, #value)),
                    Some(Target::Element(element)) => self.store_element(place, part.span(), element, &value),
                    None => continue,
                },
            };
            statements.extend(quote!(#call;));
        }
        statements
    }
}
