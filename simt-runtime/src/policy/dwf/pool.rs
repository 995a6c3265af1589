//! The warp pool (TACO'09, sections 4.2 and 4.5): the warps that are being formed, and those that wait to issue.

use super::addresses::Addresses;
use super::config::{DwfConfig, HomeLanes};
use super::parts::Parts;
use super::table::Table;
use crate::policy::spares::{Reused, Spares};
use crate::policy::{Tally, WarpPart};
use simt_core::LaneMask;
use simt_core::code::Pc;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Threads at an address, or on the way to one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Update {
    pub(super) pc: Pc,
    pub(super) parts: Parts,
    /// Fewest post-dominators that one of them has passed.
    pub(super) passed: u32,
}

impl Update {
    /// Nobody.
    pub(super) fn none() -> Self {
        Self { pc: Pc(0), parts: Parts::default(), passed: u32::MAX }
    }

    /// Nobody any more, with the room that there was.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.parts.clear();
        (self.pc, self.passed) = (Pc(0), u32::MAX);
    }
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
    /// One that nobody is in is like any other such.
    slots: Vec<Slot>,
    free: Vec<u16>,
    /// Addresses and numbers of warps, in the order in which they were begun.
    order: Vec<(Pc, u16)>,
    addresses: Addresses,
    table: Table,
    rules: Rules,
    /// Warps in memory, the first to come back first, and with a clock when they can.
    spilled: VecDeque<(u64, Update)>,
    /// With a clock: when one that goes to memory now can be back.
    back: u64,
    pub(super) spares: Spares<Parts>,
    /// By warp; all masks are empty but while parts are merged.
    lanes: Tally<Vec<LaneMask>>,
    pub(super) tally: Tally<PoolTally>,
}

#[derive(Clone, Debug, PartialEq)]
struct Slot {
    update: Update,
    /// SIMD lanes that are taken, if threads have one.
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

impl WarpPool {
    pub(super) fn new(config: &DwfConfig, width: usize) -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            order: Vec::new(),
            addresses: Addresses::default(),
            table: Table::new(config.table),
            rules: Rules::new(config, width),
            spilled: VecDeque::new(),
            back: 0,
            spares: Spares::default(),
            lanes: Tally::default(),
            tally: Tally::default(),
        }
    }

    /// The warps, the one that was begun first first.
    pub fn warps(&self) -> impl Iterator<Item = FormedWarp> {
        self.order.iter().map(|&(pc, slot)| {
            let Slot { update, threads, .. } = &self.slots[slot as usize];
            FormedWarp { pc, threads: *threads, passed: update.passed }
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

    /// All that is in the pool or in memory.
    pub(super) fn updates(&self) -> impl Iterator<Item = &Update> {
        let pool = self.order.iter().map(|&(_, slot)| &self.slots[slot as usize].update);
        pool.chain(self.spilled.iter().map(|(_, update)| update))
    }

    /// Threads come to an address: the parts that have lanes. Gives how many have come into the pool; the others are in memory.
    #[inline(always)]
    pub(super) fn arrive(&mut self, pc: Pc, passed: u32, parts: impl Iterator<Item = WarpPart>) -> usize {
        if self.spilled.is_empty() {
            return self.admit(pc, passed, parts);
        }
        self.spill(pc, passed, parts);
        0
    }

    fn spill(&mut self, pc: Pc, passed: u32, parts: impl Iterator<Item = WarpPart>) {
        let mut spilled = self.spares.take();
        parts.for_each(|part| spilled.add(part));
        self.tally.0.spills += 1;
        self.spilled.push_back((self.back, Update { pc, parts: spilled, passed }));
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
        let (_, Update { pc, parts, passed }) = self.spilled.pop_front()?;
        let came = self.admit(pc, passed, parts.iter().copied());
        self.spares.give(parts);
        Some((pc, came))
    }

    /// Threads join the warp that is being formed at their address, and begin another if they do not fit. Those for whom
    /// there is no room go to memory.
    #[inline(always)]
    fn admit(&mut self, pc: Pc, passed: u32, parts: impl Iterator<Item = WarpPart>) -> usize {
        let Some(slot) = self.table.find(pc).or_else(|| self.begin(pc)) else {
            self.spill(pc, passed, parts);
            return 0;
        };
        let mut rest = self.spares.take();
        let mut came = self.join(slot, passed, parts, &mut rest);
        if !rest.is_empty() {
            self.tally.0.refused += rest.iter().map(|part| part.lanes.count() as u64).sum::<u64>();
            match self.begin(pc) {
                Some(slot) => {
                    // They have been one warp, or are a part of one: all find their lanes in a new one.
                    let mut nobody = self.spares.take();
                    came += self.join(slot, passed, rest.iter().copied(), &mut nobody);
                    debug_assert!(nobody.is_empty(), "more threads come than a warp has lanes");
                    self.spares.give(nobody);
                }
                None => self.spill(pc, passed, rest.iter().copied()),
            }
        }
        self.spares.give(rest);
        self.addresses.add(pc, came);
        self.tally.0.addresses = self.tally.0.addresses.max(self.addresses.all().len());
        came
    }

    /// Those that fit join a warp; the others are left. Gives how many have joined.
    #[inline(always)]
    fn join(&mut self, slot: u16, passed: u32, parts: impl Iterator<Item = WarpPart>, rest: &mut Parts) -> usize {
        let rules = self.rules;
        let Slot { update, occupied, threads } = &mut self.slots[slot as usize];
        let before = *threads;
        if rules.lanes == HomeLanes::Aware {
            for part in parts {
                let lanes = rules.positions(part);
                let fits = rules.positions(WarpPart { lanes: lanes - *occupied, ..part });
                *occupied |= lanes;
                update.parts.add(WarpPart { lanes: fits, ..part });
                rest.add(WarpPart { lanes: part.lanes - fits, ..part });
            }
            *threads = occupied.count();
        } else {
            for part in parts {
                let room = part.lanes.lanes().take(rules.width - *threads);
                let fits = room.fold(LaneMask::EMPTY, |all, lane| all | LaneMask::lane(lane));
                *threads += fits.count();
                update.parts.add(WarpPart { lanes: fits, ..part });
                rest.add(WarpPart { lanes: part.lanes - fits, ..part });
            }
        }
        let came = *threads - before;
        if came > 0 {
            update.passed = update.passed.min(passed);
        }
        came
    }

    /// A warp of its own, which those that come to its address join. None if there is no room for one.
    fn begin(&mut self, pc: Pc) -> Option<u16> {
        if self.order.len() >= self.rules.capacity {
            return None;
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { update: Update::none(), occupied: LaneMask::EMPTY, threads: 0 });
            (self.slots.len() - 1) as u16
        });
        self.slots[slot as usize].update.pc = pc;
        let evicted = self.table.point(pc, slot);
        self.order.push((pc, slot));
        let PoolTally { warps, evictions, .. } = &mut self.tally.0;
        *warps = (*warps).max(self.order.len());
        *evictions += u64::from(evicted);
        Some(slot)
    }

    /// The warp of a place in the order issues, if there is one: it leaves the pool and takes the place of what has issued.
    #[inline(always)]
    pub(super) fn issue(&mut self, place: usize, issued: &mut Update) {
        issued.clear();
        if place >= self.order.len() {
            return;
        }
        let (pc, number) = self.order.remove(place);
        let slot = &mut self.slots[number as usize];
        std::mem::swap(&mut slot.update, issued);
        let threads = std::mem::take(&mut slot.threads);
        slot.occupied = LaneMask::EMPTY;
        issued.parts.merge(&mut self.lanes.0);
        self.free.push(number);
        self.table.forget(pc, number);
        self.addresses.remove(pc, threads);
        if self.rules.lanes == HomeLanes::Conflicts {
            self.tally.0.conflicts += self.most_of_a_lane(&issued.parts) - 1;
        }
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
