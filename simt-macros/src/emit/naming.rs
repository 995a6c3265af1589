//! `let n = f(x);` of a device function: what the function is says whether its result is a number, before rustc knows its type.

use super::{Emitter, bare};
use crate::spans::Place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use std::mem;
use syn::{Expr, ExprCall, Type};

/// Whether the result of a call is to be named by a `let`.
#[derive(Default)]
pub(super) enum Naming {
    #[default]
    No,
    /// The result of this call, if it is one of a device function.
    Asked(*const ExprCall),
    /// It is one.
    Begun(Begun),
}

/// `begun.rest`, a call of a device function.
pub(super) struct Begun {
    pub(super) begun: TokenStream,
    pub(super) rest: TokenStream,
}

impl Emitter<'_> {
    /// The value of a `let`, and if it is the result of a device function, the call.
    pub(super) fn value_to_name(&mut self, expr: &Expr, ty: Option<&Type>) -> (TokenStream, Option<Begun>) {
        if let (Expr::Call(call), None) = (bare(expr), ty) {
            self.naming = Naming::Asked(call);
        }
        let value = self.typed_value(expr, ty);
        match mem::take(&mut self.naming) {
            Naming::Begun(begun) => (value, Some(begun)),
            _ => (value, None),
        }
    }

    /// Whether the result of a call that begins to be translated is to be named. No later one is.
    pub(super) fn is_to_be_named(&mut self, call: &ExprCall) -> bool {
        matches!(mem::take(&mut self.naming), Naming::Asked(asked) if std::ptr::eq(asked, call))
    }

    /// The result, which is to be named.
    pub(super) fn nameable_result(&self, Begun { begun, rest }: &Begun, place: &Place, symbol: Span) -> TokenStream {
        let private = crate::paths::private(symbol);
        let (k, at) = (self.builder.at(symbol), &place.at);
        let [called, result] = ["__called", "__result"].map(|name| Ident::new(name, symbol));
        quote_spanned! {symbol=> {
            #[allow(unused_imports, reason = "a function may say more of its result")]
            use #private::HasResult as _;
            let #called = #begun;
            let #result = #called.__result();
            #result.nameable(#k, #at, #called.#rest)
        }}
    }
}
