//! Breadth-first search with a queue: a launch takes the nodes of one level and queues those of the next.
//!
//! Merrill, Garland and Grimshaw, "Scalable GPU Graph Traversal", in its simplest form; Rodinia's BFS looks at all nodes
//! instead. An exchange decides which thread found a node, and an atomic counter gives it its place in the queue. A thread
//! has as many steps as its node has edges, so lanes wait for the one with the most.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use simt::prelude::*;

use super::input::Random;
use super::machine::Machine;

/// The level of a node that has not been found.
const UNKNOWN: u32 = u32::MAX;

#[kernel]
pub(crate) fn expand(
    level: u32,
    first_edge: &[u32],
    edges: &[u32],
    frontier: &[u32],
    levels: &[AtomicU32],
    queue: &mut [u32],
    queued: &[AtomicU32],
) {
    if global_id() >= frontier.len() {
        return;
    }
    let node = frontier[global_id()] as usize;
    for edge in first_edge[node]..first_edge[node + 1] {
        let to = edges[edge as usize];
        if levels[to as usize].compare_exchange(UNKNOWN, level, Relaxed, Relaxed).is_ok() {
            let place = queued[0].fetch_add(1, Relaxed) as usize;
            assert!(place < queue.len(), "node {to} has no place in the queue");
            queue[place] = to;
        }
    }
}

fn host(first_edge: &[u32], edges: &[u32]) -> Vec<u32> {
    let mut levels = vec![UNKNOWN; first_edge.len() - 1];
    levels[0] = 0;
    let mut queue = std::collections::VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for &to in &edges[first_edge[node] as usize..first_edge[node + 1] as usize] {
            if levels[to as usize] == UNKNOWN {
                levels[to as usize] = levels[node] + 1;
                queue.push_back(to as usize);
            }
        }
    }
    levels
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let nodes = 500;
    let mut random = Random::new(11);
    let (mut first_edge, mut edges) = (vec![0], Vec::new());
    for _ in 0..nodes {
        // Most have few edges, some have many.
        let degree = if random.below(16) == 0 { 40 } else { 3 };
        let degree = random.below(degree) as usize;
        edges.extend(random.numbers(degree, nodes));
        first_edge.push(edges.len() as u32);
    }

    let levels: Vec<AtomicU32> = (0..nodes).map(|node| AtomicU32::new(if node == 0 { 0 } else { UNKNOWN })).collect();
    let mut frontier = vec![0];
    let mut level = 0;
    let mut next_level = |frontier: &mut Vec<u32>| -> Result<Report, LaunchError> {
        level += 1;
        let (mut queue, queued) = (vec![0; nodes as usize], [AtomicU32::new(0)]);
        let call = expand(level, &first_edge, &edges, frontier, &levels, &mut queue, &queued);
        let report = gpu.launch(Grid::covering(frontier.len(), 64), call)?;
        queue.truncate(queued[0].load(Relaxed) as usize);
        *frontier = queue;
        Ok(report)
    };
    let mut total = next_level(&mut frontier)?;
    while !frontier.is_empty() {
        total.merge(&next_level(&mut frontier)?);
    }
    let levels: Vec<u32> = levels.into_iter().map(AtomicU32::into_inner).collect();
    assert_eq!(levels, host(&first_edge, &edges));
    Ok(total)
}
