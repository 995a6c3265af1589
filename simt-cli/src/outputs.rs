//! Files that a run is to write, looked at before it: what cannot be written is better known before hours of work.

use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// A file that is to be written, with the option that asks for it.
pub(crate) struct Target<'t> {
    pub(crate) option: String,
    pub(crate) file: &'t Path,
}

/// Checks that each can be a file in a folder that is there, and that no two are the same.
pub(crate) fn check(targets: &[Target<'_>]) -> Result<(), Failure> {
    let mut known: Vec<(PathBuf, &str)> = Vec::new();
    for Target { option, file } in targets {
        let wrong = |reason: &str| {
            let file = file.display();
            Failure::file(format!("{option}: cannot write {file}: {reason}; give a file in a folder that is there"))
        };
        if file.is_dir() {
            return Err(wrong("it is a folder"));
        }
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Some(name) = file.file_name() else { return Err(wrong("it is no name of a file")) };
        if !folder.is_dir() {
            return Err(wrong(&format!("there is no folder {}", folder.display())));
        }
        // What is neither, as /dev/null is, can be written to by several.
        let found = fs::canonicalize(file);
        if found.as_ref().is_ok_and(|found| !found.is_file()) {
            continue;
        }
        let place = found.or_else(|_| fs::canonicalize(folder).map(|folder| folder.join(name)));
        let place = place.map_err(|error| wrong(&error.to_string()))?;
        if let Some((_, other)) = known.iter().find(|(known, _)| *known == place) {
            let file = file.display();
            return Err(Failure::usage(format!(
                "{other} and {option}: both would write {file}; give each a file of its own"
            )));
        }
        known.push((place, option));
    }
    Ok(())
}

/// Checks that a folder is there, or can be made in one that is.
#[cfg(feature = "view")]
pub(crate) fn check_folder(option: &str, folder: &Path) -> Result<(), Failure> {
    match folder.ancestors().find(|above| above.exists()) {
        Some(above) if !above.is_dir() => Err(Failure::file(format!(
            "{option}: cannot make {}: {} is no folder; give a folder",
            folder.display(),
            above.display()
        ))),
        // Of a path that does not begin with a `/` the last is empty: the folder that the command was called in.
        _ => Ok(()),
    }
}
