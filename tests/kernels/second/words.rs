//! A hash table with open addressing: counts of words, with double hashing as an iterator.
use simt::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{
    AtomicU32,
    Ordering::{AcqRel, Acquire, Relaxed},
};

const EMPTY: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Full;

#[derive(Clone, KernelData)]
struct Probe {
    slot: usize,
    step: usize,
    mask: usize,
    left: usize,
}

#[device]
impl Probe {
    fn new(key: u32, capacity: usize) -> Self {
        let hash = (key ^ key >> 15).wrapping_mul(0x85eb_ca6b);
        let mask = capacity - 1;
        Probe { slot: hash as usize & mask, step: (hash >> 16) as usize | 1, mask, left: capacity }
    }
}

#[device]
impl Iterator for Probe {
    type Item = usize;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let slot = self.slot;
        self.slot = (slot + self.step) & self.mask;
        Some(slot)
    }
}

#[derive(Clone, Copy, KernelData)]
struct Table<'a> {
    keys: &'a [AtomicU32],
    counts: &'a [AtomicU32],
}

#[device]
impl Table<'_> {
    fn increment(&self, key: u32) -> Result<u32, Full> {
        for slot in Probe::new(key, self.keys.len()) {
            match self.keys[slot].compare_exchange(EMPTY, key, AcqRel, Acquire) {
                Ok(_) => return Ok(self.counts[slot].fetch_add(1, Relaxed)),
                Err(found) if found == key => return Ok(self.counts[slot].fetch_add(1, Relaxed)),
                Err(_) => continue,
            }
        }
        Err(Full)
    }

    fn get(&self, key: u32) -> Option<u32> {
        Probe::new(key, self.keys.len())
            .map(|slot| (self.keys[slot].load(Relaxed), slot))
            .take_while(|&(k, _)| k != EMPTY)
            .find(|&(k, _)| k == key)
            .map(|(_, slot)| self.counts[slot].load(Relaxed))
    }
}

#[kernel]
fn count(words: &[u32], keys: &[AtomicU32], counts: &[AtomicU32], failed: &AtomicU32) {
    let table = Table { keys, counts };
    if let Some(&word) = words.get(global_id()) {
        if table.increment(word).is_err() {
            failed.fetch_add(1, Relaxed);
        }
    }
}

#[kernel]
fn lookup(queries: &[u32], keys: &[AtomicU32], counts: &[AtomicU32], found: &mut [Option<u32>]) {
    let i = global_id();
    if i < queries.len() {
        found[i] = Table { keys, counts }.get(queries[i]);
    }
}

fn atomics(n: usize, value: u32) -> Vec<AtomicU32> {
    (0..n).map(|_| AtomicU32::new(value)).collect()
}

#[test]
fn counts_words() -> Result<(), LaunchError> {
    let words: Vec<u32> = (0..1000u32).map(|i| (i * i) % 97 * 1000 + 5).collect();
    let mut expected = HashMap::new();
    for &w in &words {
        *expected.entry(w).or_insert(0u32) += 1;
    }
    let queries: Vec<u32> = (0..97).map(|i| i * 1000 + 5).collect();
    for_each_policy!(P => {
        let (keys, counts, failed) = (atomics(64, EMPTY), atomics(64, 0), AtomicU32::new(0));
        let gpu = Gpu::<P>::default();
        gpu.launch(Grid::covering(words.len(), 128), count(&words, &keys, &counts, &failed))?;
        assert_eq!(failed.load(Relaxed), 0);
        let mut found = vec![None; queries.len()];
        gpu.launch(Grid::covering(queries.len(), 64), lookup(&queries, &keys, &counts, &mut found))?;
        let host: Vec<_> = queries.iter().map(|q| expected.get(q).copied()).collect();
        assert_eq!(found, host);
    });
    let (keys, counts, failed) = (atomics(8, EMPTY), atomics(8, 0), AtomicU32::new(0));
    let distinct: Vec<u32> = (0..20).collect();
    Gpu::<Ipdom>::default().launch(Grid::new(1, 20), count(&distinct, &keys, &counts, &failed))?;
    assert_eq!(failed.into_inner(), 12);
    Ok(())
}
