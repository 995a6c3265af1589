//! The command as its user has it: what it prints, and its exit codes.

mod checks;
mod machine_files;
mod refused;
mod schema;
#[cfg(feature = "view")]
mod views;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// What a command has printed, what it has said is wrong, and its exit code.
struct Said {
    out: String,
    error: String,
    code: Option<i32>,
}

fn simt(words: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_simt"))
        .args(words)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it writes text");
    Said { out: text(output.stdout), error: text(output.stderr), code: output.status.code() }
}

/// A file of its own for a test.
fn file(name: &str, contents: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(name);
    fs::write(&path, contents).expect("the folder is there");
    path.display().to_string()
}

const SAXPY: [&str; 8] = ["run", "tests/saxpy.ptx", "--kernel", "saxpy", "--grid", "2", "--block", "32"];

/// Runs saxpy on so many words more.
fn saxpy(words: &[&str]) -> Said {
    simt(&[&SAXPY[..], words].concat())
}

/// `2 x + 1` for each of 50 elements, the rest of the threads idle.
fn doubled() -> String {
    (0..50).map(|x| format!("{}\n", 2 * x + 1)).collect()
}

const GIVEN: [&str; 6] = ["--arg", "50", "--arg", "2.0", "--arg", "buf:f32:50=iota"];

#[test]
fn saxpy_runs_under_every_policy() {
    let expected = file("saxpy.csv", &doubled());
    let output = format!("out:f32:50=ones~{expected}:1e-6");
    let said = saxpy(&[&GIVEN[..], &["--arg", &output, "--policy", "all"]].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    let policies = simt(&["policies"]).out.lines().count();
    assert!(policies > 10, "{policies}");
    let line = "y = 1 3 5 7 9 11 13 15 ... (50 in all); as in ";
    assert_eq!(said.out.matches(line).count(), policies, "{}", said.out);
    for line in ["Ipdom", "Mimd", "saxpy.ptx"] {
        assert!(said.out.contains(line), "{line} is not in\n{}", said.out);
    }
}

#[test]
fn an_output_that_differs_is_a_failure() {
    let expected = file("differs.csv", &doubled().replacen("\n7\n", "\n7.5\n", 1));
    let output = format!("out:f32:50=ones~{expected}:1e-6");
    let said = saxpy(&[&GIVEN[..], &["--arg", &output]].concat());
    assert_eq!(said.code, Some(1));
    assert!(said.error.contains("1 of 50 elements differ"), "{}", said.error);
    assert!(said.error.contains("first element 3: it is 7, expected 7.5"), "{}", said.error);
    assert!(said.error.contains("under Ipdom: `y`"), "{}", said.error);
}

#[test]
fn outputs_are_written_to_files() {
    let (csv, bin) = (file("saved.csv", ""), file("saved.bin", ""));
    for path in [&csv, &bin] {
        let said = saxpy(&[&GIVEN[..], &["--arg", &format!("out:f32:50=ones>{path}")]].concat());
        assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    }
    assert_eq!(fs::read_to_string(&csv).unwrap(), doubled());
    let bytes: Vec<u8> = (0..50).flat_map(|x| (2.0 * x as f32 + 1.0).to_le_bytes()).collect();
    assert_eq!(fs::read(&bin).unwrap(), bytes);
    // A file that was written can be read: y = 0 x + y.
    let output = format!("out:f32:50={bin}~{csv}");
    let said = saxpy(&["--arg", "50", "--arg", "0", "--arg", "buf:f32:50=rand:7", "--arg", &output]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    let said = saxpy(&[&GIVEN[..], &["--arg", &format!("out:f32:50=ones>{csv}"), "--policy", "all"]].concat());
    assert_eq!(said.code, Some(2));
    assert!(said.error.contains("name one whole policy"), "{}", said.error);
}

#[test]
fn the_report_is_json_if_that_is_wanted() {
    let words = ["--arg", "out:f32:50=ones", "--report", "json", "--policy", "Ipdom,Mimd", "--machine", "fermi"];
    let said = saxpy(&[&GIVEN[..], &words].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    let value: serde_json::Value = serde_json::from_str(&said.out).expect("it is JSON");
    assert_eq!(value["version"], 1);
    let list = value["runs"].as_array().expect("it has a list");
    assert!(list.iter().any(|one| one["policy"] == "Mimd"), "{}", said.out);
    for one in list {
        assert_eq!(one["report"]["kernel"], "saxpy");
        assert_eq!(one["report"]["policy"], one["policy"]);
        assert!(one["report"]["issues"].as_u64().is_some_and(|issues| issues > 0), "{one}");
        assert!(!one["report"]["clock"].is_null(), "{one}");
        assert_eq!(one["outputs"][0]["first"], serde_json::json!([1, 3, 5, 7, 9, 11, 13, 15]));
    }
}

#[test]
fn one_element_too_far_is_said_with_buffer_line_and_thread() {
    // The kernel takes 50 elements, and x has 49.
    let said = saxpy(&["--arg", "50", "--arg", "2", "--arg", "buf:f32:49=iota", "--arg", "out:f32:50=ones"]);
    assert_eq!(said.code, Some(1));
    let load = include_str!("../saxpy.ptx").lines().position(|line| line.contains("%f2, [%rd5]")).unwrap() + 1;
    for part in [
        "the allocation has 196 bytes",
        "the access begins 0 bytes behind its end",
        "buffer of parameter `x`, --arg buf:f32:49=iota: 196 bytes from 0x",
        &format!("saxpy.ptx:{load}"),
        "ld.global.f32      %f2, [%rd5];",
        // Thread 17 of block 1 is number 49.
        "block (1, 0, 0), thread (17, 0, 0)",
    ] {
        assert!(said.error.contains(part), "`{part}` is not in\n{}", said.error);
    }
}

#[test]
fn what_has_not_been_written_is_not_read() {
    let said = saxpy(&[&GIVEN[..], &["--arg", "out:f32:50"]].concat());
    assert_eq!(said.code, Some(1));
    assert!(said.error.contains("nothing has been written"), "{}", said.error);
}

#[test]
fn wrong_usage_says_the_option_the_reason_and_what_to_write() {
    let good = ["--arg", "out:f32:50=ones"];
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["--arg", "50"],
            &["--arg: kernel `saxpy` has 4 parameters, and there is 1 argument;", "n: u32, a: f32, x: u64, y: u64"],
        ),
        (&["--arg", "bfu:f32:8"], &["--arg bfu:f32:8: `bfu` begins no argument", "buf:f32:1024=iota"]),
        (
            &["--arg", "0.5", "--arg", "2", "--arg", "0", "--arg", "0"],
            &["--arg 0.5, for parameter `n`", "write a whole number"],
        ),
        (&["--arg", "f64:5", "--arg", "2", "--arg", "0", "--arg", "0"], &["it is f64, and the parameter is u32"]),
        (
            &["--arg", "buf:f32:8", "--arg", "2", "--arg", "0", "--arg", "0"],
            &["passed by its address", "write a number"],
        ),
        (&["--policy", "Simd"], &["--policy: there is no policy `Simd`", "Ipdom"]),
        (&["--machine", "hopper"], &["--machine: there is no machine `hopper`", "turing"]),
        (&["--threads", "0"], &["--threads"]),
    ];
    for (words, parts) in cases {
        let said = saxpy(words);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{words:?}: {}", said.error);
        assert!(parts.iter().all(|part| said.error.contains(part)), "{words:?}: {}", said.error);
    }
    let at = |option: &str, word: &str| {
        let words: Vec<&str> = SAXPY.iter().map(|&known| if known == option { word } else { known }).collect();
        simt(&[&words[..], &GIVEN, &good].concat())
    };
    let said = at("saxpy", "sapxy");
    assert_eq!(said.code, Some(2));
    assert!(said.error.contains("has no kernel `sapxy`; write one of saxpy, negate"), "{}", said.error);
    for grid in ["1,2,3,4", "x", "-1"] {
        let said = at("2", grid);
        assert_eq!(said.code, Some(2), "{grid}: {}", said.error);
        assert!(said.error.contains("--grid"), "{grid}: {}", said.error);
    }
    let said = simt(&["run", "tests/saxpy.ptx", "--grid", "1", "--block", "1"]);
    assert_eq!(said.code, Some(2));
    assert!(said.error.contains("--kernel is missing"), "{}", said.error);
}

#[test]
fn wrong_files_are_another_exit_code() {
    let run = |path: &str| simt(&["run", path, "--grid", "1", "--block", "4"]);
    let said = run("tests/absent.ptx");
    assert_eq!(said.code, Some(3));
    assert!(said.error.contains("cannot read tests/absent.ptx"), "{}", said.error);
    let said = run(&file(
        "wrong.ptx",
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { mvo.u32 %r1, 0; ret; }\n",
    ));
    assert_eq!(said.code, Some(3));
    assert!(said.error.contains("wrong.ptx:4:"), "{}", said.error);
    let said = run(&file("wrong.simt", "kernel k()\n    mvo.u32 %a, 1\n    exit\n"));
    assert_eq!(said.code, Some(3));
    assert!(said.error.contains("wrong.simt:2"), "{}", said.error);
    let short = file("short.csv", "1, 2\n3\n");
    let said = saxpy(&["--arg", &format!("buf:f32:50={short}")]);
    assert_eq!(said.code, Some(3));
    assert!(said.error.contains("holds 3 numbers, and 50 elements of f32 are wanted"), "{}", said.error);
    assert_eq!(run("tests").code, Some(2));
}

#[test]
fn code_in_its_text_form_runs() {
    let path = file(
        "double.simt",
        "kernel double(x: &mut [u32])
.reg usize %i, u32 %v
    mov.usize %i, global_id()
    ld.u32    %v, x[%i]
    add.u32   %v, %v, %v
    st.u32    x[%i], %v
    exit
",
    );
    let said = simt(&["run", &path, "--grid", "1", "--block", "4", "--arg", "out:u32:4=iota", "--policy", "all"]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    assert!(said.out.contains("x = 0 2 4 6\n"), "{}", said.out);
}

#[test]
fn a_file_of_ptx_is_listed() {
    let said = simt(&["ptx", "tests/saxpy.ptx"]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    for part in [
        "PTX 8.0 for sm_75",
        "kernel saxpy\n  parameter n: .u32\n  parameter a: .f32\n  parameter x: .u64\n  parameter y: .u64\n",
        "  20 instructions: ld 6, mov 3, add 2, cvta 2, bra 1, fma 1, mad 1, mul 1, ret 1, setp 1, st 1\n",
        "kernel negate\n  parameter x: .u64\n",
        "all of it is supported",
    ] {
        assert!(said.out.contains(part), "`{part}` is not in\n{}", said.out);
    }
    let odd = "tex.1d.v4.f32.s32 {%f1,%f1,%f1,%f1}, [t, {%r1}];";
    let text = format!(
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 t)\n{{\n.reg .f32 %f<2>;\n.reg .b32 %r<2>;\n{odd}\nret;\n}}\n"
    );
    let path = file("odd.ptx", &text);
    let said = simt(&["ptx", &path]);
    assert_eq!(said.code, Some(0), "{}", said.error);
    assert!(said.out.contains("not supported:\n  `tex") && said.out.contains("cannot be run"), "{}", said.out);
    assert_eq!(simt(&["run", &path, "--grid", "1", "--block", "1", "--arg", "0"]).code, Some(3));
}

#[test]
fn machines_and_help_are_listed() {
    let said = simt(&["machines"]);
    assert_eq!(said.code, Some(0));
    for name in ["functional", "fung2009", "fermi", "volta", "turing", "ampere"] {
        assert!(said.out.lines().any(|line| line.starts_with(name) && line.contains("warps of 32")), "{}", said.out);
    }
    let said = simt(&["run", "--help"]);
    assert_eq!(said.code, Some(0));
    for part in ["Exit codes: 0", "simt run saxpy.ptx --kernel saxpy", "buf:f32:1024=iota", "out:f32:1024~y.csv:1e-6"] {
        assert!(said.out.contains(part), "`{part}` is not in\n{}", said.out);
    }
}

/// Each of two blocks writes a number, and reads the other's.
#[test]
fn memory_may_be_that_of_the_report() {
    let path = file(
        "both.simt",
        "kernel both(x: &mut [u32], seen: &mut [u32])
.reg usize %i, usize %j, u32 %v
    mov.usize %i, global_id()
    st.u32    x[%i], 7
    sub.usize %j, 1, %i
    ld.u32    %v, x[%j]
    st.u32    seen[%i], %v
    exit
",
    );
    let seen = |memory: &str, seed: u32| {
        let seed = seed.to_string();
        let words = ["run", &path, "--grid", "2", "--block", "1", "--memory", memory, "--seed", &seed];
        let said = simt(&[&words[..], &["--arg", "buf:u32:2=zero", "--arg", "out:u32:2=ones"]].concat());
        assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
        let line = said.out.lines().find_map(|line| line.strip_prefix("seen = ")).map(str::to_string);
        line.unwrap_or_else(|| panic!("{}", said.out))
    };
    let all = |memory| (0..24).map(|seed| seen(memory, seed)).collect::<BTreeSet<_>>();
    // The first block ends before the second one begins.
    assert_eq!(all("ideal"), BTreeSet::from(["0 7".to_string()]));
    assert!(all("environment").len() > 1, "{:?}", all("environment"));
    // So is that of PTX.
    let expected = file("modelled.csv", &doubled());
    let output = format!("out:f32:50=ones~{expected}:1e-6");
    let said = saxpy(&[&GIVEN[..], &["--arg", &output, "--memory", "environment", "--policy", "all"]].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
}

#[test]
fn lines_are_those_of_the_source_if_it_is_given() {
    let ptx = "
        .version 8.0
        .target sm_75
        .address_size 64
        .visible .entry k(.param .u64 x)
        {
            .reg .b32 %r<3>;
            .reg .b64 %rd<4>;
            .loc 1 3 5
            ld.param.u64 %rd1, [x];
            mov.u32 %r1, %tid.x;
            mad.wide.u32 %rd2, %r1, 4, %rd1;
            st.global.u32 [%rd2], %r1;
            ret;
        }
        .file 1 \"/elsewhere/numbered.cu\"
    ";
    let source = file(
        "numbered.cu",
        "// Each element gets its number.\n__global__ void k(unsigned *x) {\n    x[threadIdx.x] = threadIdx.x;\n}\n",
    );
    let ptx = file("numbered.ptx", ptx);
    let words = ["run", &ptx, "--grid", "1", "--block", "8", "--arg", "out:u32:8"];
    let said = simt(&[&words[..], &["--source", &source]].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    assert!(said.out.contains("x[threadIdx.x] = threadIdx.x;") && said.out.contains("numbered.cu"), "{}", said.out);
    let said = simt(&[&words[..], &["--source", "Cargo.toml"]].concat());
    assert!(said.code == Some(3) && said.error.contains("-lineinfo"), "{}", said.error);
}

/// `struct { unsigned n; float a; struct { float *x; unsigned short first; } in; float *y; }` by value.
#[test]
fn a_struct_that_holds_addresses_is_written_field_by_field() {
    let run = |argument: &str| {
        let words = ["run", "tests/packed.ptx", "--grid", "2", "--block", "32", "--arg", argument];
        simt(&words)
    };
    let said = run("struct:u32:50,f32:2,(buf:f32:50=iota,u16:3),out:f32:50=ones");
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    assert!(said.out.contains("p+24 = 1 1 1 7 9 11 13 15 ... (50 in all)"), "{}", said.out);
    // A buffer that is too short is named with the byte of its address.
    let said = run("struct:u32:50,f32:2,(buf:f32:49=iota,u16:3),out:f32:50=ones");
    assert_eq!(said.code, Some(1));
    assert!(said.error.contains("buffer of parameter `p+8`, --arg struct:u32:50"), "{}", said.error);
    for (argument, part) in [
        (
            "struct:u32:50,f32:2,buf:f32:50,out:f32:50",
            "its fields are 24 bytes together (u32 at 0, f32 at 4, an address",
        ),
        ("struct:50,f32:2", "the field `50` has no type"),
        ("buf:f32:50", "the parameter is a struct of 32 bytes: write its fields, struct:u32:5"),
    ] {
        let said = run(argument);
        assert_eq!(said.code, Some(2), "{argument}");
        assert!(said.error.contains(part) && said.error.contains("--arg"), "{argument}: {}", said.error);
    }
}
