//! Places: from tokens to the numbers that the program keeps.
//!
//! On stable Rust the span of several tokens covers the first only, so a place is kept as its first and its last token.

use proc_macro2::{Delimiter, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// First and last token of a piece of the user's code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

impl Extent {
    pub(crate) fn of(tokens: impl ToTokens) -> Self {
        let tokens = tokens.into_token_stream();
        let first = first(tokens.clone()).unwrap_or_else(Span::call_site);
        Self { first, last: last(tokens).unwrap_or(first) }
    }

    fn numbers(self) -> [u32; 4] {
        let (start, mut end) = (self.first.start(), self.last.end());
        // Tokens from several places, by way of a macro: the first one has to do.
        if (end.line, end.column) < (start.line, start.column) {
            end = self.first.end();
        }
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        [number(start.line), number(start.column + 1), number(end.line), number(end.column + 1)]
    }
}

fn first(tokens: TokenStream) -> Option<Span> {
    match tokens.into_iter().next()? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            first(group.stream()).or_else(|| Some(group.span()))
        }
        TokenTree::Group(group) => Some(group.span_open()),
        token => Some(token.span()),
    }
}

fn last(tokens: TokenStream) -> Option<Span> {
    match tokens.into_iter().last()? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            last(group.stream()).or_else(|| Some(group.span()))
        }
        TokenTree::Group(group) => Some(group.span_close()),
        token => Some(token.span()),
    }
}

/// A piece of the user's code that a call of the builder stands for.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) extent: Extent,
    /// Its number in the table, as the builder takes it.
    pub(crate) at: Literal,
}

/// The places of a kernel, by number.
#[derive(Default)]
pub(crate) struct SpanTable(Vec<[u32; 4]>);

impl SpanTable {
    pub(crate) fn place(&mut self, tokens: impl ToTokens) -> Place {
        let extent = Extent::of(tokens);
        let numbers = extent.numbers();
        let number = self.0.iter().position(|known| *known == numbers).unwrap_or_else(|| {
            self.0.push(numbers);
            self.0.len() - 1
        });
        Place { extent, at: Literal::u32_suffixed(u32::try_from(number).unwrap_or(u32::MAX)) }
    }
}

impl ToTokens for SpanTable {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let rows = self.0.iter().map(|row| {
            let numbers = row.iter().map(|&number| Literal::u32_unsuffixed(number));
            quote!([#(#numbers),*])
        });
        tokens.extend(quote!(&[#(#rows),*]));
    }
}
