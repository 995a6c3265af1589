//! References that are values: results, arguments in tuples, fields of structs, what a variable is assigned.

use super::{Emitter, Extent, bare};
use crate::item::Param;
use crate::unsupported;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprIndex, ExprReference, parse_quote, parse_quote_spanned};

impl Emitter<'_> {
    /// `&a` of a parameter `a: &[T; N]`, where it may become a slice: only rustc knows whether one is expected.
    pub(super) fn array_parameter(&self, expr: &Expr) -> Option<ExprReference> {
        let Expr::Path(path) = bare(expr) else { return None };
        let is_it =
            |param: &&Param<'_>| path.path.is_ident(param.name) && param.array().is_some_and(|(_, mutable)| !mutable);
        self.kernel.params.iter().find(is_it).filter(|_| self.known.is_named_memory(bare(expr)))?;
        Some(parse_quote_spanned!(path.span()=> &#path))
    }

    /// The value of `&x.field`, where it may become a slice.
    pub(super) fn field_lent(&mut self, expr: &Expr, value: TokenStream) -> TokenStream {
        match bare(expr) {
            Expr::Reference(reference) if is_lent_field(reference) => {
                self.call(reference, "field_lent", reference.and_token.span, &value)
            }
            _ => value,
        }
    }

    /// `&x`, `&x[a..b]`, `&mut x[i]` and the like as a value: of a `&` to one value, that.
    pub(super) fn carried(&mut self, reference: &ExprReference) -> TokenStream {
        let (span, mutable) = (reference.and_token.span, reference.mutability.is_some());
        let inner = self.dereferenced(&reference.expr);
        match bare(inner) {
            Expr::Index(index) if super::memory::range_of(index).is_some() => self.reference(reference),
            // rustc would say the same of what is no number, with the builder's types.
            name @ Expr::Path(_) if mutable && self.item(name).is_none() && self.known.is_scalar(name) => {
                self.report.error(reference, unsupported::VARIABLE);
                quote!(())
            }
            // A name may be one of memory.
            name @ Expr::Path(_) if self.item(name).is_none() => {
                let lent = self.reference(reference);
                self.call(reference, "carried", span, &lent)
            }
            // The element may be an atomic, which has no value.
            Expr::Index(ExprIndex { expr: memory, .. }) if !mutable && matches!(bare(memory), Expr::Path(_)) => {
                let lent = self.reference(reference);
                self.call(reference, "carried", span, &lent)
            }
            Expr::Unary(_) | Expr::Index(_) | Expr::Field(_) if mutable => match self.place_referred_to(reference) {
                Some(element) => element,
                None => quote!(()),
            },
            _ if mutable => {
                let lent = self.reference(reference);
                self.call(reference, "carried", span, &lent)
            }
            value => self.value(value),
        }
    }

    /// What evaluates the reference that a place is behind, as a function's result is one, and the place with a name for it:
    /// `*at(x, i)`, `row(x, i)[k]`, `at(x, i).field`.
    pub(super) fn resulting(&mut self, place: &Expr) -> Option<(TokenStream, Expr)> {
        let mut settled = place.clone();
        let result = result_in(&mut settled)?;
        let span = Extent::of(&*result).first;
        let name = self.fresh("result", span);
        let (call, value) = (self.spans.place(&*result), self.value(result));
        *result = parse_quote!(#name);
        let nameable = self.call_at(&call, "nameable", span, &value);
        self.name_item(&name);
        Some((quote_spanned!(span=> let #name = #nameable.named("result");), settled))
    }
}

/// Whether a reference is `&x.field`.
fn is_lent_field(reference: &ExprReference) -> bool {
    reference.mutability.is_none() && matches!(bare(&reference.expr), Expr::Field(_))
}

/// `&x.field[..]` for `&x.field` and `&mut x.field`, where a slice is expected.
pub(super) fn as_slice(expr: &Expr) -> Option<Expr> {
    let Expr::Reference(reference) = bare(expr) else { return None };
    let field = Some(&reference.expr).filter(|field| matches!(bare(field), Expr::Field(_)))?;
    let (span, mutability) = (reference.and_token.span, &reference.mutability);
    Some(parse_quote_spanned!(span=> & #mutability #field[..]))
}

/// The call whose result a place is behind.
fn result_in(place: &mut Expr) -> Option<&mut Expr> {
    match place {
        Expr::Paren(paren) => result_in(&mut paren.expr),
        Expr::Group(group) => result_in(&mut group.expr),
        Expr::Field(field) => result_in(&mut field.base),
        Expr::Index(index) => result_in(&mut index.expr),
        Expr::Unary(unary) => result_in(&mut unary.expr),
        result @ (Expr::Call(_) | Expr::MethodCall(_) | Expr::Try(_)) => Some(result),
        _ => None,
    }
}
