//! PTX of compilers parses, prints, and parses to the same tree.

use simt_ptx::{check, parse, print};
use std::fs;
use std::path::Path;

/// The files of a folder, by name.
fn files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let paths = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it can be read").path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|kind| kind == "ptx")).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read_to_string(path).expect("it is text"))).collect()
}

/// What printing and parsing again must not change.
#[track_caller]
fn goes_round(name: &str, text: &str) {
    let tree = parse(text).unwrap_or_else(|problems| panic!("{}", problems.render(name)));
    let printed = print(&tree);
    let again = parse(&printed).unwrap_or_else(|problems| panic!("printed: {}", problems.render(name)));
    assert_eq!(tree, again, "{name}");
    assert_eq!(printed, print(&again), "{name}");
}

#[test]
fn compilers_ptx_goes_round() {
    let files = files("corpus");
    assert!(files.len() >= 20, "the corpus is there");
    for (name, text) in &files {
        goes_round(name, text);
        let problems = check(&parse(text).expect("it goes round"), text);
        assert!(problems.is_empty(), "{}", problems.render(name));
    }
}

#[test]
fn written_ptx_goes_round() {
    let files = files("written");
    assert!(files.len() >= 2, "the files are there");
    for (name, text) in &files {
        goes_round(name, text);
        let problems = check(&parse(text).expect("it goes round"), text);
        assert!(problems.problems.is_empty(), "{}", problems.render(name));
        assert!(problems.unsupported.is_empty(), "{name}: {:?}", problems.unsupported);
    }
}
