//! Graphs: components, shortest paths, ranks.

use simt::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};

#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq)]
pub(crate) struct Edge {
    from: u32,
    to: u32,
    length: u32,
}

/// The length of a path; the greatest number, where there is none.
#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq, PartialOrd)]
pub(crate) struct Path(u32);

const NO_PATH: Path = Path(u32::MAX);

#[device]
impl Path {
    fn length(self) -> Option<u32> {
        if self == NO_PATH { None } else { Some(self.0) }
    }
}

#[device]
impl std::ops::Add for Path {
    type Output = Path;

    fn add(self, other: Path) -> Path {
        match (self.length(), other.length()) {
            (Some(a), Some(b)) => Path(a + b),
            _ => NO_PATH,
        }
    }
}

kernels! {
    // The root of a vertex in a forest, whose roots are their own parents.
    #[device]
    fn root(parents: &[AtomicU32], mut of: u32) -> u32 {
        loop {
            let parent = parents[of as usize].load(Relaxed);
            if parent == of {
                return of;
            }
            of = parent;
        }
    }

    // Joins the components of each edge's ends (ECL-CC).
    fn join(edges: &[Edge], parents: &[AtomicU32]) {
        let Edge { from, to, .. } = edges[global_id()];
        let (mut left, mut right) = (root(parents, from), root(parents, to));
        while left != right {
            if left < right {
                std::mem::swap(&mut left, &mut right);
            }
            match parents[left as usize].compare_exchange(left, right, Relaxed, Relaxed) {
                Ok(_) => break,
                Err(parent) => left = root(parents, parent),
            }
        }
    }

    // The least vertex of each one's component.
    fn components(parents: &[AtomicU32], out: &mut [u32]) {
        let i = global_id();
        out[i] = root(parents, i as u32);
    }

    // Shortens paths along an edge each (Bellman and Ford).
    fn relax(edges: &[Edge], lengths: &[AtomicU32], changed: &[AtomicBool]) {
        let Edge { from, to, length } = edges[global_id()];
        let known = lengths[from as usize].load(Relaxed);
        if known == u32::MAX {
            return;
        }
        let old = lengths[to as usize].fetch_min(known + length, Relaxed);
        if known + length < old {
            changed[0].store(true, Relaxed);
        }
    }

    // The ways over one vertex, for a pair of vertices each (Floyd and Warshall).
    fn over_all(count: usize, middle: usize, paths: &mut [Path]) {
        let i = global_id();
        let (from, to) = (i / count, i % count);
        let there = paths[from * count + middle] + paths[middle * count + to];
        if there < paths[i] {
            paths[i] = there;
        }
    }

    // A step of PageRank, which pulls.
    fn rank(edges: &[Edge], degrees: &[u32], ranks: &[f32], out: &mut [f32]) {
        const DAMPING: f32 = 0.85;
        let i = global_id();
        let pulled: f32 = edges
            .iter()
            .filter(|edge| edge.to == i as u32)
            .map(|edge| edge.from as usize)
            .map(|from| ranks[from] / degrees[from] as f32)
            .sum();
        out[i] = (1.0 - DAMPING) / ranks.len() as f32 + DAMPING * pulled;
    }
}

/// Edges among vertices, by their ends: both ways, as long as the larger end's number.
fn both_ways(ends: &[(u32, u32)]) -> Vec<Edge> {
    let edge = |from: u32, to: u32| Edge { from, to, length: from.max(to) };
    ends.iter().flat_map(|&(a, b)| [edge(a, b), edge(b, a)]).collect()
}

const ENDS: [(u32, u32); 12] =
    [(7, 2), (2, 5), (5, 7), (1, 8), (8, 3), (3, 10), (10, 1), (4, 9), (0, 6), (6, 11), (11, 3), (2, 4)];

#[test]
fn vertices_have_components() {
    let edges = both_ways(&ENDS);
    let fresh = || (0..12).map(AtomicU32::new).collect::<Vec<_>>();
    let expected = [0, 0, 2, 0, 2, 2, 0, 2, 0, 2, 0, 0];
    let (joined, mut out) = (fresh(), vec![9; 12]);
    crate::support::host::run(Grid::new(2, 12), || plain::join(&edges, &joined));
    crate::support::host::run(Grid::new(1, 12), || plain::components(&joined, &mut out));
    assert_eq!(out, expected);
    everywhere!(|gpu| {
        let (joined, mut out) = (fresh(), vec![9; 12]);
        gpu.launch(Grid::new(2, 12), kernel::join(&edges, &joined)).unwrap();
        gpu.launch(Grid::new(1, 12), kernel::components(&joined, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

#[test]
fn paths_are_short() {
    let edges = both_ways(&ENDS);
    // From all vertices to all others, the one way.
    let mut paths = vec![NO_PATH; 144];
    (0..12).for_each(|i| paths[13 * i] = Path(0));
    edges.iter().for_each(|edge| paths[12 * edge.from as usize + edge.to as usize] = Path(edge.length));
    for middle in 0..12 {
        agree!(Grid::new(3, 48), over_all(12, middle; paths));
    }
    assert_eq!((paths[1], paths[4], paths[12 + 11]), (Path(44), NO_PATH, Path(27)));
    // From one to all others, the other way.
    everywhere!(|gpu| {
        let lengths: Vec<AtomicU32> = (0..12).map(|i| AtomicU32::new(if i == 0 { 0 } else { u32::MAX })).collect();
        let mut rounds = 0;
        loop {
            let changed = [AtomicBool::new(false)];
            gpu.launch(Grid::new(1, 24), kernel::relax(&edges, &lengths, &changed)).unwrap();
            if !changed[0].load(Relaxed) {
                break;
            }
            rounds += 1;
        }
        assert!(rounds > 0);
        assert!(lengths.iter().zip(&paths).all(|(length, path)| length.load(Relaxed) == path.0));
    });
}

#[test]
fn ranks_are_pulled() {
    let edges: Vec<Edge> = ENDS.iter().map(|&(from, to)| Edge { from, to, length: 1 }).collect();
    let degrees: Vec<u32> = (0..12).map(|i| edges.iter().filter(|edge| edge.from == i).count().max(1) as u32).collect();
    let (mut ranks, mut next) = (vec![1.0 / 12.0; 12], vec![0.0; 12]);
    for _ in 0..10 {
        agree!(Grid::new(1, 12), rank(&edges, &degrees, &ranks; next));
        std::mem::swap(&mut ranks, &mut next);
    }
    let best = (0..12).max_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
    assert_eq!(best, Some(3), "{ranks:?}");
}
