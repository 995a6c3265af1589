//! The folder of results: a file for each point, written whole or not at all.
//!
//! A file is one object of JSON: the version of its form, a hash, and the result that the hash is of, as it stands there, so
//! that a file which was cut off or edited is found out. Files are not forced to the disk: one that a loss of power damages is
//! found out, too.

use crate::error::SweepError;
use crate::point::Point;
use crate::sweep::hex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};
use std::{fs, io, process};

/// The version of the form of files.
const FORM: u32 = 1;

/// What became of a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// It gave this.
    Done(Value),
    /// An error, a panic, or the end of its process.
    Failed(String),
    /// It was stopped after so many seconds.
    TimedOut(f64),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'f> {
    simt_sweep: u32,
    hash: String,
    #[serde(borrow)]
    result: &'f RawValue,
}

#[derive(Serialize)]
struct Kept<'k> {
    point: &'k Point,
    outcome: &'k Outcome,
}

#[derive(Deserialize)]
struct Read {
    point: Of,
    outcome: Outcome,
}

#[derive(Deserialize)]
struct Of {
    id: String,
}

/// A folder of results.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: PathBuf,
}

impl Store {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf() }
    }

    /// Makes the folder, and a file in it for a moment: what cannot be written is better known before hours of work.
    ///
    /// # Errors
    /// If that cannot be done.
    pub(crate) fn create(&self) -> Result<(), SweepError> {
        let failed = |done, path: &Path, error| SweepError::File {
            path: path.to_path_buf(),
            done,
            error,
            hint: "; name another folder by --folder",
        };
        fs::create_dir_all(&self.folder).map_err(|error| failed("created", &self.folder, error))?;
        let probe = self.folder.join(format!(".probe.{}.tmp", process::id()));
        fs::write(&probe, "").map_err(|error| failed("written", &probe, error))?;
        fs::remove_file(&probe).map_err(|error| failed("removed", &probe, error))
    }

    /// # Errors
    /// If there is no such folder: nothing has run.
    pub(crate) fn open(&self) -> Result<(), SweepError> {
        let failed = |error| SweepError::File {
            path: self.folder.clone(),
            done: "read",
            error,
            hint: "; `run` makes it, and --folder names another",
        };
        fs::read_dir(&self.folder).map(drop).map_err(failed)
    }

    fn path(&self, point: &Point) -> PathBuf {
        self.folder.join(format!("{}.json", point.id))
    }

    /// What became of a point, if it is known.
    ///
    /// # Errors
    /// If its file is not as it was written: the place, and the reason.
    pub(crate) fn read(&self, point: &Point) -> Result<Option<Outcome>, String> {
        let path = self.path(point);
        let failed = |error: io::Error| format!("{}: cannot be read: {error}", path.display());
        match fs::metadata(&path) {
            // To read a pipe could take for ever.
            Ok(found) if !found.is_file() => return Err(format!("{}: it is no file", path.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found.map_err(failed)?,
        };
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        parse(&bytes, &point.id).map(Some).map_err(|reason| format!("{}{reason}", path.display()))
    }

    /// Keeps what became of a point. A reader sees the file whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(&self, point: &Point, outcome: &Outcome) -> Result<(), SweepError> {
        let path = self.path(point);
        let other = |error: serde_json::Error| SweepError::written(&path, error.into());
        let result = serde_json::value::to_raw_value(&Kept { point, outcome }).map_err(other)?;
        let file = File { simt_sweep: FORM, hash: hex(result.get()), result: &result };
        let text = serde_json::to_string(&file).map_err(other)? + "\n";
        // Two processes that run one point write the same.
        let half = self.folder.join(format!(".{}.{}.tmp", point.id, process::id()));
        let written = fs::write(&half, text).and_then(|()| fs::rename(&half, &path));
        written.map_err(|error| {
            // Nothing is left of it but the error.
            let _ = fs::remove_file(&half);
            let hint = if path.is_dir() { "; move that folder away, or name another by --folder" } else { "" };
            SweepError::File { path, done: "written", error, hint }
        })
    }

    /// How many results of other points there are.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub(crate) fn others(&self, points: &[Point]) -> Result<usize, SweepError> {
        let known: std::collections::HashSet<&str> = points.iter().map(|point| point.id.as_str()).collect();
        let failed = |error| SweepError::File { path: self.folder.clone(), done: "read", error, hint: "" };
        let entries = fs::read_dir(&self.folder).map_err(failed)?;
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        Ok(names.filter(|name| name.strip_suffix(".json").is_some_and(|id| !known.contains(id))).count())
    }
}

/// What a file says of the point of an id; else what stands behind the file's name in an error.
fn parse(bytes: &[u8], id: &str) -> Result<Outcome, String> {
    let at = |error: &serde_json::Error| format!(":{}:{}: {error}", error.line(), error.column());
    let file: File<'_> = serde_json::from_slice(bytes)
        .map_err(|error| if bytes.is_empty() { ":1:1: the file is empty".to_string() } else { at(&error) })?;
    if file.simt_sweep != FORM {
        return Err(format!(":1: its form is version {}, and this is version {FORM}", file.simt_sweep));
    }
    if file.hash != hex(file.result.get()) {
        return Err(":1: `result` is not what was written: its hash is not `hash`".to_string());
    }
    let read: Read = serde_json::from_str(file.result.get()).map_err(|error| at(&error))?;
    if read.point.id != id {
        return Err(format!(":1: it is the result of point {}", read.point.id));
    }
    Ok(read.outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sweep;
    use tempfile::TempDir;

    fn points() -> Vec<Point> {
        Sweep::new("store").kernel("none", |_| Ok(0)).inputs("n", [0, 1]).points().unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = TempDir::new().unwrap();
        let (store, points) = (Store::new(folder.path()), points());
        store.create().unwrap();
        assert_eq!(store.read(&points[0]), Ok(None));
        let third = 1.0 / 3.0;
        for outcome in [
            Outcome::Done(serde_json::json!({ "a": third, "b": "<script>\"\n" })),
            Outcome::Failed("a\nb".into()),
            Outcome::TimedOut(0.1),
        ] {
            store.write(&points[0], &outcome).unwrap();
            assert_eq!(store.read(&points[0]), Ok(Some(outcome)));
        }
        assert_eq!(store.others(&points[1..]).unwrap(), 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no other file is left");
    }

    #[test]
    fn a_file_that_was_cut_off_or_edited_is_found_out() {
        let folder = TempDir::new().unwrap();
        let (store, points) = (Store::new(folder.path()), points());
        store.create().unwrap();
        store.write(&points[0], &Outcome::Done(serde_json::json!({ "cycles": 1234 }))).unwrap();
        let path = store.path(&points[0]);
        let whole = fs::read_to_string(&path).unwrap();
        let wrong = |text: &str| {
            fs::write(&path, text).unwrap();
            let error = store.read(&points[0]).unwrap_err();
            assert!(error.starts_with(&format!("{}:", path.display())), "{error}");
            error
        };
        // At whatever byte but the line's end: that the object ends is enough.
        for length in 0..whole.len() - 1 {
            wrong(&whole[..length]);
        }
        assert!(wrong("").ends_with("the file is empty"));
        assert!(wrong(&whole.replace("1234", "1235")).contains("not what was written"));
        assert!(wrong(&whole.replace("\"simt_sweep\":1", "\"simt_sweep\":2")).contains("version 2"));
        assert!(wrong(&format!("{whole}x")).contains("trailing"));
        // Every bit that is not blank.
        for at in 0..whole.len() - 1 {
            let mut bytes = whole.clone().into_bytes();
            bytes[at] ^= 1;
            fs::write(&path, bytes).unwrap();
            assert!(store.read(&points[0]).is_err(), "byte {at}");
        }
        fs::write(&path, &whole).unwrap();
        fs::copy(&path, store.path(&points[1])).unwrap();
        assert!(store.read(&points[1]).unwrap_err().contains(&format!("of point {}", points[0].id)));
        fs::write(&path, [0xff; 9]).unwrap();
        assert!(store.read(&points[0]).is_err());
    }

    #[test]
    fn what_is_no_file_is_not_read_and_leaves_nothing_behind() {
        let folder = TempDir::new().unwrap();
        let (store, points) = (Store::new(folder.path()), points());
        fs::create_dir(store.path(&points[0])).unwrap();
        assert!(store.read(&points[0]).unwrap_err().ends_with(": it is no file"));
        let error = store.write(&points[0], &Outcome::TimedOut(1.0)).unwrap_err().to_string();
        assert!(error.contains("cannot be written") && error.contains("move that folder away"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no other file is left");
    }

    #[test]
    fn a_folder_that_cannot_be_is_an_error() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "a file").unwrap();
        let error = Store::new(&file).create().unwrap_err().to_string();
        assert!(error.contains(&file.display().to_string()) && error.contains("--folder"), "{error}");
        let error = Store::new(&file.join("below")).open().unwrap_err().to_string();
        assert!(error.contains("`run` makes it"), "{error}");
    }
}
