//! Breadth-first search, a level per launch, on a random graph in which few nodes have most of the edges.

use super::{Workload, grid, hash};
use simt::prelude::*;

pub(crate) struct Bfs {
    first_edge: Vec<u32>,
    edge_to: Vec<u32>,
    level: Vec<u32>,
}

/// The level of a node that has not been reached.
const UNREACHED: u32 = u32::MAX;

/// Threads that reach a node at once all write the same value.
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

#[inline(never)]
fn scalar(current: u32, first_edge: &[u32], edge_to: &[u32], level: &mut [u32]) -> bool {
    let mut changed = false;
    for node in 0..level.len() {
        if level[node] != current {
            continue;
        }
        for edge in first_edge[node]..first_edge[node + 1] {
            let neighbour = edge_to[edge as usize] as usize;
            if level[neighbour] == UNREACHED {
                level[neighbour] = current + 1;
                changed = true;
            }
        }
    }
    changed
}

impl Workload for Bfs {
    const NAME: &'static str = "bfs";
    const FULL: usize = 1 << 16;

    fn new(items: usize) -> Self {
        let nodes = items as u32;
        let (mut first_edge, mut edge_to) = (vec![0], Vec::new());
        for node in 0..nodes {
            // One more edge for each trailing zero, doubled each time: 1, 2, 4, ... up to 256, each half as common.
            let edges = 1 << hash(node).trailing_zeros().min(8);
            edge_to.extend((0..edges).map(|edge| hash(node ^ hash(edge)) % nodes));
            first_edge.push(edge_to.len() as u32);
        }
        let mut bfs = Self { first_edge, edge_to, level: vec![0; items] };
        bfs.reset();
        bfs
    }

    fn reset(&mut self) {
        self.level.fill(UNREACHED);
        self.level[0] = 0;
    }

    fn scalar(&mut self) {
        self.reset();
        let mut current = 0;
        while scalar(current, &self.first_edge, &self.edge_to, &mut self.level) {
            current += 1;
        }
    }

    fn launch<P: Policy>(&mut self, gpu: &Gpu<P>) -> Result<Report, LaunchError> {
        self.reset();
        let Self { first_edge, edge_to, level } = self;
        let grid = grid(level.len());
        let mut changed = [0];
        let mut total = gpu.launch(grid, visit_level(0, first_edge, edge_to, level, &mut changed))?;
        let mut current = 0;
        while changed == [1] {
            changed = [0];
            current += 1;
            total.merge(&gpu.launch(grid, visit_level(current, first_edge, edge_to, level, &mut changed))?);
        }
        Ok(total)
    }

    fn output(&self) -> Vec<u32> {
        self.level.clone()
    }
}
