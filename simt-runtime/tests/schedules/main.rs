//! What a policy issues, in which order and for which lanes, is what its mechanism prescribes.
//!
//! Each mechanism is written here once more, in another form than in the library: as a recursion over groups of lanes
//! (Ipdom, TokenStack, NoReconvergence) or as one sentence about all lanes (MinPc). The branches that each lane took, and
//! where its indirect branches led, come from the run itself; everything else must follow.

mod replay;

use replay::Replay;
use simt_core::LaneMask;
use simt_core::code::{Code, Inst, JumpKind, Pc, TableId};
use simt_runtime::{
    FallThroughFirst, Gpu, Grid, Ipdom, Kernel, LowestPc, MinPc, NoReconvergence, Observer, PathOrder, SmallerFirst,
    StackLess, TokenStack, WarpId, WarpPolicy,
};
use simt_testing::{Arrays, Faults, Random, random_program};
use std::collections::{BTreeMap, VecDeque};

/// What was issued in each warp, and what each lane decided.
struct Run<'c> {
    code: &'c Code,
    warps: Vec<(WarpId, Issues, Vec<Decisions>)>,
    /// The indirect branches that lanes have just executed.
    indirect: BTreeMap<usize, TableId>,
}

/// Addresses and masks, in order.
type Issues = Vec<(Pc, LaneMask)>;

/// What a lane decided, in order.
#[derive(Clone, Default)]
struct Decisions {
    /// Whether it took each of its branches.
    branches: VecDeque<bool>,
    /// Where each of its indirect branches led.
    targets: VecDeque<Pc>,
}

impl Observer for Run<'_> {
    /// A warp that prints much has more than one turn: the last one of the list is the one that runs.
    fn warp(&mut self, warp: WarpId) {
        let known = self.warps.iter().position(|(known, ..)| *known == warp);
        let of_warp = match known {
            Some(place) => self.warps.remove(place),
            None => (warp, Vec::new(), vec![Decisions::default(); 64]),
        };
        self.warps.push(of_warp);
    }

    fn issued(&mut self, at: Pc, instructions: u32, mask: LaneMask) {
        let Some((_, issued, decisions)) = self.warps.last_mut() else { panic!("no warp runs") };
        issued.extend((at.0..at.0 + instructions.max(1)).map(|pc| (Pc(pc), mask)));
        for lane in mask.lanes() {
            if let Some(table) = self.indirect.remove(&lane) {
                let target = self.code.table(table).iter().find(|&&target| behind_joins(self.code, target) == at);
                decisions[lane].targets.push_back(*target.expect("a lane goes to a target of its table"));
            }
        }
    }

    fn branched(&mut self, at: Pc, taken: LaneMask, rest: LaneMask) {
        let Some((_, _, decisions)) = self.warps.last_mut() else { panic!("no warp runs") };
        if let Inst::Indirect { table, .. } = *self.code.inst(at) {
            return taken.lanes().for_each(|lane| assert_eq!(self.indirect.insert(lane, table), None));
        }
        taken.lanes().for_each(|lane| decisions[lane].branches.push_back(true));
        rest.lanes().for_each(|lane| decisions[lane].branches.push_back(false));
    }
}

/// The first instruction from an address on that is no join: joins are not issued.
fn behind_joins(code: &Code, mut pc: Pc) -> Pc {
    while let Inst::Jump { kind: JumpKind::Join, target } = *code.inst(pc) {
        pc = target;
    }
    pc
}

/// Whether what a lane issues says where each of its indirect branches led.
fn shows_targets(code: &Code) -> bool {
    code.tables.iter().all(|table| {
        let mut first: BTreeMap<Pc, Pc> = BTreeMap::new();
        table.iter().all(|&target| *first.entry(behind_joins(code, target)).or_insert(target) == target)
    })
}

#[track_caller]
fn check<P: WarpPolicy>(replay: impl Fn(&mut Replay<'_>, LaneMask)) {
    let (mut calls, mut indirect) = (0, 0);
    for seed in 0..400 {
        let program = random_program(seed, Faults::Never);
        let text = program.to_string();
        let code = program.code(P::MARKERS);
        if !shows_targets(&code) {
            continue;
        }
        calls += code.insts.iter().filter(|inst| matches!(inst, Inst::Call { .. })).count();
        indirect += code.tables.len();
        let kernel = Kernel::from_program(program);
        let grid = Grid::new(1, 70);
        for width in [4, 32, 64] {
            let mut arrays = Arrays::random(&mut Random::new(seed), 68, 9);
            let mut run = Run { code: &code, warps: Vec::new(), indirect: BTreeMap::new() };
            let gpu = Gpu::<P>::default().with_warp_width(width);
            gpu.launch_observed(grid, arrays.call(&kernel), &mut run).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(run.warps.len(), 70usize.div_ceil(width));
            for (warp, issued, decisions) in run.warps {
                let mut warps = Replay::new(&code, decisions);
                replay(&mut warps, LaneMask::first((70 - warp.warp * width).min(width)));
                let differs = issued.iter().zip(&warps.issued).position(|(found, expected)| found != expected);
                assert!(
                    differs.is_none() && issued.len() == warps.issued.len(),
                    "seed {seed}, width {width}, {warp:?}: issue {differs:?} of {} is {:?}, not {:?}\n{text}\n{code}",
                    issued.len(),
                    differs.map(|number| issued[number]),
                    differs.map(|number| warps.issued[number]),
                );
            }
        }
    }
    assert!(calls > 100 && indirect > 50, "{calls} calls, {indirect} indirect branches");
}

#[test]
fn ipdom_meets_at_the_immediate_post_dominator_and_takes_the_taken_path_first() {
    check::<Ipdom>(|warp, threads| {
        let waiting = warp.ipdom(Pc(0), threads, None);
        assert!(waiting.is_empty());
    });
}

#[test]
fn token_stack_follows_the_rules_of_the_paper() {
    check::<TokenStack>(|warp, threads| {
        warp.tokens(Pc(0), threads);
        assert_eq!(warp.returned, threads, "only the call token is left, and awakes all");
    });
}

#[test]
fn stacks_run_first_the_path_that_their_order_says() {
    fn both<O: PathOrder>(taken_first: fn(usize, usize) -> bool) {
        check::<Ipdom<O>>(|warp, threads| {
            warp.taken_first = taken_first;
            assert!(warp.ipdom(Pc(0), threads, None).is_empty());
        });
        check::<TokenStack<O>>(|warp, threads| {
            warp.taken_first = taken_first;
            warp.tokens(Pc(0), threads);
            assert_eq!(warp.returned, threads);
        });
    }
    both::<FallThroughFirst>(|_, _| false);
    both::<SmallerFirst>(|taken, rest| taken <= rest);
}

#[test]
fn min_pc_issues_all_lanes_at_the_lowest_address_of_the_deepest_calls() {
    check::<MinPc>(|warp, threads| warp.min_pc(Pc(0), threads));
    check::<StackLess<LowestPc>>(|warp, threads| warp.min_pc(Pc(0), threads));
}

#[test]
fn no_reconvergence_runs_each_group_to_its_end() {
    check::<NoReconvergence>(|warp, threads| warp.no_reconvergence(Pc(0), threads, Vec::new()));
}
