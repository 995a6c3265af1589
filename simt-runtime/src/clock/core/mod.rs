//! A core: its blocks, and what issues in a cycle.
//!
//! * `resident`: a block on it;
//! * `issue`: whether a unit can issue, and what becomes of it when it does;
//! * `latency`: when its result is there, and what it asks of memory;
//! * `shares`: loads whose data comes to some lanes before others;
//! * `pipelines`: what they are busy with, and why they are not;
//! * `waits`: when each unit is worth trying again.

mod issue;
mod latency;
mod pipelines;
mod resident;
mod shares;
mod waits;

pub(crate) use resident::{Resident, held, tell_waits};

use super::access::{Gather, Traffic};
use super::device::Machine;
use super::figures::Stall;
use super::flights::UNKNOWN;
use super::port::MemoryPort;
use super::program::Touch;
use super::step::Step;
use crate::config::{ClockConfig, OpClass};
use crate::engine::{Stopped, Units};
use crate::hierarchy::Cycle;
use crate::observe::Observer;
use crate::policy::WarpPart;
use crate::scheduler::{Candidates, WarpScheduler};
use issue::{Seat, Tried};
use pipelines::Pipeline;
use resident::settle;
use shares::Share;
use waits::Waits;

/// A core of a machine with a clock.
pub(crate) struct Core<U: Units> {
    number: usize,
    pub(crate) slots: Vec<Option<Resident<U>>>,
    /// Units of a block. A unit's place is its number among those of all slots.
    units_of_block: usize,
    /// The slot and the number of the unit of each place. PERF: no division.
    seats: Vec<(usize, usize)>,
    waits: Waits,
    /// A warp that issued last, which most often shows that not all wait for memory: its slot, and its number.
    active: (usize, usize),
    pipelines: Vec<Pipeline>,
    /// By class of operations, when the next can begin: in parts of a cycle, as many as a warp has lanes, because lanes that
    /// issue alone take their part only.
    units: [Cycle; OpClass::ALL.len()],
    pub(crate) memory: MemoryPort,
    scheduler: Box<dyn WarpScheduler>,
    /// When something can happen here without a reply.
    pub(crate) next: Cycle,
    candidates: Candidates,
    parts: U::Parts,
    /// Parts whose operands are not there, while others of the unit are looked at.
    put_off: Vec<WarpPart>,
    gather: Gather,
    traffic: Traffic,
    /// What the access that issues touches, if its addresses are generic.
    touch: Option<Touch>,
    /// Of the last load, if its data comes at different times, when each lane gets its own.
    shares: Vec<Share>,
    /// Accesses that the last instruction has sent, if the clock is watched: ticket, transactions, and how many of those the
    /// first level does not hold.
    sent: Vec<(u32, u32, u32)>,
    /// Threads that have not ended.
    pub(crate) threads: usize,
}

impl<U: Units> Core<U> {
    pub(crate) fn new(number: usize, slots: usize, warps: usize, clock: &ClockConfig) -> Self {
        let units_of_block = U::count(warps);
        Self {
            number,
            slots: (0..slots).map(|_| None).collect(),
            units_of_block,
            seats: (0..slots * units_of_block).map(|place| (place / units_of_block, place % units_of_block)).collect(),
            waits: Waits::new(slots, units_of_block),
            active: (0, 0),
            pipelines: vec![Pipeline::default(); clock.ports],
            units: [0; OpClass::ALL.len()],
            memory: MemoryPort::default(),
            scheduler: clock.scheduling.start(),
            next: 0,
            candidates: Candidates::new(slots, units_of_block),
            parts: U::Parts::default(),
            put_off: Vec::new(),
            gather: Gather::default(),
            traffic: Traffic::default(),
            touch: None,
            shares: Vec::new(),
            sent: Vec::new(),
            threads: 0,
        }
    }

    /// A block comes to the core.
    pub(crate) fn place(&mut self, slot: usize, resident: Resident<U>, now: Cycle) {
        self.threads += resident.free.iter().map(|lanes| lanes.count()).sum::<usize>();
        self.slots[slot] = Some(resident);
        self.candidates.comes(slot);
        self.waits.set_all(slot, now);
        self.next = self.next.min(now);
    }

    /// What can happen on the core now happens.
    pub(crate) fn cycle<O: Observer>(
        &mut self,
        now: Cycle,
        machine: &mut Machine<'_, '_>,
        observer: &mut O,
    ) -> Result<(), Box<Stopped>> {
        let width = machine.clock.simd_width as u64;
        self.waits.wake_up(now, &mut self.candidates);
        for pipeline in 0..self.pipelines.len() {
            // Lanes that issue alone fill the pipeline one by one.
            while self.pipelines[pipeline].busy < (now + 1) * width {
                if !self.issue(now, pipeline, machine, observer)? {
                    break;
                }
            }
        }
        self.revive(now, machine);
        self.idle(now, width, machine);
        self.next = self.next_cycle(now, width);
        self.idle_later(now, width);
        Ok(())
    }

    /// Issues one of the candidates down a pipeline. Returns whether one could.
    fn issue<O: Observer>(
        &mut self,
        now: Cycle,
        pipeline: usize,
        machine: &mut Machine<'_, '_>,
        observer: &mut O,
    ) -> Result<bool, Box<Stopped>> {
        while let Some(place) = self.scheduler.pick(&self.candidates) {
            let (slot, unit) = self.seats[place];
            match self.attempt(now, Seat { pipeline, slot, unit }, machine, observer)? {
                Tried::Issued => {
                    self.scheduler.issued(place);
                    self.active = (slot, unit);
                    self.waits.stall(place, Stall::NotSelected);
                    if self.waits.wake(place) > now {
                        self.candidates.remove(place);
                    }
                    return Ok(true);
                }
                Tried::Later(wake, stall) => {
                    self.candidates.remove(place);
                    self.waits.set(place, wake);
                    self.waits.stall(place, stall);
                    if stall == Stall::Memory {
                        self.scheduler.stalled(place);
                    }
                }
            }
        }
        Ok(false)
    }

    /// All units of a block are tried again, because barriers have opened.
    pub(crate) fn awake(&mut self, slot: usize, now: Cycle) {
        if let Some(resident) = &mut self.slots[slot] {
            settle(resident, Step { opened: true, ..Step::default() }, now);
            self.waits.lower_all(slot, now);
        }
        self.next = self.next.min(now);
    }

    /// The unit of a warp is tried again.
    pub(crate) fn awake_warp(&mut self, slot: usize, warp: usize, now: Cycle) {
        self.waits.lower(slot * self.units_of_block + if U::REGROUPS { 0 } else { warp }, now);
        self.next = self.next.min(now);
    }

    /// The way to memory has room: those that waited for it are tried again.
    pub(crate) fn has_sent(&mut self, now: Cycle) {
        if self.waits.has_sent(now) {
            self.next = self.next.min(now);
        }
    }

    /// Whether all threads of a slot's block have ended.
    fn ended(&mut self, slot: usize, now: Cycle, machine: &mut Machine<'_, '_>) {
        let Some(resident) = &mut self.slots[slot] else { return };
        let warps = resident.clocks.len();
        for warp in 0..warps {
            if resident.block.live(warp).is_empty() {
                resident.clocks[warp].stays(now, Stall::Ended, held::<U>());
            }
        }
        if !resident.ended && (0..warps).all(|warp| resident.block.live(warp).is_empty()) {
            resident.ended = true;
            self.waits.end(slot);
            machine.ended.push((self.number, slot));
        }
    }

    fn next_cycle(&mut self, now: Cycle, width: u64) -> Cycle {
        let wake = self.waits.soonest(now);
        if wake == UNKNOWN {
            return UNKNOWN;
        }
        let free = self.pipelines.iter().map(|pipeline| pipeline.busy).min().unwrap_or(0);
        // PERF: no division, unless it is later.
        let port = if free < (now + 2) * width { now + 1 } else { free / width };
        wake.max(port)
    }
}
