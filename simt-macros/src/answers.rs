//! What the host's `eq` and the like of a `#[device] impl` begin with: the answer to a kernel's builder, which asks what the
//! comparison of a type is, of tuples and generic functions, too.
//!
//! ```text
//! fn eq(&self, __other: &Self) -> bool {
//!     if answers_equality(self, __other) { return true; }
//!     let other = __other;
//!     ..
//! }
//! ```

use crate::paths;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::visit::{self, Visit};
use syn::{FnArg, ImplItem, ItemImpl, Lifetime, Type, parse_quote};

/// The answer of a function.
pub(crate) struct Answers {
    function: &'static str,
    answer: &'static str,
}

impl Answers {
    /// That of the trait's function, by the builder's.
    pub(crate) fn new(function: &'static str, answer: &'static str) -> Self {
        Self { function, answer }
    }

    /// Puts it before the function's body. Of structs with references, the host has no values to ask about.
    pub(crate) fn put_into(&self, item: &mut ItemImpl) {
        if item.generics.lifetimes().next().is_some() || has_lifetimes(&item.self_ty) {
            return;
        }
        let private = paths::private(Span::call_site());
        let (answer, other) = (Ident::new(self.answer, Span::call_site()), Ident::new("__other", Span::mixed_site()));
        for function in &mut item.items {
            let ImplItem::Fn(function) = function else { continue };
            if function.sig.ident != self.function {
                continue;
            }
            let Some(receiver) = function.sig.receiver().map(|receiver| receiver.self_token) else { continue };
            let Some(FnArg::Typed(second)) = function.sig.inputs.iter_mut().nth(1) else { continue };
            let pattern = std::mem::replace(&mut *second.pat, parse_quote!(#other));
            let equal: TokenStream = match self.function {
                "eq" => quote!(true),
                "cmp" => quote!(::core::cmp::Ordering::Equal),
                _ => quote!(::core::option::Option::Some(::core::cmp::Ordering::Equal)),
            };
            let body = &function.block;
            function.block = parse_quote!({
                if #private::#answer(#receiver, #other) {
                    return #equal;
                }
                let #pattern = #other;
                #body
            });
        }
    }
}

fn has_lifetimes(ty: &Type) -> bool {
    struct Search(bool);
    impl<'a> Visit<'a> for Search {
        fn visit_lifetime(&mut self, _: &'a Lifetime) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    visit::visit_type(&mut search, ty);
    search.0
}
