//! What a policy issues, in which order and for which lanes, is what its mechanism prescribes.
//!
//! Each mechanism is written here once more, in another form than in the library: as a recursion over groups of lanes
//! (Ipdom, TokenStack, NoReconvergence) or as one sentence about all lanes (MinPc). The branches that each lane took come
//! from the run itself; everything else must follow.

use simt_core::LaneMask;
use simt_core::code::{Code, Inst, JumpKind, Marker, Pc};
use simt_runtime::testing::{Arrays, Faults, Random, random_program};
use simt_runtime::{
    Gpu, Grid, Ipdom, Kernel, MinPc, NoReconvergence, Observer, ReconvergencePolicy, TokenStack, WarpId,
};
use std::collections::VecDeque;

/// What was issued in each warp, and what each lane decided at each of its branches.
#[derive(Default)]
struct Run {
    warps: Vec<(WarpId, Issues, Decisions)>,
}

/// Addresses and masks, in order.
type Issues = Vec<(Pc, LaneMask)>;
/// By lane, whether it took each of its branches.
type Decisions = Vec<VecDeque<bool>>;

impl Observer for Run {
    fn warp(&mut self, warp: WarpId) {
        self.warps.push((warp, Vec::new(), vec![VecDeque::new(); 64]));
    }

    fn issued(&mut self, at: Pc, instructions: u32, mask: LaneMask) {
        let Some((_, issued, _)) = self.warps.last_mut() else { panic!("no warp runs") };
        issued.extend((at.0..at.0 + instructions.max(1)).map(|pc| (Pc(pc), mask)));
    }

    fn branched(&mut self, _at: Pc, taken: LaneMask, rest: LaneMask) {
        let Some((_, _, decisions)) = self.warps.last_mut() else { panic!("no warp runs") };
        taken.lanes().for_each(|lane| decisions[lane].push_back(true));
        rest.lanes().for_each(|lane| decisions[lane].push_back(false));
    }
}

/// A warp that runs once more.
struct Replay<'c> {
    code: &'c Code,
    decisions: Vec<VecDeque<bool>>,
    issued: Vec<(Pc, LaneMask)>,
    broken: LaneMask,
    continued: LaneMask,
    returned: LaneMask,
}

impl Replay<'_> {
    fn issue(&mut self, pc: Pc, mask: LaneMask) -> Inst {
        assert!(!mask.is_empty());
        let inst = *self.code.inst(pc);
        // A join is no issue: the end of an arm is a flag on its last instruction.
        if !matches!(inst, Inst::Jump { kind: JumpKind::Join, .. }) {
            self.issued.push((pc, mask));
        }
        inst
    }

    /// The lanes of the mask that take the branch they are at.
    fn take(&mut self, mask: LaneMask) -> LaneMask {
        let takes = |lane: &usize| self.decisions[*lane].pop_front() == Some(true);
        mask.lanes().filter(takes).map(LaneMask::lane).fold(LaneMask::EMPTY, |all, lane| all | lane)
    }

    /// TACO'09 section 2.2. Runs the lanes until they have ended or stand at `stop`; which of them stand there.
    fn ipdom(&mut self, mut pc: Pc, mut mask: LaneMask, stop: Option<Pc>) -> LaneMask {
        while Some(pc) != stop {
            match self.issue(pc, mask) {
                Inst::Exit => return LaneMask::EMPTY,
                Inst::Jump { target, .. } => pc = target,
                Inst::Branch { target, .. } => {
                    let taken = self.take(mask);
                    if taken.is_empty() || taken == mask {
                        pc = if taken.is_empty() { pc.next() } else { target };
                        continue;
                    }
                    let meet = self.code.reconvergence[pc.index()];
                    let until = meet.or(stop);
                    let mut there = self.ipdom(target, taken, until);
                    there |= self.ipdom(pc.next(), mask - taken, until);
                    match meet {
                        Some(meet) if !there.is_empty() => (pc, mask) = (meet, there),
                        _ => return there,
                    }
                }
                _ => pc = pc.next(),
            }
        }
        mask
    }

    /// TACO'09's NREC.
    fn no_reconvergence(&mut self, mut pc: Pc, mask: LaneMask) {
        loop {
            match self.issue(pc, mask) {
                Inst::Exit => return,
                Inst::Jump { target, .. } => pc = target,
                Inst::Branch { target, .. } => {
                    let taken = self.take(mask);
                    if !taken.is_empty() && taken != mask {
                        self.no_reconvergence(target, taken);
                        return self.no_reconvergence(pc.next(), mask - taken);
                    }
                    pc = if taken.is_empty() { pc.next() } else { target };
                }
                _ => pc = pc.next(),
            }
        }
    }

    /// Of all lanes, those at the lowest address issue.
    fn min_pc(&mut self, entry: Pc, mask: LaneMask) {
        let mut at: Vec<Option<Pc>> = (0..64).map(|lane| mask.contains(lane).then_some(entry)).collect();
        while let Some(pc) = at.iter().flatten().min().copied() {
            let lanes: Vec<usize> = (0..64).filter(|&lane| at[lane] == Some(pc)).collect();
            let mask = lanes.iter().map(|&lane| LaneMask::lane(lane)).fold(LaneMask::EMPTY, |all, lane| all | lane);
            let inst = self.issue(pc, mask);
            for lane in lanes {
                at[lane] = match inst {
                    Inst::Exit => None,
                    Inst::Jump { target, .. } => Some(target),
                    Inst::Branch { target, .. } if !self.take(LaneMask::lane(lane)).is_empty() => Some(target),
                    _ => Some(pc.next()),
                };
            }
        }
    }

    /// ESOP'12 Table 2, with `continue`: runs the lanes until the topmost token is popped. The call stack is the stack of
    /// tokens: what a token is for stands behind the call that runs what is above it.
    fn tokens(&mut self, mut pc: Pc, mut mask: LaneMask) {
        while !mask.is_empty() {
            match self.issue(pc, mask) {
                Inst::Exit => return self.returned |= mask,
                Inst::Jump { kind: JumpKind::Break, .. } => return self.broken |= mask,
                Inst::Jump { kind: JumpKind::Continue, .. } => return self.continued |= mask,
                Inst::Jump { kind: JumpKind::Plain | JumpKind::Join, target } => pc = target,
                Inst::Marker(Marker::Pop) => return,
                Inst::Marker(Marker::PushSync(behind)) => {
                    self.tokens(pc.next(), mask);
                    (pc, mask) = (behind, self.enabled(mask));
                }
                Inst::Marker(Marker::PushBreak(exit)) => {
                    self.tokens(pc.next(), mask);
                    self.broken = self.broken - mask;
                    (pc, mask) = (exit, self.enabled(mask));
                }
                Inst::Marker(Marker::PushContinue(step)) => {
                    self.tokens(pc.next(), mask);
                    self.continued = self.continued - mask;
                    (pc, mask) = (step, self.enabled(mask));
                }
                Inst::Branch { target, leaves, .. } => {
                    let taken = self.take(mask);
                    if leaves {
                        // Rule while: they wait for the brk token, without a disable state.
                        (pc, mask) = (pc.next(), mask - taken);
                    } else if taken.is_empty() || taken == mask {
                        pc = if taken.is_empty() { pc.next() } else { target };
                    } else {
                        // The div token.
                        self.tokens(target, taken);
                        (pc, mask) = (pc.next(), mask - taken);
                    }
                }
                _ => pc = pc.next(),
            }
        }
    }

    fn enabled(&self, mask: LaneMask) -> LaneMask {
        mask - (self.broken | self.continued | self.returned)
    }
}

#[track_caller]
fn check<P: ReconvergencePolicy>(replay: impl Fn(&mut Replay<'_>, LaneMask)) {
    for seed in 0..400 {
        let program = random_program(seed, Faults::Never);
        let text = program.to_string();
        let code =
            program.clone().validate().map(|program| program.code(P::MARKERS)).expect("random programs are valid");
        let kernel = Kernel::from_program(program);
        let grid = Grid::new(1, 70);
        for width in [4, 32, 64] {
            let mut arrays = Arrays::random(&mut Random::new(seed), 68, 9);
            let mut run = Run::default();
            let gpu = Gpu::<P>::default().with_warp_width(width);
            gpu.launch_observed(grid, arrays.call(&kernel), &mut run).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(run.warps.len(), 70usize.div_ceil(width));
            for (warp, issued, decisions) in run.warps {
                let (broken, continued, returned) = (LaneMask::EMPTY, LaneMask::EMPTY, LaneMask::EMPTY);
                let mut warps = Replay { code: &code, decisions, issued: Vec::new(), broken, continued, returned };
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
fn min_pc_issues_all_lanes_at_the_lowest_address() {
    check::<MinPc>(|warp, threads| warp.min_pc(Pc(0), threads));
}

#[test]
fn no_reconvergence_runs_each_group_to_its_end() {
    check::<NoReconvergence>(|warp, threads| warp.no_reconvergence(Pc(0), threads));
}
