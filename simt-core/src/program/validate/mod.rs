//! Well-formedness: what a program must be before anything runs it.
//!
//! Lowering, the literal semantics and the engines rely on these rules without looking again: after `validate`, a panic
//! is a bug of this workspace and not of the kernel's author. Kernels written with `#[kernel]` keep most rules by construction,
//! because rustc has checked the builder's types; programs built by hand, by a test's generator or by another front end
//! need not. The machine does not clear registers, so a variable read before it is assigned would make results depend on
//! what ran before: that rule protects determinism, not only tidiness.
//!
//! # The rules
//!
//! The program
//! 1. has no `problems`;
//! 2. nests statements at most [`NESTING_LIMIT`] deep, so that walks may recurse. An `else` that holds an `if`
//!    and nothing else, an `else if`, is no deeper than the `if` it belongs to; at most [`CHAIN_LIMIT`] of them are around
//!    a statement.
//!
//! Its expressions (`expressions.rs`; nodes no statement uses included)
//! 3. name operands, variables, parameters and arrays that exist;
//! 4. come after their operands in the arena, and so have no cycles;
//! 5. are used by at most one parent or statement, and so are trees;
//! 6. nest at most [`NESTING_LIMIT`] deep;
//! 7. have the types of their operation:
//!    a constant is of the node's type and has no bits beyond its width;
//!    a variable and a scalar parameter have the node's type; a builtin and a length are `usize`;
//!    a load is of the element type of memory that holds no atomics, its index a `usize`;
//!    a unary or binary operation accepts the node's type, which is its operands', but that a shift's count is a `u32`;
//!    a comparison has operands of one type and is a `bool`; a cast is one that Rust has between numbers and `bool`.
//!
//! Its arrays and functions (`declarations.rs`)
//! 8. Arrays have at least one element, and name a function that exists. Atomics are of a type that
//!    `std::sync::atomic` has, and of 32 or 64 bits or `bool`; arrays of them are shared.
//! 9. A function's parameters and result are variables that exist; no variable is a parameter twice.
//!
//! Its statements (`statements.rs`)
//! 10. name expressions, variables, memory, functions and messages that exist, and share no expression with each other
//!     (rule 5);
//! 11. use variables that no other function, nor the kernel, uses. A local array may be passed: another function's is that
//!     of the newest activation of the function that declares it;
//! 12. break and continue only within the body of a loop, not within its step, and name a loop that is around them;
//! 13. assign an immutable variable in exactly one statement (which a loop may execute many times); a call assigns the
//!     parameters of a function. A variable that gets its value in one of several places, as
//!     `let x; if c { x = 1 } else { x = 2 }` does, is a mutable one here.
//!
//! and each of them (`operations.rs`)
//! 14. assigns a value of the variable's type; stores a value of the element type at a `usize` index of a writable slice
//!     or an array, which holds no atomics; branches and loops on a `bool`;
//! 15. calls a function with as many arguments as it has parameters, of their types; a result that is used is one that
//!     the function has, and of the type of the variable that gets it. Functions may call themselves.
//! 16. An atomic operation is on memory that holds atomics, one that their type has, at a `usize` index, with the operands
//!     that it needs and a result of their type; a store has none. As in Rust, a load is not ordered `Release` or
//!     `AcqRel`, nor a store `Acquire` or `AcqRel`.
//! 17. A collective names lanes by a `u64`, unless it is `active_mask`; it has the operands that it needs: `bool`s, or
//!     of a shuffle any value and a `u32`; its result is a `u64` (`ballot`, `active_mask`), a `bool` (`any`, `all`,
//!     `uniform`) or a value as the one it moves; `sync_warp` has none.
//! 18. A barrier's number and its number of threads are `u32`s; an arrival has a number of threads; a reduction has a
//!     `bool` to reduce and may have a result, a `bool` or of a count a `u32`; others have neither.
//! 19. A message that is printed or panicked with shows only values that it is given.
//!
//! Its variables (`assigned.rs`)
//! 20. are assigned before they are read on every path. A loop's body may run zero times, unless its condition is the
//!     constant `true`; any other condition may hold or not. Statements that no path reaches are not checked, nor is what
//!     stands behind a panic. Parameters of a function are assigned where it begins.
//! 21. The result of a function is assigned on every path to where it returns, its end included.

mod assigned;
mod declarations;
mod error;
mod expressions;
mod operations;
mod statements;

pub use error::ValidateError;

use super::Program;
use super::visit::{self, TooDeep};
use crate::source::Span;
use error::{Broken, Kind};
use std::fmt;
use std::ops::Deref;

/// How deep statements, and expressions, may nest.
///
/// **Assumed:** far above what people write, and low enough for a walk that recurses with a kilobyte a level on a test
/// thread's 2 MiB stack.
pub const NESTING_LIMIT: usize = 256;

/// How many `else if`s may stand around a statement.
///
/// **Assumed:** above the arms of any `match` that people write, and low enough that to clone or drop a program, which
/// recurses with some hundred bytes a level, fits a test thread's stack too.
pub const CHAIN_LIMIT: usize = 1024;

/// A value that has passed its validation. Nothing else makes one, and it cannot be changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Validated<T>(T);

impl<T> Validated<T> {
    /// A value that has passed.
    pub(crate) const fn trusted(value: T) -> Self {
        Self(value)
    }

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

impl<T: fmt::Display> fmt::Display for Validated<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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
    /// let wrong = Program { name: "k".into(), body: vec![stmt(StmtKind::Break { out: 0 })], ..Program::default() };
    /// let error = wrong.validate().unwrap_err();
    /// assert_eq!(error.to_string(), "kernel `k` at 3:5: `break` outside of a loop's body");
    /// ```
    ///
    /// # Errors
    /// The first broken rule; the list of rules is at the top of this function's source file.
    pub fn validate(self) -> Result<Validated<Self>, ValidateError> {
        match self.check() {
            Ok(()) => Ok(Validated(self)),
            Err(broken) => {
                let error = ValidateError::new(&self, broken);
                visit::dismantle(self.body);
                self.functions.into_iter().for_each(|function| visit::dismantle(function.body));
                Err(error)
            }
        }
    }

    fn check(&self) -> Result<(), Broken> {
        // First, because the other checks recurse.
        for (function, body) in self.bodies() {
            if let Some((deep, span)) = visit::deeper_than(NESTING_LIMIT, CHAIN_LIMIT, body) {
                let kind = match deep {
                    TooDeep::Nested => Kind::StatementNesting,
                    TooDeep::Chained => Kind::ChainLength,
                };
                return Err(Broken { kind, span, function });
            }
        }
        // Before the types: what the builder noticed is closest to what the user wrote.
        if let Some((span, problem)) = self.problems.first() {
            return Err(Broken { kind: Kind::Problem(problem.clone()), span: *span, function: None });
        }
        let used = expressions::check(self).map_err(|(kind, span, id)| {
            let function = expressions::user(self, id);
            Broken { kind, span, function }
        })?;
        declarations::check(self)?;
        statements::check(self, used)?;
        assigned::check(self)
    }
}
