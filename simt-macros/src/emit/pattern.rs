//! Patterns: the tests of a value, and the names that it gets.
//!
//! A pattern becomes comparisons with constants. The pattern itself is emitted, too, for rustc to check (see `matching`).

use super::closure::Is;
use super::referring::Matched;
use super::{Emitter, fields, literal, value};
use crate::choices;
use crate::extent::Piece;
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Expr, ExprLit, ExprRange, FieldPat, Index, Lit, Member, Pat, PatIdent, PatStruct, PatTupleStruct, Path, RangeLimits,
};

/// The translation of a pattern.
#[derive(Default)]
pub(super) struct Pattern<'a> {
    /// Rust's statements that name the parts of the value.
    pub(super) parts: TokenStream,
    /// The test; `None` if it always matches.
    pub(super) holds: Option<TokenStream>,
    /// The names, and the values that they stand for.
    pub(super) names: Vec<(&'a PatIdent, Ident)>,
    /// Those of them that are references on the host.
    pub(super) references: Vec<(&'a Ident, Is)>,
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
            Pat::Slice(slice) => self.slice_pattern(slice, subject),
            Pat::TupleStruct(option) if variant_methods(&option.path).is_some() => self.option_pattern(option, subject),
            Pat::TupleStruct(tuple) => self.tuple_struct_pattern(pattern, tuple, subject),
            Pat::Struct(struct_) => self.struct_pattern(pattern, struct_, subject),
            // What is behind the reference is a value.
            Pat::Reference(reference)
                if matches!(self.matched, Matched::Reference | Matched::Perhaps) && reference.mutability.is_none() =>
            {
                // What is peeked at is a reference, which may be to one.
                let inner = match &*reference.pat {
                    Pat::Reference(inner) if inner.mutability.is_none() => &inner.pat,
                    _ => &reference.pat,
                };
                self.matched_as(Matched::Value, |emitter| emitter.match_pattern(inner, subject))
            }
            // A slice is always behind one.
            Pat::Reference(reference) if super::items::takes_apart(pattern) => {
                self.matched_as(Matched::Value, |emitter| emitter.match_pattern(&reference.pat, subject))
            }
            other => {
                let message = match other {
                    Pat::Guard(_) => "a guard stands behind the whole pattern",
                    Pat::Rest(_) => {
                        "`..` stands once, in a pattern of parts: write `_` for each one that does not matter"
                    }
                    Pat::Reference(_) => "what this is for is no reference: write the pattern without `&`",
                    _ => {
                        "this pattern is not supported in a kernel: patterns are numbers, `true`, `false`, constants, ranges, \
                         `|`, names, `_`, and tuples, structs and arrays of them"
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
        let is = match (by_ref, mutability) {
            (Some(by_ref), Some(_)) => {
                if !matches!(self.matched, Matched::Place | Matched::Variable) {
                    let message =
                        "a `ref mut` is to a variable that has a name: write `match x { .. }` of a `let mut x`";
                    self.report.error(by_ref, message);
                }
                Some(Is::Reference { mutable: true })
            }
            (Some(_), None) => Some(Is::Reference { mutable: false }),
            (None, None) => self.matched.name(),
            (None, Some(_)) => None,
        };
        let references = is.map(|is| (ident, is)).into_iter().collect();
        let names = vec![(name, subject.clone())];
        Pattern { names, references, checked: anything(ident.span()), ..Pattern::default() }
    }

    /// Translates a part of a pattern that is for something else than the whole.
    pub(super) fn matched_as<R>(&mut self, matched: Matched, translate: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.matched, matched);
        let result = translate(self);
        self.matched = outer;
        result
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

    fn tuple_pattern<'a>(&mut self, tuple: &'a syn::PatTuple, subject: &Ident) -> Pattern<'a> {
        if tuple.elems.is_empty() {
            return Pattern { checked: tuple.to_token_stream(), ..Pattern::default() };
        }
        let span = tuple.paren_token.span.open();
        let is_rest = |part: &&Pat| matches!(part, Pat::Rest(_));
        let names: Vec<Ident> = tuple.elems.iter().map(|part| self.fresh("part", part.span())).collect();
        let parts = tuple.elems.iter().zip(&names).map(|(part, name)| match part {
            Pat::Rest(rest) => rest.to_token_stream(),
            _ => name.to_token_stream(),
        });
        let k = self.builder.at(span);
        let blanks = names.iter().map(|name| quote_spanned!(name.span()=> _));
        let types = (!tuple.elems.iter().any(|part| is_rest(&part))).then(|| quote_spanned!(span=> ::<(#(#blanks,)*)>));
        let mut whole = Pattern {
            parts: quote_spanned!(span=> let (#(#parts,)*) = #k.parts #types (#subject);),
            ..Pattern::default()
        };
        let mut checked = Vec::new();
        let modes = match &self.matched {
            Matched::Parts(parts) if parts.len() == tuple.elems.len() => parts.clone(),
            matched => vec![matched.behind(); tuple.elems.len()],
        };
        for ((part, name), matched) in tuple.elems.iter().zip(&names).zip(modes) {
            if is_rest(&part) {
                checked.push(part.to_token_stream());
                continue;
            }
            let pattern = self.matched_as(matched, |emitter| emitter.match_pattern(part, name));
            self.both(part, &mut whole, pattern, &mut checked);
        }
        whole.checked = quote_spanned!(span=> (#(#checked,)*));
        whole
    }

    /// `Meters(m)`, `Pair(a, ..)`
    fn tuple_struct_pattern<'a>(
        &mut self,
        pattern: &'a Pat,
        tuple: &'a PatTupleStruct,
        subject: &Ident,
    ) -> Pattern<'a> {
        let PatTupleStruct { path, elems, .. } = tuple;
        let variant = literal::of_type(path);
        let (mut whole, mut checked) = (self.of_variant(pattern, variant.as_ref(), subject), Vec::new());
        for (part, index) in elems.iter().zip(0..) {
            if let Pat::Rest(rest) = part {
                checked.push(rest.to_token_stream());
                if index as usize + 1 < elems.len() {
                    self.report.error(
                        rest,
                        "in a kernel, `..` stands behind the parts that matter: write `_` for each one before",
                    );
                }
                break;
            }
            let member = Member::Unnamed(Index { index, span: part.span() });
            self.field_pattern(part, &named(&member, variant.as_ref()), subject, &mut whole, &mut checked);
        }
        let mut group = Group::new(Delimiter::Parenthesis, quote!(#(#checked),*));
        group.set_span(tuple.paren_token.span.close());
        whole.checked = quote!(#path #group);
        whole
    }

    /// `P { x, y: 0, .. }`
    fn struct_pattern<'a>(&mut self, pattern: &'a Pat, struct_: &'a PatStruct, subject: &Ident) -> Pattern<'a> {
        let PatStruct { path, fields, rest, .. } = struct_;
        let variant = literal::of_type(path);
        let (mut whole, mut checked) = (self.of_variant(pattern, variant.as_ref(), subject), Vec::new());
        let once = |member: &Member| fields.iter().filter(|field| field.member == *member).count() == 1;
        let mut members = TokenStream::new();
        for FieldPat { pat, member, .. } in fields {
            self.field_pattern(pat, &named(member, variant.as_ref()), subject, &mut whole, &mut checked);
            // Where rustc asks for no more, one of its two messages of an unknown field is enough.
            let is_name = matches!(&**pat, Pat::Wild(_) | Pat::Ident(PatIdent { subpat: None, .. }));
            if rest.is_none() || variant.is_some() || !is_name || !once(member) {
                let inner = checked.last();
                members.extend(quote!(#member: #inner,));
            }
        }
        let mut group = Group::new(Delimiter::Brace, quote!(#members #rest));
        group.set_span(struct_.brace_token.span.close());
        whole.checked = quote!(#path #group);
        whole
    }

    /// A test for the variant, where a path leads to one.
    fn of_variant<'a>(&mut self, pattern: &'a Pat, variant: Option<&(Path, Ident)>, subject: &Ident) -> Pattern<'a> {
        let Some((ty, variant)) = variant else { return Pattern::default() };
        let tag = choices::tag(variant);
        let holds = self.compare(pattern, "is_variant", subject, &quote_spanned!(variant.span()=> #ty::#tag));
        tested(holds, pattern)
    }

    fn field_pattern<'a>(
        &mut self,
        pattern: &'a Pat,
        member: &Member,
        subject: &Ident,
        whole: &mut Pattern<'a>,
        checked: &mut Vec<TokenStream>,
    ) {
        let span = member.span();
        let (name, k, field) = (self.fresh("part", span), self.builder.at(span), fields::closure(&[member]));
        whole.parts.extend(quote_spanned!(span=> let #name = #k.part_of(#subject, #field);));
        let inner = self.matched_as(self.matched.behind(), |emitter| emitter.match_pattern(pattern, &name));
        self.both(pattern, whole, inner, checked);
    }

    /// `Ok(x)`, `Err(x)`, `Some(x)`
    fn option_pattern<'a>(&mut self, pattern: &'a PatTupleStruct, subject: &Ident) -> Pattern<'a> {
        let PatTupleStruct { path, elems, .. } = pattern;
        let inner = elems.first().filter(|_| elems.len() == 1);
        let (Some((method, value)), Some(inner)) = (variant_methods(path), inner) else {
            self.report.error(
                pattern,
                "this pattern is not supported in a kernel: there are `Ok(x)`, `Err(x)`, `Some(x)` and `None`",
            );
            return Pattern { checked: quote!(_), ..Pattern::default() };
        };
        let span = path.span();
        let mut whole = self.variant(pattern, method, subject);
        if let Pat::Rest(rest) = inner {
            whole.checked = quote!(#path(#rest));
            return whole;
        }
        let name = self.fresh("part", span);
        let k = self.builder.at(span);
        let value = Ident::new(value, span);
        whole.parts = quote_spanned!(span=> let #name = #k.#value(#subject););
        let inner_pattern = self.matched_as(self.matched.behind(), |emitter| emitter.match_pattern(inner, &name));
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
    pub(super) fn both<'a>(
        &mut self,
        part: &Pat,
        whole: &mut Pattern<'a>,
        pattern: Pattern<'a>,
        checked: &mut Vec<TokenStream>,
    ) {
        whole.parts.extend(pattern.parts);
        whole.references.extend(pattern.references);
        whole.names.extend(pattern.names);
        checked.push(pattern.checked);
        whole.holds = match (whole.holds.take(), pattern.holds) {
            (Some(one), Some(other)) => Some(self.compare(part, "bit_and", one, &other)),
            (one, other) => one.or(other),
        };
    }

    pub(super) fn compare(
        &mut self,
        pattern: impl Piece,
        method: &'static str,
        a: impl ToTokens,
        b: &TokenStream,
    ) -> TokenStream {
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

/// The name of a field; of a variant's, that among the enum's.
fn named(member: &Member, variant: Option<&(Path, Ident)>) -> Member {
    match variant {
        Some((_, variant)) => Member::Named(choices::field(variant, member, member.span())),
        None => member.clone(),
    }
}

/// The builder's methods that tell whether a value is of the variant, and what it has.
fn variant_methods(path: &Path) -> Option<(&'static str, &'static str)> {
    match path.segments.last()?.ident.to_string().as_str() {
        "Ok" => Some(("is_ok", "ok_value")),
        "Err" => Some(("is_err", "err_value")),
        "Some" => Some(("is_some", "some_value")),
        _ => None,
    }
}
