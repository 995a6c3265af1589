//! `for` over elements: `for x in &a`, `for (i, x) in a.iter().enumerate()`.
//!
//! The builder has a method for each method of the iterator, and rustc finds out what the items are: a name stands for the
//! builder's reference to an element, or for a value.

use super::adapters;
use super::closure::Is;
use super::ranges::cloned;
use super::referring::Matched;
use super::{Emitter, bare, mentions, scope, title};
use crate::extent::Extent;
use crate::paths;
use crate::verbatim;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Block, Expr, ExprField, ExprForLoop, ExprLit, ExprMethodCall, ExprRange, ExprReference, Lit, Pat, PatIdent,
    RangeLimits,
};

/// Methods whose items are subslices.
pub(super) const PIECES: [&str; 5] = ["chunks", "chunks_mut", "chunks_exact", "chunks_exact_mut", "windows"];

/// Whether a `for` goes over elements, as far as syntax tells: what is not a range.
pub(super) fn is_sequence(expr: &Expr) -> bool {
    let (mut expr, mut has_items) = (bare(expr), false);
    while let Expr::MethodCall(call) = expr {
        has_items |=
            ["enumerate", "zip", "skip", "take"].iter().any(|name| call.method == name) || !adapters::is_known(call);
        expr = bare(&call.receiver);
    }
    match expr {
        Expr::Range(_) => has_items,
        Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Struct(_) | Expr::Macro(_) => true,
        _ if has_items => true,
        Expr::Lit(ExprLit { lit: Lit::ByteStr(_), .. })
        | Expr::Path(_)
        | Expr::Array(_)
        | Expr::Repeat(_)
        | Expr::Index(_)
        | Expr::Call(_)
        | Expr::Field(_) => true,
        Expr::Reference(reference) => is_sequence(&reference.expr),
        _ => false,
    }
}

/// Whether a loop's body may change what it goes over.
fn changes(whole: &Expr, body: &Block) -> bool {
    mentions(quote!(#body), verbatim::text(whole).split(['.', '[']).next().unwrap_or_default().trim())
}

/// Whether it may have elements: a name, a subslice, or an array that is an element.
fn is_memory(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::Path(_) | Expr::Index(_) | Expr::Field(_))
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
        let known = self.closures.len();
        self.forget_closures(&for_.pat);
        // Not hidden from the user's code, so that rustc's errors are at the pattern.
        self.names += 1;
        let item = Ident::new(&format!("__item_{}", self.names), for_.pat.span());
        let matched = if may_be_values(&for_.expr) { Matched::Perhaps } else { Matched::Value };
        let names = self.matched_as(matched, |emitter| emitter.item_pattern(&for_.pat, &item));
        if goes_over_places(&for_.expr) {
            self.write_items(known);
        }
        let body = emit_body(self);
        self.closures.truncate(known);
        let Some(sequence) = sequence else { return TokenStream::new() };
        let begin = self.call_at(&place, "for_each", span, &sequence);
        let k = self.builder.at(span);
        scope(span, quote_spanned!(span=> let #item = #begin; #names #body #k.end_loop();))
    }

    /// What a `for` goes over.
    pub(super) fn sequence(&mut self, expr: &Expr, body: &Block) -> Option<TokenStream> {
        if self.is_stepped(expr) {
            return self.iterator(expr, body);
        }
        match bare(expr) {
            name @ (Expr::Path(_) | Expr::Lit(_)) => self.whole(name, body),
            copy if let Some(name @ Expr::Path(_)) = cloned(copy) => match self.is_copied_by_name(name) {
                true => self.whole(name, body),
                // What the copy gives, a struct that is an iterator still has.
                false => Some(self.sequence_value(name)),
            },
            call @ Expr::Call(_) => Some(self.sequence_value(call)),
            Expr::MethodCall(call) if self.gives_range(call) => Some(self.sequence_value(expr)),
            // Of a reference that is a field, the elements; of an array its values.
            Expr::Field(field) if self.field_of_variable(expr).is_some() => self.whole_field(field, body),
            // An array that is a part of another.
            array @ Expr::Field(_) => self.values_of(array, body),
            Expr::Index(index) if super::memory::range_of(index).is_none() => self.values_of(expr, body),
            Expr::Reference(ExprReference { mutability, expr: memory, .. }) if is_memory(memory) => {
                let method = if mutability.is_some() { "iter_mut" } else { "iter" };
                let handle = match mutability {
                    Some(_) => self.changed_memory(memory)?,
                    None => self.memory(memory)?,
                };
                Some(self.call(expr, method, memory.span(), &handle))
            }
            Expr::MethodCall(call)
                if !adapters::is_known(call) && !self.known.is_named_memory(bare(&call.receiver)) =>
            {
                Some(self.sequence_value(expr))
            }
            Expr::MethodCall(call) => self.adapted(call, body),
            whole @ Expr::Range(range) => self.numbers(whole, range),
            literal @ (Expr::Array(_) | Expr::Repeat(_)) => {
                let (array, symbol) = (self.array_literal(literal), Extent::of(literal).first);
                Some(self.call(literal, "into_iter", symbol, &quote!(#array, false)))
            }
            Expr::Reference(ExprReference { mutability: None, expr: value, .. }) => {
                let (array, symbol) = (self.memory(value)?, Extent::of(value).first);
                Some(self.call(expr, "iter", symbol, &array))
            }
            value @ (Expr::Block(_) | Expr::If(_) | Expr::Match(_) | Expr::Struct(_) | Expr::Macro(_)) => {
                Some(self.sequence_value(value))
            }
            other => {
                let message =
                    "a kernel's `for` goes over a range, a slice or an array: write `for i in a..b` or `for x in &a`";
                self.report.error(other, message);
                None
            }
        }
    }

    /// Whether a loop over what has the name changes nothing of it: memory, and what is behind a reference.
    fn is_copied_by_name(&self, name: &Expr) -> bool {
        self.known.is_named_memory(name) || self.item(name).is_some() || self.reference_named(name).is_some()
    }

    /// The numbers of a range, as items.
    fn numbers(&mut self, expr: &Expr, range: &ExprRange) -> Option<TokenStream> {
        let (span, closed) = (range.limits.span(), matches!(range.limits, RangeLimits::Closed(_)));
        match (&range.start, &range.end) {
            (Some(start), Some(end)) => {
                let bounds = self.operands([&**start, &**end]);
                Some(self.call(expr, "numbers", span, &quote!(#(#bounds,)* #closed)))
            }
            (Some(start), None) => {
                let start = self.value(start);
                Some(self.call(expr, "numbers_from", span, &start))
            }
            (None, _) => {
                self.report.error(range, "this range has no begin: write `0..n`");
                None
            }
        }
    }

    /// `for x in p.a`: the values of an array.
    fn values_of(&mut self, array: &Expr, body: &Block) -> Option<TokenStream> {
        let changes = changes(array, body);
        let memory = self.memory(array)?;
        Some(self.call(array, "values_of", array.span(), &quote!(#memory, #changes)))
    }

    /// Whether a call may be one of a user's method that gives a range: no other method of its name is known.
    fn gives_range(&self, call: &ExprMethodCall) -> bool {
        let name = call.method.to_string();
        let is_iterators = PIECES.contains(&&*name)
            || matches!(&*name, "zip" | "skip" | "take" | "map" | "filter" | "cloned" | "copied" | "enumerate");
        !is_iterators
            && super::own::is_own(call)
            && !super::ranges::is_clone(call)
            && !self.known.is_named_memory(bare(&call.receiver))
    }

    /// `for x in a`: of a slice its references, of an array its values.
    fn whole(&mut self, name: &Expr, body: &Block) -> Option<TokenStream> {
        // What the loop changes of the array, its values do not show.
        let changes = changes(name, body);
        let is_lent = std::mem::take(&mut self.lent) || self.reference_named(bare(name)) == Some(true);
        let mut memory = self.memory(name)?;
        if self.reference_named(bare(name)).is_some() {
            let k = self.builder.at(name.span());
            memory = quote_spanned!(name.span()=> #k.behind_reference(#memory));
        }
        let method = if is_lent { "lent_iter" } else { "into_iter" };
        Some(self.call(name, method, name.span(), &quote!(#memory, #changes)))
    }

    /// `for x in p.a`, of a variable: as of a name; or of a field that is an iterator the items.
    fn whole_field(&mut self, field: &ExprField, body: &Block) -> Option<TokenStream> {
        let whole = Expr::Field(field.clone());
        let is_memory = self.spilled(&whole).is_some() || self.stays;
        match self.array_field(field).filter(|_| !is_memory) {
            Some((variable, path)) => {
                let (changes, is_lent) = (changes(&whole, body), std::mem::take(&mut self.lent));
                let arguments = quote!(#variable, #path, #changes, #is_lent);
                Some(self.call(field, "gone_field", field.member.span(), &arguments))
            }
            None => self.whole(&whole, body),
        }
    }

    fn adapted(&mut self, call: &ExprMethodCall, body: &Block) -> Option<TokenStream> {
        let (name, span) = (call.method.to_string(), call.method.span());
        self.no_turbofish(call);
        let parameters: &[&str] = match name.as_str() {
            "iter" | "iter_mut" | "into_iter" | "enumerate" | "rev" | "copied" | "cloned" => &[],
            "zip" => &["other"],
            "skip" | "take" => &["n"],
            "step_by" => &["step"],
            name if PIECES.contains(&name) => &["size"],
            "map" | "filter" => {
                let message = format!(
                    "`.{name}(..)` stands behind the other methods, before the end, `.sum()` and the like: write the others first"
                );
                self.report.error(&call.method, message);
                return None;
            }
            _ => {
                let message = format!(
                    "`.{name}()` is not supported in a kernel's `for`: there are `.iter()`, `.iter_mut()`, `.enumerate()`, \
                     `.zip(other)`, `.rev()`, `.skip(n)`, `.take(n)`, `.step_by(k)`, `.copied()`, `.chunks(n)` and `.windows(n)`"
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
            (name, receiver) if PIECES.contains(&name) => return self.pieces(call, receiver),
            (method @ ("iter" | "iter_mut"), name @ Expr::Path(_)) if self.may_be_container(name) => {
                return Some(self.own_items(call, method, name));
            }
            (method @ ("iter" | "iter_mut"), receiver) => {
                let memory = match method {
                    "iter_mut" => self.changed_memory(receiver)?,
                    _ => self.memory(receiver)?,
                };
                return Some(self.call(call, method, span, &memory));
            }
            ("into_iter", Expr::Array(_) | Expr::Repeat(_)) => return self.sequence(receiver, body),
            ("into_iter", Expr::Field(_) | Expr::Index(_) | Expr::Reference(_)) => {
                return self.sequence(receiver, body);
            }
            ("into_iter", value) => return Some(self.sequence_value(value)),
            // A name may be one of a user's iterator.
            (_, Expr::Path(_) | Expr::Reference(_))
                if !(self.is_range(receiver) || name == "zip" && self.may_be_iterated(receiver)) =>
            {
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

    /// Whether a name may be one of an iterator: none of memory, which has no such methods.
    fn may_be_iterated(&self, name: &Expr) -> bool {
        matches!(name, Expr::Path(_)) && !self.known.is_named_memory(name)
    }

    /// `x.chunks(size)`
    fn pieces(&mut self, call: &ExprMethodCall, receiver: &Expr) -> Option<TokenStream> {
        let (name, span) = (call.method.to_string(), call.method.span());
        let (memory, size) = (self.memory(receiver)?, self.value(&call.args[0]));
        let (method, name) = match name.strip_suffix("_mut") {
            Some(name) => ("pieces_mut", name),
            None => ("pieces", name.as_str()),
        };
        let cut = match name {
            "chunks" => "Chunks",
            "chunks_exact" => "Exact",
            _ => "Windows",
        };
        let (private, cut) = (paths::private(span), Ident::new(cut, span));
        let cut = quote_spanned!(span=> #private::Cut::#cut);
        Some(self.call(call, method, span, &quote!(#memory, #cut, #size)))
    }

    /// Declares the names of a pattern for an item.
    pub(super) fn item_pattern(&mut self, pattern: &Pat, item: &Ident) -> TokenStream {
        match pattern {
            Pat::Paren(paren) => self.item_pattern(&paren.pat, item),
            Pat::Wild(_) => TokenStream::new(),
            Pat::Ident(name @ PatIdent { by_ref: None, subpat: None, ident, .. }) => {
                if name.mutability.is_some() {
                    return self.item_name(name, item);
                }
                self.name_is(
                    ident,
                    Is::Item {
                        is_seen: false,
                        is_given: self.matched == Matched::Perhaps,
                        is_written: false,
                        of: None,
                    },
                );
                quote_spanned!(ident.span()=> let #ident = #item;)
            }
            Pat::Reference(reference) if reference.mutability.is_none() => {
                let span = reference.and_token.span;
                let mut inner = &*reference.pat;
                while let Pat::Paren(paren) = inner {
                    inner = &paren.pat;
                }
                let method = if self.matched == Matched::Perhaps { "behind_seen" } else { "behind" };
                let value = self.call(pattern, method, span, &quote!(#item));
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
                let names: TokenStream =
                    tuple.elems.iter().zip(&parts).map(|(pattern, part)| self.item_pattern(pattern, part)).collect();
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
}

/// Whether what is gone over comes from a function or a field: its items may be references, which are values here.
pub(super) fn may_be_values(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Call(_) | Expr::Field(_) => true,
        Expr::MethodCall(call) => {
            super::own::is_own(call) || adapters::is_adapter(call) && may_be_values(&call.receiver)
        }
        _ => false,
    }
}

/// Whether the items of an iterator are `&mut` for certain: `&mut x`, `x.iter_mut().rev()`.
fn goes_over_places(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Reference(reference) => reference.mutability.is_some(),
        Expr::MethodCall(call) => match call.method.to_string().as_str() {
            "iter_mut" => call.args.is_empty(),
            "rev" | "skip" | "take" | "step_by" | "enumerate" => goes_over_places(&call.receiver),
            _ => false,
        },
        _ => false,
    }
}
