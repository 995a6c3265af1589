//! A set of numbered entries, whose numbers are reused: for requests that are underway.

/// A set of entries, each with a number as long as it is there.
#[derive(Clone, Debug)]
pub(super) struct Slab<T> {
    entries: Vec<T>,
    free: Vec<u32>,
}

impl<T: Copy> Slab<T> {
    /// An empty set, with room for some entries.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { entries: Vec::with_capacity(capacity), free: Vec::with_capacity(capacity) }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    pub(super) fn insert(&mut self, entry: T) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.entries[number as usize] = entry;
                number
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        }
    }

    pub(super) fn remove(&mut self, number: u32) -> T {
        self.free.push(number);
        self.entries[number as usize]
    }
}
