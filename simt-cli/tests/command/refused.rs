//! What is refused, and what is said of it; and a grid without blocks, which is not refused.

use crate::{GIVEN, SAXPY, file, saxpy, simt};
use std::fs;

/// Saxpy with another word in place of one that it has.
fn with(option: &str, word: &str, more: &[&str]) -> crate::Said {
    let at = SAXPY.iter().position(|&known| known == option).expect("it has the option") + 1;
    let words = SAXPY.iter().enumerate().map(|(number, &known)| if number == at { word } else { known });
    simt(&[&words.collect::<Vec<_>>()[..], &GIVEN, &["--arg", "out:f32:50=ones"], more].concat())
}

/// As in the library: `Grid::new` says so.
#[test]
fn a_grid_without_blocks_runs_nothing() {
    for (blocks, machine) in [("0", "functional"), ("0", "turing"), ("4,0", "fermi"), ("4,2,0", "functional")] {
        let said = with("--grid", blocks, &["--machine", machine, "--policy", "all"]);
        assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{blocks} on {machine}");
        assert!(said.out.contains("\ny = 1 1 1 1 1 1 1 1 ... (50 in all)\n"), "{}", said.out);
        assert!(!said.out.contains("NaN"), "{}", said.out);
    }
    for threads in ["0", "8,0"] {
        let said = with("--block", threads, &[]);
        assert_eq!(said.code, Some(2), "{threads}: {}", said.error);
        assert!(said.error.contains("--block") && said.error.contains("whole numbers above 0"), "{}", said.error);
    }
}

#[cfg(feature = "view")]
#[test]
fn a_grid_without_blocks_can_be_looked_at() {
    let [page, stepper, trace, recording] =
        ["none.html", "none-steps.html", "none.json", "none.txt"].map(|name| file(name, ""));
    let files = ["--page", &page, "--stepper", &stepper, "--trace", &trace, "--recording", &recording];
    let said = with("--grid", "0", &[&files[..], &["--machine", "turing"]].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    for path in [page, stepper, trace, recording] {
        assert!(fs::metadata(&path).expect("it is there").len() > 0, "{path}");
    }
    let said = with("--grid", "0", &["--record", "block:0"]);
    assert_eq!((said.code, said.error.as_str()), (Some(2), "simt: --record block:0: the grid has no blocks\n"));
}

#[test]
fn a_buffer_is_what_its_argument_says_and_no_line_of_the_command() {
    let short = ["--arg", "50", "--arg", "2", "--arg", "buf:f32:49=iota", "--arg", "out:f32:50=ones"];
    let in_a_struct = "struct:u32:50,f32:2,(buf:f32:49=iota,u16:3),out:f32:50=ones";
    let of_struct = simt(&["run", "tests/packed.ptx", "--grid", "2", "--block", "32", "--arg", in_a_struct]);
    let unwritten = saxpy(&[&GIVEN[..], &["--arg", "out:f32:50"]].concat());
    for (said, note) in [
        (saxpy(&short), "= note: it is the buffer of parameter `x`, --arg buf:f32:49=iota\n".to_string()),
        (of_struct, format!("= note: it is the buffer of parameter `p+8`, --arg {in_a_struct}\n")),
        (unwritten, "= note: it is the buffer of parameter `y`, --arg out:f32:50\n".to_string()),
    ] {
        assert_eq!(said.code, Some(1));
        assert!(said.error.contains(&note), "{}", said.error);
        assert!(!said.error.contains("allocated at") && !said.error.contains(".rs:"), "{}", said.error);
    }
    // The kernel of 50 elements leaves the others as they were.
    let said = saxpy(&["--arg", "0", "--arg", "2", "--arg", "buf:f32:50=iota", "--arg", "out:f32:50"]);
    assert_eq!(said.code, Some(1));
    assert!(said.error.contains("it is the buffer of parameter `y`") && !said.error.contains(".rs:"), "{}", said.error);
}

#[test]
fn an_opcode_that_is_none_names_where_all_are() {
    let text = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { frobnicate.u32 %r1, 0; ret; }\n";
    let said = simt(&["run", &file("frobnicate.ptx", text), "--grid", "1", "--block", "1"]);
    assert_eq!(said.code, Some(3));
    let help =
        "look in the table of opcodes (`simt ptx --opcodes`, or the page of `simt_ptx::table`) for what is there";
    assert!(said.error.contains(help), "{}", said.error);
    let said = simt(&["ptx", "--opcodes"]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    assert_eq!(said.out, simt_ptx::table::page());
    assert_eq!(simt(&["ptx"]).code, Some(2));
    assert_eq!(simt(&["ptx", "--opcodes", "tests/saxpy.ptx"]).code, Some(2));
}

#[test]
fn a_file_that_cannot_be_read_is_said_to_be_what_it_is() {
    let bytes = |name: &str| {
        let path = file(name, "");
        fs::write(&path, b"\xfc\xfd").expect("its folder is there");
        path
    };
    let of_buffer =
        |path: &str| saxpy(&[&GIVEN[..4], &["--arg", &format!("buf:f32:50={path}"), "--arg", "0"]].concat());
    let run = |path: &str| simt(&["run", path, "--grid", "1", "--block", "1"]);
    let with_source = |path: &str| with("--grid", "1", &["--source", path]);
    let folder = format!("{}/folder.csv", env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&folder).expect("it can be made");
    for (said, parts) in [
        (of_buffer(&bytes("bytes.csv")), ["bytes.csv: it is not text: give numbers in UTF-8", "name it .bin"]),
        (of_buffer(&folder), ["folder.csv: ", "give a file in place of a folder"]),
        (of_buffer("absent.csv"), ["cannot read absent.csv", "give a file that is there"]),
        (run(&bytes("bytes.ptx")), ["bytes.ptx: it is not text", "give what `nvcc -ptx` writes"]),
        (simt(&["ptx", &bytes("listed.ptx")]), ["listed.ptx: it is not text", "give text in UTF-8"]),
        (run("absent.ptx"), ["cannot read absent.ptx", "give a file that is there"]),
        (run(&bytes("bytes.simt")), ["bytes.simt: it is not text", "give text in UTF-8"]),
        (with_source(&bytes("bytes.cu")), ["--source: cannot read", "bytes.cu: it is not text: give the file of CUDA"]),
    ] {
        assert_eq!((said.code, said.out.as_str()), (Some(3), ""), "{}", said.error);
        assert!(parts.iter().all(|part| said.error.contains(part)), "{parts:?}: {}", said.error);
    }
}
