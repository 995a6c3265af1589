//! The points that stand behind exits that move post-dominators.
//!
//! The immediate post-dominator of a branch is the end of its `if` or loop, unless an exit inside goes past that end: then
//! it is where that exit goes, or further. Threads that leave by themselves do no harm: in `if (e) { .. break; }` the others
//! all go on in one path. The exit must be in two nested statements: `if (a) { if (b) { break; } .. }` parts the threads
//! with *a* from those without until the end of the loop.

use super::{Node, Structured};
use std::collections::BTreeSet;

/// The target of an exit: behind the loop or labelled block so many levels further out, or its next iteration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Break(usize),
    Continue(usize),
    Return,
}

type Targets = BTreeSet<Target>;

/// For each point whether it stands behind such an exit.
pub(super) fn behind(structured: &Structured) -> Vec<bool> {
    let mut walk = Walk { structured, behind: vec![false; structured.points] };
    walk.block(&structured.bodies[0], Targets::new(), false);
    walk.behind
}

/// The exits out of statements.
fn exits(nodes: &[Node]) -> Targets {
    nodes.iter().flat_map(exits_of).collect()
}

fn exits_of(node: &Node) -> Targets {
    match node {
        Node::Point(_) | Node::Call { .. } => Targets::new(),
        Node::If { then, otherwise, .. } => &exits(then) | &exits(otherwise),
        Node::Loop { body, .. } | Node::Labelled(body) => outside(&exits(body)),
        Node::Break(out) => Targets::from([Target::Break(*out)]),
        Node::Continue(out) => Targets::from([Target::Continue(*out)]),
        Node::Return => Targets::from([Target::Return]),
    }
}

/// The exits that go past the loop or labelled block around, as seen from there.
fn outside(targets: &Targets) -> Targets {
    let further = |&target: &Target| match target {
        Target::Break(out) => out.checked_sub(1).map(Target::Break),
        Target::Continue(out) => out.checked_sub(1).map(Target::Continue),
        Target::Return => Some(target),
    };
    targets.iter().filter_map(further).collect()
}

/// The exit as seen from inside a loop or labelled block.
fn inside(targets: &Targets) -> Targets {
    let nearer = |&target: &Target| match target {
        Target::Break(out) => Target::Break(out + 1),
        Target::Continue(out) => Target::Continue(out + 1),
        Target::Return => target,
    };
    targets.iter().map(nearer).collect()
}

/// Whether one arm leaves, all of it by one exit at its end, and the other does not.
fn parts_for_good(then: &[Node], otherwise: &[Node]) -> bool {
    let leaves = |arm: &[Node]| match arm.split_last() {
        Some((Node::Break(_) | Node::Continue(_) | Node::Return, rest)) => exits(rest).is_empty(),
        _ => false,
    };
    leaves(then) && exits(otherwise).is_empty() || leaves(otherwise) && exits(then).is_empty()
}

struct Walk<'s> {
    structured: &'s Structured,
    behind: Vec<bool>,
}

impl Walk<'_> {
    /// Walks a block. `pending` are exits before the block that go past its end, `called` whether its function was called
    /// from a place behind exits. Returns the exits that are pending behind it.
    fn block(&mut self, nodes: &[Node], mut pending: Targets, called: bool) -> Targets {
        for node in nodes {
            match node {
                Node::Point(point) => self.behind[*point] |= called || !pending.is_empty(),
                Node::If { then, otherwise, .. } => {
                    self.block(then, pending.clone(), called);
                    self.block(otherwise, pending.clone(), called);
                    if !parts_for_good(then, otherwise) {
                        pending.extend(exits_of(node));
                    }
                }
                Node::Loop { body, .. } => {
                    let all = exits(body);
                    let past_step = all.iter().any(|&target| target != Target::Continue(0));
                    let mut before = inside(&pending);
                    // An exit that is pending at the end of an iteration is so in the next one, unless it ends there.
                    let mut at_end = Walk { structured: self.structured, behind: self.behind.clone() };
                    let carried = at_end.block(body, before.clone(), called);
                    before.extend(carried.into_iter().filter(|&target| target != Target::Continue(0)));
                    if all.contains(&Target::Continue(0)) && past_step {
                        before.extend(all);
                    }
                    self.block(body, before, called);
                    pending.extend(exits_of(node));
                }
                Node::Labelled(body) => {
                    self.block(body, inside(&pending), called);
                    pending.extend(exits_of(node));
                }
                Node::Call { function, .. } => {
                    let body = &self.structured.bodies[*function];
                    self.block(body, Targets::new(), called || !pending.is_empty());
                }
                Node::Break(_) | Node::Continue(_) | Node::Return => {}
            }
        }
        pending
    }
}
