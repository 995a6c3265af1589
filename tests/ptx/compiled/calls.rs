//! Functions that are called.

use super::{Run, arguments, everywhere};
use simt::host::DeviceMemory;
use simt::{Grid, Report};

/// In how many ways a board of 8 by 8 can be filled behind the queens that are there, by trying all columns of each row.
fn fillings(queens: &mut Vec<usize>) -> u32 {
    let attacks = |(row, column): (usize, usize), (other, at): (usize, usize)| {
        column == at || column.abs_diff(at) == row.abs_diff(other)
    };
    let places: Vec<(usize, usize)> = queens.iter().copied().enumerate().collect();
    if places.iter().any(|&a| places.iter().any(|&b| a.0 < b.0 && attacks(a, b))) {
        return 0;
    }
    if queens.len() == 8 {
        return 1;
    }
    let with = |column| {
        queens.push(column);
        let ways = fillings(queens);
        queens.pop();
        ways
    };
    (0..8).map(with).sum()
}

/// By recursion and by a stack in local memory.
pub(super) fn queens(run: &Run) -> Report {
    let mut memory = DeviceMemory::new();
    let [recursive, stacked] = [0, 1].map(|_| memory.upload(&[u32::MAX; 64]).unwrap());
    let mut report = run.launch("queens_by_recursion", Grid::new(1, 64), &mut memory, arguments![recursive]);
    report.merge(&run.launch("queens_by_stack", Grid::new(1, 64), &mut memory, arguments![stacked]));
    let expected: Vec<u32> = (0..64).map(|i| fillings(&mut vec![i / 8, i % 8])).collect();
    assert_eq!(expected.iter().sum::<u32>(), 92);
    assert_eq!(memory.read::<u32>(recursive, 64).unwrap(), expected, "{run}");
    assert_eq!(memory.read::<u32>(stacked, 64).unwrap(), expected, "{run}");
    report
}

fn ackermanns(run: &Run) {
    let mut memory = DeviceMemory::new();
    let out = memory.upload(&[0u32; 32]).unwrap();
    run.launch("ackermanns", Grid::new(1, 32), &mut memory, arguments![out]);
    // The closed forms for the first three.
    let expected: Vec<u32> = (0..32).map(|i| [i / 3 + 1, i / 3 + 2, 2 * (i / 3) + 3][i as usize % 3]).collect();
    assert_eq!(memory.read::<u32>(out, 32).unwrap(), expected, "{run}");
}

/// The greatest number that divides both.
fn greatest(x: i64, y: i64) -> i64 {
    if y == 0 { x } else { greatest(y, x % y) }
}

fn harmonic(run: &Run) {
    let mut memory = DeviceMemory::new();
    let (over, under) = (memory.upload(&[0i64; 32]).unwrap(), memory.upload(&[0i32; 32]).unwrap());
    let divisors = memory.upload(&[0i32; 32]).unwrap();
    run.launch("harmonic", Grid::new(1, 32), &mut memory, arguments![over, under, divisors]);
    let mut sum = (0, 1, 0);
    let mut expected = Vec::new();
    for k in 1..=16 {
        let next = (sum.0 * k + sum.1, sum.1 * k);
        let divisor = greatest(next.0, next.1);
        sum = (next.0 / divisor, next.1 / divisor, divisor);
        expected.push(sum);
    }
    expected.extend_from_within(..);
    let overs: Vec<i64> = expected.iter().map(|sum| sum.0).collect();
    let unders: Vec<i32> = expected.iter().map(|sum| sum.1 as i32).collect();
    let last: Vec<i32> = expected.iter().map(|sum| sum.2 as i32).collect();
    assert_eq!(memory.read::<i64>(over, 32).unwrap(), overs, "{run}");
    assert_eq!(memory.read::<i32>(under, 32).unwrap(), unders, "{run}");
    assert_eq!(memory.read::<i32>(divisors, 32).unwrap(), last, "{run}");
}

fn walk(depth: u32, seed: u32) -> u32 {
    let (mut own, mut sum) = ([0_u32; 4], 0_u32);
    for k in 0..4 {
        own[seed.wrapping_add(k) as usize % 4] = seed.wrapping_mul(k + 3).wrapping_add(depth);
    }
    if depth > 0 {
        for k in 0..1 + seed % 2 {
            sum = sum.wrapping_add(walk(depth - 1, own[sum.wrapping_add(k) as usize % 4]));
        }
    }
    sum.wrapping_mul(5).wrapping_add(own[sum as usize % 4])
}

/// Each activation has an array of its own.
fn walks(run: &Run) {
    let mut memory = DeviceMemory::new();
    let out = memory.upload(&[0_u32; 32]).unwrap();
    run.launch("walks", Grid::new(1, 32), &mut memory, arguments![out]);
    let expected: Vec<u32> = (0..32).map(|i| walk(i % 5, i)).collect();
    assert_eq!(memory.read::<u32>(out, 32).unwrap(), expected, "{run}");
}

#[test]
fn queens_on_a_board() {
    everywhere("calls", &["queens_by_recursion", "queens_by_stack"], queens);
}

#[test]
fn recursion_within_arguments() {
    everywhere("calls", &["ackermanns"], ackermanns);
}

#[test]
fn structs_that_come_back() {
    everywhere("calls", &["harmonic"], harmonic);
}

#[test]
fn arrays_of_functions_that_call_themselves() {
    everywhere("calls", &["walks"], walks);
}
