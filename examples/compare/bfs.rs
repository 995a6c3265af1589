//! Breadth-first search, a level per launch: how many steps each node is away from the hub.
//!
//! One thread looks at one node. Few nodes are in the current level, and those have from none to
//! thousands of edges, so one thread of a warp works while the others wait.

use simt::prelude::*;

use crate::graph::Graph;
use crate::workload::{Launch, Workload, grouped};

/// The level of a node that has not been reached.
const UNREACHED: u32 = u32::MAX;

/// Searches one graph from its hub.
pub(crate) struct Bfs {
    graph: Graph,
    start: usize,
}

/// Visits the neighbours of all nodes of one level. Several threads may reach a node at once:
/// they all write the same value.
#[kernel]
fn visit_level(current: u32, first_edge: &[u32], edge_to: &[u32], level: &mut [u32], changed: &mut [u32]) {
    let node = global_id();
    if node >= level.len() || level[node] != current {
        return;
    }
    for edge in first_edge[node]..first_edge[node + 1] {
        let neighbour = edge_to[edge as usize] as usize;
        if level[neighbour] == UNREACHED {
            level[neighbour] = current + 1;
            changed[0] = 1;
        }
    }
}

impl Bfs {
    pub(crate) fn new(graph: Graph) -> Self {
        let start = graph.hub();
        Self { graph, start }
    }

    fn at_start(&self) -> Vec<u32> {
        let mut level = vec![UNREACHED; self.graph.names.len()];
        level[self.start] = 0;
        level
    }
}

impl Workload for Bfs {
    type Item = u32;
    const NAME: &'static str = "bfs";

    fn host(&self) -> Vec<u32> {
        let mut level = self.at_start();
        let mut frontier = vec![self.start];
        for next_level in 1.. {
            let mut next = Vec::new();
            for node in frontier {
                for &neighbour in self.graph.mentioning(node) {
                    let neighbour = neighbour as usize;
                    if level[neighbour] == UNREACHED {
                        level[neighbour] = next_level;
                        next.push(neighbour);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            frontier = next;
        }
        level
    }

    fn device(&self, launch: &Launch<'_>) -> Result<(Vec<u32>, Report), LaunchError> {
        let Graph { first_edge, edge_to, .. } = &self.graph;
        let mut level = self.at_start();
        let grid = Grid::covering(level.len(), 128);
        let mut changed = [0];
        let mut total = launch(grid, visit_level(0, first_edge, edge_to, &mut level, &mut changed))?;
        let mut current = 0;
        while changed == [1] {
            changed = [0];
            current += 1;
            let report = launch(grid, visit_level(current, first_edge, edge_to, &mut level, &mut changed))?;
            total.merge(&report);
        }
        Ok((level, total))
    }

    fn summary(&self, level: &[u32]) -> String {
        let reached = level.iter().filter(|&&level| level != UNREACHED);
        let deepest = reached.clone().max().copied().unwrap_or(0);
        let (nodes, edges) = (grouped(level.len() as u64), grouped(self.graph.edge_to.len() as u64));
        let (hub, reached) = (&self.graph.names[self.start], grouped(reached.count() as u64));
        format!("{nodes} nodes, {edges} edges; {reached} are at most {deepest} steps away from {hub}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Source;

    #[test]
    fn levels_are_shortest_distances() {
        let text = "hub:\na: hub\nb: hub a\nc: b\nd: c hub\nalone: d2\nd2: alone\n";
        let graph = Graph::read(&Source::bundled("g", text)).unwrap();
        let bfs = Bfs::new(graph);
        assert_eq!(bfs.host(), [0, 1, 1, 2, 1, UNREACHED, UNREACHED]);
    }
}
