//! What is written to look at.

use super::{GIVEN, saxpy, simt};
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
    let pictures = folder.display().to_string();
    let views = ["--page", &page, "--stepper", &steps, "--trace", &trace, "--pictures", &pictures];
    let words = ["--arg", "out:f32:50=ones", "--policy", "Ipdom,Hanoi", "--machine", "turing"];
    let said = saxpy(&[&GIVEN[..], &words, &views].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(read("page.html").contains("Where cycles went"));
    assert!(read("steps.html").contains("next divergence"));
    assert!(read("trace.json").contains("\"traceEvents\""));
    for picture in ["lanes-histogram.svg", "lanes-histogram.csv", "cycles.svg", "issue-slots.csv", "lanes-2.svg"] {
        assert!(!read(picture).is_empty(), "{picture}");
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
    assert!(text.contains("\"simt_recording\":1") && text.contains("{\"block\":1,\"warp\":0,"), "{text}");
    let said = saxpy(&[&given[..], &["--policy", "all"]].concat());
    assert_eq!(said.code, Some(2));
    assert!(said.error.contains("--recording") && said.error.contains("name one whole policy"), "{}", said.error);
    let said = saxpy(&[&given[..], &["--record", "some"]].concat());
    assert_eq!(said.code, Some(2));
    assert!(said.error.contains("warp:BLOCK,WARP"), "{}", said.error);
}

#[test]
fn what_cannot_be_written_is_said() {
    for option in ["--page", "--stepper", "--trace", "--recording", "--pictures"] {
        let said = saxpy(&[&GIVEN[..], &["--arg", "out:f32:50=ones", option, "/nowhere/at/all"]].concat());
        assert_eq!(said.code, Some(3), "{}", said.error);
        assert!(said.error.contains(option) && said.error.contains("/nowhere/at/all"), "{}", said.error);
        assert!(said.out.contains("SIMD efficiency"), "the report is there all the same");
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
