//! The program: the while-language of ESOP'12 (section 3.1) with the statements that a device needs.
//!
//! ```text
//! Stm  ::=  ;  |  x = e;  |  a[e] = e;
//!        |  if (e) S else S
//!        |  while (e) S  |  break;  |  continue;
//!        |  return;
//! ```
//!
//! What differs from the paper's grammar, and why:
//! * `a[e] = e;` is the paper's assignment to a shared variable: its model "treats indexed array accesses such as `b[tid]`
//!   as regular variables" (section 3.3, Example 2).
//! * `while` has a *step* beside its body: statements that run after each iteration, whether its end was reached or a
//!   `continue` jumped there. A Rust `for` needs it. Without `continue`, `while (e) S step T` means `while (e) { S T }`.
//! * `continue;` is new: see [`StmtKind::Continue`] for its rule.
//! * Calls come with `#[device]` functions; the kernel itself is the paper's program, whose bottom `call` token every
//!   execution starts with.
//!
//! **Expressions have no effects; statements have.** An expression is a tree in the program's arena, evaluated where the
//! statement that holds it executes; each node belongs to exactly one statement. It may fault (a load out of bounds, a
//! division by zero), and then the launch fails. All active threads evaluate a statement's expressions before any of them
//! writes (section 3.3, rule assign).
//!
//! A `Program` may be anything; only a [`Validated`] one can be lowered or run.

mod display;
mod evaluate;
mod expr;
mod stmt;
mod validate;
mod visit;

pub use display::WithoutTokens;
pub use evaluate::{Environment, EvaluateFault, evaluate};
pub use expr::{Builtin, Expr, ExprId, ExprNode};
pub use stmt::{Block, Stmt, StmtKind};
pub use validate::{NESTING_LIMIT, ValidateError, Validated};
pub use visit::continues;

use crate::scalar::ScalarType;
use crate::source::{Source, Span};
use std::borrow::Cow;

/// A kernel as a program of the while-language.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The kernel's name.
    pub name: Cow<'static, str>,
    /// The text it was written as.
    pub source: Source,
    /// Its parameters, in the order of the signature.
    pub params: Vec<Param>,
    /// Its variables: named ones of the user's, unnamed ones of the builder's.
    pub variables: Vec<Variable>,
    /// The arena of expression nodes. Children come before their parents.
    pub exprs: Vec<ExprNode>,
    /// The statements.
    pub body: Block,
    /// What the builder noticed and validation reports: constants that do not fit the device.
    pub problems: Vec<(Span, String)>,
}

/// Number of a parameter: its place in the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParamId(pub u32);

/// Number of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Name in the signature.
    pub name: Cow<'static, str>,
    /// What is passed.
    pub kind: ParamKind,
    /// Where it is declared.
    pub span: Span,
}

/// What a parameter passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// One value, the same for all threads.
    Scalar(ScalarType),
    /// A slice of global memory.
    Slice {
        /// Type of its elements.
        element: ScalarType,
        /// Whether threads may write it (`&mut [T]`).
        writable: bool,
    },
}

/// A variable: each thread has its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The user's name for it, if it has one.
    pub name: Option<Cow<'static, str>>,
    /// Type of its value.
    pub ty: ScalarType,
    /// Whether it may be assigned more than once (`let mut`).
    pub mutable: bool,
}

impl Program {
    /// A node of the expression arena.
    ///
    /// # Panics
    /// If the number is not of this program's arena.
    pub fn expr(&self, id: ExprId) -> &ExprNode {
        &self.exprs[id.0 as usize]
    }

    /// A variable.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// A parameter.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn param(&self, id: ParamId) -> &Param {
        &self.params[id.0 as usize]
    }
}
