//! The control-flow graph with what the placement of convergence barriers asks of it: dominators and loops.
//!
//! The kernel and its functions are one graph whose parts do not touch: behind a call comes the next address.

use crate::code::{Cfg, Code, Inst};
use crate::graph::{dominators, numbered_dominators, reverse_postorder, walk};

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
        let dominated = numbered_dominators(&dominators, &order);
        let mut graph = Self {
            cfg,
            successors,
            predecessors,
            entries,
            order,
            loops: Vec::new(),
            depths: vec![0; len],
            irreducible: vec![false; len],
            dominators,
            dominated,
        };
        graph.find_loops();
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
