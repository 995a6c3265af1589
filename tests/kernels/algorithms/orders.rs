//! Sorting, hashing, searching for a way.

use simt::prelude::*;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Card {
    suit: u8,
    rank: u8,
}

/// A sudoku: its cells, and which digits each row, column and box has, as bits.
#[derive(Clone, Copy, Default, KernelData)]
pub(crate) struct Sudoku {
    cells: [u8; 16],
    rows: [u8; 4],
    columns: [u8; 4],
    boxes: [u8; 4],
}

#[device]
impl Sudoku {
    fn places(cell: usize) -> (usize, usize, usize) {
        let (row, column) = (cell / 4, cell % 4);
        (row, column, row / 2 * 2 + column / 2)
    }

    fn allows(&self, cell: usize, digit: u8) -> bool {
        let (row, column, square) = Self::places(cell);
        (self.rows[row] | self.columns[column] | self.boxes[square]) & 1 << digit == 0
    }

    /// Writes a digit, or takes it back.
    fn toggle(&mut self, cell: usize, digit: u8) {
        let (row, column, square) = Self::places(cell);
        self.rows[row] ^= 1 << digit;
        self.columns[column] ^= 1 << digit;
        self.boxes[square] ^= 1 << digit;
        self.cells[cell] = if self.cells[cell] == digit { 0 } else { digit };
    }

    /// The number of solutions from this cell on; the first one is kept.
    fn solve(&mut self, cell: usize, first: &mut Option<[u8; 16]>) -> u32 {
        if cell == 16 {
            if first.is_none() {
                *first = Some(self.cells);
            }
            return 1;
        }
        if self.cells[cell] != 0 {
            return self.solve(cell + 1, first);
        }
        let mut count = 0;
        for digit in 1..=4 {
            if self.allows(cell, digit) {
                self.toggle(cell, digit);
                count += self.solve(cell + 1, first);
                self.toggle(cell, digit);
            }
        }
        count
    }
}

kernels! {
    // The slot of a key after some steps, in a table with open addressing: a slot has a key above its value, or is 0.
    #[device]
    fn slot(count: usize, key: u32, step: usize) -> usize {
        ((key.wrapping_mul(0x9e37_79b1) >> 20) as usize + step) % count
    }

    // Writes into a table without locks, and says where it is full.
    fn insert(entries: &[(u32, u32)], slots: &[AtomicU64], full: &mut [bool]) {
        let i = global_id();
        let (key, value) = entries[i];
        let entry = u64::from(key) << 32 | u64::from(value);
        full[i] = 'probe: {
            for step in 0..slots.len() {
                let at = slot(slots.len(), key, step);
                match slots[at].compare_exchange(0, entry, AcqRel, Acquire) {
                    Ok(_) => break 'probe false,
                    Err(old) if (old >> 32) as u32 == key => {
                        slots[at].fetch_max(entry, AcqRel);
                        break 'probe false;
                    }
                    Err(_) => {}
                }
            }
            true
        };
    }

    // The values of keys in such a table.
    fn lookup(keys: &[u32], slots: &[AtomicU64], out: &mut [u32]) {
        let i = global_id();
        let key = keys[i];
        let mut found = None;
        for step in 0..slots.len() {
            match slots[slot(slots.len(), key, step)].load(Acquire) {
                0 => break,
                entry if (entry >> 32) as u32 == key => {
                    found = Some(entry as u32);
                    break;
                }
                _ => {}
            }
        }
        out[i] = found.unwrap_or(0);
    }

    // Neighbours that stand in the wrong order change places: a step of a sort by odd and even pairs.
    fn exchange(odd: bool, cards: &mut [Card]) {
        let i = 2 * global_id() + usize::from(odd);
        if i + 1 < cards.len() && cards[i] > cards[i + 1] {
            cards.swap(i, i + 1);
        }
    }

    // A step of a radix sort: the place of each number by one digit.
    fn scatter(x: &[u32], shift: u32, out: &mut [u32]) {
        let i = global_id();
        let digit = |x: u32| x >> shift & 15;
        let mine = digit(x[i]);
        let less = x.iter().filter(|&&other| digit(other) < mine).count();
        let before = x[..i].iter().filter(|&&other| digit(other) == mine).count();
        out[less + before] = x[i];
    }

    // The primes of a range, as bits: a segment of 64 numbers for each thread (Eratosthenes).
    fn sieve(out: &mut [u64]) {
        let i = global_id();
        let (start, end) = (64 * i, 64 * (i + 1));
        let mut composite = if i == 0 { 0b11 } else { 0u64 };
        let mut factor = 2;
        while factor * factor < end {
            let first = start.next_multiple_of(factor).max(factor * factor);
            for multiple in (first..end).step_by(factor) {
                composite |= 1 << (multiple % 64);
            }
            factor += 1;
        }
        out[i] = !composite;
    }

    // Solves a sudoku of 4 by 4, by trying.
    fn sudoku(given: &[[u8; 16]], out: &mut [(u32, [u8; 16])]) {
        let i = global_id();
        let mut board = Sudoku::default();
        for (cell, &digit) in given[i].iter().enumerate() {
            if digit != 0 {
                board.toggle(cell, digit);
            }
        }
        let mut first = None;
        let count = board.solve(0, &mut first);
        out[i] = (count, first.unwrap_or([0; 16]));
    }
}

#[test]
fn tables_are_filled_without_locks() {
    // Some keys come twice, and then the greater value stays.
    let entries: Vec<(u32, u32)> = (0..24).map(|i| (i * 7 % 19 + 1, i + 100)).collect();
    let keys: Vec<u32> = (1..25).collect();
    let greatest = |key: &u32| entries.iter().filter(|(k, _)| k == key).map(|(_, value)| *value).max();
    let expected: Vec<u32> = keys.iter().map(|key| greatest(key).unwrap_or(0)).collect();
    let fresh = || (0..32).map(|_| AtomicU64::new(0)).collect::<Vec<_>>();
    let (slots, mut full, mut out) = (fresh(), vec![true; 24], vec![1; 24]);
    crate::support::host::run(Grid::new(2, 12), || plain::insert(&entries, &slots, &mut full));
    crate::support::host::run(Grid::new(2, 12), || plain::lookup(&keys, &slots, &mut out));
    assert_eq!((full, out), (vec![false; 24], expected.clone()));
    everywhere!(|gpu| {
        let (slots, mut full, mut out) = (fresh(), vec![true; 24], vec![1; 24]);
        gpu.launch(Grid::new(2, 12), kernel::insert(&entries, &slots, &mut full)).unwrap();
        gpu.launch(Grid::new(2, 12), kernel::lookup(&keys, &slots, &mut out)).unwrap();
        assert_eq!((full, out), (vec![false; 24], expected.clone()));
    });
}

#[test]
fn cards_are_sorted() {
    let mut cards: Vec<Card> = (0..9).map(|i| Card { suit: (i * i % 4) as u8, rank: (i * 5 % 9) as u8 }).collect();
    let mut expected = cards.clone();
    expected.sort_unstable();
    for step in 0..9 {
        agree!(Grid::new(1, 5), exchange(step % 2 == 1; cards));
    }
    assert_eq!(cards, expected);
}

#[test]
fn numbers_are_sorted() {
    let mut x: Vec<u32> = (0..24).map(|i| i * 37 % 256).collect();
    for shift in [0, 4] {
        let mut out = vec![0; 24];
        agree!(Grid::new(1, 24), scatter(&x, shift; out));
        x = out;
    }
    assert!(x.is_sorted(), "{x:?}");
}

#[test]
fn primes_remain() {
    let mut out = vec![0; 4];
    agree!(Grid::new(1, 4), sieve(; out));
    let primes = (0..256_usize).filter(|&n| n > 1 && (2..n).all(|d| n % d != 0));
    assert_eq!(primes.collect::<Vec<_>>(), (0..256).filter(|&n| out[n / 64] >> (n % 64) & 1 == 1).collect::<Vec<_>>());
}

#[test]
fn digits_fit() {
    let given = [
        [1, 2, 3, 4, 3, 4, 1, 2, 2, 0, 4, 3, 4, 3, 0, 1],
        [1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 2],
    ];
    let mut out = vec![(9, [9; 16]); 3];
    agree!(Grid::new(1, 3), sudoku(&given; out));
    assert_eq!(out[0], (1, [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]));
    assert_eq!((out[1].0, out[2].0), (12, 0));
}
