//! `std::mem::swap`, `replace` and `take`, of variables, fields and elements.
//!
//! What is behind each `&mut` is read where Rust makes the reference, so that an index is evaluated and checked there, once.

use super::assign::Target;
use super::operator::is_literal;
use super::{Emitter, bare};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprField, ExprIndex, ExprPath, ExprReference, ExprUnary, Path, UnOp, parse_quote};

/// A place behind a `&mut`, whose indices have names.
struct Lent {
    /// Rust's statements that name the indices, and the value that was there.
    declared: TokenStream,
    place: Expr,
    old: Ident,
}

impl Emitter<'_> {
    /// `std::mem::swap(&mut a, &mut b)`, which has no value.
    pub(super) fn swapped_places(&mut self, call: &ExprCall) -> Option<TokenStream> {
        let (path, name) = function(call).filter(|(_, name)| *name == "swap")?;
        let span = name.span();
        self.std_path(path, &quote_spanned!(span=> fn(&mut u32, &mut u32)));
        if !self.expect_arguments(&call.func, "swap", &call.args, &["&mut a", "&mut b"]) {
            return Some(TokenStream::new());
        }
        let lent: Vec<Lent> = call.args.iter().filter_map(|argument| self.lent(argument)).collect();
        let [one, other] = &lent[..] else { return Some(TokenStream::new()) };
        let roots = [one, other].map(|lent| root(&lent.place));
        let within = |part: &str, whole: &str| {
            part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if within(&roots[0], &roots[1]) || within(&roots[1], &roots[0]) {
            let message = format!(
                "a `&mut` to `{}` is the only reference there is: two elements of it are exchanged by `.swap(i, j)`",
                roots[0]
            );
            self.report.error(&call.args[1], message);
            return Some(TokenStream::new());
        }
        let first = self.put(call, span, &one.place, &other.old.to_token_stream());
        let second = self.put(call, span, &other.place, &one.old.to_token_stream());
        let declared = lent.iter().map(|lent| &lent.declared);
        Some(super::scope(span, quote!(#(#declared)* #first #second)))
    }

    /// `std::mem::replace(&mut a, value)`, `std::mem::take(&mut a)`
    pub(super) fn replaced_place(&mut self, call: &ExprCall) -> Option<TokenStream> {
        let (path, name) = function(call)?;
        let span = name.span();
        let (parameters, ty): (&[&str], _) = match name.to_string().as_str() {
            "replace" => (&["&mut a", "value"], quote_spanned!(span=> fn(&mut u32, u32) -> u32)),
            "take" => (&["&mut a"], quote_spanned!(span=> fn(&mut u32) -> u32)),
            _ => {
                self.swapped_places(call);
                self.report.error(call, "`swap` has no value: write it as a statement of its own");
                return Some(quote!(()));
            }
        };
        self.std_path(path, &ty);
        if !self.expect_arguments(&call.func, &name.to_string(), &call.args, parameters) {
            return Some(quote!(()));
        }
        let Some(Lent { declared, place, old }) = self.lent(&call.args[0]) else { return Some(quote!(())) };
        let value = match call.args.get(1) {
            Some(value) => self.value(value),
            None => {
                let at = self.spans.place(call);
                self.call_typed(&at, self.default_method(), span, &quote!(_), &TokenStream::new())
            }
        };
        let put = self.put(call, span, &place, &value);
        Some(super::scope(span, quote!(#declared #put #old)))
    }

    /// An import that leads to the function counts as used, and a path that leads nowhere is rustc's error.
    fn std_path(&mut self, path: &Path, ty: &TokenStream) {
        let span = path.span();
        self.std_paths
            .entry(path.to_token_stream().to_string())
            .or_insert_with(|| quote_spanned!(span=> let _: #ty = #path;));
    }

    /// `&mut place`, or a parameter that is such a reference.
    fn lent(&mut self, argument: &Expr) -> Option<Lent> {
        let place = match bare(argument) {
            Expr::Reference(ExprReference { mutability: Some(_), expr, .. }) => bare(expr).clone(),
            name if self.reference_named(name).is_some() || self.item(name).is_some() => parse_quote!(*#name),
            other => {
                self.report.error(other, "this takes a reference: write `&mut x` or `&mut a[i]`");
                return None;
            }
        };
        let mut declared = TokenStream::new();
        let place = self.with_names(&place, &mut declared)?;
        let (at, value) = (self.spans.place(argument), self.value(&place));
        let old = self.fresh("old", at.extent.first);
        let keep = self.call_at(&at, "keep", at.extent.first, &value);
        declared.extend(quote_spanned!(at.extent.first=> let #old = #keep;));
        Some(Lent { declared, place, old })
    }

    /// The place with names in place of its indices.
    pub(super) fn with_names(&mut self, place: &Expr, declared: &mut TokenStream) -> Option<Expr> {
        match bare(place) {
            Expr::Path(_) => Some(place.clone()),
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. })
                if self.reference_named(bare(expr)).is_some() || self.item(expr).is_some() =>
            {
                Some(bare(place).clone())
            }
            Expr::Field(field) => {
                let base = Box::new(self.with_names(&field.base, declared)?);
                Some(Expr::Field(ExprField { base, ..field.clone() }))
            }
            Expr::Index(index) => {
                let expr = Box::new(self.with_names(&index.expr, declared)?);
                if super::memory::range_of(index).is_some() {
                    return Some(Expr::Index(ExprIndex { expr, ..index.clone() }));
                }
                let (at, value) = (self.spans.place(&index.index), self.value(&index.index));
                let span = at.extent.first;
                let name = self.fresh("index", span);
                // Of what may be of a user's type, the index may be another.
                let may_be_own = !self.known.is_named_memory(bare(&index.expr)) && !is_literal(&index.index);
                let keep = match may_be_own {
                    true => self.call_at(&at, "keep", span, &value),
                    false => {
                        let ty = quote_spanned!(span=> ::core::primitive::usize);
                        self.call_typed(&at, "keep", span, &ty, &value)
                    }
                };
                declared.extend(quote_spanned!(span=> let #name = #keep;));
                Some(Expr::Index(ExprIndex { expr, index: parse_quote!(#name), ..index.clone() }))
            }
            other => {
                self.report.error(other, "this is no place: write a variable, a field or an element, `&mut a[i]`");
                None
            }
        }
    }

    /// `place = value;`
    pub(super) fn put(&mut self, call: &ExprCall, symbol: Span, target: &Expr, value: &TokenStream) -> TokenStream {
        let place = self.spans.place(call);
        let call = match self.assigned(target) {
            Some(Target::Name(name)) => self.call_at(&place, "assign", symbol, &quote!(#name, #value)),
            Some(Target::Element(element)) => self.store_element(&place, symbol, element, value),
            None => return TokenStream::new(),
        };
        quote!(#call;)
    }
}

/// The function that is called of `std::mem`: its path and its name.
pub(super) fn function(call: &ExprCall) -> Option<(&Path, &Ident)> {
    let Expr::Path(ExprPath { qself: None, path, .. }) = bare(&call.func) else { return None };
    let mut segments = path.segments.iter().rev();
    let (name, module) = (&segments.next()?.ident, &segments.next()?.ident);
    (module == "mem" && ["swap", "replace", "take"].iter().any(|known| name == known)).then_some((path, name))
}

/// What a reference to the place keeps from others, as far as syntax tells: all of what is before an index.
fn root(place: &Expr) -> String {
    let text = place.to_token_stream().to_string().replace([' ', '*', '(', ')'], "");
    text.split('[').next().unwrap_or_default().to_owned()
}
