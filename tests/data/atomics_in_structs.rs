//! Structs that have references to atomics: `tail: &AtomicU32`, `items: &[AtomicU32]`.

use simt::prelude::*;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::*};

#[derive(Clone, Copy, KernelData)]
struct Queue<'a> {
    items: &'a [AtomicU32],
    head: &'a AtomicU32,
    tail: &'a AtomicU32,
}

#[device]
impl<'a> Queue<'a> {
    fn new(items: &'a [AtomicU32], head: &'a AtomicU32, tail: &'a AtomicU32) -> Self {
        Self { items, head, tail }
    }
    fn push(&self, value: u32) -> bool {
        let slot = self.tail.fetch_add(1, AcqRel) as usize;
        if slot >= self.items.len() {
            return false;
        }
        self.items[slot].store(value, Release);
        true
    }
    fn pop(&self) -> Option<u32> {
        loop {
            let head = self.head.load(Acquire);
            if head >= self.tail.load(Acquire) {
                return None;
            }
            if self.head.compare_exchange(head, head + 1, AcqRel, Acquire).is_ok() {
                return Some(self.items[head as usize].load(Acquire));
            }
        }
    }
}

#[kernel]
fn pushes(items: &[AtomicU32], head: &AtomicU32, tail: &AtomicU32, out: &mut [u32]) {
    let queue = Queue::new(items, head, tail);
    let other = Queue { items, head, tail };
    let i = global_id();
    if queue.push(i as u32) {
        out[i] = 1;
    }
    if i % 4 == 0
        && let Some(v) = other.pop()
    {
        out[i] += 10 + v - v;
    }
    if other.tail.load(Relaxed) > 1000 {
        out[i] = 0;
    }
}

#[test]
fn queue() {
    everywhere!(|gpu| {
        let items: Vec<AtomicU32> = (0..100).map(|_| AtomicU32::new(0)).collect();
        let (head, tail) = (AtomicU32::new(0), AtomicU32::new(0));
        let mut out = vec![0; 64];
        gpu.launch(Grid::new(2, 32), pushes(&items, &head, &tail, &mut out)).unwrap();
        assert_eq!(tail.into_inner(), 64);
        assert_eq!(head.into_inner(), 16);
        assert_eq!(out.iter().sum::<u32>(), 64 + 160);
    });
}

#[derive(Clone, Copy, KernelData)]
struct Stats<'a> {
    sum: &'a AtomicI32,
    max: &'a AtomicI32,
}

#[device]
fn add(stats: Stats<'_>, x: i32) {
    stats.sum.fetch_add(x, Relaxed);
    stats.max.fetch_max(x, Relaxed);
}

#[kernel]
fn stats(x: &[i32], sum: &AtomicI32, max: &[AtomicI32]) {
    let i = global_id();
    add(Stats { sum, max: &max[1] }, x[i]);
}
#[test]
fn statistics() {
    everywhere!(|gpu| {
        let sum = AtomicI32::new(0);
        let max = [AtomicI32::new(0), AtomicI32::new(-5)];
        gpu.launch(Grid::new(1, 4), stats(&[1, 5, -2, 3], &sum, &max)).unwrap();
        assert_eq!((sum.into_inner(), max[1].load(Relaxed)), (7, 5));
    });
}
