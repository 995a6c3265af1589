//! Reading the tokens of one line from left to right.

use super::error::{Place, Problem};
use super::lexer::{Kind, Token};
use super::literal::is_ordinal;
use crate::scalar::ScalarType;

/// The result of a step of the parser.
pub(super) type Read<T> = Result<T, Problem>;

/// The tokens of a line that have not been read yet.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t> {
    tokens: &'t [Token],
    at: usize,
    /// Behind the last token.
    end: Place,
}

/// A name: its text, and which of those that share it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) number: u32,
}

/// A register as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Register {
    /// `%7`
    Number(u32),
    /// `%x`, `%x.2`, `%f.x`
    Named {
        /// The function that has it, if that is said.
        function: Option<String>,
        /// Its name there.
        name: Name,
    },
}

impl<'t> Cursor<'t> {
    /// At the beginning of a line.
    pub(super) fn new(tokens: &'t [Token]) -> Self {
        let end = tokens.last().map_or(1, |token| token.place.end);
        Self { tokens, at: 0, end: Place { start: end, end: end + 1 } }
    }

    pub(super) fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub(super) fn peek(&self) -> Option<&'t Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    /// The token behind the next one.
    pub(super) fn peek_second(&self) -> Option<&'t Kind> {
        self.tokens.get(self.at + 1).map(|token| &token.kind)
    }

    /// Where the next token stands.
    pub(super) fn place(&self) -> Place {
        self.tokens.get(self.at).map_or(self.end, |token| token.place)
    }

    /// From a place to the end of what was read.
    pub(super) fn since(&self, start: Place) -> Place {
        match self.at.checked_sub(1).and_then(|last| self.tokens.get(last)) {
            Some(token) if token.place.end >= start.end => start.to(token.place),
            _ => start,
        }
    }

    /// Number of tokens that were not read.
    pub(super) fn rest(&self) -> usize {
        self.tokens.len().saturating_sub(self.at)
    }

    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    /// That the next token is wrong.
    pub(super) fn unexpected<T>(&self, expected: impl Into<String>) -> Read<T> {
        let what = match self.peek() {
            None => "the line ends too early".into(),
            Some(Kind::Word(text) | Kind::Number(text)) => format!("`{text}` does not belong here"),
            Some(Kind::Quoted(_)) => "a text in quotes does not belong here".into(),
            Some(Kind::Sign(sign)) => format!("`{sign}` does not belong here"),
        };
        Err(Problem::new(self.place(), what, expected))
    }

    pub(super) fn is_sign(&self, sign: char) -> bool {
        matches!(self.peek(), Some(Kind::Sign(found)) if *found == sign)
    }

    /// Takes the sign if it is next.
    pub(super) fn take(&mut self, sign: char) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    pub(super) fn sign(&mut self, sign: char) -> Read<()> {
        if self.take(sign) { Ok(()) } else { self.unexpected(format!("`{sign}`")) }
    }

    pub(super) fn comma(&mut self) -> Read<()> {
        self.sign(',')
    }

    /// Takes a word if it is next.
    pub(super) fn keyword(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Kind::Word(found)) if found == word);
        self.at += usize::from(found);
        found
    }

    pub(super) fn word(&mut self, expected: &str) -> Read<&'t str> {
        match self.peek() {
            Some(Kind::Word(word)) => {
                self.at += 1;
                Ok(word)
            }
            _ => self.unexpected(expected),
        }
    }

    /// A number of decimal digits.
    pub(super) fn integer(&mut self, expected: &str) -> Read<u32> {
        let number = match self.peek() {
            Some(Kind::Number(digits)) if digits.chars().all(|c| c.is_ascii_digit()) => digits.parse().ok(),
            _ => None,
        };
        match number {
            Some(number) => {
                self.at += 1;
                Ok(number)
            }
            None => self.unexpected(expected),
        }
    }

    /// A scalar type.
    pub(super) fn ty(&mut self) -> Read<ScalarType> {
        let found = match self.peek() {
            Some(Kind::Word(word)) => scalar(word),
            _ => None,
        };
        match found {
            Some(ty) => {
                self.at += 1;
                Ok(ty)
            }
            None => self.unexpected(type_names()),
        }
    }

    /// A word or quoted text, without a number behind it.
    pub(super) fn text(&mut self, expected: &str) -> Read<String> {
        match self.peek() {
            Some(Kind::Word(text) | Kind::Quoted(text)) => {
                self.at += 1;
                Ok(text.clone())
            }
            _ => self.unexpected(expected),
        }
    }

    /// A word or quoted text, maybe with a number: `x.2`.
    pub(super) fn name(&mut self, expected: &str) -> Read<Name> {
        let text = self.text(expected)?;
        let number = match (self.peek(), self.peek_second()) {
            (Some(Kind::Sign('.')), Some(Kind::Number(digits))) if is_ordinal(digits) => digits.parse().ok(),
            _ => None,
        };
        self.at += if number.is_some() { 2 } else { 0 };
        Ok(Name { text, number: number.unwrap_or(1) })
    }

    /// A function's name: a word that may have a number behind it, which belongs to the name, or a quoted text.
    pub(super) fn function(&mut self) -> Read<String> {
        let is_word = matches!(self.peek(), Some(Kind::Word(_)));
        let Name { text, number } = if is_word {
            self.name("the name of a function")?
        } else {
            Name { text: self.text("the name of a function")?, number: 1 }
        };
        Ok(if number == 1 { text } else { format!("{text}.{number}") })
    }

    /// A register: `%7`, `%x`, `%x.2`, or one of a function's: `%f.x`.
    pub(super) fn register(&mut self) -> Read<Register> {
        self.sign('%')?;
        if matches!(self.peek(), Some(Kind::Number(_))) {
            return Ok(Register::Number(self.integer("a number below 4294967296")?));
        }
        let name = self.name("the name of a register")?;
        let more = matches!(self.peek_second(), Some(Kind::Word(_) | Kind::Quoted(_)));
        if !(self.is_sign('.') && more) {
            return Ok(Register::Named { function: None, name });
        }
        self.skip();
        let function = if name.number == 1 { name.text } else { format!("{}.{}", name.text, name.number) };
        Ok(Register::Named { function: Some(function), name: self.name("the name of a register")? })
    }

    /// That nothing comes any more.
    pub(super) fn finish(&self) -> Read<()> {
        if self.is_done() { Ok(()) } else { self.unexpected("the end of the line, or a comment behind `;`") }
    }
}

/// The scalar type of a name.
pub(super) fn scalar(name: &str) -> Option<ScalarType> {
    ScalarType::ALL.iter().copied().find(|ty| ty.name() == name)
}

/// All of them, for messages.
pub(super) fn type_names() -> String {
    let names: Vec<_> = ScalarType::ALL.iter().map(|ty| ty.name()).collect();
    format!("a type: {}", names.join(" "))
}
