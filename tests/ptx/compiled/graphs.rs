//! Walks over graphs.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::host::DeviceMemory;
use simt::{Grid, Report};
use std::collections::VecDeque;

const UNKNOWN: u32 = u32::MAX;

/// As many nodes, most with few edges: where the edges of each begin, and where they lead.
fn graph(random: &mut Random, nodes: u32) -> (Vec<u32>, Vec<u32>) {
    let (mut first, mut edges) = (vec![0], Vec::new());
    for _ in 0..nodes {
        let degree = if random.below(16) == 0 { 40 } else { 3 };
        let degree = random.below(degree) as usize;
        edges.extend(random.numbers(degree, nodes));
        first.push(edges.len() as u32);
    }
    (first, edges)
}

fn edges_of(first: &[u32], node: usize) -> std::ops::Range<usize> {
    first[node] as usize..first[node + 1] as usize
}

pub(super) fn search(run: &Run) -> Report {
    let nodes = 500;
    let (first, edges) = graph(&mut Random::new(11), nodes);
    let mut levels = vec![UNKNOWN; nodes as usize];
    levels[0] = 0;
    let mut memory = DeviceMemory::new();
    let (at_first, at_edges) = (memory.upload(&first).unwrap(), memory.upload(&edges).unwrap());
    let at_levels = memory.upload(&levels).unwrap();
    let mut queues = [0, 1].map(|_| memory.upload(&vec![0u32; nodes as usize]).unwrap());
    let queued = memory.upload(&[0u32]).unwrap();
    let (mut count, mut total) = (1, None::<Report>);
    for level in 1u32.. {
        if count == 0 {
            break;
        }
        memory.write(queued, &[0u32]).unwrap();
        let arguments = arguments![level, at_first, at_edges, count, queues[0], at_levels, queues[1], queued];
        let report = run.launch("expand", Grid::covering(count, 64), &mut memory, arguments);
        match &mut total {
            Some(total) => total.merge(&report),
            None => total = Some(report),
        }
        count = memory.read::<u32>(queued, 1).unwrap()[0];
        queues.reverse();
    }
    let mut queue = VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for &to in &edges[edges_of(&first, node)] {
            if levels[to as usize] == UNKNOWN {
                levels[to as usize] = levels[node] + 1;
                queue.push_back(to as usize);
            }
        }
    }
    assert_eq!(memory.read::<u32>(at_levels, nodes as usize).unwrap(), levels, "{run}");
    total.unwrap()
}

fn shortest(run: &Run) {
    let nodes = 120;
    let mut random = Random::new(51);
    let (first, edges) = graph(&mut random, nodes);
    let lengths: Vec<u32> = random.numbers(edges.len(), 100);
    let mut distances = vec![UNKNOWN; nodes as usize];
    distances[0] = 0;
    let mut memory = DeviceMemory::new();
    let (at_first, at_edges) = (memory.upload(&first).unwrap(), memory.upload(&edges).unwrap());
    let (at_lengths, at) = (memory.upload(&lengths).unwrap(), memory.upload(&distances).unwrap());
    let changed = memory.upload(&[1u32]).unwrap();
    while memory.read::<u32>(changed, 1).unwrap() == [1] {
        memory.write(changed, &[0u32]).unwrap();
        let arguments = arguments![nodes, at_first, at_edges, at_lengths, at, changed];
        run.launch("relax", Grid::covering(nodes, 64), &mut memory, arguments);
    }
    // Dijkstra's way: the nearest of those that are left is as near as it will be.
    let mut left: Vec<usize> = (0..nodes as usize).collect();
    while let Some(nearest) = (0..left.len()).min_by_key(|&i| distances[left[i]]) {
        let node = left.swap_remove(nearest);
        if distances[node] == UNKNOWN {
            break;
        }
        for edge in edges_of(&first, node) {
            let to = edges[edge] as usize;
            distances[to] = distances[to].min(distances[node] + lengths[edge]);
        }
    }
    assert_eq!(memory.read::<u32>(at, nodes as usize).unwrap(), distances, "{run}");
}

fn join(run: &Run) {
    let (nodes, count) = (150u32, 110usize);
    let mut random = Random::new(52);
    let (from, to) = (random.numbers(count, nodes), random.numbers(count, nodes));
    let mut memory = DeviceMemory::new();
    let (at_from, at_to) = (memory.upload(&from).unwrap(), memory.upload(&to).unwrap());
    let parents = memory.upload(&(0..nodes).collect::<Vec<u32>>()).unwrap();
    let arguments = arguments![count as u32, at_from, at_to, parents];
    run.launch("join", Grid::covering(count, 64), &mut memory, arguments);
    let parents = memory.read::<u32>(parents, nodes as usize).unwrap();
    let root = |mut node: u32| {
        while parents[node as usize] != node {
            node = parents[node as usize];
        }
        node
    };
    // The lowest node of each part is its root.
    let mut lowest: Vec<u32> = (0..nodes).collect();
    for _ in 0..nodes {
        for (&from, &to) in from.iter().zip(&to) {
            let both = lowest[from as usize].min(lowest[to as usize]);
            (lowest[from as usize], lowest[to as usize]) = (both, both);
        }
    }
    assert_eq!((0..nodes).map(root).collect::<Vec<u32>>(), lowest, "{run}");
}

#[test]
fn searches_by_queues() {
    everywhere("graphs", &["expand"], search);
}

#[test]
fn shortest_ways() {
    everywhere("graphs", &["relax"], shortest);
}

#[test]
fn parts_of_a_graph() {
    everywhere("graphs", &["join"], join);
}
