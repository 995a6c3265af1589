//! The forest of least length that spans a graph (Boruvka 1926), in as many rounds as it takes, by one launch.

use simt::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq)]
struct Edge {
    ends: [u32; 2],
    length: u32,
}

/// What the threads of the grid share: of each vertex its parent, which leads to the root of its tree, and of each root the
/// shortest edge that leaves its tree.
#[derive(Clone, Copy, KernelData)]
struct Forest<'a> {
    edges: &'a [Edge],
    parents: &'a [AtomicU32],
    shortest: &'a [AtomicU64],
}

const NONE: u64 = u64::MAX;

/// An edge's place in the order of lengths, in which no two are equal: fit for an atomic.
#[derive(Clone, Copy, KernelData)]
struct Rank {
    length: u32,
    number: u32,
}

#[device]
impl From<Rank> for u64 {
    fn from(rank: Rank) -> u64 {
        u64::from(rank.length) << 32 | u64::from(rank.number)
    }
}

#[device]
impl From<u64> for Rank {
    fn from(bits: u64) -> Rank {
        Rank { length: (bits >> 32) as u32, number: bits as u32 }
    }
}

#[device]
impl Forest<'_> {
    fn parent(&self, vertex: u32) -> u32 {
        self.parents[vertex as usize].load(Relaxed)
    }

    /// Lets a vertex skip parents until it has the root of its tree (pointer jumping).
    fn jump(&self, vertex: u32) -> u32 {
        loop {
            let parent = self.parent(vertex);
            let next = self.parent(parent);
            if parent == next {
                return parent;
            }
            self.parents[vertex as usize].store(next, Relaxed);
        }
    }

    /// Offers an edge to the trees of its ends, if these are two.
    fn offer(&self, number: usize, trees: &[u32]) {
        let Edge { ends, length } = self.edges[number];
        let [a, b] = ends.map(|end| trees[end as usize]);
        if a != b {
            let rank = Rank { length, number: number as u32 };
            for tree in [a, b] {
                self.shortest[tree as usize].fetch_min(rank.into(), Relaxed);
            }
        }
    }

    /// The shortest edge that leaves a tree, if one does, and the root of the tree at its other end.
    fn way_out(&self, root: u32, trees: &[u32]) -> Option<(u32, u32)> {
        let bits = self.shortest[root as usize].load(Relaxed);
        (bits != NONE).then(|| {
            let Rank { number, .. } = bits.into();
            let [a, b] = self.edges[number as usize].ends.map(|end| trees[end as usize]);
            (number, if a == root { b } else { a })
        })
    }
}

/// Finds the edges of the forest, of which `found` is the number, and says how many rounds that took.
#[kernel]
fn span(
    edges: &[Edge],
    parents: &[AtomicU32],
    shortest: &[AtomicU64],
    trees: &mut [u32],
    found: &AtomicU32,
    chosen: &mut [u32],
    rounds: &mut u32,
) {
    let forest = Forest { edges, parents, shortest };
    let threads = grid_dim().x * block_dim().x;
    let own_vertices = (global_id()..trees.len()).step_by(threads);
    let own_edges = (global_id()..edges.len()).step_by(threads);
    let mut known = 0;
    for round in 0.. {
        for vertex in own_vertices.clone() {
            trees[vertex] = forest.jump(vertex as u32);
            shortest[vertex].store(NONE, Relaxed);
        }
        sync_grid();
        for number in own_edges.clone() {
            forest.offer(number, trees);
        }
        sync_grid();
        for root in own_vertices.clone() {
            let Some((number, other)) = forest.way_out(root as u32, trees) else { continue };
            // Of two trees that have the same way out, the one with the greater number takes it.
            let is_shared = forest.way_out(other, trees).is_some_and(|(back, _)| back == number);
            if !is_shared || root as u32 > other {
                parents[root].store(other, Relaxed);
                chosen[found.fetch_add(1, Relaxed) as usize] = number;
            }
        }
        sync_grid();
        let now = found.load(Relaxed);
        if now == known {
            if global_id() == 0 {
                *rounds = round;
            }
            break;
        }
        known = now;
    }
}

/// The numbers of the edges of the forest, by length (Kruskal 1956), and how many trees it has.
fn kruskal(vertices: usize, edges: &[Edge]) -> (Vec<u32>, usize) {
    let mut trees: Vec<u32> = (0..vertices as u32).collect();
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_key(|&number| edges[number].length);
    let joins = |&number: &usize| {
        let [a, b] = edges[number].ends.map(|end| trees[end as usize]);
        trees.iter_mut().filter(|tree| **tree == a).for_each(|tree| *tree = b);
        a != b
    };
    let chosen = order.into_iter().filter(joins).map(|number| number as u32).collect();
    trees.sort_unstable();
    trees.dedup();
    (chosen, trees.len())
}

/// Edges in two parts of the vertices, of which the last vertex has none: some more than once, some from a vertex to itself,
/// many as long as others.
fn edges(vertices: u32, count: u32) -> Vec<Edge> {
    let mut state = 3_u32;
    let mut next = |below: u32| {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        (state >> 16) % below
    };
    let half = vertices / 2;
    let part = |i: u32| if i.is_multiple_of(3) { (half, vertices - 1 - half) } else { (0, half) };
    let edge = |i: u32| {
        let (first, size) = part(i);
        Edge { ends: [first + next(size), first + next(size)], length: next(20) }
    };
    (0..count).map(edge).collect()
}

#[test]
fn forests_span_graphs() {
    const VERTICES: usize = 60;
    let edges = edges(VERTICES as u32, 150);
    let length = |chosen: &[u32]| chosen.iter().map(|&number| edges[number as usize].length).sum::<u32>();
    let (mut expected, count) = kruskal(VERTICES, &edges);
    let total = length(&expected);
    assert_eq!((expected.len(), count >= 3), (VERTICES - count, true));
    expected.sort_unstable();
    super::race_free(&|gpu| {
        let parents: Vec<AtomicU32> = (0..VERTICES as u32).map(AtomicU32::new).collect();
        let shortest: Vec<AtomicU64> = (0..VERTICES).map(|_| AtomicU64::new(0)).collect();
        let (mut trees, found, mut chosen) = (vec![99; VERTICES], AtomicU32::new(0), vec![999; VERTICES]);
        let mut rounds = 99;
        let call = span(&edges, &parents, &shortest, &mut trees, &found, &mut chosen, &mut rounds);
        gpu.launch(Grid::new(3, 16), call).unwrap();
        // In each round every tree that has a way out is joined to another.
        assert!(rounds <= VERTICES.ilog2(), "{rounds}");
        chosen.truncate(found.into_inner() as usize);
        assert_eq!((chosen.len(), length(&chosen)), (expected.len(), total));
        // Lengths that are equal are in the order of the edges here and there, so that there is one such forest.
        chosen.sort_unstable();
        assert_eq!(chosen, expected);
        // No edge goes from one tree to another, and there are as many as Kruskal's edges leave.
        assert!(edges.iter().all(|Edge { ends: [a, b], .. }| trees[*a as usize] == trees[*b as usize]), "{trees:?}");
        trees.sort_unstable();
        trees.dedup();
        assert_eq!(trees.len(), count);
    });
}
