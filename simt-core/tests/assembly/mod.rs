//! The text form of code: what the assembler reads, what it refuses, and that it reads what the listing prints.

mod by_address;
mod control;
mod every;
mod families;
mod fuzz;
mod refused;
mod same;

use simt_core::code::Code;
use simt_core::program::Validated;

/// The code of a text that is right.
#[track_caller]
fn parsed(text: &str) -> Validated<Code> {
    Code::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// That code prints as a text that is read as the same code, and prints the same again.
#[track_caller]
fn check_printed(code: &Code) {
    let text = code.to_string();
    let read = parsed(&text);
    same::check(code, &read);
}
