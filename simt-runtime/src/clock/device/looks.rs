//! Launches that do much and come to nothing.

use super::{Device, Machine};
use crate::clock::body::{Body, Place, Step};
use crate::engine::{Next, Spent};
use crate::error::LaunchError;
use crate::observe::Observer;
use crate::policy::LoadSplits;

/// How often each unit of work counts on a machine with a clock: an instruction, a lane of an atomic, which may be a
/// transaction, and what is printed.
///
/// **Assumed:** the host takes so many times as long as for a machine without.
const ISSUE: u64 = 16;

impl Machine<'_, '_> {
    /// An instruction has been executed.
    pub(super) fn count(&mut self, step: Step) {
        if step.ended {
            self.watch.thread_ended();
        } else if step.opened {
            self.watch.barrier_opened();
        }
        match self.watch.worked(ISSUE.saturating_mul(1 + std::mem::take(&mut self.memory.serial))) {
            Next::GoOn => {}
            next => self.asked = Some(next),
        }
    }
}

impl<S: Place> Device<'_, '_, S> {
    /// Does what is to be done about a launch that has done so much.
    #[cold]
    pub(super) fn look<O: Observer>(&mut self, asked: Next, observer: &mut O) -> Result<(), LaunchError> {
        match asked {
            Next::GoOn => Ok(()),
            Next::Look(effort) => self.prove(effort),
            Next::GiveUp(spent) => self.give_up(spent, observer),
        }
    }

    /// If the blocks on all cores can be shown never to end, the error for the first. Those that have not begun wait for them.
    fn prove(&mut self, effort: u64) -> Result<(), LaunchError> {
        if self.machine.load_splits() != LoadSplits::Never {
            return Ok(());
        }
        let (overlaps, effort) = (self.machine.overlaps, effort / self.live.max(1) as u64);
        let mut first = None;
        for resident in self.cores.iter_mut().flat_map(|core| core.slots.iter_mut().flatten()) {
            let proved =
                self.machine.within(resident, |body, launch, memory| body.livelock(overlaps, effort, launch, memory));
            let Some(error) = proved else { return Ok(()) };
            first = first.or(Some(error));
        }
        first.map_or(Ok(()), Err)
    }

    fn give_up<O: Observer>(&mut self, spent: Spent, observer: &mut O) -> Result<(), LaunchError> {
        let resident = self.cores.iter_mut().flat_map(|core| core.slots.iter_mut().flatten()).next();
        let Some(resident) = resident else { return Ok(()) };
        Err(self.machine.within(resident, |body, launch, memory| body.given_up(spent, launch, memory, observer)))
    }
}
