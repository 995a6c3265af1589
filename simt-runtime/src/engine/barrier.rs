//! The barriers of a block.
//!
//! Semantics: CUDA report, section 5.5 (a warp counts as a whole; index, thread count and kind must agree), but
//! that warps that have ended are no longer waited for where no count is given, as hardware has it.

use super::Arrival;
use crate::memory::Memory;
use crate::plan::Plan;
use crate::policy::Tally;
use simt_core::LaneMask;
use simt_core::program::BarrierOp;

/// Barriers of a block.
const BARRIERS: usize = 16;

/// The number of the barrier of the grid, behind those of the block.
pub(crate) const GRID: u32 = BARRIERS as u32;

/// The barriers of a block.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Barriers {
    /// Those of the block, by number, and that of the grid.
    slots: [Option<Barrier>; BARRIERS + 1],
    /// A bit for each slot that has a barrier.
    used: u32,
    /// What warps waited in, for the next barrier.
    spare: Tally<Vec<usize>>,
    warp_width: u32,
}

/// A barrier at which a warp has arrived.
#[derive(Clone, Debug, PartialEq)]
struct Barrier {
    op: BarrierOp,
    /// How many threads must come, if it is said.
    threads: Option<u32>,
    /// How many have come; a warp counts as a whole.
    arrived: u32,
    /// The warps that wait.
    waiting: Vec<usize>,
    /// For how many of their threads the predicate holds, of a reduction, and whether it holds for all.
    holds: u32,
    all: bool,
}

impl Barriers {
    pub(super) fn new(warp_width: usize) -> Self {
        let slots = [const { None }; BARRIERS + 1];
        Self { slots, used: 0, spare: Tally::default(), warp_width: warp_width as u32 }
    }

    /// None waits any more, and what has arrived is forgotten.
    pub(super) fn clear(&mut self) {
        LaneMask(u64::from(self.used)).lanes().for_each(|index| self.slots[index] = None);
        self.used = 0;
    }

    /// A warp arrives.
    ///
    /// # Errors
    /// What is wrong with its barrier.
    #[inline(always)]
    pub(super) fn arrive(
        &mut self,
        plan: &Plan,
        warp: usize,
        arrival: &Arrival,
        memory: &mut Memory<'_>,
    ) -> Result<(), BarrierProblem> {
        let op = plan.barriers[arrival.number as usize].op;
        let width = self.warp_width;
        let index = arrival.index;
        let slot = self.slots.get_mut(index as usize).filter(|_| index != GRID || op == BarrierOp::Grid);
        let Some(slot) = slot else { return Err(BarrierProblem::NoSuchBarrier { index }) };
        if let Some(threads) = arrival.threads
            && (threads == 0 || !threads.is_multiple_of(width))
        {
            return Err(BarrierProblem::Threads { threads, warp_width: width as usize });
        }
        let (spare, first) = (&mut self.spare.0, slot.is_none());
        let barrier = slot.get_or_insert_with(|| Barrier {
            op,
            threads: arrival.threads,
            arrived: 0,
            waiting: std::mem::take(spare),
            holds: 0,
            all: true,
        });
        self.used |= 1 << index;
        if barrier.threads != arrival.threads {
            let (expected, threads) = (barrier.threads, arrival.threads);
            return Err(BarrierProblem::OtherThreads { index, expected, threads });
        }
        let reduces = |op| matches!(op, BarrierOp::And | BarrierOp::Or | BarrierOp::Count);
        if barrier.op != op && (reduces(op) || reduces(barrier.op)) {
            let (expected, operation) = (barrier.op.name(), op.name());
            return Err(BarrierProblem::OtherOperation { index, expected, operation });
        }
        barrier.arrived += width;
        let waits = op != BarrierOp::Arrive;
        if waits {
            barrier.waiting.push(warp);
            barrier.holds += arrival.values.count() as u32;
            barrier.all &= arrival.values == arrival.lanes;
        }
        if let Some(races) = &mut memory.races {
            races.arrive(warp, arrival.lanes, (index, arrival.threads.is_none()), first, waits);
        }
        Ok(())
    }

    /// Of each barrier at which warps wait or have arrived, how many threads have come, and how many it waits for if so many
    /// warps have not ended.
    pub(super) fn progress(&self, live: u32) -> Vec<Option<(u32, u32)>> {
        let wanted = |barrier: &Barrier| barrier.threads.unwrap_or(live * self.warp_width);
        self.slots.iter().map(|slot| slot.as_ref().map(|barrier| (barrier.arrived, wanted(barrier)))).collect()
    }

    /// Whether all warps of the block, of which so many have not ended, wait for those of other blocks.
    pub(super) fn waits_for_grid(&self, live: u32) -> bool {
        self.slots[GRID as usize].as_ref().is_some_and(|barrier| barrier.arrived >= live * self.warp_width)
    }

    /// Opens the barrier of the grid: all warps that wait there go on.
    pub(super) fn open_grid(&mut self, mut go_on: impl FnMut(usize)) {
        if let Some(mut barrier) = self.slots[GRID as usize].take() {
            self.used &= !(1 << GRID);
            barrier.waiting.drain(..).for_each(&mut go_on);
            self.spare.0 = barrier.waiting;
        }
    }

    /// Opens the block's barriers at which all have come, if so many warps have not ended: `go_on` lets a warp go on that has
    /// waited, with what the barrier has computed. Returns whether one opened.
    #[inline(always)]
    pub(super) fn open(&mut self, live: u32, mut go_on: impl FnMut(usize, u64)) -> bool {
        let mut opened = false;
        for index in LaneMask(u64::from(self.used & !(1 << GRID))).lanes() {
            let wanted = |barrier: &Barrier| barrier.threads.unwrap_or(live * self.warp_width);
            let open = self.slots[index].take_if(|barrier| barrier.arrived >= wanted(barrier));
            let Some(mut barrier) = open else { continue };
            self.used &= !(1 << index);
            opened = true;
            let result = match barrier.op {
                BarrierOp::And => u64::from(barrier.all),
                BarrierOp::Or => u64::from(barrier.holds > 0),
                BarrierOp::Count => u64::from(barrier.holds),
                BarrierOp::Sync | BarrierOp::Arrive | BarrierOp::Grid => 0,
            };
            barrier.waiting.drain(..).for_each(|warp| go_on(warp, result));
            self.spare.0 = barrier.waiting;
        }
        opened
    }
}

/// What is wrong with the use of a barrier of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BarrierProblem {
    /// There are 16, numbered from 0.
    NoSuchBarrier {
        /// The number.
        index: u32,
    },
    /// Threads arrive warp by warp: their number must be a multiple of the warp width, and not 0.
    Threads {
        /// The number of threads that were to arrive.
        threads: u32,
        /// The warp width.
        warp_width: usize,
    },
    /// Lanes of one warp name different barriers, or numbers of threads.
    NotUniform,
    /// Others are waiting there for another number of threads.
    OtherThreads {
        /// The barrier.
        index: u32,
        /// The number that others gave; without one, all threads of the block that have not returned.
        expected: Option<u32>,
        /// The number that this thread gave.
        threads: Option<u32>,
    },
    /// Others are doing something else there.
    OtherOperation {
        /// The barrier.
        index: u32,
        /// What others are doing.
        expected: &'static str,
        /// What this thread does.
        operation: &'static str,
    },
}
