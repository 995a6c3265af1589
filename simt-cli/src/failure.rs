//! How a command ends that does not end well.

use std::fmt;

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
