//! Structs: fields, and elements of fields.
//!
//! A field is named within a closure, `|part| part.name`, so that rustc finds it in the type that it infers.

use super::subscript::{Subscript, is_own_element};
use super::{Emitter, bare};
use crate::paths;
use crate::spans::Place;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprField, ExprIndex, Member};

/// An element, as it is read or assigned to.
pub(super) enum Element<'a> {
    /// `a[i]`, and `p[i].name`, of which the slice is that of the fields.
    Of { slice: TokenStream, index: &'a Expr },
    /// `p[i].name[k]`, and `a[i][k]`
    InSlice { fields: TokenStream, index: &'a Expr, inner: &'a Expr },
    /// `*r`, and `r.name`, of a reference to an element.
    Behind { slice: TokenStream, index: TokenStream },
    /// `memory[i]` and `memory[i].name`, where what has elements is more than a name: `a[i][j][k]`, `p[i].name[k].x`
    Deep { memory: &'a Expr, index: &'a Expr, names: Vec<&'a Member> },
    /// `a[i]` and `a[i].name` where `a` may be of a user's type
    Subscript(Subscript<'a>),
    /// `b.name[k]`, of which `memory` is the field
    InVariable { memory: &'a Expr, variable: &'a Expr, path: TokenStream, index: &'a Expr },
}

impl<'a> Element<'a> {
    /// The part that is evaluated, in Rust's order.
    pub(super) fn indices(&self) -> impl Iterator<Item = &'a Expr> + use<'a> {
        let (first, second) = match *self {
            Self::Of { index, .. } | Self::InVariable { index, .. } => (Some(index), None),
            Self::InSlice { index, inner, .. } => (Some(index), Some(inner)),
            Self::Subscript(ref subscript) => (Some(subscript.index()), subscript.inner()),
            // Of the latter the value is evaluated first in any case.
            Self::Behind { .. } | Self::Deep { .. } => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// The fields behind an expression: `a.b.c` is `a` with `b` and `c`. A tuple's, `a.0`, are among them only where they are those
/// of an element, `p[i].0.c`: of other values, a tuple has parts of its own.
pub(super) fn chain(field: &ExprField) -> Option<(&Expr, Vec<&Member>)> {
    let (base, mut names) = whole_chain(field);
    if is_element(base) {
        return Some((base, names));
    }
    let named = names.iter().rev().take_while(|name| matches!(name, Member::Named(_))).count();
    let names = names.split_off(names.len() - named);
    (named > 0).then(|| (behind(field, named), names))
}

/// As [`chain`], with all of a tuple struct's.
pub(super) fn whole_chain(field: &ExprField) -> (&Expr, Vec<&Member>) {
    let (mut base, mut names) = (&*field.base, vec![&field.member]);
    while let Expr::Field(inner) = bare(base) {
        names.push(&inner.member);
        base = &inner.base;
    }
    names.reverse();
    (base, names)
}

/// What stands before that many fields.
fn behind(field: &ExprField, count: usize) -> &Expr {
    let mut base = &*field.base;
    for _ in 1..count {
        let Expr::Field(inner) = bare(base) else { break };
        base = &inner.base;
    }
    base
}

/// `p[i]`
pub(super) fn is_element(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::Index(index) if super::memory::range_of(index).is_none())
}

/// `|part| part.a.b`
pub(super) fn closure(names: &[&Member]) -> TokenStream {
    let part = paths::part(names.first().map_or_else(Span::call_site, |name| name.span()));
    quote!(|#part| #part #(.#names)*)
}

impl Emitter<'_> {
    /// `p[i].name` as an element of the slice of these fields.
    pub(super) fn field_of_slice<'a>(&mut self, base: &'a Expr, names: &[&Member]) -> Option<(TokenStream, &'a Expr)> {
        let Expr::Index(ExprIndex { expr: slice, index, .. }) = bare(base) else { return None };
        let slice = self.memory(slice)?;
        let (k, path) = (self.builder.at(slice.span()), closure(names));
        let span = names.first().map_or_else(Span::call_site, |name| name.span());
        Some((quote_spanned!(span=> #k.column(#slice, #path)), index))
    }

    /// `b.name`, `p[i].name`
    pub(super) fn named_field(&mut self, field: &ExprField) -> TokenStream {
        let Some((base, names)) = chain(field) else { return self.unsupported(&Expr::Field(field.clone())) };
        if let Some(mistaken) = self.length_as_field(field) {
            return mistaken;
        }
        let place = self.spans.place(field);
        if let Some((declared, settled)) = self.settled(base) {
            let (base, path) = (self.value(&settled), closure(&names));
            let part = self.call_at(&place, "get", field.member.span(), &quote!(#base, #path));
            return quote!({ #declared #part });
        }
        let symbol = field.member.span();
        if let Some(value) = self.load_item_field(&place, symbol, base, &names) {
            return value;
        }
        if self.is_of_memory(base)
            && !is_own_element(base)
            && let Some((slice, index)) = self.field_of_slice(base, &names)
        {
            let index = self.value(index);
            return self.call_at(&place, "load", symbol, &quote!(#slice, #index));
        }
        let (base, path) = (self.value(base), closure(&names));
        self.call_at(&place, "get", symbol, &quote!(#base, #path))
    }

    /// `b.name` as the target of an assignment; for `p[i].name`, see [`Emitter::element`].
    pub(super) fn named_place(&mut self, field: &ExprField) -> Option<TokenStream> {
        let (base, names) = chain(field)?;
        let base = match bare(base) {
            name @ Expr::Path(_) => name.to_token_stream(),
            Expr::Field(inner) => self.field_place(inner)?,
            _ => return None,
        };
        let (k, path) = (self.builder.at(field.span()), closure(&names));
        let span = field.member.span();
        Some(quote_spanned!(span=> #k.get_place(#base, #path)))
    }

    /// The element that `a[i]`, `p[i].name`, `p[i].name[k]` and `b.name[k]` stand for; `None` for other expressions.
    pub(super) fn element<'a>(&mut self, expr: &'a Expr) -> Option<Element<'a>> {
        match bare(expr) {
            Expr::Field(field) => {
                let (base, names) = whole_chain(field);
                if let Some(element) = self.field_behind(base, &names) {
                    return Some(element);
                }
                let (base, names) = chain(field)?;
                if let Expr::Index(whole) = bare(base)
                    && is_own_element(base)
                {
                    return Some(self.subscript(whole, names)?.into());
                }
                if let Expr::Index(ExprIndex { expr: memory, index, .. }) = bare(base)
                    && !matches!(bare(memory), Expr::Path(_))
                {
                    return Some(Element::Deep { memory, index, names });
                }
                let (slice, index) = self.field_of_slice(base, &names)?;
                Some(Element::Of { slice, index })
            }
            Expr::Index(whole) if let Some(subscript) = self.subscript(whole, Vec::new()) => Some(subscript.into()),
            Expr::Index(ExprIndex { expr: slice, index, .. }) => {
                let field = match bare(slice) {
                    Expr::Field(field) => field,
                    Expr::Index(rows) if super::memory::range_of(rows).is_some() && !self.is_variable(slice) => {
                        let slice = self.memory(slice)?;
                        return Some(Element::Of { slice, index });
                    }
                    Expr::Index(row) if let Some(subscript) = self.subscript_of_row(row, index) => {
                        return Some(subscript.into());
                    }
                    Expr::Index(ExprIndex { expr: rows, index: row, .. }) if super::memory::is_slice(rows) => {
                        return Some(Element::InSlice { fields: self.memory(rows)?, index: row, inner: index });
                    }
                    Expr::Index(_) => return Some(Element::Deep { memory: slice, index, names: Vec::new() }),
                    _ => {
                        let slice = self.memory(slice)?;
                        return Some(Element::Of { slice, index });
                    }
                };
                let (base, names) = whole_chain(field);
                if self.item(base).is_some() {
                    return Some(Element::Of { slice: self.memory(slice)?, index });
                }
                match bare(base) {
                    Expr::Index(ExprIndex { expr: memory, .. }) if !matches!(bare(memory), Expr::Path(_)) => {
                        return Some(Element::Deep { memory: slice, index, names: Vec::new() });
                    }
                    _ => {}
                }
                if let Some((fields, outer)) = self.field_of_slice(base, &names) {
                    return Some(Element::InSlice { fields, index: outer, inner: index });
                }
                Some(Element::InVariable { memory: slice, variable: base, path: closure(&names), index })
            }
            _ => None,
        }
    }

    /// The value of an element.
    pub(super) fn load_element(&mut self, place: &Place, symbol: Span, element: Element<'_>) -> TokenStream {
        match element {
            Element::Of { slice, index } => {
                let index = self.value(index);
                self.call_at(place, "load", symbol, &quote!(#slice, #index))
            }
            Element::Behind { slice, index } => self.call_at(place, "load", symbol, &quote!(#slice, #index)),
            Element::InSlice { fields, index, inner } => {
                let operands = self.operands([index, inner]);
                self.call_at(place, "load_inner", symbol, &quote!(#fields, #(#operands),*))
            }
            // Known indices name variables.
            Element::Deep { memory, index, names } if self.is_variable(memory) && is_number(index) => {
                let (variable, index) = (self.value(memory), self.value(index));
                let itself = closure(&[]);
                let element = self.call_at(place, "get_element", symbol, &quote!(#variable, #itself, #index));
                if names.is_empty() {
                    return element;
                }
                let path = closure(&names);
                self.call_at(place, "get", symbol, &quote!(#element, #path))
            }
            Element::Deep { memory, index, names } => {
                let Some(slice) = self.deep(memory, &names) else { return quote!(()) };
                let index = self.value(index);
                self.call_at(place, "load", symbol, &quote!(#slice, #index))
            }
            Element::Subscript(subscript) => self.load_subscript(place, symbol, &subscript),
            Element::InVariable { variable, path, index, .. } => {
                let variable = self.value_before(variable, index);
                self.load_of_field(place, symbol, (&variable, &path, index))
            }
        }
    }

    /// `element = value`, of which the value is evaluated first.
    pub(super) fn store_element(
        &mut self,
        place: &Place,
        symbol: Span,
        element: Element<'_>,
        value: &TokenStream,
    ) -> TokenStream {
        match element {
            Element::Of { slice, index } => {
                let index = self.value(index);
                self.call_at(place, "store", symbol, &quote!(#slice, #value, #index))
            }
            Element::Behind { slice, index } => self.call_at(place, "store", symbol, &quote!(#slice, #value, #index)),
            Element::InSlice { fields, index, inner } => {
                let operands = self.operands([index, inner]);
                self.call_at(place, "store_inner", symbol, &quote!(#fields, #value, #(#operands),*))
            }
            Element::Deep { memory, index, names } => {
                let (kept, keep) = (self.fresh("value", symbol), self.call_at(place, "keep", symbol, value));
                let stored = self.writing(memory, |emitter, slice| {
                    let (slice, index) = (emitter.column(slice, &names), emitter.value(index));
                    emitter.call_at(place, "store", symbol, &quote!(#slice, #kept, #index))
                });
                quote_spanned!(symbol=> { let #kept = #keep; #stored })
            }
            Element::Subscript(subscript) => self.store_subscript(place, symbol, &subscript, value),
            Element::InVariable { variable, path, index, .. } => {
                let Some(variable) = self.variable(variable) else { return quote!(()) };
                self.store_to_field(place, symbol, (&variable, &path, index), value)
            }
        }
    }

    /// `element op= value`, of which the value is evaluated first; `methods` are the operator's, and that for elements.
    pub(super) fn update_element(
        &mut self,
        place: &Place,
        symbol: Span,
        element: Element<'_>,
        methods: (&str, &str),
        value: &TokenStream,
    ) -> TokenStream {
        let (new, index) = (paths::right(symbol), paths::counter(symbol));
        match element {
            Element::Of { slice, index } => {
                let index = self.value(index);
                self.call_at(place, methods.1, symbol, &quote!(#slice, #value, #index))
            }
            Element::Behind { slice, index } => self.call_at(place, methods.1, symbol, &quote!(#slice, #value, #index)),
            Element::InSlice { fields, index: outer, inner } => {
                let operands = self.operands([outer, inner]);
                let slice = paths::array(symbol);
                let flat = self.call_at(place, "element_index", symbol, &quote!(#slice, #(#operands),*));
                let k = self.builder.at(symbol);
                let elements = quote_spanned!(symbol=> #k.elements(#slice));
                let update = self.call_at(place, methods.1, symbol, &quote!(#elements, #new, #index));
                quote_spanned!(symbol=> { let #new = #value; let #slice = #fields; let #index = #flat; #update })
            }
            Element::Deep { memory, index: position, names } => {
                let keep = self.call_at(place, "keep", symbol, value);
                let updated = self.writing(memory, |emitter, slice| {
                    let (slice, position) = (emitter.column(slice, &names), emitter.value(position));
                    emitter.call_at(place, methods.1, symbol, &quote!(#slice, #new, #position))
                });
                quote_spanned!(symbol=> { let #new = #keep; #updated })
            }
            Element::Subscript(subscript) => self.update_subscript(place, (methods.0, symbol), &subscript, value),
            Element::InVariable { variable, path, index: position, .. } => {
                let Some(variable) = self.variable(variable) else { return quote!(()) };
                let position = self.value(position);
                let old = paths::left(symbol);
                let updated = self.call_at(place, methods.0, symbol, &quote!(#old, #new));
                let arguments = quote!(#variable, #path, #position, |#old| #updated);
                let change = self.call_at(place, "change_element", symbol, &arguments);
                quote_spanned!(symbol=> { let #new = #value; #change })
            }
        }
    }

    /// `memory[..].name`, as memory of these fields.
    pub(super) fn deep(&mut self, memory: &Expr, names: &[&Member]) -> Option<TokenStream> {
        let slice = self.memory(memory)?;
        Some(self.column(slice, names))
    }

    /// A slice of these fields of a slice's elements.
    pub(super) fn column(&self, slice: TokenStream, names: &[&Member]) -> TokenStream {
        let Some(first) = names.first() else { return slice };
        let (span, path) = (first.span(), closure(names));
        let k = self.builder.at(span);
        quote_spanned!(span=> #k.column(#slice, #path))
    }

    /// Whether it is an element of memory, or of an array of a variable at an index that may not be known.
    fn is_of_memory(&self, element: &Expr) -> bool {
        let Expr::Index(index) = bare(element) else { return false };
        !(self.is_variable(&index.expr) && is_number(&index.index))
    }

    /// A variable, or a field of one, as the target of an assignment.
    pub(super) fn variable(&mut self, variable: &Expr) -> Option<TokenStream> {
        let place = match bare(variable) {
            name @ Expr::Path(_) => Some(name.to_token_stream()),
            Expr::Field(field) => self.field_place(field),
            _ => None,
        };
        if place.is_none() {
            self.report.error(
                variable,
                "a kernel assigns to a field of a variable, `b.x = ..`, or of an element, `p[i].x = ..`",
            );
        }
        place
    }

    /// A value that is evaluated before all of the others.
    pub(super) fn value_before_all<'a>(
        &mut self,
        expr: &Expr,
        later: impl IntoIterator<Item = &'a Expr>,
    ) -> TokenStream {
        if later.into_iter().any(|later| self.known.may_emit_statements(later)) {
            self.held(expr)
        } else {
            self.value(expr)
        }
    }
}

/// Whether an index is a literal.
fn is_number(index: &Expr) -> bool {
    matches!(bare(index), Expr::Lit(_))
}
