//! The page of what is supported is the table.

use simt_ptx::table::page;
use std::fs;
use std::path::Path;

/// The page is in the docs of `simt_ptx::table`. After a change of the table it is written anew by this test with
/// `INSTA_UPDATE=always`, as snapshots are.
#[test]
fn the_page_of_opcodes_is_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/table/page.md");
    let table = page();
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&path, &table).expect("the page can be written");
    }
    let written = fs::read_to_string(&path).expect("the page is there");
    assert!(written == table, "src/table/page.md is not the table: run the test with INSTA_UPDATE=always");
}
