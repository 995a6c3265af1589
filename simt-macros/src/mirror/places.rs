//! Places: what is borrowed and assigned.

use super::{Is, Mirror};
use crate::extent::Extent;
use crate::targets;
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprReference, UnOp};

/// An expression without parentheses and the groups of macros.
pub(super) fn inner(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => inner(&group.expr),
        Expr::Paren(paren) => inner(&paren.expr),
        _ => expr,
    }
}

/// The name of the variable that a place is in, if indices alone lead there.
pub(super) fn root(place: &Expr) -> Option<&Ident> {
    match inner(place) {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        Expr::Index(index) => root(&index.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => root(&unary.expr),
        _ => None,
    }
}

impl Mirror {
    /// What evaluating the indices of a place does.
    pub(super) fn indices(&mut self, place: &Expr) -> TokenStream {
        match inner(place) {
            Expr::Path(_) => TokenStream::new(),
            Expr::Index(index) => {
                let (base, index) = (self.indices(&index.expr), self.run(&index.index));
                quote!(#base #index)
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.indices(&unary.expr),
            Expr::Field(field) => self.indices(&field.base),
            other => self.run(other),
        }
    }

    /// A reference to a place that is watched, and whether it can be assigned through.
    pub(super) fn reference(&mut self, reference: &ExprReference) -> Option<(TokenStream, bool)> {
        let name = root(&reference.expr)?;
        let mutable = reference.mutability.is_some();
        let place = match self.is(name)? {
            Is::Number => name.to_token_stream(),
            Is::Reference { mutable: through } if through || !mutable => quote_spanned!(name.span()=> *#name),
            Is::Owned | Is::Reference { .. } => return None,
        };
        let (and, mutability) = (&reference.and_token, &reference.mutability);
        // So that rustc underlines the whole place.
        let mut place = Group::new(Delimiter::Parenthesis, place);
        place.set_span(Extent::of(&*reference.expr).last);
        let place = if matches!(inner(&reference.expr), Expr::Path(_)) {
            name.to_token_stream()
        } else {
            place.into_token_stream()
        };
        Some((quote!(#and #mutability #place), mutable))
    }

    /// An assignment to a place, whose value has been evaluated.
    pub(super) fn assigned(&mut self, place: &Expr, last: Span) -> TokenStream {
        if let Some(parts) = targets::parts(place) {
            return parts.into_iter().map(|part| self.assigned(part, last)).collect();
        }
        let indices = self.indices(place);
        let zero = |last| {
            let mut zero = Literal::u8_suffixed(0);
            zero.set_span(last);
            zero
        };
        let target = inner(place);
        let is = root(target).and_then(|name| Some((name, self.is(name)?)));
        let assignment = match (target, is) {
            (Expr::Path(_), Some((name, Is::Number))) => {
                let zero = zero(last);
                // In braces, for which no lint proposes to declare it here.
                quote_spanned!(last=> { #name = #zero; })
            }
            (Expr::Path(_), Some((name, Is::Owned))) => quote_spanned!(last=> #name = __any();),
            // An element: a variable that has no value yet has none.
            (Expr::Index(_), Some((name, Is::Number))) if self.watched.borrowed.contains(&name.to_string()) => {
                let zero = zero(Extent::of(target).last);
                quote_spanned!(last=> #name = #zero;)
            }
            (Expr::Unary(_) | Expr::Index(_), Some((name, Is::Reference { mutable: true }))) => {
                let zero = zero(last);
                quote_spanned!(name.span()=> *#name = #zero;)
            }
            (Expr::Infer(_) | Expr::Path(_), _) => TokenStream::new(),
            (_, Some((name, _))) => self.used(name),
            (Expr::Field(field), None) => self.run(&field.base),
            (_, None) => TokenStream::new(),
        };
        quote!(#indices #assignment)
    }
}
