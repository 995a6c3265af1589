//! Letters and codes.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::host::DeviceMemory;
use simt::{Grid, Report};

pub(super) fn find(run: &Run) -> Report {
    let pattern = b"abbab";
    let mut random = Random::new(15);
    let (mut first, mut letters) = (vec![0u32], Vec::new());
    for _ in 0..200 {
        let length = random.below(60) as usize;
        letters.extend(random.numbers(length, 2).into_iter().map(|letter| b'a' + letter as u8));
        first.push(letters.len() as u32);
    }
    let mut memory = DeviceMemory::new();
    let at_pattern = memory.upload(pattern).unwrap();
    let (at_first, at_letters) = (memory.upload(&first).unwrap(), memory.upload(&letters).unwrap());
    let found = memory.upload(&[0u32; 200]).unwrap();
    let arguments = arguments![5u32, at_pattern, 200u32, at_first, at_letters, found];
    let report = run.launch("find", Grid::covering(200, 64), &mut memory, arguments);
    let place = |ends: &[u32]| {
        let text = &letters[ends[0] as usize..ends[1] as usize];
        text.windows(5).position(|window| window == pattern).map_or(u32::MAX, |place| place as u32)
    };
    let expected: Vec<u32> = first.windows(2).map(place).collect();
    assert_eq!(memory.read::<u32>(found, 200).unwrap(), expected, "{run}");
    report
}

/// The best score of a query in a sequence, row by row.
fn score(query: &[u8], sequence: &[u8]) -> i32 {
    let (mut row, mut best) = (vec![0; query.len() + 1], 0);
    for &letter in sequence {
        let mut diagonal = 0;
        for column in 1..row.len() {
            let worth = match (query[column - 1], letter) {
                (a, b) if a == b => 5,
                (0, 1) | (1, 0) | (2, 3) | (3, 2) => -2,
                _ => -4,
            };
            let here = (diagonal + worth).max(row[column - 1] - 6).max(row[column] - 6).max(0);
            diagonal = std::mem::replace(&mut row[column], here);
            best = best.max(here);
        }
    }
    best
}

pub(super) fn align(run: &Run) -> Report {
    let mut random = Random::new(13);
    let letters = |random: &mut Random, count: usize| random.numbers(count, 4).into_iter().map(|letter| letter as u8);
    let query: Vec<u8> = letters(&mut random, 64).collect();
    let (mut first, mut database) = (vec![0u32], Vec::new());
    for _ in 0..4 {
        let (before, from) = (random.below(30) as usize, random.below(40) as usize);
        database.extend(letters(&mut random, before));
        database.extend(&query[from..from + 24]);
        database.extend(letters(&mut random, 10));
        first.push(database.len() as u32);
    }
    let mut memory = DeviceMemory::new();
    let (at_query, at_first) = (memory.upload(&query).unwrap(), memory.upload(&first).unwrap());
    let (at_database, best) = (memory.upload(&database).unwrap(), memory.upload(&[0i32; 4]).unwrap());
    let arguments = arguments![at_query, at_first, at_database, best];
    let report = run.launch("align", Grid::new(4, 64), &mut memory, arguments);
    let sequences = first.windows(2).map(|ends| &database[ends[0] as usize..ends[1] as usize]);
    let expected: Vec<i32> = sequences.map(|sequence| score(&query, sequence)).collect();
    assert_eq!(memory.read::<i32>(best, 4).unwrap(), expected, "{run}");
    report
}

/// Operations in the order of their numbers: `PUSH`, `ADD`, `SUBTRACT`, `MULTIPLY`, `COPY`, `SET`, `JUMP`, `HALT`; each with its
/// operand.
type Program = (&'static [(u32, u32)], fn(i32) -> i32);

const PROGRAMS: [Program; 3] = [
    // The factorial of a number.
    (&[(0, 1), (4, 0), (4, 2), (3, 0), (5, 1), (4, 1), (0, 1), (2, 0), (5, 2), (4, 1), (6, 1), (7, 0)], |n| {
        (1..=n).product()
    }),
    // A polynomial.
    (&[(4, 0), (0, 3), (1, 0), (3, 0), (0, 7), (2, 0), (7, 0)], |n| n * (n + 3) - 7),
    // The sum of squares.
    (&[(0, 0), (4, 1), (4, 2), (3, 0), (1, 0), (4, 1), (0, 1), (2, 0), (5, 2), (4, 1), (6, 1), (7, 0)], |n| {
        (1..=n).map(|k| k * k).sum()
    }),
];

pub(super) fn interpret(run: &Run) -> Report {
    let (mut first, mut code) = (Vec::new(), Vec::new());
    for (program, _) in PROGRAMS {
        first.push(code.len() as u32);
        code.extend(program.iter().map(|(operation, operand)| 16 * operand + operation));
    }
    let mut random = Random::new(14);
    let input: Vec<i32> = (0..200).map(|_| 1 + random.below(12) as i32).collect();
    let mut memory = DeviceMemory::new();
    let (at_first, at_code) = (memory.upload(&first).unwrap(), memory.upload(&code).unwrap());
    let (at_input, output) = (memory.upload(&input).unwrap(), memory.upload(&[0i32; 200]).unwrap());
    let arguments = arguments![3u32, at_first, at_code, 200u32, at_input, output];
    let report = run.launch("interpret", Grid::covering(200, 64), &mut memory, arguments);
    let expected: Vec<i32> = input.iter().enumerate().map(|(i, &n)| PROGRAMS[i % 3].1(n)).collect();
    assert_eq!(memory.read::<i32>(output, 200).unwrap(), expected, "{run}");
    report
}

#[test]
fn searches_in_texts() {
    everywhere("texts", &["find"], find);
}

#[test]
fn alignments() {
    everywhere("texts", &["align"], align);
}

#[test]
fn an_interpreter() {
    everywhere("texts", &["interpret"], interpret);
}
