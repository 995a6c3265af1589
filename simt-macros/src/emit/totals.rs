//! `sum` and `product`, of numbers and of users' types.

use super::ends::{End, is_end};
use super::iterate::Current;
use super::known::Known;
use super::{Emitter, bare};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::borrow::Cow;
use syn::{Expr, ExprMethodCall, GenericArgument, Type, parse_quote_spanned};

/// Whether the value of such a call is a scalar for certain.
pub(super) fn ends_in_scalar(call: &ExprMethodCall, known: &Known) -> bool {
    total_type(call).is_none_or(|ty| known.is_scalar_type(ty))
        && ["sum", "product", "count", "any", "all", "eq", "ne"].iter().any(|name| call.method == name)
}

/// The type that is written behind `sum` and `product`.
fn total_type(call: &ExprMethodCall) -> Option<&Type> {
    match call.turbofish.as_ref()?.args.first()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

impl Emitter<'_> {
    /// What goes to a place whose type is not written there: that of a sum then says how it is made.
    pub(super) fn placed<'a>(&self, value: &'a Expr) -> Cow<'a, Expr> {
        match bare(value) {
            Expr::MethodCall(call)
                if (call.method == "sum" || call.method == "product")
                    && call.turbofish.is_none()
                    && is_end(call, self) =>
            {
                let turbofish = Some(parse_quote_spanned!(call.method.span()=> ::<_>));
                Cow::Owned(Expr::MethodCall(ExprMethodCall { turbofish, ..call.clone() }))
            }
            _ => Cow::Borrowed(value),
        }
    }

    /// `sum` and `product`
    pub(super) fn total(&mut self, end: &End<'_>, start: &str, op: &str) -> TokenStream {
        let End { span, place, state, .. } = end;
        if let Some(ty @ (Type::Path(_) | Type::Infer(_))) = total_type(end.call)
            && !self.known.is_scalar_type(ty)
        {
            // It may be one of the user's.
            let receiver = &end.call.receiver;
            let items = self.iterator(receiver, &super::block_of(receiver)).unwrap_or_else(|| quote!(()));
            let (k, at, method) = (self.builder.at(*span), &place.at, &end.call.method);
            if matches!(ty, Type::Infer(_)) {
                let method = Ident::new(&format!("{method}_to"), *span);
                return quote_spanned!(*span=> #k.#method(#at, #items));
            }
            return quote_spanned!(*span=> #k.total_of::<#ty, _>(#items).#method(#at));
        }
        let start = match &end.call.turbofish {
            Some(turbofish) => {
                self.call_typed(place, start, *span, &turbofish.args.to_token_stream(), &TokenStream::new())
            }
            None => self.call_at(place, start, *span, &TokenStream::new()),
        };
        let declared = self.state(end, state, &end.call.method.to_string(), &start);
        let body = self.each_of(end, &mut |emitter, Current { name, .. }| {
            let sum = emitter.call_at(place, op, *span, &quote!(#state, #name));
            emitter.set(end, state, &sum)
        });
        quote_spanned!(*span=> { #declared #body #state })
    }
}
