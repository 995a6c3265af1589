//! Launches that do much and come to nothing.

use super::{Device, Machine};
use crate::clock::step::Step;
use crate::engine::{Next, Spent, Start, Stopped, Units};
use crate::observe::Observer;
use crate::policy::LoadSplits;

/// How often each unit of work counts on a machine with a clock: an instruction, a lane of an atomic, which may be a
/// transaction, and what is printed.
///
/// **Assumed:** the host takes so many times as long as for a machine without.
const ISSUE: u64 = 16;

impl Machine<'_, '_> {
    /// An instruction has been executed.
    #[inline]
    pub(super) fn count(&mut self, step: Step, serial: u64) {
        if step.ended {
            self.watch.thread_ended();
        } else if step.opened {
            self.watch.barrier_opened();
        }
        match self.watch.worked(ISSUE.saturating_mul(1 + serial)) {
            Next::GoOn => {}
            next => self.asked = Some(next),
        }
    }

    /// The barrier of the grid has opened.
    pub(super) fn grid_opened(&mut self) {
        self.watch.barrier_opened();
    }
}

impl<S: Start> Device<'_, '_, S> {
    /// Does what is to be done about a launch that has done so much.
    #[cold]
    pub(super) fn look<O: Observer>(&mut self, asked: Next, observer: &mut O) -> Result<(), Box<Stopped>> {
        match asked {
            Next::GoOn => Ok(()),
            Next::Look(effort) => self.prove(effort),
            Next::GiveUp(spent) => self.give_up(spent, observer),
        }
    }

    /// Stops if the blocks on all cores can be shown never to end; names the first. Those that have not begun wait for them.
    fn prove(&mut self, effort: u64) -> Result<(), Box<Stopped>> {
        if self.machine.load_splits() != LoadSplits::Never {
            return Ok(());
        }
        let (overlaps, effort) = (self.machine.overlaps, effort / self.live.max(1) as u64);
        let mut circles = None;
        for resident in self.cores.iter_mut().flat_map(|core| core.slots.iter_mut().flatten()) {
            let proved = self.machine.within(resident, |block, launch, memory| {
                // Where the policy chooses by time, only warps that have no choice go on as they do without a clock.
                let chooses = overlaps && (0..launch.warps()).any(|warp| block.units.splits(warp).len() > 1);
                Ok(if chooses { None } else { block.never_ends(effort, launch, memory).ok() })
            })?;
            let Some(proved) = proved else { return Ok(()) };
            circles.get_or_insert(proved);
        }
        let first = self.cores.iter_mut().flat_map(|core| core.slots.iter_mut().flatten()).next();
        let (Some(resident), Some((circles, proof))) = (first, circles) else { return Ok(()) };
        self.machine.within(resident, |block, _, _| Err(block.livelock(circles, proof)))
    }

    fn give_up<O: Observer>(&mut self, spent: Spent, observer: &mut O) -> Result<(), Box<Stopped>> {
        let resident = self.cores.iter_mut().flat_map(|core| core.slots.iter_mut().flatten()).next();
        let Some(resident) = resident else { return Ok(()) };
        self.machine.within(resident, |block, launch, memory| Err(block.given_up(spent, launch, memory, observer)))
    }
}
