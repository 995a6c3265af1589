//! A block whose warps may wait for each other: they take turns, and meet at barriers.
//!
//! Semantics of barriers: CUDA report, section 5.5 (a warp counts as a whole; index, thread count and kind must agree), but
//! that warps that have ended are no longer waited for where no count is given, as hardware has it.

use crate::engine::{Arrival, State};
use crate::error::BarrierProblem;
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::plan::Plan;
use crate::policy::{Tally, WarpPolicy};
use simt_core::LaneMask;
use simt_core::program::BarrierOp;

/// Barriers of a block.
const BARRIERS: usize = 16;

/// A warp of the block.
pub(crate) struct ResidentWarp<P> {
    pub(crate) registers: Registers,
    pub(crate) state: State<P>,
}

impl<P: WarpPolicy> ResidentWarp<P> {
    /// Whether it can run: it has not ended and does not wait at a barrier.
    pub(crate) fn runs(&self) -> bool {
        !self.state.live.is_empty() && self.state.waits_at().is_none()
    }
}

/// The barriers of a block.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Barriers {
    slots: [Option<Barrier>; BARRIERS],
    /// What warps waited in, for the next barrier.
    spare: Tally<Vec<(usize, Arrival)>>,
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
    waiting: Vec<(usize, Arrival)>,
}

impl Barriers {
    pub(crate) fn new(warp_width: usize) -> Self {
        Self { slots: [const { None }; BARRIERS], spare: Tally::default(), warp_width: warp_width as u32 }
    }

    /// A warp arrives.
    ///
    /// # Errors
    /// What is wrong with its barrier.
    pub(crate) fn arrive(
        &mut self,
        plan: &Plan,
        warp: usize,
        arrival: Arrival,
        memory: &mut Memory<'_>,
    ) -> Result<(), BarrierProblem> {
        let op = plan.barriers[arrival.number as usize].op;
        let width = self.warp_width;
        let index = arrival.index;
        let Some(slot) = self.slots.get_mut(index as usize) else {
            return Err(BarrierProblem::NoSuchBarrier { index });
        };
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
        });
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
            barrier.waiting.push((warp, arrival));
        }
        if let Some(races) = &mut memory.races {
            races.arrive(warp, arrival.lanes, index, first, waits);
        }
        Ok(())
    }

    /// How many threads have come to a barrier, and how many it waits for.
    pub(crate) fn progress<P: WarpPolicy>(&self, index: u32, warps: &[ResidentWarp<P>]) -> Option<(u32, u32)> {
        let barrier = self.slots.get(index as usize)?.as_ref()?;
        Some((barrier.arrived, barrier.threads.unwrap_or(live(warps) * self.warp_width)))
    }

    /// Opens the barriers at which all have come; `go_on` lets a warp go on that has waited. Gives whether one opened.
    pub(crate) fn open<P: WarpPolicy>(
        &mut self,
        plan: &Plan,
        warps: &mut [ResidentWarp<P>],
        mut go_on: impl FnMut(usize, &mut State<P>),
    ) -> bool {
        let live = live(warps);
        let mut opened = false;
        for slot in &mut self.slots {
            let wanted = |barrier: &Barrier| barrier.threads.unwrap_or(live * self.warp_width);
            let Some(mut barrier) = slot.take_if(|barrier| barrier.arrived >= wanted(barrier)) else { continue };
            opened = true;
            let holds: u32 = barrier.waiting.iter().map(|(_, arrival)| arrival.values.count() as u32).sum();
            let all = barrier.waiting.iter().all(|(_, arrival)| arrival.values == arrival.lanes);
            let result = match barrier.op {
                BarrierOp::And => u64::from(all),
                BarrierOp::Or => u64::from(holds > 0),
                BarrierOp::Count => u64::from(holds),
                BarrierOp::Sync | BarrierOp::Arrive => 0,
            };
            for (number, arrival) in barrier.waiting.drain(..) {
                let warp = &mut warps[number];
                if let Some(dst) = plan.barriers[arrival.number as usize].dst {
                    arrival.lanes.lanes().for_each(|lane| warp.registers.set(dst, lane, result));
                }
                go_on(number, &mut warp.state);
            }
            self.spare.0 = barrier.waiting;
        }
        opened
    }
}

/// How many warps have not ended.
pub(crate) fn live<P: WarpPolicy>(warps: &[ResidentWarp<P>]) -> u32 {
    warps.iter().filter(|warp| !warp.state.live.is_empty()).count() as u32
}

/// The lanes that have threads, of a warp of a block.
pub(crate) fn threads_of(warp: usize, threads: usize, width: usize) -> LaneMask {
    LaneMask::first((threads - warp * width).min(width))
}
