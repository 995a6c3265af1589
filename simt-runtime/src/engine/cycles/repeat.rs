//! What repeats itself, memory and all.
//!
//! A warp that runs while no other of its block can, and a block whose threads the policy regroups, go on as their
//! configuration says: policies, registers, which threads have run ahead, barriers, and memory. So a configuration that
//! comes a second time comes again and again, also if memory changes on the way. That is a proof; that none has come again
//! so far proves nothing.
//!
//! They are looked at segment by segment while they run, for as long as a look may take.

use crate::engine::Launch;
use crate::engine::{self, Ahead, State, Turn, WarpStop};
use crate::engine::{Barriers, ResidentWarp};
use crate::engine::{Distance, Kept, SEGMENT};
use crate::gpu::diagnose::Circle;
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::observe::Observer;
use crate::plan::Plan;
use crate::policy::{BlockPolicy, ByWarp, WarpPolicy};
use simt_core::LaneMask;

/// What memory held, and how much may still be looked at.
pub(crate) struct Image {
    effort: u64,
    /// What it costs to look at all of memory, in units of work.
    price: u64,
    words: Vec<u64>,
    now: Vec<u64>,
}

impl Image {
    /// For a look at so much.
    pub(crate) fn new(effort: u64, memory: &Memory<'_>) -> Self {
        Self { effort, price: memory.size() as u64 / 4, words: Vec::new(), now: Vec::new() }
    }

    fn pay(&mut self, price: u64) -> Option<()> {
        self.effort = self.effort.checked_sub(price)?;
        Some(())
    }

    /// A segment of so many instructions is looked at. Nothing if that is too much.
    pub(crate) fn segment(&mut self, instructions: u64) -> Option<()> {
        self.pay(instructions + SEGMENT)
    }

    /// Keeps what memory holds.
    pub(crate) fn keep(&mut self, memory: &Memory<'_>) -> Option<()> {
        self.pay(self.price)?;
        self.words.clear();
        memory.show(&mut self.words);
        Some(())
    }

    /// Whether memory holds what it did.
    pub(crate) fn is(&mut self, memory: &Memory<'_>) -> Option<bool> {
        self.pay(self.price)?;
        self.now.clear();
        memory.show(&mut self.now);
        Some(self.now == self.words)
    }
}

/// A block whose threads are regrouped, to compare with.
pub(crate) struct KeptBlock<C> {
    policy: C,
    warps: Vec<Kept<ByWarp<C>>>,
    barriers: Barriers,
    ahead: Ahead,
}

impl<C: BlockPolicy> KeptBlock<C> {
    pub(crate) fn of(
        plan: &Plan,
        policy: &C,
        warps: &[ResidentWarp<ByWarp<C>>],
        barriers: &Barriers,
        ahead: &Ahead,
    ) -> Self {
        let warps = warps.iter().map(|warp| Kept::of(plan, &warp.state, &warp.registers)).collect();
        Self { policy: policy.clone(), warps, barriers: barriers.clone(), ahead: ahead.clone() }
    }

    /// Whether the block stands as it did. What is compared first differs most often.
    pub(crate) fn is(
        &self,
        plan: &Plan,
        policy: &C,
        warps: &[ResidentWarp<ByWarp<C>>],
        barriers: &Barriers,
        ahead: &Ahead,
    ) -> bool {
        let place = |policy: &C| policy.current().map(|split| (split.pc, split.threads.count()));
        place(policy) == place(&self.policy)
            && *policy == self.policy
            && *barriers == self.barriers
            && *ahead == self.ahead
            && warps.iter().zip(&self.warps).all(|(warp, kept)| kept.is(plan, &warp.state, &warp.registers))
    }
}

impl Launch<'_> {
    /// A turn of a warp that runs while the others of its block do not. If it comes back to where it was, its circle.
    #[cold]
    pub(crate) fn turn_alone<P: WarpPolicy, O: Observer>(
        &self,
        registers: &mut Registers,
        state: &mut State<P>,
        effort: u64,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(Turn, Option<Circle>), WarpStop> {
        let plan = self.plan;
        let mut image = Image::new(effort, memory);
        let mut kept = Kept::of(plan, state, registers);
        if image.keep(memory).is_none() {
            return Ok((Turn::Paused, None));
        }
        let (mut distance, mut circle) = (Distance::new(), Circle::new());
        loop {
            let split = state.current();
            let before = state.steps();
            let turn = engine::run::<P, O>(self.warp(registers, memory, 0), state, observer)?;
            let (Turn::Paused, Some(split)) = (turn, split) else { return Ok((turn, None)) };
            *circle.entry(split.pc).or_insert(LaneMask::EMPTY) |= split.mask;
            if image.segment(state.steps() - before).is_none() {
                return Ok((turn, None));
            }
            if kept.is(plan, state, registers) {
                match image.is(memory) {
                    Some(true) => return Ok((turn, Some(circle))),
                    Some(false) => {}
                    None => return Ok((turn, None)),
                }
            }
            if distance.is_to_be_replaced() {
                kept = Kept::of(plan, state, registers);
                circle.clear();
                if image.keep(memory).is_none() {
                    return Ok((turn, None));
                }
            }
        }
    }
}
