//! Spans: from tokens to the numbers that the program keeps.

use crate::extent::{Extent, Piece};
use proc_macro2::{Literal, TokenStream};
use quote::ToTokens;
use std::collections::HashMap;

impl Extent {
    fn numbers(self) -> [u32; 4] {
        let (start, mut end) = (self.first.start(), self.last.end());
        // Tokens from several places, by way of a macro: the first one stands for all.
        if (end.line, end.column) < (start.line, start.column) {
            end = self.first.end();
        }
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        [number(start.line), number(start.column + 1), number(end.line), number(end.column + 1)]
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
pub(crate) struct SpanTable {
    rows: Vec<[u32; 4]>,
    numbers: HashMap<[u32; 4], usize>,
}

impl SpanTable {
    pub(crate) fn place(&mut self, piece: impl Piece) -> Place {
        let extent = Extent::of(piece);
        let numbers = extent.numbers();
        let number = *self.numbers.entry(numbers).or_insert_with(|| {
            self.rows.push(numbers);
            self.rows.len() - 1
        });
        Place { extent, at: Literal::u32_suffixed(u32::try_from(number).unwrap_or(u32::MAX)) }
    }
}

/// One literal, which the builder parses: thousands of numbers would be as many expressions for rustc.
impl ToTokens for SpanTable {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut table = String::new();
        for [line, column, end_line, end_column] in &self.rows {
            let separator = if table.is_empty() { "" } else { " " };
            table.push_str(&format!("{separator}{line}:{column}-{end_line}:{end_column}"));
        }
        Literal::string(&table).to_tokens(tokens);
    }
}
