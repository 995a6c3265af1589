//! House rules that a machine can check: which crate may know which, how files look, what the default build pulls in.

use std::collections::{BTreeMap, BTreeSet};
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

/// The tables of a `Cargo.toml` with the names that stand left of `=` in each. Enough of TOML for the files here.
fn tables(manifest: &str) -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(root().join(manifest)).expect("the manifest is there");
    let mut tables: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut table = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[') {
            table = name.trim_matches(['[', ']']).to_string();
            // `[dependencies.name]` is a dependency, too.
            if let Some((parent, child)) = table.split_once("dependencies.") {
                tables.entry(format!("{parent}dependencies")).or_default().insert(child.to_string());
            }
        } else if let Some((key, _)) = line.split_once('=') {
            let name = key.trim().split('.').next().unwrap_or_default().trim_matches('"');
            tables.entry(table.clone()).or_default().insert(name.to_string());
        }
    }
    tables
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_string()).collect()
}

/// The libraries that each crate is built from. A new one is a decision: it goes in here with the commit that needs it.
#[test]
fn each_crate_depends_on_what_it_may() {
    let allowed: [(&str, &[&str]); 4] = [
        ("Cargo.toml", &["simt-core", "simt-macros", "simt-runtime"]),
        ("simt-macros/Cargo.toml", &["proc-macro2", "quote", "syn"]),
        ("simt-core/Cargo.toml", &["half", "libm", "petgraph", "smallvec", "thiserror"]),
        (
            "simt-runtime/Cargo.toml",
            &["annotate-snippets", "bytemuck", "multiversion", "serde", "simt-core", "smallvec", "thiserror", "toml"],
        ),
    ];
    for (manifest, allowed) in allowed {
        let tables = tables(manifest);
        assert_eq!(tables.get("dependencies"), Some(&names(allowed)), "[dependencies] of {manifest}");
        let tables: Vec<&String> = tables.keys().filter(|table| table.ends_with("dependencies")).collect();
        let known = ["dependencies", "dev-dependencies", "workspace.dependencies"];
        assert!(tables.iter().all(|table| known.contains(&table.as_str())), "{manifest} has {tables:?}");
    }
    // What serves data, not launches, and types of other crates, are not in the default build.
    for (manifest, optional) in
        [("simt-runtime/Cargo.toml", "serde"), ("simt-runtime/Cargo.toml", "toml"), ("simt-core/Cargo.toml", "half")]
    {
        let manifest = fs::read_to_string(root().join(manifest)).expect("the manifest is there");
        let mut lines = manifest.lines().filter(|line| line.starts_with(&format!("{optional} =")));
        assert!(lines.any(|line| line.contains("optional = true")), "{optional} is not optional");
    }
    for manifest in ["Cargo.toml", "simt-core/Cargo.toml", "simt-runtime/Cargo.toml"] {
        assert!(tables(manifest).get("features").is_some_and(|features| !features.contains("default")), "{manifest}");
    }
}

/// One direction, no way back: the macros know only syntax, the core no machine, the machine no syntax.
#[test]
fn no_crate_names_one_that_it_must_not_know() {
    let forbidden: [(&str, &[&str]); 3] = [
        ("simt-macros/src/", &["simt_core", "simt_runtime"]),
        ("simt-core/", &["simt_runtime", "simt_macros", "simt::"]),
        ("simt-runtime/", &["simt_macros", "simt::", "syn::", "proc_macro"]),
    ];
    let mut broken = Vec::new();
    for Text { path, text } in rust_files() {
        for (_, names) in forbidden.iter().filter(|(folder, _)| path.starts_with(folder)) {
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                // The docs of the face's feature, and the ids of errors, name the face.
                let code = code.replace("\"simt::{id}\"", "");
                broken.extend(
                    names
                        .iter()
                        .filter(|name| code.contains(*name))
                        .map(|name| format!("{path}:{}: {name}", number + 1)),
                );
            }
        }
    }
    assert_none("a crate names one that it must not know", &broken);
}

/// Inside the runtime: the lanes know no policy, the policies no values. Inside the core: the literal semantics knows nothing
/// of what it is there to check.
#[test]
fn lanes_and_policies_do_not_know_each_other() {
    let forbidden: [(&str, &[&str]); 3] = [
        ("simt-core/src/semantics", &["crate::code", "crate::analysis", "crate::text", "crate::build"]),
        (
            "simt-runtime/src/lanes",
            &["crate::policy", "crate::engine", "crate::observe", "crate::report", "crate::gpu"],
        ),
        (
            "simt-runtime/src/policy",
            &["crate::lanes", "crate::memory", "crate::engine", "crate::observe", "crate::gpu"],
        ),
    ];
    let mut broken = Vec::new();
    for Text { path, text } in rust_files() {
        for (_, names) in forbidden.iter().filter(|(folder, _)| path.starts_with(folder)) {
            broken.extend(names.iter().filter(|name| text.contains(*name)).map(|name| format!("{path}: {name}")));
        }
    }
    assert_none("a part of the machine knows one that it must not", &broken);
}

#[test]
fn every_file_says_what_it_is_for() {
    let files = rust_files().into_iter().filter(|file| !file.path.starts_with("tests/ui/"));
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
    for Text { path, text } in rust_files() {
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

#[test]
fn the_papers_of_the_house_are_there() {
    for name in ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", ".ci/run"] {
        assert!(fs::metadata(root().join(name)).is_ok_and(|file| file.len() > 100), "{name} is missing or empty");
    }
}

#[test]
fn the_readmes_kernel_is_the_one_that_is_tested() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README is there");
    let (_, block) = readme.split_once("```rust").expect("the README shows a kernel");
    let (block, _) = block.split_once("\n```").expect("the kernel ends");
    // Behind what else the fence says.
    let (_, block) = block.split_once('\n').expect("the kernel has lines");
    let tested = fs::read_to_string(root().join("tests/kernels/readme.rs")).expect("it is tested");
    let (_, tested) = tested.split_once("\n\n").expect("a header, then the kernel");
    assert_eq!(block.trim(), tested.trim());
}

/// The reference of the language has every method and function that the macro knows.
#[test]
fn the_reference_names_what_kernels_can_call() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("the file is there");
    let table = |path: &str, from: &str, to: &str| {
        let text = read(path);
        let (_, table) = text.split_once(from).expect("the table begins");
        table.split_once(to).expect("the table ends").0.to_string()
    };
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_string).collect()
    };
    let methods = table("simt-macros/src/emit/numeric.rs", "const METHODS", "\n];");
    let methods: String = methods.split('"').skip(1).step_by(2).collect::<Vec<_>>().join(" ");
    let functions = table("simt-macros/src/emit/collective.rs", "\ntable! {", "\n}");
    let functions: String =
        functions.lines().filter_map(|line| line.split_once('(')).map(|(name, _)| name).collect::<Vec<_>>().join(" ");
    // The names of the methods' parameters are quoted, too.
    let parameters = names(&["rhs", "other", "base", "sign", "default"]);
    let known: BTreeSet<String> = words(&methods).union(&words(&functions)).cloned().collect();
    assert!(known.len() > 100, "the tables are found");
    let missing: BTreeSet<String> = known.difference(&words(&read("src/language.md"))).cloned().collect();
    let broken: Vec<_> = missing.difference(&parameters).cloned().collect();
    assert_none("the reference lacks a name", &broken);
}

/// A snapshot that no test compares with any more is a promise that is not kept.
/// What the page of evidence says can be looked up: each name in its tables that looks like a test's is one.
#[test]
fn the_page_of_evidence_names_tests_that_exist() {
    let page = fs::read_to_string(root().join("src/evidence.md")).expect("the page is there");
    let code: String = rust_files().into_iter().map(|file| file.text).collect();
    let names = page.split('`').skip(1).step_by(2).filter(|name| {
        name.contains('_') && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    });
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 20, "the page names tests");
    let missing: Vec<String> =
        names.into_iter().filter(|name| !code.contains(&format!("fn {name}("))).map(str::to_string).collect();
    assert_none("the page of evidence names a test that is not there", &missing);
}

#[test]
fn every_snapshot_belongs_to_a_test() {
    let sources = rust_files();
    let mut broken = Vec::new();
    for folder in ["traces", "errors", "kernels"] {
        for entry in fs::read_dir(root().join("tests").join(folder).join("snapshots")).expect("snapshots are there") {
            let path = entry.expect("an entry can be read").path();
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_string();
            let used = sources.iter().filter(|file| file.path.starts_with(&format!("tests/{folder}/")));
            let mut used = used.map(|file| &file.text);
            let quoted = [format!("\"{name}\""), format!("traced!({name},")];
            if path.extension().is_none_or(|kind| kind != "snap")
                || !used.any(|text| quoted.iter().any(|q| text.contains(q)))
            {
                broken.push(path.display().to_string());
            }
        }
    }
    assert_none("a snapshot belongs to no test", &broken);
}
