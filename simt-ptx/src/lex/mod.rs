//! Text to tokens.
//!
//! The tokens are those of chapter 4 of the PTX manual. What is no token becomes one of kind [`Kind::Unknown`]: the parser says
//! what it should have been, as it knows what it expects.

mod number;

pub(crate) use number::{Number, number};

use crate::span::Span;
use logos::Logos;
use std::ops::Range;

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip r"/\*([^*]|\*+[^*/])*\*+/")]
pub(crate) enum Kind {
    /// A name: `add`, `%r1`, `$L__BB0_1`; `_` is the sink.
    #[regex(r"[a-zA-Z_$%][a-zA-Z0-9_$]*")]
    Word,
    /// A directive, a modifier or a type, with its dot: `.entry`, `.2d`, `.shared::cta`.
    #[regex(r"\.[0-9]*[a-zA-Z_][a-zA-Z0-9_]*(::[a-zA-Z0-9_]+)*")]
    Dotted,
    /// What begins with a digit, but for decimal floats: whether it is a number is asked of [`number`].
    #[regex(r"[0-9][a-zA-Z0-9_]*")]
    #[regex(r"[0-9]*\.[0-9]+([eE][+-]?[0-9]+)?", priority = 20)]
    #[regex(r"[0-9]+\.([eE][+-]?[0-9]+)?", priority = 20)]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+", priority = 20)]
    Number,
    /// A text between quotes.
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Text,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("(")]
    OpenParenthesis,
    #[token(")")]
    CloseParenthesis,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("=")]
    Equals,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("~")]
    Tilde,
    #[token("@")]
    At,
    #[token("!")]
    Not,
    #[token("|")]
    Bar,
    #[token("*")]
    Star,
    #[token("&")]
    Ampersand,
    #[token("^")]
    Caret,
    #[token("?")]
    Question,
    /// A character, or the beginning of a text or comment that does not end, which is no token.
    Unknown,
    /// Behind the last token.
    End,
}

/// A token, with its place in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// Whether it is the first of its line.
    pub(crate) first: bool,
    start: u32,
    end: u32,
    /// The line, from 1.
    line: u32,
    /// Where that line begins.
    line_start: u32,
}

impl Token {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(crate) fn span(&self) -> Span {
        Span { line: self.line, column: self.start - self.line_start + 1, length: self.end - self.start }
    }

    /// Whether another begins where this one ends.
    pub(crate) fn touches(&self, next: &Token) -> bool {
        self.end == next.start
    }
}

/// The longest text that is read: places in it are 32 bits.
pub(crate) const LONGEST: usize = u32::MAX as usize - 1;

/// The tokens of a text no longer than [`LONGEST`]; the last is [`Kind::End`].
pub(crate) fn lex(text: &str) -> Vec<Token> {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    // Of PTX of compilers a token has four to five bytes, white space counted.
    let mut tokens = Vec::with_capacity(text.len() / 6);
    let (mut line, mut line_start, mut seen) = (1, 0, 0);
    let mut lexer = Kind::lexer(text);
    loop {
        let next = lexer.next();
        let range = if next.is_some() { lexer.span() } else { text.len()..text.len() };
        let mut first = tokens.is_empty();
        for (at, _) in text[seen..range.start].match_indices('\n') {
            line += 1;
            line_start = number(seen + at + 1);
            first = true;
        }
        seen = range.start;
        let kind = match next {
            Some(Ok(kind)) => kind,
            Some(Err(())) => Kind::Unknown,
            None => Kind::End,
        };
        // What is no token may go over several lines: of a text or comment that does not end only its first is shown.
        let end = match kind {
            Kind::Unknown => range.start + text[range.clone()].find('\n').unwrap_or(range.len()),
            _ => range.end,
        };
        tokens.push(Token { kind, first, start: number(range.start), end: number(end), line, line_start });
        if kind == Kind::End {
            return tokens;
        }
    }
}
