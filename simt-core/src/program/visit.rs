//! Walks over statements.
//!
//! They keep their own stack instead of recursing, so that a program nested too deeply to be valid cannot overflow the
//! thread's.

use super::{Block, ExprId, Stmt, StmtKind};
use crate::source::Span;

impl StmtKind {
    /// The expressions that the statement itself evaluates, in that order; not those of the statements inside it.
    pub fn exprs(&self) -> impl Iterator<Item = ExprId> + use<> {
        let (first, second) = match *self {
            Self::Assign { value, .. } | Self::Evaluate { value } => (Some(value), None),
            Self::Store { index, value, .. } => (Some(index), Some(value)),
            Self::If { cond, .. } | Self::While { cond, .. } => (Some(cond), None),
            Self::Skip | Self::Break | Self::Continue | Self::Return => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The statement lists inside the statement, in the order they are written.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let (first, second) = match self {
            Self::If { then, otherwise, .. } => (Some(then), Some(otherwise)),
            Self::While { body, step, .. } => (Some(body), Some(step)),
            Self::Skip
            | Self::Assign { .. }
            | Self::Store { .. }
            | Self::Evaluate { .. }
            | Self::Break
            | Self::Continue
            | Self::Return => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// Whether the body of a loop holds a `continue` of that loop, and so each iteration pushes a cont token.
///
/// A `continue` inside a loop of the body is that inner loop's.
pub fn continues(body: &[Stmt]) -> bool {
    let mut pending = vec![body];
    while let Some(block) = pending.pop() {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Continue => return true,
                StmtKind::If { then, otherwise, .. } => pending.extend([then.as_slice(), otherwise]),
                StmtKind::While { .. }
                | StmtKind::Skip
                | StmtKind::Assign { .. }
                | StmtKind::Store { .. }
                | StmtKind::Evaluate { .. }
                | StmtKind::Break
                | StmtKind::Return => {}
            }
        }
    }
    false
}

/// A statement that has `limit` or more statements around it, if there is one.
pub(super) fn deeper_than(limit: usize, body: &[Stmt]) -> Option<Span> {
    let mut pending = vec![(body, 0)];
    while let Some((block, level)) = pending.pop() {
        let first = block.first()?;
        if level == limit {
            return Some(first.span);
        }
        let inner = block.iter().flat_map(|stmt| stmt.kind.blocks());
        pending.extend(inner.filter(|block| !block.is_empty()).map(|block| (block.as_slice(), level + 1)));
    }
    None
}

/// Drops statements one level at a time: dropping a deeply nested `Vec` as a whole recurses.
pub(super) fn dismantle(body: Block) {
    let mut pending = vec![body];
    while let Some(block) = pending.pop() {
        for stmt in block {
            match stmt.kind {
                StmtKind::If { then, otherwise, .. } => pending.extend([then, otherwise]),
                StmtKind::While { body, step, .. } => pending.extend([body, step]),
                StmtKind::Skip
                | StmtKind::Assign { .. }
                | StmtKind::Store { .. }
                | StmtKind::Evaluate { .. }
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stmt(kind: StmtKind) -> Stmt {
        Stmt { kind, span: Span::default() }
    }

    fn if_(then: Block, otherwise: Block) -> Stmt {
        stmt(StmtKind::If { cond: ExprId(0), then, otherwise })
    }

    #[test]
    fn a_continue_belongs_to_the_innermost_loop() {
        let next = || stmt(StmtKind::Continue);
        let inner = |body| stmt(StmtKind::While { cond: ExprId(0), body, step: vec![] });
        assert!(!continues(&[]));
        assert!(continues(&[next()]));
        assert!(continues(&[if_(vec![], vec![if_(vec![next()], vec![])])]));
        assert!(!continues(&[inner(vec![next()])]));
        assert!(continues(&[inner(vec![next()]), next()]));
    }

    #[test]
    fn depth_counts_the_statements_around() {
        let nested = [if_(vec![], vec![if_(vec![stmt(StmtKind::Skip)], vec![])])];
        assert_eq!(deeper_than(3, &nested), None);
        assert_eq!(deeper_than(2, &nested), Some(Span::default()));
        assert_eq!(deeper_than(0, &[]), None);
    }
}
