//! Reads one text file of the user's, or a bundled one, and says in which line something is wrong.
//!
//! All formats share the outer rules: UTF-8, at most [`MAX_BYTES`], one entry a line; blank lines
//! and lines that start with `#` do not count as entries.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The largest file that is read; anything bigger is a mistake or hostile.
const MAX_BYTES: u64 = 64 << 20;

/// The text of a file, and the name to call it by in errors.
pub(crate) struct Source {
    name: String,
    text: Cow<'static, str>,
}

impl Source {
    /// Data that are part of this program.
    pub(crate) fn bundled(name: &str, text: &'static str) -> Self {
        Self { name: name.to_owned(), text: Cow::Borrowed(text) }
    }

    /// Reads a user's file.
    pub(crate) fn open(path: &Path) -> Result<Self, InputError> {
        let name = path.display().to_string();
        let fail = |problem: String| InputError { file: name.clone(), line: None, problem };
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
            .map_err(|error| fail(format!("cannot be read: {error}")))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(fail(format!("is larger than {} MiB, the limit", MAX_BYTES >> 20)));
        }
        Self::from_bytes(name, bytes)
    }

    fn from_bytes(name: String, bytes: Vec<u8>) -> Result<Self, InputError> {
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self { name, text: Cow::Owned(text) }),
            Err(error) => {
                let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
                let problem = "is not UTF-8 text; convert the file to UTF-8".to_owned();
                Err(InputError { file: name, line: Some(line), problem })
            }
        }
    }

    /// The entries, trimmed, each with its line number.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, &str)> {
        let text = self.text.strip_prefix('\u{feff}').unwrap_or(&self.text);
        (1..).zip(text.lines().map(str::trim)).filter(|(_, entry)| !entry.is_empty() && !entry.starts_with('#'))
    }

    /// Something is wrong in one line.
    pub(crate) fn error_at(&self, line: usize, problem: impl Into<String>) -> InputError {
        InputError { file: self.name.clone(), line: Some(line), problem: problem.into() }
    }

    /// Something is wrong with the file as a whole.
    pub(crate) fn error(&self, problem: impl Into<String>) -> InputError {
        InputError { file: self.name.clone(), line: None, problem: problem.into() }
    }
}

/// The problem of a file: `file:line: problem`, the form in which editors jump to the place.
#[derive(Debug)]
pub(crate) struct InputError {
    file: String,
    line: Option<usize>,
    problem: String,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.problem),
            None => write!(f, "{}: {}", self.file, self.problem),
        }
    }
}

impl std::error::Error for InputError {}

/// A piece of the file for use in a message: on one line, and short.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().count() > LONGEST {
        shown.push_str("...");
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_their_line_numbers() {
        let source = Source::bundled("x", "\u{feff}# head\n\none\r\n  two \n#three\nfour");
        let entries: Vec<_> = source.entries().collect();
        assert_eq!(entries, [(3, "one"), (4, "two"), (6, "four")]);
    }

    #[test]
    fn broken_utf8_is_found_on_its_line() {
        let error = Source::from_bytes("x".into(), b"one\ntwo\nthr\xffee\n".to_vec()).err().unwrap();
        assert_eq!(error.to_string(), "x:3: is not UTF-8 text; convert the file to UTF-8");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Source::open(Path::new("/no/such/file")).err().unwrap().to_string();
        assert!(error.starts_with("/no/such/file: cannot be read: "), "{error}");
    }

    #[test]
    fn long_or_odd_text_is_quoted_on_one_short_line() {
        assert_eq!(quoted("a\tb"), "`a\\tb`");
        assert_eq!(quoted(&"x".repeat(100)), format!("`{}...`", "x".repeat(40)));
    }
}
