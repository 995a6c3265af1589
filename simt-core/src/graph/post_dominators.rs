//! Immediate post-dominators, as dominators of the reversed graph.
//!
//! A node's immediate post-dominator is the first node that every path from it to the end of the kernel passes
//! (TACO'09 section 2.2). Nodes that cannot reach the end, in an endless loop, would have none and threads diverging there
//! would never meet; so the graph gets a virtual exit edge from the last node of each such region.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;

/// For each node of a graph (given by its successors; a node without successors ends the thread) its immediate
/// post-dominator. `None` if that is the end of the thread itself.
///
/// ```
/// // 0 branches to 1 and 2, which meet at 3.
/// let graph = [vec![1, 2], vec![3], vec![3], vec![]];
/// let ipdom = simt_core::graph::immediate_post_dominators(&graph);
/// assert_eq!(ipdom, [Some(3), Some(3), Some(3), None]);
/// ```
///
/// # Panics
/// If a successor is not a node.
pub fn immediate_post_dominators(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let len = successors.len();
    let mut graph = DiGraph::<(), ()>::with_capacity(len + 1, len * 2);
    let nodes: Vec<NodeIndex> = (0..=len).map(|_| graph.add_node(())).collect();
    let exit = nodes[len];
    for (node, next) in successors.iter().enumerate() {
        for &successor in next {
            graph.add_edge(nodes[node], nodes[successor], ());
        }
    }
    for node in exit_edges(successors) {
        graph.add_edge(nodes[node], exit, ());
    }
    let dominators = simple_fast(Reversed(&graph), exit);
    (0..len)
        .map(|node| dominators.immediate_dominator(nodes[node]).filter(|&join| join != exit).map(NodeIndex::index))
        .collect()
}

/// The nodes with an edge to the virtual exit: those that end the thread, and of each region that cannot reach such a
/// node the last one.
pub(crate) fn exit_edges(successors: &[Vec<usize>]) -> Vec<usize> {
    let len = successors.len();
    let mut predecessors = vec![Vec::new(); len];
    for (node, next) in successors.iter().enumerate() {
        for &successor in next {
            predecessors[successor].push(node);
        }
    }
    let mut exits = Vec::new();
    let mut reaches_exit = vec![false; len];
    let ends = (0..len).filter(|&node| successors[node].is_empty());
    // Endless regions are taken from their last node backwards.
    for node in ends.chain((0..len).rev()) {
        if reaches_exit[node] {
            continue;
        }
        exits.push(node);
        let mut work = vec![node];
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut reaches_exit[node], true) {
                work.extend(&predecessors[node]);
            }
        }
    }
    exits
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitvec::prelude::*;
    use proptest::prelude::*;

    /// Post-dominators straight from the definition: the greatest sets with
    /// `pdom(n) = {n} ∪ ⋂ pdom(successors of n)`, then the one nearest to `n`.
    fn brute_force(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
        let len = successors.len();
        let mut edges = successors.to_vec();
        for node in exit_edges(successors) {
            edges[node].push(len);
        }
        let mut sets = vec![bitvec![u64, Lsb0; 1; len + 1]; len];
        let mut exit_only = bitvec![u64, Lsb0; 0; len + 1];
        exit_only.set(len, true);
        sets.push(exit_only);
        loop {
            let mut changed = false;
            for node in 0..len {
                let mut set = bitvec![u64, Lsb0; 1; len + 1];
                for &next in &edges[node] {
                    set &= sets[next].clone();
                }
                set.set(node, true);
                changed |= set != sets[node];
                sets[node] = set;
            }
            if !changed {
                break;
            }
        }
        // The nearest strict post-dominator is the one that all other strict ones post-dominate.
        (0..len)
            .map(|node| {
                sets[node]
                    .iter_ones()
                    .filter(|&join| join != node)
                    .find(|&join| sets[node].iter_ones().all(|other| other == node || sets[join][other]))
                    .filter(|&join| join != len)
            })
            .collect()
    }

    fn check(successors: &[Vec<usize>]) {
        assert_eq!(immediate_post_dominators(successors), brute_force(successors), "{successors:?}");
    }

    #[test]
    fn named_corpus() {
        check(&[vec![]]);
        check(&[vec![1], vec![2], vec![]]);
        check(&[vec![1, 2], vec![3], vec![3], vec![]]);
        check(&[vec![1], vec![2, 3], vec![1], vec![]]);
        check(&[vec![0]]);
        check(&[vec![1, 2], vec![1], vec![]]);
        // The nested-branch loop of TACO'09 Fig. 4: A B C D E F G, exit.
        let graph = [vec![1, 5], vec![2, 3], vec![4], vec![4], vec![6], vec![6], vec![0, 7], vec![]];
        let ipdom = immediate_post_dominators(&graph);
        assert_eq!((ipdom[1], ipdom[0], ipdom[6]), (Some(4), Some(6), Some(7)));
        check(&graph);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
        #[test]
        fn agrees_with_brute_force_on_random_graphs(
            graph in (1usize..14).prop_flat_map(|len| {
                proptest::collection::vec(proptest::collection::vec(0..len, 0..3), len)
            })
        ) {
            check(&graph);
        }
    }
}
