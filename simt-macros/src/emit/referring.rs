//! What is a reference on the host, and a value in a kernel: what `x.get(i)` is of, the names of `match &o`.
//!
//! Such a value cannot change while the reference is there, so that nothing can tell the two apart. Names of references are
//! known by syntax, for the sake of `*`: an option of references comes from `x.get(i)`, `o.as_ref()` and the like, and what is
//! behind its `Some` is one.

use super::closure::Is;
use super::{Emitter, bare, ends};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprMethodCall, ExprReference, Local, Pat, UnOp};

/// What a pattern is for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Matched {
    /// A value.
    #[default]
    Value,
    /// A reference, whose parts are references.
    Reference,
    /// An option of references.
    Optional,
    /// A `&mut` to a variable, whose parts are places.
    Place,
    /// A variable, whose parts are places for a `ref mut`.
    Variable,
    /// The parts of a tuple that is written here.
    Parts(Vec<Matched>),
}

impl Matched {
    /// What a part is for that a variant or a struct has.
    pub(super) fn behind(&self) -> Self {
        match self {
            Self::Optional => Self::Reference,
            Self::Parts(_) => Self::Value,
            other => other.clone(),
        }
    }

    /// What a name is that is bound there.
    pub(super) fn name(&self) -> Option<Is> {
        match self {
            Self::Value | Self::Variable | Self::Parts(_) => None,
            Self::Reference => Some(Is::Reference { mutable: false }),
            Self::Place => Some(Is::Reference { mutable: true }),
            Self::Optional => Some(Is::Optional),
        }
    }
}

impl Emitter<'_> {
    /// What patterns are for that a value is compared with.
    pub(super) fn matched(&self, value: &Expr) -> Matched {
        match bare(value) {
            Expr::Reference(ExprReference { mutability: None, .. }) => Matched::Reference,
            Expr::Reference(_) => Matched::Place,
            Expr::Tuple(tuple) => Matched::Parts(tuple.elems.iter().map(|part| self.matched(part)).collect()),
            Expr::MethodCall(call) if call.method == "as_mut" && call.args.is_empty() => Matched::Place,
            name @ Expr::Path(_) => match self.reference_named(name) {
                Some(true) => Matched::Place,
                Some(false) => Matched::Reference,
                None if self.is_optional(name) => Matched::Optional,
                None if self.only_item(name).is_some() => Matched::Reference,
                None => Matched::Value,
            },
            other if self.is_optional(other) => Matched::Optional,
            other if self.is_reference(other) => Matched::Reference,
            _ => Matched::Value,
        }
    }

    /// Whether an expression is an option of references.
    pub(super) fn is_optional(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Path(path) => {
                let is = path.path.get_ident().and_then(|name| self.meaning(name));
                matches!(is, Some(Is::Optional))
            }
            Expr::MethodCall(call) => match (call.method.to_string().as_str(), call.args.len()) {
                ("get", 1) | ("first" | "last" | "as_ref", 0) => true,
                ("min" | "max" | "find", _) if ends::is_end(call) => goes_over_references(call),
                ("filter" | "or" | "xor" | "or_else" | "take" | "expect_some", _) => self.is_optional(&call.receiver),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an expression, which is no name, is a reference to a value: `x.get(i).unwrap()`.
    pub(super) fn is_reference(&self, expr: &Expr) -> bool {
        let Expr::MethodCall(call) = bare(expr) else { return false };
        match (call.method.to_string().as_str(), call.args.len()) {
            ("unwrap" | "unwrap_or_default", 0) | ("expect" | "unwrap_or" | "unwrap_or_else", 1) => {
                self.is_optional(&call.receiver)
            }
            ("insert" | "get_or_insert" | "get_or_insert_with", 1) => true,
            _ => false,
        }
    }

    /// A name that a `let` gives to a reference or to an option of references.
    pub(super) fn name_referring(&mut self, local: &Local) {
        let Some(init) = &local.init else { return };
        let name = match &local.pat {
            Pat::Ident(name) => name,
            // The parts of what a reference refers to.
            Pat::Tuple(tuple) if self.is_reference(&init.expr) => {
                for part in &tuple.elems {
                    if let Pat::Ident(name) = part {
                        self.name_reference(&name.ident, false);
                    }
                }
                return;
            }
            _ => return,
        };
        if name.mutability.is_none() && self.is_optional(&init.expr) {
            self.name_is(&name.ident, Is::Optional);
        } else if name.mutability.is_none() && self.is_reference(&init.expr) {
            self.name_reference(&name.ident, false);
        }
    }

    /// What is matched, without the `&`: in a pattern, parts of a reference are what is behind it.
    pub(super) fn matched_value(&mut self, value: &Expr) -> TokenStream {
        match bare(value) {
            Expr::Reference(reference) if reference.mutability.is_none() => self.value(&reference.expr),
            Expr::Tuple(tuple) if tuple.elems.iter().any(|part| matches!(bare(part), Expr::Reference(_))) => {
                let parts: Vec<TokenStream> = tuple
                    .elems
                    .iter()
                    .map(|part| {
                        let (place, value) = (self.spans.place(part), self.matched_value(part));
                        self.call_at(&place, "hold", place.extent.first, &value)
                    })
                    .collect();
                quote!((#(#parts,)*))
            }
            _ => self.value(value),
        }
    }

    /// The variable behind a `&mut` that patterns are for, as a name that is read; `place_behind` makes places of its parts.
    pub(super) fn matched_place(&mut self, value: &Expr) -> Option<(Ident, TokenStream)> {
        let (place, span) = (self.spans.place(value), super::Extent::of(value).first);
        let lent = match bare(value) {
            Expr::Reference(reference) => self.lent_variable(reference)?,
            // `o.as_mut()`
            Expr::MethodCall(ExprMethodCall { receiver, .. }) => {
                let reference: ExprReference = syn::parse_quote_spanned!(span=> &mut #receiver);
                self.lent_variable(&reference)?
            }
            name => quote!(#name),
        };
        let subject = self.fresh("value", span);
        let seen = self.call_at(&place, "exposed", span, &lent);
        Some((subject.clone(), quote_spanned!(span=> let #subject = #seen;)))
    }

    /// `&mut variable`, `&mut variable.field`
    fn lent_variable(&mut self, reference: &ExprReference) -> Option<TokenStream> {
        let (inner, span) = (self.dereferenced(&reference.expr), reference.and_token.span);
        let is_variable = match bare(inner) {
            Expr::Path(_) => true,
            Expr::Field(_) => self.field_of_variable(inner).is_some(),
            _ => false,
        };
        if !is_variable {
            let message = "a pattern with places is for a variable or a field of one: write `let mut o = x[i];`, and `x[i] = o;` behind it";
            self.report.error(inner, message);
            return None;
        }
        let (lent, k) = (self.reference(reference), self.builder.at(span));
        Some(quote_spanned!(span=> #k.referent(#lent)))
    }

    /// Whether a `*` stands before what is a reference on the host only.
    pub(super) fn is_behind_value(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.is_behind_value(&unary.expr),
            expr => self.is_reference(expr),
        }
    }
}

/// Whether the items of an iterator that ends here are references.
fn goes_over_references(call: &ExprMethodCall) -> bool {
    let mut receiver = bare(&call.receiver);
    while let Expr::MethodCall(inner) = receiver {
        match inner.method.to_string().as_str() {
            "iter" => return true,
            "rev" | "skip" | "take" | "step_by" | "filter" => receiver = bare(&inner.receiver),
            _ => return false,
        }
    }
    false
}
