//! Hashes the sources that a measurement depends on, so that no measurement of other sources is taken from the cache.

use std::fs;
use std::path::{Path, PathBuf};

#[path = "src/fnv.rs"]
mod fnv;

use fnv::fnv;

/// The engine with its language, and the programs.
const SOURCES: [&str; 8] = [
    "../simt-core/src",
    "../simt-macros/src",
    "../simt-runtime/src",
    "../src",
    "../examples/gallery/kernels",
    "../tests/placement",
    "../tests/kernels/waiting.rs",
    "src/programs",
];
/// What makes a measurement of a launch, and the versions of what it is made with.
const MEASURES: [&str; 7] = [
    "../Cargo.lock",
    "src/endings.rs",
    "src/measured.rs",
    "src/occupancy.rs",
    "src/setup.rs",
    "src/skeleton.rs",
    "src/traces.rs",
];

fn main() {
    println!("cargo::rerun-if-changed=src/fnv.rs");
    let mut bytes = Vec::new();
    for source in SOURCES.into_iter().chain(MEASURES) {
        println!("cargo::rerun-if-changed={source}");
        let mut files = Vec::new();
        collect(Path::new(source), &mut files);
        files.sort();
        files.iter().for_each(|file| bytes.extend(fs::read(file).unwrap_or_default()));
    }
    println!("cargo::rustc-env=STUDIES_SOURCES={}", fnv(&bytes));
}

/// The files of a folder, or the file itself.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) => files.push(path.to_path_buf()),
    }
}
