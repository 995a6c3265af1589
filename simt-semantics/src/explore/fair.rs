//! Whether all fair schedules terminate, and a schedule that does not.
//!
//! A run without end is *weakly fair* if each that can go on from some time on without a break also goes on: each thread moves
//! again and again, or again and again cannot (ESOP'12, section 5.1, asks this of its schedulers). A thread cannot if it has
//! ended, or waits at a collective for others that have not come.
//!
//! A run without end comes back for ever to some configurations, which lie in one strongly connected component. If there is
//! a weakly fair one in a component, then the run is one, too, that goes through all of it again and again, because that
//! one has every move and every wait of the others. So there is a weakly fair run in a component if each thread moves on an
//! edge inside it, or cannot go on in one of its configurations.

use super::Witness;
use super::graph::{Edge, Graph, witness_to};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
use simt_core::LaneMask;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A schedule that goes on for ever: there by the stem, then round and round the cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The moves to the first configuration of the cycle.
    pub stem: Witness,
    /// The moves round the cycle.
    pub cycle: Witness,
}

/// A weakly fair run without end, if there is one.
pub(super) fn endless(graph: &Graph) -> Option<Lasso> {
    // Tarjan's way is recursive in petgraph, and graphs are deep. The component that is reached first has the shortest stem.
    let mut components = kosaraju_scc(graph);
    components.iter_mut().for_each(|component| component.sort_unstable());
    components.sort_unstable();
    components.into_iter().find_map(|nodes| Component::new(graph, nodes)?.lasso())
}

/// A strongly connected component that can be stayed in.
struct Component<'g> {
    graph: &'g Graph,
    nodes: BTreeSet<NodeIndex>,
    /// The threads that move inside.
    moving: LaneMask,
    /// Those that can go on at some time.
    known: LaneMask,
}

impl<'g> Component<'g> {
    fn new(graph: &'g Graph, nodes: Vec<NodeIndex>) -> Option<Self> {
        let known = nodes.iter().fold(LaneMask::EMPTY, |known, &node| known | graph[node].able);
        let mut component = Self { graph, nodes: nodes.into_iter().collect(), moving: LaneMask::EMPTY, known };
        let moving = component.nodes.iter().flat_map(|&node| component.edges(node));
        component.moving = moving.fold(LaneMask::EMPTY, |all, (_, _, edge)| all | edge.agents);
        (!component.moving.is_empty()).then_some(component)
    }

    /// The edges that stay inside.
    fn edges(&self, node: NodeIndex) -> impl Iterator<Item = (EdgeIndex, NodeIndex, &'g Edge)> {
        let edges = self.graph.edges(node).filter(|edge| self.nodes.contains(&edge.target()));
        edges.map(|edge| (edge.id(), edge.target(), edge.weight()))
    }

    /// A fair way round, if there is one.
    fn lasso(&self) -> Option<Lasso> {
        let start = *self.nodes.first()?;
        let (mut here, mut cycle) = (start, Witness::default());
        for thread in self.known.lanes() {
            if self.moving.contains(thread) {
                here = self.walk(here, &mut cycle, |_, edge| edge.is_some_and(|edge| edge.agents.contains(thread)))?;
            } else {
                here = self.walk(here, &mut cycle, |node, _| !self.graph[node].able.contains(thread))?;
            }
        }
        self.walk(here, &mut cycle, |node, _| node == start)?;
        Some(Lasso { stem: witness_to(self.graph, start), cycle })
    }

    /// Goes the shortest way to a node, or over an edge to one, that is wanted.
    fn walk(
        &self,
        from: NodeIndex,
        path: &mut Witness,
        wanted: impl Fn(NodeIndex, Option<&Edge>) -> bool,
    ) -> Option<NodeIndex> {
        if wanted(from, None) {
            return Some(from);
        }
        let (mut reached, mut pending) = (BTreeMap::new(), VecDeque::from([from]));
        while let Some(node) = pending.pop_front() {
            for (id, to, edge) in self.edges(node) {
                if wanted(to, Some(edge)) {
                    let mut way = vec![edge.by.clone()];
                    let mut back = node;
                    while back != from {
                        let &(before, by) = reached.get(&back)?;
                        way.push(self.graph[by as EdgeIndex].by.clone());
                        back = before;
                    }
                    path.moves.extend(way.into_iter().rev());
                    return Some(to);
                }
                if to != from && !reached.contains_key(&to) {
                    reached.insert(to, (node, id));
                    pending.push_back(to);
                }
            }
        }
        None
    }
}
