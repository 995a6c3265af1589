//! Dijkstra with a binary heap in local memory, a source for each thread.
use simt::prelude::*;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

#[derive(Clone, Copy, Debug, Eq, KernelData, PartialEq)]
struct Visit {
    cost: u32,
    node: u32,
}

#[device]
impl Ord for Visit {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.cmp(&self.cost).then_with(|| self.node.cmp(&other.node))
    }
}

#[device]
impl PartialOrd for Visit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[derive(Clone, Copy, KernelData)]
struct Heap<T, const N: usize> {
    items: [T; N],
    len: usize,
}

#[device]
impl<T: Copy + Ord, const N: usize> Heap<T, N> {
    fn new(filler: T) -> Self {
        Heap { items: [filler; N], len: 0 }
    }

    fn push(&mut self, item: T) {
        let mut k = self.len;
        self.items[k] = item;
        self.len += 1;
        while k > 0 && self.items[(k - 1) / 2] < self.items[k] {
            self.items.swap(k, (k - 1) / 2);
            k = (k - 1) / 2;
        }
    }

    fn pop(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        self.items.swap(0, self.len);
        let mut k = 0;
        while let Some(child) = self.larger_child(k) {
            if self.items[child] <= self.items[k] {
                break;
            }
            self.items.swap(k, child);
            k = child;
        }
        Some(self.items[self.len])
    }

    fn larger_child(&self, k: usize) -> Option<usize> {
        (2 * k + 1..=2 * k + 2).filter(|&c| c < self.len).max_by_key(|&c| self.items[c])
    }
}

#[derive(Clone, Copy, Debug, KernelData)]
struct Edge {
    to: u32,
    weight: u32,
}

#[derive(Clone, Copy, KernelData)]
struct Graph<'a> {
    first: &'a [u32],
    edges: &'a [Edge],
}

#[device]
impl Graph<'_> {
    fn nodes(&self) -> usize {
        self.first.len() - 1
    }

    fn edges_of(&self, node: u32) -> &[Edge] {
        let node = node as usize;
        &self.edges[self.first[node] as usize..self.first[node + 1] as usize]
    }
}

#[kernel]
fn dijkstra(first: &[u32], edges: &[Edge], distances: &mut [Option<u32>]) {
    let graph = Graph { first, edges };
    let source = global_id();
    if source >= graph.nodes() {
        return;
    }
    let n = graph.nodes();
    let distances = &mut distances[source * n..][..n];
    let mut heap: Heap<Visit, 64> = Heap::new(Visit { cost: 0, node: 0 });
    heap.push(Visit { cost: 0, node: source as u32 });
    while let Some(Visit { cost, node }) = heap.pop() {
        match distances[node as usize] {
            Some(known) if known <= cost => continue,
            _ => distances[node as usize] = Some(cost),
        }
        for edge in graph.edges_of(node) {
            let next = Visit { cost: cost + edge.weight, node: edge.to };
            if distances[next.node as usize].is_none_or(|d| next.cost < d) {
                heap.push(next);
            }
        }
    }
}

#[test]
fn all_sources() -> Result<(), LaunchError> {
    let n = 14u32;
    let (mut first, mut edges) = (vec![0], vec![]);
    for v in 0..n {
        for k in 1..=(v * 7 % 4) {
            edges.push(Edge { to: (v * k + 3 * k + 1) % n, weight: (v * 13 + k * 29) % 17 + 1 });
        }
        first.push(edges.len() as u32);
    }
    let mut distances = vec![None; (n * n) as usize];
    Gpu::<Ipdom>::default().launch(Grid::covering(n, 32), dijkstra(&first, &edges, &mut distances))?;
    let mut expected = vec![None; (n * n) as usize];
    for source in 0..n {
        let row = &mut expected[(source * n) as usize..][..n as usize];
        let mut heap = BinaryHeap::from([(std::cmp::Reverse(0), source)]);
        while let Some((std::cmp::Reverse(cost), node)) = heap.pop() {
            if row[node as usize].is_some() {
                continue;
            }
            row[node as usize] = Some(cost);
            for e in &edges[first[node as usize] as usize..first[node as usize + 1] as usize] {
                heap.push((std::cmp::Reverse(cost + e.weight), e.to));
            }
        }
    }
    assert_eq!(distances, expected);
    Ok(())
}
