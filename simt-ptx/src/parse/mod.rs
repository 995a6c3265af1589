//! Tokens to the tree.
//!
//! After an error the parser goes on behind the next `;`, at the next `}`, or at the line after the one that lacks its `;`.
//! Nothing recurses deeper than [`DEEPEST`], whatever stands in the text.

mod cursor;
mod debug;
mod function;
mod initializer;
mod instruction;
mod module;
mod operand;
mod statement;
mod variable;

use crate::lex;
use crate::problem::{Lines, Problem, Problems};
use crate::span::Span;
use crate::syntax::Module;
use cursor::Cursor;

/// How deep blocks, and lists in lists, may nest.
pub const DEEPEST: usize = 64;

/// A problem that is noted already: the caller goes on elsewhere.
#[derive(Debug)]
struct Noted;

type Parsed<T> = Result<T, Noted>;

/// Reads a module.
///
/// # Errors
///
/// All that is wrong with its syntax.
pub fn parse(text: &str) -> Result<Module, Problems> {
    let mut problems = Problems::default();
    if text.len() > lex::LONGEST {
        problems.push(|| {
            Problem::new(&Lines::new(""), Span::default(), "the text is longer than 4 GiB")
                .help("split it into several modules")
        });
        return Err(problems);
    }
    let tokens = lex::lex(text);
    let mut cursor = Cursor::new(text, &tokens);
    let module = cursor.module();
    let problems = cursor.into_problems();
    if problems.is_empty() { Ok(module) } else { Err(problems) }
}
