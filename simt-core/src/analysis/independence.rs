//! Whether a kernel ends whatever the order is in which its threads run (ESOP'12, Lemma 6).
//!
//! A warp ends if each of its threads would, even if others changed shared memory at will between any two of its steps. What
//! can spoil that is a loop or a recursion that is kept going by values read from memory which threads write. So the
//! analysis follows such values: through expressions, variables, arrays of the thread, conditions (what is assigned in an
//! arm depends on its condition) and calls. A loop is *kept going* by a value if its condition, or the condition of a jump
//! out of it, depends on it. Loops that count to a bound which they do not change end whatever the bound is. Of others it is
//! not known whether they end by themselves, so whether a thread comes to them must not depend on such values either.
//!
//! Parameters are memories of their own, but for atomics of one type, which a caller may pass twice: if one parameter's are
//! written, all are.
//!
//! The lemma is sufficient, not necessary (ESOP'12 Program 4), and so is the analysis: it may name a loop that always ends.

use super::counted::is_counted;
use super::sharing::{Origin, Sharing};
use crate::program::{FunctionId, Program, StmtKind, Validated};
use crate::source::Span;
use std::fmt;

/// A loop or recursion that may be kept going by what threads write: whether the kernel ends may depend on the order in
/// which its threads run, and so on the reconvergence policy.
///
/// ```
/// use simt_core::program::{Program, Validated};
///
/// fn report(program: &Validated<Program>) {
///     for dependence in program.schedule_dependences() {
///         eprintln!("warning: {dependence}");
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScheduleDependence {
    /// What is kept going.
    pub kind: Repetition,
    /// Where the loop, or the recursive call, stands.
    pub span: Span,
    /// The function in which it stands, if it is not the kernel itself.
    pub function: Option<FunctionId>,
    /// The slice or array whose values keep it going, or `active_mask()`.
    pub value: String,
    /// Where the value is read.
    pub read: Span,
}

/// What repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// A loop.
    Loop,
    /// Calls of a function by itself, maybe by way of others.
    Recursion,
}

impl fmt::Display for ScheduleDependence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            Repetition::Loop => "loop",
            Repetition::Recursion => "recursion",
        };
        let Self { span, value, read, .. } = self;
        write!(
            f,
            "the {what} at {}:{} may be kept going by `{value}`, read at {}:{}: under a policy that is not fair it may never end",
            span.line, span.column, read.line, read.column
        )
    }
}

impl Program {
    /// The loops and recursions that may depend on the order in which threads run. If there is none, the kernel is certified:
    /// it ends under every policy, or it ends under none. Source: ESOP'12, Lemma 6, which has no collectives: those that some
    /// lanes do not come to are not looked for, and can be a deadlock under policies that hold lanes back.
    ///
    /// A program that is not valid, which no launch runs, has none; [`validate`](Program::validate) says what is wrong with
    /// it.
    pub fn schedule_dependences(&self) -> Vec<ScheduleDependence> {
        self.clone().validate().map_or_else(|_| Vec::new(), |program| program.schedule_dependences())
    }
}

impl Validated<Program> {
    /// The loops and recursions that may depend on the order in which threads run. If there is none, the kernel is certified:
    /// it ends under every policy, or it ends under none.
    ///
    /// Source: ESOP'12, Lemma 6, which has no collectives: those that some lanes do not come to are not looked for.
    pub fn schedule_dependences(&self) -> Vec<ScheduleDependence> {
        let mut sharing = Sharing::new(self);
        while sharing.pass() {}
        let describe = |kind, span, function, origin: Origin| ScheduleDependence {
            kind,
            span,
            function,
            value: origin.name(self),
            read: origin.span,
        };
        let mut number = 0;
        let mut found = Vec::new();
        for (function, body) in self.bodies() {
            let mut pending: Vec<_> = body.iter().rev().collect();
            while let Some(stmt) = pending.pop() {
                if let StmtKind::While { cond, body, step } = &stmt.kind {
                    if let Some(origin) = sharing.keeps_going(number)
                        && !is_counted(self, *cond, body, step)
                    {
                        found.push(describe(Repetition::Loop, stmt.span, function, origin));
                    }
                    number += 1;
                }
                pending.extend(
                    stmt.kind.blocks().collect::<Vec<_>>().into_iter().rev().flat_map(|block| block.iter().rev()),
                );
            }
        }
        let recursions = sharing.recursions.iter();
        found.extend(
            recursions.map(|&(span, function, origin)| describe(Repetition::Recursion, span, Some(function), origin)),
        );
        found
    }
}
