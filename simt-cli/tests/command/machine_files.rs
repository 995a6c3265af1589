//! Files of machines that are not right.

use crate::{file, saxpy};
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
            && error.contains("has no `[clock]`: a table that it lacks needs all its fields"),
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
