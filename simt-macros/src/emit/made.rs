//! Arrays that a closure makes, element by element: `std::array::from_fn(|k| ..)`, `[a, b].map(|x| ..)`.
//!
//! The closure's body is built once for each element, as the length is known.

use super::iterate::{Current, Passed};
use super::referring::{Matched, gives_places};
use super::{Emitter, bare, own};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprMethodCall};

impl Emitter<'_> {
    /// `std::array::from_fn(|k| ..)`, if it is one.
    pub(super) fn array_from(&mut self, call: &ExprCall) -> Option<TokenStream> {
        if !is_from_fn(call) {
            return None;
        }
        let span = call.func.span();
        let make = self.making(&call.args[0], call);
        Some(self.call(call, "array_from", span, &make))
    }

    /// Whether it is a method of an array that is written here, or that a name of the kernel is.
    pub(super) fn is_array_map(&self, call: &ExprMethodCall) -> bool {
        call.method == "map"
            && call.args.len() == 1
            && match bare(&call.receiver) {
                Expr::Array(_) | Expr::Repeat(_) => true,
                name @ Expr::Path(_) => self.known.is_named_memory(name),
                _ => false,
            }
    }

    /// `[a, b].map(|x| ..)`
    pub(super) fn array_map(&mut self, call: &ExprMethodCall) -> TokenStream {
        self.no_turbofish(call);
        let span = call.method.span();
        let array = match bare(&call.receiver) {
            literal @ (Expr::Array(_) | Expr::Repeat(_)) => self.array_value(literal),
            name => self.value(name),
        };
        let make = self.making(&call.args[0], call);
        self.call(call, "array_map", span, &quote!(#array, #make))
    }

    /// Whether only rustc knows if it is a method of an array or of an option.
    pub(super) fn is_map_of_either(&self, call: &ExprMethodCall) -> bool {
        let receiver = bare(&call.receiver);
        let is_either = match receiver {
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
            Expr::Call(called) => super::options::constructor(called).is_none(),
            Expr::MethodCall(called) => own::is_own(called) || gives_array(called),
            _ => false,
        };
        let takes_function = call.args.len() == 1 && super::options::is_function(&call.args[0], &self.known);
        let is_other = self.is_optional(receiver)
            || gives_places(receiver)
            || self.known.is_scalar(receiver)
            || self.known.is_receiver(receiver);
        is_either && call.method == "map" && takes_function && !is_other
    }

    /// `self.v.map(|x| ..)`, of an array or an option.
    pub(super) fn map_of_either(&mut self, call: &ExprMethodCall) -> TokenStream {
        self.no_turbofish(call);
        let (span, place) = (call.method.span(), self.spans.place(call));
        let matched = if self.may_refer(&call.receiver) { Matched::Perhaps } else { Matched::Value };
        let value = self.before_point(&call.receiver);
        let part = self.fresh("part", span);
        let (names, made) = self.option_body(&call.args[0], &place, (&quote!(#part), matched), "present_value");
        let hold = self.call_at(&place, "hold", place.extent.first, &made);
        self.call_at(&place, "mapped_value", span, &quote!(#value, |#part| { #names #hold }))
    }

    /// A closure of the host's that builds an element.
    fn making(&mut self, function: &Expr, of: impl crate::extent::Piece) -> TokenStream {
        let place = self.spans.place(of);
        let span = place.extent.first;
        let part = Current { name: self.fresh("part", span), is: Passed::Value };
        let (names, value) = self.applied(function, &[&part], &place, false);
        let hold = self.call_at(&place, "hold", span, &value);
        let name = &part.name;
        quote_spanned!(span=> |#name| { #names #hold })
    }
}

/// `v.to_le_bytes()` and the like; also `r.next()`, which of a generator of one's own may be an array.
fn gives_array(call: &ExprMethodCall) -> bool {
    let name = call.method.to_string();
    call.args.is_empty() && matches!(&*name, "to_le_bytes" | "to_be_bytes" | "to_ne_bytes" | "next")
}

/// `std::array::from_fn(|k| ..)`
pub(super) fn is_from_fn(call: &ExprCall) -> bool {
    let Expr::Path(path) = bare(&call.func) else { return false };
    let mut names = path.path.segments.iter().rev().map(|segment| &segment.ident);
    names.next().is_some_and(|last| last == "from_fn")
        && names.next().is_some_and(|before| before == "array")
        && call.args.len() == 1
}
