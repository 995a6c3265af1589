//! What is a reference on the host, and a value in a kernel: what `x.get(i)` is of, the names of `match &o`.
//!
//! Such a value cannot change while the reference is there, so that nothing can tell the two apart. Names of references are
//! known by syntax, for the sake of `*`: an option of references comes from `x.get(i)`, `o.as_ref()` and the like, and what is
//! behind its `Some` is one.

use super::adapters::is_value;
use super::closure::Is;
use super::{Emitter, bare, ends};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Block, Expr, ExprIf, ExprMethodCall, ExprReference, Local, Pat, Stmt, Type, UnOp};

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
    /// What a method or a `?` gives, which may be a reference or have references in it.
    Perhaps,
    /// A `&mut` to a variable, whose parts are places.
    Place,
    /// A variable, whose parts are places for a `ref mut`.
    Variable,
    /// What may have references to elements that are written: `x.get_mut(i)`.
    Items,
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
            Self::Value | Self::Variable | Self::Items | Self::Parts(_) => None,
            Self::Reference => Some(Is::Reference { mutable: false }),
            Self::Place => Some(Is::Reference { mutable: true }),
            Self::Optional => Some(Is::Optional),
            Self::Perhaps => Some(Is::Perhaps),
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
            Expr::MethodCall(call)
                if call.method == "as_mut" && call.args.is_empty() && self.is_place_of_thread(&call.receiver) =>
            {
                Matched::Place
            }
            name @ Expr::Path(_) => match self.reference_named(name) {
                Some(true) => Matched::Place,
                Some(false) => Matched::Reference,
                None if self.is_optional(name) => Matched::Optional,
                None if self.item(name).is_some() => Matched::Reference,
                None if self.may_refer(name) => Matched::Perhaps,
                None if self.is_slice_for_certain(name) => Matched::Reference,
                None => Matched::Value,
            },
            other if gives_places(other) => Matched::Items,
            other if self.is_optional(other) => Matched::Optional,
            other if self.is_reference(other) => Matched::Reference,
            other if self.may_refer(other) => Matched::Perhaps,
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
                // A struct may have such methods, too.
                ("get", 1) | ("first" | "last", 0) => self.is_memory_for_certain(&call.receiver),
                ("min" | "max" | "find" | "min_by_key" | "max_by_key" | "min_by" | "max_by" | "nth", _)
                    if ends::is_end(call, self) =>
                {
                    goes_over_references(call)
                }
                ("next" | "next_back" | "peek", 0) | ("next_if" | "next_if_eq", 1) => is_value(&call.receiver, self),
                ("as_ref" | "filter" | "or" | "xor" | "or_else" | "take" | "expect_some", _) => {
                    self.is_optional(&call.receiver)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an expression, which is no name, is a reference to a value: `x.get(i).unwrap()`.
    pub(super) fn is_reference(&self, expr: &Expr) -> bool {
        let call = match bare(expr) {
            Expr::MethodCall(call) => call,
            Expr::Try(try_) => return self.is_optional(&try_.expr),
            _ => return false,
        };
        match (call.method.to_string().as_str(), call.args.len()) {
            ("unwrap" | "unwrap_or_default", 0) | ("expect" | "unwrap_or" | "unwrap_or_else", 1) => {
                self.is_optional(&call.receiver)
            }
            ("insert" | "get_or_insert" | "get_or_insert_with", 1) => true,
            _ => false,
        }
    }

    /// Whether an expression may be a reference, or have references in it: rustc's types are those of values, so that for what
    /// a user's function, a method or a `?` gives, syntax cannot tell.
    pub(super) fn may_refer(&self, expr: &Expr) -> bool {
        let block = |block: &Block| matches!(block.stmts.last(), Some(Stmt::Expr(last, None)) if self.may_refer(last));
        match bare(expr) {
            name @ Expr::Path(_) => {
                self.may_be_reference(name) || self.reference_named(name).is_some() || self.item(name).is_some()
            }
            Expr::MethodCall(_) => !self.known.is_scalar(expr),
            Expr::Try(_) => true,
            Expr::Field(field) => self.may_refer(&field.base),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && self.may_refer(&unary.expr),
            Expr::If(ExprIf { then_branch, else_branch: Some((_, otherwise)), .. }) => {
                block(then_branch) || self.may_refer(otherwise)
            }
            Expr::Match(match_) => match_.arms.iter().any(|arm| self.may_refer(&arm.body)),
            Expr::Block(inner) => block(&inner.block),
            _ => false,
        }
    }

    /// Whether a value comes from a function or a method of the user's.
    pub(super) fn is_of_function(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::MethodCall(call) if matches!(call.method.to_string().as_str(), "unwrap" | "expect") => {
                self.is_of_function(&call.receiver)
            }
            Expr::MethodCall(call) => super::own::is_own(call) && !ends::is_end(call, self),
            Expr::Call(call) => super::call::is_device(call),
            Expr::Try(try_) => self.is_of_function(&try_.expr),
            _ => false,
        }
    }

    /// The names that a `let` gives to references or to options of references.
    pub(super) fn name_referring(&mut self, local: &Local) {
        if let Some(init) = &local.init {
            self.name_referred(&local.pat, &init.expr);
        }
    }

    fn name_referred(&mut self, pattern: &Pat, value: &Expr) {
        match (pattern, bare(value)) {
            (Pat::Ident(name), value) if name.mutability.is_none() && gives_places(value) => {
                self.name_item(&name.ident);
            }
            (Pat::Ident(name), value) if name.mutability.is_none() && self.is_optional(value) => {
                self.name_is(&name.ident, Is::Optional);
            }
            (Pat::Ident(name), value) if name.mutability.is_none() && self.item(value).is_some() => {
                let (is_seen, is_written) = (self.is_seen_item(value), self.is_written_item(value));
                self.name_is(
                    &name.ident,
                    Is::Item { is_seen, is_given: self.is_given_item(value), is_written, of: None },
                );
            }
            (Pat::Type(typed), _) if is_reference_type(&typed.ty) => {
                self.name_parts(&typed.pat, Is::Reference { mutable: false });
            }
            (pattern, value) if self.is_reference(value) => self.name_parts(pattern, Is::Reference { mutable: false }),
            // Places of the variable behind it.
            (Pat::Tuple(_), value) if self.reference_named(value) == Some(true) => {
                self.name_parts(pattern, Is::Reference { mutable: true });
            }
            (pattern, value) if self.may_refer(value) => self.name_parts(pattern, Is::Perhaps),
            (Pat::Tuple(parts), Expr::Tuple(values)) if parts.elems.len() == values.elems.len() => {
                for (part, value) in parts.elems.iter().zip(&values.elems) {
                    match bare(value) {
                        Expr::Reference(reference) if reference.mutability.is_none() => {
                            self.name_parts(part, Is::Perhaps);
                        }
                        _ => self.name_referred(part, value),
                    }
                }
            }
            _ => {}
        }
    }

    /// The names of a pattern of names are this from here on. A copy, `mut x`, may be of a reference.
    fn name_parts(&mut self, pattern: &Pat, is: Is) {
        match pattern {
            Pat::Ident(name) if name.by_ref.is_none() => {
                let is = if name.mutability.is_some() { Is::Perhaps } else { is };
                self.name_is(&name.ident, is);
            }
            Pat::Tuple(tuple) => tuple.elems.iter().for_each(|part| self.name_parts(part, is.clone())),
            Pat::Paren(paren) => self.name_parts(&paren.pat, is),
            _ => {}
        }
    }

    /// What is matched, without the `&`: in a pattern, parts of a reference are what is behind it.
    pub(super) fn matched_value(&mut self, value: &Expr) -> TokenStream {
        match bare(value) {
            // A part of a slice.
            Expr::Reference(reference) if matches!(bare(&reference.expr), Expr::Index(index) if super::memory::range_of(index).is_some()) => {
                self.carried(reference)
            }
            Expr::Index(index) if super::memory::range_of(index).is_some() => {
                let span = index.bracket_token.span.open();
                self.carried(&syn::parse_quote_spanned!(span=> &#index))
            }
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

    /// Whether an expression is a variable, or a field of one.
    fn is_place_of_thread(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Path(_) => self.item(expr).is_none(),
            Expr::Field(_) => self.field_of_variable(expr).is_some(),
            _ => false,
        }
    }

    /// `&mut variable`, `&mut variable.field`
    fn lent_variable(&mut self, reference: &ExprReference) -> Option<TokenStream> {
        let (inner, span) = (self.dereferenced(&reference.expr), reference.and_token.span);
        if !self.is_place_of_thread(inner) {
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
            Expr::Reference(reference) => reference.mutability.is_none(),
            expr => self.is_reference(expr) || self.may_refer(expr),
        }
    }
}

/// Whether a type is that of a reference to a value or an array.
fn is_reference_type(ty: &Type) -> bool {
    let Type::Reference(reference) = crate::item::bare(ty) else { return false };
    let is_memory =
        matches!(crate::item::bare(&reference.elem), Type::Slice(_)) || crate::item::is_atomic(&reference.elem);
    reference.mutability.is_none() && !is_memory
}

/// Whether the value of a call has references to elements that are written: by custom, its name ends in `_mut`.
pub(super) fn gives_places(expr: &Expr) -> bool {
    let is_it = |name: &Ident| {
        let name = name.to_string();
        name.ends_with("_mut") && !matches!(name.as_str(), "iter_mut" | "chunks_mut" | "chunks_exact_mut")
    };
    match bare(expr) {
        Expr::MethodCall(call)
            if matches!(
                call.method.to_string().as_str(),
                "unwrap" | "expect" | "filter" | "or_else" | "or" | "xor"
            ) =>
        {
            gives_places(&call.receiver)
        }
        // What a closure gives, or a function by its name.
        Expr::MethodCall(call) if call.method == "and_then" && call.args.len() == 1 => match bare(&call.args[0]) {
            Expr::Closure(closure) => gives_places(&closure.body),
            Expr::Path(path) => path.path.segments.last().is_some_and(|last| is_it(&last.ident)),
            _ => false,
        },
        Expr::MethodCall(call) => is_it(&call.method),
        Expr::Call(call) => super::call::called(call).is_some_and(is_it),
        Expr::Try(try_) => gives_places(&try_.expr),
        _ => false,
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
