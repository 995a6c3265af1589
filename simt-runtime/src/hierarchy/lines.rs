//! The lines of a cache: sets, ways, sectors, and which line goes when a set is full.
//!
//! PERF: sets of large caches have more than a hundred ways. A lookup compares bytes that stand for lines (`digests`), and
//! which line goes is known without looking at all of them (`order`). What is looked at lies side by side: the lines of all
//! caches of a machine are more than the host's caches hold.

mod digests;
mod order;

use super::cache::{CacheConfig, Replacement};
use super::divisor::Divisor;
use digests::Digests;
use order::Order;

/// The state of a line. Masks have one bit a sector.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    /// Sectors whose bytes are there.
    pub(super) valid: u32,
    /// Sectors that differ from the next level's.
    pub(super) dirty: u32,
    /// The MSHR that waits for sectors of the line, which must stay meanwhile.
    pub(super) mshr: Option<u16>,
}

#[derive(Clone, Debug)]
pub(super) struct Lines {
    ways: Divisor,
    sets: Divisor,
    replacement: Replacement,
    digests: Digests,
    /// Line numbers, set by set; of a slot that is used.
    tags: Vec<u64>,
    lines: Vec<Line>,
    order: Order,
    random: u64,
    seed: u64,
}

impl Lines {
    pub(super) fn new(config: &CacheConfig) -> Self {
        let count = (config.bytes / u64::from(config.line)) as usize;
        let ways = (config.ways as usize).max(1);
        let sets = (count / ways).max(1);
        let seed = match config.replacement {
            Replacement::Random { seed } => seed,
            Replacement::Lru | Replacement::Fifo => 0,
        };
        Self {
            ways: Divisor::new(ways as u64),
            sets: Divisor::new(sets as u64),
            replacement: config.replacement,
            digests: Digests::new(sets, ways),
            tags: vec![0; sets * ways],
            lines: vec![Line::default(); sets * ways],
            order: Order::new(sets, ways),
            random: seed,
            seed,
        }
    }

    pub(super) fn line(&self, slot: usize) -> &Line {
        &self.lines[slot]
    }

    pub(super) fn line_mut(&mut self, slot: usize) -> &mut Line {
        &mut self.lines[slot]
    }

    /// The number of the line in a slot.
    pub(super) fn number(&self, slot: usize) -> u64 {
        self.tags[slot]
    }

    /// The set of a line, the first slot of the set, and the line's digest.
    fn set(&self, number: u64) -> (usize, usize, u8) {
        let (high, set) = self.sets.split(number);
        (set as usize, self.ways.times(set) as usize, digests::of(high))
    }

    /// The set of a slot, and the way.
    fn way(&self, slot: usize) -> (usize, usize) {
        let (set, way) = self.ways.split(slot as u64);
        (set as usize, way as usize)
    }

    pub(super) fn find(&self, number: u64) -> Option<usize> {
        let (set, first, digest) = self.set(number);
        self.digests.find(set, digest, |way| self.tags[first + way] == number).map(|way| first + way)
    }

    /// The line has been used; whether it is now the first to go.
    pub(super) fn touch(&mut self, slot: usize, first: bool) {
        let (set, way) = self.way(slot);
        if self.replacement == Replacement::Lru {
            self.order.renew(set, way, first);
        } else {
            self.order.keep(set, way, first);
        }
    }

    /// The slot that a new line gets: an unused one, else the one whose line has to go. `None` if all lines of the set wait
    /// for their bytes.
    pub(super) fn victim(&self, number: u64) -> Option<usize> {
        let (set, first, _) = self.set(number);
        if !self.order.is_full(set) {
            return self.digests.find(set, digests::UNUSED, |_| true).map(|way| first + way);
        }
        let may_go = |way: usize| self.lines[first + way].mshr.is_none();
        let (order, firsts) = self.order.of(set);
        let place = order.iter().position(|&way| may_go(way as usize))?;
        let way = match self.replacement {
            Replacement::Random { .. } => {
                // One of those of the same class. The draw does not depend on how often it is asked for: it changes when a
                // line goes.
                let class = if place < firsts { &order[..firsts] } else { &order[firsts..] };
                let mut ways: Vec<u32> = class.iter().copied().filter(|&way| may_go(way as usize)).collect();
                ways.sort_unstable();
                ways[(mix(self.random) % ways.len() as u64) as usize]
            }
            Replacement::Lru | Replacement::Fifo => order[place],
        };
        Some(first + way as usize)
    }

    /// Whether the slot holds a line.
    pub(super) fn used(&self, slot: usize) -> bool {
        let (set, way) = self.way(slot);
        self.digests.get(set, way) != digests::UNUSED
    }

    /// Puts a line without bytes into a slot.
    pub(super) fn install(&mut self, slot: usize, number: u64, first: bool) {
        let (set, begin, digest) = self.set(number);
        let way = slot - begin;
        if self.used(slot) {
            self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
            self.order.leave(set, way);
        }
        self.digests.set(set, way, digest);
        self.tags[slot] = number;
        self.lines[slot] = Line::default();
        self.order.come(set, way, first);
    }

    pub(super) fn remove(&mut self, slot: usize) {
        let (set, way) = self.way(slot);
        self.digests.set(set, way, digests::UNUSED);
        self.lines[slot] = Line::default();
        self.order.leave(set, way);
    }

    /// Forgets all lines; returns how many were dirty.
    pub(super) fn clear(&mut self) -> u64 {
        let dirty = self.lines.iter().filter(|line| line.dirty != 0).count() as u64;
        self.digests.clear();
        self.lines.fill(Line::default());
        self.order.clear();
        self.random = self.seed;
        dirty
    }
}

/// SplitMix64: its bits serve as random ones.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
