//! What a tree says is held against what it declares: names, types, widths, counts, labels, spaces.
//!
//! A module without problems here is one that can be lowered, and what is out of scope is listed by name.

mod call;
mod function;
mod instruction;
mod module;
mod operand;
mod sequence;
mod types;
mod value;

use crate::problem::{Lines, Problem, Problems};
use crate::scope::Scopes;
use crate::span::Span;
use crate::syntax::{Function, Module, Name, Prototype};
use std::collections::{HashMap, HashSet};

/// The largest row of registers, and the largest sum of registers of a function.
pub const MOST_REGISTERS: u64 = 1 << 20;

/// Checks a module, of whose text the lines are shown.
#[must_use]
pub fn check(module: &Module, text: &str) -> Problems {
    let mut checker = Checker {
        lines: Lines::new(text),
        problems: Problems::default(),
        scopes: Scopes::new(module),
        labels: Vec::new(),
        function: None,
        registers: 0,
        sequence: sequence::Sequence::default(),
    };
    checker.module(module);
    checker.problems.problems.sort_by_key(|problem| (problem.span.line, problem.span.column));
    checker.problems
}

/// The labels of a block, and those of them at which a list of targets stands.
#[derive(Default)]
struct Labels<'a> {
    places: HashSet<&'a str>,
    branch_targets: HashSet<&'a str>,
    /// Lists of functions and prototypes, with their labels.
    prototypes: HashMap<&'a str, (&'a Name, Prototype<'a>)>,
}

struct Checker<'a> {
    lines: Lines<'a>,
    problems: Problems,
    scopes: Scopes<'a>,
    /// The labels of the blocks around a statement, the outermost first.
    labels: Vec<Labels<'a>>,
    /// The function that is checked.
    function: Option<&'a Function>,
    /// How many registers it has so far.
    registers: u64,
    /// What has been passed in front of the place in the function.
    sequence: sequence::Sequence<'a>,
}

impl Checker<'_> {
    /// Notes a problem at a place.
    fn problem(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>, help: impl Into<String>) {
        let Checker { lines, problems, .. } = self;
        problems.push(|| Problem::new(lines, span, message).label(label).help(help));
    }

    /// Notes what is out of scope.
    fn unsupported(&mut self, name: impl Into<String>, reason: &'static str, span: Span) {
        self.problems.push_unsupported(name.into(), reason, span);
    }
}
