//! The pipelines of a core, and why they are idle.

use super::{Core, Resident};
use crate::clock::device::Machine;
use crate::engine::Units;
use crate::hierarchy::Cycle;

/// A pipeline. Its time is counted in lanes: one of eight lanes has eight ticks a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pipeline {
    pub(super) busy: u64,
    /// Cycles up to here are accounted for; since then the reason for not issuing has been this.
    pub(super) accounted: u64,
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

impl<U: Units> Core<U> {
    /// Cycles of a pipeline up to a tick in which nothing issued.
    pub(super) fn account(&mut self, pipeline: usize, tick: u64, machine: &mut Machine<'_, '_>) {
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
    pub(super) fn idle(&mut self, now: Cycle, width: u64, machine: &mut Machine<'_, '_>) {
        let mut reason = None;
        for pipeline in 0..self.pipelines.len() {
            if self.pipelines[pipeline].busy > now * width {
                continue;
            }
            let reason = *reason.get_or_insert_with(|| self.why(now));
            self.account(pipeline, now * width, machine);
            self.pipelines[pipeline].idle = reason;
        }
    }

    /// Says why pipelines that are busy will not issue when they no longer are, if nothing happens on the core before.
    pub(super) fn idle_later(&mut self, now: Cycle, width: u64) {
        for pipeline in 0..self.pipelines.len() {
            let busy = self.pipelines[pipeline].busy;
            // PERF: no division, unless it is free in that time.
            if busy > now * width && busy <= (self.next - 1).saturating_mul(width) {
                self.pipelines[pipeline].idle = self.why(busy.div_ceil(width));
            }
        }
    }

    /// Why nothing issues in a cycle, if nothing happens before.
    fn why(&self, at: Cycle) -> Idle {
        if self.waits.is_held_up(at) {
            Idle::Stall
        } else if self.waits_for_memory(at) {
            Idle::Memory
        } else {
            Idle::Nothing
        }
    }

    /// Whether there are threads that have not ended, and all wait for memory.
    fn waits_for_memory(&self, now: Cycle) -> bool {
        let waits = |resident: &Resident<U>, warp: usize| {
            let is_live = !resident.block.live(warp).is_empty();
            is_live.then(|| resident.clocks[warp].waits_for_memory(now))
        };
        // PERF: most often a warp shows at once that not all do.
        let (slot, warp) = self.active;
        if self.slots.get(slot).and_then(Option::as_ref).and_then(|resident| waits(resident, warp)) == Some(false) {
            return false;
        }
        let mut some = false;
        for resident in self.slots.iter().flatten() {
            for (warp, clock) in resident.clocks.iter().enumerate() {
                if resident.block.live(warp).is_empty() {
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
}
