//! Random structured programs. They end: loops count, and functions call only those behind them.

use super::{Condition, Node, Structured, Value};
use crate::Random;

/// Deepest nesting of statements.
const DEPTH: usize = 4;
/// Most loops around each other: with functions, a thread visits some thousand points at most.
const LOOPS: usize = 2;

struct Generator {
    random: Random,
    points: usize,
    sites: u32,
    functions: usize,
    /// Statements that the body may still get.
    size: usize,
}

/// The place of a statement.
#[derive(Clone, Default)]
struct Place {
    /// The number of the body: 0 is the kernel's.
    body: usize,
    depth: usize,
    /// The statements around, innermost last: whether it is a loop; else it is a labelled block.
    around: Vec<bool>,
}

impl Place {
    fn inner(&self) -> Self {
        Self { depth: self.depth + 1, ..self.clone() }
    }

    fn within(&self, is_loop: bool) -> Self {
        let mut inner = self.inner();
        inner.around.push(is_loop);
        inner
    }

    fn loops(&self) -> usize {
        self.around.iter().filter(|&&is_loop| is_loop).count()
    }
}

pub(super) fn program(seed: u64) -> Structured {
    let mut random = Random::new(seed);
    let functions = random.below(3);
    let mut generator = Generator { random, points: 0, sites: 0, functions, size: 0 };
    let bodies = (0..=functions)
        .map(|body| {
            generator.size = if body == 0 { 24 } else { 8 };
            let mut nodes = generator.block(&Place { body, ..Place::default() }, 5);
            nodes.push(generator.point());
            nodes
        })
        .collect();
    Structured { bodies, points: generator.points }
}

impl Generator {
    fn point(&mut self) -> Node {
        self.points += 1;
        Node::Point(self.points - 1)
    }

    fn value(&mut self, below: u32) -> Value {
        let mut factor = || self.random.below(7) as u32;
        Value { lane: 1 + factor(), iteration: factor(), plus: factor(), below }
    }

    fn condition(&mut self) -> Condition {
        let below = 2 + self.random.below(4) as u32;
        let less = 1 + self.random.below(below as usize - 1) as u32;
        Condition { value: self.value(below), less }
    }

    /// Some statements, with points between them.
    fn block(&mut self, place: &Place, most: usize) -> Vec<Node> {
        let mut nodes = vec![self.point()];
        for _ in 0..self.random.below(most + 1) {
            if self.size == 0 {
                break;
            }
            self.size -= 1;
            nodes.push(self.statement(place));
            nodes.push(self.point());
        }
        // A statement behind an exit is never reached.
        if place.depth > 0 && self.random.once_in(4) {
            nodes.push(self.exit(place));
        }
        nodes
    }

    fn statement(&mut self, place: &Place) -> Node {
        match self.random.below(8) {
            0..=1 if place.depth < DEPTH && place.loops() < LOOPS => {
                let below = 2 + self.random.below(3) as u32;
                Node::Loop { trips: self.value(below), body: self.block(&place.within(true), 3) }
            }
            2 if place.depth < DEPTH => Node::Labelled(self.block(&place.within(false), 3)),
            3 if place.body < self.functions && place.loops() < LOOPS => {
                let behind = self.functions - place.body;
                let function = place.body + 1 + self.random.below(behind);
                self.sites += 1;
                Node::Call { function, site: self.sites }
            }
            _ if place.depth < DEPTH => {
                let cond = self.condition();
                let then = self.block(&place.inner(), 2);
                let otherwise = if self.random.once_in(2) { self.block(&place.inner(), 2) } else { Vec::new() };
                Node::If { cond, then, otherwise }
            }
            _ => self.point(),
        }
    }

    fn exit(&mut self, place: &Place) -> Node {
        let around = place.around.len();
        if around == 0 || self.random.once_in(5) {
            return Node::Return;
        }
        let out = self.random.below(around);
        if place.around[around - 1 - out] && self.random.once_in(2) { Node::Continue(out) } else { Node::Break(out) }
    }
}
