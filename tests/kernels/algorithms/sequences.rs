//! Searches, texts, trees and graphs.

use simt::prelude::*;

/// A node of a b+ tree: keys, and children or values.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Node {
    count: u32,
    is_leaf: bool,
    keys: [u32; 4],
    children: [u32; 5],
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Match {
    length: u32,
    back: u32,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Token {
    Literal(u8),
    Copy { length: u32, back: u32 },
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq, PartialOrd)]
struct Candidate {
    weight: f32,
    to: u32,
}

#[device]
impl Node {
    /// The child that has the key, if this is no leaf, or its value.
    fn below(self, key: u32) -> Result<u32, Option<u32>> {
        let mut at = 0;
        while at < self.count as usize && (self.keys[at] < key || !self.is_leaf && self.keys[at] == key) {
            at += 1;
        }
        if !self.is_leaf {
            return Ok(self.children[at]);
        }
        let found = at < self.count as usize && self.keys[at] == key;
        Err(if found { Some(self.children[at]) } else { None })
    }
}

#[device]
impl Match {
    /// The longest match of what stands at `at` with what stands before.
    fn longest(text: &[u8], at: usize) -> Option<Match> {
        let mut best: Option<Match> = None;
        for back in 1..=at {
            let mut length = 0;
            while at + length < text.len() && length < 15 && text[at - back + length] == text[at + length] {
                length += 1;
            }
            let found = Match { length: length as u32, back: back as u32 };
            if length >= 3 && best.is_none_or(|known| known.length < found.length) {
                best = Some(found);
            }
        }
        best
    }
}

alike! {
    // Walks down from the root.
    fn find(nodes: &[Node], keys: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut at = 0;
        out[i] = loop {
            match nodes[at as usize].below(keys[i]) {
                Ok(child) => at = child,
                Err(Some(value)) => break value,
                Err(None) => break 999,
            }
        };
    }

    // Which token a compressor would write at each place (LZ77).
    fn tokens(text: &[u8], out: &mut [(u32, u32)]) {
        let i = global_id();
        let token = match Match::longest(text, i) {
            Some(Match { length, back }) => Token::Copy { length, back },
            None => Token::Literal(text[i]),
        };
        out[i] = match token {
            Token::Literal(byte) => (0, byte as u32),
            Token::Copy { length, back } => (length, back),
        };
    }

    // How often a pattern with gaps stands in a text.
    fn search(text: &[u8], pattern: &[u8], found: &mut [bool]) {
        let i = global_id();
        let mut at = i;
        found[i] = 'all: {
            for &wanted in pattern {
                match text.len().checked_sub(at) {
                    None | Some(0) => break 'all false,
                    Some(_) => {}
                }
                match (wanted, text[at]) {
                    (b'?', b'a'..=b'z') => {}
                    (b'#', b'0'..=b'9') => {}
                    (w, t) if w == t => {}
                    _ => break 'all false,
                }
                at += 1;
            }
            true
        };
    }

    // The likeliest path of a hidden Markov model (Viterbi), in logarithms.
    fn viterbi(observed: &[u8], stay: f32, leave: f32, out: &mut [u32]) {
        let i = global_id();
        let mut best = [0.0f32; 3];
        let mut from = [0u32; 24];
        for t in 0..8 {
            let seen = observed[8 * i + t] as usize;
            let mut next = [0.0f32; 3];
            for state in 0..3 {
                let mut candidate = Candidate { weight: f32::NEG_INFINITY, to: 0 };
                for before in 0..3u32 {
                    let step = if before as usize == state { stay } else { leave };
                    let other = Candidate { weight: best[before as usize] + step, to: before };
                    if candidate < other {
                        candidate = other;
                    }
                }
                let fits = if seen == state { -0.25 } else { -2.0 };
                next[state] = candidate.weight + fits;
                from[3 * t + state] = candidate.to;
            }
            for state in 0..3 {
                best[state] = next[state];
            }
        }
        let mut last = 0u32;
        for state in 1..3 {
            if best[state] > best[last as usize] {
                last = state as u32;
            }
        }
        let mut path = 0;
        for t in (0..8).rev() {
            path = path * 3 + last;
            last = from[3 * t + last as usize];
        }
        out[i] = path;
    }

    // The lightest edge of each vertex: a step of Borůvka's.
    fn lightest(offsets: &[u32], edges: &[(u32, f32)], parts: &[u32], out: &mut [(u32, f32)]) {
        let i = global_id();
        let mut best: Option<Candidate> = None;
        for e in offsets[i] as usize..offsets[i + 1] as usize {
            let (to, weight) = edges[e];
            if parts[to as usize] == parts[i] {
                continue;
            }
            let candidate = Candidate { weight, to };
            best = match best {
                Some(known) if known <= candidate => Some(known),
                _ => Some(candidate),
            };
        }
        out[i] = best.map_or((77, 0.0), |Candidate { weight, to }| (to, weight));
    }
}

#[test]
fn keys_are_found() {
    let inner = |keys: [u32; 4], count, children| Node { count, is_leaf: false, keys, children };
    let leaf = |first: u32| Node {
        count: 3,
        is_leaf: true,
        keys: [first, first + 2, first + 4, 0],
        children: [first * 10, first * 10 + 20, first * 10 + 40, 0, 0],
    };
    let nodes = [
        inner([20, 0, 0, 0], 1, [1, 2, 0, 0, 0]),
        inner([10, 0, 0, 0], 1, [3, 4, 0, 0, 0]),
        inner([30, 40, 0, 0], 2, [5, 6, 7, 0, 0]),
        leaf(1),
        leaf(10),
        leaf(20),
        leaf(30),
        leaf(40),
    ];
    let keys: Vec<u32> = (0..48).collect();
    let mut expected = vec![0; 48];
    crate::support::host::run(Grid::new(3, 16), || plain::find(&nodes, &keys, &mut expected));
    assert_eq!((expected[32], expected[33], expected[40]), (320, 999, 400));
    everywhere!(|gpu| {
        let mut out = vec![0; 48];
        gpu.launch(Grid::new(3, 16), find(&nodes, &keys, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

#[test]
fn texts_are_compressed_and_searched() {
    let text = b"abracadabra 12 abra34cadabra 5 braca";
    let mut expected = vec![(0, 0); text.len()];
    crate::support::host::run(Grid::new(1, text.len()), || plain::tokens(text, &mut expected));
    assert_eq!(expected[7], (4, 7));
    let mut expected_found = vec![false; text.len()];
    crate::support::host::run(Grid::new(1, text.len()), || plain::search(text, b"a??a", &mut expected_found));
    assert_eq!(expected_found.iter().filter(|found| **found).count(), 4);
    everywhere!(|gpu| {
        let (mut out, mut found) = (vec![(0, 0); text.len()], vec![false; text.len()]);
        gpu.launch(Grid::new(1, text.len()), tokens(text, &mut out)).unwrap();
        gpu.launch(Grid::new(1, text.len()), search(text, b"a??a", &mut found)).unwrap();
        assert_eq!((&out, &found), (&expected, &expected_found));
    });
}

#[test]
fn paths_are_likely() {
    let observed: Vec<u8> = (0..128).map(|i| (i * i / 5 % 3) as u8).collect();
    let mut expected = vec![0; 16];
    crate::support::host::run(Grid::new(2, 8), || plain::viterbi(&observed, -0.2, -1.5, &mut expected));
    everywhere!(|gpu| {
        let mut out = vec![0; 16];
        gpu.launch(Grid::new(2, 8), viterbi(&observed, -0.2, -1.5, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

#[test]
fn light_edges_join() {
    let edges: Vec<(u32, f32)> = (0..60).map(|e| (e * 7 % 20, (e * 13 % 17) as f32)).collect();
    let offsets: Vec<u32> = (0..=20).map(|i| i * 3).collect();
    let parts: Vec<u32> = (0..20).map(|i| i / 4).collect();
    let mut expected = vec![(0, 0.0); 20];
    crate::support::host::run(Grid::new(1, 20), || plain::lightest(&offsets, &edges, &parts, &mut expected));
    everywhere!(|gpu| {
        let mut out = vec![(0, 0.0); 20];
        gpu.launch(Grid::new(1, 20), lightest(&offsets, &edges, &parts, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}
