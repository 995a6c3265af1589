//! Patterns: the tests of a value, and the names that it gets.
//!
//! A pattern becomes comparisons with constants. The pattern itself is emitted, too, for rustc to check (see `matching`).

use super::{Emitter, value};
use crate::extent::Piece;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprRange, Lit, Pat, PatIdent, PatTupleStruct, Path, RangeLimits};

/// The translation of a pattern.
#[derive(Default)]
pub(super) struct Pattern<'a> {
    /// Rust's statements that name the parts of the value.
    pub(super) parts: TokenStream,
    /// The test; `None` if it always matches.
    pub(super) holds: Option<TokenStream>,
    /// The names, and the values that they stand for.
    pub(super) names: Vec<(&'a PatIdent, Ident)>,
    /// The pattern without its names, as rustc is to check it.
    pub(super) checked: TokenStream,
}

impl Emitter<'_> {
    /// A pattern for the value of that name.
    pub(super) fn match_pattern<'a>(&mut self, pattern: &'a Pat, subject: &Ident) -> Pattern<'a> {
        match pattern {
            Pat::Paren(paren) => self.match_pattern(&paren.pat, subject),
            Pat::Wild(_) => Pattern { checked: anything(pattern.span()), ..Pattern::default() },
            Pat::Ident(name) => self.name_or_constant(name, subject),
            Pat::Lit(literal) => {
                let holds = match &literal.lit {
                    Lit::Bool(flag) => self.compare(pattern, "is_bool", subject, &quote!(#flag)),
                    _ => {
                        let constant = self.pattern_literal(literal);
                        self.compare(pattern, "is", subject, &constant)
                    }
                };
                tested(holds, literal)
            }
            Pat::Path(path) => match path.path.get_ident() {
                Some(name) if name == "None" => self.variant(pattern, "is_none", subject),
                _ => {
                    let holds = self.compare(pattern, "is", subject, &value::name(path));
                    tested(holds, path)
                }
            },
            Pat::Const(constant) => {
                let holds = self.compare(pattern, "is", subject, &quote!(#constant));
                tested(holds, constant)
            }
            Pat::Range(range) => self.range_pattern(pattern, range, subject),
            Pat::Or(or) => self.alternatives(or.cases.iter(), subject),
            Pat::Tuple(tuple) => self.tuple_pattern(tuple, subject),
            Pat::TupleStruct(variant) => self.variant_pattern(variant, subject),
            other => {
                let message = match other {
                    Pat::Guard(_) => "a guard stands behind the whole pattern",
                    Pat::Rest(_) => "write `_` for each part that does not matter",
                    Pat::Reference(_) => "a kernel has no references: write the pattern without `&`",
                    _ => {
                        "this pattern is not supported in a kernel: patterns are numbers, `true`, `false`, constants, ranges, \
                         `|`, names, `_` and tuples of them"
                    }
                };
                self.report.error(other, message);
                Pattern { checked: quote!(_), ..Pattern::default() }
            }
        }
    }

    /// A name, which matches everything, or a constant: as is usual, constants are written in capitals.
    fn name_or_constant<'a>(&mut self, name: &'a PatIdent, subject: &Ident) -> Pattern<'a> {
        let PatIdent { by_ref, mutability, ident, subpat, .. } = name;
        if let Some(by_ref) = by_ref {
            self.report.error(by_ref, "a kernel has no references: remove `ref`");
        }
        if let Some((_, pattern)) = subpat {
            let mut inner = self.match_pattern(pattern, subject);
            inner.names.insert(0, (name, subject.clone()));
            return inner;
        }
        if ident == "None" {
            return self.variant(name, "is_none", subject);
        }
        if mutability.is_none() && ident.to_string().starts_with(char::is_uppercase) {
            let holds = self.compare(name, "is", subject, &quote!(#ident));
            return tested(holds, ident);
        }
        Pattern { names: vec![(name, subject.clone())], checked: anything(ident.span()), ..Pattern::default() }
    }

    fn range_pattern<'a>(&mut self, pattern: &'a Pat, range: &'a ExprRange, subject: &Ident) -> Pattern<'a> {
        let last = match range.limits {
            RangeLimits::HalfOpen(_) => "is_below",
            RangeLimits::Closed(_) => "is_up_to",
        };
        let from = range.start.as_deref().map(|from| {
            let from = self.bound(from);
            self.compare(pattern, "is_from", subject, &from)
        });
        let to = range.end.as_deref().map(|to| {
            let to = self.bound(to);
            self.compare(pattern, last, subject, &to)
        });
        let holds = match (from, to) {
            (Some(from), Some(to)) => self.compare(pattern, "bit_and", from, &to),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return Pattern { checked: quote!(_), ..Pattern::default() },
        };
        tested(holds, range)
    }

    fn alternatives<'a>(&mut self, cases: impl Iterator<Item = &'a Pat>, subject: &Ident) -> Pattern<'a> {
        let mut whole = Pattern::default();
        let mut checked = Vec::new();
        let mut always = false;
        for case in cases {
            let pattern = self.match_pattern(case, subject);
            if let Some((name, _)) = pattern.names.first() {
                self.report.error(name, "a name stands before the alternatives: write `n @ (1 | 2)`");
            }
            whole.parts.extend(pattern.parts);
            checked.push(pattern.checked);
            always |= pattern.holds.is_none();
            whole.holds = match (whole.holds, pattern.holds) {
                (Some(one), Some(other)) => Some(self.compare(case, "bit_or", one, &other)),
                (one, other) => one.or(other),
            };
        }
        if always {
            whole.holds = None;
        }
        whole.checked = quote!((#(#checked)|*));
        whole
    }

    fn tuple_pattern<'a>(&mut self, tuple: &'a syn::PatTuple, subject: &Ident) -> Pattern<'a> {
        let span = tuple.paren_token.span.open();
        let names: Vec<Ident> = tuple.elems.iter().map(|part| self.fresh("part", part.span())).collect();
        let blanks = names.iter().map(|name| quote_spanned!(name.span()=> _));
        let k = self.builder.at(span);
        let mut whole = Pattern {
            parts: quote_spanned!(span=> let (#(#names,)*) = #k.parts::<(#(#blanks,)*)>(#subject);),
            ..Pattern::default()
        };
        let mut checked = Vec::new();
        for (part, name) in tuple.elems.iter().zip(&names) {
            let pattern = self.match_pattern(part, name);
            self.both(part, &mut whole, pattern, &mut checked);
        }
        whole.checked = quote_spanned!(span=> (#(#checked,)*));
        whole
    }

    /// `Ok(x)`, `Err(x)`, `Some(x)`
    fn variant_pattern<'a>(&mut self, pattern: &'a PatTupleStruct, subject: &Ident) -> Pattern<'a> {
        let PatTupleStruct { path, elems, .. } = pattern;
        let inner = elems.first().filter(|_| elems.len() == 1);
        let (Some(method), Some(inner)) = (variant_method(path), inner) else {
            self.report.error(
                pattern,
                "this pattern is not supported in a kernel: there are `Ok(x)`, `Err(x)`, `Some(x)` and `None`",
            );
            return Pattern { checked: quote!(_), ..Pattern::default() };
        };
        let span = path.span();
        let mut whole = self.variant(pattern, method, subject);
        let name = self.fresh("part", span);
        let k = self.builder.at(span);
        whole.parts = quote_spanned!(span=> let #name = #k.variant_value(#subject););
        let inner_pattern = self.match_pattern(inner, &name);
        let mut checked = Vec::new();
        self.both(inner, &mut whole, inner_pattern, &mut checked);
        whole.checked = quote!(#path(#(#checked),*));
        whole
    }

    fn variant<'a>(&mut self, pattern: impl Piece + ToTokens, method: &'static str, subject: &Ident) -> Pattern<'a> {
        let place = self.spans.place(&pattern);
        let holds = self.call_at(&place, method, place.extent.first, &quote!(#subject));
        tested(holds, pattern)
    }

    /// Adds the pattern of a part.
    fn both<'a>(&mut self, part: &Pat, whole: &mut Pattern<'a>, pattern: Pattern<'a>, checked: &mut Vec<TokenStream>) {
        whole.parts.extend(pattern.parts);
        whole.names.extend(pattern.names);
        checked.push(pattern.checked);
        whole.holds = match (whole.holds.take(), pattern.holds) {
            (Some(one), Some(other)) => Some(self.compare(part, "bit_and", one, &other)),
            (one, other) => one.or(other),
        };
    }

    fn compare(&mut self, pattern: impl Piece, method: &'static str, a: impl ToTokens, b: &TokenStream) -> TokenStream {
        let place = self.spans.place(pattern);
        self.call_at(&place, method, place.extent.first, &quote!(#a, #b))
    }

    /// A bound of a range.
    fn bound(&mut self, bound: &Expr) -> TokenStream {
        match bound {
            Expr::Lit(literal) => self.pattern_literal(literal),
            bound => self.value(bound),
        }
    }

    /// An integer without a suffix gets one: rustc checks the pattern itself, with the value's type.
    fn pattern_literal(&mut self, literal: &ExprLit) -> TokenStream {
        match &literal.lit {
            Lit::Int(int) if int.suffix().is_empty() => match int.base10_parse::<i128>() {
                Ok(number) => {
                    let mut number = Literal::i128_suffixed(number);
                    number.set_span(int.span());
                    number.into_token_stream()
                }
                Err(error) => {
                    self.report.add(error);
                    quote!(0)
                }
            },
            _ => self.literal(literal),
        }
    }
}

fn tested<'a>(holds: TokenStream, pattern: impl ToTokens) -> Pattern<'a> {
    Pattern { holds: Some(holds), checked: pattern.into_token_stream(), ..Pattern::default() }
}

/// `_`
fn anything(span: Span) -> TokenStream {
    quote_spanned!(Span::mixed_site().located_at(span)=> _)
}

/// The builder's method that tells whether a value is of the variant.
fn variant_method(path: &Path) -> Option<&'static str> {
    match path.segments.last()?.ident.to_string().as_str() {
        "Ok" => Some("is_ok"),
        "Err" => Some("is_err"),
        "Some" => Some("is_some"),
        _ => None,
    }
}
