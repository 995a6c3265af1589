//! The kernel's text as whole lines, so that an error at run time can show the line.
//!
//! A macro sees tokens, not lines. The body and the parameter list are delimited, so their text can be had in one piece;
//! the pieces are laid out at the lines and columns where they stand, with blanks between them.

use proc_macro2::{LineColumn, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ItemFn;

/// Text and its place in the user's file.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Text {
    pub(crate) file: String,
    pub(crate) first_line: u32,
    pub(crate) text: String,
}

/// The text of a kernel, from the line of its visibility or `fn`; of a kernel whose parts come from different places, by way
/// of a macro, that of the body. Empty if the compiler does not have it.
pub(crate) fn of(function: &ItemFn) -> Text {
    let signature = function.sig.to_token_stream();
    let body = function.block.brace_token.span.join();
    let file = function.block.brace_token.span.open().file();
    let mut tokens = function.vis.to_token_stream();
    tokens.extend(signature);
    let first = tokens.clone().into_iter().next().map(|token| token.span());
    let parts = first.and_then(attribute_before).into_iter().chain(pieces(tokens)).chain([body]);
    let Some(layout) = lay_out(parts).or_else(|| lay_out([body].into_iter())) else {
        return Text { file, ..Text::default() };
    };
    Text { file, first_line: u32::try_from(layout.first_line).unwrap_or(0), text: layout.text }
}

/// The attribute that is being expanded, which the item does not have any more, if it stands before a token on its line.
fn attribute_before(first: Span) -> Option<Span> {
    let attribute = Span::call_site();
    let (start, end, item) = (attribute.start(), attribute.end(), first.start());
    let is_before = start.line == item.line && end.line == item.line && end.column <= item.column;
    let is_attribute = attribute.source_text().is_some_and(|text| text.starts_with("#["));
    (is_before && is_attribute && attribute.file() == first.file()).then_some(attribute)
}

/// The text of an item without a body, `at` a place in it, from the line of its first token on. Empty if the compiler does not
/// have it.
pub(crate) fn of_item(tokens: TokenStream, at: Span) -> Text {
    let file = at.file();
    match lay_out(pieces(tokens)) {
        Some(layout) => Text { file, first_line: u32::try_from(layout.first_line).unwrap_or(0), text: layout.text },
        None => Text { file, ..Text::default() },
    }
}

fn pieces(tokens: TokenStream) -> impl Iterator<Item = Span> {
    tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => group.delim_span().join(),
        token => token.span(),
    })
}

struct Layout {
    first_line: usize,
    text: String,
    end: LineColumn,
}

/// Lays the pieces out. `None` if a piece has no text, or they do not follow each other: they come from a macro.
fn lay_out(pieces: impl Iterator<Item = Span>) -> Option<Layout> {
    let mut layout: Option<Layout> = None;
    for span in pieces {
        let (start, piece) = (span.start(), span.source_text()?);
        let layout = layout.get_or_insert_with(|| Layout {
            first_line: start.line,
            text: String::new(),
            end: LineColumn { line: start.line, column: 0 },
        });
        if (start.line, start.column) < (layout.end.line, layout.end.column) {
            return None;
        }
        while layout.end.line < start.line {
            layout.text.push('\n');
            layout.end = LineColumn { line: layout.end.line + 1, column: 0 };
        }
        layout.text.extend(std::iter::repeat_n(' ', start.column - layout.end.column));
        layout.text.push_str(&piece);
        layout.end = span.end();
    }
    layout
}

#[cfg(test)]
mod tests {
    use super::{Text, of};

    #[track_caller]
    fn check(source: &str, first_line: u32, expected: &str) {
        let Text { first_line: line, text, .. } = of(&syn::parse_str(source).expect("a function"));
        assert_eq!((line, text.as_str()), (first_line, expected));
    }

    #[test]
    fn lines_are_kept_from_the_signature_on() {
        let text = "pub fn k(x: &[u32]) {\n    let y = 1; // why\n\n}";
        check(&format!("/// Docs.\n#[inline]\n{text}"), 3, text);
    }

    #[test]
    fn columns_are_kept_where_text_is_not() {
        check(
            "#[a]   fn k(\n  n: u32, // n\n  m: u32,\n)\n{\n\tlet é = 1; }",
            1,
            "       fn k(\n  n: u32, // n\n  m: u32,\n)\n{\n\tlet é = 1; }",
        );
        check("fn k /* gone */ () {}", 1, "fn k            () {}");
    }
}
