//! Knuth, Morris and Pratt: the matches of a pattern, the text in overlapping parts.
use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const LONGEST: usize = 16;

#[device]
fn failure(pattern: &[u8], table: &mut [u8]) {
    table[0] = 0;
    let mut k = 0;
    for (i, &byte) in pattern.iter().enumerate().skip(1) {
        while k > 0 && pattern[k] != byte {
            k = table[k - 1] as usize;
        }
        if pattern[k] == byte {
            k += 1;
        }
        table[i] = k as u8;
    }
}

#[derive(Clone, KernelData)]
struct Matches<'p, 't> {
    pattern: &'p [u8],
    table: &'p [u8],
    text: &'t [u8],
    at: usize,
    state: usize,
}

#[device]
impl<'p, 't> Matches<'p, 't> {
    fn new(pattern: &'p [u8], table: &'p [u8], text: &'t [u8]) -> Self {
        Self { pattern, table, text, at: 0, state: 0 }
    }
}

#[device]
impl Iterator for Matches<'_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while let Some(&byte) = self.text.get(self.at) {
            self.at += 1;
            while self.state > 0 && self.pattern[self.state] != byte {
                self.state = self.table[self.state - 1] as usize;
            }
            if self.pattern[self.state] == byte {
                self.state += 1;
            }
            if self.state == self.pattern.len() {
                self.state = self.table[self.state - 1] as usize;
                return Some(self.at - self.pattern.len());
            }
        }
        None
    }
}

#[kernel]
fn search(text: &[u8], pattern: &[u8], part: usize, first: &mut [Option<usize>], total: &AtomicU32) {
    #[shared]
    let mut table: [u8; LONGEST];
    #[shared]
    let count: AtomicU32;
    if thread_idx().x == 0 {
        failure(pattern, &mut table[..pattern.len()]);
        count.store(0, Relaxed);
    }
    sync_threads();
    let start = global_id() * part;
    if start < text.len() {
        let end = (start + part + pattern.len() - 1).min(text.len());
        let mut matches = Matches::new(pattern, &table, &text[start..end]);
        first[global_id()] = matches.next().map(|at| start + at);
        let found = matches.count() as u32 + u32::from(first[global_id()].is_some());
        count.fetch_add(found, Relaxed);
    }
    sync_threads();
    if thread_idx().x == 0 {
        total.fetch_add(count.load(Relaxed), Relaxed);
    }
}

#[test]
fn finds() -> Result<(), LaunchError> {
    let text: Vec<u8> = (0..700u32).map(|i| if (i * i ^ i >> 2) % 7 < 4 { b'a' } else { b'b' }).collect();
    for pattern in [&b"aab"[..], b"abaab", b"bb", b"aaaa", b"a"] {
        let part = 11;
        let parts = text.len().div_ceil(part);
        let mut first = vec![Some(0); parts];
        let total = AtomicU32::new(0);
        Gpu::<Ipdom>::default().launch(Grid::covering(parts, 32), search(&text, pattern, part, &mut first, &total))?;
        let all: Vec<usize> =
            text.windows(pattern.len()).enumerate().filter(|(_, w)| *w == pattern).map(|(i, _)| i).collect();
        assert_eq!(total.into_inner() as usize, all.len());
        let expected: Vec<Option<usize>> =
            (0..parts).map(|p| all.iter().copied().find(|&i| i >= p * part && i < (p + 1) * part)).collect();
        assert_eq!(first, expected);
    }
    Ok(())
}
