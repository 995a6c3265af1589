//! `for` over elements: `for x in &a`, `for (i, x) in a.iter().enumerate()`.
//!
//! The builder has a method for each method of the iterator, and rustc finds out what the items are: a name stands for the
//! builder's reference to an element, or for a value.

use super::{Emitter, bare, scope, title};
use crate::extent::Extent;
use crate::item::ParamKind;
use crate::verbatim;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprForLoop, ExprMethodCall, ExprReference, Pat, PatIdent};

/// A name in the pattern of a `for` over elements.
pub(super) struct Reference {
    name: Ident,
    /// Whether the body binds it again: a field of it may then be one of a value.
    is_bound_again: bool,
}

/// Whether a `for` goes over elements, as far as syntax tells: what is not a range.
pub(super) fn is_sequence(expr: &Expr) -> bool {
    let mut expr = bare(expr);
    while let Expr::MethodCall(call) = expr {
        expr = bare(&call.receiver);
    }
    match expr {
        Expr::Path(_) | Expr::Array(_) | Expr::Repeat(_) => true,
        Expr::Reference(reference) => matches!(bare(&reference.expr), Expr::Path(_) | Expr::Array(_) | Expr::Repeat(_)),
        _ => false,
    }
}

impl Emitter<'_> {
    /// The loop's begin and what it declares, and its body.
    pub(super) fn for_each(
        &mut self,
        for_: &ExprForLoop,
        emit_body: impl FnOnce(&mut Self) -> TokenStream,
    ) -> TokenStream {
        let span = for_.for_token.span;
        let place = self.spans.place((&for_.for_token, &for_.expr));
        let sequence = self.sequence(&for_.expr, &for_.body);
        let known = self.references.len();
        // Not hidden from the user's code, so that rustc's errors are at the pattern.
        self.names += 1;
        let item = Ident::new(&format!("__item_{}", self.names), for_.pat.span());
        let names = self.item_pattern(&for_.pat, &item, &for_.body);
        let body = emit_body(self);
        self.references.truncate(known);
        let Some(sequence) = sequence else { return TokenStream::new() };
        let begin = self.call_at(&place, "for_each", span, &sequence);
        let k = self.builder.at(span);
        scope(span, quote_spanned!(span=> let #item = #begin; #names #body #k.end_loop();))
    }

    /// What a `for` goes over.
    fn sequence(&mut self, expr: &Expr, body: &Block) -> Option<TokenStream> {
        match bare(expr) {
            name @ Expr::Path(_) => self.whole(name, body),
            Expr::Reference(ExprReference { mutability, expr: name, .. }) if matches!(bare(name), Expr::Path(_)) => {
                let method = if mutability.is_some() { "iter_mut" } else { "iter" };
                Some(self.call(expr, method, name.span(), &quote!(#name)))
            }
            Expr::MethodCall(call) => self.adapted(call, body),
            literal @ (Expr::Array(_) | Expr::Repeat(_)) => {
                let (array, symbol) = (self.array_literal(literal), Extent::of(literal).first);
                Some(self.call(literal, "into_iter", symbol, &quote!(#array, false)))
            }
            Expr::Reference(ExprReference { mutability: None, expr: literal, .. })
                if matches!(bare(literal), Expr::Array(_) | Expr::Repeat(_)) =>
            {
                let (array, symbol) = (self.array_literal(bare(literal)), Extent::of(literal).first);
                Some(self.call(expr, "iter", symbol, &array))
            }
            other => {
                let message =
                    "a kernel's `for` goes over a range, a slice or an array: write `for i in a..b` or `for x in &a`";
                self.report.error(other, message);
                None
            }
        }
    }

    /// `for x in a`: of a slice its references, of an array its values.
    fn whole(&mut self, name: &Expr, body: &Block) -> Option<TokenStream> {
        let Expr::Path(path) = name else { return None };
        let param = self.kernel.params.iter().find(|param| path.path.is_ident(param.name));
        let method = param.and_then(|param| match param.kind {
            ParamKind::Slice(_) | ParamKind::Constant(_) => Some("iter"),
            ParamKind::SliceMut(_) => Some("iter_mut"),
            _ => None,
        });
        let Some(method) = method else {
            // What the loop changes of the array, its values do not show.
            let word = verbatim::text(name);
            let changes = mentions(quote!(#body), &word);
            return Some(self.call(name, "into_iter", name.span(), &quote!(#name, #changes)));
        };
        if path.path.get_ident().is_some_and(|name| binds(&self.kernel.function.block, name)) {
            let message =
                "this name stands for several things: write `.iter()` or `&` for the references, or another name";
            self.report.error(name, message);
            return None;
        }
        Some(self.call(name, method, name.span(), &quote!(#name)))
    }

    fn adapted(&mut self, call: &ExprMethodCall, body: &Block) -> Option<TokenStream> {
        let (name, span) = (call.method.to_string(), call.method.span());
        self.no_turbofish(call);
        let parameters: &[&str] = match name.as_str() {
            "iter" | "iter_mut" | "into_iter" | "enumerate" | "rev" | "copied" | "cloned" => &[],
            "zip" => &["other"],
            "skip" | "take" => &["n"],
            "step_by" => &["step"],
            _ => {
                let message = format!(
                    "`.{name}()` is not supported in a kernel's `for`: there are `.iter()`, `.iter_mut()`, `.enumerate()`, \
                     `.zip(other)`, `.rev()`, `.skip(n)`, `.take(n)`, `.step_by(k)` and `.copied()`"
                );
                self.report.error(&call.method, message);
                return None;
            }
        };
        if !self.expect_arguments(&call.method, &name, &call.args, parameters) {
            return None;
        }
        let receiver = bare(&call.receiver);
        let method = match (name.as_str(), receiver) {
            ("into_iter", Expr::Path(_)) => return self.whole(receiver, body),
            (method @ ("iter" | "iter_mut"), Expr::Path(_)) => {
                return Some(self.call(call, method, span, &quote!(#receiver)));
            }
            ("iter", Expr::Array(_) | Expr::Repeat(_)) => {
                let array = self.array_literal(receiver);
                return Some(self.call(call, "iter", span, &array));
            }
            ("into_iter", Expr::Array(_) | Expr::Repeat(_)) => return self.sequence(receiver, body),
            ("iter" | "iter_mut" | "into_iter", _) => {
                self.report.error(receiver, "a slice or an array has a name: write it here");
                return None;
            }
            (_, Expr::Path(_) | Expr::Reference(_)) => {
                let message = format!("an iterator has this method: write `.iter().{name}(..)`");
                self.report.error(&call.method, message);
                return None;
            }
            ("cloned", _) => "copied",
            (method, _) => method,
        };
        let sequence = self.sequence(receiver, body)?;
        let argument = match (method, call.args.first()) {
            (_, None) => return Some(self.call(call, method, span, &sequence)),
            ("zip", Some(other)) => self.sequence(other, body)?,
            (_, Some(number)) => self.value(number),
        };
        Some(self.call(call, method, span, &quote!(#sequence, #argument)))
    }

    /// Declares the names of a pattern for an item.
    fn item_pattern(&mut self, pattern: &Pat, item: &Ident, body: &Block) -> TokenStream {
        match pattern {
            Pat::Paren(paren) => self.item_pattern(&paren.pat, item, body),
            Pat::Wild(_) => TokenStream::new(),
            Pat::Ident(name @ PatIdent { by_ref: None, subpat: None, ident, .. }) => {
                if name.mutability.is_some() {
                    return self.item_name(name, item);
                }
                self.references.push(Reference { name: ident.clone(), is_bound_again: binds(body, ident) });
                quote_spanned!(ident.span()=> let #ident = #item;)
            }
            Pat::Reference(reference) if reference.mutability.is_none() => {
                let span = reference.and_token.span;
                let mut inner = &*reference.pat;
                while let Pat::Paren(paren) = inner {
                    inner = &paren.pat;
                }
                let value = self.call(pattern, "behind", span, &quote!(#item));
                match inner {
                    Pat::Wild(_) => {
                        let k = self.builder.at(span);
                        quote_spanned!(span=> let _ = #k.index_behind(#item);)
                    }
                    Pat::Ident(name @ PatIdent { by_ref: None, subpat: None, .. }) => {
                        let part = self.fresh("part", span);
                        let bound = self.item_name(name, &part);
                        quote_spanned!(span=> let #part = #value; #bound)
                    }
                    other => {
                        let (part, place) = (self.fresh("part", span), self.spans.place(pattern));
                        let keep = self.call_at(&place, "keep", span, &value);
                        let bound = self.destructured(other, &part);
                        quote_spanned!(span=> let #part = #keep; #bound)
                    }
                }
            }
            Pat::Tuple(tuple) => {
                let parts: Vec<Ident> = tuple.elems.iter().map(|part| self.fresh("part", part.span())).collect();
                let names: TokenStream = tuple
                    .elems
                    .iter()
                    .zip(&parts)
                    .map(|(pattern, part)| self.item_pattern(pattern, part, body))
                    .collect();
                let unused = tuple.elems.iter().zip(&parts).map(|(pattern, part)| match pattern {
                    Pat::Wild(_) => quote_spanned!(part.span()=> _),
                    _ => quote!(#part),
                });
                let span = tuple.paren_token.span.open();
                let k = self.builder.at(span);
                quote_spanned!(span=> let (#(#unused,)*) = #k.item_parts(#item); #names)
            }
            other => {
                let (span, whole) = (other.span(), self.fresh("whole", other.span()));
                let (k, names) = (self.builder.at(span), self.destructured(other, &whole));
                quote_spanned!(span=> let #whole = #k.whole_item(#item); #names)
            }
        }
    }

    /// A variable with the item's value.
    fn item_name(&mut self, name: &PatIdent, value: &Ident) -> TokenStream {
        let (ident, text) = (&name.ident, title(&name.ident));
        let method = if name.mutability.is_some() { "bind_mut" } else { "bind" };
        let bound = self.call(name, method, ident.span(), &quote!(#text, #value));
        quote_spanned!(ident.span()=> let #ident = #bound;)
    }

    /// The name, if an expression is one that a `for` gives to references.
    pub(super) fn item<'a>(&self, expr: &'a Expr) -> Option<(&Reference, &'a Ident)> {
        let Expr::Path(path) = bare(expr) else { return None };
        let name = path.path.get_ident()?;
        let known = self.references.iter().rfind(|reference| reference.name == *name)?;
        Some((known, name))
    }

    /// The name, if it is one and the body does not bind it again.
    pub(super) fn only_item<'a>(&self, expr: &'a Expr) -> Option<&'a Ident> {
        self.item(expr).filter(|(reference, _)| !reference.is_bound_again).map(|(_, name)| name)
    }
}

/// Whether tokens have the word.
fn mentions(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == word,
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), word),
        _ => false,
    })
}

/// Whether a pattern in the block binds the name.
fn binds(block: &Block, name: &Ident) -> bool {
    struct Search<'n> {
        name: &'n Ident,
        found: bool,
    }
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
            self.found |= pattern.ident == *self.name;
            visit::visit_pat_ident(self, pattern);
        }

        // What a macro binds, as `matches!` does, is not seen.
        fn visit_macro(&mut self, call: &'a syn::Macro) {
            let is_pattern = call.path.segments.last().is_some_and(|last| last.ident == "matches");
            self.found |= is_pattern && mentions(call.tokens.clone(), &self.name.to_string());
        }
    }
    let mut search = Search { name, found: false };
    search.visit_block(block);
    search.found
}
