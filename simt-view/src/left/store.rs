//! The folder of pages, which several processes write at a time.
//!
//! ```text
//! index.html
//! EXECUTABLE/TEST-NUMBER-KERNEL.html           the page of a launch
//! EXECUTABLE/TEST-NUMBER-KERNEL.steps.html     to step through it
//! EXECUTABLE/PROCESS.json                      what a process says of its launches
//! ```
//!
//! One process at a time changes what is there, then makes the index of all that the files say: it does not depend on which
//! came first. A file is written beside its place and moved there, so that no reader sees a half of it.

use super::index;
use super::kept::{Kept, Launch};
use super::place::{Executable, hashless, safe};
use crate::write_whole;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A folder or file that cannot be written.
pub(super) struct StoreError {
    path: PathBuf,
    reason: String,
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} cannot be written: {}", self.path.display(), self.reason)
    }
}

/// What stands in a page of a launch for the name of the other.
pub(super) const OTHER: &str = "the-other-page-of-this-launch.html";

/// The pages of a launch.
pub(super) struct Files {
    pub(super) page: String,
    pub(super) steps: Option<String>,
}

/// What a file says, and when it was written.
type Read = (Option<SystemTime>, u64, Result<Kept, String>);

#[derive(Default)]
pub(super) struct Store {
    folder: PathBuf,
    own: String,
    file: String,
    kept: Kept,
    /// What files have said, which are read again if they change.
    read: BTreeMap<PathBuf, Read>,
}

impl Store {
    /// The folder, with a place for this executable. Pages of its earlier runs are removed, and those of executables that are
    /// not there any more.
    ///
    /// # Errors
    /// If that cannot be done.
    pub(super) fn open(folder: PathBuf, executable: &Executable) -> Result<Self, StoreError> {
        let own = safe(&executable.name, 80);
        let file = format!("{}.json", executable.process);
        let mut store = Self { kept: Kept::of(executable), folder, own, file, read: BTreeMap::new() };
        let folder = store.folder.join(&store.own);
        fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
        let index = store.index();
        if fs::read_to_string(&index).is_ok_and(|text| !text.contains(index::MADE_BY)) {
            return Err(failed(&index, &"it is not an index of pages, and stays"));
        }
        store.alone(|store| {
            store.remove_earlier()?;
            store.write()
        })?;
        Ok(store)
    }

    pub(super) fn index(&self) -> PathBuf {
        self.folder.join("index.html")
    }

    /// A launch with its pages.
    pub(super) fn add(&mut self, mut launch: Launch, files: &Files) -> Result<(), StoreError> {
        self.alone(|store| {
            let folder = store.folder.join(&store.own);
            let (test, kernel) = (safe(&launch.test, 60), safe(&launch.kernel, 30));
            // Several processes can have a test of that name: when it is tried again, or in documentation.
            let names = (1..).map(|time| match time {
                1 => format!("{test}-{}-{kernel}", launch.number),
                _ => format!("{test}-{}.{time}-{kernel}", launch.number),
            });
            let taken = |name: &String| folder.join(format!("{name}.html")).exists();
            let name = names.into_iter().find(|name| !taken(name)).unwrap_or_default();
            launch.page = format!("{name}.html");
            launch.steps = files.steps.as_ref().map(|_| format!("{name}.steps.html"));
            let other = |name: &str| format!("href=\"{name}\"");
            let page = files.page.replacen(&other(OTHER), &other(launch.steps.as_deref().unwrap_or_default()), 1);
            write(&folder.join(&launch.page), &page)?;
            if let (Some(file), Some(steps)) = (&launch.steps, &files.steps) {
                write(&folder.join(file), &steps.replacen(&other(OTHER), &other(&launch.page), 1))?;
            }
            store.kept.launches.push(launch);
            store.write()
        })
    }

    /// So many launches have left no page, or up to twice as many.
    pub(super) fn without_page(&mut self, launches: u64) -> Result<(), StoreError> {
        self.kept.without_page = launches;
        self.alone(Self::write)
    }

    /// A test has panicked, behind so many launches. If it does so again, for it has caught the panic, the first one counts.
    pub(super) fn panicked(&mut self, test: &str, launches: u64) -> Result<(), StoreError> {
        if self.kept.panicked.contains_key(test) {
            return Ok(());
        }
        self.kept.panicked.insert(test.to_string(), launches);
        self.alone(Self::write)
    }

    /// Does something while no other process does so.
    fn alone(&mut self, change: impl FnOnce(&mut Self) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let path = self.folder.join(".lock");
        let lock = File::create(&path).map_err(|error| failed(&path, &error))?;
        match lock.lock() {
            Ok(()) => {}
            // Not every file system has locks. Without, an index may miss what is written at the same moment.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(error) => return Err(failed(&path, &error)),
        }
        change(self)
    }

    /// What this process says, and the index of what all say.
    fn write(&mut self) -> Result<(), StoreError> {
        let text =
            serde_json::to_string(&self.kept).unwrap_or_else(|error| unreachable!("only texts are keys: {error}"));
        write(&self.folder.join(&self.own).join(&self.file), &text)?;
        self.read_all()?;
        write(&self.index(), &index::index(self.read.iter().map(|(path, (_, _, kept))| (&**path, kept))))
    }

    /// The files of all processes, by their paths below the folder.
    fn files(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut files = Vec::new();
        for folder in entries(&self.folder)?.into_iter().filter(|folder| folder.is_dir()) {
            files.extend(entries(&folder)?.into_iter().filter(|file| has_ending(file, "json")));
        }
        files.sort();
        Ok(files)
    }

    fn read_all(&mut self) -> Result<(), StoreError> {
        let mut before = std::mem::take(&mut self.read);
        for path in self.files()? {
            let Ok(about) = path.metadata() else { continue };
            let (written, length) = (about.modified().ok(), about.len());
            let known = before.remove(&path).filter(|read| (read.0, read.1) == (written, length));
            let read = known.unwrap_or_else(|| (written, length, read(&path)));
            self.read.insert(path, read);
        }
        Ok(())
    }

    /// Removes the pages of other runs of this executable, and of executables that are not there any more.
    fn remove_earlier(&mut self) -> Result<(), StoreError> {
        self.read_all()?;
        let own = self.folder.join(&self.own);
        let mut current: Vec<PathBuf> = Vec::new();
        for (path, (_, _, kept)) in &self.read {
            let folder = path.parent().unwrap_or(&self.folder);
            match kept {
                Ok(kept) if folder == own && kept.run == self.kept.run => {
                    current.extend(kept.files().map(|file| own.join(file)));
                    current.push(path.clone());
                }
                // An executable without a hash is one of documentation, which is never there any more.
                Ok(kept)
                    if folder != own
                        && hashless(&kept.executable) != kept.executable
                        && !Path::new(&kept.path).exists() =>
                {
                    kept.files().map(|file| folder.join(file)).chain([path.clone()]).for_each(|file| remove(&file));
                    // If there is something else in it, it stays.
                    let _ = fs::remove_dir(folder);
                }
                _ => {}
            }
        }
        for file in entries(&own)? {
            if (has_ending(&file, "html") || has_ending(&file, "json")) && !current.contains(&file) {
                remove(&file);
            }
        }
        Ok(())
    }
}

/// What a file says.
fn read(path: &Path) -> Result<Kept, String> {
    fs::read_to_string(path).map_err(|error| error.to_string()).and_then(|text| Kept::read(&text))
}

/// What is in a folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let all = fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    all.map_err(|error: io::Error| failed(folder, &error))
}

fn has_ending(file: &Path, ending: &str) -> bool {
    file.extension().is_some_and(|found| found == ending)
}

/// Another process may have removed it before.
fn remove(file: &Path) {
    let _ = fs::remove_file(file);
}

fn write(path: &Path, text: &str) -> Result<(), StoreError> {
    write_whole(path, text).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, reason: &dyn std::fmt::Display) -> StoreError {
    StoreError { path: path.to_path_buf(), reason: reason.to_string() }
}
