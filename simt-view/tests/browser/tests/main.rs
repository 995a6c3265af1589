//! Pages in Chromium: they open without complaints in every look, can be used, read out, and are fast.

mod lines;
mod looks;
mod sizes;
mod steps;

use simt_browser_tests::pages;
use std::path::PathBuf;

/// A page by its folder and the name of its file.
fn page(folder: &str, name: &str) -> PathBuf {
    let named = pages(folder).into_iter().find(|file| file.file_name().is_some_and(|file| file == name));
    named.unwrap_or_else(|| panic!("{name} is not in {folder}"))
}
