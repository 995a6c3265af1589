//! The warp pool (TACO'09, sections 4.2 and 4.5): the warps that are being formed, and those that wait to issue.

use super::config::{DwfConfig, HomeLanes};
use super::table::Table;
use crate::policy::spares::Spares;
use crate::policy::{Tally, WarpPart};
use simt_core::LaneMask;
use simt_core::code::Pc;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Threads by warp.
pub(super) type Parts = Vec<WarpPart>;

/// Threads on the way to an address.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Update {
    pub(super) pc: Pc,
    pub(super) parts: Parts,
    /// Fewest post-dominators that one of them has passed.
    pub(super) passed: u32,
}

/// A warp of the pool, as schedules see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormedWarp {
    /// Where its threads are.
    pub pc: Pc,
    /// How many they are.
    pub threads: usize,
    /// Fewest post-dominators that one of them has passed.
    pub passed: u32,
}

/// The warps that a schedule chooses from.
#[derive(Clone, Debug, PartialEq)]
pub struct WarpPool {
    /// What a number says is free does not count.
    slots: Vec<Slot>,
    free: Vec<u16>,
    /// In the order in which they were begun.
    order: Vec<u16>,
    /// For each address in the pool, its threads.
    threads: Vec<(Pc, usize)>,
    table: Table,
    rules: Rules,
    /// Warps in memory, the first to come back first, and with a clock when they can.
    spilled: VecDeque<(u64, Update)>,
    /// With a clock: when one that goes to memory now can be back.
    back: u64,
    pub(super) spares: Spares<WarpPart>,
    pub(super) tally: Tally<PoolTally>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Slot {
    update: Option<Update>,
    occupied: LaneMask,
    threads: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    lanes: HomeLanes,
    swizzle: bool,
    width: usize,
    capacity: usize,
}

/// What a pool counts.
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

impl Rules {
    pub(super) fn new(config: &DwfConfig, width: usize) -> Self {
        let DwfConfig { lanes, swizzle, pool, .. } = *config;
        Self { lanes, swizzle, width, capacity: pool.unwrap_or(usize::MAX).min(u16::MAX as usize) }
    }

    /// The SIMD lanes of a part's threads, or with the same rule the threads of SIMD lanes.
    #[inline(always)]
    pub(super) fn positions(self, part: WarpPart) -> LaneMask {
        if self.swizzle && part.warp % 2 == 1 { swapped(part.lanes) } else { part.lanes }
    }
}

/// Even and odd lanes have changed places.
const fn swapped(lanes: LaneMask) -> LaneMask {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    LaneMask((lanes.0 & EVEN) << 1 | lanes.0 >> 1 & EVEN)
}

/// Adds lanes of a warp to a group.
fn join(parts: &mut Parts, part: WarpPart) {
    match parts.iter_mut().find(|known| known.warp == part.warp) {
        Some(known) => known.lanes |= part.lanes,
        None => parts.push(part),
    }
}

impl WarpPool {
    pub(super) fn new(config: &DwfConfig, width: usize) -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            order: Vec::new(),
            threads: Vec::new(),
            table: Table::new(config.table),
            rules: Rules::new(config, width),
            spilled: VecDeque::new(),
            back: 0,
            spares: Spares::default(),
            tally: Tally::default(),
        }
    }

    /// The warps, the one that was begun first first.
    pub fn warps(&self) -> impl Iterator<Item = FormedWarp> {
        self.order.iter().filter_map(|&slot| {
            let Slot { update, threads, .. } = &self.slots[slot as usize];
            update.as_ref().map(|update| FormedWarp { pc: update.pc, threads: *threads, passed: update.passed })
        })
    }

    /// The addresses at which there are warps, and how many threads are at each.
    pub fn addresses(&self) -> &[(Pc, usize)] {
        &self.threads
    }

    pub(super) fn rules(&self) -> Rules {
        self.rules
    }

    /// All that is in the pool or in memory.
    pub(super) fn updates(&self) -> impl Iterator<Item = &Update> {
        let pool = self.order.iter().filter_map(|&slot| self.slots[slot as usize].update.as_ref());
        pool.chain(self.spilled.iter().map(|(_, update)| update))
    }

    /// Threads come to an address. Gives how many have come into the pool; the others are in memory.
    pub(super) fn arrive(&mut self, update: Update) -> usize {
        if self.spilled.is_empty() {
            return self.insert(update);
        }
        self.spill(update);
        0
    }

    fn spill(&mut self, update: Update) {
        self.tally.0.spills += 1;
        self.spilled.push_back((self.back, update));
    }

    /// With a clock: one that goes to memory now can be back then.
    pub(super) fn spills_until(&mut self, back: u64) {
        self.back = back;
    }

    /// With a clock: when the first warp that is in memory can be back.
    pub(super) fn fills(&self) -> Option<u64> {
        self.spilled.front().map(|&(back, _)| back)
    }

    /// A warp comes back from memory if there is room and it has had the time. Gives where it went and how many threads came.
    pub(super) fn fill(&mut self, now: u64) -> Option<(Pc, usize)> {
        if self.order.len() >= self.rules.capacity || self.fills().is_some_and(|back| back > now) {
            return None;
        }
        let (_, update) = self.spilled.pop_front()?;
        let pc = update.pc;
        match self.admit(update) {
            (came, None) => Some((pc, came)),
            _ => unreachable!("there is room for one warp, and more than one is never begun"),
        }
    }

    /// Threads join the warp that is being formed at their address, and begin another if they do not fit.
    fn insert(&mut self, update: Update) -> usize {
        let (came, rest) = self.admit(update);
        if let Some(rest) = rest {
            self.spill(rest);
        }
        came
    }

    /// The same; gives those for whom there is no room.
    fn admit(&mut self, mut update: Update) -> (usize, Option<Update>) {
        let (pc, mut came) = (update.pc, 0);
        if let Some(slot) = self.table.find(pc) {
            came = self.fit(slot, &mut update.parts, update.passed);
            self.count(pc, came);
            if update.parts.is_empty() {
                self.spares.give(update.parts);
                return (came, None);
            }
            self.tally.0.refused += update.parts.iter().map(|part| part.lanes.count() as u64).sum::<u64>();
        }
        if self.order.len() >= self.rules.capacity {
            return (came, Some(update));
        }
        let threads = self.begin(update);
        self.count(pc, threads);
        (came + threads, None)
    }

    /// Those that fit join a warp; the others are left.
    fn fit(&mut self, slot: u16, parts: &mut Parts, passed: u32) -> usize {
        let rules = self.rules;
        let slot = &mut self.slots[slot as usize];
        let Some(warp) = &mut slot.update else { return 0 };
        let before = slot.threads;
        for part in parts.iter_mut() {
            let fits = if rules.lanes == HomeLanes::Aware {
                let free = rules.positions(*part) - slot.occupied;
                slot.occupied |= free;
                rules.positions(WarpPart { lanes: free, ..*part })
            } else {
                let room = rules.width - slot.threads;
                part.lanes.lanes().take(room).fold(LaneMask::EMPTY, |all, lane| all | LaneMask::lane(lane))
            };
            if !fits.is_empty() {
                join(&mut warp.parts, WarpPart { lanes: fits, ..*part });
                slot.threads += fits.count();
                part.lanes = part.lanes - fits;
            }
        }
        parts.retain(|part| !part.lanes.is_empty());
        let came = slot.threads - before;
        if came > 0 {
            warp.passed = warp.passed.min(passed);
        }
        came
    }

    /// Threads become a warp of their own, which those that come later join.
    fn begin(&mut self, update: Update) -> usize {
        let threads = update.parts.iter().map(|part| part.lanes.count()).sum();
        let occupied = update.parts.iter().fold(LaneMask::EMPTY, |all, &part| all | self.rules.positions(part));
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            (self.slots.len() - 1) as u16
        });
        let evicted = self.table.point(update.pc, slot);
        self.slots[slot as usize] = Slot { update: Some(update), occupied, threads };
        self.order.push(slot);
        let PoolTally { warps, evictions, .. } = &mut self.tally.0;
        *warps = (*warps).max(self.order.len());
        *evictions += u64::from(evicted);
        threads
    }

    fn count(&mut self, pc: Pc, threads: usize) {
        match self.threads.iter_mut().find(|(known, _)| *known == pc) {
            Some((_, known)) => *known += threads,
            None => self.threads.push((pc, threads)),
        }
        self.tally.0.addresses = self.tally.0.addresses.max(self.threads.len());
    }

    /// The warp of a place in the order issues: it leaves the pool.
    pub(super) fn issue(&mut self, place: usize) -> Option<Update> {
        if place >= self.order.len() {
            return None;
        }
        let slot = self.order.remove(place);
        let Slot { update, threads, .. } = std::mem::take(&mut self.slots[slot as usize]);
        let update = update?;
        self.free.push(slot);
        self.table.forget(update.pc, slot);
        if let Some(at) = self.threads.iter().position(|(pc, _)| *pc == update.pc) {
            self.threads[at].1 -= threads;
            if self.threads[at].1 == 0 {
                self.threads.swap_remove(at);
            }
        }
        if self.rules.lanes == HomeLanes::Conflicts {
            self.tally.0.conflicts += self.most_of_a_lane(&update.parts) - 1;
        }
        Some(update)
    }

    /// How many threads of the same home lane there are at most.
    fn most_of_a_lane(&self, parts: &[WarpPart]) -> u64 {
        let mut left: SmallVec<[LaneMask; 64]> = parts.iter().map(|&part| self.rules.positions(part)).collect();
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
