//! A block on a core: its lanes that are free, its warps' clocks.

use crate::clock::body::{Body, Step};
use crate::clock::device::Machine;
use crate::clock::figures::Stall;
use crate::clock::program::Timing;
use crate::clock::scoreboard::Scoreboard;
use crate::clock::warp::WarpClock;
use crate::hierarchy::Cycle;
use crate::memory::BlockMemory;
use crate::policy::WarpPart;
use simt_core::LaneMask;

/// A block on a core.
pub(crate) struct Resident<B> {
    pub(crate) body: B,
    pub(crate) block: usize,
    /// When it came: no two blocks came together.
    pub(crate) age: u64,
    /// What it has to itself, while another block issues.
    pub(crate) own: BlockMemory,
    /// Lanes that have nothing under way, by warp.
    pub(crate) free: Vec<LaneMask>,
    pub(crate) clocks: Vec<WarpClock>,
    pub(super) ended: bool,
}

impl<B: Body> Resident<B> {
    pub(crate) fn new(
        body: B,
        block: usize,
        age: u64,
        own: BlockMemory,
        warps: usize,
        now: Cycle,
        machine: &Machine<'_, '_>,
    ) -> Self {
        let one = machine.one_in_flight(B::REGROUPS);
        let registers = || match machine.divides {
            _ if one => Scoreboard::None,
            true => Scoreboard::of_lanes(),
            false => Scoreboard::of_registers(machine.launch.plan.code.registers.len()),
        };
        let mut clocks: Vec<WarpClock> = (0..warps).map(|_| WarpClock::default()).collect();
        clocks.iter_mut().for_each(|clock| clock.begin(now, registers()));
        let free = (0..warps).map(|warp| body.live(warp)).collect();
        Self { body, block, age, own, free, clocks, ended: false }
    }
}

/// What becomes of a warp's time when nothing is to be waited for.
pub(crate) const fn held<B: Body>() -> Stall {
    if B::REGROUPS { Stall::Reconvergence } else { Stall::NotSelected }
}

/// When the operands of an instruction are there, and whether memory is what they wait for.
pub(super) fn operands<B>(resident: &Resident<B>, parts: &[WarpPart], timing: &Timing) -> (Cycle, bool) {
    let mut latest = (0, false);
    for part in parts {
        let clock = &resident.clocks[part.warp];
        for &register in timing.reads.iter().chain(&timing.dst) {
            let ready = clock.registers.ready(register, part.lanes);
            if ready.0 > latest.0 {
                latest = ready;
            }
        }
    }
    latest
}

/// Barriers have opened, or warps wait at them. Gives whether some have opened.
pub(super) fn settle<B: Body>(resident: &mut Resident<B>, step: Step, now: Cycle) -> bool {
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
