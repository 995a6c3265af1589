//! The control-flow graph with what the placement of convergence barriers asks of it: dominators and loops.
//!
//! The kernel and its functions are one graph whose parts do not touch: behind a call comes the next address.

use super::Cfg;
use crate::code::{Code, Inst};
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

/// A natural loop: the blocks from which a jump back to the header comes, and all between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The block where it begins; it dominates the others.
    pub header: usize,
    /// The blocks that jump back.
    pub latches: Vec<usize>,
    /// For each block of the graph whether it is in the loop.
    pub contains: Vec<bool>,
}

/// Basic blocks, their edges, and what follows from them. Blocks that no thread reaches have no edges.
#[derive(Clone, Debug)]
pub struct FlowGraph {
    /// The blocks.
    pub cfg: Cfg,
    /// For each block those that may come next; none behind a `panic`, which ends the launch.
    pub successors: Vec<Vec<usize>>,
    /// For each block those that may come before.
    pub predecessors: Vec<Vec<usize>>,
    /// The blocks where the kernel and the functions begin.
    pub entries: Vec<usize>,
    /// The blocks that threads reach, each before those that come behind it but for jumps back.
    pub order: Vec<usize>,
    /// The loops, outer ones first.
    pub loops: Vec<Loop>,
    /// For each block how many loops are around it.
    pub depths: Vec<usize>,
    /// Blocks of a kernel or function that has a circle with several entries.
    pub irreducible: Vec<bool>,
    /// Blocks from which threads come to ends of the kernel, but not to the one that stands last in it.
    pub ends_early: Vec<bool>,
    /// Edges on which threads leave a loop for good, though not by an early end, sorted. The placement of barriers chooses
    /// them.
    pub left: Vec<(usize, usize)>,
    dominators: Vec<Option<usize>>,
    /// By block: its number in the tree of dominators, and the last number of those that it dominates.
    ///
    /// PERF: the placement of barriers asks for each barrier and block whether one dominates the other.
    dominated: Vec<(usize, usize)>,
}

impl FlowGraph {
    /// The graph of code.
    pub fn new(code: &Code) -> Self {
        let cfg = Cfg::new(code);
        let mut successors = cfg.successors.clone();
        for (inst, &block) in code.insts.iter().zip(&cfg.block_of) {
            if matches!(inst, Inst::Panic { .. }) {
                successors[block].clear();
            }
        }
        for next in &mut successors {
            next.sort_unstable();
            next.dedup();
        }
        let entries: Vec<usize> =
            std::iter::once(0).chain(code.functions.iter().map(|f| cfg.block_of[f.entry.index()])).collect();
        let order = reverse_postorder(&successors, &entries);
        let len = successors.len();
        let mut reached = vec![false; len];
        order.iter().for_each(|&block| reached[block] = true);
        for (block, next) in successors.iter_mut().enumerate() {
            if !reached[block] {
                next.clear();
            }
        }
        let mut predecessors = vec![Vec::new(); len];
        for (block, next) in successors.iter().enumerate() {
            next.iter().for_each(|&next| predecessors[next].push(block));
        }
        let dominators = dominators(&successors, &entries);
        let dominated = dominated(&dominators, &order);
        let mut graph = Self {
            cfg,
            successors,
            predecessors,
            entries,
            order,
            loops: Vec::new(),
            depths: vec![0; len],
            irreducible: vec![false; len],
            ends_early: vec![false; len],
            left: Vec::new(),
            dominators,
            dominated,
        };
        graph.find_loops();
        graph.find_early_ends(code);
        graph
    }

    /// The block that every path to a block passes last; none for an entry.
    pub fn immediate_dominator(&self, block: usize) -> Option<usize> {
        self.dominators[block]
    }

    /// Whether every path to `block` passes `above`.
    pub fn dominates(&self, above: usize, block: usize) -> bool {
        let (first, last) = self.dominated[above];
        (first..=last).contains(&self.dominated[block].0)
    }

    /// The nearest block that dominates both.
    pub fn common_dominator(&self, left: usize, right: usize) -> Option<usize> {
        let (mut left, right) = (left, right);
        while !self.dominates(left, right) {
            left = self.dominators[left]?;
        }
        Some(left)
    }

    /// The blocks that can be reached from others, those included, without passing a block for which `stop` holds.
    pub fn reachable(&self, from: impl IntoIterator<Item = usize>, stop: impl Fn(usize) -> bool) -> Vec<bool> {
        walk(&self.successors, from, stop)
    }

    /// The blocks from which others can be reached, those included, without passing a block for which `stop` holds.
    pub fn reaching(&self, from: impl IntoIterator<Item = usize>, stop: impl Fn(usize) -> bool) -> Vec<bool> {
        walk(&self.predecessors, from, stop)
    }

    /// The loops around a block, outer ones first.
    pub fn loops_around(&self, block: usize) -> impl Iterator<Item = &Loop> {
        self.loops.iter().filter(move |l| l.contains[block])
    }

    fn find_early_ends(&mut self, code: &Code) {
        let end = code.functions.iter().map(|f| f.entry.index()).min().unwrap_or(code.insts.len());
        let last = end
            .checked_sub(1)
            .filter(|&last| matches!(code.insts[last], Inst::Exit))
            .map(|last| self.cfg.block_of[last]);
        let returns = |&block: &usize| matches!(code.insts[self.cfg.ends[block].index() - 1], Inst::Return);
        let ends = self.order.iter().copied().filter(|&block| self.successors[block].is_empty());
        let (late, early): (Vec<usize>, Vec<usize>) = ends.partition(|block| Some(*block) == last || returns(block));
        let (late, early) = (self.reaching(late, |_| false), self.reaching(early, |_| false));
        self.ends_early = early.into_iter().zip(late).map(|(early, late)| early && !late).collect();
    }

    fn find_loops(&mut self) {
        let mut place = vec![0; self.successors.len()];
        self.order.iter().enumerate().for_each(|(number, &block)| place[block] = number);
        for &latch in &self.order {
            for &header in self.successors[latch].iter().filter(|&&header| place[header] <= place[latch]) {
                if !self.dominates(header, latch) {
                    self.irreducible[latch] = true;
                    continue;
                }
                let contains = self.reaching([latch], |block| block == header);
                match self.loops.iter_mut().find(|l| l.header == header) {
                    Some(known) => {
                        known.latches.push(latch);
                        known.contains.iter_mut().zip(contains).for_each(|(known, more)| *known |= more);
                    }
                    None => self.loops.push(Loop { header, latches: vec![latch], contains }),
                }
            }
        }
        self.loops.sort_by_key(|l| std::cmp::Reverse(l.contains.iter().filter(|&&inside| inside).count()));
        for l in &self.loops {
            self.depths.iter_mut().zip(&l.contains).for_each(|(depth, &inside)| *depth += usize::from(inside));
        }
        // A circle with several entries makes its whole kernel or function so.
        for number in 0..self.entries.len() {
            let part = self.reachable([self.entries[number]], |_| false);
            if part.iter().zip(&self.irreducible).any(|(&inside, &irreducible)| inside && irreducible) {
                self.irreducible.iter_mut().zip(part).for_each(|(irreducible, inside)| *irreducible |= inside);
            }
        }
    }
}

fn walk(edges: &[Vec<usize>], from: impl IntoIterator<Item = usize>, stop: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut work: Vec<usize> = from.into_iter().collect();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut seen[block], true) && !stop(block) {
            work.extend(&edges[block]);
        }
    }
    seen
}

fn reverse_postorder(successors: &[Vec<usize>], entries: &[usize]) -> Vec<usize> {
    let mut order = Vec::with_capacity(successors.len());
    let mut seen = vec![false; successors.len()];
    for &entry in entries.iter().rev() {
        let mut stack = vec![(entry, 0)];
        if std::mem::replace(&mut seen[entry], true) {
            continue;
        }
        while let Some((block, next)) = stack.last_mut() {
            match successors[*block].get(*next) {
                Some(&successor) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[successor], true) {
                        stack.push((successor, 0));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
    }
    order.reverse();
    order
}

fn dominators(successors: &[Vec<usize>], entries: &[usize]) -> Vec<Option<usize>> {
    let len = successors.len();
    let mut graph = DiGraph::<(), ()>::with_capacity(len + 1, len * 2);
    let nodes: Vec<NodeIndex> = (0..=len).map(|_| graph.add_node(())).collect();
    let root = nodes[len];
    for &entry in entries {
        graph.add_edge(root, nodes[entry], ());
    }
    for (block, next) in successors.iter().enumerate() {
        for &next in next {
            graph.add_edge(nodes[block], nodes[next], ());
        }
    }
    let found = simple_fast(&graph, root);
    let above = |block: usize| found.immediate_dominator(nodes[block]).filter(|&above| above != root);
    (0..len).map(|block| above(block).map(NodeIndex::index)).collect()
}

/// By block: its number in the tree of dominators, each before those that it dominates, and the last number of those.
fn dominated(dominators: &[Option<usize>], order: &[usize]) -> Vec<(usize, usize)> {
    let len = dominators.len();
    let mut sizes = vec![1; len];
    for &block in order.iter().rev() {
        if let Some(above) = dominators[block] {
            sizes[above] += sizes[block];
        }
    }
    // Blocks that no thread reaches have the numbers behind all others.
    let mut numbers: Vec<(usize, usize)> = (0..len).map(|block| (len + block, len + block)).collect();
    let (mut next, mut next_entry) = (vec![0; len], 0);
    for &block in order {
        let free = dominators[block].map_or(&mut next_entry, |above| &mut next[above]);
        let first = *free;
        *free += sizes[block];
        next[block] = first + 1;
        numbers[block] = (first, first + sizes[block] - 1);
    }
    numbers
}
