//! Calls of device functions.

use super::{Emitter, bare, order};
use crate::unsupported;
use proc_macro2::{Delimiter, Group, Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprPath, ExprReference, ExprUnary, PathArguments, UnOp};

impl Emitter<'_> {
    /// `m::f::<T>(a, &x)`: rustc finds out what `m::f` is, and checks the arguments.
    pub(super) fn device_call(&mut self, call: &ExprCall) -> TokenStream {
        let Expr::Path(ExprPath { qself: None, path, .. }) = bare(&call.func) else {
            self.report.error(&call.func, unsupported::CALLED);
            return quote!(());
        };
        if let Some(message) = unsupported::function(path) {
            self.report.error(path, message);
            return quote!(());
        }
        let mut path = path.clone();
        let span = path.segments.last().map_or_else(|| path.span(), |last| last.ident.span());
        // The type arguments are those of the method that takes the arguments.
        let generics = path.segments.last_mut().map(|last| std::mem::take(&mut last.arguments));
        let generics = match generics {
            Some(PathArguments::AngleBracketed(mut generics)) => {
                generics.colon2_token = Some(syn::Token![::](span));
                generics.into_token_stream()
            }
            _ => TokenStream::new(),
        };
        let place = self.spans.place(call);
        let begin = self.call_at(&place, "function", span, &path.to_token_stream());
        let arguments = self.device_arguments(call);
        let method = Ident::new("__call", span);
        let mut group = Group::new(Delimiter::Parenthesis, quote!(#(#arguments),*));
        group.set_span(call.paren_token.span.close());
        quote_spanned!(span=> #begin.begin().#method #generics #group)
    }

    /// A `&mut` is the only reference to what it refers to: rustc, which would say so, has handles and no references.
    fn refuse_aliases(&mut self, call: &ExprCall) {
        let mut before: Vec<(bool, String)> = Vec::new();
        for argument in &call.args {
            let (mutable, place) = match bare(argument) {
                Expr::Reference(reference) => (reference.mutability.is_some(), self.dereferenced(&reference.expr)),
                name => match self.kernel.reference(name) {
                    Some(mutable) => (mutable, name),
                    None => continue,
                },
            };
            let place = place.to_token_stream().to_string().replace(' ', "");
            let within = |part: &str, whole: &str| {
                part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            if let Some((_, first)) = before
                .iter()
                .find(|(known, first)| (mutable || *known) && (within(&place, first) || within(first, &place)))
            {
                let message =
                    format!("`{first}` is passed by reference already, and a `&mut` is the only one there is");
                self.report.error(argument, message);
            }
            before.push((mutable, place));
        }
    }

    /// What a reference refers to; `&*p` of a reference `p` refers to what `p` does.
    fn dereferenced<'a>(&self, expr: &'a Expr) -> &'a Expr {
        match bare(expr) {
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) if self.kernel.reference(bare(expr)).is_some() => {
                bare(expr)
            }
            other => other,
        }
    }

    /// `&x`, `&mut x`, `&x.field`, `&mut x.field`, `&(a + b)`
    fn reference(&mut self, reference: &ExprReference) -> TokenStream {
        let span = reference.and_token.span;
        match (self.dereferenced(&reference.expr), &reference.mutability) {
            (name @ Expr::Path(_), mutability) => {
                let method = if mutability.is_some() { "lend_mut" } else { "lend" };
                self.call(reference, method, span, &quote!(#name))
            }
            (Expr::Field(field), Some(_)) if let Some(place) = self.field_place(field) => {
                self.call(reference, "lend_mut", span, &place)
            }
            (other, Some(_)) => {
                let message = "a `&mut` is to a variable, a field of one, a slice or an array: write `let mut e = a[i]; \
                               f(&mut e); a[i] = e;` for an element";
                self.report.error(other, message);
                quote!(())
            }
            (value, None) => {
                let value = self.value(value);
                self.call(reference, "lend_value", span, &value)
            }
        }
    }

    /// The arguments in their order, each held if a later one may emit statements. Slices need not be.
    fn device_arguments(&mut self, call: &ExprCall) -> Vec<TokenStream> {
        self.refuse_aliases(call);
        let last = call.args.iter().rposition(order::may_emit_statements).unwrap_or(0);
        let arguments = call.args.iter().enumerate();
        arguments
            .map(|(number, argument)| match bare(argument) {
                Expr::Reference(reference) => self.reference(reference),
                // A reference that is passed on.
                name @ Expr::Path(path) if let Some(mutable) = self.kernel.reference(name) => {
                    let method = if mutable { "lend_mut" } else { "lend" };
                    self.call(argument, method, path.span(), &quote!(#name))
                }
                name @ Expr::Path(_) if number < last => {
                    let value = self.value(name);
                    self.call(name, "hold_argument", name.span(), &value)
                }
                _ if number < last => self.held(argument),
                _ => self.value(argument),
            })
            .collect()
    }
}
