//! Recordings on disk: a line of JSON that says what follows, and a line of JSON for each section.
//!
//! The first line names the format's version and, of each section, its length and checksum. So what was cut off or edited is
//! found before it is read, and the error says in which line.

use super::{Recording, check};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A recording that cannot be read: where it is wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingError {
    /// The line of the file, from 1 on.
    pub line: usize,
    /// The place in the line: a section, and what in it, or a column.
    pub place: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, place, reason } = self;
        write!(f, "the recording cannot be read: line {line}, {place}: {reason}")
    }
}

impl std::error::Error for RecordingError {}

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct First {
    /// The format's version.
    simt_recording: u64,
    sections: Vec<Section>,
}

/// The version alone: what another version has besides is not known.
#[derive(Deserialize)]
struct Version {
    simt_recording: u64,
}

/// A section: a line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    name: String,
    bytes: usize,
    crc32: u32,
}

/// The names of the sections, in order.
const SECTIONS: [&str; 8] = ["header", "listing", "counts", "tracks", "lanes", "states", "steps", "events"];

impl Recording {
    /// The version of the format that is written, and the only one that is read.
    pub const VERSION: u64 = 2;

    /// As text, for a file.
    ///
    /// ```
    /// use simt_view::Recording;
    ///
    /// let recording = Recording::default();
    /// assert_eq!(Recording::read(&recording.write()), Ok(recording));
    /// assert!(Recording::read("").is_err());
    /// ```
    pub fn write(&self) -> String {
        let Self { header, listing, counts, tracks, lanes, states, steps, events } = self;
        let sections = [
            json(header),
            json(listing),
            json(counts),
            json(tracks),
            json(lanes),
            json(states),
            json(steps),
            json(events),
        ];
        let described = SECTIONS.iter().zip(&sections).map(|(name, text)| Section {
            name: name.to_string(),
            bytes: text.len(),
            crc32: crc32fast::hash(text.as_bytes()),
        });
        let first = First { simt_recording: Self::VERSION, sections: described.collect() };
        let mut text = json(&first);
        for section in sections {
            text.push('\n');
            text += &section;
        }
        text.push('\n');
        text
    }

    /// Reads what was written.
    ///
    /// # Errors
    /// If the text is of another version, was cut off or edited, or is none of a recording.
    pub fn read(text: &str) -> Result<Self, RecordingError> {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let error = |place: &str, reason: String| RecordingError { line: 1, place: place.to_string(), reason };
        let Version { simt_recording: version } = serde_json::from_str(first).map_err(|problem| {
            error(
                &format!("column {}", problem.column()),
                format!("this is no recording of simt: {}", reason(&problem)),
            )
        })?;
        if version != Self::VERSION {
            let reason = format!("version {version} of the format; this library reads version {}", Self::VERSION);
            return Err(error("`simt_recording`", reason));
        }
        let First { sections, .. } = parsed(first, 1, "the list of sections")?;
        if sections.iter().map(|section| &*section.name).ne(SECTIONS) {
            return Err(error("`sections`", format!("must be {}, in this order", SECTIONS.join(", "))));
        }
        let mut texts = Vec::new();
        for (Section { name, bytes, crc32 }, line) in sections.iter().zip(2..) {
            let found = lines.next().unwrap_or_default();
            let error = |reason: String| RecordingError { line, place: format!("section `{name}`"), reason };
            if found.len() < *bytes {
                return Err(error(format!("cut off: it has {} of {bytes} bytes", found.len())));
            }
            if found.len() != *bytes || crc32fast::hash(found.as_bytes()) != *crc32 {
                return Err(error("edited: it does not have the checksum that the first line says".to_string()));
            }
            texts.push(found);
        }
        if lines.next().is_some() {
            let place = "behind the last section".to_string();
            return Err(RecordingError { line: 2 + SECTIONS.len(), place, reason: "there is more".to_string() });
        }
        let recording = Self {
            header: section(&texts, 0)?,
            listing: section(&texts, 1)?,
            counts: section(&texts, 2)?,
            tracks: section(&texts, 3)?,
            lanes: section(&texts, 4)?,
            states: section(&texts, 5)?,
            steps: section(&texts, 6)?,
            events: section(&texts, 7)?,
        };
        check::fits(&recording).map_err(|(section, place, reason)| {
            let line = SECTIONS.iter().position(|&name| name == section).map_or(1, |number| number + 2);
            RecordingError { line, place, reason }
        })?;
        Ok(recording)
    }
}

/// As JSON. What is written here has no maps with other keys than texts, and so can always be.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| unreachable!("{error}"))
}

/// A section, from the lines behind the first.
fn section<T: DeserializeOwned>(texts: &[&str], number: usize) -> Result<T, RecordingError> {
    parsed(texts[number], number + 2, &format!("section `{}`", SECTIONS[number]))
}

fn parsed<T: DeserializeOwned>(text: &str, line: usize, of: &str) -> Result<T, RecordingError> {
    serde_json::from_str(text).map_err(|error| RecordingError {
        line,
        place: format!("{of}, column {}", error.column()),
        reason: reason(&error),
    })
}

/// The reason without the place, which is that of the line by itself.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_string()
}
