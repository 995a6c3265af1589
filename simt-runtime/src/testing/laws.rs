//! The laws of reconvergence policies, checked at every step.

use crate::policy::{BarrierMarker, Branch, ReconvergencePolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};

/// A policy that does what `P` does and checks the laws of [`ReconvergencePolicy`] beside it, with an address per lane of
/// its own: run the conformance suite on `Lawful<P>`.
///
/// # Panics
/// Where `P` breaks a law, with the law's number.
#[derive(Clone, Debug, PartialEq)]
pub struct Lawful<P> {
    policy: P,
    /// Where each lane is; `None` when it has ended or never was.
    lanes: [Option<Pc>; 64],
    /// Lanes that wait for others.
    parked: LaneMask,
}

impl<P: ReconvergencePolicy> Lawful<P> {
    fn active(&self) -> LaneMask {
        self.policy.current().map_or(LaneMask::EMPTY, |split| split.mask)
    }

    fn goes(&mut self, mask: LaneMask, to: Option<Pc>) {
        mask.lanes().for_each(|lane| self.lanes[lane] = to);
    }

    #[track_caller]
    fn check(&self) {
        let live =
            (0..64).filter(|&lane| self.lanes[lane].is_some()).fold(LaneMask::EMPTY, |m, l| m | LaneMask::lane(l));
        match self.policy.current() {
            Some(current) => assert!(!current.mask.is_empty(), "law 1: the current split is empty\n{:?}", self.policy),
            // Where some are parked, others may wait for these where all meet.
            None => assert!(
                live.is_empty() || !self.parked.is_empty(),
                "law 4: lanes {live} are forgotten\n{:?}",
                self.policy
            ),
        }
        let mut seen = LaneMask::EMPTY;
        for split in self.policy.splits() {
            assert!((seen & split.mask).is_empty(), "law 2: a lane is in two splits\n{:?}", self.policy);
            seen |= split.mask;
            for lane in split.mask.lanes() {
                assert_eq!(self.lanes[lane], Some(split.pc), "law 3: lane {lane} is elsewhere\n{:?}", self.policy);
            }
        }
        assert_eq!(seen, live, "law 2: the splits are not the live lanes\n{:?}", self.policy);
        if let Some(current) = self.policy.current() {
            let first = self.policy.splits().first().copied();
            assert_eq!(first, Some(current), "the first split is the current one\n{:?}", self.policy);
        }
    }
}

impl<P: ReconvergencePolicy> ReconvergencePolicy for Lawful<P> {
    const NAME: &'static str = P::NAME;
    const MARKERS: Markers = P::MARKERS;

    fn start(split: WarpSplit) -> Self {
        let mut lawful = Self { policy: P::start(split), lanes: [None; 64], parked: LaneMask::EMPTY };
        lawful.goes(split.mask, Some(split.pc));
        lawful.check();
        lawful
    }

    fn current(&self) -> Option<WarpSplit> {
        self.policy.current()
    }

    fn advance(&mut self, next: Pc) {
        self.goes(self.active(), Some(next));
        self.policy.advance(next);
        self.check();
    }

    fn branch(&mut self, branch: Branch) {
        let active = self.active();
        assert!(branch.taken.is_subset(active), "only active lanes branch");
        self.goes(branch.taken, Some(branch.target));
        self.goes(active - branch.taken, Some(branch.next));
        self.policy.branch(branch);
        self.check();
    }

    fn exit(&mut self) {
        self.goes(self.active(), None);
        self.policy.exit();
        self.check();
    }

    fn jump(&mut self, kind: JumpKind, target: Pc) {
        self.goes(self.active(), Some(target));
        self.policy.jump(kind, target);
        self.check();
    }

    fn marker(&mut self, marker: Marker, next: Pc) {
        self.goes(self.active(), Some(next));
        self.policy.marker(marker, next);
        self.check();
    }

    fn barrier(&mut self, marker: BarrierMarker, next: Pc) -> LaneMask {
        self.goes(self.active(), Some(next));
        let saved = self.policy.barrier(marker, next);
        self.check();
        saved
    }

    fn call(&mut self, target: Pc, back: Pc) {
        self.goes(self.active(), Some(target));
        self.policy.call(target, back);
        self.check();
    }

    fn ret(&mut self, returning: LaneMask, back: Pc, at: Pc) {
        let active = self.active();
        assert!(returning.is_subset(active), "only active lanes return");
        self.goes(returning, Some(back));
        self.goes(active - returning, Some(at));
        self.policy.ret(returning, back, at);
        self.check();
    }

    fn park(&mut self) -> bool {
        let active = self.active();
        let parks = self.policy.park();
        if parks {
            self.parked |= active;
        }
        self.check();
        parks
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        let woken = self.parked & lanes;
        self.goes(woken, Some(next));
        self.parked = self.parked - woken;
        self.policy.wake(lanes, next);
        self.check();
    }

    fn splits(&self) -> Vec<WarpSplit> {
        self.policy.splits()
    }
}
