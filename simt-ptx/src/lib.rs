//! PTX for `simt`: text to a tree, and what is wrong with it.
//!
//! ```text
//! text
//!  |  lex          tokens, with their places
//!  |  parse        all errors of a file in one go; modifiers in the order of the table
//! syntax::Module   the tree: what the text says
//!  |  check        names, types, widths, spaces, labels
//! syntax::Module
//!  |  lower        instructions of the flat form
//! Code
//! ```
//!
//! [`print()`] is the way back: printing, then parsing, is the identity on trees.
//!
//! [`read`] does all of it. Behind it, [`table::Form::of`] is what an instruction's modifiers say, as values, and
//! [`scope::Scopes`] what names mean at a place.
//!
//! Of what NVIDIA's assembler reads, these are errors here: constant expressions of several numbers (`4 * 2`), elements by their
//! index (`a[3]`, write `[a+12]`), addresses of 32 bits, constants of more than 64 bits, and what the table says is out of scope.
//!
//! Tokens are made by `logos`, whose automaton is written by a macro from the regular expressions beside each kind of token.
//! The parser is written by hand: recovery at `;` and `}`, and errors that know what was expected, are most of it. Of the
//! crates that parse PTX, `ptx-parser` 0.1 keeps instructions as text, knows no places, and stops at the first error; a library
//! of combinators (`winnow`) would be used for single tokens only.

pub mod check;
pub(crate) mod lex;
pub mod lower;
pub mod parse;
pub mod print;
pub mod problem;
pub mod scope;
pub mod span;
pub mod syntax;
pub mod table;

pub use check::check;
pub use lower::{Shown, kernels, lower};
pub use parse::parse;
pub use print::print;
pub use problem::{Problem, Problems, Unsupported};
pub use span::Span;

use syntax::Module;

/// Reads a module and checks it: what has no problems can be lowered.
///
/// # Errors
///
/// All that is wrong with it, syntax and meaning. Where a declaration could not be read, names are not held against what is
/// declared: most would be missing for that.
pub fn read(text: &str) -> Result<Module, Problems> {
    let (module, problems) = read_all(text);
    if problems.is_empty() { Ok(module) } else { Err(problems) }
}

/// Reads a module and checks it, where some of its kernels may have what is out of scope: the others can be lowered.
///
/// # Errors
///
/// As of [`read`], and what is out of scope with it, if anything else is wrong.
pub fn read_partly(text: &str) -> Result<(Module, Vec<Unsupported>), Problems> {
    let (module, problems) = read_all(text);
    if problems.problems.is_empty() && problems.more == 0 { Ok((module, problems.unsupported)) } else { Err(problems) }
}

fn read_all(text: &str) -> (Module, Problems) {
    let parse::Partial { module, mut problems, declares_all } = parse::parse_partly(text);
    let mut found = check(&module, text);
    if !declares_all {
        found.problems.clear();
        found.more = 0;
    }
    problems.join(found);
    (module, problems)
}
