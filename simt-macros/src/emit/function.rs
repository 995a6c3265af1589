//! Calls of device functions.

use super::{Emitter, bare, order};
use crate::unsupported;
use proc_macro2::{Delimiter, Group, Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprPath, PathArguments};

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

    /// The arguments in their order, each held if a later one may emit statements. Slices need not be.
    fn device_arguments(&mut self, call: &ExprCall) -> Vec<TokenStream> {
        let last = call.args.iter().rposition(order::may_emit_statements).unwrap_or(0);
        let arguments = call.args.iter().enumerate();
        arguments
            .map(|(number, argument)| match bare(argument) {
                Expr::Reference(reference) => match bare(&reference.expr) {
                    name @ Expr::Path(_) => self.call(reference, "lend", reference.and_token.span, &quote!(#name)),
                    other => {
                        self.report.error(other, "a reference is to a slice or an array, which has a name: write `&x`");
                        quote!(())
                    }
                },
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
