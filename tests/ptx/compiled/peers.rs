//! The seven workloads that simulators and compilers are compared on.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::host::DeviceMemory;
use simt::{Grid, Report};

/// A hash of 32 bits (Wellons's `lowbias32`).
pub(super) fn hash(mut x: u32) -> u32 {
    x = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
    x = (x ^ x >> 15).wrapping_mul(0x846c_a68b);
    x ^ x >> 16
}

pub(super) fn saxpy(run: &Run, count: usize) -> Report {
    let mut random = Random::new(1);
    let (x, y) = (random.floats(count, -1.0, 1.0), random.floats(count, -1.0, 1.0));
    let mut memory = DeviceMemory::new();
    let (at_x, at_y) = (memory.upload(&x).unwrap(), memory.upload(&y).unwrap());
    let arguments = arguments![count as u32, 2.5f32, at_x, at_y];
    let report = run.launch("saxpy", Grid::covering(count, 128), &mut memory, arguments);
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 2.5 * x + y).collect();
    assert_eq!(memory.read::<f32>(at_y, count).unwrap(), expected, "{run}");
    report
}

/// Points of a square of the plane, as many a side.
pub(super) fn mandel(run: &Run, side: u32) -> Report {
    let (limit, step) = (256u32, 3.0 / side as f32);
    let mut memory = DeviceMemory::new();
    let out = memory.upload(&vec![u32::MAX; (side * side) as usize]).unwrap();
    let report =
        run.launch("mandel", Grid::covering(side * side, 256), &mut memory, arguments![side, limit, step, out]);
    let steps = |i: u32| {
        let (cx, cy) = (-2.0 + (i % side) as f32 * step, -1.5 + (i / side) as f32 * step);
        let (mut zx, mut zy, mut count) = (0f32, 0f32, 0);
        while count < limit && zx * zx + zy * zy <= 4.0 {
            (zx, zy) = (zx * zx - zy * zy + cx, 2.0 * zx * zy + cy);
            count += 1;
        }
        count
    };
    let expected: Vec<u32> = (0..side * side).map(steps).collect();
    assert_eq!(memory.read::<u32>(out, expected.len()).unwrap(), expected, "{run}");
    report
}

pub(super) fn collatz(run: &Run, count: u32) -> Report {
    let mut memory = DeviceMemory::new();
    let out = memory.upload(&vec![u32::MAX; count as usize]).unwrap();
    let report = run.launch("collatz", Grid::covering(count, 256), &mut memory, arguments![count, out]);
    let steps = |i: u32| {
        let mut value = u64::from(i) + 1;
        let next = |_: &u32| {
            let last = value;
            value = if value % 2 == 1 { 3 * value + 1 } else { value / 2 };
            last != 1
        };
        (0u32..).take_while(next).count() as u32
    };
    let expected: Vec<u32> = (0..count).map(steps).collect();
    assert_eq!(memory.read::<u32>(out, expected.len()).unwrap(), expected, "{run}");
    report
}

pub(super) fn bitonic(run: &Run, blocks: u32) -> Report {
    let mut numbers: Vec<u32> = (0..1024 * blocks).map(hash).collect();
    let mut memory = DeviceMemory::new();
    let at = memory.upload(&numbers).unwrap();
    let report = run.launch("bitonic", Grid::new(blocks as usize, 1024), &mut memory, arguments![at]);
    numbers.chunks_mut(1024).for_each(<[u32]>::sort_unstable);
    assert_eq!(memory.read::<u32>(at, numbers.len()).unwrap(), numbers, "{run}");
    report
}

/// Searches in a table of sorted numbers, half of them for numbers that it has.
pub(super) fn search(run: &Run, sought: u32, numbers: u32) -> Report {
    let table: Vec<u32> = (0..numbers).map(|i| i.wrapping_mul(65_521).wrapping_add(hash(i) & 0x7fff)).collect();
    let query = |i: u32| {
        let random = hash(i ^ 0x9e37_79b9);
        if i % 2 == 1 { table[(random % numbers) as usize] } else { random }
    };
    let queries: Vec<u32> = (0..sought).map(query).collect();
    let mut memory = DeviceMemory::new();
    let (at_table, at_queries) = (memory.upload(&table).unwrap(), memory.upload(&queries).unwrap());
    let out = memory.upload(&vec![u32::MAX; sought as usize]).unwrap();
    let arguments = arguments![sought, numbers, at_table, at_queries, out];
    let report = run.launch("search", Grid::covering(sought, 256), &mut memory, arguments);
    // No number is there twice.
    let expected: Vec<u32> =
        queries.iter().map(|query| table.binary_search(query).unwrap_or_else(|place| place) as u32).collect();
    assert_eq!(memory.read::<u32>(out, expected.len()).unwrap(), expected, "{run}");
    report
}

/// A graph in which few nodes have most of the edges, and which of its nodes are reached.
pub(super) struct Graph {
    pub(super) first: Vec<u32>,
    pub(super) edges: Vec<u32>,
    pub(super) levels: Vec<u32>,
}

impl Graph {
    pub(super) fn new(nodes: u32) -> Self {
        let mut first = vec![0];
        for node in 0..nodes {
            let edges = 2 + (1 << (hash(node + 0x0123_4567) | 0x400).trailing_zeros());
            first.push(first[node as usize] + edges);
        }
        let edges = (0..first[nodes as usize]).map(|edge| hash(edge ^ 0xdead_beef) % nodes).collect();
        let levels =
            (0..nodes).map(|node| if hash(node ^ 0x55aa_55aa).is_multiple_of(8) { 0 } else { u32::MAX }).collect();
        Self { first, edges, levels }
    }
}

pub(super) fn bfs(run: &Run, nodes: u32) -> Report {
    let Graph { first, edges, levels } = Graph::new(nodes);
    let mut memory = DeviceMemory::new();
    let (at_first, at_edges) = (memory.upload(&first).unwrap(), memory.upload(&edges).unwrap());
    let (at_levels, next) = (memory.upload(&levels).unwrap(), memory.upload(&vec![0u32; nodes as usize]).unwrap());
    let arguments = arguments![nodes, at_first, at_edges, at_levels, 0u32, next];
    let report = run.launch("bfs", Grid::covering(nodes, 256), &mut memory, arguments);
    let mut expected = vec![0u32; nodes as usize];
    for node in (0..nodes as usize).filter(|&node| levels[node] == 0) {
        for &to in &edges[first[node] as usize..first[node + 1] as usize] {
            if levels[to as usize] == u32::MAX {
                expected[to as usize] = 1;
            }
        }
    }
    assert_eq!(memory.read::<u32>(next, expected.len()).unwrap(), expected, "{run}");
    report
}

pub(super) fn reduce(run: &Run, count: u32) -> Report {
    let numbers: Vec<u32> = (0..count).map(|i| hash(i + 77)).collect();
    let mut memory = DeviceMemory::new();
    let at = memory.upload(&numbers).unwrap();
    let expected: Vec<u32> =
        numbers.chunks(256).map(|block| block.iter().fold(0, |sum: u32, x| sum.wrapping_add(*x))).collect();
    let partial = memory.upload(&vec![0u32; expected.len()]).unwrap();
    let report = run.launch("reduce", Grid::covering(count, 256), &mut memory, arguments![count, at, partial]);
    assert_eq!(memory.read::<u32>(partial, expected.len()).unwrap(), expected, "{run}");
    report
}

#[test]
fn sums_of_vectors() {
    everywhere("peers", &["saxpy"], |run| saxpy(run, 1000));
}

#[test]
fn points_of_the_mandelbrot_set() {
    everywhere("peers", &["mandel"], |run| mandel(run, 24));
}

#[test]
fn steps_to_one() {
    everywhere("peers", &["collatz"], |run| collatz(run, 300));
}

#[test]
fn networks_that_sort() {
    everywhere("peers", &["bitonic"], |run| bitonic(run, 1));
}

#[test]
fn searches_in_a_table() {
    everywhere("peers", &["search"], |run| search(run, 300, 1000));
}

#[test]
fn a_level_of_a_search() {
    everywhere("peers", &["bfs"], |run| bfs(run, 300));
}

#[test]
fn sums_of_blocks() {
    everywhere("peers", &["reduce"], |run| reduce(run, 1000));
}
