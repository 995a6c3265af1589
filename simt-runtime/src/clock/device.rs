//! All cores over one memory: time goes from event to event.

mod looks;
mod stuck;

use super::beginning;
use super::core::{Core, Resident, held, tell_waits};
use super::executed::Executed;
use super::figures::{ClockReport, Stall};
use super::flights::UNKNOWN;
use super::occupancy;
use super::program::{Timing, timings};
use super::step::{Step, step};
use super::tally::Tally;
use super::tickets::Tickets;
use crate::config::{ClockConfig, InFlight};
use crate::engine::{Block, Init, Launch, Next, Start, Stopped, Units, Watch, Why, WithoutTurn};
use crate::hierarchy::{Cycle, Hierarchy, Level, Reply, Times, ones};
use crate::memory::Memory;
use crate::observe::{ClockEvent, Observer};
use crate::policy::LoadSplits;
use simt_core::code::Pc;

/// What all cores share.
pub(crate) struct Machine<'m, 'a> {
    pub(crate) launch: &'m Launch<'m>,
    pub(crate) clock: &'m ClockConfig,
    pub(crate) timings: &'m [Timing],
    /// Lanes of a warp, and of the pipeline that an issue goes down.
    pub(crate) width: usize,
    pub(crate) lanes_per_issue: usize,
    /// Cycles until an issue has gone down a pipeline that was idle.
    pub(crate) issue_cycles: Cycle,
    /// Whether more of a warp can issue while some of it is under way.
    pub(crate) overlaps: bool,
    /// Whether the policy can divide a split whose loads come back at different times.
    pub(crate) divides: bool,
    /// Whether a thread has one instruction in flight at a time. Warps that do not last, and lanes that issue alone, have no
    /// scoreboard.
    pub(crate) one_in_flight: bool,
    /// Whether an observer wants to be told of time.
    pub(crate) watched: bool,
    pub(crate) memory: &'m mut Memory<'a>,
    pub(crate) hierarchy: Option<Hierarchy>,
    pub(crate) tickets: Tickets,
    pub(crate) tally: Tally,
    /// The threads that have executed the last instruction.
    pub(crate) executed: Executed,
    /// Cores and slots whose block has ended.
    pub(crate) ended: Vec<(usize, usize)>,
    /// What the launch has done since something happened, and what is to be done about it.
    watch: Watch<'m>,
    asked: Option<Next>,
}

impl Machine<'_, '_> {
    /// At which loads the policy is to divide splits.
    pub(crate) fn load_splits(&self) -> LoadSplits {
        if self.divides { self.launch.config.load_splits } else { LoadSplits::Never }
    }

    /// Whether lanes issue alone: each of them has its own way to the banks of memories.
    pub(crate) fn alone(&self) -> bool {
        self.lanes_per_issue < self.width
    }

    /// Executes the next instruction of those of a unit that were chosen.
    #[inline(always)]
    pub(crate) fn execute<U: Units, O: Observer>(
        &mut self,
        resident: &mut Resident<U>,
        unit: usize,
        observer: &mut O,
    ) -> Result<Step, Box<Stopped>> {
        let mut executed = std::mem::take(&mut self.executed);
        executed.begin();
        let result = self.within(resident, |block, launch, memory| {
            step(block, unit, launch, memory, &mut (&mut executed, observer))
        });
        self.executed = executed;
        let (step, serial) = result?;
        self.count(step, serial);
        Ok(step)
    }

    /// Those of a unit that were chosen execute the instruction at an address, which keeps to itself, if the unit can do so
    /// without a turn.
    #[inline(always)]
    pub(crate) fn execute_without_turn<U: Units, O: Observer>(
        &mut self,
        resident: &mut Resident<U>,
        unit: (usize, Pc),
        observer: &mut O,
    ) -> WithoutTurn {
        let Block { units, number, .. } = &mut resident.block;
        let executed = units.without_turn(unit, *number, self.launch, self.memory, observer);
        if let WithoutTurn::Next(_) = executed {
            self.count(Step::default(), 0);
        }
        executed
    }

    /// Does something with the memory of a block in its place. If the launch stops there, that stays in its place.
    #[inline(always)]
    fn within<U: Units, T>(
        &mut self,
        resident: &mut Resident<U>,
        act: impl FnOnce(&mut Block<U>, &Launch<'_>, &mut Memory<'_>) -> Result<T, Box<Stopped>>,
    ) -> Result<T, Box<Stopped>> {
        self.memory.exchange(resident.block.number, &mut resident.own);
        let done = act(&mut resident.block, self.launch, self.memory)?;
        self.memory.exchange(resident.block.number, &mut resident.own);
        Ok(done)
    }
}

/// What the clock has to know of a policy.
#[derive(Clone, Copy)]
pub(crate) struct PolicyTraits {
    /// Whether more of a warp can issue while some of it is under way.
    pub(crate) overlaps: bool,
    /// Whether it can divide a split whose loads come back at different times.
    pub(crate) divides: bool,
}

/// A launch on a machine with a clock.
pub(crate) struct Timed<'r, 'l, 'a> {
    pub(crate) launch: &'r Launch<'l>,
    pub(crate) clock: &'r ClockConfig,
    /// How many blocks a core holds.
    pub(crate) residents: usize,
    pub(crate) memory: &'r mut Memory<'a>,
    pub(crate) observer: &'r mut dyn Observer,
    pub(crate) lanes_per_issue: usize,
}

impl Timed<'_, '_, '_> {
    /// Runs it under a policy.
    pub(crate) fn run<S: Start>(self, traits: PolicyTraits, start: &S) -> Result<ClockReport, Box<Stopped>> {
        let PolicyTraits { overlaps, divides } = traits;
        let Self { launch, clock, residents, memory, mut observer, lanes_per_issue } = self;
        let width = launch.config.warp_width;
        let places: Vec<_> = (0..launch.plan.code.params.len()).map(|slot| memory.place(slot as u16)).collect();
        let threads = (launch.blocks * launch.warps() * width) as u64;
        let timings = timings(launch.plan, &clock.timings, &places, threads);
        let hierarchy = beginning::hierarchy(clock, launch.plan, &places, residents);
        observer.launched(&launch.plan.code);
        let mut machine = Machine {
            launch,
            clock,
            timings: &timings,
            width,
            lanes_per_issue,
            issue_cycles: lanes_per_issue.div_ceil(clock.simd_width).max(1) as Cycle,
            overlaps,
            divides,
            one_in_flight: S::Units::REGROUPS || clock.in_flight == InFlight::OneInstruction,
            watched: observer.watches_clock(),
            memory,
            hierarchy,
            tickets: Tickets::default(),
            tally: Tally::new(launch.plan, clock, width),
            executed: Executed::default(),
            ended: Vec::new(),
            watch: Watch::of_blocks(&launch.budget, launch.config, launch.blocks.min(clock.cores * residents)),
            asked: None,
        };
        machine.one_in_flight |= machine.alone();
        let init = Init::new(launch.plan, launch.grid, width);
        let cores = (0..clock.cores).map(|number| Core::new(number, residents, launch.warps(), clock)).collect();
        let mut device = Device {
            start,
            init,
            machine,
            nexts: Times::new(clock.cores),
            sending: 0,
            cores,
            next_block: 0,
            live: 0,
            memory_next: UNKNOWN,
            ages: 0,
            spare: Vec::new(),
        };
        let ran = device.run(&mut observer);
        // What policies have counted that gave way to no others, however the launch has ended.
        device.spare.drain(..).for_each(|last| drop(last.block.end(&mut observer)));
        Ok(device.report(ran?, residents))
    }
}

/// Cores, and the blocks that are yet to come.
struct Device<'m, 'a, S: Start> {
    start: &'m S,
    init: Init<'m>,
    machine: Machine<'m, 'a>,
    cores: Vec<Core<S::Units>>,
    /// When something can happen on each core without a reply.
    nexts: Times,
    /// The cores whose accesses wait for room in memory, as a mask.
    sending: u128,
    next_block: usize,
    /// Blocks that are on cores.
    live: usize,
    /// When something happens in memory next.
    memory_next: Cycle,
    ages: u64,
    /// Blocks that have ended, in whose memory others begin.
    spare: Vec<Resident<S::Units>>,
}

impl<S: Start> Device<'_, '_, S> {
    /// Runs all blocks. Returns the cycle in which nothing is under way any more.
    fn run<O: Observer>(&mut self, observer: &mut O) -> Result<Cycle, Box<Stopped>> {
        let begin = self.machine.clock.launch_latency;
        // Core after core, so that few blocks spread over all.
        for slot in 0..self.cores[0].slots.len() {
            for core in 0..self.cores.len() {
                self.place(core, slot, begin, observer);
            }
        }
        let (mut now, mut done) = (begin, Vec::new());
        loop {
            self.replies(now, &mut done, observer);
            for number in ones(self.nexts.take(now)) {
                let core = &mut self.cores[number];
                core.cycle(now, &mut self.machine, observer)?;
                self.nexts.set(number, core.next);
                self.sending |= u128::from(!core.memory.is_empty()) << number;
            }
            while let Some((core, slot)) = self.machine.ended.pop() {
                self.leave(core, slot, now, observer);
                self.place(core, slot, now + 1, observer);
            }
            if let Some(asked) = self.machine.asked.take() {
                self.look(asked, observer)?;
            }
            self.memory_next = self.machine.hierarchy.as_ref().and_then(Level::next_event).unwrap_or(UNKNOWN);
            let next = self.nexts.soonest().min(self.memory_next);
            if next == UNKNOWN {
                if self.live == 0 {
                    // The last issues go down their pipelines.
                    let width = self.machine.clock.simd_width as u64;
                    let drained = self.cores.iter().map(|core| core.drained(width)).max().unwrap_or(now);
                    let now = now.max(drained);
                    self.sample(now, true);
                    self.cores.iter_mut().for_each(|core| core.close(now, &mut self.machine));
                    return Ok(now);
                }
                self.stuck(now, observer)?;
                now += 1;
                continue;
            }
            now = next;
            self.sample(now, false);
            if now > self.machine.clock.cycle_limit {
                return Err(self.out_of_time());
            }
        }
    }

    /// The launch has run for as long as it may: names a warp that has not ended, one that runs if there is one.
    #[cold]
    fn out_of_time(&mut self) -> Box<Stopped> {
        let limit = self.machine.clock.cycle_limit;
        let residents = self.cores.iter_mut().flat_map(|core| core.slots.iter_mut().flatten());
        let left = residents.flat_map(|resident| {
            let warps = 0..resident.clocks.len();
            let left: Vec<_> = warps.filter(|&warp| !resident.block.live(warp).is_empty()).collect();
            let first = left.into_iter().min_by_key(|&warp| (resident.block.waits(warp), warp));
            first.map(|warp| (resident.block.waits(warp), resident.block.number, warp, resident))
        });
        let first = left.min_by_key(|&(waits, block, warp, _)| (waits, block, warp));
        let Some((_, _, warp, resident)) = first else { unreachable!("time goes on while a block has not ended") };
        resident.block.stopped(warp, Why::CycleLimit(limit))
    }

    /// Ends the samples that lie before a cycle; at the end of the launch also the one that has begun.
    fn sample(&mut self, now: Cycle, all: bool) {
        while let Some(end) = self.machine.tally.sample_end(now, all) {
            self.cores.iter_mut().for_each(|core| core.close(end, &mut self.machine));
            self.machine.tally.sample(end, self.cores.iter().map(|core| core.threads as u64).sum());
        }
    }

    /// What memory has answered by now, and what it takes now.
    fn replies<O: Observer>(&mut self, now: Cycle, done: &mut Vec<Reply>, observer: &mut O) {
        let Some(hierarchy) = &mut self.machine.hierarchy else { return };
        if self.memory_next > now {
            return;
        }
        hierarchy.advance(now, done);
        // Loaded values take the rest of the pipeline.
        let loaded = now + Cycle::from(self.machine.clock.pipeline);
        for reply in done.drain(..) {
            let Some(ticket) = self.machine.tickets.answer(reply.id as u32) else { continue };
            if self.machine.watched {
                observer.clock(now, ClockEvent::Answered { core: ticket.core, access: reply.id as u32 });
            }
            let core = &mut self.cores[ticket.core];
            let Some(resident) = core.slots[ticket.slot].as_mut().filter(|resident| resident.age == ticket.age) else {
                continue;
            };
            for part in &ticket.parts {
                let warp = &mut resident.clocks[part.warp];
                if ticket.waits {
                    warp.answer(reply.id as u32, loaded, ticket.dst);
                } else {
                    warp.acknowledge(now);
                }
                resident.lands = resident.lands.min(warp.lands());
            }
            for part in &ticket.parts {
                core.awake_warp(ticket.slot, part.warp, if ticket.waits { loaded } else { now });
            }
            self.nexts.lower(ticket.core, core.next);
        }
        for number in ones(self.sending & !hierarchy.full()) {
            let core = &mut self.cores[number];
            core.memory.send(now, hierarchy);
            if core.memory.has_room() {
                self.sending &= !(1 << number);
                core.has_sent(now);
                self.nexts.lower(number, core.next);
            }
        }
    }

    /// The next block comes to a core, if there is one.
    fn place<O: Observer>(&mut self, core: usize, slot: usize, now: Cycle, observer: &mut O) {
        let Self { start, init, machine, cores, nexts, next_block, live, ages, spare, .. } = self;
        let launch = machine.launch;
        if *next_block >= launch.blocks {
            return;
        }
        let block = *next_block;
        *next_block += 1;
        *live += 1;
        *ages += 1;
        let mut resident = Resident::next(spare.pop(), *start, init, block, machine, observer);
        resident.begin(*ages, now);
        if (core, slot) == (0, 0) {
            machine.tally.watch(launch.threads);
        }
        if machine.watched {
            observer.clock(now, ClockEvent::Placed { core, block });
        }
        cores[core].place(slot, resident, now);
        nexts.lower(core, cores[core].next);
    }

    /// A block has ended.
    fn leave<O: Observer>(&mut self, core: usize, slot: usize, now: Cycle, observer: &mut O) {
        let number = core;
        let core = &mut self.cores[number];
        let Some(mut resident) = core.slots[slot].take() else { return };
        self.live -= 1;
        for warp in &mut resident.clocks {
            self.machine.tally.stalls.merge(&warp.ends(now, held::<S::Units>()));
        }
        if self.machine.watched {
            let block = resident.block.number;
            for (warp, clock) in resident.clocks.iter_mut().enumerate() {
                tell_waits(clock, (number, block, warp), observer);
            }
            observer.clock(now, ClockEvent::Left { core: number, block });
        }
        self.spare.push(resident);
        core.next = core.next.min(now + 1);
        self.nexts.lower(number, core.next);
    }

    fn report(mut self, cycles: Cycle, residents: usize) -> ClockReport {
        let Self { machine, .. } = &mut self;
        let clock = machine.clock;
        let places = (clock.cores * residents * machine.launch.warps()) as u64;
        let on_core = machine.tally.all_stalls().total();
        machine.tally.stalls.add(Stall::NoBlock, (places * cycles).saturating_sub(on_core));
        // What is dirty goes back between launches (TACO'09, section 2.1).
        let memory = machine.hierarchy.as_mut().map(|hierarchy| {
            debug_assert_eq!(hierarchy.outstanding(), 0, "a launch ends when memory is idle");
            hierarchy.flush();
            hierarchy.figures()
        });
        let mut report = machine.tally.report(machine.launch.plan, clock);
        report.cycles = cycles;
        report.lanes = (clock.cores * clock.ports * clock.simd_width) as u64;
        report.warps = places;
        report.registers = occupancy::registers(machine.launch.plan);
        report.blocks_per_core = residents;
        report.memory = memory;
        report
    }
}
