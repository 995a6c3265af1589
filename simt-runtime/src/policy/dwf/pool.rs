//! The warp pool (TACO'09, sections 4.2 and 4.5): the warps that are being formed, and those that wait to issue.

use super::addresses::Addresses;
use super::config::{DwfConfig, HomeLanes};
use super::slot::{Rules, Slot};
use super::table::Table;
use crate::policy::{Tally, ThreadMask};
use simt_core::LaneMask;
use simt_core::code::Pc;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Threads at an address, or on the way to one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Update {
    pub(super) pc: Pc,
    pub(super) threads: ThreadMask,
    /// Their SIMD lanes, if threads have home lanes; else they mean nothing.
    pub(super) lanes: LaneMask,
    /// Post-dominators that they have passed.
    pub(super) passed: Fewest,
}

/// Threads that come to an address.
#[derive(Clone, Copy)]
pub(super) struct Coming<'t> {
    pub(super) pc: Pc,
    pub(super) threads: &'t ThreadMask,
    /// Their SIMD lanes, if threads have home lanes; else they mean nothing. PERF: they are known where threads are sent.
    pub(super) lanes: LaneMask,
    pub(super) passed: Fewest,
}

/// The fewest post-dominators that one of some threads has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fewest {
    pub(super) passed: u32,
    /// Whether one of the threads has passed so many; false if it may be one that came with them and went to another warp.
    pub(super) is_exact: bool,
}

impl Fewest {
    /// The counts of no thread.
    pub(super) const OF_NOBODY: Self = Self { passed: u32::MAX, is_exact: true };

    /// The counts of these threads and others.
    #[inline(always)]
    pub(super) fn join(&mut self, other: Self) {
        *self = Self { passed: self.passed.min(other.passed), is_exact: self.is_exact & other.is_exact };
    }

    /// The counts of some of the threads.
    #[inline(always)]
    pub(super) fn of_some(self) -> Self {
        Self { is_exact: false, ..self }
    }
}

impl Coming<'_> {
    /// The same, to be kept.
    pub(super) fn update(self) -> Update {
        let Self { pc, threads, lanes, passed } = self;
        Update { pc, threads: threads.clone(), lanes, passed }
    }
}

impl Update {
    /// An update without threads.
    pub(super) fn none(threads: ThreadMask) -> Self {
        Self { pc: Pc(0), threads, lanes: LaneMask::EMPTY, passed: Fewest::OF_NOBODY }
    }

    /// Removes all threads, and keeps the room.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.threads.clear();
        (self.pc, self.lanes, self.passed) = (Pc(0), LaneMask::EMPTY, Fewest::OF_NOBODY);
    }
}

/// A warp of the pool, as schedules see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormedWarp {
    /// Where its threads are.
    pub pc: Pc,
    /// The number of its threads.
    pub threads: usize,
    /// Fewest post-dominators that one of them has passed.
    pub passed: u32,
}

/// The warps that a schedule chooses from.
#[derive(Clone, Debug, PartialEq)]
pub struct WarpPool {
    /// A slot without threads is equal to any other such slot.
    slots: Vec<Slot>,
    free: Vec<u16>,
    /// Addresses and numbers of warps, in the order in which the warps were begun.
    order: Vec<(Pc, u16)>,
    addresses: Addresses,
    table: Table,
    rules: Rules,
    /// Warps in memory, the first to come back first, and with a clock the cycle in which they can.
    spilled: VecDeque<(u64, Update)>,
    /// With a clock: the cycle in which a warp that goes to memory now can be back.
    back: u64,
    /// The threads that have just found no lane free.
    rest: Tally<ThreadMask>,
    pub(super) tally: Tally<PoolTally>,
}

/// The figures of a pool.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PoolTally {
    /// Most warps at a time, those in memory not counted.
    pub(super) warps: usize,
    /// Most addresses at a time.
    pub(super) addresses: usize,
    pub(super) spills: u64,
    pub(super) evictions: u64,
    /// Threads that had to begin another warp because their home lane was taken.
    pub(super) refused: u64,
    /// Issue slots lost to threads of one home lane.
    pub(super) conflicts: u64,
}

impl WarpPool {
    /// An empty pool for a block; `none` is the empty set of its threads.
    pub(super) fn new(config: &DwfConfig, none: ThreadMask) -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            order: Vec::new(),
            addresses: Addresses::default(),
            table: Table::new(config.table),
            rules: Rules::new(config, none.width()),
            spilled: VecDeque::new(),
            back: 0,
            rest: Tally(none),
            tally: Tally::default(),
        }
    }

    /// The warps, the one that was begun first first.
    pub fn warps(&self) -> impl Iterator<Item = FormedWarp> {
        self.order.iter().map(|&(pc, slot)| {
            let Slot { update, threads, .. } = &self.slots[slot as usize];
            FormedWarp { pc, threads: *threads, passed: update.passed.passed }
        })
    }

    /// The addresses at which there are warps, and how many threads are at each.
    pub fn addresses(&self) -> &[(Pc, usize)] {
        self.addresses.all()
    }

    /// The place of the first warp at an address.
    #[inline(always)]
    pub(super) fn first_at(&self, pc: Pc) -> Option<usize> {
        self.order.iter().position(|&(known, _)| known == pc)
    }

    pub(super) fn rules(&self) -> Rules {
        self.rules
    }

    /// All threads that are in the pool or in memory.
    pub(super) fn updates(&self) -> impl Iterator<Item = &Update> {
        let pool = self.order.iter().map(|&(_, slot)| &self.slots[slot as usize].update);
        pool.chain(self.spilled.iter().map(|(_, update)| update))
    }

    /// Adds threads at an address. Returns how many have come into the pool; the others are in memory.
    #[inline(always)]
    pub(super) fn arrive(&mut self, coming: Coming<'_>) -> usize {
        if self.spilled.is_empty() {
            return self.admit(coming);
        }
        self.spill(coming.update());
        0
    }

    #[cold]
    fn spill(&mut self, update: Update) {
        self.tally.0.spills += 1;
        self.spilled.push_back((self.back, update));
    }

    /// With a clock: sets the cycle in which a warp that goes to memory now can be back.
    pub(super) fn spills_until(&mut self, back: u64) {
        self.back = back;
    }

    /// With a clock: the cycle in which the first warp that is in memory can be back.
    pub(super) fn fills(&self) -> Option<u64> {
        self.spilled.front().map(|&(back, _)| back)
    }

    /// A warp comes back from memory if there is room and it has had the time. Returns where it went and how many threads came.
    #[inline(always)]
    pub(super) fn fill(&mut self, now: u64) -> Option<(Pc, usize)> {
        if self.spilled.is_empty() { None } else { self.fill_one(now) }
    }

    #[cold]
    fn fill_one(&mut self, now: u64) -> Option<(Pc, usize)> {
        if self.order.len() >= self.rules.capacity || self.fills().is_some_and(|back| back > now) {
            return None;
        }
        let (_, Update { pc, threads, lanes, passed }) = self.spilled.pop_front()?;
        let came = self.admit(Coming { pc, threads: &threads, lanes, passed });
        Some((pc, came))
    }

    /// Threads join the warp that is being formed at their address, and begin another if they do not fit. Those for which
    /// there is no room go to memory.
    #[inline(always)]
    fn admit(&mut self, coming: Coming<'_>) -> usize {
        let (rules, pc) = (self.rules, coming.pc);
        let known = self.table.find(pc);
        let (mut came, mut left) = (0, usize::MAX);
        if let Some(slot) = known {
            (came, left) = self.slots[slot as usize].join(rules, coming, &mut self.rest.0);
            self.tally.0.refused += left as u64;
        }
        if left > 0 {
            let slot = self.begin(pc);
            let mut rest = coming;
            // The threads have been one warp, or are a part of one: all find their lanes in a new one.
            if known.is_some() {
                let threads = &self.rest.0;
                rest = Coming { pc, threads, lanes: rules.positions(threads), passed: coming.passed.of_some() };
            }
            match slot {
                Some(slot) => came += self.slots[slot as usize].put(rules, rest),
                None => {
                    let update = rest.update();
                    self.spill(update);
                    if known.is_none() {
                        return 0;
                    }
                }
            }
        }
        if self.addresses.add(pc, came) {
            self.tally.0.addresses = self.tally.0.addresses.max(self.addresses.all().len());
        }
        came
    }

    /// A warp of its own, which threads that come to its address join. `None` if there is no room for one.
    #[inline(always)]
    fn begin(&mut self, pc: Pc) -> Option<u16> {
        if self.order.len() >= self.rules.capacity {
            return None;
        }
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => self.new_slot(),
        };
        self.slots[slot as usize].update.pc = pc;
        let evicted = self.table.point(pc, slot);
        self.order.push((pc, slot));
        let PoolTally { warps, evictions, .. } = &mut self.tally.0;
        *warps = (*warps).max(self.order.len());
        *evictions += u64::from(evicted);
        Some(slot)
    }

    #[cold]
    #[inline(never)]
    fn new_slot(&mut self) -> u16 {
        self.slots.push(Slot::new(self.rest.0.without_threads()));
        (self.slots.len() - 1) as u16
    }

    /// Takes the warp at a place in the order out of the pool, if there is one, in place of what is in `issued`. Returns whether
    /// there was one.
    #[inline(always)]
    pub(super) fn issue(&mut self, place: usize, issued: &mut Update) -> bool {
        if place >= self.order.len() {
            return false;
        }
        let (pc, number) = self.order.remove(place);
        let threads = self.slots[number as usize].issue(issued);
        self.free.push(number);
        self.table.forget(pc, number);
        self.addresses.remove(pc, threads);
        if self.rules.lanes == HomeLanes::Conflicts {
            self.tally.0.conflicts += self.most_of_a_lane(&issued.threads) - 1;
        }
        true
    }

    /// How many threads of the same home lane there are at most.
    fn most_of_a_lane(&self, threads: &ThreadMask) -> u64 {
        let mut left: SmallVec<[LaneMask; 64]> = SmallVec::new();
        let mut of_part = threads.without_threads();
        for part in threads.parts() {
            of_part.clear();
            of_part.insert(part);
            left.push(self.rules.positions(&of_part));
        }
        let mut rounds = 0;
        while left.iter().any(|lanes| !lanes.is_empty()) {
            let mut taken = LaneMask::EMPTY;
            for lanes in &mut left {
                let now = *lanes - taken;
                taken |= now;
                *lanes = *lanes - now;
            }
            rounds += 1;
        }
        rounds.max(1)
    }
}
