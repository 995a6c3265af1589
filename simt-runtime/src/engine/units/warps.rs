//! Warps that keep their threads: each is a unit.

use super::Start;
use crate::engine::control::Halt;
use crate::engine::cycles::{contents, trial};
use crate::engine::state::{ResidentWarp, WarpState};
use crate::engine::warp_loop::{self, Warp, WarpTurn};
use crate::engine::{Block, Circle, Init, Launch, Turn, Units, Unknown, WithoutTurn, collective};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::observe::{Observer, WarpId};
use crate::policy::checked::BrokenCheck;
use crate::policy::{BoxedWarpPolicy, WarpPart, WarpPolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::Pc;
use std::ops::Deref;

/// The warps of a block, or one of them if they run one after the other.
#[derive(Debug)]
pub(crate) struct Warps<P> {
    pub(in crate::engine) warps: Vec<ResidentWarp>,
    /// By warp; taken while it runs.
    pub(in crate::engine) policies: Vec<Option<P>>,
    first: usize,
    arrivals: Vec<usize>,
    /// Whether the block has others, which do not run meanwhile.
    one_by_one: bool,
}

/// Those of a warp that issue: none or one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OfWarp(Option<WarpPart>);

impl Deref for OfWarp {
    type Target = [WarpPart];

    #[inline]
    fn deref(&self) -> &[WarpPart] {
        self.0.as_slice()
    }
}

/// A warp, to compare with.
pub(crate) struct KeptWarp<P> {
    policy: Option<P>,
    state: WarpState,
    words: Vec<u64>,
}

impl<P: WarpPolicy> Warps<P> {
    pub(in crate::engine) fn split(&self, unit: usize) -> Option<WarpSplit> {
        self.policies[unit].as_ref().and_then(P::current)
    }

    /// A warp is to run: memory and an observer are told.
    fn enter(&self, unit: usize, block: usize, memory: &mut Memory<'_>, observer: &mut impl Observer) {
        let warp = self.first + unit;
        // Warps that run one after the other share their local arrays.
        if self.one_by_one {
            memory.name_warp(warp);
        } else {
            memory.select_warp(warp);
        }
        observer.warp(WarpId { block, warp });
    }

    /// The same warps with the same policies, to be tried out: all of them, or one, with the others only to be counted.
    pub(in crate::engine) fn copy(&self, only: Option<usize>, launch: &Launch<'_>) -> Warps<BoxedWarpPolicy> {
        let copy = |(number, warp): (usize, &ResidentWarp)| {
            if only.is_some_and(|only| only != number) {
                let registers = Registers::new(0, 0, 0, 0);
                return (ResidentWarp { registers, state: WarpState::new(warp.state.live) }, None);
            }
            let mut registers = launch.empty_registers();
            registers.copy_from(&warp.registers, launch.plan);
            let policy = self.policies[number].clone().map(BoxedWarpPolicy::of);
            (ResidentWarp { registers, state: warp.state.clone() }, policy)
        };
        let (warps, policies) = self.warps.iter().enumerate().map(copy).unzip();
        Warps { warps, policies, first: self.first, arrivals: Vec::new(), one_by_one: self.one_by_one }
    }
}

impl<P: WarpPolicy> Units for Warps<P> {
    const REGROUPS: bool = false;
    type Kept = KeptWarp<P>;
    type Parts = OfWarp;

    fn count(warps: usize) -> usize {
        warps
    }
    fn warps(&self) -> &[ResidentWarp] {
        &self.warps
    }
    fn warps_mut(&mut self) -> &mut Vec<ResidentWarp> {
        &mut self.warps
    }
    fn splits(&self, warp: usize) -> Vec<WarpSplit> {
        self.policies[warp].as_ref().map(P::splits).unwrap_or_default()
    }
    fn runs(&self, unit: usize) -> bool {
        self.warps[unit].state.runs()
    }
    fn steps(&self, unit: usize) -> u64 {
        self.warps[unit].state.steps
    }
    fn ends(&self, unit: usize) -> u64 {
        self.warps[unit].state.live.0
    }

    #[inline(always)]
    fn run<O: Observer>(
        &mut self,
        unit: usize,
        turn: u64,
        block: usize,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Turn, Halt> {
        self.enter(unit, block, memory, observer);
        let ResidentWarp { registers, state } = &mut self.warps[unit];
        let warp = Warp { launch, registers, state, memory, turn };
        match warp_loop::run(warp, &mut self.policies[unit], observer).map_err(|why| (unit, why))? {
            WarpTurn::Ended => Ok(Turn::Ended),
            WarpTurn::Paused => Ok(Turn::Paused),
            WarpTurn::Arrived => {
                self.arrivals.push(unit);
                Ok(Turn::Arrived)
            }
        }
    }

    fn arrivals(&mut self) -> &mut Vec<usize> {
        &mut self.arrivals
    }

    fn leave_barrier(&mut self, warp: usize) {
        if let (Some(arrival), Some(policy)) = (self.warps[warp].state.barrier.take(), &mut self.policies[warp]) {
            let arrived = WarpSplit { pc: arrival.pc, mask: arrival.lanes };
            collective::go_on(policy, arrived, arrival.next);
        }
    }

    fn broken(&self, unit: usize) -> Option<(usize, &BrokenCheck)> {
        Some((unit, P::CHECKING.broken(self.policies[unit].as_ref()?)?))
    }

    fn current(&self, unit: usize, parts: &mut Self::Parts) -> Option<Pc> {
        let split = self.split(unit);
        parts.0 = split.map(|WarpSplit { mask, .. }| WarpPart { warp: unit, lanes: mask });
        split.map(|split| split.pc)
    }

    #[inline]
    fn tell(&self, observer: &mut impl Observer) {
        for policy in self.policies.iter().flatten() {
            policy.figures(&mut |figure| observer.counted(figure));
        }
    }

    fn keep(&self, unit: usize, launch: &Launch<'_>) -> KeptWarp<P> {
        let ResidentWarp { registers, state } = &self.warps[unit];
        let words = contents(launch.plan, registers).collect();
        KeptWarp { policy: self.policies[unit].clone(), state: state.clone(), words }
    }

    /// What is compared first differs most often.
    fn is(&self, unit: usize, kept: &KeptWarp<P>, launch: &Launch<'_>) -> bool {
        let ResidentWarp { registers, state } = &self.warps[unit];
        self.split(unit) == kept.policy.as_ref().and_then(P::current)
            && self.policies[unit] == kept.policy
            && state.is_as(&kept.state)
            && contents(launch.plan, registers).eq(kept.words.iter().copied())
    }

    fn circles(
        block: &Block<Self>,
        effort: u64,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
    ) -> Result<Vec<Circle>, Unknown> {
        trial::circles(block, effort, launch, memory)
    }

    fn only(&self) -> Option<usize> {
        self.one_by_one.then_some(self.first)
    }

    fn select(&mut self, unit: usize, free: &[LaneMask], parts: &mut Self::Parts) -> Option<Pc> {
        if !self.warps[unit].state.runs() {
            return None;
        }
        let policy = self.policies[unit].as_mut()?;
        if P::TIMING.selects(policy, free[unit]) { self.current(unit, parts) } else { None }
    }

    #[inline(always)]
    fn without_turn<O: Observer>(
        &mut self,
        (unit, at): (usize, Pc),
        block: usize,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> WithoutTurn {
        let ResidentWarp { registers, state } = &mut self.warps[unit];
        // What comes to the limit stops in a turn.
        if state.steps >= launch.config.step_limit {
            return WithoutTurn::No;
        }
        observer.warp(WarpId { block, warp: self.first + unit });
        let warp = Warp { launch, registers, state, memory, turn: 0 };
        warp_loop::without_turn(warp, &mut self.policies[unit], at, observer)
    }

    fn next(&self, unit: usize) -> Option<Pc> {
        if self.warps[unit].state.barrier.is_some() { None } else { self.split(unit).map(|split| split.pc) }
    }

    fn divide(&mut self, unit: usize, late: LaneMask) -> bool {
        self.policies[unit].as_mut().is_some_and(|policy| P::TIMING.divides(policy, late))
    }

    fn hold(&mut self, unit: usize) -> bool {
        self.policies[unit].as_mut().is_some_and(|policy| P::TIMING.holds(policy))
    }
}

/// Starts policies of warps.
pub(crate) struct ByWarps<F>(pub(crate) F);

impl<F> ByWarps<F> {
    /// The policy of a warp with these threads.
    fn begin<P>(&self, block: usize, warp: usize, threads: LaneMask) -> P
    where
        F: Fn(WarpId, WarpSplit) -> P,
    {
        (self.0)(WarpId { block, warp }, WarpSplit { pc: Pc(0), mask: threads })
    }

    /// A warp stands at the entry, in place of one that has ended, whose policy goes on if it can.
    #[inline(always)]
    fn begin_at<P: WarpPolicy>(
        &self,
        place: usize,
        launch: &Launch<'_>,
        init: &Init<'_>,
        block: &mut Block<Warps<P>>,
        warp: usize,
    ) where
        F: Fn(WarpId, WarpSplit) -> P,
    {
        let threads = launch.threads_of(warp);
        match (P::AGAIN, &mut block.units.policies[place]) {
            (Some(again), Some(policy)) => again(policy, WarpSplit { pc: Pc(0), mask: threads }),
            (_, policy) => *policy = Some(self.begin(block.number, warp, threads)),
        }
        let ResidentWarp { registers, state } = &mut block.units.warps[place];
        init.warp(block.number, warp, registers);
        state.begin(threads);
    }
}

impl<P: WarpPolicy, F: Fn(WarpId, WarpSplit) -> P> Start for ByWarps<F> {
    type Units = Warps<P>;

    fn block(&self, launch: &Launch<'_>, init: &Init<'_>, number: usize, rows: Vec<Registers>) -> Block<Warps<P>> {
        let resident = |(warp, mut registers)| {
            init.block(number, &mut registers);
            init.warp(number, warp, &mut registers);
            let threads = launch.threads_of(warp);
            let policy = self.begin(number, warp, threads);
            (ResidentWarp { registers, state: WarpState::new(threads) }, Some(policy))
        };
        let (warps, policies) = rows.into_iter().enumerate().map(resident).unzip();
        Block::new(number, Warps { warps, policies, first: 0, arrivals: Vec::new(), one_by_one: false }, launch)
    }

    fn one_by_one(&self, launch: &Launch<'_>, registers: impl FnOnce() -> Registers) -> Option<Block<Warps<P>>> {
        let warps = vec![ResidentWarp { registers: registers(), state: WarpState::new(LaneMask::EMPTY) }];
        Some(Block::new(
            0,
            Warps { warps, policies: vec![None], first: 0, arrivals: Vec::new(), one_by_one: true },
            launch,
        ))
    }

    #[inline]
    fn begin_warp(
        &self,
        launch: &Launch<'_>,
        init: &Init<'_>,
        block: &mut Block<Warps<P>>,
        warp: usize,
        observer: &mut impl Observer,
    ) {
        if P::AGAIN.is_none() {
            block.units.tell(observer);
        }
        self.begin_at(0, launch, init, block, warp);
        block.units.first = warp;
        block.live_warps = 1;
    }

    fn begin_block(
        &self,
        launch: &Launch<'_>,
        init: &Init<'_>,
        block: &mut Block<Warps<P>>,
        number: usize,
        observer: &mut impl Observer,
    ) -> bool {
        if P::AGAIN.is_none() {
            block.units.tell(observer);
        }
        block.begin(number);
        for warp in 0..block.units.warps.len() {
            init.block(number, &mut block.units.warps[warp].registers);
            self.begin_at(warp, launch, init, block, warp);
        }
        true
    }
}
