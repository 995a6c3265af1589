//! The laws of policies that regroup threads, checked at every step.

use crate::policy::{CoreBranch, CorePolicy, CoreSplit, CoreStart, Figure, Part, Policy, PolicyVisitor};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};
use std::collections::BTreeMap;

/// As [`Lawful`](super::Lawful), for policies that regroup the threads of several warps.
///
/// # Panics
/// Where `C` breaks a law, with the law's number.
#[derive(Clone, Debug, PartialEq)]
pub struct LawfulCore<C> {
    policy: C,
    /// Where each live thread is, by warp and lane.
    threads: BTreeMap<(usize, usize), Pc>,
    /// The threads that wait.
    parked: Vec<Part>,
    width: usize,
}

impl<C: CorePolicy> LawfulCore<C> {
    fn active(&self) -> Vec<Part> {
        self.policy.current().map(|split| split.parts.to_vec()).unwrap_or_default()
    }

    fn goes(&mut self, parts: &[Part], to: Option<Pc>) {
        for part in parts {
            for lane in part.lanes.lanes() {
                match to {
                    Some(pc) => self.threads.insert((part.warp, lane), pc),
                    None => self.threads.remove(&(part.warp, lane)),
                };
            }
        }
    }

    /// The current threads of the masks go to one address, the others to another.
    fn parts(&mut self, taken: &[LaneMask], target: Pc, next: Pc) {
        let active = self.active();
        assert_eq!(active.len(), taken.len(), "a mask for each part");
        for (part, &taken) in active.iter().zip(taken) {
            assert!(taken.is_subset(part.lanes), "only active threads branch");
            self.goes(&[Part { lanes: taken, ..*part }], Some(target));
            self.goes(&[Part { lanes: part.lanes - taken, ..*part }], Some(next));
        }
    }

    #[track_caller]
    fn check(&self) {
        let mut seen = BTreeMap::new();
        for (pc, part) in self.policy.splits() {
            for lane in part.lanes.lanes() {
                let twice = seen.insert((part.warp, lane), pc).is_some();
                assert!(!twice, "law 2: warp {} lane {lane} is in two splits\n{:?}", part.warp, self.policy);
            }
        }
        assert_eq!(seen, self.threads, "laws 2 and 3: the splits are not the live threads\n{:?}", self.policy);
        let Some(CoreSplit { pc, parts }) = self.policy.current() else {
            let waiting = !self.parked.is_empty() || self.threads.is_empty();
            assert!(waiting, "law 4: threads are forgotten\n{:?}", self.policy);
            return;
        };
        let threads: usize = parts.iter().map(|part| part.lanes.count()).sum();
        assert!((1..=self.width).contains(&threads), "law 1: {threads} threads are current\n{:?}", self.policy);
        let mut warps: Vec<usize> = parts.iter().map(|part| part.warp).collect();
        warps.sort_unstable();
        assert!(warps.windows(2).all(|pair| pair[0] < pair[1]), "a warp is in two parts\n{:?}", self.policy);
        for part in parts {
            assert!(!part.lanes.is_empty(), "law 1: a part is empty\n{:?}", self.policy);
            assert_eq!(self.policy.positions(*part).count(), part.lanes.count(), "a SIMD lane a thread");
            for lane in part.lanes.lanes() {
                assert_eq!(self.threads.get(&(part.warp, lane)), Some(&pc), "law 3\n{:?}", self.policy);
                let waits = self.parked.iter().any(|p| p.warp == part.warp && p.lanes.contains(lane));
                assert!(!waits, "a thread that waits is current\n{:?}", self.policy);
            }
        }
    }
}

impl<C: CorePolicy> CorePolicy for LawfulCore<C> {
    const NAME: &'static str = C::NAME;
    const MARKERS: Markers = C::MARKERS;

    fn start(start: CoreStart<'_>) -> Self {
        let width = start.config.warp_width;
        let mut lawful = Self { policy: C::start(start), threads: BTreeMap::new(), parked: Vec::new(), width };
        for (warp, &lanes) in start.warps.iter().enumerate() {
            lawful.goes(&[Part { warp, lanes }], Some(start.pc));
        }
        lawful.check();
        lawful
    }

    fn current(&self) -> Option<CoreSplit<'_>> {
        self.policy.current()
    }

    fn advance(&mut self, next: Pc) {
        let active = self.active();
        self.goes(&active, Some(next));
        self.policy.advance(next);
        self.check();
    }

    fn branch(&mut self, branch: CoreBranch<'_>) {
        self.parts(branch.taken, branch.target, branch.next);
        self.policy.branch(branch);
        self.check();
    }

    fn exit(&mut self) {
        let active = self.active();
        self.goes(&active, None);
        self.policy.exit();
        self.check();
    }

    fn jump(&mut self, kind: JumpKind, target: Pc) {
        let active = self.active();
        self.goes(&active, Some(target));
        self.policy.jump(kind, target);
        self.check();
    }

    fn call(&mut self, target: Pc, back: Pc) {
        let active = self.active();
        self.goes(&active, Some(target));
        self.policy.call(target, back);
        self.check();
    }

    fn ret(&mut self, returning: &[LaneMask], back: Pc, at: Pc) {
        self.parts(returning, back, at);
        self.policy.ret(returning, back, at);
        self.check();
    }

    fn marker(&mut self, marker: Marker, next: Pc) {
        let active = self.active();
        self.goes(&active, Some(next));
        self.policy.marker(marker, next);
        self.check();
    }

    fn park(&mut self) {
        let parts = self.active();
        self.parked.extend(parts);
        self.policy.park();
        self.check();
    }

    fn wake(&mut self, part: Part, next: Pc) {
        let mut left = part.lanes;
        for waiting in self.parked.iter_mut().filter(|waiting| waiting.warp == part.warp) {
            left = left - waiting.lanes;
            waiting.lanes = waiting.lanes - part.lanes;
        }
        assert!(left.is_empty(), "only threads that wait are woken");
        self.parked.retain(|waiting| !waiting.lanes.is_empty());
        self.goes(&[part], Some(next));
        self.policy.wake(part, next);
        self.check();
    }

    fn release(&mut self) -> bool {
        let releases = self.policy.release();
        self.check();
        releases
    }

    fn positions(&self, part: Part) -> LaneMask {
        self.policy.positions(part)
    }

    fn splits(&self) -> Vec<(Pc, Part)> {
        self.policy.splits()
    }

    fn figures(&self) -> Vec<Figure> {
        self.policy.figures()
    }
}

impl<C: CorePolicy> Policy for LawfulCore<C> {
    fn visit<V: PolicyVisitor>(visitor: V) -> V::Output {
        visitor.core::<Self>()
    }
}
