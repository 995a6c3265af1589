//! Values that nothing uses: `a + b;`, `x.wrapping_add(1);`, and results of functions that say `#[must_use]`.
//!
//! The calls that such a statement becomes emit something, so rustc's lint knows nothing of them. Plain Rust that nothing calls,
//! with the same flaw at the user's tokens, stands beside them.

use super::{Emitter, bare, numeric};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{BinOp, Expr, ExprMethodCall, UnOp};

impl Emitter<'_> {
    /// A flaw like that of a value as a statement.
    pub(super) fn unused_value(&self, expr: &Expr) -> TokenStream {
        let at = super::Extent::of(expr).first;
        let number = quote_spanned!(at=> 1);
        let unused = match bare(expr) {
            Expr::Binary(binary) => {
                let op = &binary.op;
                let value = if matches!(op, BinOp::And(_) | BinOp::Or(_)) { quote_spanned!(at=> true) } else { number };
                quote!(#value #op #value;)
            }
            Expr::Unary(unary) if !matches!(unary.op, UnOp::Deref(_)) => {
                let op = &unary.op;
                quote!(#op #number;)
            }
            Expr::MethodCall(call) if self.is_of_number(call) => {
                let (private, called) = (crate::paths::private(at), quote_spanned!(at=> returned();));
                quote!(let returned = || #private::ReturnValue; #called)
            }
            _ => return TokenStream::new(),
        };
        quote!(const _: fn() = || { #unused };)
    }

    /// Whether it is a method of numbers, as far as its name and what is known of its receiver tell.
    fn is_of_number(&self, call: &ExprMethodCall) -> bool {
        numeric::is_method(&call.method.to_string())
            && self.known.is_scalar(&call.receiver)
            && !self.known.may_be_own(call)
    }
}

/// `begun.rest` of a call that begins at `at`, and what asks for its result, if there is what says that it must be used.
pub(super) fn asked(at: Span, begun: &TokenStream, rest: &TokenStream) -> TokenStream {
    // A name with the user's place, where rustc reports it.
    let (private, called) = (crate::paths::private(at), Ident::new("__called", at));
    quote_spanned! {at=> {
        #[allow(unused_imports, reason = "a function may have to be used")]
        use #private::MayBeUnused as _;
        let #called = #begun;
        if false {
            #called.__unused();
        }
        #called.#rest
    }}
}
