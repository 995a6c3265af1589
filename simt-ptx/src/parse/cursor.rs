//! The place in the tokens, what is taken from there, and how the parser goes on after an error.

use super::{Noted, Parsed};
use crate::lex::{Kind, Token};
use crate::problem::{Lines, Problem, Problems};
use crate::span::Span;
use crate::syntax::Name;

/// The parser: a place in the tokens, and what was wrong before it.
pub(super) struct Cursor<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    lines: Lines<'a>,
    pub(super) problems: Problems,
    /// Whether no declaration was skipped.
    pub(super) declares_all: bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [Token]) -> Cursor<'a> {
        Cursor { text, tokens, at: 0, lines: Lines::new(text), problems: Problems::default(), declares_all: true }
    }

    pub(super) fn into_problems(self) -> Problems {
        self.problems
    }

    /// A token from here on; behind the last that.
    pub(super) fn ahead(&self, count: usize) -> Token {
        self.tokens[(self.at + count).min(self.tokens.len() - 1)]
    }

    pub(super) fn token(&self) -> Token {
        self.ahead(0)
    }

    pub(super) fn kind(&self) -> Kind {
        self.token().kind
    }

    pub(super) fn span(&self) -> Span {
        self.token().span()
    }

    /// Where the last token taken stands.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span()
    }

    pub(super) fn text_of(&self, token: Token) -> &'a str {
        &self.text[token.range()]
    }

    /// The text of the token here.
    pub(super) fn here(&self) -> &'a str {
        self.text_of(self.token())
    }

    /// Takes the token here; the end stays.
    pub(super) fn take(&mut self) -> Token {
        let token = self.token();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// Takes the token if it is of a kind.
    pub(super) fn eat(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.take();
        }
        found
    }

    /// Takes the token if it is this directive, modifier or type, given without its dot.
    pub(super) fn eat_dotted(&mut self, name: &str) -> bool {
        let found = self.dotted() == Some(name);
        if found {
            self.take();
        }
        found
    }

    /// The directive, modifier or type here, without its dot.
    pub(super) fn dotted(&self) -> Option<&'a str> {
        (self.kind() == Kind::Dotted).then(|| &self.here()[1..])
    }

    /// The word here.
    pub(super) fn word(&self) -> Option<&'a str> {
        (self.kind() == Kind::Word).then(|| self.here())
    }

    /// Notes a problem at a place.
    pub(super) fn problem(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Noted {
        let Cursor { lines, problems, .. } = self;
        problems.push(|| Problem::new(lines, span, message).label(label).help(help));
        Noted
    }

    /// Notes that something else was expected here.
    pub(super) fn expected(&mut self, what: &str, help: &str) -> Noted {
        let token = self.token();
        let found = match token.kind {
            Kind::End => "the end of the text".to_string(),
            Kind::Unknown => match self.here().chars().next() {
                Some('"') => "a text without an end".to_string(),
                Some('/') if self.here().starts_with("/*") => "a comment without an end".to_string(),
                other => format!("`{}`, which PTX does not have", other.unwrap_or_default().escape_debug()),
            },
            _ => format!("`{}`", shortened(self.here())),
        };
        let help = match found.as_str() {
            "a text without an end" => "end it with `\"`, on the line where it begins",
            "a comment without an end" => "end it with `*/`",
            _ => help,
        };
        self.problem(token.span(), format!("expected {what}, found {found}"), format!("expected {what}"), help)
    }

    /// Takes a token of a kind, or notes that it was expected.
    pub(super) fn expect(&mut self, kind: Kind, what: &str, help: &str) -> Parsed<Token> {
        if self.kind() == kind { Ok(self.take()) } else { Err(self.expected(what, help)) }
    }

    /// Takes a `;`. One that is missing at the end of a line is noted there, and the next line is read as if it were there.
    pub(super) fn semicolon(&mut self, or: &str) -> Parsed<()> {
        if self.eat(Kind::Semicolon) {
            return Ok(());
        }
        let ends = matches!(self.kind(), Kind::CloseBrace | Kind::End);
        let begins = matches!(self.kind(), Kind::Word | Kind::Dotted | Kind::At | Kind::OpenBrace);
        if ends || begins && self.token().first {
            let span = self.last_span().behind();
            self.problem(span, format!("expected {or}`;`"), "missing here", "end the statement with `;`");
            return Ok(());
        }
        Err(self.expected(&format!("{or}`;`"), "end the statement with `;`; between operands stands a `,`"))
    }

    /// Takes a `;` that ends no statement, which is noted unless it is what a wrong one has left.
    pub(super) fn lone_semicolon(&mut self, is_left: bool) {
        let span = self.take().span();
        if !is_left {
            self.problem(span, "no statement stands in front of this `;`", "one more", "remove it");
        }
    }

    /// Takes a name.
    pub(super) fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.word() {
            Some("_") => Err(self.expected(what, "`_` is a result that is not wanted, and no name")),
            Some(text) => {
                let span = self.take().span();
                Ok(Name::new(text, span))
            }
            None => Err(self.expected(what, "a name begins with a letter, `_`, `$` or `%`")),
        }
    }

    /// Takes names between commas.
    pub(super) fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(Kind::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// Takes a text between quotes, without them.
    pub(super) fn quoted(&mut self) -> Parsed<String> {
        let token = self.expect(Kind::Text, "a text in quotes", "write it as `\"...\"`, on one line")?;
        let text = self.text_of(token);
        Ok(text[1..text.len() - 1].to_string())
    }

    /// Goes behind the next `;`, or to the next brace, from which statements can be read again.
    pub(super) fn recover(&mut self) {
        loop {
            match self.kind() {
                Kind::Semicolon => {
                    self.take();
                    return;
                }
                Kind::End | Kind::OpenBrace | Kind::CloseBrace => return,
                // A line that may declare something, as the statement before has no `;`.
                Kind::Dotted | Kind::Word if self.token().first => self.declares_all = false,
                _ => {}
            }
            self.take();
        }
    }

    /// How many tokens have been taken.
    pub(super) fn place_in_tokens(&self) -> usize {
        self.at
    }

    /// Goes behind the `}` of the `{` that was taken last, or of the one here.
    pub(super) fn skip_block(&mut self) {
        self.at = self.at.saturating_sub(1);
        self.skip_braces();
    }

    /// Goes behind the `}` of the `{` here.
    pub(super) fn skip_braces(&mut self) {
        let mut open = 0_usize;
        loop {
            match self.take().kind {
                Kind::OpenBrace => open += 1,
                Kind::CloseBrace => open = open.saturating_sub(1),
                Kind::End => return,
                _ => {}
            }
            if open == 0 {
                return;
            }
        }
    }
}

/// A text for a message: a soup of letters may be long.
pub(super) fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_string() } else { text.chars().take(37).chain("...".chars()).collect() }
}
