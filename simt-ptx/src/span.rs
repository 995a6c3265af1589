//! Where something stands in a text.

use std::fmt;

/// A place in the text of a module: a line, a column, and how much of the line is meant.
///
/// Where a node stands is not part of what it says: all spans are equal, so that two trees are equal if they print alike.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// The line, from 1.
    pub line: u32,
    /// The column of its first character, from 1, in bytes; a tabulator is one.
    pub column: u32,
    /// Its length, in bytes; it ends on its line.
    pub length: u32,
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl Span {
    /// From the beginning of this one to the end of another, if that is on the same line.
    #[must_use]
    pub fn to(self, end: Span) -> Span {
        let same = end.line == self.line && end.column >= self.column;
        Span { length: if same { end.column + end.length - self.column } else { self.length }, ..self }
    }

    /// The place directly behind it.
    #[must_use]
    pub fn behind(self) -> Span {
        Span { column: self.column + self.length, length: 1, ..self }
    }
}
