//! The control-flow graph as the placement sees it: with the edges that lanes leave it on.

use crate::analysis::FlowGraph;
use crate::code::{Code, Inst};
use std::ops::Deref;

/// The graph, and which of its edges count as ends.
pub(super) struct Ways {
    graph: FlowGraph,
    /// Blocks from which threads come to ends of the kernel, but not to the one that stands last in it.
    ends_early: Vec<bool>,
    /// Edges on which threads leave a loop for good, though not by an early end, sorted.
    left: Vec<(usize, usize)>,
}

impl Deref for Ways {
    type Target = FlowGraph;

    fn deref(&self) -> &FlowGraph {
        &self.graph
    }
}

impl Ways {
    /// The ways through code, of which no loop is left for good yet.
    pub(super) fn new(code: &Code) -> Self {
        let graph = FlowGraph::new(code);
        let ends_early = early_ends(code, &graph);
        Self { graph, ends_early, left: Vec::new() }
    }

    /// Lets threads leave for good on edges.
    pub(super) fn leave(&mut self, edges: impl Iterator<Item = (usize, usize)>) {
        self.left.extend(edges);
        self.left.sort_unstable();
    }

    /// Whether threads that go from a block to the next do nothing more but exit, where others go on.
    pub(super) fn only_exits(&self, from: usize, next: usize) -> bool {
        if self.left.binary_search(&(from, next)).is_ok() {
            return true;
        }
        if self.ends_early[next] && !self.ends_early[from] {
            return true;
        }
        if !self.ends_early[next] || self.predecessors[next] != [from] {
            return false;
        }
        // Where all ends are early ones, those that only this branch leads to.
        let tail = self.reachable([next], |_| false);
        (0..tail.len()).filter(|&block| tail[block]).all(|block| block != from && self.dominates(next, block))
    }
}

fn early_ends(code: &Code, graph: &FlowGraph) -> Vec<bool> {
    let end = code.functions.iter().map(|f| f.entry.index()).min().unwrap_or(code.insts.len());
    let last =
        end.checked_sub(1).filter(|&last| matches!(code.insts[last], Inst::Exit)).map(|last| graph.cfg.block_of[last]);
    let returns = |&block: &usize| matches!(code.insts[graph.cfg.ends[block].index() - 1], Inst::Return);
    let ends = graph.order.iter().copied().filter(|&block| graph.successors[block].is_empty());
    let (late, early): (Vec<usize>, Vec<usize>) = ends.partition(|block| Some(*block) == last || returns(block));
    let (late, early) = (graph.reaching(late, |_| false), graph.reaching(early, |_| false));
    early.into_iter().zip(late).map(|(early, late)| early && !late).collect()
}
