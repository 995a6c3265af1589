//! The order in which the lines of each set go: those of the class that goes first, then the others, each class by age. A line
//! is as old as its last use (LRU), or came so long ago (FIFO).
//!
//! Each class of a set is a list through its slots, the oldest first.

/// No slot.
const NONE: u32 = u32::MAX;

/// The place of a line in its list.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// The next older and the next newer line.
    older: u32,
    newer: u32,
    /// When the line came, or was used: no two lines have the same.
    age: u64,
}

/// The oldest and the newest line of a list.
#[derive(Clone, Copy, Debug)]
struct Ends {
    oldest: u32,
    newest: u32,
}

const EMPTY: Ends = Ends { oldest: NONE, newest: NONE };

#[derive(Clone, Debug)]
pub(super) struct Order {
    places: Vec<Place>,
    /// Whether the line of a slot is of the class that goes first (`.cs`; Habermaier 2011, section 4.2: eviction class
    /// `first`).
    firsts: Vec<bool>,
    /// By set, of those that go first and of the others.
    ends: Vec<[Ends; 2]>,
    /// Counts uses.
    clock: u64,
}

impl Order {
    pub(super) fn new(sets: usize, ways: usize) -> Self {
        Self {
            places: vec![Place::default(); sets * ways],
            firsts: vec![false; sets * ways],
            ends: vec![[EMPTY; 2]; sets],
            clock: 0,
        }
    }

    /// Whether the line of a slot is of the class that goes first.
    pub(super) fn is_first(&self, slot: usize) -> bool {
        self.firsts[slot]
    }

    /// The slot whose line goes first, of those that may go.
    pub(super) fn first(&self, set: usize, may_go: impl Fn(usize) -> bool) -> Option<usize> {
        for ends in self.ends[set] {
            let mut slot = ends.oldest;
            while slot != NONE {
                if may_go(slot as usize) {
                    return Some(slot as usize);
                }
                slot = self.places[slot as usize].newer;
            }
        }
        None
    }

    /// A line comes to a slot that is in no list.
    pub(super) fn come(&mut self, set: usize, slot: usize, first: bool) {
        self.clock += 1;
        self.places[slot].age = self.clock;
        self.insert(set, slot, first);
    }

    /// The line of a slot leaves its list.
    pub(super) fn leave(&mut self, set: usize, slot: usize) {
        let Place { older, newer, .. } = self.places[slot];
        let ends = &mut self.ends[set][usize::from(!self.firsts[slot])];
        match older {
            NONE => ends.oldest = newer,
            _ => self.places[older as usize].newer = newer,
        }
        match newer {
            NONE => ends.newest = older,
            _ => self.places[newer as usize].older = older,
        }
    }

    /// The line of a slot is the newest, and of this class.
    pub(super) fn renew(&mut self, set: usize, slot: usize, first: bool) {
        if self.places[slot].newer == NONE && self.firsts[slot] == first {
            // It is already.
            self.clock += 1;
            self.places[slot].age = self.clock;
            return;
        }
        self.leave(set, slot);
        self.come(set, slot, first);
    }

    /// The line of a slot is of this class, and as old as it was.
    pub(super) fn keep(&mut self, set: usize, slot: usize, first: bool) {
        if self.firsts[slot] != first {
            self.leave(set, slot);
            self.insert(set, slot, first);
        }
    }

    fn insert(&mut self, set: usize, slot: usize, first: bool) {
        self.firsts[slot] = first;
        let ends = &mut self.ends[set][usize::from(!first)];
        let age = self.places[slot].age;
        // Most often it is the newest.
        let (mut older, mut newer) = (ends.newest, NONE);
        while older != NONE && self.places[older as usize].age > age {
            (older, newer) = (self.places[older as usize].older, older);
        }
        (self.places[slot].older, self.places[slot].newer) = (older, newer);
        match older {
            NONE => ends.oldest = slot as u32,
            _ => self.places[older as usize].newer = slot as u32,
        }
        match newer {
            NONE => ends.newest = slot as u32,
            _ => self.places[newer as usize].older = slot as u32,
        }
    }

    /// No line is left.
    pub(super) fn clear(&mut self) {
        self.ends.fill([EMPTY; 2]);
        self.clock = 0;
    }
}
