//! The text form of the code of random programs: valid, read as it is printed, and the same for every family of markers.

#[path = "../../simt-core/tests/assembly/same.rs"]
mod same;

use simt_core::code::{Code, Markers};
use simt_core::program::{Program, Validated};
use simt_testing::{Construct, Faults, random_program_with};

const PROGRAMS: u64 = 300;

fn programs() -> impl Iterator<Item = (u64, Validated<Program>)> {
    (0..PROGRAMS).map(|seed| {
        let constructs = if seed % 3 == 2 { Construct::drawn(seed) } else { Vec::new() };
        let validated = random_program_with(seed, Faults::Sometimes, &constructs).validate();
        (seed, validated.unwrap_or_else(|error| panic!("seed {seed}: {error}")))
    })
}

#[test]
fn code_is_read_as_it_is_printed() {
    read_as_printed(Code::to_string);
}

#[test]
fn code_is_read_as_it_is_printed_with_labels() {
    read_as_printed(|code| format!("{code:#}"));
}

fn read_as_printed(printed: impl Fn(&Code) -> String) {
    for (seed, program) in programs() {
        for &markers in Markers::ALL {
            let code = program.code(markers);
            let text = printed(&code);
            let read = Code::parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
            same::check(&code, &read);
        }
    }
}

/// With labels, lines can be added.
#[test]
fn a_listing_with_labels_can_be_changed() {
    let mut with_jumps = 0;
    for (seed, program) in programs() {
        let code = program.code(Markers::None);
        let text: String = format!("{code:#}")
            .lines()
            .map(|line| {
                let is_exit = line.trim_start().starts_with("exit");
                if is_exit { format!("fence_block\n{line}\n") } else { format!("{line}\n") }
            })
            .collect();
        let read = Code::parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert!(read.insts.len() > code.insts.len(), "{text}");
        with_jumps += usize::from(text.contains("\nL"));
    }
    assert!(with_jumps > 100);
}

#[test]
fn lowered_code_is_valid() {
    for (seed, program) in programs() {
        for &markers in Markers::ALL {
            if let Err(error) = program.code(markers).validate() {
                panic!("seed {seed}: {error}\n{}", program.code(markers));
            }
        }
    }
}

/// Code with tokens may run without them, too: every `sync` of lowered code stands right before its address.
#[test]
fn code_with_tokens_runs_under_every_policy() {
    for (seed, program) in programs() {
        let tokens = program.code(Markers::Tokens).validate().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        for &markers in Markers::ALL {
            let other = tokens.for_markers(markers);
            // Barriers need addresses of their own.
            assert!(markers.placement().is_some() || other.insts == tokens.insts, "seed {seed}\n{tokens}\n{other}");
            assert!(other.into_inner().validate().is_ok(), "seed {seed}");
        }
        let none = program.code(Markers::None).validate().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let with_tokens = none.for_markers(Markers::Tokens);
        assert!(with_tokens.clone().into_inner().validate().is_ok(), "seed {seed}\n{with_tokens}");
    }
}
