//! The warps of a core that may be able to issue.

/// A set of places on a core, of blocks that came one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    words: Vec<u64>,
    /// Places of a block.
    of_block: usize,
    /// The blocks' slots, the one whose block came first in front.
    by_age: Vec<usize>,
}

impl Candidates {
    /// None of the places of so many slots, each for a block.
    pub(crate) fn new(slots: usize, of_block: usize) -> Self {
        Self { words: vec![0; (slots * of_block).div_ceil(64)], of_block, by_age: (0..slots).collect() }
    }

    /// A block comes to a slot.
    pub(crate) fn comes(&mut self, slot: usize) {
        self.by_age.retain(|&other| other != slot);
        self.by_age.push(slot);
    }

    /// The set is that of these groups of eight places, by the numbers of the groups.
    pub(crate) fn set(&mut self, groups: impl Iterator<Item = (usize, u8)>) {
        for word in &mut self.words {
            *word = 0;
        }
        groups.for_each(|(group, places)| self.words[group / 8] |= u64::from(places) << (group % 8 * 8));
    }

    pub(crate) fn remove(&mut self, place: usize) {
        self.words[place / 64] &= !(1 << (place % 64));
    }

    pub(crate) fn contains(&self, place: usize) -> bool {
        self.words.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The lowest place that is not below this one.
    #[inline]
    pub(super) fn from(&self, place: usize) -> Option<usize> {
        let mut number = place / 64;
        let mut word = self.words.get(number)? & u64::MAX << (place % 64);
        while word == 0 {
            number += 1;
            word = *self.words.get(number)?;
        }
        Some(number * 64 + word.trailing_zeros() as usize)
    }

    /// The places, lowest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(self.from(0), |place| self.from(place + 1))
    }

    /// Of the places whose block came first, the lowest.
    pub(super) fn oldest(&self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        self.by_age.iter().find_map(|slot| {
            let begin = slot * self.of_block;
            self.from(begin).filter(|place| place - begin < self.of_block)
        })
    }
}

#[cfg(test)]
impl Candidates {
    /// These places, of blocks of ten, the last of which came first.
    pub(super) fn of(places: &[usize]) -> Self {
        let mut candidates = Self::new(10, 10);
        (0..10).rev().for_each(|slot| candidates.comes(slot));
        candidates.set(places.iter().map(|place| (place / 8, 1 << (place % 8))));
        candidates
    }
}
