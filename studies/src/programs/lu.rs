//! LU decomposition of a dense matrix by blocks, after the kernel of SPLASH-2 (S. C. Woo et al., ISCA 1995): a core's threads
//! decompose one matrix, and each thread owns the blocks that a two-dimensional scatter says.
//!
//! As there, all threads walk over all blocks that are left, and the owner of a block works on it: while a thread does, the
//! others of its warp that own none there are idle, unless they are regrouped with threads that work on others.

use simt::prelude::*;

use super::{Machine, Size};

/// Rows and columns of a block.
const SIDE: usize = 3;
/// Words of a block, which lie together, column by column.
const BLOCK: usize = SIDE * SIDE;

/// `x[to..] += alpha * x[from..]`, of `count` words.
#[device]
fn daxpy(x: &mut [f32], to: usize, from: usize, count: usize, alpha: f32) {
    for i in 0..count {
        x[to + i] += alpha * x[from + i];
    }
}

/// The thread that owns a block.
#[device]
fn owner(i: usize, j: usize, rows: usize, columns: usize) -> usize {
    i % columns + j % rows * columns
}

#[kernel]
pub(crate) fn decompose(blocks: usize, rows: usize, columns: usize, x: &mut [f32]) {
    let me = thread_idx().x;
    let first = block_idx().x * blocks * blocks * BLOCK;
    for k in 0..blocks {
        let diagonal = first + (k * blocks + k) * BLOCK;
        if owner(k, k, rows, columns) == me {
            for c in 0..SIDE {
                for j in c + 1..SIDE {
                    x[diagonal + c + j * SIDE] /= x[diagonal + c + c * SIDE];
                    let alpha = -x[diagonal + c + j * SIDE];
                    daxpy(x, diagonal + c + 1 + j * SIDE, diagonal + c + 1 + c * SIDE, SIDE - c - 1, alpha);
                }
            }
        }
        sync_threads();
        for i in k + 1..blocks {
            if owner(i, k, rows, columns) == me {
                let a = first + (i * blocks + k) * BLOCK;
                for c in 0..SIDE {
                    for j in c + 1..SIDE {
                        let alpha = -x[diagonal + c + j * SIDE];
                        daxpy(x, a + j * SIDE, a + c * SIDE, SIDE, alpha);
                    }
                }
            }
        }
        for j in k + 1..blocks {
            if owner(k, j, rows, columns) == me {
                let a = first + (k * blocks + j) * BLOCK;
                for c in 0..SIDE {
                    for d in 0..SIDE {
                        x[a + c + d * SIDE] /= x[diagonal + c + c * SIDE];
                        let alpha = -x[a + c + d * SIDE];
                        daxpy(x, a + c + 1 + d * SIDE, diagonal + c + 1 + c * SIDE, SIDE - c - 1, alpha);
                    }
                }
            }
        }
        sync_threads();
        for i in k + 1..blocks {
            for j in k + 1..blocks {
                if owner(i, j, rows, columns) == me {
                    let (left, upper) = (first + (i * blocks + k) * BLOCK, first + (k * blocks + j) * BLOCK);
                    let a = first + (i * blocks + j) * BLOCK;
                    for c in 0..SIDE {
                        for d in 0..SIDE {
                            let alpha = -x[upper + c + d * SIDE];
                            daxpy(x, a + d * SIDE, left + c * SIDE, SIDE, alpha);
                        }
                    }
                }
            }
        }
        sync_threads();
    }
}

/// The place of an element in a matrix of so many blocks.
fn place(blocks: usize, row: usize, column: usize) -> usize {
    (row / SIDE * blocks + column / SIDE) * BLOCK + row % SIDE + column % SIDE * SIDE
}

/// The same without blocks: the upper factor has ones on its diagonal.
fn host(blocks: usize, x: &mut [f32]) {
    let n = blocks * SIDE;
    let at = |row, column| place(blocks, row, column);
    for k in 0..n {
        for j in k + 1..n {
            x[at(k, j)] /= x[at(k, k)];
            let factor = x[at(k, j)];
            (k + 1..n).for_each(|i| x[at(i, j)] -= factor * x[at(i, k)]);
        }
    }
}

/// Launches the program, and compares with plain Rust.
pub(crate) fn run(machine: &mut dyn Machine, size: &Size) -> Result<(), LaunchError> {
    let (blocks, matrices) = (size.choose(4, 10, 12), size.cores * size.choose(1, 1, 2));
    // As in SPLASH-2: as near to a square as the number of threads can be divided.
    let rows = (1..=size.threads.isqrt()).rev().find(|&rows| size.threads.is_multiple_of(rows)).unwrap_or(1);
    let elements = blocks * blocks * BLOCK;
    let mut x = size.random(1995).floats(matrices * elements, -1.0, 1.0);
    for matrix in x.chunks_mut(elements) {
        // A large diagonal makes pivoting needless.
        (0..blocks * SIDE).for_each(|i| matrix[place(blocks, i, i)] += (blocks * SIDE) as f32);
    }
    let mut expected = x.clone();
    expected.chunks_mut(elements).for_each(|matrix| host(blocks, matrix));
    machine.launch(Grid::new(matrices, size.threads), decompose(blocks, rows, size.threads / rows, &mut x))?;
    // The same operations on each element in the same order, so not a bit differs.
    assert_eq!(x, expected);
    Ok(())
}
