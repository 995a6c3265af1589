//! A core: its blocks, and what issues in a cycle.

use super::access::{Gather, Traffic};
use super::body::{Body, Step};
use super::config::{ClockConfig, MemoryTiming, OpClass};
use super::device::Machine;
use super::figures::Stall;
use super::hierarchy::{AccessKind, Cycle, Request, Transaction, data_cache_passes};
use super::port::MemoryPort;
use super::program::{Kind, Space, Timing};
use super::schedule::{Candidate, WarpScheduler};
use super::warp::{UNKNOWN, WarpClock};
use crate::error::LaunchError;
use crate::memory::Array;
use crate::observe::Observer;
use crate::policy::WarpPart;
use simt_core::LaneMask;
use simt_core::code::Pc;
use smallvec::SmallVec;

/// A block on a core.
pub(crate) struct Resident<B> {
    pub(crate) body: B,
    pub(crate) block: usize,
    /// When it came: no two blocks came together.
    pub(crate) age: u64,
    pub(crate) arrays: Vec<Array>,
    /// Lanes that have nothing under way, by warp.
    pub(crate) free: Vec<LaneMask>,
    pub(crate) clocks: Vec<WarpClock>,
    ended: bool,
}

impl<B: Body> Resident<B> {
    pub(crate) fn new(
        body: B,
        block: usize,
        age: u64,
        arrays: Vec<Array>,
        warps: usize,
        now: Cycle,
        machine: &Machine<'_, '_>,
    ) -> Self {
        let one = machine.one_in_flight(B::REGROUPS);
        let registers = if one { 0 } else { machine.launch.plan.code.registers.len() };
        let mut clocks: Vec<WarpClock> = (0..warps).map(|_| WarpClock::default()).collect();
        clocks.iter_mut().for_each(|clock| clock.begin(now, registers));
        let free = (0..warps).map(|warp| body.live(warp)).collect();
        Self { body, block, age, arrays, free, clocks, ended: false }
    }
}

/// A pipeline. Its time is counted in lanes: one of eight lanes has eight ticks a cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Pipeline {
    busy: u64,
    /// Cycles up to here are accounted for; since then the reason for not issuing has been this.
    accounted: u64,
    idle: Idle,
}

/// Why nothing issues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Idle {
    #[default]
    Nothing,
    Memory,
    Stall,
}

pub(crate) struct Core<B> {
    number: usize,
    pub(crate) slots: Vec<Option<Resident<B>>>,
    /// Units of a block. A unit's place is its number among those of all slots.
    units_of_block: usize,
    /// By place, when the unit is worth trying again.
    wakes: Vec<Cycle>,
    /// Why a unit could not issue when it was tried.
    blocks: Vec<Stall>,
    /// When the unit's block came.
    ages: Vec<u64>,
    pipelines: Vec<Pipeline>,
    /// By class of operations, when the next can begin.
    units: [Cycle; OpClass::ALL.len()],
    pub(crate) memory: MemoryPort,
    scheduler: Box<dyn WarpScheduler>,
    /// When something can happen here without a reply.
    pub(crate) next: Cycle,
    candidates: Vec<Candidate>,
    parts: Vec<WarpPart>,
    gather: Gather,
    traffic: Traffic,
    /// Threads that have not ended.
    pub(crate) threads: usize,
}

/// What became of a try to issue.
enum Tried {
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

impl<B: Body> Core<B> {
    pub(crate) fn new(number: usize, slots: usize, warps: usize, clock: &ClockConfig) -> Self {
        let units_of_block = B::units(warps);
        Self {
            number,
            slots: (0..slots).map(|_| None).collect(),
            units_of_block,
            wakes: vec![UNKNOWN; slots * units_of_block],
            blocks: vec![Stall::NotSelected; slots * units_of_block],
            ages: vec![0; slots * units_of_block],
            pipelines: vec![Pipeline::default(); clock.ports],
            units: [0; OpClass::ALL.len()],
            memory: MemoryPort::default(),
            scheduler: clock.scheduling.start(),
            next: 0,
            candidates: Vec::new(),
            parts: Vec::new(),
            gather: Gather::default(),
            traffic: Traffic::default(),
            threads: 0,
        }
    }

    /// A block comes to the core.
    pub(crate) fn place(&mut self, slot: usize, resident: Resident<B>, now: Cycle) {
        self.threads += resident.free.iter().map(|lanes| lanes.count()).sum::<usize>();
        self.ages[slot * self.units_of_block..][..self.units_of_block].fill(resident.age);
        self.slots[slot] = Some(resident);
        self.wakes[slot * self.units_of_block..][..self.units_of_block].fill(now);
        self.next = self.next.min(now);
    }

    /// What can happen on the core now happens.
    pub(crate) fn cycle<O: Observer>(
        &mut self,
        now: Cycle,
        machine: &mut Machine<'_, '_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
        let width = machine.clock.simd_width as u64;
        self.wake_up(now);
        let mut stalled = false;
        for pipeline in 0..self.pipelines.len() {
            if self.pipelines[pipeline].busy >= (now + 1) * width {
                continue;
            }
            // Lanes that issue alone fill the pipeline one by one.
            while self.pipelines[pipeline].busy < (now + 1) * width {
                match self.issue(now, pipeline, machine, observer)? {
                    Ok(()) => {}
                    Err(busy) => {
                        stalled |= busy;
                        break;
                    }
                }
            }
        }
        self.idle(now, width, stalled, machine);
        self.next = self.next_cycle(now, width);
        Ok(())
    }

    /// The units whose time has come are candidates.
    fn wake_up(&mut self, now: Cycle) {
        self.candidates.clear();
        for (place, (&wake, &age)) in self.wakes.iter().zip(&self.ages).enumerate() {
            if wake <= now {
                self.candidates.push(Candidate { place, age });
            }
        }
    }

    /// Issues one of the candidates down a pipeline; if none can, whether one could but for a unit that is busy.
    fn issue<O: Observer>(
        &mut self,
        now: Cycle,
        pipeline: usize,
        machine: &mut Machine<'_, '_>,
        observer: &mut O,
    ) -> Result<Result<(), bool>, LaunchError> {
        let mut stalled = false;
        while !self.candidates.is_empty() {
            let number = self.scheduler.pick(&self.candidates);
            let place = self.candidates[number].place;
            let (slot, unit) = (place / self.units_of_block, place % self.units_of_block);
            match self.attempt(now, pipeline, slot, unit, machine, observer)? {
                Tried::Issued => {
                    self.scheduler.issued(place);
                    if self.wakes[place] > now {
                        self.candidates.retain(|candidate| candidate.place != place);
                    }
                    return Ok(Ok(()));
                }
                Tried::Later(wake, stall) => {
                    self.candidates.remove(number);
                    stalled |= stall == Stall::Pipeline;
                    self.wakes[place] = wake;
                    self.blocks[place] = stall;
                    if stall == Stall::Memory {
                        self.scheduler.stalled(place);
                    }
                }
            }
        }
        Ok(Err(stalled))
    }

    /// Tries to issue what a unit has.
    fn attempt<O: Observer>(
        &mut self,
        now: Cycle,
        pipeline: usize,
        slot: usize,
        unit: usize,
        machine: &mut Machine<'_, '_>,
        observer: &mut O,
    ) -> Result<Tried, LaunchError> {
        let Some(resident) = &mut self.slots[slot] else { return Ok(Tried::Later(UNKNOWN, Stall::NoBlock)) };
        let own = if B::REGROUPS { 0..resident.clocks.len() } else { unit..unit + 1 };
        for warp in own.clone() {
            let landed = resident.clocks[warp].land(now);
            resident.free[warp] |= landed & resident.body.live(warp);
        }
        // What waits for a register makes room for another part of the warp, if the policy has one.
        let mut put_off: SmallVec<[(usize, LaneMask); 4]> = SmallVec::new();
        let mut soonest = (UNKNOWN, Stall::Execution);
        let mut ended = false;
        let chosen = loop {
            let Some(pc) = resident.body.select(unit, &resident.free) else { break None };
            let timing = &machine.timings[pc.index()];
            if timing.kind == Kind::Free {
                let step = machine.execute(resident, unit, observer)?;
                ended |= step.fewer;
                if settle(resident, step, now) {
                    self.wakes[slot * self.units_of_block..][..self.units_of_block].fill(now);
                }
                continue;
            }
            resident.body.parts(unit, &mut self.parts);
            let (at, memory) = operands(resident, &self.parts, timing);
            if at <= now {
                break Some(pc);
            }
            if at < soonest.0 || soonest.0 == UNKNOWN {
                soonest = (at, if memory { Stall::Memory } else { Stall::Execution });
            }
            if !machine.overlaps {
                break None;
            }
            for part in &self.parts {
                resident.free[part.warp] = resident.free[part.warp] - part.lanes;
                put_off.push((part.warp, part.lanes));
            }
        };
        for (warp, lanes) in put_off {
            resident.free[warp] |= lanes;
        }
        let Some(pc) = chosen else {
            let lands = own.clone().map(|warp| resident.clocks[warp].lands()).min().unwrap_or(UNKNOWN);
            let mut why = soonest.1;
            if soonest.0 < UNKNOWN || soonest.1 == Stall::Memory {
                own.for_each(|warp| resident.clocks[warp].waits(now, soonest.1, soonest.0, held::<B>()));
            } else if lands == UNKNOWN && own.into_iter().any(|warp| resident.clocks[warp].waits_for_memory(now)) {
                why = Stall::Memory;
            }
            let mut wake = soonest.0.min(lands);
            if wake == UNKNOWN && why != Stall::Memory && resident.body.release() {
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
            Some(Space::Shared | Space::Constant) => self.memory.shared_free(),
            Some(Space::Global | Space::Local) => self.memory.data_free(),
            None => self.units[timing.class as usize],
        };
        if busy > now {
            for part in &self.parts {
                resident.clocks[part.warp].waits(now, Stall::Pipeline, busy, held::<B>());
            }
            // The way to memory is looked at again whenever something leaves it.
            return Ok(Tried::Later(busy, Stall::Pipeline));
        }
        self.go(now, pipeline, slot, unit, pc, machine, observer)?;
        Ok(Tried::Issued)
    }

    /// Issues those that were chosen.
    fn go<O: Observer>(
        &mut self,
        now: Cycle,
        pipeline: usize,
        slot: usize,
        unit: usize,
        pc: Pc,
        machine: &mut Machine<'_, '_>,
        observer: &mut O,
    ) -> Result<(), LaunchError> {
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
        let class = timing.class;
        let of_class = clock.timings.of(class);
        if of_class.interval > 0 {
            self.units[class as usize] = now + Cycle::from(of_class.interval);
        }

        // What it touches is known before it is executed.
        let Some(resident) = &mut self.slots[slot] else { return Ok(()) };
        if let Some(touch) = &timing.access {
            let first = (resident.block * resident.clocks.len()) as u64;
            self.gather.collect(&mut resident.body, touch, &parts, first, machine.width);
            self.gather.traffic(touch, &clock.memory, clock.shared_banks, &mut self.traffic);
        }
        let live: usize = parts.iter().map(|part| resident.body.live(part.warp).count()).sum();
        let step = machine.execute(resident, unit, observer)?;
        machine.tally.issued(pc, machine.went.parts(), slots);
        if (self.number, slot) == (0, 0) {
            machine.tally.progresses(pc, machine.went.parts(), machine.width);
        }
        let left: usize = parts.iter().map(|part| resident.body.live(part.warp).count()).sum();
        self.threads -= live.saturating_sub(left);

        let latency = self.latency(now, slot, pc, timing, &parts, machine);
        let Some(resident) = &mut self.slots[slot] else { return Ok(()) };
        let one = machine.one_in_flight(B::REGROUPS);
        let mut wake = now;
        for part in &parts {
            let warp = &mut resident.clocks[part.warp];
            // When its lanes can issue again, and what they wait for.
            let (again, memory, ticket) = match timing.kind {
                Kind::Fence if warp.stores > 0 => (UNKNOWN, true, None),
                Kind::Plain if !one => (end, false, None),
                _ => (latency.done.max(end), latency.memory, latency.ticket),
            };
            if let (Some(dst), false) = (timing.dst, one) {
                warp.writes(dst, latency.done, latency.memory, latency.ticket);
            }
            resident.free[part.warp] = resident.free[part.warp] - part.lanes;
            warp.fly(part.lanes, again, ticket);
            let after = if memory { Stall::Memory } else { Stall::Execution };
            let waits = warp.issues(now, end, after, again, held::<B>());
            machine.tally.waited(pc, &waits);
            if !machine.overlaps {
                // Nobody else of the warp issues meanwhile.
                wake = again;
            }
        }
        let opened = settle(resident, step, now);
        self.wakes[slot * self.units_of_block + unit] = wake;
        self.parts = parts;
        if opened {
            self.awake(slot, now + 1);
        }
        if left < live || step.fewer {
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
        let computed = now + Cycle::from(machine.clock.timings.of(timing.class).latency);
        let plain = Latency { done: computed, memory: false, ticket: None };
        let Some(touch) = &timing.access else { return plain };
        // A store is on its way, and so is an atomic whose result nobody wants.
        let waits = touch.kind == AccessKind::Load || timing.dst.is_some();
        let loaded = |done, ticket| if waits { Latency { done, memory: true, ticket } } else { plain };
        if matches!(touch.space, Space::Shared | Space::Constant) {
            let passes = self.traffic.passes.max(1);
            self.memory.take_shared(now, passes);
            if touch.space == Space::Shared {
                machine.tally.shared(pc, passes);
            }
            return loaded(now + Cycle::from(machine.clock.shared_latency) + Cycle::from(passes) - 1, None);
        }
        let transactions = &self.traffic.transactions;
        machine.tally.requested(pc, transactions.len() as u64);
        let hierarchy = match (&machine.clock.memory, &mut machine.hierarchy) {
            (MemoryTiming::Ideal { latency }, _) => return loaded(now + Cycle::from(*latency), None),
            (MemoryTiming::Hierarchy(config), Some(hierarchy)) => {
                self.memory.take_data(now, data_cache_passes(config.l1.ports, config.l1.line, transactions));
                hierarchy
            }
            (_, None) => return plain,
        };
        let Some(resident) = &mut self.slots[slot] else { return plain };
        let place = (self.number, slot, resident.age);
        let ticket = machine.tickets.open(place, parts, timing.dst, waits, transactions.len() as u32);
        if !waits {
            parts.iter().for_each(|part| resident.clocks[part.warp].stores += 1);
        }
        for &Transaction { address, bytes, .. } in transactions {
            self.memory.push(Request {
                id: ticket.into(),
                core: self.number as u16,
                address,
                bytes,
                kind: touch.kind,
                operator: touch.operator,
                local: touch.space == Space::Local,
            });
        }
        self.memory.send(now, hierarchy);
        loaded(UNKNOWN, Some(ticket))
    }

    /// All units of a block are tried again, because barriers have opened.
    pub(crate) fn awake(&mut self, slot: usize, now: Cycle) {
        if let Some(resident) = &mut self.slots[slot] {
            settle(resident, Step { opened: true, fewer: false }, now);
            let wakes = &mut self.wakes[slot * self.units_of_block..][..self.units_of_block];
            wakes.iter_mut().for_each(|wake| *wake = (*wake).min(now));
        }
        self.next = self.next.min(now);
    }

    /// The unit of a warp is tried again.
    pub(crate) fn awake_warp(&mut self, slot: usize, warp: usize, now: Cycle) {
        let wake = &mut self.wakes[slot * self.units_of_block + if B::REGROUPS { 0 } else { warp }];
        *wake = (*wake).min(now);
        self.next = self.next.min(now);
    }

    /// The way to memory has room: those that waited for it are tried again.
    pub(crate) fn has_sent(&mut self, now: Cycle) {
        for (wake, stall) in self.wakes.iter_mut().zip(&self.blocks) {
            if *stall == Stall::Pipeline && *wake == UNKNOWN {
                *wake = now;
                self.next = self.next.min(now);
            }
        }
    }

    /// Whether all threads of a slot's block have ended.
    fn ended(&mut self, slot: usize, now: Cycle, machine: &mut Machine<'_, '_>) {
        let Some(resident) = &mut self.slots[slot] else { return };
        let warps = resident.clocks.len();
        for warp in 0..warps {
            if resident.body.live(warp).is_empty() {
                resident.clocks[warp].stays(now, Stall::Ended, held::<B>());
            }
        }
        if !resident.ended && (0..warps).all(|warp| resident.body.live(warp).is_empty()) {
            resident.ended = true;
            self.wakes[slot * self.units_of_block..][..self.units_of_block].fill(UNKNOWN);
            machine.ended.push((self.number, slot));
        }
    }

    /// Cycles of a pipeline up to a tick in which nothing issued.
    fn account(&mut self, pipeline: usize, tick: u64, machine: &mut Machine<'_, '_>) {
        let Pipeline { accounted, idle, .. } = &mut self.pipelines[pipeline];
        let ticks = tick.saturating_sub(*accounted);
        *accounted = (*accounted).max(tick);
        match idle {
            Idle::Nothing => machine.tally.occupancy.idle += ticks,
            Idle::Memory => machine.tally.occupancy.memory += ticks,
            Idle::Stall => machine.tally.occupancy.stall += ticks,
        }
    }

    /// Says why pipelines that do not issue from now on do not.
    fn idle(&mut self, now: Cycle, width: u64, stalled: bool, machine: &mut Machine<'_, '_>) {
        let mut reason = None;
        for pipeline in 0..self.pipelines.len() {
            if self.pipelines[pipeline].busy > now * width {
                continue;
            }
            let reason = *reason.get_or_insert_with(|| {
                if stalled {
                    Idle::Stall
                } else if self.waits_for_memory(now) {
                    Idle::Memory
                } else {
                    Idle::Nothing
                }
            });
            self.account(pipeline, now * width, machine);
            self.pipelines[pipeline].idle = reason;
        }
    }

    /// Whether there are threads that have not ended, and all wait for memory.
    fn waits_for_memory(&self, now: Cycle) -> bool {
        let mut some = false;
        for resident in self.slots.iter().flatten() {
            for (warp, clock) in resident.clocks.iter().enumerate() {
                if resident.body.live(warp).is_empty() {
                    continue;
                }
                if !clock.waits_for_memory(now) {
                    return false;
                }
                some = true;
            }
        }
        some
    }

    /// When all that has issued has gone down its pipeline.
    pub(crate) fn drained(&self, width: u64) -> Cycle {
        self.pipelines.iter().map(|pipeline| pipeline.busy.div_ceil(width)).max().unwrap_or(0)
    }

    /// Accounts for the cycles of the pipelines up to now.
    pub(crate) fn close(&mut self, now: Cycle, machine: &mut Machine<'_, '_>) {
        for pipeline in 0..self.pipelines.len() {
            self.account(pipeline, now * machine.clock.simd_width as u64, machine);
        }
    }

    fn next_cycle(&self, now: Cycle, width: u64) -> Cycle {
        let wake = self.wakes.iter().copied().min().unwrap_or(UNKNOWN);
        if wake == UNKNOWN {
            return UNKNOWN;
        }
        let port = self.pipelines.iter().map(|pipeline| pipeline.busy / width).min().unwrap_or(0);
        wake.max(port).max(now + 1)
    }
}

/// What becomes of a warp's time when nothing is to be waited for.
pub(crate) const fn held<B: Body>() -> Stall {
    if B::REGROUPS { Stall::Reconvergence } else { Stall::NotSelected }
}

/// When the operands of an instruction are there, and whether memory is what they wait for.
fn operands<B>(resident: &Resident<B>, parts: &[WarpPart], timing: &Timing) -> (Cycle, bool) {
    let mut latest = (0, false);
    for part in parts {
        let clock = &resident.clocks[part.warp];
        for &register in timing.reads.iter().chain(&timing.dst) {
            let ready = clock.ready(register);
            if ready.0 > latest.0 {
                latest = ready;
            }
        }
    }
    latest
}

/// Barriers have opened, or warps wait at them. Gives whether some have opened.
fn settle<B: Body>(resident: &mut Resident<B>, step: Step, now: Cycle) -> bool {
    if !step.opened && !step.fewer {
        return false;
    }
    for warp in 0..resident.clocks.len() {
        let clock = &mut resident.clocks[warp];
        if resident.body.waits(warp) {
            clock.stays(now, Stall::Barrier, held::<B>());
        } else {
            clock.resumes(now, Stall::Barrier);
        }
    }
    step.opened
}
