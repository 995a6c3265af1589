//! Tuple structs, and patterns of structs.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq, PartialOrd)]
struct Meters(f32);

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Entry(u32, [u8; 3], Meters);

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Pair<T>(T, T);

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Node {
    entry: Entry,
    next: u32,
    at: Place,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Place {
    x: i32,
    y: i32,
}

#[device]
impl Meters {
    const ONE: Meters = Meters(1.0);

    fn twice(self) -> Self {
        Self(2.0 * self.0)
    }

    fn grow(&mut self, Meters(by): Meters) -> f32 {
        self.0 += by;
        self.0
    }
}

#[device]
impl std::ops::Add for Meters {
    type Output = Meters;

    fn add(self, Meters(other): Meters) -> Meters {
        Meters(self.0 + other)
    }
}

#[device]
impl Entry {
    fn sum(self) -> u32 {
        let Entry(number, _, Meters(length)) = self;
        let mut sum = number + length as u32;
        for k in 0..3 {
            sum += self.1[k] as u32;
        }
        sum + second(self.1[1] as u32, (1, 2))
    }
}

#[device]
fn second(byte: u32, (one, mut two): (u32, u32)) -> u32 {
    two -= 2 * one;
    byte + two
}

#[kernel]
fn lengths(entries: &mut [Entry], nodes: &mut [Node], out: &mut [f32]) {
    let i = global_id();
    let mut length = entries[i].2.twice();
    entries[i].0 += 3;
    entries[i].1[i % 3] = 7;
    entries[i].2.0 *= 0.5;
    let far = length.grow(Meters::ONE) + (length + entries[i].2).0;
    if length > entries[i].2 {
        nodes[i].entry.2 = length;
    }
    let Node { entry: Entry(number, ..), at: Place { mut x, y }, next: _ } = nodes[i];
    while x < y {
        x += number as i32 + 1;
    }
    nodes[i].at.x = x;
    nodes[i].entry.1[2] += entries[i].1[0];
    let Pair(first, second) = Pair(far, x as f32);
    let pair = Pair::<u32>(entries[i].sum(), 2);
    let mut copy = pair;
    (copy.0, copy.1) = (copy.1, copy.0);
    nodes[i].next = match (nodes[i], copy) {
        (Node { entry: Entry(0, ..), .. }, _) => 1,
        (Node { next: n @ 1..=2, at: Place { x: 3.., .. }, .. }, Pair(a, b)) => n + a * b,
        (Node { entry, .. }, Pair(2, b)) if entry.0 % 2 == 0 => b,
        (_, Pair(a, b)) => 1000 * b + a,
    };
    if let Place { x: 4, y } | Place { x: y, y: 4 } = nodes[i].at {
        nodes[i].at.y = 50 + y;
    }
    out[i] = first + second;
}

/// The same in plain Rust.
fn expected(entries: &mut [Entry], nodes: &mut [Node], out: &mut [f32], i: usize) {
    let sum = |entry: Entry| {
        entry.0 + entry.2.0 as u32 + entry.1.iter().map(|&byte| u32::from(byte)).sum::<u32>() + u32::from(entry.1[1])
    };
    let mut length = 2.0 * entries[i].2.0;
    entries[i].0 += 3;
    entries[i].1[i % 3] = 7;
    entries[i].2.0 *= 0.5;
    length += 1.0;
    let far = length + (length + entries[i].2.0);
    if length > entries[i].2.0 {
        nodes[i].entry.2 = Meters(length);
    }
    let Node { entry: Entry(number, ..), at: Place { mut x, y }, next: _ } = nodes[i];
    while x < y {
        x += number as i32 + 1;
    }
    nodes[i].at.x = x;
    nodes[i].entry.1[2] += entries[i].1[0];
    let pair = Pair(sum(entries[i]), 2);
    nodes[i].next = match (nodes[i], Pair(pair.1, pair.0)) {
        (Node { entry: Entry(0, ..), .. }, _) => 1,
        (Node { next: n @ 1..=2, at: Place { x: 3.., .. }, .. }, Pair(a, b)) => n + a * b,
        (Node { entry, .. }, Pair(2, b)) if entry.0 % 2 == 0 => b,
        (_, Pair(a, b)) => 1000 * b + a,
    };
    if let Place { x: 4, y } | Place { x: y, y: 4 } = nodes[i].at {
        nodes[i].at.y = 50 + y;
    }
    out[i] = far + x as f32;
}

#[test]
fn tuple_structs_and_patterns_are_what_they_are_on_the_host() {
    let entry = |i: u32| Entry(i % 4, [i as u8, 1, 2 * i as u8], Meters(i as f32 / 4.0));
    let start: Vec<Entry> = (0..30).map(entry).collect();
    let node = |i: u32| Node { entry: entry(i / 2), next: i % 5, at: Place { x: i as i32 % 7 - 3, y: 4 } };
    let nodes: Vec<Node> = (0..30).map(node).collect();
    let (mut wanted, mut wanted_nodes, mut wanted_out) = (start.clone(), nodes.clone(), vec![0.0; 30]);
    (0..30).for_each(|i| expected(&mut wanted, &mut wanted_nodes, &mut wanted_out, i));
    everywhere!(|gpu| {
        let (mut entries, mut nodes, mut out) = (start.clone(), nodes.clone(), vec![0.0; 30]);
        gpu.launch(Grid::new(2, 15), lengths(&mut entries, &mut nodes, &mut out)).unwrap();
        assert_eq!((&entries, &nodes, &out), (&wanted, &wanted_nodes, &wanted_out));
    });
}

#[kernel]
fn parts(x: &mut [u32]) {
    let i = global_id();
    let many = (x[i], 2, 3, x[i] + 4);
    let (first, ..) = many;
    let (.., last) = many;
    let (_, mut second, .., fourth) = many;
    second += fourth;
    x[i] = match many {
        (0, .., a) => a,
        (.., 6) => first + last,
        (_, b, ..) => b * second,
    };
}

#[test]
fn two_points_leave_parts_out() {
    everywhere!(|gpu| {
        let mut x = [0, 1, 2, 3];
        gpu.launch(Grid::new(1, 4), parts(&mut x)).unwrap();
        assert_eq!(x, [4, 14, 8, 18]);
    });
}

/// Only the field that is named is read.
#[test]
fn a_field_of_an_element_is_one_load() {
    #[kernel]
    fn one(entries: &[Entry], out: &mut [f32]) {
        out[global_id()] = entries[global_id()].2.0;
    }
    #[kernel]
    fn of_references(entries: &mut [Entry], out: &mut [f32]) {
        for entry in entries.iter_mut() {
            out[0] += entry.2.0;
            entry.2.0 = 3.0;
        }
    }
    for program in [one::program().to_string(), of_references::program().to_string()] {
        assert!(program.contains("entries.2.0["), "{program}");
        assert!(!program.contains("entries.0["), "{program}");
    }
}

#[kernel]
fn tuples(pairs: &mut [(u32, f32)], edges: &[(u32, (u8, bool))], (scale, by): (f32, u32), out: &mut [u32]) {
    #[shared]
    let mut tile: [(u32, f32); 16];
    let (i, t) = (global_id(), thread_idx().x);
    tile[t] = pairs[i];
    sync_threads();
    let (key, value) = tile[block_dim().x - 1 - t];
    pairs[i].1 += value * scale;
    pairs[i].0 = key + by;
    let mut local = [(0u32, 0u8); 4];
    for k in 0..4 {
        local[k] = (edges[i].0 + k as u32, edges[i].1.0);
        local[k].1 += 1;
    }
    out[i] = local[t % 4].0 * local[3].1 as u32;
    if edges[i].1.1 && pairs[i] != (0, 0.0) {
        out[i] += 1;
    }
    for edge in edges {
        out[i] += edge.0;
    }
}

#[test]
fn slices_and_arrays_have_tuples() {
    let start: Vec<(u32, f32)> = (0..32).map(|i| (i, i as f32 / 2.0)).collect();
    let edges: Vec<(u32, (u8, bool))> = (0..32).map(|i| (i * 3 % 7, (i as u8, i % 3 == 0))).collect();
    let all: u32 = edges.iter().map(|edge| edge.0).sum();
    everywhere!(|gpu| {
        let (mut pairs, mut out) = (start.clone(), vec![0; 32]);
        gpu.launch(Grid::new(2, 16), tuples(&mut pairs, &edges, (2.0, 100), &mut out)).unwrap();
        for i in 0..32 {
            let (t, block) = (i % 16, i / 16 * 16);
            let (key, value) = start[block + 15 - t];
            assert_eq!(pairs[i], (key + 100, start[i].1 + value * 2.0));
            let (first, (byte, flag)) = edges[i];
            let found = (first + (t % 4) as u32) * u32::from(byte + 1) + u32::from(flag) + all;
            assert_eq!(out[i], found);
        }
    });
}
