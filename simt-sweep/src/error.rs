//! What is wrong with a sweep, with what is asked of it, or with its files.

use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a sweep, with what is asked of it, or with its files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// There is nothing to run.
    #[error("the sweep has no {what}: give at least one by `.{method}(..)`")]
    Nothing {
        /// What there is none of.
        what: &'static str,
        /// The method that gives it.
        method: &'static str,
    },
    /// A list of values is empty.
    #[error("`{dimension}` has no values, so that there are no points: give at least one")]
    NoValues {
        /// The field or input.
        dimension: String,
    },
    /// All points were left out.
    #[error("no point is left: `.only(..)` leaves all of them out")]
    NoPoints,
    /// More points than can be listed.
    #[error("the sweep has more than {most} points: make it several")]
    TooMany {
        /// The most that there can be.
        most: usize,
    },
    /// A value that stands twice in its list.
    #[error("`{dimension}` has {value} twice: leave one out")]
    Twice {
        /// The field or input, or what else has values.
        dimension: String,
        /// The value.
        value: String,
    },
    /// Two fields or inputs of one name.
    #[error("there are two columns `{name}`: a field or input must have a name of its own")]
    SameName {
        /// The name.
        name: String,
    },
    /// Two points that differ in nothing.
    #[error("two points are the same: {one} and {other}; two of the sweep's fields set one field of the machine")]
    SamePoint {
        /// One of them.
        one: String,
        /// The other.
        other: String,
    },
    /// A name that files and columns cannot have.
    #[error("{what} cannot have the name `{name}`: {must}")]
    Name {
        /// What has the name.
        what: &'static str,
        /// The name.
        name: String,
        /// What it must be.
        must: &'static str,
    },
    /// A name that is not known.
    #[error("there is no {what} `{name}`; the nearest are {nearest}")]
    Unknown {
        /// What it should name.
        what: &'static str,
        /// The name.
        name: String,
        /// Names that are known, nearest first.
        nearest: String,
    },
    /// A field that a machine has not, or a value that it cannot have.
    #[error("field `{field}` of machine `{machine}`: {reason}")]
    Field {
        /// Its name.
        field: String,
        /// The machine.
        machine: String,
        /// What is wrong.
        reason: String,
    },
    /// Points that there are not.
    #[error("{asked}: {reason}")]
    Selection {
        /// What was asked for.
        asked: String,
        /// What is wrong, and what to write.
        reason: String,
    },
    /// A picture that cannot be drawn.
    #[error("{0}")]
    Plot(String),
    /// A file or folder that cannot be read or written.
    #[error("{}: cannot be {done}: {error}{hint}", path.display())]
    File {
        /// Where it is.
        path: PathBuf,
        /// What cannot be done.
        done: &'static str,
        /// The system's reason.
        error: io::Error,
        /// What to do.
        hint: &'static str,
    },
    /// A result that cannot be kept, as a process for points has said.
    #[error("{0}")]
    NotKept(String),
    /// A process that points run in and that cannot be started or talked to.
    #[error("a process for points cannot be {done}: {error}; `--in-process` does without")]
    Worker {
        /// What cannot be done.
        done: &'static str,
        /// The reason.
        error: String,
    },
}

impl SweepError {
    /// That a file cannot be written.
    pub(crate) fn written(path: &Path, error: io::Error) -> Self {
        Self::File { path: path.to_path_buf(), done: "written", error, hint: "" }
    }

    /// Whether it is an affair of files, not of what was asked.
    pub(crate) fn is_of_files(&self) -> bool {
        matches!(self, Self::File { .. } | Self::NotKept(_) | Self::Worker { .. })
    }
}
