//! Warps that go round in circles: the proof that a block never ends in any order of its warps.
//!
//! A warp comes back to where it was (its policy, its registers, the calls that it is in), and on the way no lane has changed
//! memory. If that is so for each warp of the block that can run, nothing ever changes: whatever the order in which they
//! run, memory stays as it is, so each goes round as it did, and those that wait at barriers wait for ever. What memory
//! holds while a warp goes round is the same for all of them, as none changes it.
//!
//! Through barriers it is the block that comes back: from a barrier at which all warps wait back to it. What a warp does
//! between two of them follows from memory, which stays as it is, and from what it was told at the barrier; so here, too, the
//! order does not matter. Barriers with a count prove nothing, as it may depend on the order which warps meet there.
//!
//! All this is tried out on copies of the warps: the block itself stays where it is, and so does memory, as nothing is run that
//! would change it. An ordinary kernel soon comes to something that does, which ends the trial.
//!
//! What is kept to compare with is replaced after 1, 2, 4, 8, .. segments (Brent 1980, *An improved Monte Carlo factorization
//! algorithm*, section 2): a circle is found after at most three times as many as it takes to come into it and around.

mod repeat;
mod writes;

pub(crate) use repeat::*;

use crate::engine::Launch;
use crate::engine::{self, Arrival, State, Turn};
use crate::engine::{Barriers, ResidentWarp};
use crate::gpu::diagnose::Circle;
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::plan::Plan;
use crate::policy::{WarpPolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::Pc;
use simt_core::program::BarrierOp;
use writes::changes_memory;

/// What a segment costs to look at beyond its instructions, in units of work.
pub(crate) const SEGMENT: u64 = 4;

/// When what is kept to compare with is replaced.
pub(crate) struct Distance {
    /// Comparisons since it was kept, and after how many it is replaced.
    now: u64,
    replaced_after: u64,
}

impl Distance {
    pub(crate) fn new() -> Self {
        Self { now: 0, replaced_after: 1 }
    }

    /// It has been compared once more, and was another.
    pub(crate) fn is_to_be_replaced(&mut self) -> bool {
        self.now += 1;
        let replaced = self.now == self.replaced_after;
        if replaced {
            *self = Self { now: 0, replaced_after: 2 * self.replaced_after };
        }
        replaced
    }
}

/// A warp, to compare with.
pub(crate) struct Kept<P> {
    state: State<P>,
    words: Vec<u64>,
}

impl<P: WarpPolicy> Kept<P> {
    pub(crate) fn of(plan: &Plan, state: &State<P>, registers: &Registers) -> Self {
        Self { state: state.clone(), words: contents(plan, registers).collect() }
    }

    /// Whether a warp is as it was. What is compared first differs most often.
    pub(crate) fn is(&self, plan: &Plan, state: &State<P>, registers: &Registers) -> bool {
        state.current() == self.state.current()
            && state.is_as(&self.state)
            && contents(plan, registers).eq(self.words.iter().copied())
    }
}

fn contents(plan: &Plan, registers: &Registers) -> impl Iterator<Item = u64> {
    let (words, wides, predicates) = registers.contents(plan);
    let words = words.iter().flat_map(|chunk| chunk.0).map(u64::from);
    words.chain(wides.iter().flat_map(|chunk| chunk.0)).chain(predicates.iter().copied())
}

/// Why it is not known whether warps go round in circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// They change memory, or do something else that cannot be taken back.
    Changes,
    /// A warp has come to a barrier.
    Arrives,
    /// It would take longer than it may.
    TooLong,
}

/// Warps that are tried out.
struct Trial<'t, 'l, 'a> {
    launch: &'t Launch<'l>,
    memory: &'t mut Memory<'a>,
    /// Whether each warp has local arrays of its own.
    by_warp: bool,
    /// Registers to try a segment with.
    scratch: Registers,
    /// How much may still be looked at.
    effort: u64,
}

/// What a warp did in a segment.
struct Step {
    pc: Pc,
    mask: LaneMask,
    arrival: Option<Arrival>,
}

impl Trial<'_, '_, '_> {
    fn copy<P: WarpPolicy>(&self, state: &State<P>, registers: &Registers) -> ResidentWarp<P> {
        let mut copied = self.launch.empty_registers();
        copied.copy_from(registers, self.launch.plan);
        ResidentWarp { state: state.clone(), registers: copied }
    }

    /// The next segment of a warp.
    fn step<P: WarpPolicy>(&mut self, number: usize, warp: &mut ResidentWarp<P>) -> Result<Step, Unknown> {
        let plan = self.launch.plan;
        let ResidentWarp { registers, state } = warp;
        let Some(WarpSplit { pc, mask }) = state.current() else { return Err(Unknown::Changes) };
        let segment = &plan.segments[pc.index()];
        let cost = u64::from(segment.instructions) + SEGMENT;
        self.effort = self.effort.checked_sub(cost).ok_or(Unknown::TooLong)?;
        if self.by_warp {
            self.memory.select_warp(number);
        }
        if changes_memory(plan, segment, mask, registers, &mut self.scratch, self.memory) {
            return Err(Unknown::Changes);
        }
        match engine::run::<P, ()>(self.launch.warp(registers, self.memory, 0), state, &mut ()) {
            Ok(Turn::Paused) => Ok(Step { pc, mask, arrival: None }),
            Ok(Turn::Arrived(arrival)) => Ok(Step { pc, mask, arrival: Some(arrival) }),
            Ok(Turn::Ended) | Err(_) => Err(Unknown::Changes),
        }
    }

    /// The circle of a warp.
    fn circle<P: WarpPolicy>(&mut self, number: usize, mut warp: ResidentWarp<P>) -> Result<Circle, Unknown> {
        let plan = self.launch.plan;
        let mut kept = Kept::of(plan, &warp.state, &warp.registers);
        let mut distance = Distance::new();
        let mut circle = Circle::new();
        loop {
            let Step { pc, mask, arrival } = self.step(number, &mut warp)?;
            if arrival.is_some() {
                return Err(Unknown::Arrives);
            }
            *circle.entry(pc).or_insert(LaneMask::EMPTY) |= mask;
            if kept.is(plan, &warp.state, &warp.registers) {
                return Ok(circle);
            }
            if distance.is_to_be_replaced() {
                kept = Kept::of(plan, &warp.state, &warp.registers);
                circle.clear();
            }
        }
    }

    /// All warps run to a barrier that waits for all, and pass it.
    fn pass_barrier<P: WarpPolicy>(
        &mut self,
        warps: &mut [ResidentWarp<P>],
        barriers: &mut Barriers,
        circles: &mut [Circle],
    ) -> Result<(), Unknown> {
        let plan = self.launch.plan;
        for (number, circle) in circles.iter_mut().enumerate() {
            while warps[number].runs() {
                let Step { pc, mask, arrival } = self.step(number, &mut warps[number])?;
                *circle.entry(pc).or_insert(LaneMask::EMPTY) |= mask;
                let Some(arrival) = arrival else { continue };
                let waits_for_all =
                    arrival.threads.is_none() && plan.barriers[arrival.number as usize].op != BarrierOp::Arrive;
                if !waits_for_all || barriers.arrive(plan, number, arrival, self.memory).is_err() {
                    return Err(Unknown::Changes);
                }
            }
        }
        barriers.open(plan, warps, |_, state| state.open_barrier());
        if warps.iter().any(|warp| warp.state.waits_at().is_some()) {
            return Err(Unknown::Changes);
        }
        Ok(())
    }
}

impl Launch<'_> {
    /// The circle of a warp that runs while the others of its block do not.
    #[cold]
    pub(crate) fn circle<P: WarpPolicy>(
        &self,
        state: &State<P>,
        registers: &Registers,
        effort: u64,
        memory: &mut Memory<'_>,
    ) -> Result<Circle, Unknown> {
        self.try_out(false, effort, memory, |trial| {
            let warp = trial.copy(state, registers);
            trial.circle(0, warp)
        })
    }

    /// The circles of the warps of a block, empty of those that do not run, if the block never ends.
    #[cold]
    pub(crate) fn circles<P: WarpPolicy>(
        &self,
        warps: &[ResidentWarp<P>],
        barriers: &Barriers,
        effort: u64,
        memory: &mut Memory<'_>,
    ) -> Result<Vec<Circle>, Unknown> {
        // Where no warp can run, each that can comes back: this proves nothing.
        if !warps.iter().any(ResidentWarp::runs) {
            return Err(Unknown::Changes);
        }
        let circles = self.try_out(true, effort, memory, |trial| {
            let circle = |(number, warp): (usize, &ResidentWarp<P>)| {
                if !warp.runs() {
                    return Ok(Circle::new());
                }
                let copy = trial.copy(&warp.state, &warp.registers);
                trial.circle(number, copy)
            };
            warps.iter().enumerate().map(circle).collect()
        });
        match circles {
            Err(Unknown::Arrives) => self.try_out(true, effort, memory, |trial| through(trial, warps, barriers)),
            circles => circles,
        }
    }

    /// Tries something out that leaves no trace.
    fn try_out<T>(
        &self,
        by_warp: bool,
        effort: u64,
        memory: &mut Memory<'_>,
        act: impl FnOnce(&mut Trial<'_, '_, '_>) -> Result<T, Unknown>,
    ) -> Result<T, Unknown> {
        // A return writes the arrays that its call has kept.
        if self.plan.frames.iter().any(|frame| !frame.arrays.is_empty()) {
            return Err(Unknown::Changes);
        }
        let (races, serial) = (memory.races.take(), memory.serial);
        let mut trial = Trial { launch: self, memory, by_warp, scratch: self.empty_registers(), effort };
        let result = act(&mut trial);
        (memory.races, memory.serial) = (races, serial);
        result
    }
}

/// The circles of a block that leads through barriers: from one back to it.
fn through<P: WarpPolicy>(
    trial: &mut Trial<'_, '_, '_>,
    warps: &[ResidentWarp<P>],
    barriers: &Barriers,
) -> Result<Vec<Circle>, Unknown> {
    let plan = trial.launch.plan;
    let mut barriers = barriers.clone();
    let mut warps: Vec<_> = warps.iter().map(|warp| trial.copy(&warp.state, &warp.registers)).collect();
    let mut circles: Vec<Circle> = warps.iter().map(|_| Circle::new()).collect();
    let (mut kept, mut distance) = (Vec::new(), Distance::new());
    loop {
        trial.pass_barrier(&mut warps, &mut barriers, &mut circles)?;
        let is = |(warp, kept): (&ResidentWarp<P>, &Kept<P>)| kept.is(plan, &warp.state, &warp.registers);
        if !kept.is_empty() && warps.iter().zip(&kept).all(is) {
            return Ok(circles);
        }
        if distance.is_to_be_replaced() {
            kept = warps.iter().map(|warp| Kept::of(plan, &warp.state, &warp.registers)).collect();
            circles.iter_mut().for_each(Circle::clear);
        }
    }
}
