//! A k-d tree that the device builds, level by level and without pointers (Wald 2022): its levels are full but for the last,
//! which is filled from the left, and the children of node `n` are `2 * n + 1` and `2 * n + 2`.

use simt::prelude::*;
use std::cmp::Ordering;

type Point = [f32; 3];

/// A point, and its number among those that were given.
#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
pub(crate) struct Node {
    at: Point,
    number: u32,
}

/// A point on its way to its node: it is in the subtree of one, so far.
#[derive(Clone, Copy, KernelData)]
pub(crate) struct Item {
    subtree: usize,
    node: Node,
}

/// An order by subtree, along an axis, and by number.
#[device]
impl Item {
    fn is_before(&self, other: &Item, axis: usize) -> bool {
        let key = |item: &Item| (item.subtree, item.node.at[axis], item.node.number);
        key(self) < key(other)
    }
}

/// The form of a tree: how many nodes are where.
#[derive(Clone, Copy, KernelData)]
pub(crate) struct Form {
    nodes: usize,
}

#[device]
impl Form {
    fn levels(self) -> u32 {
        self.nodes.ilog2() + 1
    }

    fn level_of(node: usize) -> u32 {
        (node + 1).ilog2()
    }

    fn first_of(level: u32) -> usize {
        (1 << level) - 1
    }

    /// How many levels are below a node's.
    fn height(self, node: usize) -> u32 {
        self.levels() - 1 - Self::level_of(node)
    }

    /// How many nodes the subtree of a node has.
    fn size(self, node: usize) -> usize {
        let width = 1 << self.height(node);
        let first_leaf = (node + 1) * width - 1;
        width - 1 + self.nodes.saturating_sub(first_leaf).min(width)
    }

    /// Where a node's subtree begins, when all subtrees of its level stand one behind the other, and the nodes above before them.
    fn begin(self, node: usize) -> usize {
        let first = Self::first_of(Self::level_of(node));
        let width = 1 << self.height(node);
        let leaves = self.nodes - Self::first_of(self.levels() - 1);
        first + (node - first) * (width - 1) + leaves.min((node - first) * width)
    }
}

/// Sorts by a bitonic network, in which `N` is a power of two. All threads of the block come.
#[device]
fn sort<const N: usize>(items: &mut [Item; N], axis: usize) {
    for run in 1..=N.ilog2() {
        for half in (0..run).rev().map(|bit| 1 << bit) {
            sync_threads();
            for pair in (thread_idx().x..N / 2).step_by(block_dim().x) {
                let low = 2 * pair - pair % half;
                let high = low + half;
                let (first, second) = if low >> run & 1 == 0 { (low, high) } else { (high, low) };
                if items[second].is_before(&items[first], axis) {
                    items.swap(first, second);
                }
            }
        }
    }
    sync_threads();
}

/// Builds the tree of at most `N` points, in one block.
#[kernel]
fn build<const N: usize>(points: &[Point], tree: &mut [Node]) {
    #[shared]
    let mut items: [Item; N];
    let form = Form { nodes: points.len() };
    let (t, threads) = (thread_idx().x, block_dim().x);
    for i in (t..N).step_by(threads) {
        // What there is no point for stays behind all others.
        let (subtree, at) = points.get(i).map_or((usize::MAX, [0.0; 3]), |&at| (0, at));
        items[i] = Item { subtree, node: Node { at, number: i as u32 } };
    }
    for level in 0..form.levels() - 1 {
        sort(&mut items, level as usize % 3);
        // The nodes of the levels above have their points.
        for i in (Form::first_of(level) + t..form.nodes).step_by(threads) {
            let subtree = &mut items[i].subtree;
            let middle = form.begin(*subtree) + form.size(2 * *subtree + 1);
            match i.cmp(&middle) {
                Ordering::Less => *subtree = 2 * *subtree + 1,
                Ordering::Equal => {}
                Ordering::Greater => *subtree = 2 * *subtree + 2,
            }
        }
    }
    sync_threads();
    for i in (t..form.nodes).step_by(threads) {
        let Item { subtree, node } = items[i];
        tree[subtree] = node;
    }
}

/// Searches the subtree of a node for the point that is nearest, by the square of its distance.
#[device]
fn search(tree: &[Node], node: usize, wanted: &Point, best: &mut (f32, u32)) {
    let Some(&Node { at, number }) = tree.get(node) else { return };
    let far = at.iter().zip(wanted).map(|(a, b)| (a - b) * (a - b)).sum();
    if far < best.0 {
        *best = (far, number);
    }
    let axis = Form::level_of(node) as usize % 3;
    let beyond = wanted[axis] - at[axis];
    let (near, other) = if beyond < 0.0 { (2 * node + 1, 2 * node + 2) } else { (2 * node + 2, 2 * node + 1) };
    search(tree, near, wanted, best);
    if beyond * beyond < best.0 {
        search(tree, other, wanted, best);
    }
}

#[kernel]
fn nearest(tree: &[Node], wanted: &[Point], out: &mut [(f32, u32)]) {
    let i = global_id();
    let mut best = (f32::INFINITY, 0);
    search(tree, 0, &wanted[i], &mut best);
    out[i] = best;
}

/// Points, of which many have a coordinate in common.
fn points(count: usize) -> Vec<Point> {
    let mut state = 7_u32;
    let mut coordinate = || {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        (state >> 16) as f32 % 23.0 / 2.0
    };
    (0..count).map(|_| [coordinate(), coordinate(), coordinate()]).collect()
}

/// Whether no node below the left child is above its node along the node's axis, and none below the right child is below.
fn is_divided(tree: &[Node]) -> bool {
    (1..tree.len()).all(|node| {
        let mut below = node;
        let mut ancestors = std::iter::from_fn(|| {
            let is_left = below % 2 == 1;
            below = below.checked_sub(1)? / 2;
            Some((below, is_left))
        });
        ancestors.all(|(above, is_left)| {
            let axis = (above + 1).ilog2() as usize % 3;
            let (a, b) = (tree[node].at[axis], tree[above].at[axis]);
            if is_left { a <= b } else { a >= b }
        })
    })
}

fn check<const N: usize>(count: usize) {
    let mut points = points(count + 64);
    let wanted = points.split_off(count);
    super::race_free(&|gpu| {
        let mut tree = vec![Node::default(); count];
        gpu.launch(Grid::new(1, 32), build::<N>(&points, &mut tree)).unwrap();
        let mut numbers: Vec<u32> = tree.iter().map(|node| node.number).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..count as u32), "{tree:?}");
        assert!(tree.iter().all(|node| node.at == points[node.number as usize]), "{tree:?}");
        assert!(is_divided(&tree), "{tree:?}");
        let mut found = vec![(0.0, 99); 64];
        gpu.launch(Grid::new(2, 32), nearest(&tree, &wanted, &mut found)).unwrap();
        for (wanted, (far, number)) in wanted.iter().zip(found) {
            let away = |point: &Point| point.iter().zip(wanted).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
            assert_eq!(Some(far), points.iter().map(away).reduce(f32::min));
            assert_eq!(far, away(&points[number as usize]));
        }
    });
}

#[test]
fn trees_are_built() {
    // One point; a last level that is full, one that lacks a node, one that has no other.
    check::<8>(1);
    check::<8>(7);
    check::<8>(6);
    check::<8>(8);
    check::<64>(50);
}
