//! Statements.

use super::{ExprId, ParamId, VarId};
use crate::source::Span;

/// A statement list.
pub type Block = Vec<Stmt>;

/// A statement and its place in the user's source.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where the user wrote it.
    pub span: Span,
}

/// What a statement does. In the rules, Θ is the active mask and Δ the disable mask (ESOP'12, Table 2).
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `;` does nothing (rule skip).
    Skip,
    /// `x = e;` (rule assign). The first assignment of a variable stands where it is declared.
    Assign {
        /// The variable.
        var: VarId,
        /// Its new value, of the variable's type.
        value: ExprId,
    },
    /// `a[e] = e;` (rule assign on a shared variable). **Fault** if the index is not below the slice's length.
    ///
    /// Of several threads that write one element, the one with the highest lane number wins.
    Store {
        /// A writable slice.
        slice: ParamId,
        /// Which element, a `usize`.
        index: ExprId,
        /// Its new value, of the element type.
        value: ExprId,
    },
    /// `e;` evaluates an expression for its faults and forgets the value.
    Evaluate {
        /// The expression.
        value: ExprId,
    },
    /// `if (e) S1 else S2` (rule if): pushes sync{Θ} and div{act}, so that the arms run one after the other and all
    /// threads of Θ that are not disabled meet again behind it.
    If {
        /// The condition, a `bool`.
        cond: ExprId,
        /// Runs for threads whose condition holds.
        then: Block,
        /// Runs for the others.
        otherwise: Block,
    },
    /// `while (e) S step T` (rules while and while-again): pushes brk{Θ}; threads whose condition fails wait for it.
    ///
    /// If the body contains a `continue` of this loop, each iteration also pushes cont{Θ} above the step:
    /// `while (e) S step T, Θ ⇒ S cont{act} T while (e) S step T brk{Θ}, act`.
    While {
        /// The condition, a `bool`.
        cond: ExprId,
        /// Runs once an iteration.
        body: Block,
        /// Runs after each iteration's body, also after `continue`. Holds no `break` or `continue` of this loop.
        step: Block,
    },
    /// `break;` leaves the innermost loop (rule break): Δ{Θ ↦ b}. Only inside a loop's body.
    Break,
    /// `continue;` goes to the innermost loop's step: `continue; [S] τ, Θ, Δ ⇒ τ, ∅, Δ{Θ ↦ c}`, and a cont token
    /// awakes disable state c. Only inside a loop's body.
    Continue,
    /// `return;` ends the thread (rule return): Δ{Θ ↦ r}; the call token at the bottom of the stack awakes it.
    Return,
}
