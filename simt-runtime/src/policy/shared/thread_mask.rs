//! A set of the threads of a block.

use crate::policy::WarpPart;
use simt_core::LaneMask;
use std::fmt;
use std::ops::{BitAndAssign, BitOrAssign, SubAssign};

/// A set of the threads of one block: a bit for each, by warp and lane of the program.
///
/// Sets of one block are made by [`BlockStart::no_threads`](crate::BlockStart::no_threads), or copied. Operations on two
/// sets expect both to be of blocks of one size: the result for other sets has no meaning.
///
/// ```
/// use simt::policy::{ThreadMask, WarpPart};
/// use simt::core::LaneMask;
///
/// // Three warps of 32 lanes.
/// let mut threads = ThreadMask::empty(3, 32);
/// threads.insert(WarpPart { warp: 0, lanes: LaneMask(0b1100) });
/// threads.insert(WarpPart { warp: 2, lanes: LaneMask(0b0011) });
/// assert_eq!((threads.count(), threads.lanes()), (4, LaneMask(0b1111)));
///
/// let taken = threads.clone();
/// threads.insert(WarpPart { warp: 1, lanes: LaneMask(0b1000) });
/// threads -= &taken;
/// assert!(threads.parts().eq([WarpPart { warp: 1, lanes: LaneMask(0b1000) }]));
/// ```
///
/// PERF: an operation on the threads of many warps at once (they take a branch, they join others) is a few instructions,
/// however many threads there are; it is fastest in blocks of up to 256 threads.
#[derive(Clone, PartialEq, Eq)]
#[repr(align(32))]
pub struct ThreadMask {
    first: Group,
    /// The words of a set of a small block; empty if the block is large.
    others: [Group; GROUPS - 1],
    /// The logarithm of the number of lanes of a warp, which are 64 at most.
    log_width: u32,
    /// Whether there are more threads than `GROUP` words hold.
    is_large: bool,
}

/// Words that are processed together: one AVX register of them.
type Group = [u64; 4];
const NONE: Group = [0; 4];
const GROUP_BITS: usize = 256;
/// Words for the threads of the largest block.
const GROUPS: usize = 4;

impl ThreadMask {
    /// The empty set, with room for the threads of so many warps of `warp_width` lanes: a power of two, 64 at most; other
    /// values are rounded up to one. In all there is room for 1,024 threads.
    pub fn empty(warps: usize, warp_width: usize) -> Self {
        let width = warp_width.clamp(1, 64).next_power_of_two();
        let is_large = warps.saturating_mul(width) > GROUP_BITS;
        Self { first: NONE, others: [NONE; GROUPS - 1], log_width: width.ilog2(), is_large }
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        let is_none = |group: &Group| group[0] | group[1] | group[2] | group[3] == 0;
        is_none(&self.first) && (!self.is_large || self.others.iter().all(is_none))
    }

    /// The number of threads in the set.
    #[inline(always)]
    pub fn count(&self) -> usize {
        let count = |group: &Group| group.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        count(&self.first) + if self.is_large { self.others.iter().map(count).sum() } else { 0 }
    }

    /// The threads, by the warp that they belong to in the program: the lowest warp first, none without lanes.
    #[inline(always)]
    pub fn parts(&self) -> impl Iterator<Item = WarpPart> {
        Parts { threads: self, next: 0, left: 0 }
    }

    /// The set's threads of one warp.
    #[inline(always)]
    pub fn of_warp(&self, warp: usize) -> LaneMask {
        let first = warp << self.log_width;
        LaneMask(self.word(first / 64).unwrap_or(0) >> (first % 64) & self.all_lanes())
    }

    /// The lanes of the set's threads, of all warps together.
    #[inline(always)]
    pub fn lanes(&self) -> LaneMask {
        let [even, odd] = self.alternate_words();
        self.fold(even | odd)
    }

    /// Adds the threads of a part. There must be room for the part's warp.
    #[inline(always)]
    pub fn insert(&mut self, part: WarpPart) {
        let (first, lanes) = (part.warp << self.log_width, part.lanes.0 & self.all_lanes());
        if let Some(word) = self.word_mut(first / 64) {
            *word |= lanes << (first % 64);
        }
    }

    /// Removes the threads of a part.
    pub fn remove(&mut self, part: WarpPart) {
        let (first, lanes) = (part.warp << self.log_width, part.lanes.0 & self.all_lanes());
        if let Some(word) = self.word_mut(first / 64) {
            *word &= !(lanes << (first % 64));
        }
    }

    /// Removes all threads.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.first = NONE;
        if self.is_large {
            self.others = [NONE; GROUPS - 1];
        }
    }

    /// Keeps the threads that are in another set.
    #[inline(always)]
    pub(crate) fn set_to(&mut self, other: &Self) {
        self.combine([other], |_, [other]| other);
    }

    /// Keeps the threads that are in another set, among those of a third one.
    #[inline(always)]
    pub(crate) fn set_to_both(&mut self, one: &Self, other: &Self) {
        self.combine([one, other], |_, [one, other]| one & other);
    }

    /// Keeps the threads that are in another set, among those that are not in a third one.
    #[inline(always)]
    pub(crate) fn set_to_difference(&mut self, all: &Self, other: &Self) {
        self.combine([all, other], |_, [all, other]| all & !other);
    }

    /// Toggles the threads of another set.
    #[inline(always)]
    pub(crate) fn flip(&mut self, other: &Self) {
        self.combine([other], |word, [other]| word ^ other);
    }

    /// Replaces the words where `choice` has bits by those of another set.
    #[inline(always)]
    pub(crate) fn choose(&mut self, other: &Self, choice: u64) {
        self.combine([other], |word, [other]| other & choice | word & !choice);
    }

    /// Replaces each word by a function of it and of the words of others at its place.
    #[inline(always)]
    fn combine<const N: usize>(&mut self, others: [&Self; N], word: impl Fn(u64, [u64; N]) -> u64) {
        debug_assert!(others.iter().all(|other| self.is_like(other)), "sets of different blocks");
        self.combine_any(others, word);
    }

    /// As `combine`, for blocks of all sizes.
    ///
    /// PERF: without `array::map` and `array::from_fn`, whose parts are compiled apart and not inlined into code for an
    /// instruction set, unless the program is optimised as a whole, which a user's is not.
    #[inline(always)]
    fn combine_any<const N: usize>(&mut self, others: [&Self; N], word: impl Fn(u64, [u64; N]) -> u64) {
        self.first = group(|at| word(self.first[at], words(&others, |other| other.first[at])));
        if self.is_large {
            for (number, own) in self.others.iter_mut().enumerate() {
                *own = group(|at| word(own[at], words(&others, |other| other.others[number][at])));
            }
        }
    }

    /// Moves the first thread of each lane to another set, which is empty.
    #[inline(always)]
    pub(crate) fn give_first_of_lanes(&mut self, first: &mut Self) {
        let (log_width, all) = (self.log_width, self.all_lanes());
        let mut seen = 0;
        let mut give = |own: &mut Group, first: &mut Group| {
            for (own, first) in own.iter_mut().zip(first) {
                let (word, mut given) = (*own, 0);
                // PERF: without `step_by`, which took most of the time of block compaction.
                for warp in 0..64 >> log_width {
                    let shift = warp << log_width;
                    let lanes = word >> shift & all;
                    given |= (lanes & !seen) << shift;
                    seen |= lanes;
                }
                *first = given;
                *own = word & !given;
            }
        };
        give(&mut self.first, &mut first.first);
        if self.is_large {
            self.others.iter_mut().zip(&mut first.others).for_each(|(own, first)| give(own, first));
        }
    }

    /// Adds those threads of another set that are where the words `at` have bits, even words and odd; leaves the others, and
    /// only them, in `rest`.
    #[inline(always)]
    pub(crate) fn add_those_at(&mut self, other: &Self, at: [u64; 2], rest: &mut Self) {
        debug_assert!(self.is_like(other) && self.is_like(rest), "sets of different blocks");
        let at = [at[0], at[1], at[0], at[1]];
        let split = |own: &mut Group, other: &Group, rest: &mut Group| {
            *own = group(|word| own[word] | other[word] & at[word]);
            *rest = group(|word| other[word] & !at[word]);
        };
        split(&mut self.first, &other.first, &mut rest.first);
        if self.is_large {
            for number in 0..GROUPS - 1 {
                split(&mut self.others[number], &other.others[number], &mut rest.others[number]);
            }
        }
    }

    /// Whether the other set is of a block with as many threads, in warps of as many lanes.
    fn is_like(&self, other: &Self) -> bool {
        (self.log_width, self.is_large) == (other.log_width, other.is_large)
    }

    /// The empty set, with as much room.
    #[inline(always)]
    pub(crate) fn without_threads(&self) -> Self {
        Self { first: NONE, others: [NONE; GROUPS - 1], ..*self }
    }

    /// The union of the set's even words, and that of its odd ones.
    #[inline(always)]
    pub(crate) fn alternate_words(&self) -> [u64; 2] {
        let others = if self.is_large { &self.others[..] } else { &[] };
        let all = others.iter().fold(self.first, |all, other| group(|at| all[at] | other[at]));
        [all[0] | all[2], all[1] | all[3]]
    }

    #[inline(always)]
    fn word(&self, number: usize) -> Option<u64> {
        match number {
            0..4 => Some(self.first[number]),
            _ if self.is_large => self.others.as_flattened().get(number - 4).copied(),
            _ => None,
        }
    }

    #[inline(always)]
    fn word_mut(&mut self, number: usize) -> Option<&mut u64> {
        match number {
            0..4 => Some(&mut self.first[number]),
            _ if self.is_large => self.others.as_flattened_mut().get_mut(number - 4),
            _ => None,
        }
    }

    /// Lanes of a warp.
    #[inline(always)]
    pub(crate) fn width(&self) -> usize {
        1 << self.log_width
    }

    /// All lanes of a warp.
    #[inline(always)]
    fn all_lanes(&self) -> u64 {
        u64::MAX >> (64 - self.width())
    }

    /// The lanes of all warps of a word.
    #[inline(always)]
    pub(crate) fn fold(&self, word: u64) -> LaneMask {
        let (mut lanes, mut half) = (word, 32);
        while half >= self.width() {
            lanes |= lanes >> half;
            half /= 2;
        }
        LaneMask(lanes & self.all_lanes())
    }
}

/// The words of a group, all computed before one is written: they become one vector.
#[inline(always)]
fn group(word: impl Fn(usize) -> u64) -> Group {
    [word(0), word(1), word(2), word(3)]
}

/// A word of each set.
#[inline(always)]
fn words<const N: usize>(sets: &[&ThreadMask; N], word: impl Fn(&ThreadMask) -> u64) -> [u64; N] {
    let mut words = [0; N];
    for (own, set) in words.iter_mut().zip(sets) {
        *own = word(set);
    }
    words
}

/// The parts of a set, as an iterator.
struct Parts<'t> {
    threads: &'t ThreadMask,
    /// The index of the next word, and the rest of the word before it.
    next: usize,
    left: u64,
}

impl Iterator for Parts<'_> {
    type Item = WarpPart;

    #[inline(always)]
    fn next(&mut self) -> Option<WarpPart> {
        let log_width = self.threads.log_width;
        while self.left == 0 {
            self.left = self.threads.word(self.next)?;
            self.next += 1;
        }
        let warp = self.left.trailing_zeros() >> log_width;
        let (shift, lanes) = (warp << log_width, self.threads.all_lanes());
        let part = WarpPart {
            warp: ((self.next - 1) << (6 - log_width)) + warp as usize,
            lanes: LaneMask(self.left >> shift & lanes),
        };
        self.left &= !(lanes << shift);
        Some(part)
    }
}

/// The empty set of no block.
impl Default for ThreadMask {
    fn default() -> Self {
        Self::empty(0, 64)
    }
}

impl BitOrAssign<&ThreadMask> for ThreadMask {
    #[inline(always)]
    fn bitor_assign(&mut self, other: &ThreadMask) {
        self.combine_any([other], |word, [other]| word | other);
    }
}

impl BitAndAssign<&ThreadMask> for ThreadMask {
    #[inline(always)]
    fn bitand_assign(&mut self, other: &ThreadMask) {
        self.combine_any([other], |word, [other]| word & other);
    }
}

impl SubAssign<&ThreadMask> for ThreadMask {
    #[inline(always)]
    fn sub_assign(&mut self, other: &ThreadMask) {
        self.combine_any([other], |word, [other]| word & !other);
    }
}

impl fmt::Debug for ThreadMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.parts()).finish()
    }
}

#[cfg(test)]
mod tests;
