//! Results depend neither on where points run nor on their order.

use crate::{called, shown};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The files of a folder, with their bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap())).collect()
}

#[test]
fn shards_and_single_points_write_the_same_bytes_as_one_run() {
    let (_, ids, _) = called("many", &["points", "--ids", "0-59"]);
    let ids: Vec<&str> = ids.lines().collect();
    assert_eq!(ids.len(), 60);
    let run = |words: &[&str]| {
        let (code, _, error) = called("many", &[&["run", "--quiet"], words].concat());
        assert_eq!((code, error.as_str()), (Some(0), ""));
    };
    let [whole, sharded, single] = [(); 3].map(|()| TempDir::new().unwrap());
    run(&["--threads", "3", "--folder", shown(whole.path()), "0-59"]);
    for shard in ["3/3", "1/3", "2/3"] {
        run(&["--threads", "1", "--shard", shard, "--folder", shown(sharded.path()), "0-59"]);
    }
    // Backwards, by ids, without processes.
    for part in ids.chunks(20).rev() {
        let words: Vec<&str> = part.iter().rev().copied().collect();
        run(&[&["--in-process", "--folder", shown(single.path())], &words[..]].concat());
    }
    let expected = files(whole.path());
    assert_eq!(expected.len(), 60);
    assert_eq!(files(sharded.path()), expected);
    assert_eq!(files(single.path()), expected);
}

#[test]
fn two_runs_can_share_a_folder() {
    let folder = TempDir::new().unwrap();
    let words = ["run", "--quiet", "--threads", "1", "--folder", shown(folder.path()), "0-39"];
    let mut runs = [(); 2].map(|()| crate::program("many").args(words).spawn().unwrap());
    runs.iter_mut().for_each(|run| assert!(run.wait().unwrap().success()));
    let names: Vec<String> = files(folder.path()).into_keys().collect();
    assert_eq!(names.len(), 40, "{names:?}");
    assert!(names.iter().all(|name| name.ends_with(".json")), "{names:?}");
}
