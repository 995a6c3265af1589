//! Smith-Waterman: the best local alignment of a query with each sequence of a database, by its score.
//!
//! A block takes a sequence and walks over the table of scores by anti-diagonals, whose cells do not depend on each other: a
//! thread owns a column, that is a letter of the query. At both ends of the walk columns are outside of the table and idle.

use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::Relaxed;

use simt::prelude::*;

use super::input::Random;

/// Letters of the query, and the price of a gap a letter.
const QUERY: usize = 64;
const GAP: i32 = 6;

/// The score of two aligned letters of A, G, C, T, numbered so: bases of one kind change more often.
#[device]
fn similarity(a: u8, b: u8) -> i32 {
    match a ^ b {
        0 => 5,
        1 => -2,
        _ => -4,
    }
}

#[kernel]
pub(crate) fn align(query: &[u8], first: &[u32], letters: &[u8], best: &mut [i32]) {
    // The scores of the last two diagonals, by columns.
    #[shared]
    let mut scores: [i32; 2 * QUERY];
    #[shared]
    let highest: [AtomicI32; 1];
    let column = thread_idx().x;
    let letter = query[column];
    let start = first[block_idx().x] as usize;
    let length = first[block_idx().x + 1] as usize - start;
    if column == 0 {
        highest[0].store(0, Relaxed);
    }
    let (mut above, mut diagonal, mut mine) = (0, 0, 0);
    for step in 0..length + QUERY - 1 {
        sync_threads();
        if step < column || step - column >= length {
            continue;
        }
        let left = if column > 0 { scores[(step + 1) % 2 * QUERY + column - 1] } else { 0 };
        let aligned = diagonal + similarity(letter, letters[start + step - column]);
        above = aligned.max(left - GAP).max(above - GAP).max(0);
        mine = mine.max(above);
        diagonal = left;
        scores[step % 2 * QUERY + column] = above;
    }
    highest[0].fetch_max(mine, Relaxed);
    sync_threads();
    if column == 0 {
        best[block_idx().x] = highest[0].load(Relaxed);
    }
}

fn host(query: &[u8], sequence: &[u8]) -> i32 {
    let mut row = vec![0; query.len() + 1];
    let mut best = 0;
    for letter in sequence {
        let mut diagonal = 0;
        for column in 1..row.len() {
            let worth = match (query[column - 1], letter) {
                (a, b) if a == *b => 5,
                (0, 1) | (1, 0) | (2, 3) | (3, 2) => -2,
                _ => -4,
            };
            let score = (diagonal + worth).max(row[column - 1] - GAP).max(row[column] - GAP).max(0);
            diagonal = std::mem::replace(&mut row[column], score);
            best = best.max(score);
        }
    }
    best
}

pub(crate) fn run<P: Policy>(gpu: &Gpu<P>) -> Result<Report, LaunchError> {
    let mut random = Random::new(13);
    let letters = |random: &mut Random, count: usize| random.numbers(count, 4).into_iter().map(|letter| letter as u8);
    let query: Vec<u8> = letters(&mut random, QUERY).collect();
    let (mut first, mut database) = (vec![0], Vec::new());
    for _ in 0..4 {
        // A piece of the query between letters that have nothing to do with it.
        let (before, from) = (random.below(30) as usize, random.below(40) as usize);
        database.extend(letters(&mut random, before));
        database.extend(&query[from..from + 24]);
        database.extend(letters(&mut random, 10));
        first.push(database.len() as u32);
    }
    let mut best = vec![0; first.len() - 1];
    let report = gpu.launch(Grid::new(best.len(), QUERY), align(&query, &first, &database, &mut best))?;
    let sequences = first.windows(2).map(|ends| &database[ends[0] as usize..ends[1] as usize]);
    let expected: Vec<i32> = sequences.map(|sequence| host(&query, sequence)).collect();
    assert!(expected.iter().all(|&score| score >= 24 * 5));
    assert_eq!(best, expected);
    Ok(report)
}
