//! Files that others may read or write at the same time.

use std::fs;
use std::io;
use std::path::Path;

/// Writes a file whole or not at all: beside its place, and then moved there.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let half = path.with_extension(format!("{}.part", std::process::id()));
    fs::write(&half, text).and_then(|()| fs::rename(&half, path))
}
