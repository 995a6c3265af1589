//! What the pages say of the code, and whose snapshots there are.

use super::{assert_none, names, root, rust_files};
use std::collections::BTreeSet;
use std::fs;

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
    let parameters = names(&["rhs", "other", "base", "sign", "default", "carry", "borrow", "add"]);
    let known: BTreeSet<String> = words(&methods).union(&words(&functions)).cloned().collect();
    assert!(known.len() > 100, "the tables are found");
    let missing: BTreeSet<String> = known.difference(&words(&read("src/language.md"))).cloned().collect();
    let broken: Vec<_> = missing.difference(&parameters).cloned().collect();
    assert_none("the reference lacks a name", &broken);
}

/// What the page for users of CUDA says of a name is what the macro says of it.
#[test]
fn the_page_of_cuda_has_the_words_that_the_macro_knows() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("the file is there");
    let files = ["cuda", "numbers", "c"].map(|name| read(&format!("simt-macros/src/foreign/{name}.rs")));
    let table = files.concat().replace("\\\"", "''").replace("\\\n", "\n");
    let strings = table.split('"').skip(1).step_by(2).map(|text| {
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        lines.concat().replace("''", "\"")
    });
    let strings: Vec<String> = strings.collect();
    let rows = strings.chunks(2).map(|row| format!("| `{}` | {} |", row[0], row[1]));
    let rows: Vec<String> = rows.collect();
    assert!(rows.len() > 100, "the table is found");
    let page = read("src/cuda.md");
    let missing: Vec<String> = rows.iter().filter(|row| !page.lines().any(|line| line == **row)).cloned().collect();
    assert_none("the page lacks a row", &missing);
    // Names that the macro leaves to functions of the user's.
    let of_names = page.split("\n# ").skip(2).filter(|part| !part.starts_with("Functions that may be yours"));
    let of_names = of_names.flat_map(str::lines).filter(|line| line.starts_with("| `"));
    let unknown: Vec<String> =
        of_names.filter(|line| !rows.iter().any(|row| row == line)).map(str::to_string).collect();
    assert_none("the macro does not know a row", &unknown);
}

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

/// A snapshot that no test compares with any more is a promise that is not kept.
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
