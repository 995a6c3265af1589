//! Issuing: which instruction a unit has, whether it can issue, and what becomes of the unit when it does.

use super::Core;
use super::latency::Latency;
use super::resident::{held, operands, settle, tell_waits};
use crate::clock::device::Machine;
use crate::clock::figures::Stall;
use crate::clock::flights::UNKNOWN;
use crate::clock::program::{Kind, Space};
use crate::clock::step::Step;
use crate::clock::warp::WarpClock;
use crate::engine::{Stopped, Units, WithoutTurn};
use crate::hierarchy::Cycle;
use crate::observe::{ClockEvent, Observer};
use crate::policy::WarpPart;
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
        let one = machine.one_in_flight;
        if resident.lands <= now || !U::REGROUPS {
            resident.lands = UNKNOWN;
            for warp in own.clone() {
                let clock = &mut resident.clocks[warp];
                resident.free[warp] |= clock.land(now) & resident.block.live(warp);
                resident.lands = resident.lands.min(clock.lands());
            }
        }
        let mut soonest = (UNKNOWN, Stall::Execution);
        let mut ended = false;
        let mut ready;
        let chosen = loop {
            ready = resident.block.units.ready(&resident.free, now);
            if ready > now {
                break None;
            }
            let Some(pc) = resident.block.units.select(unit, &resident.free, &mut self.parts) else { break None };
            let timing = &machine.timings[pc.index()];
            if machine.divides && timing.branches {
                if resident.block.units.hold(unit) {
                    continue;
                }
                // A policy that holds nothing back may have made other lanes current.
                resident.block.units.current(unit, &mut self.parts);
            }
            if timing.kind == Kind::Free {
                let step = machine.execute(resident, unit, observer)?;
                ended |= step.fewer;
                if settle(resident, step, now) {
                    self.waits.set_all(slot, now);
                }
                continue;
            }
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
            for &part in &*self.parts {
                resident.free[part.warp] = resident.free[part.warp] - part.lanes;
                self.put_off.push(part);
            }
        };
        while let Some(WarpPart { warp, lanes }) = self.put_off.pop() {
            resident.free[warp] |= lanes;
        }
        let Some(pc) = chosen else {
            resident.block.check(unit)?;
            let lands = resident.lands;
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
            if wake == UNKNOWN && why != Stall::Memory && resident.block.units.release(machine.launch.plan) {
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
            for part in &*self.parts {
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
        // PERF: no division, if the pipeline was idle.
        let end = if begin == now * width { now + machine.issue_cycles } else { pipeline.busy.div_ceil(width) };
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
        let without_turn = match timing.keeps_to_itself {
            true => machine.execute_without_turn(resident, (unit, pc), observer),
            false => WithoutTurn::No,
        };
        let step = match without_turn {
            WithoutTurn::Next(_) => Step::default(),
            WithoutTurn::Last | WithoutTurn::No => machine.execute(resident, unit, observer)?,
        };
        let executed = if let WithoutTurn::No = without_turn { machine.executed.parts() } else { &*parts };
        machine.tally.issued(pc, executed, slots);
        if machine.watched {
            let (core, block) = (self.number, resident.block.number);
            observer.clock(now, ClockEvent::Issued { core, block, pc, parts: executed, until: end });
        }
        if (self.number, slot) == (0, 0) {
            machine.tally.progresses(pc, executed, machine.width);
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
        let one = machine.one_in_flight;
        let mut wake = now;
        if let (Some(dst), false) = (timing.dst, one) {
            let Latency { done, memory, ticket } = latency;
            for part in &*parts {
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
        let next = match without_turn {
            _ if machine.overlaps || one => None,
            WithoutTurn::Next(next) => Some(next),
            WithoutTurn::Last | WithoutTurn::No => resident.block.units.next(unit),
        };
        let operands = next.map(|pc| operands(resident, &parts, &timings[pc.index()]));
        for part in &*parts {
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
            resident.lands = resident.lands.min(warp.lands());
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
}
