//! Sorts and searches of slices with a closure: `x.sort_by_key(|v| ..);`, `x.binary_search_by(|v| ..)`.

use super::iterate::Passed;
use super::iterators::Gives;
use super::{Emitter, bare};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprMethodCall};

/// The builder's method, and the parameters of the closure, of a method that sorts.
fn sort(name: &str) -> Option<(&'static str, usize)> {
    match name {
        "sort_by" | "sort_unstable_by" => Some(("sort_by", 2)),
        "sort_by_key" | "sort_unstable_by_key" | "sort_by_cached_key" => Some(("sort_by_key", 1)),
        _ => None,
    }
}

/// Whether a method sorts, and so has no value.
pub(super) fn sorts(call: &ExprMethodCall) -> bool {
    sort(&call.method.to_string()).is_some() && call.args.len() == 1
}

impl Emitter<'_> {
    /// `x.sort_by(|a, b| ..);` and the like.
    pub(super) fn sorted(&mut self, call: &ExprMethodCall) -> Option<TokenStream> {
        let (method, parameters) = sort(&call.method.to_string()).filter(|_| call.args.len() == 1)?;
        self.no_turbofish(call);
        let place = self.spans.place(call);
        let gives = if parameters == 2 { Gives::Ordering } else { Gives::Value };
        Some(self.writing(&call.receiver, |emitter, slice| {
            let given = &[Passed::Value, Passed::Value][..parameters];
            let closure = emitter.item_closure(&call.args[0], &place, (given, true), gives);
            let closure = closure.unwrap_or_else(|| quote!(()));
            emitter.call_at(&place, method, call.method.span(), &quote!(#slice, #closure))
        }))
    }

    /// `x.binary_search_by(|v| ..)`, `x.binary_search_by_key(&key, |v| ..)`
    pub(super) fn searched(&mut self, call: &ExprMethodCall) -> Option<TokenStream> {
        let (closure, gives) = match (call.method.to_string().as_str(), call.args.len()) {
            ("binary_search_by", 1) => (&call.args[0], Gives::Ordering),
            ("binary_search_by_key", 2) => (&call.args[1], Gives::Value),
            _ => return None,
        };
        self.no_turbofish(call);
        let place = self.spans.place(call);
        let slice = self.memory(&call.receiver)?;
        let wanted = (call.args.len() == 2).then(|| {
            let value = match bare(&call.args[0]) {
                Expr::Reference(reference) => self.value(&reference.expr),
                other => self.value(other),
            };
            quote!(#value,)
        });
        let closure = self.item_closure(closure, &place, (&[Passed::Value], true), gives)?;
        Some(self.call_at(&place, &call.method.to_string(), call.method.span(), &quote!(#slice, #wanted #closure)))
    }
}
