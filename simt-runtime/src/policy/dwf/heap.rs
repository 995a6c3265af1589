//! The heap that finds the majority (TACO'09, section 4.4), with the work that keeps it in order.

use super::config::DwfHeap;
use super::time::Accesses;
use crate::policy::{Figure, Tally};
use simt_core::code::Pc;
use std::collections::VecDeque;

/// A binary heap of addresses by number of threads, the most on top. Without a clock only the order of addresses with
/// equally many threads depends on it; the time it takes is counted, in scheduler's cycles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heap {
    entries: Vec<(Pc, usize)>,
    /// Updates that wait until the heap is in order.
    queue: VecDeque<(Pc, usize)>,
    size: DwfHeap,
    clock: Option<HeapClock>,
    tally: Tally<HeapTally>,
}

/// The times of the heap's work. The result of an update is settled when it comes; the time at which it has been made is
/// kept here.
#[derive(Clone, Debug, PartialEq)]
struct HeapClock {
    now: u64,
    /// The length of a scheduler's cycle, in cycles.
    issue: u64,
    /// An update reads and writes one entry, and a swap two.
    memory: Accesses,
    /// The times at which the updates that wait are taken from the queue.
    waiting: VecDeque<u64>,
    /// Stalls are counted up to this cycle.
    stalled: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct HeapTally {
    /// Swaps that have still to be made.
    pending: usize,
    swaps: u64,
    /// Cycles in which no warp could issue because the heap was not in order, or took no more updates: with a clock those of
    /// the core.
    stalls: u64,
    /// Most entries, and how often one came when there was no room.
    entries: usize,
    spills: u64,
}

impl Heap {
    /// An empty heap; with a clock, `issue` is the length of a scheduler's cycle.
    pub(super) fn new(size: DwfHeap, issue: Option<u64>) -> Self {
        let clock = issue.map(|issue| HeapClock {
            now: 0,
            issue,
            memory: Accesses::new((size.swaps as u64).saturating_mul(2), issue),
            waiting: VecDeque::new(),
            stalled: 0,
        });
        Self { entries: Vec::new(), queue: VecDeque::new(), size, clock, tally: Tally::default() }
    }

    /// With a clock: the cycle in which a warp can issue, now that these updates have come; of a new majority if one is
    /// needed. A scheduler's cycle begins now, and the work that is done by its end has cost nothing.
    pub(super) fn ready(&mut self, now: u64, new_majority: bool) -> u64 {
        self.settle(now);
        let Some(HeapClock { issue, memory, waiting, stalled, .. }) = &mut self.clock else { return now };
        while waiting.front().is_some_and(|&begins| begins < now + *issue) {
            waiting.pop_front();
        }
        let mut ready = now;
        if let Some(over) = waiting.len().checked_sub(self.size.queue.saturating_add(1)) {
            ready = ready.max((waiting[over] + 1).saturating_sub(*issue));
        }
        if new_majority {
            ready = ready.max(memory.done().saturating_sub(*issue));
        }
        self.tally.0.stalls += ready.saturating_sub(now.max(*stalled));
        *stalled = (*stalled).max(ready);
        ready
    }

    /// Makes the updates that have come, one after the other; with a clock.
    fn settle(&mut self, now: u64) {
        if self.clock.is_none() {
            return;
        }
        while let Some((pc, threads)) = self.queue.pop_front() {
            let swaps = self.update(pc, threads);
            self.tally.0.swaps += swaps as u64;
            if let Some(clock) = &mut self.clock {
                let begins = clock.memory.take(now, 1 + 2 * swaps as u64);
                clock.waiting.push_back(begins);
            }
        }
        if let Some(clock) = &mut self.clock {
            clock.now = now;
        }
    }

    /// Makes the swaps of a scheduler's cycle, without a clock; if none is left, takes updates from the queue.
    pub(super) fn cycle(&mut self) {
        if self.clock.is_some() {
            return;
        }
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
        match &mut self.clock {
            // The address that is chosen at the end of a scheduler's cycle leaves the heap in the next.
            Some(clock) => _ = clock.memory.take(clock.now + clock.issue, 2 * swaps as u64),
            None => self.tally.0.pending += swaps,
        }
        self.tally.0.swaps += swaps as u64;
    }

    /// Threads have come to an address.
    pub(super) fn add(&mut self, pc: Pc, threads: usize) {
        if threads == 0 {
            return;
        }
        while self.clock.is_none() && self.queue.len() >= self.size.queue {
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
        if let Some(now) = self.clock.as_ref().map(|clock| clock.now) {
            self.settle(now);
        }
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

    /// Adds threads to an entry, and returns the number of swaps that take it to its place.
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
        Heap::new(DwfHeap { entries: 4, swaps, queue }, None)
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

    /// A swap in a scheduler's cycle of four: an update takes two cycles, and a swap four.
    #[test]
    fn with_a_clock_work_follows_work() {
        let size = |queue| DwfHeap { entries: 8, swaps: 1, queue };
        let add = |heap: &mut Heap, updates: &[(u32, usize)]| {
            updates.iter().for_each(|&(pc, threads)| heap.add(Pc(pc), threads));
        };
        let mut heap = Heap::new(size(2), Some(4));
        // Begun in cycles 100, 102, 104 and 106, and done in 108: two of them wait at the end of the scheduler's cycle, 104.
        add(&mut heap, &[(1, 8), (2, 4), (3, 2), (4, 1)]);
        assert_eq!((heap.ready(100, false), heap.ready(100, true)), (100, 104));
        assert_eq!(heap.ready(102, true), 104, "it has gone on meanwhile");
        assert_eq!((heap.ready(104, true), heap.pop()), (104, Some(Pc(1))));
        // The last entry comes to the top, and a swap takes it down, from 108 to 112.
        assert_eq!(heap.ready(108, true), 108);
        assert_eq!(heap.pop(), Some(Pc(2)));
        assert_eq!(heap.ready(112, true), 112);

        let mut heap = Heap::new(size(1), Some(4));
        add(&mut heap, &[(1, 8), (2, 4), (3, 2), (4, 1)]);
        assert_eq!(heap.ready(100, false), 101, "the third update begins in cycle 104");
        // Five threads more take the last entry to the top: two swaps, from 108 to 118.
        add(&mut heap, &[(4, 8)]);
        assert_eq!((heap.ready(104, false), heap.ready(104, true)), (104, 114));
        assert_eq!(heap.pop(), Some(Pc(4)));
        assert_eq!(gathered(|tell| heap.figures(tell)), [4, 3, 1 + 10, 0], "a swap more by `pop`");
    }
}
