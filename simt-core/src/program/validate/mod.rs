//! Well-formedness: what a program must be before anything runs it.
//!
//! Lowering, the literal semantics and the engines rely on these rules without looking again: after `validate`, a panic
//! is a bug of ours and not of the kernel's author. Kernels written with `#[kernel]` keep most rules by construction,
//! because rustc has checked the builder's types; programs built by hand, by a test's generator or by another front end
//! need not. The machine does not clear registers, so a variable read before it is assigned would make results depend on
//! what ran before: that rule protects determinism, not only tidiness.
//!
//! # The rules
//!
//! The program
//! 1. has no `problems`;
//! 2. nests statements at most [`NESTING_LIMIT`] deep, so that whoever walks it may recurse.
//!
//! Its expressions (`expressions.rs`; nodes no statement uses included)
//! 3. name operands, variables and parameters that exist;
//! 4. come after their operands in the arena, and so have no cycles;
//! 5. are used by at most one parent or statement, and so are trees;
//! 6. nest at most [`NESTING_LIMIT`] deep;
//! 7. have the types of their operation:
//!    a constant is of the node's type and has no bits beyond its width;
//!    a variable and a scalar parameter have the node's type; a builtin and a length are `usize`;
//!    a load is of a slice's element type, its index a `usize`;
//!    a unary or binary operation accepts the node's type, which is its operands', but that a shift's count is a `u32`;
//!    a comparison has operands of one type and is a `bool`; a cast is one that Rust has between numbers and `bool`.
//!
//! Its statements (`statements.rs`)
//! 8. name expressions, variables and parameters that exist, and share no expression with each other (rule 5);
//! 9. assign a value of the variable's type; store a value of the element type at a `usize` index of a writable slice;
//!    branch and loop on a `bool`;
//! 10. break and continue only within the body of a loop, not within its step;
//! 11. assign an immutable variable in exactly one statement (which a loop may execute many times). A variable that
//!     gets its value in one of several places, as `let x; if c { x = 1 } else { x = 2 }` does, is a mutable one here.
//!
//! Its variables (`assigned.rs`)
//! 12. are assigned before they are read on every path. A loop's body may run zero times, unless its condition is the
//!     constant `true`; any other condition may hold or not. Statements that no path reaches are not checked.

mod assigned;
mod error;
mod expressions;
mod statements;

pub use error::ValidateError;

use super::{Program, visit};
use crate::source::Span;
use error::Kind;
use std::ops::Deref;

/// How deep statements, and expressions, may nest.
///
/// **Assumed:** far above what people write (an `else if` counts as nested in the `if` before it), and low enough for a
/// walk that recurses with a kilobyte a level on a test thread's 2 MiB stack.
pub const NESTING_LIMIT: usize = 256;

/// A value that has passed its validation. Nothing else makes one, and it cannot be changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Validated<T>(T);

impl<T> Validated<T> {
    /// The value itself, which no longer counts as validated.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Validated<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// What a check found: nothing, or the broken rule and the place.
type Check = Result<(), (Kind, Span)>;

impl Program {
    /// Checks that the program is one that can be lowered and run.
    ///
    /// ```
    /// use simt_core::program::{Program, Stmt, StmtKind};
    /// use simt_core::Span;
    ///
    /// let stmt = |kind| Stmt { kind, span: Span::new(3, 5, 3, 10) };
    /// let fine = Program { name: "k".into(), body: vec![stmt(StmtKind::Return)], ..Program::default() };
    /// assert!(fine.validate().is_ok());
    ///
    /// let wrong = Program { name: "k".into(), body: vec![stmt(StmtKind::Break)], ..Program::default() };
    /// let error = wrong.validate().unwrap_err();
    /// assert_eq!(error.to_string(), "kernel `k` at 3:5: `break` outside of a loop's body");
    /// ```
    ///
    /// # Errors
    /// The first broken rule; the list of rules is at the top of this function's source file.
    pub fn validate(self) -> Result<Validated<Self>, ValidateError> {
        match self.check() {
            Ok(()) => Ok(Validated(self)),
            Err((kind, span)) => {
                let error = ValidateError::new(kind, span, self.name, self.source);
                visit::dismantle(self.body);
                Err(error)
            }
        }
    }

    fn check(&self) -> Check {
        // First, because the other checks recurse.
        if let Some(span) = visit::deeper_than(NESTING_LIMIT, &self.body) {
            return Err((Kind::StatementNesting, span));
        }
        // Before the types: what the builder noticed is closest to what the user wrote.
        if let Some((span, problem)) = self.problems.first() {
            return Err((Kind::Problem(problem.clone()), *span));
        }
        let used = expressions::check(self)?;
        statements::check(self, used)?;
        assigned::check(self)
    }
}
