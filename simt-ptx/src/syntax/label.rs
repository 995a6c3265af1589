//! Labels of a block: places that branches go to, and names of the lists and prototypes behind them.

use super::instruction::{Statement, StatementKind};
use super::{Name, Variable};

/// What a label names.
#[derive(Clone, Copy, Debug)]
pub enum Labelled<'a> {
    /// The place where it stands.
    Place,
    /// The labels of the `.branchtargets` behind it.
    BranchTargets(&'a [Name]),
    /// The prototype of a call of a pointer, or the list of what it may call.
    Prototype(Prototype<'a>),
}

/// What a call of a pointer may call.
#[derive(Clone, Copy, Debug)]
pub enum Prototype<'a> {
    /// It is one of these functions: `.calltargets`.
    Listed(&'a [Name]),
    /// What it returns and takes: `.callprototype`.
    Described {
        /// What it returns.
        returns: &'a [Variable],
        /// What it takes.
        parameters: &'a [Variable],
    },
}

/// The labels of the statements of a block, without those of the blocks in it.
pub fn labels(statements: &[Statement]) -> impl Iterator<Item = (&Name, Labelled<'_>)> {
    statements.iter().enumerate().filter_map(|(at, statement)| {
        let StatementKind::Label(name) = &statement.kind else { return None };
        let labelled = match statements.get(at + 1).map(|behind| &behind.kind) {
            Some(StatementKind::BranchTargets(names)) => Labelled::BranchTargets(names),
            Some(StatementKind::CallTargets(names)) => Labelled::Prototype(Prototype::Listed(names)),
            Some(StatementKind::CallPrototype { returns, parameters, .. }) => {
                Labelled::Prototype(Prototype::Described { returns, parameters })
            }
            _ => Labelled::Place,
        };
        Some((name, labelled))
    })
}
