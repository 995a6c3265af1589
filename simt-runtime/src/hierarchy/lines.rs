//! The lines of a cache: sets, ways, sectors, and which line goes when a set is full.

use super::cache::{CacheConfig, Replacement};
use super::divisor::Divisor;

/// A line number that no line has.
const UNUSED: u64 = u64::MAX;

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

/// The order in which lines go: the least key first. It is when the line was used last (LRU) or came (FIFO), and more for
/// lines that are not the first to go (`.cs`; Habermaier 2011, section 4.2: eviction class `first`).
const LATER: u64 = 1 << 62;

#[derive(Clone, Debug)]
pub(super) struct Lines {
    ways: usize,
    sets: Divisor,
    replacement: Replacement,
    /// Line numbers, set by set.
    tags: Vec<u64>,
    keys: Vec<u64>,
    lines: Vec<Line>,
    /// Counts uses.
    clock: u64,
    random: u64,
    seed: u64,
}

impl Lines {
    pub(super) fn new(config: &CacheConfig) -> Self {
        let count = (config.bytes / u64::from(config.line)) as usize;
        let ways = config.ways as usize;
        let seed = match config.replacement {
            Replacement::Random { seed } => seed,
            Replacement::Lru | Replacement::Fifo => 0,
        };
        Self {
            ways,
            sets: Divisor::new((count / ways.max(1)).max(1) as u64),
            replacement: config.replacement,
            tags: vec![UNUSED; count],
            keys: vec![0; count],
            lines: vec![Line::default(); count],
            clock: 0,
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

    fn set(&self, number: u64) -> std::ops::Range<usize> {
        let first = self.sets.split(number).1 as usize * self.ways;
        first..first + self.ways
    }

    pub(super) fn find(&self, number: u64) -> Option<usize> {
        let set = self.set(number);
        self.tags[set.clone()].iter().position(|&tag| tag == number).map(|way| set.start + way)
    }

    /// The line has been used; whether it is now the first to go.
    pub(super) fn touch(&mut self, slot: usize, first: bool) {
        let stamp = if self.replacement == Replacement::Lru {
            self.clock += 1;
            self.clock
        } else {
            self.keys[slot] & !LATER
        };
        self.keys[slot] = stamp | if first { 0 } else { LATER };
    }

    /// The slot that a new line gets: an unused one, else the one whose line has to go. `None` if all lines of the set wait
    /// for their bytes.
    pub(super) fn victim(&self, number: u64) -> Option<usize> {
        let set = self.set(number);
        // Unused slots have the least key, 0. Few lines are underway: the line to evict is most often the first one found.
        let least = |floor: Option<(u64, usize)>| {
            let keys = set.clone().map(|slot| (self.keys[slot], slot));
            keys.filter(|&key| floor.is_none_or(|floor| key > floor)).min()
        };
        let mut found = least(None);
        while let Some((_, slot)) = found
            && self.lines[slot].mshr.is_some()
        {
            found = least(found);
        }
        let (key, slot) = found?;
        match self.replacement {
            Replacement::Random { .. } if self.used(slot) => {
                // One of those of the same class. The draw does not depend on how often it is asked for: it changes when a
                // line goes.
                let class = |slot: &usize| self.lines[*slot].mshr.is_none() && self.keys[*slot] & LATER == key & LATER;
                let count = set.clone().filter(class).count() as u64;
                set.clone().filter(class).nth((mix(self.random) % count) as usize)
            }
            Replacement::Lru | Replacement::Fifo | Replacement::Random { .. } => Some(slot),
        }
    }

    /// Whether the slot holds a line.
    pub(super) fn used(&self, slot: usize) -> bool {
        self.tags[slot] != UNUSED
    }

    /// Puts a line without bytes into a slot.
    pub(super) fn install(&mut self, slot: usize, number: u64, first: bool) {
        if self.used(slot) {
            self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        }
        self.clock += 1;
        self.tags[slot] = number;
        self.lines[slot] = Line::default();
        self.keys[slot] = self.clock | if first { 0 } else { LATER };
    }

    pub(super) fn remove(&mut self, slot: usize) {
        self.tags[slot] = UNUSED;
        self.keys[slot] = 0;
        self.lines[slot] = Line::default();
    }

    /// Forgets all lines; returns how many were dirty.
    pub(super) fn clear(&mut self) -> u64 {
        let dirty = self.lines.iter().filter(|line| line.dirty != 0).count() as u64;
        self.tags.fill(UNUSED);
        self.keys.fill(0);
        self.lines.fill(Line::default());
        self.clock = 0;
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
