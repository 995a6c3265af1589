//! References to atomics that functions give.

use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Open addressing: a slot holds a key, or zero.
#[derive(Clone, Copy, KernelData)]
struct Table<'a> {
    slots: &'a [AtomicU32],
}

#[device]
impl<'a> Table<'a> {
    fn slot(&self, key: u32, attempt: usize) -> &'a AtomicU32 {
        &self.slots[(key as usize * 7 + attempt) % self.slots.len()]
    }

    fn insert(&self, key: u32) -> usize {
        let mut attempt = 0;
        while attempt < self.slots.len() {
            let slot = self.slot(key, attempt);
            if slot.compare_exchange(0, key, Relaxed, Relaxed).is_ok() || self.slot(key, attempt).load(Relaxed) == key {
                break;
            }
            attempt += 1;
        }
        attempt
    }

    fn find(&self, key: u32) -> Option<&'a AtomicU32> {
        for attempt in 0..self.slots.len() {
            let slot = self.slot(key, attempt);
            if slot.load(Relaxed) == key {
                return Some(slot);
            }
        }
        None
    }
}

#[device]
fn choose(a: &[AtomicU32], i: usize) -> &AtomicU32 {
    if i % 3 == 0 {
        return &a[i];
    }
    if i % 3 == 1 {
        &a[i + 2]
    } else {
        let last = &a[a.len() - 1];
        last
    }
}

#[device]
fn through<'a>(a: &'a [AtomicU32], i: usize) -> &'a AtomicU32 {
    same(choose(a, i))
}

#[device]
fn same(a: &AtomicU32) -> &AtomicU32 {
    a
}

#[device]
fn add(to: &AtomicU32, what: u32) {
    to.fetch_add(what, Relaxed);
}

#[kernel]
fn fill(slots: &[AtomicU32], found: &mut [u32]) {
    let (i, table) = (global_id(), Table { slots });
    table.insert(i as u32 / 2 + 1);
    sync_threads();
    found[i] = match table.find(i as u32 / 3 + 1) {
        Some(slot) => slot.load(Relaxed),
        None => 0,
    };
}

#[kernel]
fn count(a: &[AtomicU32]) {
    let i = global_id();
    add(through(a, i), 1);
    let chosen = choose(a, i);
    chosen.fetch_add(10, Relaxed);
    add(same(&a[i]), 100);
    same(chosen).fetch_max(1000, Relaxed);
}

fn zeros(n: usize) -> Vec<AtomicU32> {
    (0..n).map(|_| AtomicU32::new(0)).collect()
}

#[test]
fn they_are_the_atomics() -> Result<(), LaunchError> {
    for_each_policy!(P => {
        let (slots, mut found) = (zeros(41), [0; 48]);
        Gpu::<P>::default().launch(Grid::new(1, 48), fill(&slots, &mut found))?;
        let mut keys: Vec<u32> = slots.into_iter().map(AtomicU32::into_inner).filter(|&key| key > 0).collect();
        keys.sort_unstable();
        assert!(keys.into_iter().eq(1..=24));
        assert!(found.into_iter().eq((0..48).map(|i| i / 3 + 1)));
    });
    Ok(())
}

#[test]
fn a_function_chooses_one() -> Result<(), LaunchError> {
    let a = zeros(9);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 6), count(&a))?;
    let a: Vec<u32> = a.into_iter().map(AtomicU32::into_inner).collect();
    // Of index 0 thread 0, of 3 threads 1 and 3, of 6 thread 4, of 8 threads 2 and 5.
    for (i, &value) in a.iter().enumerate() {
        let chosen = [1, 0, 0, 2, 0, 0, 1, 0, 2][i];
        let direct = if i < 6 { 100 } else { 0 };
        assert!(if chosen > 0 { (1000..2000).contains(&value) } else { value == direct }, "{i}: {value}");
    }
    Ok(())
}
