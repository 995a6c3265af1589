//! Miss status holding registers: which lines are underway, and which accesses wait for them.

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
#[derive(Clone, Copy, Debug)]
pub(super) struct Mshr {
    /// The slot of the line.
    pub(super) slot: usize,
    /// Sectors that have been asked for and have not come.
    pub(super) asked: u32,
    /// Whether a store went past: accesses that wait get the bytes, and then the line is dropped.
    pub(super) dropped: bool,
    /// How many accesses wait.
    pub(super) waiting: u32,
    /// The first and the last of them, in the order in which they came.
    first: u32,
    last: u32,
}

/// No access.
const NONE: u32 = u32::MAX;

const FREE: Mshr = Mshr { slot: 0, asked: 0, dropped: false, waiting: 0, first: NONE, last: NONE };

/// The registers of a cache.
///
/// PERF: the accesses of all registers lie in one place, as lists: most registers have one, and some have many.
#[derive(Clone, Debug)]
pub(super) struct Mshrs {
    entries: Vec<Mshr>,
    free: Vec<u16>,
    /// Accesses that wait, with the next of the same register.
    accesses: Vec<(Waiting, u32)>,
    /// The first of a list of accesses that no longer wait.
    served: u32,
}

impl Mshrs {
    pub(super) fn new(count: u32) -> Self {
        Self {
            entries: vec![FREE; count as usize],
            free: (0..count as u16).rev().collect(),
            accesses: Vec::with_capacity(count as usize),
            served: NONE,
        }
    }

    /// A register that is free.
    pub(super) fn peek(&self) -> Option<u16> {
        self.free.last().copied()
    }

    /// Takes the register that [`Mshrs::peek`] returned.
    pub(super) fn take(&mut self, slot: usize) {
        if let Some(number) = self.free.pop() {
            self.entries[usize::from(number)] = Mshr { slot, ..FREE };
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

    /// An access waits for sectors of a line.
    pub(super) fn wait(&mut self, number: u16, waiting: Waiting) {
        let place = match self.served {
            NONE => {
                self.accesses.push((waiting, NONE));
                self.accesses.len() as u32 - 1
            }
            place => {
                self.served = self.accesses[place as usize].1;
                self.accesses[place as usize] = (waiting, NONE);
                place
            }
        };
        let entry = &mut self.entries[usize::from(number)];
        match entry.last {
            NONE => entry.first = place,
            last => self.accesses[last as usize].1 = place,
        }
        entry.last = place;
        entry.waiting += 1;
    }

    /// Whether an access waits that then writes.
    pub(super) fn writes(&self, number: u16) -> bool {
        let mut place = self.entry(number).first;
        while place != NONE {
            let (waiting, next) = self.accesses[place as usize];
            if waiting.writes != 0 {
                return true;
            }
            place = next;
        }
        false
    }

    /// Asks each access that waits for a line, in the order in which they came, whether it has all it needs. Those that have no
    /// longer wait.
    pub(super) fn serve(&mut self, number: u16, mut is_served: impl FnMut(&Waiting) -> bool) {
        let entry = &mut self.entries[usize::from(number)];
        let mut place = std::mem::replace(&mut entry.first, NONE);
        entry.last = NONE;
        while place != NONE {
            let (waiting, next) = &mut self.accesses[place as usize];
            let behind = *next;
            if is_served(waiting) {
                *next = self.served;
                self.served = place;
                entry.waiting -= 1;
            } else {
                *next = NONE;
                match entry.last {
                    NONE => entry.first = place,
                    last => self.accesses[last as usize].1 = place,
                }
                entry.last = place;
            }
            place = behind;
        }
    }

    /// The number of accesses that wait; zero at a free register.
    pub(super) fn waiting(&self) -> usize {
        // The contract of levels asks all units after each step, and most have nothing underway.
        let all_free = self.free.len() == self.entries.len();
        if all_free { 0 } else { self.entries.iter().map(|entry| entry.waiting as usize).sum() }
    }
}
