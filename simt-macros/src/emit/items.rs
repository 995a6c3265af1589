//! Patterns of arrays: `[a, b]`, `[first, .., last]`, `[head, tail @ ..]`.

use super::pattern::Pattern;
use super::{Emitter, bare, title};
use crate::paths;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, PatIdent, PatSlice};

/// Whether a pattern is one of an array.
pub(super) fn takes_apart(pattern: &Pat) -> bool {
    match pattern {
        Pat::Paren(paren) => takes_apart(&paren.pat),
        Pat::Reference(reference) if reference.mutability.is_none() => takes_apart(&reference.pat),
        Pat::Slice(_) => true,
        _ => false,
    }
}

/// `..` and `name @ ..`
fn is_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Paren(paren) => is_rest(&paren.pat),
        Pat::Rest(_) => true,
        Pat::Ident(PatIdent { subpat: Some((_, inner)), .. }) => is_rest(inner),
        _ => false,
    }
}

/// How many parts stand before the first `..` and behind it; all before if there is none.
fn ends(slice: &PatSlice) -> (usize, usize, bool) {
    match slice.elems.iter().position(is_rest) {
        Some(rest) => (rest, slice.elems.len() - rest - 1, false),
        None => (slice.elems.len(), 0, true),
    }
}

/// The patterns of arrays among the alternatives.
fn slices<'a>(pattern: &'a Pat, found: &mut Vec<&'a PatSlice>) {
    match pattern {
        Pat::Paren(paren) => slices(&paren.pat, found),
        Pat::Reference(reference) if reference.mutability.is_none() => slices(&reference.pat, found),
        Pat::Or(or) => or.cases.iter().for_each(|case| slices(case, found)),
        Pat::Slice(slice) => found.push(slice),
        _ => {}
    }
}

/// Whether all alternatives are patterns of arrays.
fn all_slices(pattern: &Pat) -> bool {
    match pattern {
        Pat::Or(or) => or.cases.iter().all(all_slices),
        one => takes_apart(one),
    }
}

/// How many patterns of arrays there are, at any depth.
struct Count(usize);

impl<'ast> Visit<'ast> for Count {
    fn visit_pat_slice(&mut self, slice: &'ast PatSlice) {
        self.0 += 1;
        visit::visit_pat_slice(self, slice);
    }
}

impl Emitter<'_> {
    /// The name under which patterns take an array apart that has a name: if it is memory, the elements that they want.
    pub(super) fn array_subject(&mut self, value: &Expr, patterns: &[&Pat]) -> Option<(Ident, TokenStream)> {
        let Expr::Path(path) = bare(value) else { return None };
        let mut found = Vec::new();
        patterns.iter().for_each(|pattern| slices(pattern, &mut found));
        let keeps_rest =
            |slice: &&PatSlice| slice.elems.iter().any(|part| is_rest(part) && !matches!(part, Pat::Rest(_)));
        if found.is_empty() {
            return None;
        }
        let ends = || found.iter().map(|slice| ends(slice));
        let exact = ends().find(|(.., exact)| *exact);
        let has_rest = exact.is_none();
        let (first, last, _) = exact.unwrap_or_else(|| {
            ends().fold((0, 0, false), |(first, last, _), (front, back, _)| (first.max(front), last.max(back), false))
        });
        let names_rest = has_rest && found.iter().any(keeps_rest);
        let place = self.spans.place(value);
        let span = place.extent.first;
        let others = if names_rest {
            "NAMED_REST"
        } else if has_rest {
            "REST"
        } else {
            "NO_REST"
        };
        let (private, others) = (paths::private(span), Ident::new(others, span));
        // What is left is an array, too, which has an element.
        let number = first + last + usize::from(names_rest);
        let subject = self.fresh("value", span);
        let [first, last, number] = [first, last, number].map(|number| {
            let mut number = Literal::usize_suffixed(number);
            number.set_span(span);
            number
        });
        let types = quote_spanned!(span=> #first, #last, {#private::#others}, #number, _);
        let kept = self.call_typed(&place, "listed_items", span, &types, &path.to_token_stream());
        Some((subject.clone(), quote_spanned!(span=> let #subject = #kept;)))
    }

    /// Whether patterns choose by the length of what they are for, as those of slices do.
    pub(super) fn choose_by_length(patterns: &[&Pat]) -> bool {
        let mut found = Vec::new();
        patterns.iter().for_each(|pattern| slices(pattern, &mut found));
        let mut ends = found.iter().map(|slice| ends(slice));
        // What `_` or a name stands for may be of any length.
        let others = || patterns.iter().any(|pattern| !all_slices(pattern));
        let choose = ends.next().is_some_and(|first| others() || ends.any(|other| other != first));
        // A pattern around them is for what may be something else.
        let mut all = Count(0);
        patterns.iter().for_each(|pattern| all.visit_pat(pattern));
        choose || all.0 > found.len()
    }

    /// `[a, 0, ..]`
    pub(super) fn slice_pattern<'a>(&mut self, slice: &'a PatSlice, subject: &Ident) -> Pattern<'a> {
        let span = slice.bracket_token.span.open();
        let k = self.builder.at(span);
        let names: Vec<Ident> = slice.elems.iter().map(|part| self.fresh("part", part.span())).collect();
        let (first, last, exact) = ends(slice);
        let (front, back) = (&names[..first], &names[names.len() - last..]);
        let mut holds = None;
        let parts = match exact {
            _ if self.by_length => {
                let (taken, types) = (self.fresh("apart", span), quote_spanned!(span=> #first, #last, _));
                let place = self.spans.place(Pat::Slice(slice.clone()));
                let apart = self.call_typed(&place, "apart", span, &types, &quote!(#subject, #exact));
                holds = Some(quote_spanned!(span=> #taken.holds));
                quote_spanned!(span=> let #taken = #apart; let ([#(#front),*], [#(#back),*]) = (#taken.front, #taken.back);)
            }
            true => quote_spanned!(span=> let [#(#names),*] = #k.items(#k.given(#subject));),
            false => {
                quote_spanned!(span=> let ([#(#front),*], [#(#back),*]) = #k.items_at_ends::<#first, #last, _>(#k.given(#subject));)
            }
        };
        let mut whole = Pattern { parts, holds, ..Pattern::default() };
        let mut checked = Vec::new();
        for (part, name) in slice.elems.iter().zip(&names) {
            if is_rest(part) {
                self.rest(part, name, (first, last), subject, &mut whole);
                checked.push(quote_spanned!(part.span()=> ..));
                continue;
            }
            let pattern = self.match_pattern(part, name);
            self.both(part, &mut whole, pattern, &mut checked);
        }
        whole.checked = quote_spanned!(span=> [#(#checked),*]);
        whole
    }

    /// `tail @ ..`: the elements that have no pattern of their own.
    fn rest<'a>(
        &mut self,
        part: &'a Pat,
        name: &Ident,
        (first, last): (usize, usize),
        subject: &Ident,
        whole: &mut Pattern<'a>,
    ) {
        let Pat::Ident(pattern) = part else { return };
        if let Some(token) = &pattern.mutability {
            self.report.error(token, "in a kernel, what a `..` leaves has no `mut`: copy what is to change");
            return;
        }
        if !matches!(&pattern.subpat, Some((_, inner)) if matches!(**inner, Pat::Rest(_))) {
            self.report.error(part, "write `name @ ..` for the elements between");
            return;
        }
        let (place, title, ident) = (self.spans.place(part), title(&pattern.ident), &pattern.ident);
        let (method, types) = match self.by_length {
            true => ("apart_between", quote!(#first, #last, _)),
            false => ("items_between", quote!(#first, #last, _, _)),
        };
        let between = self.call_typed(&place, method, ident.span(), &types, &quote!(#subject, #title));
        whole.parts.extend(quote_spanned!(ident.span()=> let #name = #between;));
        whole.names.push((pattern, name.clone()));
    }
}
