//! Policies of ours into which a mistake is put at random: a launch under one never panics, and it fails or gives the
//! reference's results.

use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};
use simt_runtime::{
    BarrierMarker, BlockBranch, BlockCompaction, BlockPolicy, BlockSplit, BlockStart, BlockTiming, Branch, Checks, Dwf,
    Gpu, GpuConfig, Grid, Hanoi, Ipdom, Kernel, LaunchError, LikelyConvergence, Majority, MinPc, MultiPath, Policy,
    PolicyVisitor, StackLess, Stops, ThreadMask, TokenStack, WarpPart, WarpPolicy, WarpSplit, WarpStart, WarpTiming,
};
use simt_testing::{Arrays, Faults, Random, random_program, reference};

/// Where the mistake is made.
#[derive(Clone, Debug, PartialEq)]
struct Chance {
    mistake: usize,
    /// Steps until it is made, again and again.
    every: u64,
    steps: u64,
    bits: u64,
}

const MISTAKES: usize = 10;

impl Chance {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        Self { mistake: random.below(MISTAKES), every: 1 + random.below(40) as u64, steps: 0, bits: random.bits() }
    }

    /// Another step. Returns the mistake, if it is made in it.
    fn step(&mut self) -> Option<usize> {
        self.steps += 1;
        self.bits = self.bits.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        self.steps.is_multiple_of(self.every).then_some(self.mistake)
    }

    /// What is current by a policy that has made a mistake, in place of `split`.
    fn shown(&self, mistake: Option<usize>, split: Option<WarpSplit>) -> Option<WarpSplit> {
        let WarpSplit { pc, mask } = split?;
        let some = LaneMask(self.bits);
        match mistake {
            Some(0) => Some(WarpSplit { pc, mask: mask & some }),
            Some(1) => Some(WarpSplit { pc, mask: mask | some }),
            Some(2) => Some(WarpSplit { pc: Pc(pc.0.wrapping_add(self.bits as u32 % 5)), mask }),
            Some(3) => Some(WarpSplit { pc: Pc(self.bits as u32), mask }),
            Some(4) => Some(WarpSplit { pc, mask: LaneMask::EMPTY }),
            Some(5) => None,
            _ => Some(WarpSplit { pc, mask }),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Mutant<P> {
    policy: P,
    chance: Chance,
    shown: Option<WarpSplit>,
    /// The splits as they were a step ago.
    stale: Vec<WarpSplit>,
}

impl<P: WarpPolicy> Mutant<P> {
    fn of(policy: P, seed: u64) -> Self {
        Self { shown: policy.current(), policy, chance: Chance::new(seed), stale: Vec::new() }
    }

    /// A step, which 6 leaves out and 7 makes twice.
    fn step(&mut self, act: impl Fn(&mut P)) {
        let mistake = self.chance.step();
        self.stale = self.policy.splits();
        if mistake != Some(6) {
            act(&mut self.policy);
        }
        if mistake == Some(7) && self.policy.current().is_some() {
            act(&mut self.policy);
        }
        self.shown = self.chance.shown(mistake, self.policy.current());
    }

    fn select(&mut self, free: LaneMask) -> bool {
        let selects = P::TIMING.selects(&mut self.policy, free);
        let mistake = self.chance.step();
        self.shown = self.chance.shown(mistake, self.policy.current());
        selects != (mistake == Some(8))
    }
}

impl<P: WarpPolicy> WarpPolicy for Mutant<P> {
    const NAME: &'static str = "Mutant";
    const MARKERS: Markers = P::MARKERS;
    const STOPS: Stops = P::STOPS;
    const TIMING: WarpTiming<Self> = WarpTiming { select: Some(Self::select), ..WarpTiming::DEFAULT };

    fn start(start: WarpStart<'_>) -> Self {
        Self::of(P::start(start), start.seed())
    }
    fn current(&self) -> Option<WarpSplit> {
        self.shown
    }
    fn advance(&mut self, next: Pc) {
        self.step(|policy| policy.advance(next));
    }
    fn branch(&mut self, branch: Branch) {
        let current = self.policy.current().map_or(LaneMask::EMPTY, |split| split.mask);
        let swaps = self.chance.mistake == 9 && self.chance.steps.is_multiple_of(self.chance.every);
        let taken = if swaps { current - branch.taken } else { branch.taken };
        self.step(|policy| policy.branch(Branch { taken, ..branch }));
    }
    fn exit(&mut self) {
        self.step(P::exit);
    }
    fn jump(&mut self, kind: JumpKind, target: Pc) {
        self.step(|policy| policy.jump(kind, target));
    }
    fn call(&mut self, target: Pc, back: Pc) {
        self.step(|policy| policy.call(target, back));
    }
    fn ret(&mut self, returning: LaneMask, back: Pc, at: Pc) {
        self.step(|policy| policy.ret(returning, back, at));
    }
    fn park(&mut self) -> bool {
        let mistake = self.chance.step();
        let parks = mistake == Some(6) || self.policy.park();
        self.shown = self.chance.shown(mistake, self.policy.current());
        parks != (mistake == Some(8))
    }
    fn release(&mut self, ends: &dyn Fn(Pc) -> bool) -> bool {
        let mistake = self.chance.step();
        let wild = mistake == Some(3) && ends(Pc(self.chance.bits as u32));
        let releases = wild || mistake != Some(6) && self.policy.release(ends);
        self.shown = self.chance.shown(mistake, self.policy.current());
        releases != (mistake == Some(8))
    }
    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        self.step(|policy| policy.wake(lanes, next));
    }
    fn marker(&mut self, marker: Marker, next: Pc) {
        self.step(|policy| policy.marker(marker, next));
    }
    fn barrier(&mut self, marker: BarrierMarker, next: Pc) -> LaneMask {
        let mistake = self.chance.step();
        let saved = if mistake == Some(6) { LaneMask(self.chance.bits) } else { self.policy.barrier(marker, next) };
        self.shown = self.chance.shown(mistake, self.policy.current());
        saved
    }
    fn splits(&self) -> Vec<WarpSplit> {
        if self.chance.mistake == 8 { self.stale.clone() } else { self.policy.splits() }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct CoreMutant<C> {
    policy: C,
    chance: Chance,
    shown: Option<(Pc, ThreadMask)>,
    warps: usize,
}

impl<C: BlockPolicy> CoreMutant<C> {
    fn step(&mut self, act: impl Fn(&mut C)) {
        let mistake = self.chance.step();
        if mistake != Some(6) {
            act(&mut self.policy);
        }
        self.show(mistake);
    }

    fn show(&mut self, mistake: Option<usize>) {
        let Some(BlockSplit { pc, threads }) = self.policy.current() else { return self.shown = None };
        let mut threads = threads.clone();
        let part =
            WarpPart { warp: self.chance.bits as usize % (self.warps + 2), lanes: LaneMask(self.chance.bits >> 9) };
        let mut to = pc;
        match mistake {
            Some(0) => threads.remove(part),
            Some(1 | 8) => threads.insert(part),
            Some(2) => to = Pc(pc.0.wrapping_add(self.chance.bits as u32 % 5)),
            Some(3 | 9) => to = Pc(self.chance.bits as u32),
            Some(4) => threads.clear(),
            Some(5) => return self.shown = None,
            _ => {}
        }
        self.shown = Some((to, threads));
    }

    fn ready(&mut self, free: &[LaneMask], now: u64) -> u64 {
        let ready = C::TIMING.ready_at(&mut self.policy, free, now);
        self.show(None);
        ready
    }

    fn select(&mut self, free: &[LaneMask]) -> bool {
        let selects = C::TIMING.selects(&mut self.policy, free);
        let mistake = self.chance.step();
        self.show(mistake);
        selects != (mistake == Some(7))
    }
}

impl<C: BlockPolicy> BlockPolicy for CoreMutant<C> {
    const NAME: &'static str = "CoreMutant";
    const MARKERS: Markers = C::MARKERS;
    const STOPS: Stops = C::STOPS;
    const TIMING: BlockTiming<Self> = BlockTiming { ready: Some(Self::ready), select: Some(Self::select) };

    fn start(start: BlockStart<'_>) -> Self {
        let policy = C::start(start);
        let mut mutant = Self { policy, chance: Chance::new(start.config.seed), shown: None, warps: start.warps.len() };
        mutant.show(None);
        mutant
    }
    fn current(&self) -> Option<BlockSplit<'_>> {
        self.shown.as_ref().map(|(pc, threads)| BlockSplit { pc: *pc, threads })
    }
    fn advance(&mut self, next: Pc) {
        self.step(|policy| policy.advance(next));
    }
    fn branch(&mut self, branch: BlockBranch<'_>) {
        self.step(|policy| policy.branch(branch));
    }
    fn exit(&mut self) {
        self.step(C::exit);
    }
    fn jump(&mut self, kind: JumpKind, target: Pc) {
        self.step(|policy| policy.jump(kind, target));
    }
    fn call(&mut self, target: Pc, back: Pc) {
        self.step(|policy| policy.call(target, back));
    }
    fn ret(&mut self, returning: &ThreadMask, back: Pc, at: Pc) {
        self.step(|policy| policy.ret(returning, back, at));
    }
    fn marker(&mut self, marker: Marker, next: Pc) {
        self.step(|policy| policy.marker(marker, next));
    }
    fn park(&mut self) {
        self.step(C::park);
    }
    fn wake(&mut self, part: WarpPart, next: Pc) {
        self.step(|policy| policy.wake(part, next));
    }
    fn release(&mut self, ends: &dyn Fn(Pc) -> bool) -> bool {
        let releases = self.policy.release(ends);
        self.show(None);
        releases
    }
    fn positions(&self, threads: &ThreadMask) -> LaneMask {
        let positions = self.policy.positions(threads);
        if self.chance.mistake == 7 { positions | LaneMask(self.chance.bits) } else { positions }
    }
    fn splits(&self) -> Vec<(Pc, WarpPart)> {
        self.policy.splits()
    }
}

impl<C: BlockPolicy> Policy for CoreMutant<C> {
    fn visit<V: PolicyVisitor>(visitor: V) -> V::Output {
        visitor.block::<Self>()
    }
}

/// Runs random kernels under mutants; gives how many launches succeeded and how many failed.
fn survive<P: Policy>(seeds: u64) -> (usize, usize) {
    let (mut right, mut failed) = (0, 0);
    for seed in 0..seeds {
        let program = random_program(seed, Faults::Never);
        let validated = program.clone().validate().unwrap_or_else(|error| panic!("{error}"));
        let kernel = Kernel::from_program(program);
        let mut random = Random::new(seed);
        let grid = Grid::new(1, 1 + random.below(70));
        let before = Arrays::random(&mut random, grid.threads().x, 9);
        let expected = reference(&validated, grid, &before).unwrap_or_else(|fault| panic!("{fault:?}"));
        let machine = |clock: bool| GpuConfig {
            warp_width: 16,
            step_limit: 1 << 17,
            checks: Checks::none(),
            seed: random_seed(seed),
            clock: clock.then(|| GpuConfig::turing().clock).flatten(),
            ..GpuConfig::functional()
        };
        for config in [machine(false), machine(true)] {
            for checks in [Checks::none(), Checks::all()] {
                let mut arrays = before.clone();
                let gpu = Gpu::<P>::new(config.clone()).with_checks(checks);
                match gpu.launch(grid, arrays.call(&kernel)) {
                    Ok(report) => {
                        assert_eq!(arrays.to_bits(), expected.memory, "wrong results of seed {seed}");
                        assert_eq!(report.prints(), expected.prints, "wrong lines of seed {seed}");
                        assert!(report.simd_efficiency() <= 1.0);
                        right += 1;
                    }
                    Err(error) => {
                        let kernel_is_blamed = matches!(error, LaunchError::Fault(_) | LaunchError::Program(_));
                        assert!(!kernel_is_blamed, "seed {seed}: {error}");
                        assert_eq!(arrays.to_bits(), before.to_bits(), "a launch that fails changes nothing");
                        failed += 1;
                    }
                }
            }
        }
    }
    (right, failed)
}

fn random_seed(seed: u64) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

macro_rules! survive {
    ($($name:ident $policy:ty;)*) => {$(
        #[test]
        fn $name() {
            let (right, failed) = survive::<$policy>(60);
            // Most mistakes are some.
            assert!(failed > right, "{failed} launches failed, and {right} gave right results");
        }
    )*};
}

survive! {
    mutants_of_ipdom_are_noticed Mutant<Ipdom>;
    mutants_of_token_stack_are_noticed Mutant<TokenStack>;
    mutants_of_min_pc_are_noticed Mutant<MinPc>;
    mutants_of_stack_less_are_noticed Mutant<StackLess<simt_runtime::RoundRobin>>;
    mutants_of_hanoi_are_noticed Mutant<Hanoi>;
    mutants_of_multi_path_are_noticed Mutant<MultiPath>;
    mutants_of_likely_convergence_are_noticed Mutant<LikelyConvergence>;
    mutants_of_dwf_are_noticed CoreMutant<Dwf<Majority>>;
    mutants_of_block_compaction_are_noticed CoreMutant<BlockCompaction>;
}
