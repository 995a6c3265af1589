//! House rules that a machine can check: which crate may know which, how files look, what the default build pulls in.

mod crates;
mod form;
mod glossary;
mod pages;
mod paths;
mod rooms;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file's path from the root, with `/`, and its text.
struct Text {
    path: String,
    text: String,
}

/// The files that people write, as far as they are text.
fn files() -> Vec<Text> {
    let skipped = ["target", ".git", "output", "snapshots"];
    let mut found = Vec::new();
    let mut folders = vec![root().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be read") {
            let path: PathBuf = entry.expect("an entry can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_string();
            // In a second worktree `.git` is a file.
            if skipped.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                let path = path.strip_prefix(root()).expect("below the root");
                let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
                found.push(Text { path: parts.join("/"), text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 100, "the walk finds the project");
    found
}

fn rust_files() -> Vec<Text> {
    files().into_iter().filter(|file| file.path.ends_with(".rs")).collect()
}

/// The lines that break a rule, for the message.
#[track_caller]
fn assert_none(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}:\n{}", broken.join("\n"));
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_string()).collect()
}
