//! Wrong policies that regroup threads.

use super::{OLD, breaks, keeps, launch, ways};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};
use simt_runtime::{
    BlockBranch, BlockPolicy, BlockSplit, BlockStart, BlockTiming, Check, LaunchError, Policy, PolicyVisitor,
    ThreadMask, WarpPart,
};

/// A policy of blocks: groups of threads, the last of which issues; what it does wrong by number.
#[derive(Clone, Debug, PartialEq)]
struct Groups<const WRONG: u8> {
    groups: Vec<(Pc, ThreadMask)>,
    parked: Vec<(Pc, WarpPart)>,
    none: ThreadMask,
}

const GOOD: u8 = 0;
const STUCK: u8 = 1;
const SKIPS: u8 = 2;
const DROPS: u8 = 3;
const DOUBLES: u8 = 4;
const NO_POP: u8 = 5;
const NOTHING: u8 = 6;
const NO_WARP: u8 = 7;
const WIDE: u8 = 8;
const SAME_LANE: u8 = 9;
const OUTSIDE: u8 = 10;
const LIES: u8 = 11;
const LATER: u8 = 12;
const NEVER_SELECTS: u8 = 13;

impl<const WRONG: u8> Groups<WRONG> {
    fn ready(&mut self, _free: &[LaneMask], now: u64) -> u64 {
        if WRONG == LATER { u64::MAX - 1 } else { now }
    }
    fn select(&mut self, free: &[LaneMask]) -> bool {
        let is_free = |part: WarpPart| part.lanes.is_subset(free[part.warp]);
        WRONG != NEVER_SELECTS && self.current().is_some_and(|split| split.threads.parts().all(is_free))
    }
}

impl<const WRONG: u8> BlockPolicy for Groups<WRONG> {
    const NAME: &'static str = "Groups";
    const MARKERS: Markers = Markers::None;
    const TIMING: BlockTiming<Self> = BlockTiming { ready: Some(Self::ready), select: Some(Self::select) };

    fn start(start: BlockStart<'_>) -> Self {
        let group = |part: WarpPart| {
            let mut threads = start.no_threads();
            threads.insert(WarpPart { warp: part.warp + usize::from(WRONG == NO_WARP), ..part });
            if WRONG == WIDE {
                threads.insert(WarpPart { lanes: LaneMask::first(64), ..part });
            }
            (start.pc, threads)
        };
        let groups = if WRONG == NOTHING { Vec::new() } else { start.parts().map(group).collect() };
        Self { groups, parked: Vec::new(), none: start.no_threads() }
    }
    fn current(&self) -> Option<BlockSplit<'_>> {
        self.groups.last().map(|(pc, threads)| BlockSplit { pc: *pc, threads })
    }
    fn advance(&mut self, next: Pc) {
        if let Some((pc, _)) = self.groups.last_mut()
            && WRONG != STUCK
        {
            *pc = Pc(next.0 + u32::from(WRONG == SKIPS));
        }
    }
    fn branch(&mut self, branch: BlockBranch<'_>) {
        let Some((_, mut rest)) = self.groups.pop() else { return };
        if WRONG != DOUBLES {
            rest -= branch.taken;
        }
        if !rest.is_empty() && (WRONG != DROPS || branch.taken.is_empty()) {
            self.groups.push((branch.next, rest));
        }
        if !branch.taken.is_empty() {
            self.groups.push((branch.target, branch.taken.clone()));
        }
    }
    fn exit(&mut self) {
        if WRONG != NO_POP {
            self.groups.pop();
        }
    }
    fn park(&mut self) {
        let Some((pc, threads)) = self.groups.pop() else { return };
        self.parked.extend(threads.parts().map(|part| (pc, part)));
    }
    fn wake(&mut self, part: WarpPart, next: Pc) {
        self.parked.iter_mut().filter(|(_, p)| p.warp == part.warp).for_each(|(_, p)| p.lanes = p.lanes - part.lanes);
        self.parked.retain(|(_, part)| !part.lanes.is_empty());
        let mut threads = self.none.clone();
        threads.insert(part);
        self.groups.push((next, threads));
    }
    fn positions(&self, threads: &ThreadMask) -> LaneMask {
        match WRONG {
            SAME_LANE => LaneMask::lane(0),
            OUTSIDE => LaneMask(threads.lanes().0 << 40),
            _ => threads.lanes(),
        }
    }
    fn splits(&self) -> Vec<(Pc, WarpPart)> {
        if WRONG == LIES {
            return vec![(Pc(u32::MAX), WarpPart { warp: usize::MAX, lanes: LaneMask::first(64) })];
        }
        let groups = self.groups.iter().rev().flat_map(|(pc, threads)| threads.parts().map(|part| (*pc, part)));
        groups.chain(self.parked.iter().copied()).collect()
    }
}

impl<const WRONG: u8> Policy for Groups<WRONG> {
    fn visit<V: PolicyVisitor>(visitor: V) -> V::Output {
        visitor.block::<Self>()
    }
}

macro_rules! wrong_cores {
    ($($test:ident $wrong:ident $laws:expr;)*) => {$(
        #[test]
        fn $test() {
            breaks::<Groups<$wrong>>(&$laws);
        }
    )*};
}

wrong_cores! {
    core_law_3_never_advances STUCK [Check::I1];
    core_law_3_skips_instructions SKIPS [Check::I1];
    core_law_2_threads_on_both_sides_of_a_branch DOUBLES [Check::T1, Check::I7];
    core_law_2_threads_that_never_end NO_POP [Check::T1];
    core_law_2_a_warp_that_is_not_there NO_WARP [Check::T4];
    core_law_2_lanes_without_a_thread WIDE [Check::T4];
    core_law_2_simd_lanes_that_are_taken SAME_LANE [Check::T4];
    core_law_2_simd_lanes_that_are_not_there OUTSIDE [Check::T4];
    core_law_1_no_thread_runs NOTHING [Check::I3];
    core_law_1_threads_that_are_forgotten DROPS [Check::I3];
    core_law_2_a_list_that_lies LIES [Check::T4];
}

#[test]
fn a_core_policy_without_a_mistake_gives_results() {
    keeps::<Groups<GOOD>>();
    // What it says of the current threads is looked at, not believed.
    keeps::<Groups<NEVER_SELECTS>>();
}

/// It may hold back threads for as long as the clock goes.
#[test]
fn a_policy_that_is_never_ready_comes_to_the_limit_of_cycles() {
    let (_, config, text) = ways().remove(2);
    let (result, x) = launch::<Groups<LATER>>(&config, &text);
    assert!(matches!(result, Err(LaunchError::CycleLimit(_))), "{result:?}");
    assert_eq!(x, [OLD; 14]);
}
