//! The heap that finds the majority (TACO'09, section 4.4), with what it takes to keep it in order.

use super::config::DwfHeap;
use crate::policy::{Figure, Tally};
use simt_core::code::Pc;
use std::collections::VecDeque;

/// A binary heap of addresses by number of threads, the most on top. Without a clock only the order in which addresses of
/// equally many threads come out depends on it; how long it takes is counted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heap {
    entries: Vec<(Pc, usize)>,
    /// Updates that wait until the heap is in order.
    queue: VecDeque<(Pc, usize)>,
    size: DwfHeap,
    tally: Tally<HeapTally>,
}

#[derive(Clone, Copy, Debug, Default)]
struct HeapTally {
    /// Swaps that have still to be made.
    pending: usize,
    swaps: u64,
    /// Cycles in which no warp could issue because the heap was not in order, or took no more updates.
    stalls: u64,
    /// Most entries, and how often one came when there was no room.
    entries: usize,
    spills: u64,
}

impl Heap {
    pub(super) fn new(size: DwfHeap) -> Self {
        Self { entries: Vec::new(), queue: VecDeque::new(), size, tally: Tally::default() }
    }

    /// A scheduler's cycle: swaps are made, and if none is left updates are taken from the queue.
    pub(super) fn cycle(&mut self) {
        let pending = &mut self.tally.0.pending;
        *pending = pending.saturating_sub(self.size.swaps);
        // The paper's heap takes two updates a cycle, one for each side of a branch.
        for _ in 0..2 {
            if self.tally.0.pending > 0 {
                return;
            }
            let Some((pc, threads)) = self.queue.pop_front() else { return };
            let swaps = self.update(pc, threads);
            self.owe(swaps);
        }
    }

    fn owe(&mut self, swaps: usize) {
        self.tally.0.pending += swaps;
        self.tally.0.swaps += swaps as u64;
    }

    /// Threads have come to an address.
    pub(super) fn add(&mut self, pc: Pc, threads: usize) {
        if threads == 0 {
            return;
        }
        while self.queue.len() >= self.size.queue {
            self.stall();
        }
        self.queue.push_back((pc, threads));
    }

    fn stall(&mut self) {
        self.tally.0.stalls += 1;
        self.cycle();
    }

    /// The address with the most threads leaves the heap.
    pub(super) fn pop(&mut self) -> Option<Pc> {
        while self.tally.0.pending > 0 || !self.queue.is_empty() {
            self.stall();
        }
        if self.entries.is_empty() {
            return None;
        }
        let (pc, _) = self.entries.swap_remove(0);
        let (mut place, mut swaps) = (0, 0);
        loop {
            let children = [2 * place + 1, 2 * place + 2].into_iter().filter(|&child| child < self.entries.len());
            // Of two children with as many threads the first.
            let Some(child) = children.rev().max_by_key(|&child| self.entries[child].1) else { break };
            if self.entries[child].1 <= self.entries[place].1 {
                break;
            }
            self.entries.swap(child, place);
            (place, swaps) = (child, swaps + 1);
        }
        self.owe(swaps);
        Some(pc)
    }

    /// Adds threads to an entry, and gives the swaps that take it to its place.
    fn update(&mut self, pc: Pc, threads: usize) -> usize {
        let mut place = match self.entries.iter().position(|&(known, _)| known == pc) {
            Some(place) => place,
            None => {
                self.entries.push((pc, 0));
                let tally = &mut self.tally.0;
                tally.spills += u64::from(self.entries.len() > self.size.entries);
                tally.entries = tally.entries.max(self.entries.len());
                self.entries.len() - 1
            }
        };
        self.entries[place].1 += threads;
        let mut swaps = 0;
        while place > 0 && self.entries[place].1 > self.entries[(place - 1) / 2].1 {
            self.entries.swap(place, (place - 1) / 2);
            (place, swaps) = ((place - 1) / 2, swaps + 1);
        }
        swaps
    }

    pub(super) fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        let HeapTally { swaps, stalls, entries, spills, .. } = self.tally.0;
        tell(Figure::highest("heap entries, most", entries as u64));
        tell(Figure::sum("heap swaps", swaps));
        tell(Figure::sum("heap stalls, cycles", stalls));
        tell(Figure::sum("heap spills", spills));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::gathered;

    fn heap(swaps: usize, queue: usize) -> Heap {
        Heap::new(DwfHeap { entries: 4, swaps, queue })
    }

    #[test]
    fn the_most_threads_come_first() {
        let mut heap = heap(1, 4);
        for (pc, threads) in [(1, 3), (2, 7), (3, 1), (4, 2), (5, 7), (3, 8)] {
            heap.add(Pc(pc), threads);
        }
        let order: Vec<_> = std::iter::from_fn(|| heap.pop()).map(|pc| pc.0).collect();
        // Addresses 2 and 5 have as many.
        assert!(order == [3, 2, 5, 1, 4] || order == [3, 5, 2, 1, 4], "{order:?}");
        let figures = gathered(|tell| heap.figures(tell));
        assert_eq!((figures[0], figures[3]), (5, 1), "the fifth entry has no room");
    }

    #[test]
    fn a_slow_heap_stalls_more() {
        let stalls = |swaps, queue| {
            let mut heap = heap(swaps, queue);
            for pc in 0..40 {
                heap.add(Pc(pc), pc as usize + 1);
            }
            assert_eq!(heap.pop(), Some(Pc(39)));
            gathered(|tell| heap.figures(tell))[2]
        };
        assert!(stalls(1, 4) > stalls(4, 4));
        assert!(stalls(4, 2) >= stalls(4, 64));
    }
}
