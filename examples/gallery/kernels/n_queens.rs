//! N queens: in how many ways a board of n by n holds n queens that do not attack each other.
//!
//! A thread takes a place of the first two queens and searches the rest, once by recursion and once with a stack of its
//! own, as CUDA programs do. Attacked columns and diagonals are bits (Richards, "Backtracking algorithms in MCPL using bit
//! patterns and recursion"). Searches are of very different sizes: divergence at its worst.

use simt::prelude::*;

use super::machine::Machine;

/// The board: 92 solutions.
const N: usize = 8;
const FULL: u32 = (1 << N) - 1;

/// The attacks on the third row: by columns, and by diagonals to the left and right. All of them, if the first two queens
/// attack each other: nothing is then left to search.
#[device]
fn after_two(first: u32, second: u32) -> (u32, u32, u32) {
    if second & (first | first << 1 | first >> 1) != 0 {
        return (0, FULL, FULL);
    }
    (first | second, (first << 1 | second) << 1, (first >> 1 | second) >> 1)
}

/// In how many ways the rows from here on can be filled.
#[device]
fn fill(columns: u32, left: u32, right: u32) -> u32 {
    if columns == FULL {
        return 1;
    }
    let mut free = FULL & !(columns | left | right);
    let mut solutions = 0;
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        solutions += fill(columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    solutions
}

#[kernel]
pub(crate) fn by_recursion(solutions: &mut [u32]) {
    let i = global_id();
    let (columns, left, right) = after_two(1 << (i / N), 1 << (i % N));
    solutions[i] = fill(columns, left, right);
}

#[kernel]
pub(crate) fn by_stack(solutions: &mut [u32]) {
    let i = global_id();
    // Of each row: what is attacked, and the places that are still to be tried.
    let mut columns = [0; N];
    let mut left = [0; N];
    let mut right = [0; N];
    let mut free = [0; N];
    let (mut columns_now, mut left_now, mut right_now) = after_two(1 << (i / N), 1 << (i % N));
    let mut row = 0;
    let mut found = 0;
    'search: loop {
        columns[row] = columns_now;
        left[row] = left_now;
        right[row] = right_now;
        free[row] = FULL & !(columns_now | left_now | right_now);
        // Back to the last row that has a place left.
        while free[row] == 0 {
            if row == 0 {
                break 'search;
            }
            row -= 1;
        }
        let queen = free[row] & free[row].wrapping_neg();
        free[row] ^= queen;
        columns_now = columns[row] | queen;
        left_now = (left[row] | queen) << 1;
        right_now = (right[row] | queen) >> 1;
        found += (columns_now == FULL) as u32;
        row += 1;
    }
    solutions[i] = found;
}

/// Solutions with the first two queens in these columns, by trying all columns of each row.
fn host(queens: &mut Vec<usize>) -> u32 {
    let attacked = |row: usize, queens: &[usize]| {
        let earlier = queens[..row].iter().zip(0..row);
        earlier.clone().any(|(&column, r)| column == queens[row] || column.abs_diff(queens[row]) == row - r)
    };
    if (1..queens.len()).any(|row| attacked(row, queens)) {
        return 0;
    }
    if queens.len() == N {
        return 1;
    }
    let with = |column| {
        queens.push(column);
        let solutions = host(queens);
        queens.pop();
        solutions
    };
    (0..N).map(with).sum()
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let (mut recursive, mut stacked) = (vec![0; N * N], vec![0; N * N]);
    let mut report = gpu.launch(Grid::new(1, N * N), by_recursion(&mut recursive))?;
    report.merge(&gpu.launch(Grid::new(1, N * N), by_stack(&mut stacked))?);
    let expected: Vec<u32> = (0..N * N).map(|i| host(&mut vec![i / N, i % N])).collect();
    assert_eq!(expected.iter().sum::<u32>(), 92);
    assert_eq!(recursive, expected);
    assert_eq!(stacked, expected);
    Ok(report)
}
