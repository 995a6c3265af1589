//! Which assignment the value of a register comes from, as in static single assignment form.
//!
//! Where paths with different assignments meet, that is an assignment of its own. Only registers that a block reads before
//! it assigns them are followed from block to block, one after the other: most are temporaries of one block, and code of
//! ten thousand lines has more blocks times registers than memory has room for.

use super::FlowGraph;
use crate::code::{Code, Inst, Operand, Pc, Reg, RegisterRole};
use std::ops::Range;

/// Which assignment a register's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Not known yet.
    Top,
    /// From elsewhere: a caller, or a callee.
    Unknown,
    /// An instruction's.
    Of(usize),
    /// Where paths meet: a number of [`Assignments::meetings`].
    Meeting(usize),
}

/// An assignment where paths meet, at the beginning of a block.
#[derive(Clone, Debug)]
pub(super) struct Meeting {
    pub(super) block: usize,
    /// What the register holds at the end of each block before it.
    pub(super) incoming: Vec<Value>,
}

/// The assignments that registers get their values from.
#[derive(Debug)]
pub(super) struct Assignments<'a> {
    code: &'a Code,
    graph: &'a FlowGraph,
    /// By block: the registers that it reads before it assigns them, and what they hold where it begins.
    before: Vec<Vec<(usize, Value)>>,
    pub(super) meetings: Vec<Meeting>,
}

/// What registers hold at a place of a block: of those only that have been assigned in it, or are read before they are.
#[derive(Debug)]
pub(super) struct Values {
    held: Vec<Value>,
    touched: Vec<usize>,
}

impl<'a> Assignments<'a> {
    pub(super) fn new(code: &'a Code, graph: &'a FlowGraph) -> Self {
        let blocks = graph.successors.len();
        let mut all = Self { code, graph, before: vec![Vec::new(); blocks], meetings: Vec::new() };
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); code.registers.len()];
        // By register: the blocks that assign it, each with what it holds at the end.
        let mut assigned: Vec<Vec<(usize, Value)>> = vec![Vec::new(); code.registers.len()];
        let mut values = all.values();
        for block in 0..blocks {
            for index in all.block(block) {
                for operand in code.reads(Pc(index as u32)) {
                    if let Operand::Reg(Reg(reg)) = operand
                        && values.held[reg as usize] == Value::Top
                        && readers[reg as usize].last() != Some(&block)
                    {
                        readers[reg as usize].push(block);
                    }
                }
                all.assign(index, &mut values);
            }
            for reg in values.touched.drain(..) {
                let last = std::mem::replace(&mut values.held[reg], Value::Top);
                if last != Value::Top {
                    assigned[reg].push((block, last));
                }
            }
        }
        for (reg, (readers, assigned)) in readers.iter().zip(&assigned).enumerate() {
            if !readers.is_empty() {
                all.follow(reg, readers, assigned);
            }
        }
        all
    }

    /// Follows a register from block to block: those that read it, and those that assign it.
    fn follow(&mut self, reg: usize, readers: &[usize], assigned: &[(usize, Value)]) {
        let graph = self.graph;
        let blocks = graph.successors.len();
        let mut last = vec![None; blocks];
        assigned.iter().for_each(|&(block, value)| last[block] = Some(value));
        // While it is followed a meeting has the number of its block.
        let mut before = vec![Value::Top; blocks];
        let mut after = vec![Value::Top; blocks];
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &graph.order {
                // Where values were found to meet, they meet for good: the iteration ends.
                if before[block] != Value::Meeting(block) {
                    let outside = if graph.entries.contains(&block) { Value::Unknown } else { Value::Top };
                    before[block] =
                        graph.predecessors[block].iter().fold(outside, |value, &from| match (value, after[from]) {
                            (value, Value::Top) => value,
                            (Value::Top, other) => other,
                            (value, other) if value == other => value,
                            _ => Value::Meeting(block),
                        });
                }
                let value = last[block].unwrap_or(before[block]);
                changed |= std::mem::replace(&mut after[block], value) != value;
            }
        }
        let instead = one_in_the_end(graph, &before, &after);
        let mut numbers = vec![None; blocks];
        let meets = |&&block: &&usize| before[block] == Value::Meeting(block) && instead[block].is_none();
        for (number, &block) in graph.order.iter().filter(meets).enumerate() {
            numbers[block] = Some(self.meetings.len() + number);
        }
        let value = |value| match resolve(&instead, value) {
            Value::Meeting(block) => numbers[block].map_or(Value::Unknown, Value::Meeting),
            value => value,
        };
        for &block in graph.order.iter().filter(meets) {
            let incoming = graph.predecessors[block].iter().map(|&from| value(after[from])).collect();
            self.meetings.push(Meeting { block, incoming });
        }
        for &block in readers {
            self.before[block].push((reg, value(before[block])));
        }
    }

    /// The instructions of a block.
    pub(super) fn block(&self, block: usize) -> Range<usize> {
        self.graph.cfg.starts[block].index()..self.graph.cfg.ends[block].index()
    }

    /// Room for what registers hold.
    pub(super) fn values(&self) -> Values {
        Values { held: vec![Value::Top; self.code.registers.len()], touched: Vec::new() }
    }

    /// What registers hold where a block begins, of those that it reads then.
    pub(super) fn begin(&self, block: usize, values: &mut Values) {
        values.touched.drain(..).for_each(|reg| values.held[reg] = Value::Top);
        self.before[block].iter().for_each(|&(reg, value)| values.set(reg, value));
    }

    /// What they hold behind an instruction.
    pub(super) fn assign(&self, index: usize, values: &mut Values) {
        let inst = &self.code.insts[index];
        if let Inst::Call { function, .. } = *inst {
            for (reg, register) in self.code.registers.iter().enumerate() {
                if register.function == Some(function) || register.role == RegisterRole::Passing {
                    values.set(reg, Value::Unknown);
                }
            }
        }
        if let Some(Reg(dst)) = inst.destination() {
            values.set(dst as usize, Value::Of(index));
        }
    }
}

impl Values {
    pub(super) fn of(&self, reg: Reg) -> Value {
        self.held[reg.0 as usize]
    }

    fn set(&mut self, reg: usize, value: Value) {
        self.held[reg] = value;
        self.touched.push(reg);
    }
}

/// By block: what a register holds there instead of a value of its own. On the way to the fixed point values may have met
/// that are one in the end, as in a loop that does not assign them.
fn one_in_the_end(graph: &FlowGraph, before: &[Value], after: &[Value]) -> Vec<Option<Value>> {
    let mut instead = vec![None; before.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &graph.order {
            let meeting = Value::Meeting(block);
            if before[block] != meeting || instead[block].is_some() {
                continue;
            }
            let outside = graph.entries.contains(&block).then_some(Value::Unknown);
            let incoming = graph.predecessors[block].iter().map(|&from| resolve(&instead, after[from]));
            let mut others = incoming.chain(outside).filter(|&value| value != meeting && value != Value::Top);
            let Some(only) = others.next().filter(|&first| others.all(|other| other == first)) else { continue };
            instead[block] = Some(only);
            changed = true;
        }
    }
    instead
}

/// The value that stands instead of another, if one does.
fn resolve(instead: &[Option<Value>], mut value: Value) -> Value {
    while let Value::Meeting(block) = value
        && let Some(other) = instead[block]
    {
        value = other;
    }
    value
}
