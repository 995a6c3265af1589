//! `a[i]` where `a` may be of a user's type: rustc chooses between memory and the type's own `Index`.

use super::fields::{Element, closure};
use super::{Emitter, bare, literal, memory};
use crate::paths;
use crate::spans::Place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprIndex, Member};

/// The name of what gives the place that is the result of an `index_mut`: `__give_place(self.data[i])`.
pub(crate) const GIVE_PLACE: &str = "__give_place";

/// `base[index]` where only rustc knows whether the base is memory, or is none, and fields of it.
pub(super) struct Subscript<'a> {
    /// What stands before the index; of one that may be memory a name.
    base: TokenStream,
    whole: &'a ExprIndex,
    /// Whether the index is none of memory.
    is_own: bool,
    names: Vec<&'a Member>,
    /// The index behind it: `base[index][inner]`.
    inner: Option<&'a Expr>,
}

impl<'a> Subscript<'a> {
    pub(super) fn index(&self) -> &'a Expr {
        &self.whole.index
    }

    pub(super) fn inner(&self) -> Option<&'a Expr> {
        self.inner
    }
}

impl Emitter<'_> {
    /// `base[index]`, unless it is one of memory for certain.
    pub(super) fn subscript<'a>(&mut self, whole: &'a ExprIndex, names: Vec<&'a Member>) -> Option<Subscript<'a>> {
        if is_own(whole) {
            if self.known.is_named_memory(bare(&whole.expr)) && self.item(&whole.expr).is_none() {
                let message = "memory has one index: write `x[y * width + x]` for a row and a column, and `x[y][x]` for an array of arrays";
                self.report.error(&whole.index, message);
            }
            let base = self.receiver(&whole.expr);
            return Some(Subscript { base, whole, is_own: true, names, inner: None });
        }
        let name = bare(&whole.expr);
        let may_be_own = names.is_empty() && memory::range_of(whole).is_none() && self.may_be_own_name(name);
        may_be_own.then(|| Subscript { base: name.to_token_stream(), whole, is_own: false, names, inner: None })
    }

    /// `base[row][inner]`, unless it is an element of memory for certain.
    pub(super) fn subscript_of_row<'a>(&mut self, row: &'a ExprIndex, inner: &'a Expr) -> Option<Subscript<'a>> {
        Some(Subscript { inner: Some(inner), ..self.subscript(row, Vec::new())? })
    }

    fn may_be_own_name(&mut self, name: &Expr) -> bool {
        let Expr::Path(path) = name else { return false };
        let is_memory = self.known.is_named_memory(name) || self.known.is_scalar(name);
        path.path.get_ident().is_some() && self.table(name).is_none() && (!is_memory || self.item(name).is_some())
    }

    /// One that a reference refers to is memory, or has no place.
    pub(super) fn memory_of(&mut self, subscript: &Subscript<'_>) -> Option<TokenStream> {
        if subscript.is_own || subscript.inner.is_some() {
            let message = "in a kernel, what a struct's own `IndexMut` gives is no place that a reference refers to: write `let mut v = m[i];`, and `m[i] = v;` behind it";
            self.report.error(subscript.whole, message);
            return None;
        }
        self.memory(&subscript.whole.expr)
    }

    /// What the index is asked for: `name(at, ..)`
    fn asked_of(
        &mut self,
        place: &Place,
        subscript: &Subscript<'_>,
        (name, arguments): (&str, &TokenStream),
    ) -> TokenStream {
        let (symbol, at) = (subscript.whole.bracket_token.span.open(), &place.at);
        let (k, base) = (self.builder.at(symbol), &subscript.base);
        let method = Ident::new(if subscript.is_own { "own_subscript" } else { "subscript" }, symbol);
        let (index, inner) = match subscript.inner {
            None => (self.value(subscript.index()), None),
            Some(inner) => (self.value_before(subscript.index(), inner), Some(self.value(inner))),
        };
        let name = Ident::new(&format!("{name}{}", if inner.is_some() { "_inner" } else { "" }), symbol);
        let inner = inner.map(|inner| quote!(, #inner));
        quote_spanned!(symbol=> #k.#method(#base, #index).#name(#at #inner #arguments))
    }

    /// The value of an element.
    pub(super) fn load_subscript(&mut self, place: &Place, symbol: Span, subscript: &Subscript<'_>) -> TokenStream {
        let value = self.asked_of(place, subscript, ("read", &TokenStream::new()));
        if subscript.names.is_empty() {
            return value;
        }
        let path = closure(&subscript.names);
        self.call_at(place, "get", symbol, &quote!(#value, #path))
    }

    /// An element before the point of a method.
    pub(super) fn receiving_subscript(&mut self, whole: &ExprIndex) -> Option<TokenStream> {
        let subscript = self.subscript(whole, Vec::new())?;
        let place = self.spans.place(whole);
        Some(self.asked_of(&place, &subscript, ("receiver", &TokenStream::new())))
    }

    /// `element = value`
    pub(super) fn store_subscript(
        &mut self,
        place: &Place,
        symbol: Span,
        subscript: &Subscript<'_>,
        value: &TokenStream,
    ) -> TokenStream {
        let new = self.fresh("value", symbol);
        if !subscript.names.is_empty() {
            return self.change_subscript(place, symbol, subscript, value, |emitter, target, new| {
                emitter.call_at(place, "assign", symbol, &quote!(#target, #new))
            });
        }
        let written = self.asked_of(place, subscript, ("write", &quote!(, #new)));
        quote_spanned!(symbol=> { let #new = #value; #written })
    }

    /// `element op= value`
    pub(super) fn update_subscript(
        &mut self,
        place: &Place,
        (method, symbol): (&str, Span),
        subscript: &Subscript<'_>,
        value: &TokenStream,
    ) -> TokenStream {
        self.change_subscript(place, symbol, subscript, value, |emitter, target, new| {
            emitter.operator(place, &format!("{method}_assign"), symbol, &quote!(#target, #new))
        })
    }

    fn change_subscript(
        &mut self,
        place: &Place,
        symbol: Span,
        subscript: &Subscript<'_>,
        value: &TokenStream,
        change: impl FnOnce(&mut Self, &TokenStream, &Ident) -> TokenStream,
    ) -> TokenStream {
        let (change, new) = (self.change_of(symbol, &subscript.names, change), self.fresh("value", symbol));
        let updated = self.asked_of(place, subscript, ("update", &quote!(, #new, #change)));
        quote_spanned!(symbol=> { let #new = #value; #updated })
    }

    /// What is done with a place, or a field of it, and a value.
    fn change_of(
        &mut self,
        symbol: Span,
        names: &[&Member],
        change: impl FnOnce(&mut Self, &TokenStream, &Ident) -> TokenStream,
    ) -> TokenStream {
        let [target, new] = ["target", "value"].map(|name| self.fresh(name, symbol));
        let (k, path) = (self.builder.at(symbol), closure(names));
        let place = match names {
            [] => quote!(#target),
            _ => quote_spanned!(symbol=> #k.get_place(#target, #path)),
        };
        let changed = change(self, &place, &new);
        let private = paths::private(symbol);
        quote_spanned!(symbol=> |#k: &#private::Builder, #target, #new| #changed)
    }

    /// `variable.path[index]`
    fn begun_field(&mut self, symbol: Span, variable: &TokenStream, path: &TokenStream, index: &Expr) -> TokenStream {
        let (k, index) = (self.builder.at(symbol), self.value(index));
        quote_spanned!(symbol=> #k.field_subscript(#variable, #path, #index))
    }

    /// The value of `variable.path[index]`.
    pub(super) fn load_of_field(
        &mut self,
        place: &Place,
        symbol: Span,
        (variable, path, index): (&TokenStream, &TokenStream, &Expr),
    ) -> TokenStream {
        let (begun, at) = (self.begun_field(symbol, variable, path, index), &place.at);
        quote_spanned!(symbol=> #begun.read(#at))
    }

    /// `variable.path[index] = value`
    pub(super) fn store_to_field(
        &mut self,
        place: &Place,
        symbol: Span,
        (variable, path, index): (&TokenStream, &TokenStream, &Expr),
        value: &TokenStream,
    ) -> TokenStream {
        let new = self.fresh("value", symbol);
        let (begun, at) = (self.begun_field(symbol, variable, path, index), &place.at);
        quote_spanned!(symbol=> { let #new = #value; #begun.write(#at, #new) })
    }

    /// `variable.path[index] op= value`
    pub(super) fn update_of_field(
        &mut self,
        place: &Place,
        (method, symbol): (&str, Span),
        (variable, path, index): (&TokenStream, &TokenStream, &Expr),
        value: &TokenStream,
    ) -> TokenStream {
        let (begun, at) = (self.begun_field(symbol, variable, path, index), &place.at);
        let change = self.change_of(symbol, &[], |emitter, target, new| {
            emitter.operator(place, &format!("{method}_assign"), symbol, &quote!(#target, #new))
        });
        let new = self.fresh("value", symbol);
        quote_spanned!(symbol=> { let #new = #value; #begun.update(#at, #new, #change) })
    }

    /// `__give_place(place)`: a copy goes to the closure that `index_mut` has, and back to the place.
    pub(super) fn give_place(&mut self, call: &ExprCall) -> Option<TokenStream> {
        if super::call::called(call).is_none_or(|name| name != GIVE_PLACE) {
            return None;
        }
        let (place, span) = (call.args.first()?, call.span());
        let (declared, settled) = match self.resulting(place) {
            Some((declared, settled)) => (declared, settled),
            None => {
                let mut declared = TokenStream::new();
                let settled = self.with_names(place, &mut declared)?;
                (declared, settled)
            }
        };
        let at = self.spans.place(call);
        let [copy, with] = [self.fresh("element", span), Ident::new("__with", Span::call_site())];
        let value = self.value(&settled);
        let bound = self.call_at(&at, "bind_mut", span, &quote!("element", #value));
        let calls = self.call_at(&at, "calls", span, &TokenStream::new());
        let back = self.put(call, span, &settled, &copy.to_token_stream());
        Some(quote_spanned! {span=> {
            #declared
            let #copy = #bound;
            #with(::core::option::Option::Some((#copy,)), #calls);
            #back
        }})
    }
}

/// Whether an index is none of memory: a tuple, or the value of a struct.
pub(super) fn is_own(index: &ExprIndex) -> bool {
    match bare(&index.index) {
        Expr::Tuple(_) | Expr::Struct(_) | Expr::Array(_) => true,
        Expr::Call(call) => literal::is_constructor(call),
        _ => false,
    }
}

/// Whether an expression is an element of no memory.
pub(super) fn is_own_element(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::Index(index) if is_own(index))
}

impl<'a> From<Subscript<'a>> for Element<'a> {
    fn from(subscript: Subscript<'a>) -> Self {
        Self::Subscript(subscript)
    }
}
