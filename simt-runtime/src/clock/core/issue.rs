//! Issuing: which instruction a unit has, whether it can issue, and when its result is there.

use super::Core;
use super::resident::{held, operands, settle, tell_waits};
use super::shares::{Share, shares};
use crate::clock::device::Machine;
use crate::clock::figures::Stall;
use crate::clock::program::{Kind, Space, Timing};
use crate::clock::warp::{UNKNOWN, WarpClock};
use crate::config::MemoryTiming;
use crate::engine::{Stopped, Units};
use crate::hierarchy::{AccessKind, Cycle, Level, Request, Transaction, data_cache_passes};
use crate::observe::{ClockEvent, Observer};
use crate::policy::{LoadSplits, WarpPart};
use simt_core::LaneMask;
use simt_core::code::Pc;

/// The unit that is to issue, and the pipeline.
#[derive(Clone, Copy)]
pub(super) struct Seat {
    pub(super) pipeline: usize,
    pub(super) slot: usize,
    pub(super) unit: usize,
}

/// What became of a try to issue.
pub(super) enum Tried {
    Issued,
    /// Nothing of the unit can; when it is worth trying again, and why not now.
    Later(Cycle, Stall),
}

/// When the result of an instruction is there.
#[derive(Clone, Copy)]
struct Latency {
    /// When their result is there.
    done: Cycle,
    /// Whether it comes from memory.
    memory: bool,
    /// The access, if memory will say when.
    ticket: Option<u32>,
}

impl<U: Units> Core<U> {
    /// Tries to issue what a unit has.
    pub(super) fn attempt<O: Observer>(
        &mut self,
        now: Cycle,
        seat: Seat,
        machine: &mut Machine<'_, '_>,
        observer: &mut O,
    ) -> Result<Tried, Box<Stopped>> {
        let Seat { slot, unit, .. } = seat;
        let Some(resident) = &mut self.slots[slot] else { return Ok(Tried::Later(UNKNOWN, Stall::NoBlock)) };
        let own = if U::REGROUPS { 0..resident.clocks.len() } else { unit..unit + 1 };
        let one = machine.one_in_flight(U::REGROUPS);
        for warp in own.clone() {
            let landed = resident.clocks[warp].land(now);
            resident.free[warp] |= landed & resident.block.live(warp);
        }
        let mut soonest = (UNKNOWN, Stall::Execution);
        let mut ended = false;
        let mut ready;
        let chosen = loop {
            ready = resident.block.units.ready(&resident.free, now);
            if ready > now {
                break None;
            }
            let Some(pc) = resident.block.units.select(unit, &resident.free) else { break None };
            let timing = &machine.timings[pc.index()];
            if machine.divides && timing.branches && resident.block.units.hold(unit) {
                continue;
            }
            if timing.kind == Kind::Free {
                let step = machine.execute(resident, unit, observer)?;
                ended |= step.fewer;
                if settle(resident, step, now) {
                    self.waits.set_all(slot, now);
                }
                continue;
            }
            resident.block.units.current(unit, &mut self.parts);
            let (at, memory) = if one { (0, false) } else { operands(resident, &self.parts, timing) };
            if at <= now {
                break Some(pc);
            }
            if at < soonest.0 || soonest.0 == UNKNOWN {
                soonest = (at, if memory { Stall::Memory } else { Stall::Execution });
            }
            if !machine.overlaps {
                break None;
            }
            // What waits for a register makes room for another part of the warp, if the policy has one.
            for &part in &self.parts {
                resident.free[part.warp] = resident.free[part.warp] - part.lanes;
                self.put_off.push(part);
            }
        };
        while let Some(WarpPart { warp, lanes }) = self.put_off.pop() {
            resident.free[warp] |= lanes;
        }
        let Some(pc) = chosen else {
            resident.block.check(unit)?;
            let lands = own.clone().map(|warp| resident.clocks[warp].lands()).min().unwrap_or(UNKNOWN);
            let mut why = soonest.1;
            if ready > now {
                (soonest.0, why) = (ready, Stall::Formation);
                own.for_each(|warp| resident.clocks[warp].held_up(now, why, ready, held::<U>()));
            } else if soonest.0 < UNKNOWN || soonest.1 == Stall::Memory {
                own.for_each(|warp| resident.clocks[warp].waits(now, soonest.1, soonest.0, held::<U>()));
            } else if lands == UNKNOWN {
                if machine.divides && resident.clocks[unit].is_under_way() && !resident.block.waits(unit) {
                    // What has come was not for all lanes of a split.
                    resident.clocks[unit].waits(now, Stall::Memory, UNKNOWN, held::<U>());
                }
                // Other lanes of its warp may have issued since a load that is under way.
                let for_memory = |clock: &WarpClock| clock.is_under_way() || clock.waits_for_memory(now);
                if resident.clocks[own].iter().any(for_memory) {
                    why = Stall::Memory;
                }
            }
            let mut wake = soonest.0.min(lands);
            if wake == UNKNOWN && why != Stall::Memory && resident.block.units.release() {
                wake = now + 1;
            }
            if ended {
                self.ended(slot, now, machine);
            }
            return Ok(Tried::Later(wake, why));
        };
        // Units and the way to memory.
        let timing = &machine.timings[pc.index()];
        let busy = match timing.access.as_ref().map(|touch| touch.space) {
            Some(Space::Shared | Space::Constant) if machine.alone() => now,
            Some(Space::Shared | Space::Constant) => self.memory.shared_free(),
            Some(Space::Global | Space::Local) => self.memory.data_free(),
            // Which of them it goes to is known when it goes.
            Some(Space::Generic) => self.memory.data_free().max(self.memory.shared_free()),
            // PERF: no division, unless it is busy.
            None => match self.units[timing.class as usize] {
                free if free < (now + 1) * machine.width as u64 => now,
                free => free / machine.width as u64,
            },
        };
        if busy > now {
            for part in &self.parts {
                resident.clocks[part.warp].waits(now, Stall::Pipeline, busy, held::<U>());
            }
            // The way to memory is looked at again whenever something leaves it.
            return Ok(Tried::Later(busy, Stall::Pipeline));
        }
        self.go(now, seat, pc, machine, observer)?;
        Ok(Tried::Issued)
    }

    /// Issues those that were chosen.
    fn go<O: Observer>(
        &mut self,
        now: Cycle,
        Seat { pipeline, slot, unit }: Seat,
        pc: Pc,
        machine: &mut Machine<'_, '_>,
        observer: &mut O,
    ) -> Result<(), Box<Stopped>> {
        let (clock, timings) = (machine.clock, machine.timings);
        let timing = &timings[pc.index()];
        let parts = std::mem::take(&mut self.parts);
        let width = clock.simd_width as u64;
        // How long the pipeline is busy: a warp fills it whether all its lanes are active or not.
        let slots = machine.lanes_per_issue as u64;
        let begin = self.pipelines[pipeline].busy.max(now * width);
        self.account(pipeline, begin, machine);
        let pipeline = &mut self.pipelines[pipeline];
        pipeline.busy = begin + slots;
        pipeline.accounted = pipeline.busy;
        let end = pipeline.busy.div_ceil(width).max(now + 1);
        if timing.op.interval > 0 {
            let unit = &mut self.units[timing.class as usize];
            *unit = (*unit).max(now * machine.width as u64) + Cycle::from(timing.op.interval) * slots;
        }

        // What it touches is known before it is executed.
        let Some(resident) = &mut self.slots[slot] else { return Ok(()) };
        if let Some(touch) = &timing.access {
            let first = (resident.block.number * resident.clocks.len()) as u64;
            self.gather.collect(&resident.block, touch, &parts, first, machine.width);
            self.touch = match (touch.space, parts.first()) {
                (Space::Generic, Some(part)) => {
                    Some(self.gather.settled(touch, (first + part.warp as u64, machine.width)))
                }
                _ => None,
            };
            let touch = self.touch.as_ref().unwrap_or(touch);
            self.gather.traffic(touch, &clock.memory, clock.shared_banks, &mut self.traffic);
        }
        let step = machine.execute(resident, unit, observer)?;
        machine.tally.issued(pc, machine.executed.parts(), slots);
        if machine.watched {
            let (core, block) = (self.number, resident.block.number);
            observer.clock(now, ClockEvent::Issued { core, block, pc, parts: machine.executed.parts(), until: end });
        }
        if (self.number, slot) == (0, 0) {
            machine.tally.progresses(pc, machine.executed.parts(), machine.width);
        }
        if step.ended {
            let ended = |part: &WarpPart| (part.lanes - resident.block.live(part.warp)).count();
            self.threads -= parts.iter().map(ended).sum::<usize>();
        }

        let latency = self.latency(now, slot, pc, timing, &parts, machine);
        if machine.watched {
            let (core, block) = (self.number, self.slots[slot].as_ref().map_or(0, |resident| resident.block.number));
            for (access, transactions, misses) in self.sent.drain(..) {
                let parts = &parts;
                observer.clock(now, ClockEvent::Requested { core, block, pc, parts, access, transactions, misses });
            }
        }
        let Some(resident) = &mut self.slots[slot] else { return Ok(()) };
        let one = machine.one_in_flight(U::REGROUPS);
        let mut wake = now;
        if let (Some(dst), false) = (timing.dst, one) {
            let Latency { done, memory, ticket } = latency;
            for part in &parts {
                let registers = &mut resident.clocks[part.warp].registers;
                for share in &self.shares {
                    registers.writes(now, (dst, share.lanes), UNKNOWN, true, Some(share.ticket));
                }
                if self.shares.is_empty() {
                    registers.writes(now, (dst, part.lanes), done, memory, ticket);
                }
            }
        }
        // Of a warp that issues as a whole, what comes next is known, and when its operands are there.
        let next = if machine.overlaps || one { None } else { resident.block.units.next(unit) };
        let operands = next.map(|pc| operands(resident, &parts, &timings[pc.index()]));
        for part in &parts {
            let warp = &mut resident.clocks[part.warp];
            // When its lanes can issue again, and what they wait for.
            let (again, memory, ticket) = match timing.kind {
                Kind::Fence if warp.stores > 0 => (UNKNOWN, true, None),
                Kind::Plain if !one => (end, false, None),
                _ => (latency.done.max(end), latency.memory, latency.ticket),
            };
            resident.free[part.warp] = resident.free[part.warp] - part.lanes;
            if one && !self.shares.is_empty() {
                self.shares.iter().for_each(|share| warp.fly(share.lanes, UNKNOWN, Some(share.ticket)));
                // Lanes that are guarded off, or in another space, load nothing that is waited for.
                let rest = self.shares.iter().fold(part.lanes, |rest, share| rest - share.lanes);
                if !rest.is_empty() {
                    warp.fly(rest, end, None);
                }
            } else {
                warp.fly(part.lanes, again, ticket);
            }
            let (until, memory) = match operands {
                Some((at, from_memory)) if at > again => (at, from_memory),
                _ => (again, memory),
            };
            let after = if memory { Stall::Memory } else { Stall::Execution };
            warp.issues(now, end, (after, until), held::<U>(), machine.tally.waits(pc));
            if machine.watched {
                tell_waits(warp, (self.number, resident.block.number, part.warp), observer);
            }
            if !machine.overlaps {
                // No other lane of the warp issues meanwhile.
                wake = until;
            }
        }
        let opened = settle(resident, step, now);
        if !self.shares.is_empty() {
            self.divide(now, slot, unit, machine);
        }
        self.waits.set(slot * self.units_of_block + unit, wake);
        self.parts = parts;
        if opened {
            self.awake(slot, now + 1);
        }
        if step.ended || step.fewer {
            self.ended(slot, now, machine);
        }
        Ok(())
    }

    /// When the result of an instruction that issues now is there; what it asks of memory is sent.
    fn latency(
        &mut self,
        now: Cycle,
        slot: usize,
        pc: Pc,
        timing: &Timing,
        parts: &[WarpPart],
        machine: &mut Machine<'_, '_>,
    ) -> Latency {
        self.shares.clear();
        // What writes a register goes down the whole pipeline.
        let pipeline = if timing.dst.is_some() { Cycle::from(machine.clock.pipeline) } else { 0 };
        let computed = now + pipeline + Cycle::from(timing.op.latency);
        let plain = Latency { done: computed, memory: false, ticket: None };
        let Some(touch) = &timing.access else { return plain };
        let generic = if touch.space == Space::Generic { self.touch } else { None };
        let touch = generic.as_ref().unwrap_or(touch);
        if self.gather.is_empty() {
            // All lanes are guarded off.
            return plain;
        }
        // A store is on its way, and so is an atomic whose result is not used.
        let waits = touch.kind == AccessKind::Load || timing.dst.is_some();
        let loaded = |done, ticket| if waits { Latency { done, memory: true, ticket } } else { plain };
        if matches!(touch.space, Space::Shared | Space::Constant) && machine.alone() {
            let mut begin = now;
            if touch.space == Space::Shared {
                machine.tally.shared(pc, 1);
                let loads = touch.kind == AccessKind::Load;
                begin = self.memory.take_bank(now, machine.clock.shared_banks, self.gather.word(), loads);
            }
            return loaded(begin + pipeline + Cycle::from(machine.clock.shared_latency), None);
        }
        if matches!(touch.space, Space::Shared | Space::Constant) {
            let passes = self.traffic.passes.max(1);
            self.memory.take_shared(now, passes);
            if touch.space == Space::Shared {
                machine.tally.shared(pc, passes);
            }
            return loaded(now + pipeline + Cycle::from(machine.clock.shared_latency) + Cycle::from(passes) - 1, None);
        }
        let transactions = &self.traffic.transactions;
        machine.tally.requested(pc, transactions.len() as u64);
        let alone = machine.alone();
        let divides = machine.load_splits() != LoadSplits::Never;
        let hierarchy = match (&machine.clock.memory, &mut machine.hierarchy) {
            (MemoryTiming::Ideal { latency }, _) => return loaded(now + pipeline + Cycle::from(*latency), None),
            (MemoryTiming::Hierarchy(config), Some(hierarchy)) => {
                // The ports of the cache are what lanes that issue alone wait for.
                if !alone {
                    let banks = config.front();
                    let passes = banks.map_or(1, |cache| data_cache_passes(cache.ports, cache.sector, transactions));
                    self.memory.take_data(now, passes);
                }
                hierarchy
            }
            (_, None) => return plain,
        };
        let Some(resident) = &mut self.slots[slot] else { return plain };
        let place = (self.number, slot, resident.age);
        let request = |&Transaction { address, bytes, .. }: &Transaction, ticket: u32| Request {
            id: ticket.into(),
            core: self.number as u16,
            address,
            bytes,
            kind: touch.kind,
            operator: touch.operator,
            local: touch.space == Space::Local,
        };
        if divides && touch.kind == AccessKind::Load && transactions.len() > 1 {
            shares(transactions, |transaction| !hierarchy.holds(&request(transaction, 0)), &mut self.shares);
            for share in &mut self.shares {
                let part = parts.iter().map(|part| WarpPart { lanes: share.lanes, ..*part }).next();
                share.ticket = machine.tickets.open(place, part.as_slice(), timing.dst, waits, share.transactions);
            }
            if machine.watched {
                let all = self.shares.iter();
                self.sent.extend(
                    all.map(|share| (share.ticket, share.transactions, u32::from(share.late) * share.transactions)),
                );
            }
            for transaction in transactions {
                let theirs = |share: &&Share| !(share.lanes & LaneMask(transaction.lanes)).is_empty();
                let ticket = self.shares.iter().find(theirs).map_or(0, |share| share.ticket);
                self.memory.push(request(transaction, ticket));
            }
            self.memory.send(now, hierarchy);
            return loaded(UNKNOWN, None);
        }
        let ticket = machine.tickets.open(place, parts, timing.dst, waits, transactions.len() as u32);
        if !waits {
            parts.iter().for_each(|part| resident.clocks[part.warp].stores += 1);
        }
        if machine.watched {
            let misses = transactions.iter().filter(|transaction| !hierarchy.holds(&request(transaction, 0))).count();
            self.sent.push((ticket, transactions.len() as u32, misses as u32));
        }
        transactions.iter().for_each(|transaction| self.memory.push(request(transaction, ticket)));
        self.memory.send(now, hierarchy);
        loaded(UNKNOWN, Some(ticket))
    }
}
