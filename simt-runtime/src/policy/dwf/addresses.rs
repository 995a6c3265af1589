//! The addresses of the pool, and how many threads are at each.

use simt_core::code::Pc;

/// Threads by address.
#[derive(Clone, Debug, Default)]
pub(super) struct Addresses {
    /// Addresses with threads.
    threads: Vec<(Pc, usize)>,
    /// The place in `threads` of each address, counted from one; 0 if it has none.
    places: Vec<u32>,
}

impl PartialEq for Addresses {
    /// The places follow from the threads, except for the length of `places`, which has no part in equality.
    fn eq(&self, other: &Self) -> bool {
        self.threads == other.threads
    }
}

impl Addresses {
    #[inline(always)]
    fn place(&self, pc: Pc) -> Option<usize> {
        self.places.get(pc.index())?.checked_sub(1).map(|place| place as usize)
    }

    pub(super) fn all(&self) -> &[(Pc, usize)] {
        &self.threads
    }

    /// Threads come to an address. Returns whether none was there.
    #[inline(always)]
    pub(super) fn add(&mut self, pc: Pc, threads: usize) -> bool {
        let place = self.place(pc);
        match place {
            Some(place) => self.threads[place].1 += threads,
            None => self.begin(pc, threads),
        }
        place.is_none()
    }

    #[inline(never)]
    fn begin(&mut self, pc: Pc, threads: usize) {
        self.threads.push((pc, threads));
        if self.places.len() <= pc.index() {
            self.places.resize(pc.index() + 1, 0);
        }
        self.places[pc.index()] = self.threads.len() as u32;
    }

    /// Threads leave it.
    #[inline(always)]
    pub(super) fn remove(&mut self, pc: Pc, threads: usize) {
        if let Some(place) = self.place(pc) {
            self.threads[place].1 -= threads;
            if self.threads[place].1 == 0 {
                self.threads.swap_remove(place);
                self.places[pc.index()] = 0;
                if let Some((moved, _)) = self.threads.get(place) {
                    self.places[moved.index()] = place as u32 + 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_there_as_long_as_threads_are() {
        let mut addresses = Addresses::default();
        for (pc, threads) in [(7, 2), (3, 1), (9, 4), (7, 1)] {
            addresses.add(Pc(pc), threads);
        }
        assert_eq!(addresses.all(), [(Pc(7), 3), (Pc(3), 1), (Pc(9), 4)]);
        addresses.remove(Pc(7), 1);
        addresses.remove(Pc(7), 2);
        assert_eq!(addresses.all(), [(Pc(9), 4), (Pc(3), 1)]);
        addresses.add(Pc(9), 1);
        addresses.remove(Pc(3), 1);
        assert_eq!(addresses.all(), [(Pc(9), 5)]);
        addresses.remove(Pc(100), 1);
        addresses.remove(Pc(9), 5);
        assert_eq!(addresses.all(), []);
    }
}
