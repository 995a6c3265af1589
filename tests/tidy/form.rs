//! How files look.

use super::{Text, assert_none, files, rust_files};

#[test]
fn every_file_says_what_it_is_for() {
    let files = rust_files().into_iter().filter(|file| !file.path.starts_with("simt-macros/tests/ui/"));
    let broken: Vec<_> = files.filter(|file| !file.text.starts_with("//! ")).map(|file| file.path).collect();
    assert_none("a file does not begin with `//!`", &broken);
}

#[test]
fn no_file_is_long() {
    let broken: Vec<_> = rust_files()
        .into_iter()
        .filter(|file| file.text.lines().count() > 400)
        .map(|file| format!("{}: {} lines", file.path, file.text.lines().count()))
        .collect();
    assert_none("a file is longer than 400 lines", &broken);
}

/// Of thousands of inlined calls of the builder LLVM makes code in the square of them; see `simt_core::build`.
#[test]
fn generic_methods_of_the_builder_are_not_inlined() {
    let mut broken = Vec::new();
    for Text { path, text } in rust_files().iter().filter(|file| file.path.starts_with("simt-core/src/build/")) {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let generic = |line: &str| {
            line.strip_prefix("pub fn ").is_some_and(|rest| rest.find('<').is_some_and(|at| !rest[..at].contains('(')))
        };
        broken.extend(
            lines
                .windows(2)
                .filter(|pair| generic(pair[1]) && pair[0] != "#[inline(never)]")
                .map(|pair| format!("{path}: {}", pair[1])),
        );
    }
    assert_none("these need `#[inline(never)]`", &broken);
}

#[test]
fn nothing_is_left_undone() {
    // Not written out, because this file is looked at, too.
    let marks =
        [["todo", "!("], ["unimplemented", "!("], ["FIX", "ME"], ["#[ign", "ore"], ["TO", "DO:"], ["dbg", "!("]];
    let mut broken = Vec::new();
    // These are of the macros, which kernels have, too.
    let of_macros = [
        "simt-macros/src/emit/speak.rs",
        "simt-macros/src/tests/effects.rs",
        "tests/kernels/everyday.rs",
        "tests/kernels/shown.rs",
    ];
    for Text { path, text } in rust_files().into_iter().filter(|file| !of_macros.contains(&&*file.path)) {
        for (number, line) in text.lines().enumerate() {
            broken.extend(
                marks
                    .iter()
                    .map(|mark| mark.concat())
                    .filter(|mark| line.contains(mark.as_str()))
                    .map(|mark| format!("{path}:{}: {mark}", number + 1)),
            );
        }
    }
    assert_none("something is left undone", &broken);
}

#[test]
fn the_project_stands_alone() {
    let places = [["../sha", "red"], ["/work", "/main"], ["/work", "/shared"]];
    let mut broken = Vec::new();
    for Text { path, text } in files() {
        for place in places.iter().map(|place| place.concat()) {
            broken.extend(text.contains(&place).then(|| format!("{path}: {place}")));
        }
    }
    assert_none("a file names a place outside of the project", &broken);
}
