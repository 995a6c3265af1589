//! The queens of a chess board, by a stack of its own.

use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Each thread takes one start of two queens, backtracks with an explicit stack of bit masks.
#[kernel]
fn queens(n: u32, solutions: &[AtomicU32]) {
    let id = global_id() as u32;
    let (a, b) = (id / n, id % n);
    if a >= n {
        return;
    }
    let full = (1u32 << n) - 1;
    let qa = 1 << a;
    let qb = 1 << b;
    if qb & (qa | qa << 1 | qa >> 1) != 0 {
        return;
    }
    let mut cols = [0u32; 16];
    let mut left = [0u32; 16];
    let mut right = [0u32; 16];
    let mut free = [0u32; 16];
    let mut depth = 2;
    cols[2] = qa | qb;
    left[2] = ((qa << 1) | qb) << 1;
    right[2] = ((qa >> 1) | qb) >> 1;
    free[2] = full & !(cols[2] | left[2] | right[2]);
    let mut found = 0;
    loop {
        if free[depth] == 0 {
            if depth == 2 {
                break;
            }
            depth -= 1;
            continue;
        }
        let q = free[depth] & free[depth].wrapping_neg();
        free[depth] ^= q;
        let c = cols[depth] | q;
        if c == full {
            found += 1;
            continue;
        }
        let l = (left[depth] | q) << 1;
        let r = (right[depth] | q) >> 1;
        depth += 1;
        cols[depth] = c;
        left[depth] = l;
        right[depth] = r;
        free[depth] = full & !(c | l | r);
    }
    solutions[0].fetch_add(found, Relaxed);
}

/// The same by recursion.
#[device]
fn place(full: u32, cols: u32, left: u32, right: u32) -> u32 {
    if cols == full {
        1
    } else {
        let mut free = full & !(cols | left | right);
        let mut found = 0;
        while free != 0 {
            let q = free & free.wrapping_neg();
            free -= q;
            found += place(full, cols | q, (left | q) << 1, (right | q) >> 1);
        }
        found
    }
}

#[kernel]
fn queens_recursive(n: u32, solutions: &[AtomicU32]) {
    let i = global_id() as u32;
    if i < n {
        let q = 1 << i;
        solutions[0].fetch_add(place((1 << n) - 1, q, q << 1, q >> 1), Relaxed);
    }
}

#[test]
fn eight() {
    for_each_policy!(P => {
        for (n, want) in [(6, 4), (8, 92)] {
            let s = [AtomicU32::new(0)];
            Gpu::<P>::default().launch(Grid::covering(n * n, 64), queens(n as u32, &s)).unwrap();
            assert_eq!(s[0].load(Relaxed), want);
            let s = [AtomicU32::new(0)];
            Gpu::<P>::default().launch(Grid::covering(n, 32), queens_recursive(n as u32, &s)).unwrap();
            assert_eq!(s[0].load(Relaxed), want);
        }
    });
}
