//! Tokens to the tree.
//!
//! After an error the parser goes on behind the next `;`, at the next `}`, or at the line after the one that lacks its `;`.
//! Nothing recurses deeper than [`DEEPEST`], whatever stands in the text.

mod cursor;
mod debug;
mod expression;
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
    let Partial { module, problems, .. } = parse_partly(text);
    if problems.is_empty() { Ok(module) } else { Err(problems) }
}

/// What could be read of a module.
pub(crate) struct Partial {
    /// What could be read.
    pub(crate) module: Module,
    /// What was wrong.
    pub(crate) problems: Problems,
    /// Whether all that it declares was read, so that a name that is missing is not there.
    pub(crate) declares_all: bool,
}

/// Reads what can be read of a module.
pub(crate) fn parse_partly(text: &str) -> Partial {
    if text.len() > lex::LONGEST {
        let mut problems = Problems::default();
        problems.push(|| {
            Problem::new(&Lines::new(""), Span::default(), "the text is longer than 4 GiB")
                .help("split it into several modules")
        });
        let module = Cursor::new("", &lex::lex("")).module();
        return Partial { module, problems, declares_all: false };
    }
    let tokens = lex::lex(text);
    let mut cursor = Cursor::new(text, &tokens);
    let module = cursor.module();
    let declares_all = cursor.declares_all;
    Partial { module, problems: cursor.into_problems(), declares_all }
}
