//! What is said of malformed modules: a snapshot for each group of cases.
//!
//! A case is what stands behind a line `//// name` of a file in `cases`. One that has no `.version` is put into a kernel that
//! has registers of all types.

use simt_ptx::read;
use std::fmt::Write;

/// What stands before and behind a case that is no module.
const FRAME: (&str, &str) = (
    ".version 8.3
.target sm_90
.address_size 64
.global .align 4 .b32 data[64];
.const .align 4 .f32 weights[4];
.func (.param .b32 r) twice(.param .b32 x) { ret; }
.entry other() { ret; }
.entry kernel(.param .u64 p, .param .f32 f)
{
    .reg .pred %p<4>; .reg .b16 %rs<4>; .reg .b32 %r<8>; .reg .s64 %rd<8>; .reg .f32 %f<4>; .reg .f64 %fd<4>;
",
    "    ret;
}
",
);

/// The cases of a file: names and texts.
fn cases(file: &str) -> Vec<(&str, String)> {
    let mut cases = Vec::new();
    for case in file.split("//// ").skip(1) {
        let (name, text) = case.split_once('\n').expect("a name ends its line");
        let frame = if name.ends_with("(module)") { ("", "") } else { FRAME };
        cases.push((name.trim_end_matches(" (module)"), format!("{}{text}{}", frame.0, frame.1)));
    }
    cases
}

/// What is said of each case of a file; each has something wrong.
fn said(file: &str) -> String {
    let mut said = String::new();
    for (name, text) in cases(file) {
        let problems = read(&text).expect_err(name);
        for problem in &problems.problems {
            assert!(!problem.help.is_empty(), "{name} is not told what to do: {problem}");
            assert!(!problem.message.is_empty() && !problem.label.is_empty(), "{name}: {problem}");
        }
        writeln!(said, "## {name}\n\n{}\n", problems.render("file.ptx")).expect("a string takes all");
    }
    said
}

macro_rules! groups {
    ($($group:ident),*) => {
        const FILES: &[&str] = &[$(include_str!(concat!("cases/", stringify!($group), ".ptx"))),*];

        $(
            #[test]
            fn $group() {
                let file = include_str!(concat!("cases/", stringify!($group), ".ptx"));
                insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
                    insta::assert_snapshot!(stringify!($group), said(file));
                });
            }
        )*
    };
}

groups!(
    tokens,
    header,
    declarations,
    values,
    statements,
    operands,
    memory,
    opcodes,
    types,
    control,
    calls,
    warps,
    edited,
    outside
);

#[test]
fn there_are_two_hundred_cases_and_no_two_are_the_same() {
    let mut texts: Vec<String> = FILES.iter().flat_map(|file| cases(file)).map(|(_, text)| text).collect();
    assert!(texts.len() >= 200, "{}", texts.len());
    texts.sort_unstable();
    assert_eq!(texts.windows(2).find(|pair| pair[0] == pair[1]), None);
}

/// The frame itself has nothing wrong, so that what is said is said of the cases.
#[test]
fn the_frame_is_well_formed() {
    let text = format!("{}{}", FRAME.0, FRAME.1);
    if let Err(problems) = read(&text) {
        panic!("{problems}");
    }
}
