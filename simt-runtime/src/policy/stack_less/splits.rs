//! The splits of a warp that can run, by age.
//!
//! Each has a place, which is a number; an older one has a lower place. A place whose split has gone stays free until no
//! other is behind it, so that nothing moves when splits merge.
//!
//! PERF: which splits stand where is not predictable: data decide whether a split is at an address, which one, and how many
//! there are. So the table is not searched: the split at an address is found in a table by address, and splits merge without
//! a branch. `benches/speed.rs` measures it.

use super::Split;
use simt_core::LaneMask;
use smallvec::SmallVec;

/// The splits of a warp that can issue, in the order in which they began, for a [`SplitSchedule`](crate::SplitSchedule).
///
/// A schedule chooses one of them by its age ([`oldest`](Self::oldest), [`nth`](Self::nth)), or by what it is
/// ([`first_by`](Self::first_by), [`iter`](Self::iter)). It cannot copy them: a place of a copy would be none of these.
#[derive(Debug)]
pub struct Splits {
    /// The addresses of the first places, which are seldom too few, and their lanes: none where there is no split.
    few: [u64; FEW],
    masks: [u64; FEW],
    /// The addresses and lanes of the other places.
    more: Vec<Split>,
    /// Places that have a split, a bit for each.
    taken: u64,
    /// The place of one split at an address with these last bits, or [`NO_SPLIT`].
    there: [u8; HERE],
    /// How many splits are not in that table, because another one is in their place of it, or because they are not among the
    /// first.
    hidden: u32,
}

/// The number of places that suffices most often.
const FEW: usize = 8;
const HERE: usize = 64;
const NO_SPLIT: u8 = u8::MAX;

/// The index of a split in the table by address.
#[inline(always)]
fn here(split: Split) -> usize {
    split.at as usize % HERE
}

impl Splits {
    /// How many there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.taken.count_ones() as usize
    }

    /// All of them, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = SplitPlace<'_>> {
        self.places().map(|place| self.place(place))
    }

    /// The one that began first.
    #[inline(always)]
    pub fn oldest(&self) -> SplitPlace<'_> {
        self.place(self.taken.trailing_zeros() as usize % 64)
    }

    /// The split with so many older ones; the youngest if there are not as many.
    #[inline(always)]
    pub fn nth(&self, older: usize) -> SplitPlace<'_> {
        let (mut older, mut bits, mut first) = (older, self.taken, 0);
        loop {
            let here = (bits as u8).count_ones() as usize;
            if older < here {
                return self.place(first + usize::from(BITS[bits as usize % BITS.len()][older % 8]));
            }
            bits >>= u8::BITS;
            if bits == 0 {
                return self.place(self.end().saturating_sub(1));
            }
            older -= here;
            first += u8::BITS as usize;
        }
    }

    /// The split whose key is lowest; of several, the oldest.
    #[inline(always)]
    pub fn first_by<K: Ord>(&self, key: impl Fn(Split) -> K) -> SplitPlace<'_> {
        let (mut first, mut left) = (self.oldest(), self.taken & self.taken.wrapping_sub(1));
        if left == 0 {
            return first;
        }
        let mut lowest = key(first.split());
        // PERF: without an iterator, whose closures would not be compiled for the processor's instructions on bits.
        while left != 0 {
            let place = self.place(left.trailing_zeros() as usize);
            let key = key(place.split());
            if key < lowest {
                (first, lowest) = (place, key);
            }
            left &= left - 1;
        }
        first
    }

    /// The oldest split from a place on, or of all if there is none from there on.
    #[inline(always)]
    pub(super) fn from(&self, place: usize) -> SplitPlace<'_> {
        let behind = self.taken & u64::MAX.checked_shl(place as u32).unwrap_or(0);
        self.place((if behind == 0 { self.taken } else { behind }).trailing_zeros() as usize % 64)
    }

    #[inline(always)]
    fn place(&self, place: usize) -> SplitPlace<'_> {
        SplitPlace { splits: self, place }
    }

    /// The places that have a split, oldest first: bits of a word, as lanes are those of a mask.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        LaneMask(self.taken).lanes()
    }

    /// A copy of the table.
    pub(super) fn copied(&self) -> Self {
        let Self { few, masks, ref more, taken, there, hidden } = *self;
        Self { few, masks, more: more.clone(), taken, there, hidden }
    }

    pub(super) fn new(first: Split) -> Self {
        let mut splits =
            Self { few: [0; FEW], masks: [0; FEW], more: Vec::new(), taken: 0, there: [NO_SPLIT; HERE], hidden: 0 };
        splits.enter(0, first);
        splits
    }

    /// Hides the splits that have lanes that are not free; returns what shows them again.
    pub(super) fn leave_only(&mut self, free: LaneMask) -> u64 {
        let all = self.taken;
        for place in LaneMask(all).lanes() {
            if !self.split(place).mask.is_subset(free) {
                self.taken &= !(1 << place);
            }
        }
        all
    }

    pub(super) fn show_again(&mut self, all: u64) {
        self.taken = all;
    }

    /// Whether no lane of the warp can run.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.taken == 0
    }

    /// Whether there is a choice.
    #[inline(always)]
    pub(super) fn are_several(&self) -> bool {
        self.taken & self.taken.wrapping_sub(1) != 0
    }

    /// The split at a place, without lanes if there is none.
    #[inline(always)]
    pub(super) fn split(&self, place: usize) -> Split {
        match (self.few.get(place), self.masks.get(place)) {
            (Some(&at), Some(&mask)) => Split { at, mask: LaneMask(mask) },
            _ => self.more.get(place - FEW).copied().unwrap_or(Split::NONE),
        }
    }

    fn put(&mut self, place: usize, split: Split) {
        match (self.few.get_mut(place), self.masks.get_mut(place)) {
            (Some(at), Some(mask)) => (*at, *mask) = (split.at, split.mask.0),
            _ => self.more[place - FEW] = split,
        }
    }

    /// The place behind the last one that has a split.
    #[inline(always)]
    fn end(&self) -> usize {
        64 - self.taken.leading_zeros() as usize
    }

    /// A place has no split any more.
    pub(super) fn free(&mut self, place: usize) -> Split {
        let split = self.split(place);
        self.forget(place, split);
        self.put(place, Split::NONE);
        self.taken &= !(1 << place);
        split
    }

    fn forget(&mut self, place: usize, split: Split) {
        let there = &mut self.there[here(split)];
        if usize::from(*there) == place {
            *there = NO_SPLIT;
        } else {
            self.hidden -= 1;
        }
    }

    fn enter(&mut self, place: usize, split: Split) {
        let there = &mut self.there[here(split)];
        if *there == NO_SPLIT && place < FEW {
            *there = place as u8;
        } else {
            self.hidden += 1;
        }
        self.put(place, split);
        self.taken |= 1 << place;
    }

    fn searched(&self, split: Split) -> Option<usize> {
        self.places().find(|&place| self.split(place).at == split.at)
    }

    /// Adds lanes at an address: they join the split that is there, or are a new one, at this place or behind it. Returns
    /// the place of the split that was at this place or behind it, which has changed if there was no room.
    #[inline(always)]
    pub(super) fn arrive(&mut self, split: Split, behind: usize) -> usize {
        let there = self.there[here(split)];
        let is_free = there == NO_SPLIT;
        let place = if is_free { self.end().max(behind) } else { usize::from(there) };
        if self.hidden > 0 || place >= FEW || !(is_free | (self.few[place % FEW] == split.at)) {
            return self.arrive_by_search(split, behind);
        }
        self.few[place] = split.at;
        // Where there is no split there are no lanes.
        self.masks[place] |= split.mask.0;
        self.there[here(split)] = place as u8;
        self.taken |= 1 << place;
        behind
    }

    #[cold]
    #[inline(never)]
    fn arrive_by_search(&mut self, split: Split, behind: usize) -> usize {
        let end = self.end().max(behind);
        if let Some(known) = self.searched(split) {
            let mask = self.split(known).mask | split.mask;
            self.put(known, split.of(mask));
        } else if end == FEW + self.more.len() || end >= FEW && self.count() < FEW {
            return self.move_up(Some(split), behind);
        } else {
            self.enter(end, split);
        }
        behind
    }

    /// Moves the splits, if they are few enough, up to the first places, where they are found without a search. Returns the
    /// new place of the split that was at a place or behind it.
    pub(super) fn moved_up(&mut self, place: usize) -> usize {
        if self.end() > FEW && self.count() <= FEW { self.move_up(None, place) } else { place }
    }

    /// The split of a place moves: it merges with one that is there, and both have the place of the older.
    #[inline(always)]
    pub(super) fn go(&mut self, place: usize, from: Split, split: Split) {
        if self.hidden > 0 || place >= FEW {
            self.forget(place, from);
            return self.go_by_search(place, split);
        }
        self.there[here(from)] = NO_SPLIT;
        (self.few[place], self.masks[place]) = (split.at, 0);
        // If no split is there it merges with itself, without lanes.
        let there = self.there[here(split)];
        let other = if there == NO_SPLIT { place } else { usize::from(there) % FEW };
        if self.few[other] != split.at {
            return self.go_by_search(place, split);
        }
        let mask = split.mask.0 | self.masks[other];
        self.masks[other] = 0;
        let older = place.min(other);
        (self.few[older], self.masks[older]) = (split.at, mask);
        self.there[here(split)] = older as u8;
        self.taken = self.taken & !(1 << place | 1 << other) | 1 << older;
    }

    /// As `moved`, if not all splits are in the table by address; the split has been removed from it.
    #[cold]
    #[inline(never)]
    fn go_by_search(&mut self, place: usize, split: Split) {
        self.put(place, Split::NONE);
        self.taken &= !(1 << place);
        match self.searched(split) {
            None => self.enter(place, split),
            Some(other) => {
                let mask = self.free(other).mask | split.mask;
                self.enter(place.min(other), split.of(mask));
            }
        }
    }

    /// Moves all splits up to the front, and adds one behind them.
    #[cold]
    #[inline(never)]
    fn move_up(&mut self, youngest: Option<Split>, behind: usize) -> usize {
        let before = self.places().filter(|&place| place < behind).count();
        let splits: SmallVec<[Split; 64]> = self.iter().map(SplitPlace::split).chain(youngest).collect();
        let mut more = std::mem::take(&mut self.more);
        more.clear();
        more.resize(splits.len().saturating_sub(FEW).next_multiple_of(FEW), Split::NONE);
        *self = Self { few: [0; FEW], masks: [0; FEW], more, taken: 0, there: [NO_SPLIT; HERE], hidden: 0 };
        for (place, split) in splits.into_iter().enumerate() {
            self.enter(place, split);
        }
        before
    }

    /// Whether the split at an address has to be searched for.
    #[cfg(test)]
    pub(super) fn hides(&self) -> bool {
        self.hidden > 0
    }
}

/// A split that a schedule chooses from. It borrows the table, so that a schedule can neither keep it nor make one up.
#[derive(Clone, Copy, Debug)]
pub struct SplitPlace<'s> {
    splits: &'s Splits,
    place: usize,
}

impl SplitPlace<'_> {
    /// The split.
    #[inline(always)]
    pub fn split(self) -> Split {
        self.splits.split(self.place)
    }

    #[inline(always)]
    pub(super) fn number(self) -> usize {
        self.place
    }
}

/// Equal if the same splits are in the same order; free places have no part in it.
impl PartialEq for Splits {
    fn eq(&self, other: &Self) -> bool {
        self.iter().map(SplitPlace::split).eq(other.iter().map(SplitPlace::split))
    }
}

/// The positions of the bits of each byte.
const BITS: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < places.len() {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                places[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};
