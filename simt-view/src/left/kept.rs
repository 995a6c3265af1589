//! What a process says of its launches: a file beside its pages, from which the index is made.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the files' form.
const VERSION: u32 = 1;

/// The launches of a process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    simt_pages: u32,
    /// Name of the executable.
    pub(super) executable: String,
    pub(super) path: String,
    /// The same for all processes of a run that have this executable.
    pub(super) run: String,
    /// When it began, in milliseconds since 1970.
    pub(super) began: u64,
    pub(super) launches: Vec<Launch>,
    /// So many launches, or up to twice as many, have left no page.
    pub(super) without_page: u64,
    /// The tests that have panicked, with the number of the launch behind which.
    pub(super) panicked: BTreeMap<String, u64>,
}

/// A launch that has left a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Launch {
    /// The file of its page.
    pub(super) page: String,
    /// The file in which it can be stepped through, if anything of it was recorded.
    pub(super) steps: Option<String>,
    pub(super) test: String,
    /// Which launch of the test it is, from 1.
    pub(super) number: u64,
    pub(super) kernel: String,
    pub(super) policy: String,
    pub(super) grid: String,
    pub(super) efficiency: Option<f64>,
    /// The first line of the error, if it has failed.
    pub(super) error: Option<String>,
}

/// What became of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End<'k> {
    Failed(&'k str),
    /// The test panicked behind it, before it launched again.
    Panicked,
    PanickedElsewhere,
    Ended,
}

impl End<'_> {
    /// Its place in a list, in which what is looked for is first.
    pub(super) fn rank(self) -> u32 {
        match self {
            Self::Failed(_) | Self::Panicked => 0,
            Self::PanickedElsewhere => 1,
            Self::Ended => 2,
        }
    }
}

impl Kept {
    pub(super) fn of(executable: &super::place::Executable) -> Self {
        let super::place::Executable { name, path, run, began, .. } = executable.clone();
        Self { simt_pages: VERSION, executable: name, path, run, began, ..Self::default() }
    }

    /// The pages that it has left.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.launches.iter().flat_map(|launch| [Some(&*launch.page), launch.steps.as_deref()]).flatten()
    }

    /// What became of a launch.
    pub(super) fn end<'k>(&'k self, launch: &'k Launch) -> End<'k> {
        match (&launch.error, self.panicked.get(&launch.test)) {
            (Some(error), _) => End::Failed(error),
            (None, Some(&last)) if last == launch.number => End::Panicked,
            (None, Some(_)) => End::PanickedElsewhere,
            (None, None) => End::Ended,
        }
    }

    /// Reads what was written.
    ///
    /// # Errors
    /// Why it is none.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let kept: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if kept.simt_pages != VERSION {
            return Err(format!("version {} of its form; this library reads version {VERSION}", kept.simt_pages));
        }
        // They become names of files to remove, and links.
        let wrong = kept.files().find(|file| !is_name(file)).map(|file| format!("`{file}` is no name of a page"));
        wrong.map_or(Ok(kept), Err)
    }
}

/// Whether a text is the name of a page in the same folder.
fn is_name(text: &str) -> bool {
    text.ends_with(".html") && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}
