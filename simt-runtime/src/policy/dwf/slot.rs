//! A warp that is being formed, and which threads fit into it (TACO'09, section 4.1).

use super::config::{DwfConfig, HomeLanes};
use super::pool::{Coming, Fewest, Update};
use crate::policy::{ThreadMask, WarpPart};
use simt_core::LaneMask;

/// A place of the pool: a warp that is being formed, or an empty one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slot {
    pub(super) update: Update,
    pub(super) threads: usize,
}

/// Which threads fit where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) lanes: HomeLanes,
    swizzle: bool,
    width: usize,
    pub(super) capacity: usize,
}

impl Rules {
    pub(super) fn new(config: &DwfConfig, width: usize) -> Self {
        let DwfConfig { lanes, swizzle, pool, .. } = *config;
        Self { lanes, swizzle, width, capacity: pool.unwrap_or(usize::MAX).min(u16::MAX as usize) }
    }

    /// The SIMD lanes of threads.
    #[inline(always)]
    pub(super) fn positions(self, threads: &ThreadMask) -> LaneMask {
        if !self.swizzle {
            return threads.lanes();
        }
        let [even, odd] = threads.alternate_words();
        threads.fold(self.swizzled(even, 0) | self.swizzled(odd, 1))
    }

    /// The SIMD lanes of the threads of a warp that are left when some have gone.
    #[inline(always)]
    pub(super) fn left(self, lanes: LaneMask, gone: LaneMask, left: &ThreadMask) -> LaneMask {
        // PERF: no two have one lane.
        if self.lanes == HomeLanes::Aware { lanes - gone } else { self.positions(left) }
    }

    /// The bits of all threads that have one of these SIMD lanes: in even words and in odd ones.
    #[inline(always)]
    fn threads_at(self, lanes: LaneMask) -> [u64; 2] {
        let word = self.repeated(lanes);
        if self.swizzle { [0, 1].map(|odd| self.swizzled(word, odd)) } else { [word; 2] }
    }

    /// A word with these lanes for each of its warps.
    #[inline(always)]
    fn repeated(self, lanes: LaneMask) -> u64 {
        let (mut word, mut width) = (lanes.0, self.width);
        while width < 64 {
            word |= word << width;
            width *= 2;
        }
        word
    }

    /// A word with even and odd lanes exchanged in its odd warps; `odd` says whether the word itself is odd.
    #[inline(always)]
    fn swizzled(self, word: u64, odd: usize) -> u64 {
        let odd_warps = match self.width {
            64 => [0, !0][odd],
            width => Self { width: 2 * width, ..self }.repeated(LaneMask(LaneMask::first(width).0 << width)),
        };
        word & !odd_warps | swapped(word) & odd_warps
    }
}

/// Even and odd lanes have changed places.
const fn swapped(lanes: u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    (lanes & EVEN) << 1 | lanes >> 1 & EVEN
}

impl Slot {
    /// An empty slot; `threads` is an empty set.
    pub(super) fn new(threads: ThreadMask) -> Self {
        Self { update: Update::none(threads), threads: 0 }
    }

    /// Takes the warp that issues out of the slot, in place of what is in `issued`. Returns how many threads it has.
    #[inline(always)]
    pub(super) fn issue(&mut self, issued: &mut Update) -> usize {
        let Update { pc, threads, lanes, passed } = &self.update;
        (issued.pc, issued.lanes, issued.passed) = (*pc, *lanes, *passed);
        issued.threads.set_to(threads);
        self.update.clear();
        std::mem::take(&mut self.threads)
    }

    /// Moves the threads that fit into the warp; the others are in `rest` then. Returns how many have joined, and how many
    /// have not.
    #[inline(always)]
    pub(super) fn join(&mut self, rules: Rules, coming: Coming<'_>, rest: &mut ThreadMask) -> (usize, usize) {
        if rules.lanes != HomeLanes::Aware {
            return self.join_anywhere(rules, coming, rest);
        }
        let Coming { threads, lanes, passed, .. } = coming;
        let fits = lanes - self.update.lanes;
        if fits == lanes {
            return (self.put(rules, coming), 0);
        }
        self.update.threads.add_those_at(threads, rules.threads_at(fits), rest);
        self.update.lanes |= fits;
        self.count_some(passed, fits.count(), lanes.count())
    }

    /// As `join`, where threads have no home lanes: those come first that are first in the block.
    fn join_anywhere(&mut self, rules: Rules, coming: Coming<'_>, rest: &mut ThreadMask) -> (usize, usize) {
        let Coming { threads, passed, .. } = coming;
        let (room, all) = (rules.width - self.threads, threads.count());
        if all <= room {
            return (self.put(rules, coming), 0);
        }
        rest.set_to(threads);
        let mut left = room;
        for part in threads.parts() {
            let lanes = part.lanes.lanes().take(left).fold(LaneMask::EMPTY, |all, lane| all | LaneMask::lane(lane));
            left -= lanes.count();
            self.update.threads.insert(WarpPart { lanes, ..part });
            rest.remove(WarpPart { lanes, ..part });
        }
        self.count_some(passed, room, all)
    }

    /// Counts the threads that have joined; returns how many have, and how many have not.
    #[inline(always)]
    fn count_some(&mut self, passed: Fewest, came: usize, all: usize) -> (usize, usize) {
        self.threads += came;
        if came > 0 {
            self.update.passed.join(passed.of_some());
        }
        (came, all - came)
    }

    /// Adds threads to a warp that has room for all of them. Returns how many.
    #[inline(always)]
    pub(super) fn put(&mut self, rules: Rules, Coming { threads, lanes, passed, .. }: Coming<'_>) -> usize {
        self.update.threads |= threads;
        self.update.passed.join(passed);
        let came = if rules.lanes == HomeLanes::Aware {
            self.update.lanes |= lanes;
            lanes.count()
        } else {
            threads.count()
        };
        self.threads += came;
        came
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_warps_are_swizzled_whatever_their_width() {
        let config = DwfConfig { swizzle: true, ..DwfConfig::default() };
        for width in [4, 8, 16, 32, 64] {
            let rules = Rules::new(&config, width);
            for warp in 0..1024 / width {
                let mut threads = ThreadMask::empty(1024 / width, width);
                threads.insert(WarpPart { warp, lanes: LaneMask(0b0110) });
                let moved = LaneMask(if warp % 2 == 1 { 0b1001 } else { 0b0110 });
                assert_eq!(rules.positions(&threads), moved, "warp {warp} of {width}");
                let mut more = threads.clone();
                more.insert(WarpPart { warp: warp ^ 1, lanes: LaneMask(0b0110) });
                assert_eq!(rules.positions(&more), LaneMask(0b1111), "warps {warp} and {} of {width}", warp ^ 1);
                // Of the threads at lanes 0 and 2, those that are there.
                let (mut there, mut rest) = (threads.without_threads(), threads.without_threads());
                there.add_those_at(&threads, rules.threads_at(LaneMask(0b0101)), &mut rest);
                let lanes = if warp % 2 == 1 { 0b0010 } else { 0b0100 };
                assert_eq!((there.of_warp(warp), there.count()), (LaneMask(lanes), 1), "warp {warp} of {width}");
                assert_eq!((rest.of_warp(warp), rest.count()), (LaneMask(0b0110 ^ lanes), 1), "warp {warp} of {width}");
            }
        }
    }
}
