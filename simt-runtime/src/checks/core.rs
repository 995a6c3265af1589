//! A policy of a core that runs another one and checks each of its steps: an address for each thread of the block beside it.

use super::shadow::BrokenCheck;
use super::{Check, Checks};
use crate::policy::{
    ByWarp, CoreBranch, CorePolicy, CoreSplit, CoreStart, ErasedCore, Figure, ReconvergencePolicy, ThreadMask,
    WarpPart, WarpSplit,
};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};

/// Does what its policy does, and stops where a check fails: then no thread is current any more, and `broken` says why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CheckedCore {
    policy: ErasedCore,
    checks: Checks,
    width: usize,
    /// Whether threads can be under way when nobody is current.
    clocked: bool,
    /// Where each live thread is, by warp and lane.
    threads: Vec<[Option<Pc>; 64]>,
    /// By warp, the lanes that have threads, and those that wait.
    present: Vec<LaneMask>,
    parked: Vec<LaneMask>,
    nobody: ThreadMask,
    /// What has been executed last.
    ran: Option<(Pc, WarpPart)>,
    broken: Option<(usize, Box<BrokenCheck>)>,
}

/// A check that fails: in which warp, maybe for which lane, and what was found.
type Finding = Result<(), (Check, WarpPart, String)>;

impl CheckedCore {
    /// Checks a policy that has just been started.
    pub(crate) fn new(policy: ErasedCore, start: CoreStart<'_>) -> Self {
        let mut checked = Self {
            policy,
            checks: start.config.checks,
            width: start.config.warp_width,
            clocked: start.config.clock.is_some(),
            threads: vec![[None; 64]; start.warps.len()],
            present: start.warps.to_vec(),
            parked: vec![LaneMask::EMPTY; start.warps.len()],
            nobody: start.nobody(),
            ran: None,
            broken: None,
        };
        for (warp, &lanes) in start.warps.iter().enumerate() {
            checked.goes(WarpPart { warp, lanes }, Some(start.pc));
        }
        checked.compare();
        checked
    }

    fn active(&self) -> Vec<WarpPart> {
        self.policy.current().map(|split| split.threads.parts().collect()).unwrap_or_default()
    }

    fn goes(&mut self, part: WarpPart, to: Option<Pc>) {
        let lanes = &mut self.threads[part.warp];
        part.lanes.lanes().for_each(|lane| lanes[lane] = to);
    }

    /// The current threads go on.
    fn go(&mut self, to: Option<Pc>, act: impl FnOnce(&mut ErasedCore)) {
        if self.broken.is_some() {
            return;
        }
        self.remember();
        for part in self.active() {
            self.goes(part, to);
        }
        act(&mut self.policy);
        self.compare();
    }

    /// Some of the current threads go to one address, the others to another.
    fn part(&mut self, taken: &ThreadMask, target: Pc, next: Pc, act: impl FnOnce(&mut ErasedCore)) {
        if self.broken.is_some() {
            return;
        }
        self.remember();
        for part in self.active() {
            let taken = taken.of_warp(part.warp);
            self.goes(WarpPart { lanes: part.lanes & taken, ..part }, Some(target));
            self.goes(WarpPart { lanes: part.lanes - taken, ..part }, Some(next));
        }
        act(&mut self.policy);
        self.compare();
    }

    fn remember(&mut self) {
        self.ran = self.policy.current().and_then(|split| Some((split.pc, split.threads.parts().next()?))).or(self.ran);
    }

    fn live(&self, warp: usize) -> LaneMask {
        let lanes = self.threads[warp].iter().enumerate().filter(|(_, pc)| pc.is_some());
        lanes.fold(LaneMask::EMPTY, |all, (lane, _)| all | LaneMask::lane(lane))
    }

    fn compare(&mut self) {
        let Err((check, part, found)) = self.check() else { return };
        let (pc, ran) = self.ran.unwrap_or((Pc(0), part));
        let lane = part.lanes.lanes().next();
        self.broken = Some((
            part.warp,
            Box::new(BrokenCheck {
                check,
                ran: WarpSplit { pc, mask: ran.lanes },
                lane,
                lane_pc: lane.and_then(|lane| self.threads[part.warp][lane]),
                found,
                splits: ByWarp::of(&self.policy, part.warp).splits(),
                tokens: Vec::new(),
            }),
        ));
    }

    /// Of a part the threads that are elsewhere.
    fn elsewhere(&self, pc: Pc, part: WarpPart) -> LaneMask {
        let lanes = part.lanes.lanes().filter(|&lane| self.threads[part.warp][lane].is_some_and(|at| at != pc));
        lanes.fold(LaneMask::EMPTY, |all, lane| all | LaneMask::lane(lane))
    }

    fn check(&self) -> Finding {
        let wrong = |check, part: WarpPart, lanes: LaneMask, found: &str| match lanes.lanes().next() {
            Some(lane) if self.checks.contains(check) => {
                Err((check, WarpPart { lanes, ..part }, format!("lane {lane} of warp {} {found}", part.warp)))
            }
            _ => Ok(()),
        };
        let splits = self.policy.splits();
        let active = self.active();
        let running = active.len();
        if let Some(CoreSplit { pc, .. }) = self.policy.current() {
            let first = splits.iter().take(running).copied();
            if !first.eq(active.iter().map(|&part| (pc, part))) {
                // Whatever is to be checked: nothing can be said of threads that are not where the policy says.
                let nobody = WarpPart { warp: 0, lanes: LaneMask::EMPTY };
                return Err((Check::I1, nobody, format!("the splits do not begin with the current parts, at {pc}")));
            }
        }
        let mut seen = vec![LaneMask::EMPTY; self.threads.len()];
        for (number, &(pc, part)) in splits.iter().enumerate() {
            if part.warp >= self.threads.len() {
                // Whatever is to be checked: there is nowhere to note it.
                let nobody = WarpPart { warp: 0, lanes: LaneMask::EMPTY };
                return Err((Check::T4, nobody, format!("there is no warp {}", part.warp)));
            }
            wrong(Check::T4, part, part.lanes - self.present[part.warp], "has no thread, and runs or waits")?;
            wrong(Check::T1, part, part.lanes - self.live(part.warp), "has ended, and runs or waits again")?;
            wrong(Check::I7, part, part.lanes & seen[part.warp], "is in two splits")?;
            seen[part.warp] |= part.lanes;
            let waits = if number < running { LaneMask::EMPTY } else { self.elsewhere(pc, part) };
            wrong(Check::I2, part, waits, &format!("waits to go on at {pc}, and is elsewhere"))?;
        }
        for (warp, &seen) in seen.iter().enumerate() {
            let part = WarpPart { warp, lanes: seen };
            wrong(Check::I3, part, self.live(warp) - seen, "has not ended, and is in no split")?;
        }
        let Some(CoreSplit { pc, .. }) = self.policy.current() else {
            let waits = self.clocked || self.parked.iter().any(|lanes| !lanes.is_empty());
            let mut live = (0..self.threads.len()).map(|warp| WarpPart { warp, lanes: self.live(warp) });
            let forgotten = live.find(|part| !waits && !part.lanes.is_empty());
            return forgotten
                .map_or(Ok(()), |part| wrong(Check::I4, part, part.lanes, "has not ended, and nobody runs"));
        };
        let first = active.first().copied().unwrap_or(WarpPart { warp: 0, lanes: LaneMask::EMPTY });
        let threads: usize = active.iter().map(|part| part.lanes.count()).sum();
        if !(1..=self.width).contains(&threads) && self.checks.contains(Check::I4) {
            return Err((Check::I4, first, format!("{threads} threads issue together")));
        }
        let mut of_part = self.nobody.clone();
        for part in active {
            wrong(Check::I1, part, self.elsewhere(pc, part), &format!("runs at {pc}, and is elsewhere"))?;
            wrong(Check::I1, part, part.lanes & self.parked[part.warp], "runs, and waits at a collective")?;
            of_part.clear();
            of_part.insert(part);
            let positions = self.policy.positions(&of_part);
            let lanes = LaneMask::first(self.width.min(64));
            let moved = positions.count() != part.lanes.count() || !positions.is_subset(lanes);
            wrong(Check::T4, part, if moved { part.lanes } else { LaneMask::EMPTY }, "has no SIMD lane of its own")?;
        }
        Ok(())
    }
}

impl CorePolicy for CheckedCore {
    const NAME: &'static str = "";
    const MARKERS: Markers = Markers::None;

    fn start(_start: CoreStart<'_>) -> Self {
        unreachable!("made of a policy that has been started")
    }

    fn broken(&self) -> Option<(usize, &BrokenCheck)> {
        self.broken.as_ref().map(|(warp, broken)| (*warp, &**broken))
    }

    fn current(&self) -> Option<CoreSplit<'_>> {
        if self.broken.is_some() { None } else { self.policy.current() }
    }

    fn ready(&mut self, free: &[LaneMask], now: u64) -> u64 {
        if self.broken.is_some() { now } else { self.policy.ready(free, now) }
    }

    fn select(&mut self, free: &[LaneMask]) -> bool {
        self.broken.is_none() && self.policy.select(free)
    }

    fn advance(&mut self, next: Pc) {
        self.go(Some(next), |policy| policy.advance(next));
    }

    fn branch(&mut self, branch: CoreBranch<'_>) {
        self.part(branch.taken, branch.target, branch.next, |policy| policy.branch(branch));
    }

    fn exit(&mut self) {
        self.go(None, CorePolicy::exit);
    }

    fn jump(&mut self, kind: JumpKind, target: Pc) {
        self.go(Some(target), |policy| policy.jump(kind, target));
    }

    fn call(&mut self, target: Pc, back: Pc) {
        self.go(Some(target), |policy| policy.call(target, back));
    }

    fn ret(&mut self, returning: &ThreadMask, back: Pc, at: Pc) {
        self.part(returning, back, at, |policy| policy.ret(returning, back, at));
    }

    fn marker(&mut self, marker: Marker, next: Pc) {
        self.go(Some(next), |policy| policy.marker(marker, next));
    }

    fn park(&mut self) {
        if self.broken.is_some() {
            return;
        }
        self.remember();
        for part in self.active() {
            self.parked[part.warp] |= part.lanes;
        }
        self.policy.park();
        self.compare();
    }

    fn wake(&mut self, part: WarpPart, next: Pc) {
        if self.broken.is_some() {
            return;
        }
        let parked = &mut self.parked[part.warp];
        *parked = *parked - part.lanes;
        self.goes(part, Some(next));
        self.policy.wake(part, next);
        self.compare();
    }

    fn release(&mut self) -> bool {
        let releases = self.broken.is_none() && self.policy.release();
        if releases {
            self.compare();
        }
        releases
    }

    fn positions(&self, threads: &ThreadMask) -> LaneMask {
        self.policy.positions(threads)
    }

    fn splits(&self) -> Vec<(Pc, WarpPart)> {
        self.policy.splits()
    }

    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        self.policy.figures(tell);
    }
}
