//! Ranges as values: `let r = a..b;`, `r.clone()`, and names of them.

use super::closure::Is;
use super::{Emitter, bare};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, ExprRange, Local, Pat, RangeLimits, Type};

/// The expression of which a value is copied: `x` of `x.clone()`.
pub(super) fn cloned(expr: &Expr) -> Option<&Expr> {
    match bare(expr) {
        Expr::MethodCall(call) if is_clone(call) => Some(bare(&call.receiver)),
        _ => None,
    }
}

/// Whether it is `x.clone()`.
pub(super) fn is_clone(call: &ExprMethodCall) -> bool {
    call.method == "clone" && call.args.is_empty()
}

/// Whether a type is a range's, by its name.
pub(super) fn is_range_type(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|last| (last.ident == "Range" || last.ident == "RangeInclusive") && !last.arguments.is_none())
}

impl Emitter<'_> {
    /// `a..b`, `a..=b`
    pub(super) fn range_value(&mut self, range: &ExprRange) -> TokenStream {
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            return self.unsupported(&Expr::Range(range.clone()));
        };
        let ends = self.operands([&**start, &**end]);
        let method = match range.limits {
            RangeLimits::Closed(_) => "range_inclusive",
            RangeLimits::HalfOpen(_) => "range",
        };
        self.call(Expr::Range(range.clone()), method, range.limits.span(), &quote!(#(#ends),*))
    }

    /// Whether an expression is the name of a range, or a copy of one, as far as syntax tells.
    pub(super) fn is_range(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Range(_) => true,
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| match self.meaning(name) {
                Some(Is::Range) => true,
                Some(_) => false,
                None => {
                    self.kernel.params.iter().any(|param| param.name == name && is_range_type(param.kind.element()))
                }
            }),
            other => cloned(other).is_some_and(|inner| self.is_range(inner)),
        }
    }

    /// Remembers the name of a `let`, if it is one of a range.
    pub(super) fn name_range(&mut self, local: &Local) {
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let Pat::Ident(name) = pattern else { return };
        let is_range = match (ty, &local.init) {
            (Some(ty), _) => is_range_type(ty),
            (None, Some(init)) => self.is_range(&init.expr),
            (None, None) => false,
        };
        if is_range {
            self.name_as(&name.ident, Is::Range);
        }
    }

    /// What a `for` goes over that is the value of a call: rustc knows whether it is a range.
    pub(super) fn sequence_value(&mut self, expr: &Expr) -> TokenStream {
        if self.is_of_function(expr) {
            let given = self.value(expr);
            return self.call(expr, "given_items", expr.span(), &given);
        }
        let (place, value, name) = (self.spans.place(expr), self.value(expr), self.fresh("range", expr.span()));
        let span = place.extent.first;
        let kept = self.call_at(&place, "keep", span, &value);
        let memory = self.call_at(&place, "named_memory", span, &quote!(#name));
        let sequence = self.call_at(&place, "lent_iter", span, &quote!(#memory, false));
        quote_spanned!(span=> { let #name = #kept; #sequence })
    }
}
