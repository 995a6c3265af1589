//! Checks under a policy that regroups threads: each is broken by a bug planted into one that has none.

use crate::{breaks, launch};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};
use simt_runtime::{
    BlockBranch, BlockPolicy, BlockSplit, BlockStart, Check, Checks, Policy, PolicyVisitor, ThreadMask, WarpPart,
};

/// Groups that never merge, first in first out; a bug by its number.
#[derive(Clone, Debug, PartialEq)]
struct Groups<const BUG: u8> {
    groups: Vec<(Pc, ThreadMask)>,
    parked: Vec<(Pc, WarpPart)>,
    none: ThreadMask,
}

const NONE: u8 = 0;
/// The taken side goes where the other one goes.
const TAKEN_GOES_ON: u8 = 1;
/// The side that waits is said to wait at the branch's target.
const WAITS_ELSEWHERE: u8 = 2;
/// The side that is not taken is forgotten.
const FORGETS: u8 = 3;
/// A group without threads is current.
const EMPTY_GROUP: u8 = 4;
/// The taken lanes are among the others, too.
const TWICE: u8 = 5;
/// Threads that have ended go on.
const NEVER_ENDS: u8 = 6;
/// A warp has one lane more than it has threads.
const ANOTHER_LANE: u8 = 7;
/// Threads that come to a collective stay current.
const DOES_NOT_WAIT: u8 = 8;

impl<const BUG: u8> BlockPolicy for Groups<BUG> {
    const NAME: &'static str = "Groups";
    const MARKERS: Markers = Markers::None;

    fn start(start: BlockStart<'_>) -> Self {
        let group = |WarpPart { warp, lanes }| {
            let more = if BUG == ANOTHER_LANE { LaneMask::lane(lanes.count()) } else { LaneMask::EMPTY };
            let mut threads = start.no_threads();
            threads.insert(WarpPart { warp, lanes: lanes | more });
            (start.pc, threads)
        };
        Self { groups: start.parts().map(group).collect(), parked: vec![], none: start.no_threads() }
    }
    fn current(&self) -> Option<BlockSplit<'_>> {
        self.groups.first().map(|(pc, threads)| BlockSplit { pc: *pc, threads })
    }
    fn advance(&mut self, next: Pc) {
        self.groups[0].0 = next;
    }
    fn branch(&mut self, branch: BlockBranch<'_>) {
        let (_, mut rest) = self.groups.remove(0);
        let taken = branch.taken.clone();
        if BUG != TWICE {
            rest -= &taken;
        }
        if !rest.is_empty() && BUG != FORGETS {
            let waits = BUG == WAITS_ELSEWHERE && !taken.is_empty();
            self.groups.push((if waits { branch.target } else { branch.next }, rest));
        }
        if !taken.is_empty() {
            self.groups.insert(0, (if BUG == TAKEN_GOES_ON { branch.next } else { branch.target }, taken));
        }
        if BUG == EMPTY_GROUP {
            self.groups.insert(0, (branch.target, self.none.clone()));
        }
    }
    fn exit(&mut self) {
        if BUG == NEVER_ENDS {
            self.groups[0].0 = Pc(0);
        } else {
            self.groups.remove(0);
        }
    }
    fn park(&mut self) {
        if BUG == DOES_NOT_WAIT {
            return;
        }
        let (pc, threads) = self.groups.remove(0);
        self.parked.extend(threads.parts().map(|part| (pc, part)));
    }
    fn wake(&mut self, part: WarpPart, next: Pc) {
        self.parked.iter_mut().filter(|(_, p)| p.warp == part.warp).for_each(|(_, p)| p.lanes = p.lanes - part.lanes);
        self.parked.retain(|(_, part)| !part.lanes.is_empty());
        let mut threads = self.none.clone();
        threads.insert(part);
        self.groups.push((next, threads));
    }
    fn splits(&self) -> Vec<(Pc, WarpPart)> {
        let groups = self.groups.iter().flat_map(|(pc, threads)| threads.parts().map(|part| (*pc, part)));
        groups.chain(self.parked.iter().copied()).collect()
    }
}

impl<const BUG: u8> Policy for Groups<BUG> {
    fn visit<V: PolicyVisitor>(visitor: V) -> V::Output {
        visitor.block::<Self>()
    }
}

/// Two warps, each of which diverges.
const DIVERGES: &str = "kernel diverges(x: &mut [u32])
    .reg usize %lane, bool %p
    rem.usize %lane, lane_id(), 2
    eq.usize %p, %lane, 0
    @%p bra EVEN
    st.u32 x[global_id()], 1
    EVEN: exit";

const WAITS: &str = "kernel waits(x: &mut [u32])
    .reg u64 %m
    active_mask %m
    exit";

#[test]
fn nothing_fails_without_a_bug() {
    let result = launch::<Groups<NONE>>(DIVERGES, 8, Checks::all()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(result, [0, 1, 0, 1, 0, 1, 0, 1]);
}

macro_rules! bugs {
    ($($name:ident: $check:ident, $bug:ident;)*) => {$(
        #[test]
        fn $name() {
            let failed = breaks::<Groups<$bug>>(Check::$check, DIVERGES, 6);
            assert_eq!(failed.policy, "Groups");
        }
    )*};
}

bugs! {
    i1_runs_where_its_threads_are: I1, TAKEN_GOES_ON;
    i2_waits_where_its_threads_are: I2, WAITS_ELSEWHERE;
    i3_no_thread_is_forgotten: I3, FORGETS;
    i7_no_thread_is_in_two_groups: I7, TWICE;
    t1_what_has_ended_has_ended: T1, NEVER_ENDS;
    i4_what_runs_has_threads: I4, EMPTY_GROUP;
    t4_only_threads_act: T4, ANOTHER_LANE;
}

#[test]
fn i1_what_waits_does_not_run() {
    let failed = breaks::<Groups<DOES_NOT_WAIT>>(Check::I1, WAITS, 6);
    assert!(failed.found.contains("waits at a collective"), "{}", failed.found);
}

/// A policy whose current threads are not those that it lists.
#[derive(Clone, Debug, PartialEq)]
struct Liar<const WARP: usize>(Groups<NONE>, ThreadMask);

impl<const WARP: usize> BlockPolicy for Liar<WARP> {
    const NAME: &'static str = "Liar";
    const MARKERS: Markers = Markers::None;

    fn start(start: BlockStart<'_>) -> Self {
        let mut threads = start.no_threads();
        threads.insert(WarpPart { warp: WARP, lanes: LaneMask(0b1111) });
        Self(Groups::start(start), threads)
    }
    fn current(&self) -> Option<BlockSplit<'_>> {
        self.0.current().map(|split| BlockSplit { threads: &self.1, ..split })
    }
    fn advance(&mut self, next: Pc) {
        self.0.advance(next);
    }
    fn branch(&mut self, branch: BlockBranch<'_>) {
        self.0.branch(branch);
    }
    fn exit(&mut self) {
        self.0.exit();
    }
    fn park(&mut self) {
        self.0.park();
    }
    fn wake(&mut self, part: WarpPart, next: Pc) {
        self.0.wake(part, next);
    }
    fn splits(&self) -> Vec<(Pc, WarpPart)> {
        self.0.splits()
    }
}

impl<const WARP: usize> Policy for Liar<WARP> {
    fn visit<V: PolicyVisitor>(visitor: V) -> V::Output {
        visitor.block::<Self>()
    }
}

#[test]
fn i1_the_current_threads_are_those_that_are_listed_first() {
    let failed = |result: Result<Vec<u32>, simt_runtime::LaunchError>| match result {
        Err(simt_runtime::LaunchError::Check(failed)) => failed.check,
        other => panic!("{other:?}"),
    };
    // Six threads in warps of four: lanes 2 and 3 of warp 1 have none, and warp 9 does not exist.
    assert_eq!(failed(launch::<Liar<1>>(DIVERGES, 6, Checks::all())), Check::I1);
    assert_eq!(failed(launch::<Liar<9>>(DIVERGES, 6, Checks::all())), Check::I1);
}
