//! The names that patterns bind: to values, or to what is behind a reference, `match &o`, `if let Some(x) = &mut o`, `ref x`.
//!
//! Behind a `&` there is a value that nothing changes meanwhile. Behind a `&mut` there is a variable, whose parts are variables, too.

use super::captured::block_changes_behind;
use super::closure::Is;
use super::matching::checked;
use super::pattern::Pattern;
use super::referring::Matched;
use super::{Emitter, bare, title};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit::{self, Visit};
use syn::{Block, Expr, Pat, PatIdent, UnOp};

impl Emitter<'_> {
    /// What patterns are for, under a name; what declares it, and what the patterns' names stand for.
    pub(super) fn subject_of(&mut self, expr: &Expr, patterns: &[&Pat]) -> (Ident, TokenStream, Matched) {
        let matched = match self.matched(expr) {
            // What is assigned to is a reference, whatever the function that gives it is called.
            Matched::Perhaps | Matched::Value
                if self.is_of_function(expr) && patterns.iter().any(|pattern| self.is_assigned_behind(pattern)) =>
            {
                Matched::Items
            }
            matched => matched,
        };
        if let Some((subject, kept)) = self.array_subject(expr, patterns) {
            return (subject, kept, matched);
        }
        let place = match patterns.iter().any(|pattern| has_ref_mut(pattern)) {
            true if matched == Matched::Value => self.place_of(expr),
            _ => None,
        };
        let Some(place) = place else {
            let (subject, kept) = self.subject(expr, &matched);
            return (subject, kept, matched);
        };
        let (at, subject) = (self.spans.place(expr), self.fresh("value", super::Extent::of(expr).first));
        let exposed = self.call_at(&at, "exposed", at.extent.first, &place);
        (subject.clone(), quote_spanned!(at.extent.first=> let #subject = #exposed;), Matched::Variable)
    }

    /// Whether what a name of a pattern refers to is assigned to.
    fn is_assigned_behind(&self, pattern: &Pat) -> bool {
        struct Named<'e> {
            block: &'e Block,
            found: bool,
        }
        impl<'a> Visit<'a> for Named<'_> {
            fn visit_pat_ident(&mut self, name: &'a PatIdent) {
                self.found |= name.mutability.is_none() && block_changes_behind(self.block, &name.ident);
            }
        }
        let mut named = Named { block: &self.kernel.function.block, found: false };
        named.visit_pat(pattern);
        named.found
    }

    /// Whether patterns for an expression name what is behind a reference.
    pub(super) fn is_behind(&self, expr: &Expr, pattern: &Pat) -> bool {
        matches!(bare(expr), Expr::Reference(_)) || self.reference_named(bare(expr)).is_some() || has_ref(pattern)
    }

    /// A variable, or a field of one.
    fn place_of(&mut self, expr: &Expr) -> Option<TokenStream> {
        match bare(expr) {
            name @ Expr::Path(_) => (self.item(name).is_none()).then(|| name.to_token_stream()),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                let name = bare(&unary.expr);
                self.reference_named(name).map(|_| name.to_token_stream())
            }
            Expr::Field(field) if self.field_of_variable(expr).is_some() => self.field_place(field),
            _ => None,
        }
    }

    /// Declares the names of a pattern for this value: as other names of it for the guard, and as variables of the arm.
    pub(super) fn names(
        &mut self,
        pattern: &Pattern<'_>,
        guarded: bool,
        (subject, matched): (&Ident, &Matched),
    ) -> (TokenStream, TokenStream) {
        let (mut aliases, mut bound) = (TokenStream::new(), TokenStream::new());
        for (name, part) in &pattern.names {
            let ident = &name.ident;
            let referring = pattern.references.iter().find(|(known, _)| *known == ident).map(|(_, is)| is.clone());
            match &referring {
                Some(is) => self.name_is(ident, is.clone()),
                None if self.meaning(ident).is_some() => self.forget_name(ident),
                None => {}
            }
            if matches!(referring, Some(Is::Reference { mutable: true })) {
                let place = self.call(*name, "part_place", ident.span(), &quote!(#subject, #part));
                aliases.extend(quote_spanned!(ident.span()=> let #ident = #place;));
            } else if name.mutability.is_some() {
                if guarded {
                    aliases.extend(quote_spanned!(ident.span()=> let #ident = #part; let _ = &#ident;));
                }
                let title = title(ident);
                let declared = self.call(*name, "bind_mut", ident.span(), &quote!(#title, #part));
                bound.extend(quote_spanned!(ident.span()=> let #ident = #declared;));
            } else if *matched == Matched::Items && referring.is_none() {
                let (title, place) = (title(ident), self.spans.place(*name));
                let nameable = self.call_at(&place, "nameable", ident.span(), &quote!(#part));
                aliases.extend(quote_spanned!(ident.span()=> let #ident = #nameable.named(#title);));
                self.name_item(ident);
            } else if *matched == Matched::Variable && referring.is_none() {
                // A copy of what may change.
                let copy = self.call(*name, "keep", ident.span(), &quote!(#part));
                aliases.extend(quote_spanned!(ident.span()=> let #ident = #copy;));
            } else {
                aliases.extend(quote_spanned!(ident.span()=> let #ident = #part;));
            }
        }
        (aliases, bound)
    }

    /// Declares the names of a pattern for a value that has a name: rustc checks that it always matches.
    pub(super) fn destructured_by(&mut self, pattern: &Pat, subject: &Ident, matched: &Matched) -> TokenStream {
        let pattern = self.matched_as(matched.clone(), |emitter| emitter.match_pattern(pattern, subject));
        let (aliases, bound) = self.names(&pattern, false, (subject, matched));
        let (here, given) = checked(subject);
        let (k, whole, parts) = (self.builder.at(here), &pattern.checked, &pattern.parts);
        quote_spanned!(here=> #k.exhaustive(#subject, |#given| {
            #[allow(clippy::unneeded_wildcard_pattern, reason = "a `_` stands for a name")]
            let #whole = #given;
        }); #parts #aliases #bound)
    }
}

/// Whether a pattern has a `ref` in it.
fn has_ref(pattern: &Pat) -> bool {
    refs(pattern).next().is_some()
}

/// Whether a pattern has a `ref mut` in it.
fn has_ref_mut(pattern: &Pat) -> bool {
    refs(pattern).any(|mutable| mutable)
}

/// The `ref`s in a pattern: whether they are `ref mut`.
fn refs(pattern: &Pat) -> impl Iterator<Item = bool> + use<> {
    struct Search(Vec<bool>);
    impl<'a> Visit<'a> for Search {
        fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
            self.0.extend(pattern.by_ref.map(|_| pattern.mutability.is_some()));
            visit::visit_pat_ident(self, pattern);
        }
    }
    let mut search = Search(Vec::new());
    search.visit_pat(pattern);
    search.0.into_iter()
}
