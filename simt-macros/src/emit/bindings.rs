//! The names that patterns bind: to values, or to what is behind a reference, `match &o`, `if let Some(x) = &mut o`, `ref x`.
//!
//! Behind a `&` there is a value that nothing changes meanwhile. Behind a `&mut` there is a variable, whose parts are variables, too.

use super::closure::Is;
use super::pattern::Pattern;
use super::{Emitter, bare, title};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit::{self, Visit};
use syn::{Expr, ExprReference, Pat, PatIdent, UnOp};

/// What the names of a pattern stand for.
pub(super) enum By {
    /// Values.
    Value,
    /// What is behind references.
    Reference,
    /// Parts of the variable under this name.
    Place(Ident),
}

impl Emitter<'_> {
    /// What patterns are for, under a name; what declares it, and what the patterns' names stand for.
    pub(super) fn subject_of(&mut self, expr: &Expr, patterns: &[&Pat]) -> (Ident, TokenStream, By) {
        if let Some((subject, kept)) = self.array_subject(expr, patterns) {
            return (subject, kept, By::Value);
        }
        let bare_expr = bare(expr);
        let (value, place) = match bare_expr {
            Expr::Reference(ExprReference { mutability: None, expr, .. }) => (&**expr, false),
            Expr::Reference(ExprReference { mutability: Some(_), expr, .. }) => (&**expr, true),
            name @ Expr::Path(_) if let Some(mutable) = self.reference_named(name) => (name, mutable),
            _ => (expr, patterns.iter().any(|pattern| has_ref_mut(pattern))),
        };
        let place = if place { self.place_of(value) } else { None };
        if let Some(place) = place {
            let (at, subject) = (self.spans.place(expr), self.fresh("value", super::Extent::of(expr).first));
            let exposed = self.call_at(&at, "exposed", at.extent.first, &place);
            let kept = quote_spanned!(at.extent.first=> let #subject = #exposed;);
            return (subject.clone(), kept, By::Place(subject));
        }
        if let Expr::Reference(ExprReference { mutability: Some(_), .. }) = bare_expr {
            // No variable: the message of a reference that is none.
            let (subject, kept) = self.subject(expr);
            return (subject, kept, By::Value);
        }
        let is_value = !matches!(bare_expr, Expr::Reference(_))
            && self.reference_named(bare_expr).is_none()
            && self.item(bare_expr).is_none();
        let (subject, kept) = self.subject(value);
        (subject, kept, if is_value { By::Value } else { By::Reference })
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

    /// Declares the names of a pattern: as other names of the value for the guard, and as variables of the arm.
    pub(super) fn names(&mut self, pattern: &Pattern<'_>, guarded: bool, by: &By) -> (TokenStream, TokenStream) {
        let (mut aliases, mut bound) = (TokenStream::new(), TokenStream::new());
        for (name, part) in &pattern.names {
            let PatIdent { ident, by_ref, mutability, .. } = name;
            let text = title(ident);
            match (by, by_ref, mutability) {
                (By::Place(subject), Some(_), Some(_)) | (By::Place(subject), None, None) => {
                    let place = self.call(*name, "part_place", ident.span(), &quote!(#subject, #part));
                    aliases.extend(quote_spanned!(ident.span()=> let #ident = #place;));
                    self.name_reference(ident, true);
                }
                (_, Some(by_ref), Some(_)) => {
                    let message =
                        "a `ref mut` is to a variable that has a name: write `match x { .. }` of a `let mut x`";
                    self.report.error(by_ref, message);
                }
                (_, _, None) => {
                    aliases.extend(quote_spanned!(ident.span()=> let #ident = #part;));
                    if by_ref.is_some() || matches!(by, By::Reference) {
                        self.name_as(ident, Is::Perhaps);
                    } else if self.meaning(ident).is_some() {
                        self.forget_name(ident);
                    }
                }
                (_, None, Some(_)) => {
                    if guarded {
                        aliases.extend(quote_spanned!(ident.span()=> let #ident = #part; let _ = &#ident;));
                    }
                    let declared = self.call(*name, "bind_mut", ident.span(), &quote!(#text, #part));
                    bound.extend(quote_spanned!(ident.span()=> let #ident = #declared;));
                    if self.meaning(ident).is_some() {
                        self.forget_name(ident);
                    }
                }
            }
        }
        (aliases, bound)
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
