//! Tokens as the user wrote them, on one line.

use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};
use quote::ToTokens;

/// The text of tokens, with a blank where the user has blanks or a new line between them.
///
/// `stringify!` would put blanks of its own between tokens that came through a macro.
pub(crate) fn text(tokens: impl ToTokens) -> String {
    let mut text = Text { text: String::new(), end: None };
    text.add(tokens.into_token_stream());
    text.text
}

struct Text {
    text: String,
    /// Where the last token ended.
    end: Option<LineColumn>,
}

impl Text {
    fn add(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => {
                            self.add(group.stream());
                            continue;
                        }
                    };
                    // A group that was parsed has one span for both delimiters.
                    let (start, end) = (group.span().start(), group.span().end());
                    self.token(start, LineColumn { column: start.column + 1, ..start }, open);
                    self.add(group.stream());
                    self.token(LineColumn { column: end.column.saturating_sub(1), ..end }, end, close);
                }
                token => self.token(token.span().start(), token.span().end(), &token.to_string()),
            }
        }
    }

    fn token(&mut self, start: LineColumn, end: LineColumn, text: &str) {
        if self.end.is_some_and(|before| before != start) {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.end = Some(end);
    }
}

#[cfg(test)]
mod tests {
    use super::text;
    use proc_macro2::TokenStream;

    #[track_caller]
    fn check(source: &str, expected: &str) {
        assert_eq!(text(source.parse::<TokenStream>().expect("tokens")), expected);
    }

    #[test]
    fn blanks_are_the_users() {
        check("x[i]  !=5 && f( a,b )", "x[i] !=5 && f( a,b )");
        check("a\n    == b // why\n", "a == b");
        check("-1.5e3 < x.len() as f32", "-1.5e3 < x.len() as f32");
        check("", "");
    }
}
