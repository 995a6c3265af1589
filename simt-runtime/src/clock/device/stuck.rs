//! Launches in which nothing is under way: what waits goes on, if it can.

use super::Device;
use crate::clock::step::unstick;
use crate::engine::{Start, Stopped};
use crate::hierarchy::Cycle;
use crate::observe::Observer;

impl<S: Start> Device<'_, '_, S> {
    /// Nothing is under way, and blocks have not ended.
    #[cold]
    pub(super) fn stuck<O: Observer>(&mut self, now: Cycle, observer: &mut O) -> Result<(), Box<Stopped>> {
        if self.open_grid(now) {
            return Ok(());
        }
        for (number, core) in self.cores.iter_mut().enumerate() {
            for slot in 0..core.slots.len() {
                let Some(resident) = &mut core.slots[slot] else { continue };
                // It is another block that all wait for at the barrier of the grid.
                if resident.block.waits_for_grid() {
                    continue;
                }
                self.machine.within(resident, |block, launch, memory| unstick(block, launch, memory, observer))?;
                core.awake(slot, now + 1);
            }
            self.nexts.lower(number, core.next);
        }
        Ok(())
    }

    /// Opens the barrier of the grid, if all blocks wait there. What they have sent to memory has come there: nothing is under way.
    fn open_grid(&mut self, now: Cycle) -> bool {
        let mut all = self.cores.iter().flat_map(|core| core.slots.iter().flatten());
        if !all.all(|resident| resident.block.waits_for_grid()) {
            return false;
        }
        for (number, core) in self.cores.iter_mut().enumerate() {
            for slot in 0..core.slots.len() {
                if let Some(resident) = &mut core.slots[slot] {
                    resident.block.open_grid();
                    core.awake(slot, now + 1);
                }
            }
            self.nexts.lower(number, core.next);
        }
        self.machine.grid_opened();
        true
    }
}
