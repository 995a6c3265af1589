//! How a command ends that does not end well.

use std::fmt;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// Why a command ends: it decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// A launch has failed, or an output differs from what was expected.
    Launch = 1,
    /// The command line cannot be meant so.
    Usage = 2,
    /// A file cannot be read or written, or is wrong.
    File = 3,
}

/// What a command says when it ends with another exit code than 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) why: Why,
    message: String,
}

impl Failure {
    pub(crate) fn new(why: Why, message: impl Into<String>) -> Self {
        Self { why, message: message.into() }
    }

    pub(crate) fn launch(message: impl Into<String>) -> Self {
        Self::new(Why::Launch, message)
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Why::Usage, message)
    }

    pub(crate) fn file(message: impl Into<String>) -> Self {
        Self::new(Why::File, message)
    }

    /// That a file cannot be read, and what to give in its place.
    pub(crate) fn unread(path: impl AsRef<Path>, error: &Error) -> Self {
        let give = match error.kind() {
            // What std says of it is about a stream.
            ErrorKind::InvalidData => return Self::no_text(path, "give text in UTF-8"),
            ErrorKind::NotFound => "give a file that is there",
            ErrorKind::IsADirectory => "give a file in place of a folder",
            ErrorKind::PermissionDenied => "give a file that you may read",
            _ => "give another file",
        };
        Self::file(format!("cannot read {}: {error}; {give}", path.as_ref().display()))
    }

    /// That the bytes of a file are no text, and what to do.
    pub(crate) fn no_text(path: impl AsRef<Path>, instead: &str) -> Self {
        Self::file(format!("cannot read {}: it is not text: {instead}", path.as_ref().display()))
    }

    /// The same, with what it is about in front.
    pub(crate) fn within(self, what: &str) -> Self {
        Self { message: format!("{what}: {}", self.message), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
