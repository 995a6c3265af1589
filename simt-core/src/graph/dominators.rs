//! Dominators, by petgraph, of a graph with several entries whose parts do not touch.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

/// For each node the last one that every path from an entry to it passes; none for entries and for what they do not reach.
pub(crate) fn dominators(successors: &[Vec<usize>], entries: &[usize]) -> Vec<Option<usize>> {
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

/// By node: its number in the tree of dominators, each before those that it dominates, and the last number of those.
pub(crate) fn numbered_dominators(dominators: &[Option<usize>], order: &[usize]) -> Vec<(usize, usize)> {
    let len = dominators.len();
    let mut sizes = vec![1; len];
    for &block in order.iter().rev() {
        if let Some(above) = dominators[block] {
            sizes[above] += sizes[block];
        }
    }
    // Nodes that no entry reaches have the numbers behind all others.
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
