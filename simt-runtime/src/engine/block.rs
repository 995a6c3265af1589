//! A block that runs: its turns, its barriers, and what is to be seen of it when it stops. For every way to run a launch.

use super::barrier::Barriers;
use super::control::Halt;
use super::state::ResidentWarp;
use super::stopped::{Stopped, StoppedWarp, Why};
use super::{Circle, Launch, LivelockProof, Turn, Turned, Unknown};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::observe::Observer;
use crate::plan::Plan;
use crate::policy::checked::BrokenCheck;
use crate::policy::{WarpPart, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::Pc;
use simt_core::program::BarrierOp;
use std::ops::Deref;

/// What of a block takes turns: its warps, or, if its policy regroups their threads, the block as a whole.
pub(crate) trait Units {
    /// Whether threads of several warps issue together.
    const REGROUPS: bool;

    /// What a unit is compared with that may come back to where it was.
    type Kept;

    /// The threads of a unit that issue together, by warp.
    type Parts: Default + Deref<Target = [WarpPart]>;

    /// How many units there are, of a block of so many warps.
    fn count(warps: usize) -> usize;

    /// The warps of the program that run. All methods name warps by their places here.
    fn warps(&self) -> &[ResidentWarp];
    /// The same, to be changed.
    fn warps_mut(&mut self) -> &mut Vec<ResidentWarp>;
    /// The lanes of a warp by address, those that issue next first.
    fn splits(&self, warp: usize) -> Vec<WarpSplit>;

    /// Whether a unit can run: not all of it has ended or waits at barriers.
    fn runs(&self, unit: usize) -> bool;
    /// Lets a unit issue so many instructions, and the last segment to its end.
    fn run<O: Observer>(
        &mut self,
        unit: usize,
        turn: u64,
        block: usize,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Turn, Halt>;
    /// The warps that have just come to barriers.
    fn arrivals(&mut self) -> &mut Vec<usize>;
    /// How many instructions a unit has issued.
    fn steps(&self, unit: usize) -> u64;
    /// A number that changes whenever threads of a unit end.
    fn ends(&self, unit: usize) -> u64;
    /// The barrier has opened at which a warp waited.
    fn leave_barrier(&mut self, warp: usize);
    /// All wait, and no barrier opens: whether the policy lets some go on that it holds back itself.
    fn release(&mut self, _plan: &Plan) -> bool {
        false
    }
    /// What the policy of a unit has broken, and in which warp.
    fn broken(&self, unit: usize) -> Option<(usize, &BrokenCheck)>;
    /// The address at which a unit issues next, if it can. Its threads that do are put in place of others.
    fn current(&self, unit: usize, parts: &mut Self::Parts) -> Option<Pc>;
    /// An observer hears what the policies have counted.
    fn tell(&self, observer: &mut impl Observer);

    /// Keeps a unit, to compare it later.
    fn keep(&self, unit: usize, launch: &Launch<'_>) -> Self::Kept;
    /// Whether a unit stands as it did.
    fn is(&self, unit: usize, kept: &Self::Kept, launch: &Launch<'_>) -> bool;
    /// The circles of the warps of a block, empty of those that do not run, if it can be shown within some effort that the block
    /// never ends.
    fn circles(
        _block: &Block<Self>,
        _effort: u64,
        _launch: &Launch<'_>,
        _memory: &mut Memory<'_>,
    ) -> Result<Vec<Circle>, Unknown>
    where
        Self: Sized,
    {
        Err(Unknown::Changes)
    }
    /// The number of the warp, if the others of the block run before or after it.
    fn only(&self) -> Option<usize> {
        None
    }
    /// From now on registers are those of where the threads are.
    fn settle(&mut self) {}

    /// With a clock: when a unit can choose what to issue, of the lanes that are free, by warp: now, or later.
    fn ready(&mut self, _free: &[LaneMask], now: u64) -> u64 {
        now
    }
    /// With a clock: chooses what of a unit issues, of the lanes that are free, by warp, and puts it in place of others. Returns
    /// the address.
    fn select(&mut self, unit: usize, free: &[LaneMask], parts: &mut Self::Parts) -> Option<Pc>;
    /// With a clock: what was chosen of a unit issues the instruction at an address, which [keeps to
    /// itself](crate::plan::Plan::keeps_to_itself), if the unit can do so without a turn.
    fn without_turn<O: Observer>(
        &mut self,
        _unit: (usize, Pc),
        _block: usize,
        _launch: &Launch<'_>,
        _memory: &mut Memory<'_>,
        _observer: &mut O,
    ) -> WithoutTurn {
        WithoutTurn::No
    }
    /// With a clock: of a warp that issues as a whole, the address of its next instruction, unless it waits.
    fn next(&self, _unit: usize) -> Option<Pc> {
        None
    }
    /// With a clock: of a warp, those of `late` wait longer for what they have loaded than others. Returns whether the policy
    /// has divided a split of it.
    fn divide(&mut self, _unit: usize, _late: LaneMask) -> bool {
        false
    }
    /// With a clock: before a branch or call. Returns whether the policy holds its current split back.
    fn hold(&mut self, _unit: usize) -> bool {
        false
    }
}

/// What became of an instruction that keeps to itself.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WithoutTurn {
    /// It is executed, and the unit issues next at an address.
    Next(Pc),
    /// It is executed, and nothing of the unit can go on: a turn is to say what becomes of it.
    Last,
    /// It is not executed: that takes a turn.
    No,
}

/// A block that runs.
#[derive(Debug)]
pub(crate) struct Block<U> {
    pub(crate) number: usize,
    pub(crate) units: U,
    pub(super) barriers: Barriers,
    /// How many warps have not ended. PERF: counted when threads have ended.
    pub(super) live_warps: u32,
}

impl<U: Units> Block<U> {
    pub(super) fn new(number: usize, units: U, launch: &Launch<'_>) -> Self {
        let barriers = Barriers::new(launch.config.warp_width);
        let live_warps = count_live(&units);
        Self { number, units, barriers, live_warps }
    }

    /// All have ended, and the block has another number from now on, with as many warps.
    pub(super) fn begin(&mut self, number: usize) {
        self.number = number;
        self.barriers.clear();
        self.live_warps = self.units.warps().len() as u32;
    }

    /// The same block with other units that stand as these do.
    pub(super) fn with<V>(&self, units: V) -> Block<V> {
        Block { number: self.number, units, barriers: self.barriers.clone(), live_warps: self.live_warps }
    }

    /// Why the block never ends, whichever of its warps runs when, if that can be shown within some effort.
    #[cold]
    pub(crate) fn never_ends(
        &self,
        effort: u64,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
    ) -> Result<(Vec<Circle>, LivelockProof), Unknown> {
        // A configuration of the memory environment is more than what is compared; so is one of all blocks that run together.
        if memory.modelled.is_some() || launch.plan.meets_as_grid() {
            return Err(Unknown::TooLong);
        }
        let circles = memory.tried(|memory| U::circles(self, effort, launch, memory));
        circles.map(|circles| (circles, self.proof(launch)))
    }

    /// The lanes of a warp that have not ended.
    pub(crate) fn live(&self, warp: usize) -> LaneMask {
        self.units.warps()[warp].state.live
    }

    /// Whether a warp waits at a barrier.
    pub(crate) fn waits(&self, warp: usize) -> bool {
        self.units.warps()[warp].state.barrier.is_some()
    }

    /// How many warps have not ended.
    pub(crate) fn live_warps(&self) -> u32 {
        self.live_warps
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.units.warps().iter().all(|warp| warp.state.live.is_empty())
    }

    /// A turn of a unit: it runs, warps that have come to barriers arrive there, and barriers at which all have come open.
    #[inline(always)]
    pub(crate) fn turn<O: Observer>(
        &mut self,
        unit: usize,
        length: u64,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Turned, Box<Stopped>> {
        let Self { number, units, .. } = self;
        let before = (units.steps(unit), units.ends(unit));
        let ran = units.run(unit, length, *number, launch, memory, observer);
        self.turned(unit, before, ran, launch, memory)
    }

    /// The first turn of a warp that runs alone; `None` if it has ended in it, and done no more than a block may.
    ///
    /// PERF: most warps of short kernels end so, and what else is to be known of a turn is a tenth of their time.
    #[inline(always)]
    pub(super) fn first_turn<O: Observer>(
        &mut self,
        length: u64,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Option<Turned>, Box<Stopped>> {
        let Self { number, units, .. } = self;
        let before = (0, units.ends(0));
        let ran = units.run(0, length, *number, launch, memory, observer);
        if matches!(ran, Ok(Turn::Ended))
            && self.units.steps(0).saturating_add(memory.serial) <= launch.config.progress_limit
        {
            memory.serial = 0;
            return Ok(None);
        }
        self.turned(0, before, ran, launch, memory).map(Some)
    }

    /// A unit has had a turn. Before it, it had issued `steps` instructions, and [`Units::ends`] was `ends`.
    #[inline(always)]
    fn turned(
        &mut self,
        unit: usize,
        (steps, ends): (u64, u64),
        ran: Result<Turn, (usize, Why)>,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
    ) -> Result<Turned, Box<Stopped>> {
        let mut turn = ran.map_err(|(warp, why)| self.stopped(warp, why))?;
        let ended = self.units.ends(unit) != ends;
        if ended {
            self.live_warps = count_live(&self.units);
        }
        debug_assert_eq!(self.live_warps, count_live(&self.units), "threads have ended unseen");
        let opened = turn != Turn::Paused && !launch.plan.barriers.is_empty() && self.meet(launch, memory)?;
        if turn == Turn::Stuck {
            let goes_on = opened || self.units.release(launch.plan);
            self.check(unit)?;
            if goes_on {
                turn = Turn::Arrived;
            }
        }
        let issued = self.units.steps(unit) - steps;
        Ok(Turned { turn, issued, serial: std::mem::take(&mut memory.serial), ended, opened })
    }

    /// The warps that have come to barriers arrive there, and barriers at which all have come open. Returns whether one has.
    fn meet(&mut self, launch: &Launch<'_>, memory: &mut Memory<'_>) -> Result<bool, Box<Stopped>> {
        let mut arrivals = std::mem::take(self.units.arrivals());
        for warp in arrivals.drain(..) {
            let state = &mut self.units.warps_mut()[warp].state;
            let Some(arrival) = state.barrier else { continue };
            // `bar.sync` and `bar.red` imply `membar.cta`, `bar.arrive` does not (CUDA report, section 5.3.2).
            if launch.plan.barriers[arrival.number as usize].op == BarrierOp::Arrive {
                state.barrier = None;
            } else {
                memory.settle(warp);
            }
            if let Err(problem) = self.barriers.arrive(launch.plan, warp, &arrival, memory) {
                return Err(self.stopped(warp, Why::Barrier { problem, arrival }));
            }
        }
        *self.units.arrivals() = arrivals;
        Ok(self.open(launch))
    }

    /// Opens the barriers at which all have come. Returns whether there was one.
    pub(crate) fn open(&mut self, launch: &Launch<'_>) -> bool {
        let Self { units, barriers, live_warps, .. } = self;
        barriers.open(*live_warps, |warp, result| {
            let ResidentWarp { registers, state } = &mut units.warps_mut()[warp];
            if let Some(arrival) = &state.barrier
                && let Some(dst) = launch.plan.barriers[arrival.number as usize].dst
            {
                arrival.lanes.lanes().for_each(|lane| registers.set(dst, lane, result));
            }
            units.leave_barrier(warp);
        })
    }

    /// Whether all that is left of the block waits at the barrier of the grid.
    pub(crate) fn waits_for_grid(&self) -> bool {
        self.barriers.waits_for_grid(self.live_warps())
    }

    /// All blocks have come to the barrier of the grid: this one goes on.
    pub(crate) fn open_grid(&mut self) {
        let Self { units, barriers, .. } = self;
        barriers.open_grid(|warp| units.leave_barrier(warp));
    }

    /// Fails if the policy of a unit has broken a check or a law.
    pub(crate) fn check(&mut self, unit: usize) -> Result<(), Box<Stopped>> {
        let broken = self.units.broken(unit).map(|(warp, broken)| (warp, Why::Check(Box::new(broken.clone()))));
        broken.map_or(Ok(()), |(warp, why)| Err(self.stopped(warp, why)))
    }

    /// The block ends: an observer hears what its policies have counted. Returns its registers, for another.
    pub(crate) fn end(self, observer: &mut impl Observer) -> Vec<Registers> {
        self.units.tell(observer);
        self.into_registers()
    }

    /// The registers of its warps, for others.
    pub(super) fn into_registers(mut self) -> Vec<Registers> {
        std::mem::take(self.units.warps_mut()).into_iter().map(|warp| warp.registers).collect()
    }

    /// What is to be seen of the block when it stops at a warp. Its registers are taken.
    #[cold]
    pub(crate) fn stopped(&mut self, place: usize, why: Why) -> Box<Stopped> {
        let (barriers, first) = (self.barriers.progress(self.live_warps()), self.units.only().unwrap_or(0));
        let splits: Vec<_> = (0..self.units.warps().len()).map(|warp| self.units.splits(warp)).collect();
        let stopped = |((number, warp), splits): ((usize, &mut ResidentWarp), _)| StoppedWarp {
            number: first + number,
            registers: std::mem::replace(&mut warp.registers, Registers::new(0, 0, 0, 0)),
            live: warp.state.live,
            splits,
            calls: warp.state.calls.clone(),
            arrived: warp.state.arrived.to_vec(),
            waits_at: warp.state.barrier,
        };
        let warps = self.units.warps_mut().iter_mut().enumerate().zip(splits).map(stopped).collect();
        Box::new(Stopped { block: self.number, place, why, warps, barriers })
    }

    /// The first warp that has not ended.
    pub(crate) fn first_left(&self) -> usize {
        self.units.warps().iter().position(|warp| !warp.state.live.is_empty()).unwrap_or(0)
    }
}

/// How many warps of a block have not ended.
fn count_live(units: &impl Units) -> u32 {
    units.warps().iter().filter(|warp| !warp.state.live.is_empty()).count() as u32
}
