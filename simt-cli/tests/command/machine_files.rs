//! Files of machines: those that begin with another, those that are written, and those that are not right.

use crate::{GIVEN, file, saxpy, simt};
use std::fs;

/// What is said of a launch on the machine of a file.
fn refused(path: &str) -> String {
    let said = saxpy(&["--arg", "out:f32:50=ones", "--machine", path]);
    assert_eq!((said.code, said.out.as_str()), (Some(3), ""), "{}", said.error);
    said.error
}

#[test]
fn a_table_that_lacks_fields_needs_them() {
    let error = refused(&file("few.toml", "[clock]\ncores = 4\n"));
    assert!(
        error.contains("missing field")
            && error.contains("has no `[clock]`: a table that it lacks needs all its fields")
            && error.contains("begin with base = \"turing\""),
        "{error}"
    );
}

#[test]
fn what_is_no_text_is_to_be_text() {
    let path = file("latin.toml", "");
    fs::write(&path, b"# \xfc").expect("its folder is there");
    let error = refused(&path);
    assert!(error.contains("latin.toml") && error.contains("give text in UTF-8"), "{error}");
}

/// All of a machine, as the command writes it.
fn written(word: &str) -> String {
    let said = simt(&["machines", "--toml", word]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{word}");
    said.out
}

#[test]
fn every_machine_is_written_as_a_file_that_is_the_same_machine() {
    let list = simt(&["machines"]).out;
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 6, "{list}");
    for name in names {
        let text = written(name);
        let path = file(&format!("written-{name}.toml"), &text);
        assert_eq!(written(&path), text, "{name}");
        let run = |machine: &str| saxpy(&[&GIVEN[..], &["--arg", "out:f32:50=ones", "--machine", machine]].concat());
        let (named, of_file) = (run(name), run(&path));
        assert_eq!((named.code, of_file.code), (Some(0), Some(0)), "{}", of_file.error);
        assert_eq!(of_file.out, named.out, "{name}");
    }
    let said = simt(&["machines", "--toml", "hopper"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.error.contains("--toml: there is no machine `hopper`; write one of functional,"), "{}", said.error);
}

#[test]
fn a_file_may_begin_with_a_machine_and_say_what_differs() {
    let path = file("small-turing.toml", "base = \"turing\"\n\n[clock]\ncores = 4\n");
    let turing = written("turing");
    assert!(turing.contains("\ncores = 30\n"), "{turing}");
    assert_eq!(written(&path), turing.replace("\ncores = 30\n", "\ncores = 4\n"));
    // 120 blocks take longer on 4 cores than on 30.
    let cycles = |machine: &str| {
        let words = ["run", "tests/saxpy.ptx", "--kernel", "saxpy", "--grid", "120", "--block", "1024"];
        let words =
            [&words[..], &GIVEN, &["--arg", "out:f32:50=ones", "--report", "json", "--machine", machine]].concat();
        let said = simt(&words);
        assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
        let report: serde_json::Value = serde_json::from_str(&said.out).expect("it is JSON");
        report["runs"][0]["report"]["clock"]["cycles"].as_u64().expect("the machine has a clock")
    };
    assert!(cycles(&path) > cycles("turing"));
}

#[test]
fn a_base_and_fields_that_are_none_are_named() {
    let error = refused(&file("hopper.toml", "base = \"hopper\"\n"));
    let all = "functional, fung2009, fermi, volta, turing, ampere";
    assert!(error.contains(&format!("`base` is \"hopper\": it must be one of {all}")), "{error}");
    let error = refused(&file("misspelt.toml", "base = \"turing\"\n[clock]\ncoers = 4\n"));
    assert!(error.contains("unknown field `coers`") && error.contains("`cores`"), "{error}");
    assert!(!error.contains("needs all its fields"), "{error}");
}
