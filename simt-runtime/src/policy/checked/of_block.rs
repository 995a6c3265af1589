//! A policy of blocks that runs another one and checks each of its steps: an address for each thread of the block beside it.

use super::lanes::Lanes;
use super::shadow::BrokenCheck;
use super::{BlockChecking, Check, Checks, Guard};
use crate::policy::{
    BlockBranch, BlockPolicy, BlockSplit, BlockStart, BlockTiming, Figure, StatePart, ThreadMask, WarpPart, WarpSplit,
};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};
use smallvec::{SmallVec, smallvec};
use std::fmt;

/// Does what its policy does, and stops where a check fails: then no thread is current any more, and `broken` says why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CheckedBlock<P> {
    policy: P,
    /// Those that are asked for.
    checks: Checks,
    guard: Guard,
    width: usize,
    /// Whether threads can be under way when none is current.
    clocked: bool,
    /// By warp, where each thread is, which lanes have threads, which have not ended, and which wait.
    threads: Vec<Lanes>,
    present: Vec<LaneMask>,
    live: Vec<LaneMask>,
    parked: Vec<LaneMask>,
    /// What the policy has said after its last step, compared: no threads if none are current.
    current: (Pc, ThreadMask),
    /// What has been executed last.
    ran: Option<(Pc, WarpPart)>,
    broken: Option<(usize, Box<BrokenCheck>)>,
}

/// What the current threads do, or in `Wake` some that wait.
#[derive(Clone, Copy)]
enum Step<'s> {
    /// All go to one address.
    Go(Pc),
    /// Some go to one address, the others to another.
    Part(&'s ThreadMask, Pc, Pc),
    Exit,
    Park,
    Wake(WarpPart, Pc),
    /// Nothing: other threads are made current.
    Choose,
    /// Nothing: no thread can go on, and the policy may let some go that it holds back.
    Release,
}

/// A check that fails: in which warp, for which lanes, and what was found.
type Finding = Result<(), (Check, WarpPart, String)>;

/// None of any warp.
const NONE: WarpPart = WarpPart { warp: 0, lanes: LaneMask::EMPTY };

impl<P: BlockPolicy> CheckedBlock<P> {
    /// Checks a policy that has just been started.
    pub(crate) fn new(policy: P, start: BlockStart<'_>, checks: Checks, guard: Guard) -> Self {
        let mut checked = Self {
            policy,
            checks,
            guard,
            width: start.config.warp_width,
            clocked: start.config.timing.is_some(),
            threads: vec![Lanes::at(start.pc); start.warps.len()],
            present: start.warps.to_vec(),
            live: start.warps.to_vec(),
            parked: vec![LaneMask::EMPTY; start.warps.len()],
            current: (start.pc, start.no_threads()),
            ran: None,
            broken: None,
        };
        checked.compare();
        checked
    }

    /// The policy takes a step, `act`. A policy that has failed takes none; its answer is the default.
    #[inline(always)]
    fn step<T: Default>(&mut self, step: Step<'_>, act: impl FnOnce(&mut P) -> T) -> T {
        match step {
            Step::Wake(WarpPart { warp, lanes }, next) => {
                self.parked[warp] = self.parked[warp] - lanes;
                self.threads[warp].go(lanes, next);
            }
            Step::Park => {
                for part in self.current.1.parts() {
                    self.parked[part.warp] |= part.lanes;
                }
            }
            _ => {}
        }
        if self.broken.is_some() {
            return T::default();
        }
        if !matches!(step, Step::Wake(..) | Step::Choose | Step::Release) {
            self.remember();
        }
        for WarpPart { warp, lanes } in self.current.1.parts() {
            match step {
                Step::Go(to) => self.threads[warp].go(lanes, to),
                Step::Part(taken, target, next) => {
                    let taken = taken.of_warp(warp);
                    self.threads[warp].go(lanes & taken, target);
                    self.threads[warp].go(lanes - taken, next);
                }
                Step::Exit => self.live[warp] = self.live[warp] - lanes,
                Step::Park | Step::Wake(..) | Step::Choose | Step::Release => {}
            }
        }
        let answer = act(&mut self.policy);
        self.compare();
        // With a clock it is only known here that no thread can go on.
        if matches!(step, Step::Release)
            && self.guard.is_on()
            && self.broken.is_none()
            && self.current().is_none()
            && let Err(finding) = self.none_is_held_back(Guard::CHECKS)
        {
            self.fail(finding, false);
        }
        answer
    }

    fn remember(&mut self) {
        let first = self.current.1.parts().next();
        self.ran = first.map(|part| (self.current.0, part)).or(self.ran);
    }

    fn compare(&mut self) {
        // It is asked once: what is compared is what runs.
        let said = self.policy.current().map(|split| (split.pc, split.threads.clone()));
        let said = said.as_ref().map(|(pc, threads)| BlockSplit { pc: *pc, threads });
        let asked = if self.checks.is_empty() { Ok(()) } else { self.check(self.checks, said) };
        if let Err(finding) = asked {
            self.fail(finding, true);
        } else if self.guard.is_on()
            && !said.is_some_and(|split| self.may_run(split))
            && let Err(finding) = self.check(Guard::CHECKS, said)
        {
            self.fail(finding, false);
        }
        self.current.1.clear();
        if self.broken.is_none()
            && let Some(BlockSplit { pc, threads }) = said
        {
            self.current.0 = pc;
            threads.parts().for_each(|part| self.current.1.insert(part));
        }
    }

    #[cold]
    fn fail(&mut self, (check, part, found): (Check, WarpPart, String), asked: bool) {
        let (pc, ran) = self.ran.unwrap_or((self.current.0, part));
        let lowest = part.lanes.lanes().next();
        let of_warp = self.policy.splits().into_iter().filter(|(_, other)| other.warp == part.warp);
        let broken = BrokenCheck {
            check,
            asked,
            ran: WarpSplit { pc, mask: ran.lanes },
            lanes: part.lanes,
            lane_pc: lowest
                .filter(|&lane| self.live[part.warp].contains(lane))
                .map(|lane| self.threads[part.warp].of(lane)),
            found,
            splits: of_warp.map(|(pc, part)| WarpSplit { pc, mask: part.lanes }).collect(),
            tokens: Vec::new(),
        };
        self.broken = Some((part.warp, Box::new(broken)));
    }

    /// Whether threads can run, as far as they know: there are some, each with a SIMD lane, none has ended or
    /// waits at a collective, and all are where their instructions have led them.
    fn may_run(&self, BlockSplit { pc, threads }: BlockSplit<'_>) -> bool {
        let (count, positions) = (threads.count(), self.policy.positions(threads));
        (1..=self.width).contains(&count)
            && positions.count() == count
            && positions.is_subset(LaneMask::first(self.width))
            && threads.parts().all(|WarpPart { warp, lanes }| {
                let free = |(&live, &parked): (&LaneMask, &LaneMask)| lanes.is_subset(live - parked);
                self.live.get(warp).zip(self.parked.get(warp)).is_some_and(free)
                    && self.threads[warp].elsewhere(lanes, pc).is_empty()
            })
    }

    /// Of a part the threads that are elsewhere and have not ended.
    fn elsewhere(&self, pc: Pc, part: WarpPart) -> LaneMask {
        self.threads[part.warp].elsewhere(part.lanes & self.live[part.warp], pc)
    }

    /// What any policy must keep to.
    fn check(&self, checks: Checks, current: Option<BlockSplit<'_>>) -> Finding {
        // PERF: said only of what is wrong, as each step is checked.
        let wrong = |check, part: WarpPart, lanes: LaneMask, found: fmt::Arguments<'_>| match lanes.lanes().next() {
            Some(lane) if checks.contains(check) => {
                Err((check, WarpPart { lanes, ..part }, format!("lane {lane} of warp {} {found}", part.warp)))
            }
            _ => Ok(()),
        };
        let splits = self.policy.splits();
        let active: SmallVec<[WarpPart; 8]> = current.map(|split| split.threads.parts().collect()).unwrap_or_default();
        let running = active.len();
        if let Some(BlockSplit { pc, .. }) = current {
            let first = splits.iter().take(running).copied();
            if !first.eq(active.iter().map(|&part| (pc, part))) {
                // Whatever is to be checked: nothing can be said of threads that are not where the policy says.
                return Err((Check::I1, NONE, format!("the splits do not begin with the current parts, at {pc}")));
            }
        }
        let mut seen: SmallVec<[LaneMask; 8]> = smallvec![LaneMask::EMPTY; self.threads.len()];
        for (number, &(pc, part)) in splits.iter().enumerate() {
            if part.warp >= self.threads.len() {
                // Whatever is to be checked: there is nowhere to note it.
                return Err((Check::T4, NONE, format!("there is no warp {}", part.warp)));
            }
            wrong(
                Check::T4,
                part,
                part.lanes - self.present[part.warp],
                format_args!("has no thread, and runs or waits"),
            )?;
            wrong(
                Check::T1,
                part,
                part.lanes - self.live[part.warp],
                format_args!("has ended, and runs or waits again"),
            )?;
            wrong(Check::I7, part, part.lanes & seen[part.warp], format_args!("is in two splits"))?;
            seen[part.warp] |= part.lanes;
            let waits = if number < running { LaneMask::EMPTY } else { self.elsewhere(pc, part) };
            wrong(Check::I2, part, waits, format_args!("waits to go on at {pc}, and is elsewhere"))?;
        }
        for (warp, &seen) in seen.iter().enumerate() {
            let part = WarpPart { warp, lanes: seen };
            wrong(Check::I3, part, self.live[warp] - seen, format_args!("has not ended, and is in no split"))?;
        }
        let Some(BlockSplit { pc, .. }) = current else {
            return if self.clocked { Ok(()) } else { self.none_is_held_back(checks) };
        };
        let first = active.first().copied().unwrap_or(NONE);
        let threads: usize = active.iter().map(|part| part.lanes.count()).sum();
        if !(1..=self.width).contains(&threads) && checks.contains(Check::I4) {
            return Err((Check::I4, first, format!("{threads} threads issue together")));
        }
        let mut of_part = self.current.1.without_threads();
        for part in active {
            wrong(Check::I1, part, self.elsewhere(pc, part), format_args!("runs at {pc}, and is elsewhere"))?;
            wrong(
                Check::I1,
                part,
                part.lanes & self.parked[part.warp],
                format_args!("runs, and waits at a collective"),
            )?;
            of_part.clear();
            of_part.insert(part);
            let positions = self.policy.positions(&of_part);
            let lanes = LaneMask::first(self.width.min(64));
            let moved = positions.count() != part.lanes.count() || !positions.is_subset(lanes);
            wrong(
                Check::T4,
                part,
                if moved { part.lanes } else { LaneMask::EMPTY },
                format_args!("has no SIMD lane of its own"),
            )?;
        }
        Ok(())
    }

    /// No thread is current: all have ended, or some wait.
    fn none_is_held_back(&self, checks: Checks) -> Finding {
        let waits = self.parked.iter().any(|lanes| !lanes.is_empty());
        let mut live = self.live.iter().enumerate().filter(|(_, lanes)| !lanes.is_empty());
        match live.next() {
            Some((warp, &lanes)) if !waits && checks.contains(Check::I4) => {
                let lowest = lanes.lanes().next().unwrap_or(0);
                let found = format!("lane {lowest} of warp {warp} has not ended, and no thread runs");
                Err((Check::I4, WarpPart { warp, lanes }, found))
            }
            _ => Ok(()),
        }
    }

    fn ready(&mut self, free: &[LaneMask], now: u64) -> u64 {
        self.step(Step::Choose, |policy| Some(P::TIMING.ready_at(policy, free, now))).unwrap_or(now)
    }

    fn select(&mut self, free: &[LaneMask]) -> bool {
        self.step(Step::Choose, |policy| P::TIMING.selects(policy, free));
        // Whatever the policy says of it.
        self.current().is_some_and(|split| split.threads.parts().all(|part| part.is_of(free)))
    }
}

macro_rules! checked {
    ($(#[$inline:meta] $event:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)? = $step:expr;)*) => {
        impl<P: BlockPolicy> BlockPolicy for CheckedBlock<P> {
            const NAME: &'static str = "";
            const MARKERS: Markers = Markers::None;
            const TIMING: BlockTiming<Self> = BlockTiming { ready: Some(Self::ready), select: Some(Self::select) };
            const CHECKING: BlockChecking<Self> = BlockChecking::TRUSTED
                .with_broken(|checked| checked.broken.as_ref().map(|(warp, broken)| (*warp, &**broken)));

            fn start(_start: BlockStart<'_>) -> Self {
                unreachable!("made of a policy that has been started")
            }

            #[inline(always)]
            fn current(&self) -> Option<BlockSplit<'_>> {
                let (pc, threads) = &self.current;
                (!threads.is_empty()).then_some(BlockSplit { pc: *pc, threads })
            }

            fn positions(&self, threads: &ThreadMask) -> LaneMask {
                self.policy.positions(threads) & LaneMask::first(self.width)
            }

            /// Of a policy of a user's, which may say anything, where the threads are.
            fn splits(&self) -> Vec<(Pc, WarpPart)> {
                if !self.guard.is_on() {
                    return self.policy.splits();
                }
                let mut splits: Vec<_> = self.current.1.parts().map(|part| (self.current.0, part)).collect();
                for (warp, threads) in self.threads.iter().enumerate() {
                    let others = threads.by_address(self.live[warp] - self.current.1.of_warp(warp));
                    splits.extend(others.map(|(pc, lanes)| (pc, WarpPart { warp, lanes })));
                }
                splits
            }

            fn figures(&self, tell: &mut dyn FnMut(Figure)) {
                self.policy.figures(tell);
            }

            fn state(&self, tell: &mut dyn FnMut(StatePart)) {
                self.policy.state(tell);
            }

            $(#[$inline] fn $event(&mut self, $($argument: $ty),*) $(-> $result)? {
                self.step($step, |policy| policy.$event($($argument),*))
            })*
        }
    };
}

block_policy_events!(checked);
