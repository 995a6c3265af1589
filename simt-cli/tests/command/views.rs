//! What is written to look at.

use super::{GIVEN, file, saxpy, simt};
use std::fs;
use std::path::PathBuf;

/// The folder of a test's own files.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

#[test]
fn pages_traces_and_pictures_are_written() {
    let folder = folder("views");
    let path = |name: &str| folder.join(name).display().to_string();
    let (page, steps, trace) = (path("page.html"), path("steps.html"), path("trace.json"));
    // Its folder is made.
    let pictures = path("for/figures");
    let views = ["--page", &page, "--stepper", &steps, "--trace", &trace, "--pictures", &pictures];
    let words = ["--arg", "out:f32:50=ones", "--policy", "Ipdom,Hanoi", "--machine", "turing"];
    let said = saxpy(&[&GIVEN[..], &words, &views].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(read("page.html").contains("Where cycles went"));
    assert!(read("steps.html").contains("next divergence"));
    assert!(read("trace.json").contains("\"traceEvents\""));
    for picture in ["lanes-histogram.svg", "lanes-histogram.csv", "cycles.svg", "issue-slots.csv", "lanes-2.svg"] {
        assert!(!read(&format!("for/figures/{picture}")).is_empty(), "{picture}");
    }
    // What is printed is what is printed without them.
    assert_eq!(said.out, saxpy(&[&GIVEN[..], &words].concat()).out);
}

#[test]
fn a_recording_is_of_one_policy_and_of_what_was_asked_for() {
    let file = folder("recordings").join("one.txt").display().to_string();
    let given = [&GIVEN[..], &["--arg", "out:f32:50=ones", "--recording", &file]].concat();
    let said = saxpy(&[&given[..], &["--record", "warp:1,0"]].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    let text = fs::read_to_string(&file).expect("it was written");
    assert!(text.contains("\"simt_recording\":2") && text.contains("{\"block\":1,\"warp\":0,"), "{text}");
    let said = saxpy(&[&given[..], &["--policy", "all"]].concat());
    assert_eq!(said.code, Some(2));
    assert!(said.error.contains("--recording") && said.error.contains("name one whole policy"), "{}", said.error);
    let said = saxpy(&[&given[..], &["--record", "some"]].concat());
    assert_eq!(said.code, Some(2));
    assert!(said.error.contains("warp:BLOCK,WARP"), "{}", said.error);
}

#[test]
fn what_cannot_be_written_is_said_before_the_launch() {
    let (folder, file) = (folder("outputs"), file("a-file", ""));
    let (folder, below) = (folder.display().to_string(), format!("{file}/below"));
    let refused = |words: &[&str], code: i32, parts: &[&str]| {
        let said = saxpy(&[&GIVEN[..], words].concat());
        assert_eq!((said.code, said.out.as_str()), (Some(code), ""), "{words:?}: {}", said.error);
        for part in parts {
            assert!(said.error.contains(part), "{words:?}: {}", said.error);
        }
    };
    let given = ["--arg", "out:f32:50=ones"];
    for option in ["--page", "--stepper", "--trace", "--recording"] {
        let nowhere = "/nowhere/at/all";
        refused(&[&given[..], &[option, nowhere]].concat(), 3, &[option, nowhere, "no folder /nowhere/at;"]);
        refused(&[&given[..], &[option, &folder]].concat(), 3, &[option, &folder, "it is a folder"]);
    }
    refused(&[&given[..], &["--pictures", &below]].concat(), 3, &["--pictures", &below, "is no folder"]);
    let (nowhere, page) = ("out:f32:50=ones>/nowhere/y.csv", format!("{folder}/page.html"));
    refused(&["--arg", nowhere], 3, &[nowhere, "no folder /nowhere;"]);
    let twice = ["--trace", &format!("{folder}/./page.html"), "--page", &page];
    refused(&[&given[..], &twice].concat(), 2, &["--page and --trace: both would write"]);
    let (csv, save) = (format!("{folder}/y.csv"), format!("out:f32:50=ones>{folder}/y.csv"));
    refused(&["--arg", &save, "--recording", &csv], 2, &["--recording and --arg out:f32:50=ones>", "both would"]);
    assert!(!PathBuf::from(page).exists() && !PathBuf::from(csv).exists(), "nothing is written");
    // What takes all there is, and what is found to be full when it is written.
    let said = saxpy(&[&GIVEN[..], &given, &["--page", "/dev/null", "--stepper", "/dev/null"]].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    if PathBuf::from("/dev/full").exists() {
        let said = saxpy(&[&GIVEN[..], &given, &["--page", "/dev/full"]].concat());
        assert_eq!(said.code, Some(3));
        assert!(said.error.contains("--page: cannot write /dev/full: "), "{}", said.error);
        assert!(said.out.contains("SIMD efficiency"), "the report is there all the same");
    }
}

#[test]
fn what_is_recorded_is_there() {
    let given = [&GIVEN[..], &["--arg", "out:f32:50=ones"]].concat();
    for (words, part) in [
        (["--record", "warp:99,99"], "--record warp:99,99: the grid has 2 blocks, whose numbers are 0 to 1"),
        (["--record", "warp:1,1"], "a block of this grid has one warp, whose number is 0"),
        (["--record-limit", "0"], "write a whole number above 0"),
    ] {
        let said = saxpy(&[&given[..], &words, &["--stepper", "/dev/null"]].concat());
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.error);
        assert!(said.error.contains(part), "{}", said.error);
    }
}

#[test]
fn benches_are_shown_over_baselines() {
    let folder = folder("shown-benches");
    let given = folder.display().to_string();
    for (baseline, value) in [("1a2b", 2000.0), ("3c4d", 1000.0)] {
        let place = folder.join("sum/Ipdom").join(baseline);
        fs::create_dir_all(&place).expect("the folder can be made");
        let interval = format!(r#"{{"lower_bound":{},"upper_bound":{}}}"#, value - 1.0, value + 1.0);
        let estimate = format!(r#"{{"confidence_interval":{interval},"point_estimate":{value}}}"#);
        let write = |file: &str, text: &str| fs::write(place.join(file), text).expect("it can be written");
        write("benchmark.json", r#"{"group_id":"sum","function_id":"Ipdom","value_str":null}"#);
        write("estimates.json", &format!(r#"{{"mean":{estimate},"slope":null}}"#));
    }
    let said = simt(&["benches", &given, "--baselines", "1a2b,3c4d"]);
    let page = folder.join("simt.html");
    assert_eq!((said.code, said.error.as_str(), said.out), (Some(0), "", format!("{}\n", page.display())));
    let html = fs::read_to_string(page).expect("the page");
    assert!(html.contains("2.0000 µs") && html.contains("▼ −50.0 %"), "{html}");

    let said = simt(&["benches", &given, "--baselines", "5e6f"]);
    assert_eq!(said.code, Some(2));
    assert!(said.error.contains("no bench has the baseline `5e6f`; there are"), "{}", said.error);
    let said = simt(&["benches", &given, "--output", "/nowhere/at/all.html"]);
    assert!(said.code == Some(3) && said.error.contains("--output"), "{}", said.error);
    fs::write(folder.join("sum/Ipdom/1a2b/estimates.json"), "{").expect("it can be written");
    let said = simt(&["benches", &given]);
    assert_eq!(said.code, Some(3));
    assert!(said.error.contains("sum/Ipdom/1a2b/estimates.json: is not what criterion"), "{}", said.error);
}
