//! A block on a core: its lanes that are free, its warps' clocks.

use crate::clock::device::Machine;
use crate::clock::figures::Stall;
use crate::clock::flights::UNKNOWN;
use crate::clock::program::Timing;
use crate::clock::scoreboard::Scoreboard;
use crate::clock::step::Step;
use crate::clock::warp::WarpClock;
use crate::engine::{Block, Init, Start, Units};
use crate::hierarchy::Cycle;
use crate::memory::BlockMemory;
use crate::observe::{ClockEvent, Observer};
use crate::policy::WarpPart;
use simt_core::LaneMask;

/// A block on a core.
pub(crate) struct Resident<U> {
    pub(crate) block: Block<U>,
    /// When it came: no two blocks came together.
    pub(crate) age: u64,
    /// What it has to itself, while another block issues.
    pub(crate) own: BlockMemory,
    /// Lanes that have nothing under way, by warp.
    pub(crate) free: Vec<LaneMask>,
    pub(crate) clocks: Vec<WarpClock>,
    /// No lanes of the unit that was tried last come back earlier. Exact when it has just been tried, and for a block that is one
    /// unit.
    pub(crate) lands: Cycle,
    pub(super) ended: bool,
}

impl<U: Units> Resident<U> {
    /// The next block, in the memory of one that has ended, if one has. It has yet to [`begin`](Self::begin).
    pub(crate) fn next<S: Start<Units = U>>(
        last: Option<Self>,
        start: &S,
        init: &Init<'_>,
        number: usize,
        machine: &Machine<'_, '_>,
        observer: &mut impl Observer,
    ) -> Self {
        let launch = machine.launch;
        if let Some(mut last) = last {
            if !start.begin_block(launch, init, &mut last.block, number, observer) {
                let rows = last.block.end(observer);
                last.block = start.block(launch, init, number, rows);
            }
            return last;
        }
        let rows = (0..launch.warps()).map(|_| launch.registers(init, machine.memory)).collect();
        let clock = || {
            let mut clock = WarpClock::new(match machine.divides {
                _ if machine.one_in_flight => Scoreboard::None,
                true => Scoreboard::of_lanes(),
                false => Scoreboard::of_registers(launch.plan.code.registers.len()),
            });
            if machine.watched {
                clock.watch();
            }
            clock
        };
        Self {
            block: start.block(launch, init, number, rows),
            age: 0,
            own: machine.memory.of_block(&launch.plan.code.arrays, machine.width, launch.warps()),
            free: Vec::new(),
            clocks: (0..launch.warps()).map(|_| clock()).collect(),
            lands: UNKNOWN,
            ended: false,
        }
    }

    /// The block, whose threads stand at the entry, comes to its core.
    pub(crate) fn begin(&mut self, age: u64, now: Cycle) {
        (self.age, self.lands, self.ended) = (age, UNKNOWN, false);
        self.own.begin(self.block.number);
        self.free.clear();
        self.free.extend((0..self.clocks.len()).map(|warp| self.block.live(warp)));
        self.clocks.iter_mut().for_each(|clock| clock.begin(now));
    }
}

/// Tells an observer why a warp, by its core, its block and its number, has waited.
pub(crate) fn tell_waits<O: Observer>(
    clock: &mut WarpClock,
    (core, block, warp): (usize, usize, usize),
    observer: &mut O,
) {
    for (why, since, until) in clock.spans().filter(|(why, ..)| *why != Stall::Issued) {
        observer.clock(until, ClockEvent::Waited { core, block, warp, since, why: why.name() });
    }
}

/// What becomes of a warp's time when nothing is to be waited for.
pub(crate) const fn held<U: Units>() -> Stall {
    if U::REGROUPS { Stall::Reconvergence } else { Stall::NotSelected }
}

/// When the operands of an instruction are there, and whether memory is what they wait for.
pub(super) fn operands<U>(resident: &Resident<U>, parts: &[WarpPart], timing: &Timing) -> (Cycle, bool) {
    let mut latest = (0, false);
    for part in parts {
        let ready = resident.clocks[part.warp].registers.all_ready(&timing.registers, part.lanes);
        if ready.0 > latest.0 {
            latest = ready;
        }
    }
    latest
}

/// Barriers have opened, or warps wait at them. Returns whether some have opened.
pub(super) fn settle<U: Units>(resident: &mut Resident<U>, step: Step, now: Cycle) -> bool {
    if !step.opened && !step.fewer {
        return false;
    }
    for warp in 0..resident.clocks.len() {
        let clock = &mut resident.clocks[warp];
        if resident.block.waits(warp) {
            clock.stays(now, Stall::Barrier, held::<U>());
        } else {
            clock.resumes(now, Stall::Barrier);
        }
    }
    step.opened
}
