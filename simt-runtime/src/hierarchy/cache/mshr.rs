//! Miss status holding registers: which lines are underway, and which accesses wait for them.

use smallvec::SmallVec;

/// An access that waits for sectors of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) id: u64,
    /// The sectors it needs.
    pub(super) needs: u32,
    /// The sectors that it then writes.
    pub(super) writes: u32,
}

/// A line that is underway.
#[derive(Clone, Debug, Default)]
pub(super) struct Mshr {
    /// The slot of the line.
    pub(super) slot: usize,
    /// Sectors that have been asked for and have not come.
    pub(super) asked: u32,
    /// Whether a store went past: accesses that wait get the bytes, and then the line is dropped.
    pub(super) dropped: bool,
    /// The accesses that wait, in the order in which they came.
    pub(super) waiting: SmallVec<[Waiting; 8]>,
}

/// The accesses for which a cache has room from the start.
const MOST_ROOM: usize = 1 << 14;

/// The registers of a cache.
#[derive(Clone, Debug)]
pub(super) struct Mshrs {
    entries: Vec<Mshr>,
    free: Vec<u16>,
}

impl Mshrs {
    pub(super) fn new(count: u32, merges: u32) -> Self {
        // Room for all accesses that may wait, unless they are so many that most never will.
        let room = (merges as usize).min(MOST_ROOM / count.max(1) as usize);
        let entry = || Mshr { waiting: SmallVec::with_capacity(room), ..Mshr::default() };
        Self { entries: (0..count).map(|_| entry()).collect(), free: (0..count as u16).rev().collect() }
    }

    /// A register that is free.
    pub(super) fn peek(&self) -> Option<u16> {
        self.free.last().copied()
    }

    /// Takes the register that [`Mshrs::peek`] returned.
    pub(super) fn take(&mut self, slot: usize) {
        if let Some(number) = self.free.pop() {
            let entry = &mut self.entries[usize::from(number)];
            entry.slot = slot;
            entry.asked = 0;
            entry.dropped = false;
            entry.waiting.clear();
        }
    }

    pub(super) fn release(&mut self, number: u16) {
        self.free.push(number);
    }

    pub(super) fn entry(&self, number: u16) -> &Mshr {
        &self.entries[usize::from(number)]
    }

    pub(super) fn entry_mut(&mut self, number: u16) -> &mut Mshr {
        &mut self.entries[usize::from(number)]
    }

    /// The number of accesses that wait; zero at a free register.
    pub(super) fn waiting(&self) -> usize {
        self.entries.iter().map(|entry| entry.waiting.len()).sum()
    }
}
