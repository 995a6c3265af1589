//! What is asked for and cannot be, and what is.

use crate::{called, program, shown};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The error of words that are wrong, with its exit code.
#[track_caller]
fn refused(words: &[&str], expected: i32, parts: &[&str]) {
    let (code, out, error) = called("many", words);
    assert_eq!((code, out.as_str()), (Some(expected), ""), "{words:?}: {error}");
    for part in parts {
        assert!(error.contains(part), "{words:?}: {error}");
    }
}

#[test]
fn points_are_listed_with_ids_that_do_not_change() {
    let (code, list, error) = called("many", &["points"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let lines: Vec<serde_json::Value> = list.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2000);
    assert_eq!(called("many", &["points"]).1, list);
    let ids: BTreeSet<&str> = lines.iter().map(|line| line["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 2000);
    assert_eq!(lines[1999]["number"], 1999);
    assert_eq!(lines[1999]["policy"], "Mimd");
    assert_eq!(lines[1999]["machine"], "functional");
    assert_eq!(lines[1999]["fields"], serde_json::json!({ "warp_width": 64 }));
    assert_eq!(lines[1999]["inputs"], serde_json::json!({ "n": 100 }));
    let (_, some, _) = called("many", &["points", "--shard", "2/2", "10-13"]);
    let some: Vec<u64> = some
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["number"].as_u64().unwrap())
        .collect();
    assert_eq!(some, [11, 13]);
}

#[test]
fn what_is_not_there_is_refused() {
    let folder = TempDir::new().unwrap();
    let place = ["--folder", shown(folder.path())];
    let run = |words: &[&'static str]| [&["run"], &place[..], words].concat();
    refused(&run(&["0/0"]), 2, &["`0/0`", "neither an id"]);
    refused(&run(&["--shard", "0/0"]), 2, &["0/0", "such as 3/8"]);
    refused(&run(&["--shard", "9/8"]), 2, &["8/8"]);
    refused(&run(&["2000"]), 2, &["`2000`", "0-1999"]);
    refused(&run(&["0123456789abcdef"]), 2, &["`0123456789abcdef`", "`points --ids` lists them"]);
    refused(&run(&["--timeout", "0"]), 2, &["--timeout"]);
    refused(&run(&["--timeout", "NaN"]), 2, &["--timeout"]);
    refused(&run(&["--threads", "0"]), 2, &["--threads"]);
    refused(&["merge", "--folder", shown(&folder.path().join("none"))], 3, &["none", "`run` makes it"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing has run");
}

#[test]
fn paths_that_cannot_be_written_are_named() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    refused(&["run", "--folder", shown(&file), "0"], 3, &[shown(&file), "--folder"]);
    let below = file.join("table.csv");
    refused(&["merge", "--folder", shown(folder.path()), "--output", shown(&below)], 3, &[shown(&below)]);
}

#[test]
fn files_that_were_edited_are_named_and_run_again() {
    let folder = TempDir::new().unwrap();
    let place = ["--folder", shown(folder.path())];
    let run = || called("many", &[&["run", "0-4"], &place[..]].concat());
    assert!(run().2.contains("5 points run, 0 known before"));
    let (_, ids, _) = called("many", &["points", "--ids", "0-4"]);
    let paths: Vec<_> = ids.lines().map(|id| folder.path().join(format!("{id}.json"))).collect();
    let before: Vec<String> = paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    fs::write(&paths[1], &before[1][..before[1].len() / 2]).unwrap();
    fs::write(&paths[3], before[3].replace("\"issues\":", "\"issues\": ")).unwrap();
    fs::remove_file(&paths[4]).unwrap();

    let (code, _, problems) = called("many", &[&["merge"], &place[..]].concat());
    assert_eq!(code, Some(1));
    let line = |number: usize| problems.lines().find(|line| line.starts_with(&format!("point {number},"))).unwrap();
    assert!(line(1).contains(&format!("{}:1:", paths[1].display())) && line(1).contains("EOF"), "{problems}");
    assert!(line(3).contains("its hash is not `hash`"), "{problems}");
    assert!(line(4).ends_with(": missing"), "{problems}");
    assert!(
        problems.ends_with("of 2000 points: 2 damaged, 1996 missing; `run` runs what is missing or damaged\n"),
        "{problems}"
    );

    let (code, _, error) = run();
    assert_eq!(code, Some(0));
    assert!(error.contains("run again: ") && error.contains("3 points run, 2 known before"), "{error}");
    let after: Vec<String> = paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    assert_eq!(after, before);
}

#[test]
fn what_lies_where_a_result_should_is_named() {
    let folder = TempDir::new().unwrap();
    let place = ["--folder", shown(folder.path())];
    let (_, ids, _) = called("many", &["points", "--ids", "0-1"]);
    let paths: Vec<_> = ids.lines().map(|id| folder.path().join(format!("{id}.json"))).collect();
    fs::create_dir(&paths[0]).unwrap();
    let (code, _, error) = called("many", &[&["run", "0"], &place[..]].concat());
    assert_eq!(code, Some(3), "{error}");
    assert!(error.contains(shown(&paths[0])) && error.contains("move that folder away"), "{error}");
    assert!(!error.contains("--in-process"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no other file is left");
    // A pipe that nothing writes to, where the system has such.
    if !made_a_pipe(&paths[1]) {
        return;
    }
    let (code, _, problems) = called("many", &[&["merge"], &place[..]].concat());
    assert_eq!(code, Some(1));
    assert!(problems.contains(&format!("{}: it is no file", paths[1].display())), "{problems}");
}

fn made_a_pipe(path: &Path) -> bool {
    Command::new("mkfifo").arg(path).status().is_ok_and(|status| status.success())
}

#[test]
fn results_of_other_points_are_left_alone() {
    let folder = TempDir::new().unwrap();
    let place = ["--folder", shown(folder.path())];
    called("many", &[&["run", "0"], &place[..]].concat());
    called("rough", &[&["run", "0"], &place[..]].concat());
    let (_, _, problems) = called("many", &[&["merge"], &place[..]].concat());
    assert!(problems.ends_with("\n1 result in the folder is of another point, and left alone\n"), "{problems}");
}

#[test]
fn a_figure_is_drawn() {
    let folder = TempDir::new().unwrap();
    let svg = folder.path().join("picture.svg");
    let place = ["--folder", shown(folder.path())];
    let (code, ..) = called("many", &[&["run", "--quiet", "--in-process", "0-799"], &place[..]].concat());
    assert_eq!(code, Some(0));
    let plot = |words: &[&str]| {
        called("many", &[&["plot", "--output", shown(&svg), "--y", "simd_efficiency"], &place[..], words].concat())
    };
    // Some points are missing, which it says.
    let (code, _, error) = plot(&["--x", "n", "--by", "policy", "--where", "warp_width=8"]);
    assert_eq!(code, Some(1), "{error}");
    assert!(error.ends_with("of 2000 points: 1200 missing; `run` runs what is missing or damaged\n"), "{error}");
    let drawn = fs::read_to_string(&svg).unwrap();
    for word in ["Hanoi", "MinPc", "simd_efficiency", ">\n100\n<"] {
        assert!(drawn.contains(word), "{word}");
    }
    assert_eq!(plot(&["--x", "policy", "--where", "n=7"]).0, Some(1));
    assert!(fs::read_to_string(&svg).unwrap().contains("warp_width 8"));
    let refused = |words: &[&str], part: &str| {
        let (code, _, error) = plot(words);
        assert!(code == Some(2) && error.contains(part), "{error}");
    };
    refused(&["--x", "n", "--by", "policy"], "these differ: warp_width\n");
    refused(&["--x", "m"], "--x: there is no column `m`; the first line of what `merge` writes has all\n");
    refused(
        &["--x", "n", "--by", "warp"],
        "--by: there is no column `warp`; the first line of what `merge` writes has all, the nearest is `warp_width`\n",
    );
    refused(&["--x", "n", "--where", "warp_width=9"], "there are `4`, `8`\n");
    refused(
        &["--x", "warp_width", "--where", "n=1000"],
        "`merge` writes the 100 values that there are, the nearest are `100`, `10`\n",
    );
    refused(&["--x", "n", "--where", "warp_width"], "write a column");
    refused(&["--x", "policy"], "24 are the most");
    refused(&["--x", "n", "--by", "n"], "lies along the picture");
}

#[test]
fn a_reader_may_have_read_enough() {
    let mut points = program("many").arg("points").stdout(Stdio::piped()).spawn().unwrap();
    drop(points.stdout.take());
    assert!(points.wait().unwrap().success());
}
