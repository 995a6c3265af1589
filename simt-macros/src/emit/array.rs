//! Arrays: those of a thread, with their values, and those of the block.

use super::{Emitter, bare, mentions, title};
use crate::paths;
use crate::spans::Place;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{
    Attribute, ConstParam, Expr, ExprLit, GenericParam, Lit, Local, LocalInit, Meta, Pat, PatIdent, Type, TypeParam,
};

const EMPTY: &str = "an array has at least one element in a kernel: this has no memory";

/// `0`
pub(crate) fn is_zero(length: &Expr) -> bool {
    matches!(bare(length), Expr::Lit(ExprLit { lit: Lit::Int(length), .. }) if length.base10_digits() == "0")
}

/// `#[shared]`
pub(super) fn is_shared(attribute: &Attribute) -> bool {
    attribute.path().is_ident("shared")
}

impl Emitter<'_> {
    /// `[a, b]` and `[a; N]` as the value of a field.
    pub(super) fn array_value(&mut self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Array(array) => {
                let operands = self.operands(&array.elems);
                let items = array.elems.iter().zip(operands);
                let items: Vec<_> = items
                    .map(|(element, operand)| {
                        let place = self.spans.place(element);
                        self.call_at(&place, "item", place.extent.first, &operand)
                    })
                    .collect();
                quote_spanned!(array.bracket_token.span.open()=> [#(#items),*])
            }
            Expr::Repeat(repeat) => {
                let value = self.value(&repeat.expr);
                let (place, length) = (self.spans.place(expr), &repeat.len);
                let symbol = repeat.semi_token.span;
                self.call_typed(&place, "repeated", symbol, &quote!(_, {#length}), &value)
            }
            _ => self.unsupported(expr),
        }
    }

    /// `let a = [0; 8];` and `#[shared] let a: [u32; 8];`, if it is one of them.
    pub(super) fn array(&mut self, local: &Local) -> Option<TokenStream> {
        if let Some(attribute) = local.attrs.iter().find(|attribute| is_shared(attribute)) {
            return Some(self.shared_array(local, attribute));
        }
        if local.init.is_none() {
            return self.unset_array(local);
        }
        let LocalInit { expr, diverge: None, .. } = local.init.as_ref()? else { return None };
        let init = bare(expr);
        let length = match init {
            Expr::Array(array) => array.elems.len().to_token_stream(),
            Expr::Repeat(repeat) => repeat.len.to_token_stream(),
            _ => return None,
        };
        let (pattern, ty) = split(&local.pat);
        if super::items::takes_apart(pattern) {
            return None;
        }
        self.refuse_empty(init);
        let Some(name) = self.array_name(pattern) else { return Some(TokenStream::new()) };
        if let Some(Type::Path(path)) = ty.map(crate::item::bare)
            && let Some(number) = path.path.get_ident().filter(|name| super::numeric::is_scalar(&name.to_string()))
        {
            self.report.error(init, format_args!("mismatched types in kernel: expected `{number}`, found an array"));
            return Some(TokenStream::new());
        }
        // Rust's own type, so that rustc checks the lengths as it does in plain Rust.
        let found = quote_spanned!(crate::extent::Extent::of(init).first=> [_; #length]);
        let (method, types) = match ty {
            Some(ty) => ("array_as", quote!(#ty, #found)),
            None => ("array", found),
        };
        let (span, text) = (name.ident.span(), title(&name.ident));
        let place = self.spans.place(local);
        let array = self.call_typed(&place, method, span, &types, &text.to_token_stream());
        let hidden = paths::array(span);
        let values = self.values(init, &hidden);
        let finished = if name.mutability.is_some() {
            hidden.to_token_stream()
        } else {
            let k = self.builder.at(span);
            quote_spanned!(span=> #k.read_only(#hidden))
        };
        let (ident, attributes) = (&name.ident, &local.attrs);
        Some(quote_spanned!(span=> #(#attributes)* let #ident = { let #hidden = #array; #values #finished };))
    }

    /// `let mut a: [f32; 64];`
    fn unset_array(&mut self, local: &Local) -> Option<TokenStream> {
        let (pattern, ty) = match split(&local.pat) {
            (pattern, Some(ty @ Type::Array(_))) => (pattern, ty),
            (_, Some(ty @ Type::Slice(_))) => {
                let message = "a thread's array has a length: write `let mut a: [f32; 64];`; the launch gives that of a \
                               `#[shared] let mut a: [f32];`";
                self.report.error(ty, message);
                return Some(TokenStream::new());
            }
            _ => return None,
        };
        self.refuse_empty_type(ty);
        let name = self.array_name(pattern)?;
        if name.mutability.is_none() {
            let message = "an array without values is written to later: write `let mut`, or give it values, `[0; N]`";
            self.report.error(name, message);
            return Some(TokenStream::new());
        }
        let (ident, attributes, text) = (&name.ident, &local.attrs, title(&name.ident));
        let place = self.spans.place(local);
        let array = self.call_typed(&place, "unset_array", ident.span(), &quote!(#ty), &text.to_token_stream());
        Some(quote_spanned!(ident.span()=> #(#attributes)* let #ident = #array;))
    }

    /// An array that is passed by value gets its name.
    pub(super) fn passed_array(&self, place: &Place, name: &Ident, mutable: bool, array: &TokenStream) -> TokenStream {
        let (method, title) = (Ident::new(if mutable { "named_mut" } else { "named" }, name.span()), title(name));
        let nameable = self.call_at(place, "nameable", name.span(), array);
        quote_spanned!(name.span()=> let #name = #nameable.#method(#title);)
    }

    /// `[a, b]` that has no name, as memory.
    pub(super) fn array_literal(&mut self, literal: &Expr) -> TokenStream {
        let span = crate::extent::Extent::of(literal).first;
        let (array, k) = (self.changing_array_literal(literal), self.builder.at(span));
        quote_spanned!(span=> #k.read_only(#array))
    }

    /// The same, which may be written.
    pub(super) fn changing_array_literal(&mut self, literal: &Expr) -> TokenStream {
        let span = crate::extent::Extent::of(literal).first;
        let length = match literal {
            Expr::Array(array) => array.elems.len().to_token_stream(),
            Expr::Repeat(repeat) => repeat.len.to_token_stream(),
            other => return self.unsupported(other),
        };
        self.refuse_empty(literal);
        let place = self.spans.place(literal);
        let array = self.call_typed(&place, "array", span, &quote_spanned!(span=> [_; #length]), &quote!("items"));
        let hidden = self.fresh("array", span);
        let values = self.values(literal, &hidden);
        quote_spanned!(span=> { let #hidden = #array; #values #hidden })
    }

    /// The stores that give a new array its values.
    fn values(&mut self, init: &Expr, array: &Ident) -> TokenStream {
        match init {
            Expr::Array(elements) => {
                let elements = elements.elems.iter().zip(0_u32..);
                elements
                    .map(|(element, index)| {
                        let value = self.value(element);
                        let place = self.spans.place(element);
                        let call = self.call_at(&place, "element", place.extent.first, &quote!(#array, #index, #value));
                        quote!(#call;)
                    })
                    .collect()
            }
            Expr::Repeat(repeat) => {
                let value = self.value(&repeat.expr);
                let place = self.spans.place(init);
                let call = self.call_at(&place, "fill", place.extent.first, &quote!(#array, #value));
                quote!(#call;)
            }
            _ => TokenStream::new(),
        }
    }

    fn shared_array(&mut self, local: &Local, attribute: &Attribute) -> TokenStream {
        if !matches!(attribute.meta, Meta::Path(_)) {
            self.report.error(attribute, "`#[shared]` takes no arguments");
        }
        if let Some(LocalInit { eq_token, .. }) = &local.init {
            self.report.error(
                eq_token,
                "a `#[shared]` array has no initial value: write `let mut a: [f32; 256];`, let the threads write it, and then \
                 call `sync_threads()`",
            );
        }
        let (pattern, ty) = split(&local.pat);
        let Some(name) = self.array_name(pattern) else { return TokenStream::new() };
        let Some(ty) = ty else {
            if local.init.is_none() {
                self.report.error(pattern, "a `#[shared]` array needs its type: write `let mut a: [f32; 256];`");
            }
            return TokenStream::new();
        };
        self.refuse_empty_type(ty);
        let (place, text, is_written) = (self.spans.place(local), title(&name.ident), name.mutability.is_some());
        let array = match self.computed_length(ty) {
            Some((element, length)) => {
                let method = if is_written { "shared_of_mut" } else { "shared_of" };
                self.call_typed(&place, method, name.ident.span(), &quote!(#element), &quote!(#text, #length))
            }
            None => {
                let method = if is_written { "shared_mut" } else { "shared" };
                self.call_typed(&place, method, name.ident.span(), &quote!(#ty), &text.to_token_stream())
            }
        };
        let attributes = local.attrs.iter().filter(|attribute| !is_shared(attribute));
        let ident = &name.ident;
        quote_spanned!(ident.span()=> #(#attributes)* let #ident = #array;)
    }

    /// An array without elements has no memory. Where a parameter or a constant is its length, the launch says so.
    fn refuse_empty(&mut self, literal: &Expr) {
        let inner = match literal {
            Expr::Array(array) => array.elems.first(),
            Expr::Repeat(repeat) if !is_zero(&repeat.len) => Some(&*repeat.expr),
            Expr::Repeat(_) => None,
            _ => return,
        };
        match inner {
            Some(inner) => self.refuse_empty(bare(inner)),
            None => self.report.error(literal, EMPTY),
        }
    }

    /// The same by its type.
    fn refuse_empty_type(&mut self, ty: &Type) {
        match crate::item::bare(ty) {
            Type::Array(array) if is_zero(&array.len) => self.report.error(ty, EMPTY),
            Type::Array(array) => self.refuse_empty_type(&array.elem),
            _ => {}
        }
    }

    /// `T` and `2 * N` of a type `[T; 2 * N]`, which Rust has for no parameter `N`.
    fn computed_length<'a>(&self, ty: &'a Type) -> Option<(&'a Type, &'a Expr)> {
        let Type::Array(array) = crate::item::bare(ty) else { return None };
        let is_named = matches!(bare(&array.len), Expr::Path(path) if path.path.get_ident().is_some());
        let length = array.len.to_token_stream();
        let mut parameters = self.kernel.function.sig.generics.params.iter();
        let is_computed = !is_named
            && parameters.any(|param| match param {
                GenericParam::Const(ConstParam { ident, .. }) | GenericParam::Type(TypeParam { ident, .. }) => {
                    mentions(length.clone(), &ident.to_string())
                }
                GenericParam::Lifetime(_) => false,
            });
        is_computed.then_some((&array.elem, &array.len))
    }

    fn array_name<'a>(&mut self, pattern: &'a Pat) -> Option<&'a PatIdent> {
        match pattern {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => Some(name),
            Pat::Paren(paren) => self.array_name(&paren.pat),
            other => {
                self.report.error(other, "an array needs a name: write `let a = [..];`");
                None
            }
        }
    }
}

fn split(pattern: &Pat) -> (&Pat, Option<&Type>) {
    match pattern {
        Pat::Type(typed) => (&typed.pat, Some(&typed.ty)),
        pattern => (pattern, None),
    }
}
