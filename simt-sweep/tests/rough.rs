//! What a point does is kept as its result, and the others go on.

use crate::{called, program, shown, workers};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use std::{fs, thread};
use tempfile::TempDir;

#[test]
fn points_that_end_badly_are_kept_as_such_and_the_others_go_on() {
    let folder = TempDir::new().unwrap();
    let place = ["--folder", shown(folder.path())];
    let run =
        |more: &[&str]| called("rough", &[&["run", "--timeout", "5", "--threads", "3"], &place[..], more].concat());
    let (code, out, error) = run(&[]);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{error}");
    assert!(error.contains("3 points run, 0 known before; 9 failed, 1 timed out"), "{error}");
    // What a kernel prints is not lost.
    assert!(error.contains("printed, and no end of line"), "{error}");

    let (code, csv, problems) = called("rough", &[&["merge"], &place[..]].concat());
    assert_eq!(code, Some(1));
    let outcomes: Vec<(String, String)> = csv::Reader::from_reader(csv.as_bytes())
        .records()
        .map(|row| row.unwrap())
        .map(|row| (row[5].to_string(), row[6].to_string()))
        .collect();
    let ok = ["fine", "print", "last"];
    for (what, outcome) in &outcomes {
        let expected = if ok.contains(&what.as_str()) {
            "done"
        } else if what == "hang" {
            "timed_out"
        } else {
            "failed"
        };
        assert_eq!(outcome, expected, "{what}");
    }
    assert_eq!(outcomes.len(), 13);
    for reason in [
        "what \"error\": failed: it would not\n",
        "what \"panic\": failed: panicked at ",
        "what \"abort\": failed: its process ended: signal: 6",
        "what \"exit\": failed: its process ended: exit status: 0",
        "what \"overflow\": failed: its process ended: signal: 6",
        "what \"kill\": failed: its process was killed 3 times: is there enough memory?\n",
        "what \"hang\": timed out after 5 s\n",
        "what \"input\": failed: there is no input `wath`; the nearest are `what`\n",
        "what \"column\": failed: the figure `policy` has the name of another column",
        "of 13 points: 9 failed, 1 timed out\n",
    ] {
        assert!(problems.contains(reason), "{reason}\n{problems}");
    }
    // An error of a launch has all of its lines, a little further in.
    let fault = problems.split("what \"fault\": failed: error[simt::out-of-bounds]: ").nth(1).unwrap_or_default();
    assert!(fault.lines().nth(1).is_some_and(|line| line.starts_with("      --> ")), "{problems}");
    let (_, lines, _) = called("rough", &[&["merge", "--format", "jsonl"], &place[..]].concat());
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["figures"], serde_json::json!({ "length": 4 }));
    assert_eq!(lines[0]["inputs"], serde_json::json!({ "what": "fine" }));
    assert_eq!((&lines[1]["outcome"], &lines[1]["reason"]), (&"failed".into(), &"it would not".into()));
    assert_eq!((&lines[6]["outcome"], &lines[6]["seconds"]), (&"timed_out".into(), &5.0.into()));

    // They are known, until they are to run again.
    let (code, _, error) = run(&[]);
    assert_eq!(code, Some(1));
    assert!(error.contains("0 points run, 3 known before; 9 failed, 1 timed out"), "{error}");
    let (code, _, error) = run(&["--retry", "0", "1"]);
    assert_eq!(code, Some(1));
    assert!(error.contains("0 points run, 1 known before; 1 failed, 0 timed out"), "{error}");
}

#[test]
fn a_process_runs_what_does_not_take_it_down() {
    let folder = TempDir::new().unwrap();
    let words = ["run", "--in-process", "--quiet", "--folder", shown(folder.path()), "0-2", "12"];
    let (code, out, error) = called("rough", &words);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(error.contains("2 points run, 0 known before; 2 failed"), "{error}");
    let (code, _, error) = called("rough", &["run", "--in-process", "--timeout", "1"]);
    assert_eq!(code, Some(2), "nothing could stop a point: {error}");
}

/// Whatever its point does.
#[test]
fn a_process_ends_with_the_run_that_has_started_it() {
    if !Path::new("/proc/self/stat").exists() {
        // The system does not say which processes there are.
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut command = program("rough");
    let mut run = command.args(["run", "6", "--folder", shown(folder.path())]).stderr(Stdio::null()).spawn().unwrap();
    let wait = |what: &str, is_so: &dyn Fn() -> bool| {
        for _ in 0..2000 {
            if is_so() {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("after 20 seconds it is not so that {what}");
    };
    wait("a process is started", &|| !workers(run.id()).is_empty());
    let worker = workers(run.id()).remove(0);
    run.kill().unwrap();
    run.wait().unwrap();
    // One that has ended may be listed until the system has taken note of it.
    let stat = || fs::read_to_string(format!("/proc/{worker}/stat")).unwrap_or_default();
    wait("it ends", &|| !stat().contains("(rough)") || stat().contains(") Z "));
}
