//! The points that each thread of a structured program visits when it runs alone, and the threads that belong together.

use super::{Condition, Node, Structured, Value};
use simt_core::LaneMask;
use std::collections::BTreeMap;

/// A dynamic instance of a point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Visit {
    pub(super) point: usize,
    /// The calls and the iterations of loops around it, outermost first.
    path: Vec<u32>,
}

/// The end of a statement.
enum Next {
    Fall,
    Break(usize),
    Continue(usize),
    Return,
}

struct Thread<'s> {
    structured: &'s Structured,
    lane: u32,
    path: Vec<u32>,
    visits: Vec<Visit>,
}

/// The points that the thread of a lane visits, in order.
pub(super) fn run(structured: &Structured, lane: u32) -> Vec<Visit> {
    let mut thread = Thread { structured, lane, path: Vec::new(), visits: Vec::new() };
    thread.block(&structured.bodies[0], 0);
    thread.visits
}

/// The lanes that visit each instance of a point.
pub(super) fn together(visits: &[Vec<Visit>]) -> BTreeMap<&Visit, LaneMask> {
    let mut together: BTreeMap<&Visit, LaneMask> = BTreeMap::new();
    for (lane, visits) in visits.iter().enumerate() {
        for visit in visits {
            let mask = together.entry(visit).or_default();
            *mask |= LaneMask::lane(lane);
        }
    }
    together
}

impl Value {
    fn of(self, lane: u32, iteration: u32) -> u32 {
        (self.lane * lane + self.iteration * iteration + self.plus) % self.below
    }
}

impl Condition {
    fn holds(self, lane: u32, iteration: u32) -> bool {
        self.value.of(lane, iteration) < self.less
    }
}

impl Thread<'_> {
    fn block(&mut self, nodes: &[Node], iteration: u32) -> Next {
        for node in nodes {
            match self.node(node, iteration) {
                Next::Fall => {}
                next => return next,
            }
        }
        Next::Fall
    }

    fn node(&mut self, node: &Node, iteration: u32) -> Next {
        match node {
            Node::Point(point) => self.visits.push(Visit { point: *point, path: self.path.clone() }),
            Node::If { cond, then, otherwise } => {
                let arm = if cond.holds(self.lane, iteration) { then } else { otherwise };
                return self.block(arm, iteration);
            }
            Node::Loop { trips, body } => {
                for number in 0..trips.of(self.lane, iteration) {
                    self.path.push(number);
                    let next = self.block(body, number);
                    self.path.pop();
                    match next {
                        Next::Fall | Next::Continue(0) => {}
                        Next::Break(0) => break,
                        Next::Break(out) => return Next::Break(out - 1),
                        Next::Continue(out) => return Next::Continue(out - 1),
                        Next::Return => return Next::Return,
                    }
                }
            }
            Node::Labelled(body) => match self.block(body, iteration) {
                Next::Fall | Next::Break(0) => {}
                Next::Break(out) => return Next::Break(out - 1),
                Next::Continue(out) => return Next::Continue(out.saturating_sub(1)),
                Next::Return => return Next::Return,
            },
            Node::Break(out) => return Next::Break(*out),
            Node::Continue(out) => return Next::Continue(*out),
            Node::Return => return Next::Return,
            Node::Call { function, site } => {
                let structured = self.structured;
                self.path.push(*site);
                self.block(&structured.bodies[*function], iteration);
                self.path.pop();
            }
        }
        Next::Fall
    }
}
