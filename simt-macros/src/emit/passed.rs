//! Closures as arguments of device functions: `f(|x| x + 1)`, `f(g)` of a closure or a device function `g`.

use super::{Emitter, bare, numeric};
use crate::methods;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, ExprPath, Ident, parse_quote_spanned};

impl Emitter<'_> {
    /// An argument that is a closure, as far as syntax tells.
    pub(super) fn passed_closure(&mut self, argument: &Expr) -> Option<TokenStream> {
        match bare(argument) {
            Expr::Closure(closure) => Some(self.closure_given(closure, true).0),
            Expr::Reference(reference) => match bare(&reference.expr) {
                inner @ Expr::Closure(_) => self.passed_closure(inner),
                inner @ Expr::Path(path)
                    if path.path.get_ident().is_some_and(|name| self.closure_named(name).is_some()) =>
                {
                    self.passed_closure(inner)
                }
                _ => None,
            },
            Expr::Path(path) => match path.path.get_ident().and_then(|name| self.closure_named(name)) {
                Some(_) => Some(path.to_token_stream()),
                None => self.passed_function(path),
            },
            _ => None,
        }
    }

    /// The name of a device function: by custom, constants have capitals, and variables are bound in the function.
    fn passed_function(&mut self, function: &ExprPath) -> Option<TokenStream> {
        let ExprPath { qself: None, path, .. } = function else { return None };
        let (last, is_alone) = (path.segments.last()?, path.get_ident().is_some());
        let is_function = last.ident.to_string().starts_with(char::is_lowercase) && last.ident != "self";
        if !is_function || (is_alone && self.kernel.binds(&last.ident)) {
            return None;
        }
        if super::call::compares(path) {
            let span = function.span();
            return Some(self.closure_value(&parse_quote_spanned!(span=> |__a, __b| #path(&__a, &__b))).0);
        }
        if let Some(number) = numeric::parameters_of(path) {
            // `u32::max` is `|a, b| u32::max(a, b)`.
            let span = function.span();
            let names: Vec<Ident> = (0..number).map(|number| Ident::new(&format!("__given_{number}"), span)).collect();
            let closure: ExprClosure = parse_quote_spanned!(span=> |#(#names),*| #path(#(#names),*));
            return Some(self.closure_value(&closure).0);
        }
        let mut path = path.clone();
        if let [.., ty, function] = &mut *path.segments.iter_mut().collect::<Vec<_>>()
            && (ty.ident.to_string().starts_with(char::is_uppercase) || ty.ident == crate::traits::IMPLEMENTOR)
        {
            function.ident = methods::device_name(&function.ident);
        }
        let span = function.span();
        Some(self.call(Expr::Path(function.clone()), "named_function", span, &quote!(#path)))
    }
}

/// Whether an expression is a closure that has a name in it.
pub(super) fn closure_mentions(expr: &Expr, name: &Ident) -> bool {
    matches!(bare(expr), Expr::Closure(closure) if mentions(&closure.body, name))
}

/// Whether a name stands in an expression.
pub(super) fn mentions(expr: &Expr, name: &Ident) -> bool {
    struct Search<'n> {
        name: &'n Ident,
        found: bool,
    }
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_expr_path(&mut self, path: &'a ExprPath) {
            self.found |= path.path.is_ident(self.name);
            visit::visit_expr_path(self, path);
        }
    }
    let mut search = Search { name, found: false };
    search.visit_expr(expr);
    search.found
}
