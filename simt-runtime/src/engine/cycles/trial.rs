//! Warps that are tried out on copies.
//!
//! The copies have their policies behind pointers, so that this is compiled once and not for each policy.

use super::writes::changes_memory;
use super::{Circle, Distance, SEGMENT, Unknown};
use crate::engine::{Block, Launch, Turn, Units, Warps};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::plan::Control;
use crate::policy::{BoxedWarpPolicy, WarpPolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::program::BarrierOp;

/// A block whose policies are behind pointers.
type Copied = Block<Warps<BoxedWarpPolicy>>;

/// A copy of a block that is tried out.
struct Trial<'t, 'l, 'a> {
    launch: &'t Launch<'l>,
    memory: &'t mut Memory<'a>,
    block: Copied,
    /// Whether only one warp was copied.
    is_alone: bool,
    /// Registers to try a segment with.
    scratch: Registers,
    /// How much may still be looked at.
    effort: u64,
}

impl Trial<'_, '_, '_> {
    /// The next segment of a warp, which is noted. Returns whether it has come to a barrier.
    fn step(&mut self, warp: usize, circle: &mut Circle) -> Result<bool, Unknown> {
        let plan = self.launch.plan;
        let Some(WarpSplit { pc, mask }) = self.block.units.split(warp) else { return Err(Unknown::Changes) };
        let segment = &plan.segments[pc.index()];
        let cost = u64::from(segment.instructions) + SEGMENT;
        self.effort = self.effort.checked_sub(cost).ok_or(Unknown::TooLong)?;
        if self.block.units.only().is_none() {
            self.memory.select_warp(warp);
        }
        if let Control::Barrier { number, .. } = segment.control {
            if self.is_alone {
                return Err(Unknown::Arrives);
            }
            // Which warps meet at a barrier with a count may depend on their order.
            let barrier = &plan.barriers[number as usize];
            if barrier.threads.is_some() || matches!(barrier.op, BarrierOp::Arrive | BarrierOp::Grid) {
                return Err(Unknown::Changes);
            }
        }
        let registers = &self.block.units.warps[warp].registers;
        if changes_memory(plan, segment, mask, registers, &mut self.scratch, self.memory) {
            return Err(Unknown::Changes);
        }
        *circle.entry(pc).or_insert(LaneMask::EMPTY) |= mask;
        match self.block.turn(warp, 0, self.launch, self.memory, &mut ()) {
            Ok(turned) => match turned.turn {
                Turn::Paused => Ok(false),
                Turn::Arrived => Ok(true),
                Turn::Ended | Turn::Stuck => Err(Unknown::Changes),
            },
            Err(_) => Err(Unknown::Changes),
        }
    }

    /// The circle of a warp.
    fn circle(&mut self, warp: usize) -> Result<Circle, Unknown> {
        let mut kept = self.block.units.keep(warp, self.launch);
        let (mut distance, mut circle) = (Distance::new(), Circle::new());
        loop {
            if self.step(warp, &mut circle)? {
                return Err(Unknown::Arrives);
            }
            if self.block.units.is(warp, &kept, self.launch) {
                return Ok(circle);
            }
            if distance.is_to_be_replaced() {
                kept = self.block.units.keep(warp, self.launch);
                circle.clear();
            }
        }
    }

    /// All warps run to a barrier that waits for all, and pass it.
    fn pass_barrier(&mut self, circles: &mut [Circle]) -> Result<(), Unknown> {
        for (warp, circle) in circles.iter_mut().enumerate() {
            while self.block.units.runs(warp) {
                if self.step(warp, circle)? {
                    break;
                }
            }
        }
        if (0..circles.len()).any(|warp| self.block.waits(warp)) { Err(Unknown::Changes) } else { Ok(()) }
    }

    /// The circles of a block that leads through barriers: from one back to it.
    fn through_barriers(&mut self) -> Result<Vec<Circle>, Unknown> {
        let warps = self.block.units.warps().len();
        let mut circles: Vec<Circle> = (0..warps).map(|_| Circle::new()).collect();
        let (mut kept, mut distance) = (Vec::new(), Distance::new());
        loop {
            self.pass_barrier(&mut circles)?;
            let is = |(warp, kept)| self.block.units.is(warp, kept, self.launch);
            if !kept.is_empty() && kept.iter().enumerate().all(is) {
                return Ok(circles);
            }
            if distance.is_to_be_replaced() {
                kept = (0..warps).map(|warp| self.block.units.keep(warp, self.launch)).collect();
                circles.iter_mut().for_each(Circle::clear);
            }
        }
    }
}

/// The circles of the warps of a block, empty of those that do not run, if the block never ends.
#[cold]
pub(in crate::engine) fn circles<P: WarpPolicy>(
    block: &Block<Warps<P>>,
    effort: u64,
    launch: &Launch<'_>,
    memory: &mut Memory<'_>,
) -> Result<Vec<Circle>, Unknown> {
    let runs: Vec<bool> = (0..block.units.warps().len()).map(|warp| block.units.runs(warp)).collect();
    circles_of(&runs, &|only| block.with(block.units.copy(only, launch)), effort, launch, memory)
}

/// The same for a block of which it is known which warps can run and how to copy all of them or one.
fn circles_of(
    runs: &[bool],
    copy: &dyn Fn(Option<usize>) -> Copied,
    effort: u64,
    launch: &Launch<'_>,
    memory: &mut Memory<'_>,
) -> Result<Vec<Circle>, Unknown> {
    // Where no warp can run, each that can comes back: this proves nothing.
    if !runs.contains(&true) {
        return Err(Unknown::Changes);
    }
    let (mut left, mut circles) = (effort, Vec::new());
    for (warp, &runs) in runs.iter().enumerate() {
        let circle = if runs {
            try_out(copy, Some(warp), &mut left, launch, memory, |trial| trial.circle(warp))
        } else {
            Ok(Circle::new())
        };
        match circle {
            Ok(circle) => circles.push(circle),
            Err(Unknown::Arrives) => {
                left = effort;
                return try_out(copy, None, &mut left, launch, memory, |trial| trial.through_barriers());
            }
            Err(unknown) => return Err(unknown),
        }
    }
    Ok(circles)
}

/// Tries something out, on copies of all warps or of one, that leaves no trace.
fn try_out<T>(
    copy: &dyn Fn(Option<usize>) -> Copied,
    only: Option<usize>,
    effort: &mut u64,
    launch: &Launch<'_>,
    memory: &mut Memory<'_>,
    act: impl FnOnce(&mut Trial<'_, '_, '_>) -> Result<T, Unknown>,
) -> Result<T, Unknown> {
    // A return writes the arrays that its call has kept.
    if launch.plan.frames.iter().any(|frame| !frame.arrays.is_empty()) {
        return Err(Unknown::Changes);
    }
    let (races, serial, guarded_off) = (memory.races.take(), memory.serial, memory.guarded_off.clone());
    let (block, scratch) = (copy(only), launch.empty_registers());
    let mut trial = Trial { launch, memory: &mut *memory, block, is_alone: only.is_some(), scratch, effort: *effort };
    let result = act(&mut trial);
    *effort = trial.effort;
    (memory.races, memory.serial, memory.guarded_off) = (races, serial, guarded_off);
    result
}
