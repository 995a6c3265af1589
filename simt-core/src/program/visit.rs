//! Walks over statements.
//!
//! They keep their own stack instead of recursing, so that a program nested too deeply to be valid cannot overflow the
//! thread's.

use super::{Block, ExprId, Stmt, StmtKind, VarId};
use crate::source::Span;
use smallvec::{SmallVec, smallvec};

impl StmtKind {
    /// The expressions that the statement itself evaluates, in that order; not those of the statements inside it.
    pub fn exprs(&self) -> impl Iterator<Item = ExprId> + use<> {
        let exprs: SmallVec<[ExprId; 4]> = match self {
            Self::Assign { value, .. } | Self::Evaluate { value } => smallvec![*value],
            Self::Store { index, value, .. } => smallvec![*index, *value],
            Self::If { cond, .. } | Self::While { cond, .. } => smallvec![*cond],
            Self::Call { args, .. } | Self::Print { args, .. } | Self::Panic { args, .. } => {
                args.iter().copied().collect()
            }
            Self::Atomic { index, operands, .. } => std::iter::once(index).chain(operands).copied().collect(),
            Self::Collective { mask, args, .. } => mask.iter().chain(args).copied().collect(),
            Self::Barrier { index, threads, value, .. } => index.iter().chain(threads).chain(value).copied().collect(),
            Self::Skip | Self::Break { .. } | Self::Continue { .. } | Self::Return | Self::Fence { .. } => smallvec![],
        };
        exprs.into_iter()
    }

    /// The variable that the statement itself assigns.
    pub fn assigned(&self) -> Option<VarId> {
        match *self {
            Self::Assign { var, .. } => Some(var),
            Self::Call { result, .. }
            | Self::Atomic { result, .. }
            | Self::Collective { result, .. }
            | Self::Barrier { result, .. } => result,
            Self::Skip
            | Self::Store { .. }
            | Self::Evaluate { .. }
            | Self::If { .. }
            | Self::While { .. }
            | Self::Break { .. }
            | Self::Continue { .. }
            | Self::Return
            | Self::Fence { .. }
            | Self::Print { .. }
            | Self::Panic { .. } => None,
        }
    }

    /// The statement lists inside the statement, in the order they are written.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let (first, second) = match self {
            Self::If { then, otherwise, .. } => (Some(then), Some(otherwise)),
            Self::While { body, step, .. } => (Some(body), Some(step)),
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// The `if` that an `else` consists of, if it holds nothing else: the two are written `else if`, and the second counts as
/// no deeper than the first. A walk of statements follows such chains in a loop, because a `match` makes long ones.
pub fn else_if(otherwise: &[Stmt]) -> Option<&Stmt> {
    match otherwise {
        [stmt @ Stmt { kind: StmtKind::If { .. }, .. }] => Some(stmt),
        _ => None,
    }
}

/// Whether the body of a loop holds a `continue` of that loop, and so each iteration pushes a cont token.
pub fn continues(body: &[Stmt]) -> bool {
    any_of_loop(body, |kind, depth| matches!(kind, StmtKind::Continue { out } if *out == depth))
}

/// Whether a loop inside the body of a loop holds a `break` or `continue` of the outer one, which so needs a label.
pub(super) fn needs_label(body: &[Stmt]) -> bool {
    any_of_loop(body, |kind, depth| match kind {
        StmtKind::Break { out } | StmtKind::Continue { out } => *out == depth && depth > 0,
        _ => false,
    })
}

/// Whether a statement in the body of a loop passes the test, which also gets the number of loops between the two.
fn any_of_loop(body: &[Stmt], is: impl Fn(&StmtKind, u32) -> bool) -> bool {
    let mut pending = vec![(body, 0)];
    while let Some((block, depth)) = pending.pop() {
        for stmt in block {
            match &stmt.kind {
                kind if is(kind, depth) => return true,
                StmtKind::If { then, otherwise, .. } => {
                    pending.extend([(then.as_slice(), depth), (otherwise.as_slice(), depth)]);
                }
                StmtKind::While { body, .. } => pending.push((body, depth + 1)),
                _ => {}
            }
        }
    }
    false
}

/// How statements nest too deeply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooDeep {
    /// Inside too many other statements.
    Nested,
    /// Behind too many `else if`s.
    Chained,
}

/// A statement that has `levels` or more statements around it, chains of `else if` counted once, or `links` or more
/// `else if`s around it, if there is one.
pub(crate) fn deeper_than(levels: usize, links: usize, body: &[Stmt]) -> Option<(TooDeep, Span)> {
    let mut pending = vec![(body, 0, 0)];
    while let Some((block, level, link)) = pending.pop() {
        let Some(first) = block.first() else { continue };
        if level == levels {
            return Some((TooDeep::Nested, first.span));
        }
        if link == links {
            return Some((TooDeep::Chained, first.span));
        }
        for stmt in block {
            match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    pending.push((then, level + 1, link));
                    let chained = usize::from(else_if(otherwise).is_some());
                    pending.push((otherwise, level + 1 - chained, link + chained));
                }
                StmtKind::While { body, step, .. } => {
                    pending.extend([(body.as_slice(), level + 1, link), (step.as_slice(), level + 1, link)]);
                }
                _ => {}
            }
        }
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
                _ => {}
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
        let next = || stmt(StmtKind::Continue { out: 0 });
        let inner = |body| stmt(StmtKind::While { cond: ExprId(0), body, step: vec![] });
        assert!(!continues(&[]));
        assert!(continues(&[next()]));
        assert!(continues(&[if_(vec![], vec![if_(vec![next()], vec![])])]));
        assert!(!continues(&[inner(vec![next()])]));
        assert!(continues(&[inner(vec![next()]), next()]));
    }

    fn while_(body: Block) -> Stmt {
        stmt(StmtKind::While { cond: ExprId(0), body, step: vec![] })
    }

    #[test]
    fn a_continue_may_stand_in_loops_inside_its_own() {
        let next = |out| stmt(StmtKind::Continue { out });
        let within = |exit| continues(&[while_(vec![if_(vec![while_(vec![exit])], vec![])])]);
        assert_eq!([0, 1, 2, 3].map(|out| within(next(out))), [false, false, true, false]);
        assert!(!within(stmt(StmtKind::Break { out: 2 })));
    }

    #[test]
    fn a_label_is_for_exits_from_within_inner_loops() {
        let leave = |out| vec![stmt(StmtKind::Break { out })];
        assert!(!needs_label(&leave(0)));
        assert!(!needs_label(&leave(1)), "that one is for a loop further out");
        assert!(!needs_label(&[while_(leave(0))]));
        assert!(needs_label(&[while_(leave(1))]));
        assert!(needs_label(&[while_(vec![stmt(StmtKind::Continue { out: 1 })])]));
    }

    #[test]
    fn depth_counts_the_statements_around() {
        let nested = [if_(vec![if_(vec![], vec![stmt(StmtKind::Skip)])], vec![])];
        assert_eq!(deeper_than(3, 1, &nested), None);
        assert_eq!(deeper_than(2, 1, &nested), Some((TooDeep::Nested, Span::default())));
        assert_eq!(deeper_than(0, 1, &[]), None);
        assert_eq!(deeper_than(1, 1, &[if_(vec![], vec![]), while_(vec![])]), None);
        // Behind an empty block too.
        let last = [if_(vec![], vec![]), while_(nested.to_vec())];
        assert_eq!(deeper_than(3, 9, &last), Some((TooDeep::Nested, Span::default())));
    }

    #[test]
    fn a_chain_of_else_if_is_one_level() {
        let chain = (0..100).fold(if_(vec![], vec![]), |last, _| if_(vec![stmt(StmtKind::Skip)], vec![last]));
        let chain = [chain];
        assert_eq!(deeper_than(2, 101, &chain), None);
        assert_eq!(deeper_than(2, 100, &chain), Some((TooDeep::Chained, Span::default())));
        assert_eq!(deeper_than(1, 101, &chain), Some((TooDeep::Nested, Span::default())));
        let alone = [if_(vec![], vec![stmt(StmtKind::Skip), if_(vec![stmt(StmtKind::Skip)], vec![])])];
        assert_eq!(deeper_than(2, 9, &alone), Some((TooDeep::Nested, Span::default())));
    }
}
