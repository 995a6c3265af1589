//! Where in the user's source a piece of a kernel stands.

use std::borrow::Cow;
use std::fmt;

/// A range of the user's source: 1-based lines, 1-based columns counted in characters, the end exclusive.
///
/// `Span::default()` (line 0) means "no place in the source", for programs that were not written by a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Span {
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
}

impl Span {
    /// A span from its four numbers.
    pub const fn new(line: u32, column: u32, end_line: u32, end_column: u32) -> Self {
        Self { line, column, end_line, end_column }
    }

    /// Whether the span names a place at all.
    pub const fn is_known(self) -> bool {
        self.line != 0
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The text of a kernel as its author wrote it, kept in the program so that an error at run time can show the line.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Source {
    /// Path of the file as the compiler names it.
    pub file: Cow<'static, str>,
    /// Line of the file on which `text` begins (1-based).
    pub first_line: u32,
    /// The source lines, whole, from `first_line` on.
    pub text: Cow<'static, str>,
}

impl Source {
    /// The text of a line of the file, if it belongs to the kernel.
    ///
    /// ```
    /// use simt_core::Source;
    /// let source = Source { file: "a.rs".into(), first_line: 7, text: "fn k() {\n    return;\n}".into() };
    /// assert_eq!(source.line(8), Some("    return;"));
    /// assert_eq!(source.line(6), None);
    /// ```
    pub fn line(&self, line: u32) -> Option<&str> {
        let index = line.checked_sub(self.first_line)?;
        self.text.lines().nth(index as usize)
    }
}
