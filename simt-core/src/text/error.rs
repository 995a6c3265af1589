//! Why a text is no code.

/// Why a text is no code: the first mistake, and where.
///
/// It prints in the layout of rustc.
///
/// ```
/// use simt_core::code::Code;
///
/// let error = Code::parse("kernel k(n: u32)\n    .reg u32 %a\n    mov.u32 %b, n\n    exit\n").unwrap_err();
/// assert_eq!((error.line(), error.column()), (3, 13));
/// assert_eq!(
///     error.to_string(),
///     "\
/// there is no register `%b`
///  --> 3:13
///   |
/// 3 |     mov.u32 %b, n
///   |             ^^ expected a register that a `.reg` line declares"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.render())]
pub struct AssembleError(Box<Contents>);

/// Boxed, because a `Result` is as large as its error.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Contents {
    line: u32,
    problem: Problem,
    text: String,
    file: String,
}

/// Columns of a line: 1-based, counted in characters, the end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Place {
    /// From the beginning of this to the end of another.
    pub(super) const fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// A mistake on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) place: Place,
    what: String,
    expected: String,
}

impl Problem {
    pub(super) fn new(place: Place, what: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { place, what: what.into(), expected: expected.into() }
    }

    /// The error, on a line of a text.
    pub(super) fn on(self, line: u32, text: &str, file: &str) -> AssembleError {
        AssembleError(Box::new(Contents { line, problem: self, text: text.into(), file: file.into() }))
    }
}

impl AssembleError {
    /// The line, counted from 1.
    pub fn line(&self) -> u32 {
        self.0.line
    }

    /// The column, counted from 1 in characters.
    pub fn column(&self) -> u32 {
        self.0.problem.place.start
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.0.problem.what
    }

    /// What was expected there instead.
    pub fn expected(&self) -> &str {
        &self.0.problem.expected
    }

    fn render(&self) -> String {
        let Contents { line, problem: Problem { place, what, expected }, text, file } = &*self.0;
        let colon = if file.is_empty() { "" } else { ":" };
        let number = line.to_string();
        let gutter = " ".repeat(number.len());
        // Tabs keep their width, so that the caret stands below its character.
        let indent: String =
            text.chars().take(place.start as usize - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let indent = format!("{indent}{}", " ".repeat((place.start as usize - 1).saturating_sub(text.chars().count())));
        let carets = "^".repeat((place.end.saturating_sub(place.start) as usize).max(1));
        format!(
            "{what}\n{gutter}--> {file}{colon}{line}:{}\n{gutter} |\n{number} | {text}\n{gutter} | {indent}{carets} expected {expected}",
            place.start
        )
    }
}
