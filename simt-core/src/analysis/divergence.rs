//! Which values and branches are uniform: the same for all lanes of a warp that execute the instruction together.
//!
//! As `ptxas` sees it. *Uniform* are constants, parameters, lengths, block index and dimensions, votes and `active_mask`, what
//! a shuffle brings to all from one lane, loads from a uniform address (volatile ones too), and what is computed from such
//! values. *Divergent* are the thread's and lane's own numbers, `warp_id` among them, results of atomics, of reductions of the
//! block and of calls, parameters of functions, elements of an array of the thread's own, and
//!
//! * values that depend on the way: where paths meet that lanes parted on, those of a variable with several values;
//! * values that leave a loop which lanes leave one after the other, and those that it carries from iteration to iteration:
//!   its lanes need not be in the same one. If lanes can talk to others in it, it yields, and loops that come behind carry
//!   divergent values, too, as if lanes went on one after the other.
//!
//! Variables are followed assignment by assignment, as in static single assignment form: where paths with different
//! assignments meet, that is an assignment of its own.

use super::FlowGraph;
use super::assignments::{Assignments, Value, Values};
use crate::code::{AddressSpace, Code, Inst, Operand, Pc};
use crate::ops::AtomicOp;
use crate::program::{ArraySpace, Builtin, CollectiveOp, Memory};

/// Which branches lanes may part at.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// For each block whether it ends with a branch whose lanes may go different ways.
    pub branches: Vec<bool>,
}

struct Analysis<'a> {
    code: &'a Code,
    graph: &'a FlowGraph,
    assignments: Assignments<'a>,
    /// By instruction: whether its result is divergent.
    results: Vec<bool>,
    /// By meeting: whether its value is divergent.
    meetings: Vec<bool>,
    branches: Vec<bool>,
    /// By block: whether lanes that parted may meet there.
    joins: Vec<bool>,
    /// By loop: whether lanes may leave it one after the other.
    left_in_turn: Vec<bool>,
    /// By loop: whether threads can talk to others in it.
    talking: Vec<bool>,
}

impl Divergence {
    /// The divergent branches of code.
    pub fn new(code: &Code, graph: &FlowGraph) -> Self {
        let blocks = graph.successors.len();
        let assignments = Assignments::new(code, graph);
        let mut analysis = Analysis {
            code,
            graph,
            results: vec![false; code.insts.len()],
            meetings: vec![false; assignments.meetings.len()],
            assignments,
            branches: vec![false; blocks],
            joins: vec![false; blocks],
            left_in_turn: vec![false; graph.loops.len()],
            talking: super::talking_loops(code, graph),
        };
        let mut values = analysis.assignments.values();
        while analysis.step(&mut values) {}
        Self { branches: analysis.branches }
    }
}

impl Analysis<'_> {
    /// One round over the code. Returns whether it found something divergent.
    fn step(&mut self, values: &mut Values) -> bool {
        let mut found = false;
        for (number, meeting) in self.assignments.meetings.iter().enumerate() {
            let mut incoming = meeting.incoming.iter();
            let differs = !self.meetings[number]
                && (self.joins[meeting.block] || incoming.any(|&value| self.is_divergent(value, meeting.block)));
            self.meetings[number] |= differs;
            found |= differs;
        }
        for &block in &self.graph.order {
            self.assignments.begin(block, values);
            for index in self.assignments.block(block) {
                let inst = &self.code.insts[index];
                if !self.results[index] && inst.destination().is_some() && self.result(index, values, block) {
                    self.results[index] = true;
                    found = true;
                }
                let condition = match *inst {
                    Inst::Branch { cond, .. } => Some(cond),
                    Inst::Indirect { index, .. } => Some(index),
                    _ => None,
                };
                if let Some(cond) = condition
                    && !self.branches[block]
                    && self.graph.successors[block].len() > 1
                    && self.differs(cond, values, block)
                {
                    self.branches[block] = true;
                    self.lanes_part(block);
                    found = true;
                }
                self.assignments.assign(index, values);
            }
        }
        found
    }

    /// Whether lanes have different results of an instruction.
    fn result(&self, index: usize, values: &Values, block: usize) -> bool {
        let differs = |operand| self.differs(operand, values, block);
        let (inst, pc) = (&self.code.insts[index], Pc(index as u32));
        // Of a guarded instruction some lanes may keep what was there.
        if let Some(guard) = self.code.guard(pc) {
            let old = inst.destination().is_some_and(|dst| differs(Operand::Reg(dst)));
            if old || differs(Operand::Reg(guard.reg)) {
                return true;
            }
        }
        match *inst {
            Inst::Load { slice, index, .. } | Inst::Atomic { op: AtomicOp::Load, slice, index, .. } => {
                self.is_own(slice) || differs(index)
            }
            Inst::LoadAt { at, .. } | Inst::AtomicAt { op: AtomicOp::Load, at, .. } => {
                // A generic address may be of the thread's own memory.
                matches!(at.space, AddressSpace::Local | AddressSpace::Generic) || differs(at.base)
            }
            Inst::Atomic { .. } | Inst::AtomicAt { .. } | Inst::Barrier { .. } | Inst::Marker(_) => true,
            Inst::Collective { op, mask, value, lane, .. } => {
                let from_one = matches!(op, CollectiveOp::Shuffle) && !lane.is_some_and(differs);
                let like = op == CollectiveOp::MatchAny && value.is_some_and(differs);
                like || (op.is_shuffle() && !from_one) || mask.is_some_and(differs)
            }
            ref inst => self.code.operands(inst).any(differs),
        }
    }

    /// Whether each thread has elements of its own.
    fn is_own(&self, memory: Memory) -> bool {
        matches!(memory, Memory::Array(array) if self.code.arrays[array.0 as usize].space == ArraySpace::Local)
    }

    fn differs(&self, operand: Operand, values: &Values, block: usize) -> bool {
        match operand {
            Operand::Reg(reg) => self.is_divergent(values.of(reg), block),
            Operand::Const(_) | Operand::Param(_) | Operand::Len(_) | Operand::Symbol(_) | Operand::ParamAddress(_) => {
                false
            }
            Operand::Builtin(builtin) => matches!(
                builtin,
                Builtin::GlobalId
                    | Builtin::LaneId
                    | Builtin::WarpId
                    | Builtin::ThreadIdxX
                    | Builtin::ThreadIdxY
                    | Builtin::ThreadIdxZ
            ),
        }
    }

    fn is_divergent(&self, value: Value, user: usize) -> bool {
        let (from, divergent) = match value {
            Value::Top => return false,
            Value::Unknown => return true,
            Value::Of(index) => (self.graph.cfg.block_of[index], self.results[index]),
            Value::Meeting(number) => (self.assignments.meetings[number].block, self.meetings[number]),
        };
        let leaves = |(l, &in_turn): (&super::Loop, &bool)| in_turn && l.contains[from] && !l.contains[user];
        divergent || self.graph.loops.iter().zip(&self.left_in_turn).any(leaves)
    }

    /// Lanes part at the end of a block: where they may meet, and which loops they leave in turn.
    fn lanes_part(&mut self, at: usize) {
        let (code, graph) = (self.code, self.graph);
        // Lanes with a bare `return` are gone; those that stay in the loop are together.
        let ends = |next: usize| matches!(code.inst(graph.cfg.starts[next]), Inst::Exit);
        for ((l, in_turn), &talks) in graph.loops.iter().zip(&mut self.left_in_turn).zip(&self.talking) {
            let leaves = |&&next: &&usize| !l.contains[next];
            *in_turn |= l.contains[at] && graph.successors[at].iter().any(|next| leaves(&next) && !ends(*next));
            self.joins[l.header] |= *in_turn;
            if talks && *in_turn {
                let exits = (0..l.contains.len())
                    .filter(|&from| l.contains[from])
                    .flat_map(|from| graph.successors[from].iter().filter(leaves));
                let behind = graph.reachable(exits.copied(), |block| block == l.header);
                let begin = graph.loops.iter().map(|other| other.header);
                begin.filter(|&header| behind[header]).for_each(|header| self.joins[header] = true);
            }
        }
        for (join, found) in self.joins.iter_mut().zip(joins(graph, at)) {
            *join |= found;
        }
    }
}

/// The blocks where lanes that part at the end of a block may meet: two paths from there lead to it that have no block in
/// common before. Each way out has a name of its own, which goes on along the edges; where two names come, a third begins.
pub fn joins(graph: &FlowGraph, at: usize) -> Vec<bool> {
    let mut names: Vec<Option<usize>> = vec![None; graph.successors.len()];
    let mut joins = vec![false; names.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for &block in graph.order.iter().filter(|&&block| block != at) {
            let name = |&from: &usize| if from == at { Some(block) } else { names[from] };
            let mut incoming = graph.predecessors[block].iter().filter_map(name);
            let Some(first) = incoming.next() else { continue };
            let meet = joins[block] || incoming.any(|other| other != first);
            let name = Some(if meet { block } else { first });
            if names[block] != name || joins[block] != meet {
                (names[block], joins[block]) = (name, meet);
                changed = true;
            }
        }
    }
    joins
}

#[cfg(test)]
mod tests;
