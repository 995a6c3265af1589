//! `match`, `if let`, `while let` and `matches!`.
//!
//! A `match` becomes a chain of `if`s over a value that is evaluated once. rustc decides whether it covers every value: it
//! also gets the patterns as the user wrote them, in a closure that is never called. So the last arm without a guard needs
//! no test.

use super::branch::Arms;
use super::links::Link;
use super::pattern::Pattern;
use super::referring::Matched;
use super::{Emitter, bare, scope};
use crate::extent::Extent;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Arm, Expr, ExprMatch, Macro, Pat, Token, parse_quote};

/// A condition of an `if` or a `while`.
pub(super) struct Condition {
    /// Rust's statements before it.
    pub(super) declared: TokenStream,
    /// The condition itself.
    pub(super) holds: TokenStream,
    /// Rust's statements where it holds.
    pub(super) bound: TokenStream,
}

impl Emitter<'_> {
    /// A condition without `&&` before or behind a `let`: a value, or a pattern with the value that it is for.
    pub(super) fn condition(&mut self, expr: &Expr) -> Condition {
        match Link::of(bare(expr)) {
            Link::Holds(_) => {
                Condition { declared: TokenStream::new(), holds: self.value(expr), bound: TokenStream::new() }
            }
            Link::Matches { pattern, value, at } => self.pattern_condition(pattern, value, at),
        }
    }

    /// `matches!(value, pattern)`, `matches!(value, pattern if guard)`
    pub(super) fn matches(&mut self, mac: &Macro) -> TokenStream {
        let parser = |input: ParseStream<'_>| {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let mut pattern = Pat::parse_multi_with_leading_vert(input)?;
            crate::byte_strings::spelled_pattern(&mut pattern);
            let guard =
                if input.parse::<Option<Token![if]>>()?.is_some() { Some(input.parse::<Expr>()?) } else { None };
            input.parse::<Option<Token![,]>>()?;
            Ok((value, pattern, guard))
        };
        let (value, pattern, guard) = match parser.parse2(mac.tokens.clone()) {
            Ok(parsed) => parsed,
            Err(error) => {
                self.report.add(error);
                return quote!(false);
            }
        };
        let (span, known) = (mac.path.span(), self.closures.len());
        let Condition { declared, holds, bound } = self.pattern_condition(&pattern, &value, span);
        let Some(guard) = &guard else {
            self.closures.truncate(known);
            return scope(span, quote!(#declared #holds));
        };
        // The names are seen by the guard, behind the call that opens its block.
        let (place, left) = (self.spans.place(mac), self.fresh("left", span));
        let holds = self.call_at(&place, "left", span, &holds);
        let guard = self.value(guard);
        self.closures.truncate(known);
        let both = self.call_at(&place, "and", span, &quote!(#left, #guard));
        scope(span, quote_spanned!(span=> #declared let #left = #holds; #bound #both))
    }

    /// The condition that a value matches a pattern.
    pub(super) fn pattern_condition(&mut self, pattern: &Pat, value: &Expr, let_: Span) -> Condition {
        let (subject, kept, matched) = self.subject_of(value, &[pattern]);
        let outer = std::mem::replace(&mut self.by_length, true);
        let pattern = self.matched_as(matched.clone(), |emitter| emitter.match_pattern(pattern, &subject));
        self.by_length = outer;
        let (aliases, mut bound) = self.names(&pattern, false, (&subject, &matched));
        bound = quote!(#aliases #bound);
        let (here, checked) = checked(&subject);
        let (k, whole) = (self.builder.at(let_), &pattern.checked);
        let check = quote_spanned!(here=> #k.exhaustive(#subject, |#checked| {
            #[allow(clippy::unneeded_wildcard_pattern, reason = "a `_` stands for a name")]
            { if let #whole = #checked {} }
        }););
        let parts = pattern.parts;
        Condition { declared: quote!(#kept #check #parts), holds: pattern.holds.unwrap_or_else(|| quote!(true)), bound }
    }

    /// A value that patterns are for, under a name.
    pub(super) fn subject(&mut self, expr: &Expr, matched: &Matched) -> (Ident, TokenStream) {
        if *matched == Matched::Place {
            // What is wrong is reported.
            let reported = || (nothing(expr), TokenStream::new());
            return self.matched_place(expr).unwrap_or_else(reported);
        }
        let place = self.spans.place(expr);
        let span = place.extent.first;
        let value = match self.item(expr) {
            Some(_) => self.before_point(expr),
            None => self.matched_value(expr),
        };
        let subject = self.fresh("value", span);
        let keep = self.call_at(&place, "keep", span, &value);
        let declaration = quote_spanned!(span=> let #subject = #keep;);
        (subject, declaration)
    }

    pub(super) fn match_(&mut self, match_: &ExprMatch, arms: &Arms) -> TokenStream {
        let span = match_.match_token.span;
        let whole: Vec<&Pat> = match_.arms.iter().map(|arm| without_guard(arm).0).collect();
        let (subject, kept, matched) = self.subject_of(&match_.expr, &whole);
        let outer = std::mem::replace(&mut self.by_length, Self::choose_by_length(&whole));
        let patterns: Vec<Pattern<'_>> = self.matched_as(matched.clone(), |emitter| {
            match_.arms.iter().map(|arm| emitter.match_pattern(without_guard(arm).0, &subject)).collect()
        });
        self.by_length = outer;
        let check = self.check(match_, &subject, &patterns);

        // The last arm without a guard matches all values that are left: arms behind it are never reached. Where it may be left
        // out, there is no such arm.
        let last = match_.arms.iter().rposition(|arm| without_guard(arm).1.is_none());
        let rest = last.filter(|last| !may_be_left_out(&match_.arms[*last]));
        let mut chain = TokenStream::new();
        let mut ends = TokenStream::new();
        let mut otherwise = TokenStream::new();
        for (number, (arm, pattern)) in match_.arms.iter().zip(patterns).enumerate() {
            let (guard, known) = (without_guard(arm).1, self.closures.len());
            let (aliases, bound) = self.names(&pattern, guard.is_some(), (&subject, &matched));
            let parts = &pattern.parts;
            if rest == Some(number) {
                let body = self.match_body(&arm.body, arms);
                self.closures.truncate(known);
                otherwise = scope(span, quote!(#parts #aliases #bound #body));
                continue;
            }
            let holds = if rest.is_some_and(|rest| number > rest) { Some(quote!(false)) } else { pattern.holds };
            let begin = self.arm_condition(arm, holds, guard);
            let body = self.match_body(&arm.body, arms);
            self.closures.truncate(known);
            let k = self.builder.at(span);
            let body = scope(span, quote!(#bound #body));
            let attributes = &arm.attrs;
            let begun = scope(span, quote!(#parts #aliases #begin; #body));
            chain.extend(quote_spanned!(span=> #(#attributes)* { #begun #k.begin_else(); }));
            ends.extend(quote_spanned!(span=> #(#attributes)* #k.end_if();));
        }
        if rest.is_none() && match_.arms.iter().any(may_be_left_out) {
            // Of those that are left, one matches: rustc has checked it.
            otherwise = self.match_body(&parse_quote!(unreachable!()), arms);
        }
        scope(span, quote!(#kept #check #chain #otherwise #ends))
    }

    /// `begin_if(pattern && guard)`
    fn arm_condition(&mut self, arm: &Arm, holds: Option<TokenStream>, guard: Option<&Expr>) -> TokenStream {
        let place = self.spans.place(&arm.pat);
        let span = place.extent.first;
        let condition = match (holds, guard) {
            (Some(holds), None) => holds,
            (None, None) => quote!(true),
            (None, Some(guard)) => self.value(guard),
            (Some(holds), Some(guard)) => {
                let left = self.call_at(&place, "left", span, &holds);
                let guard = self.value(guard);
                self.call_at(&place, "and", span, &quote!(#left, #guard))
            }
        };
        self.call_at(&place, "begin_if", span, &condition)
    }

    /// The code for rustc's check: the patterns, for a value of that type.
    fn check(&mut self, match_: &ExprMatch, subject: &Ident, patterns: &[Pattern<'_>]) -> TokenStream {
        let (here, checked) = checked(subject);
        let arms = match_.arms.iter().zip(patterns).map(|(arm, pattern)| {
            let guard = without_guard(arm).1.map(|_| quote_spanned!(here=> if true));
            let pattern = &pattern.checked;
            // Where rustc proposes another arm, it is behind this one.
            let behind = Span::mixed_site().located_at(Extent::of(&arm.body).last);
            let attributes = &arm.attrs;
            quote_spanned!(behind=> #(#attributes)* #pattern #guard => {})
        });
        let k = self.builder.at(match_.match_token.span);
        quote_spanned!(here=> #k.exhaustive(#subject, |#checked| {
            #[allow(clippy::unneeded_wildcard_pattern, reason = "a `_` stands for a name")]
            match #checked { #(#arms)* }
        });)
    }

    /// Declares the names of a pattern for a value that has a name.
    pub(super) fn destructured(&mut self, pattern: &Pat, subject: &Ident) -> TokenStream {
        let matched = self.matched.clone();
        self.destructured_by(pattern, subject, &matched)
    }

    fn match_body(&mut self, body: &Expr, arms: &Arms) -> TokenStream {
        match arms {
            Arms::Statements => self.expression_statement(body, false),
            Arms::Values { .. } => self.give(body, arms),
        }
    }
}

/// Whether an arm has a `#[cfg(..)]`.
pub(crate) fn may_be_left_out(arm: &Arm) -> bool {
    arm.attrs.iter().any(|attribute| attribute.path().is_ident("cfg"))
}

/// A name in place of what has been reported.
fn nothing(expr: &Expr) -> Ident {
    Ident::new("__nothing", Extent::of(expr).first)
}

/// The pattern of an arm, and its guard.
pub(crate) fn without_guard(arm: &Arm) -> (&Pat, Option<&Expr>) {
    match &arm.pat {
        Pat::Guard(guarded) => (&guarded.pat, Some(&guarded.guard)),
        pattern => (pattern, None),
    }
}

/// The place of the value that patterns are for, and the name by which rustc checks them.
pub(super) fn checked(subject: &Ident) -> (Span, Ident) {
    let here = Span::mixed_site().located_at(subject.span());
    (here, Ident::new("__checked", here))
}
