//! Patterns of slices and arrays within other patterns: `Some([.., before, here])`.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Key {
    at: [u32; 2],
    n: u32,
}

#[kernel]
fn nested(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    out[i] = match x.get(..=i) {
        None => 0,
        Some([.., before, here]) => here - before,
        Some([one]) => *one,
        Some(_) => 99,
    };
    let key = Key { at: [i as u32 % 2, i as u32 % 3], n: 4 };
    out[i] += match (key, i) {
        (Key { at: [0, 0], .. }, _) => 100,
        (Key { at: [0, b], n }, 2) => 200 + b * n,
        (Key { at: [.., 2], .. }, _) => 300,
        (Key { at: [a, b], .. }, k) => a + b + k as u32,
    };
    out[i] += match [(1, [2, i]), (3, [4, 5])] {
        [(_, [2, 3]), ..] => 1000,
        [(a, [b, c]), (_, [.., d])] => (a + b + c + d) as u32,
    };
}
#[test]
fn of_options() {
    everywhere!(|gpu| {
        let x = [3, 5, 9, 11];
        let mut out = vec![0; 6];
        gpu.launch(Grid::new(1, 6), nested(&x, &mut out)).unwrap();
        let want: Vec<u32> = (0..6usize)
            .map(|i| {
                let a = match x.get(..=i) {
                    None => 0,
                    Some([.., before, here]) => here - before,
                    Some([one]) => *one,
                    Some(_) => 99,
                };
                let key = Key { at: [i as u32 % 2, i as u32 % 3], n: 4 };
                let b = match (key, i) {
                    (Key { at: [0, 0], .. }, _) => 100,
                    (Key { at: [0, b], n }, 2) => 200 + b * n,
                    (Key { at: [.., 2], .. }, _) => 300,
                    (Key { at: [a, b], .. }, k) => a + b + k as u32,
                };
                let c = match [(1, [2, i]), (3, [4, 5])] {
                    [(_, [2, 3]), ..] => 1000,
                    [(a, [b, c]), (_, [.., d])] => (a + b + c + d) as u32,
                };
                a + b + c
            })
            .collect();
        assert_eq!(out, want);
    });
}
