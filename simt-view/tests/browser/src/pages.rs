//! Where pages are.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().expect("the repository is there")
}

/// The pages that tests and examples have left in a folder: `view`, `stepper` or `compare`.
///
/// # Panics
/// If there are none.
pub fn pages(folder: &str) -> Vec<PathBuf> {
    let folder = match (folder, std::env::var_os("CARGO_TARGET_DIR")) {
        ("view", Some(target)) => Path::new(&target).join("tmp/view"),
        ("view", None) => root().join("target/tmp/view"),
        _ => root().join("target").join(folder),
    };
    let files = fs::read_dir(&folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut pages: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "html")).collect();
    assert!(!pages.is_empty(), "no pages in {}: simt-view/tests/browser/run.sh makes them", folder.display());
    pages.sort();
    pages
}
