//! `simt sweep` as its user has it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for a test, with nothing in it.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("it can be emptied");
    }
    fs::create_dir_all(&folder).expect("it can be made");
    folder
}

/// Saxpy on `n` elements, under two policies, on two machines, with two sizes of the first cache.
const SAXPY: [&str; 24] = [
    "sweep",
    "tests/saxpy.ptx",
    "--kernel",
    "saxpy",
    "--grid",
    "2",
    "--block",
    "{block}",
    "--policy",
    "ipdom,mimd",
    "--machine",
    "fermi,fung2009",
    "--field",
    "clock.memory.l1.bytes=16384,32768",
    "--input",
    "n=20,50",
    "--arg",
    "{n}",
    "--arg",
    "2.0",
    "--arg",
    "buf:f32:{n}=iota",
    "--input",
    "block=32",
];

/// Exit code, output and errors of a sweep, with an output that it has.
fn swept(output: &str, more: &[&str]) -> (Option<i32>, String, String) {
    called(&[&SAXPY[..], &["--arg", output], more].concat())
}

/// Exit code, output and errors of the command.
fn called(words: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simt"));
    let Output { status, stdout, stderr } =
        command.args(words).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it writes text");
    (status.code(), text(stdout), text(stderr))
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("it has a name of letters")
}

#[test]
fn a_kernel_of_ptx_is_swept() {
    let folder = folder("swept");
    let place = ["--folder", shown(&folder)];
    let run = |more: &[&str]| swept("out:f32:{n}=ones", &[&["run"], &place[..], more].concat());
    let (code, out, error) = run(&["--shard", "1/2"]);
    assert_eq!((code, out.as_str(), error.as_str()), (Some(0), "", "8 points run, 0 known before\n"));
    let (code, _, error) = run(&[]);
    assert_eq!((code, error.as_str()), (Some(0), "8 points run, 8 known before\n"));
    let (code, table, error) = swept("out:f32:{n}=ones", &[&["merge"], &place[..]].concat());
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let columns = "number,id,kernel,policy,machine,clock.memory.l1.bytes,n,block,outcome,";
    assert!(table.starts_with(columns), "{table}");
    assert_eq!(table.lines().count(), 17);
    assert!(table.contains(",saxpy,Ipdom,fermi,16384,20,32,done,"), "{table}");
    // Another output is another launch.
    let (code, _, error) = swept("out:f32:{n}=zero", &[&["merge"], &place[..]].concat());
    assert_eq!(code, Some(1));
    assert!(error.contains("of 16 points: 16 missing; `run` runs what is missing or damaged\n16 results in the folder are of other points"), "{error}");
}

#[test]
fn the_example_of_the_help_can_be_typed() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simt"));
    let Output { stdout, .. } = command.args(["sweep", "--help"]).output().expect("the command starts");
    let text = String::from_utf8(stdout).expect("it writes text");
    let (_, example) = text.split_once("  simt sweep ").expect("it has an example");
    let (example, _) = example.split_once(" run\n").expect("which runs");
    let words: Vec<&str> = example.split_whitespace().filter(|word| *word != "\\").collect();
    let (options, values): (Vec<_>, Vec<_>) = words[1..].iter().enumerate().partition(|(place, _)| place % 2 == 0);
    assert!(options.iter().all(|(_, word)| word.starts_with("--")), "{example}");
    assert!(values.iter().all(|(_, word)| !word.starts_with("--")), "{example}");
    assert!(words.contains(&"{size}") && words.contains(&"size=256,1024"), "{example}");
}

#[test]
fn an_output_that_differs_is_a_point_that_has_failed() {
    let folder = folder("differs");
    let expected = |n: usize, add: usize| (0..n).map(|x| format!("{}\n", 2 * x + add)).collect::<String>();
    fs::write(folder.join("20.csv"), expected(20, 1)).unwrap();
    fs::write(folder.join("50.csv"), expected(50, 2)).unwrap();
    let output = format!("out:f32:{{n}}=ones~{}/{{n}}.csv", shown(&folder));
    let points = folder.join("points");
    let run = || swept(&output, &["run", "--folder", shown(&points)]);
    let (code, _, error) = run();
    assert_eq!(code, Some(1));
    assert!(error.starts_with("8 points run, 0 known before; 8 failed"), "{error}");
    let (_, _, error) = swept(&output, &["merge", "--folder", shown(&points)]);
    assert!(error.contains("50 of 50 elements differ from "), "{error}");
    // What is in the file is a part of the points.
    fs::write(folder.join("50.csv"), expected(50, 1)).unwrap();
    let (code, _, error) = run();
    assert_eq!((code, error.as_str()), (Some(0), "16 points run, 0 known before\n"));
}

#[test]
fn wrong_usage_is_found_before_anything_runs() {
    let out = "out:f32:{n}=ones";
    let refused = |output: &str, more: &[&str], expected: i32, part: &str| {
        let (code, out, error) = swept(output, &[more, &["points"]].concat());
        assert_eq!((code, out.as_str()), (Some(expected), ""), "{error}");
        assert!(error.contains(part), "{error}");
    };
    refused(out, &["--input", "m=1"], 2, "--input m: write {m} where its value is to stand");
    refused(out, &["--input", "m"], 2, "--input m: write a name, `=` and values");
    refused(out, &["--field", "clock.memory.l1.size=1"], 2, "`clock.memory.l1.bytes`");
    refused(out, &["--field", "seed=1,1"], 2, "`seed` has 1 twice");
    refused(out, &["--arg", "1"], 2, "kernel `saxpy` has 4 parameters, and there are 5 arguments");
    refused("out:f32:{n}>y.csv", &[], 2, "each point would write that file");
    refused("out:f32:{m}", &[], 2, "{m}");
    let unknown = "there is no input `m`; write --input m=VALUE,..., or one of {n}, {block}";
    refused("out:f32:{m}=ones", &[], 2, &format!("--arg out:f32:{{m}}=ones: {unknown}"));
    refused("out:f32:{n}={m}.csv", &[], 2, &format!("--arg out:f32:{{n}}={{m}}.csv: {unknown}"));
    refused(out, &["--shared", "{m}"], 2, &format!("--shared {{m}}: {unknown}"));
    refused("out:f32:{n}={k}", &["--input", "k=ones,{m}"], 2, "--input k=ones,{m}: there is no input `m`");
    refused(out, &["--machine", "fermy"], 2, "there is no machine `fermy`");
    refused(out, &["--shared", "lots"], 2, "--shared lots: write a number");
}

#[test]
fn what_stands_in_braces_is_an_input_where_there_is_none() {
    let words = ["sweep", "tests/saxpy.ptx", "--kernel", "saxpy", "--grid", "{g}", "--block", "32", "points"];
    let (code, out, error) = called(&words);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(error, "simt: --grid {g}: there is no input `g`; write --input g=VALUE,...\n");
}

#[test]
fn a_grid_without_blocks_is_a_point_that_runs_nothing() {
    let folder = folder("without-blocks");
    let words =
        ["sweep", "tests/saxpy.ptx", "--kernel", "saxpy", "--grid", "{g}", "--block", "32", "--policy", "ipdom"];
    let arguments =
        ["--input", "g=0,2", "--arg", "50", "--arg", "2", "--arg", "buf:f32:50=iota", "--arg", "out:f32:50=ones"];
    let run = |command: &str| called(&[&words[..], &arguments, &[command, "--folder", shown(&folder)]].concat());
    assert_eq!(run("run"), (Some(0), String::new(), "2 points run, 0 known before\n".to_string()));
    let (code, table, error) = run("merge");
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert_eq!(table.matches(",done,").count(), 2, "{table}");
}
