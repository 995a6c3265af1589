//! Wrong policies of users, without any check being asked for: each ends the launch with an error that names the law of the
//! trait that it breaks, and the caller's data stays.

mod cores;
mod schedules;

use simt_core::LaneMask;
use simt_core::code::{Code, Markers, Pc};
use simt_runtime::{
    Argument, Branch, Check, Checks, EnvironmentConfig, FailedCheck, Gpu, GpuConfig, Grid, Kernel, LaunchError,
    MemoryModel, Policy, Report, WarpPolicy, WarpSplit, WarpStart, WarpTiming, call,
};

/// Each element says which side its thread took, and is counted up as often as the thread's number says.
const DIVERGES: &str = "kernel diverges(x: &mut [u32])
    .reg u32 %t, %v, bool %p
    cvt.u32.usize %t, global_id()
    lt.u32 %p, %t, 3
    @%p bra LOW
    mov.u32 %v, 100
    bra BOTH
    LOW: mov.u32 %v, 200
    BOTH: eq.u32 %p, %t, 0
    @%p bra END
    HEAD: add.u32 %v, %v, 1
    sub.u32 %t, %t, 1
    gt.u32 %p, %t, 0
    @%p bra HEAD
    END: st.u32 x[global_id()], %v
    exit";

/// The same, with a barrier of the block at the end, so that its warps take turns.
fn in_turns() -> String {
    DIVERGES.replace("END: st", "END: bar.sync\n    st")
}

fn expected(threads: u32) -> Vec<u32> {
    (0..threads).map(|t| if t < 3 { 200 + t } else { 100 + t }).collect()
}

const OLD: u32 = 77;

/// The report, or the error, with what is in the slice then.
fn launch<P: Policy>(config: &GpuConfig, text: &str) -> (Result<Report, LaunchError>, Vec<u32>) {
    let kernel = Kernel::from_code(Code::parse(text).unwrap_or_else(|error| panic!("{error}")));
    let mut x = vec![OLD; 14];
    let report =
        Gpu::<P>::new(config.clone()).launch(Grid::new(1, 14), call(&kernel, vec![Argument::slice_mut(&mut x)]));
    (report, x)
}

/// All ways in which a launch can run, without checks: in order and in turns, by the functional machine, with a clock, and on
/// modelled memory.
fn ways() -> Vec<(&'static str, GpuConfig, String)> {
    let functional =
        GpuConfig { warp_width: 8, step_limit: 1 << 14, checks: Checks::none(), ..GpuConfig::functional() };
    let clock = GpuConfig { clock: GpuConfig::turing().clock, ..functional.clone() };
    let memory = MemoryModel::Environment(EnvironmentConfig::default());
    let modelled = GpuConfig { memory, ..functional.clone() };
    vec![
        ("in order", functional.clone(), DIVERGES.into()),
        ("in turns", functional, in_turns()),
        ("with a clock", clock.clone(), DIVERGES.into()),
        ("with a clock, in turns", clock, in_turns()),
        ("on modelled memory", modelled, in_turns()),
    ]
}

/// That a launch under the policy fails in every way, by one of these.
#[track_caller]
fn breaks<P: Policy>(laws: &[Check]) {
    for (way, config, text) in ways() {
        let (result, x) = launch::<P>(&config, &text);
        let error = result.err().unwrap_or_else(|| panic!("{way}: nothing fails, {x:?}"));
        let LaunchError::Policy(failed) = &error else { panic!("{way}: {error}") };
        assert!(laws.contains(&failed.check), "{way}: {error}");
        assert_eq!((failed.policy, failed.warp.is_some()), (P::name(), true));
        assert_eq!(x, [OLD; 14], "{way}");
        let text = error.to_string();
        for part in [failed.kernel.as_ref(), failed.policy, &failed.found, "broken is law", "block (0, 0, 0), warp"] {
            assert!(text.contains(part), "{way}: no {part:?} in\n{text}");
        }
        // With checks it is found, too, by a check or by a law.
        let (result, x) = launch::<P>(&GpuConfig { checks: Checks::all(), ..config }, &text_of(way));
        assert!(matches!(result, Err(LaunchError::Check(_) | LaunchError::Policy(_))), "{way}: {result:?}");
        assert_eq!(x, [OLD; 14], "{way}");
    }
}

fn text_of(way: &str) -> String {
    ways().into_iter().find(|(name, ..)| *name == way).map(|(_, _, text)| text).unwrap_or_default()
}

/// That the policy gives the right results in every way.
#[track_caller]
fn keeps<P: Policy>() {
    for (way, config, text) in ways() {
        let (result, x) = launch::<P>(&config, &text);
        result.unwrap_or_else(|error| panic!("{way}: {error}"));
        assert_eq!(x, expected(14), "{way}");
    }
}

/// A list of splits, the last of which runs; what it does wrong by name.
macro_rules! wrong {
    ($(
        $test:ident $name:ident $laws:expr;
    )*) => {$(
        #[derive(Clone, Debug, PartialEq)]
        struct $name(List);

        impl WarpPolicy for $name {
            const NAME: &'static str = stringify!($name);
            const MARKERS: Markers = Markers::None;
            const TIMING: WarpTiming<Self> = WarpTiming {
                select: Some(|policy, free| Rules::of::<Self>().select(&policy.0, free)),
                ..WarpTiming::DEFAULT
            };

            fn start(start: WarpStart<'_>) -> Self {
                Self(List { splits: Rules::of::<Self>().start(start.split), parked: Vec::new() })
            }
            fn current(&self) -> Option<WarpSplit> {
                Rules::of::<Self>().current(&self.0)
            }
            fn advance(&mut self, next: Pc) {
                Rules::of::<Self>().advance(&mut self.0, next);
            }
            fn branch(&mut self, branch: Branch) {
                Rules::of::<Self>().branch(&mut self.0, branch);
            }
            fn exit(&mut self) {
                Rules::of::<Self>().exit(&mut self.0);
            }
            fn park(&mut self) -> bool {
                Rules::of::<Self>().park(&mut self.0)
            }
            fn wake(&mut self, lanes: LaneMask, next: Pc) {
                Rules::of::<Self>().wake(&mut self.0, lanes, next);
            }
            fn splits(&self) -> Vec<WarpSplit> {
                Rules::of::<Self>().splits(&self.0)
            }
        }

        #[test]
        fn $test() {
            let laws: &[Check] = &$laws;
            if laws.is_empty() { keeps::<$name>() } else { breaks::<$name>(laws) }
        }
    )*};
}

#[derive(Clone, Debug, PartialEq)]
struct List {
    splits: Vec<WarpSplit>,
    parked: Vec<WarpSplit>,
}

/// What a wrong policy does, by its name.
struct Rules(&'static str);

impl Rules {
    fn of<P: WarpPolicy>() -> Self {
        Self(P::NAME)
    }

    fn is(&self, name: &str) -> bool {
        self.0 == name
    }

    fn start(&self, split: WarpSplit) -> Vec<WarpSplit> {
        match self.0 {
            "Nothing" => vec![],
            "Empty" => vec![WarpSplit { mask: LaneMask::EMPTY, ..split }],
            "Wide" => vec![WarpSplit { mask: LaneMask::first(64), ..split }],
            "BeginsElsewhere" => vec![WarpSplit { pc: Pc(2), ..split }],
            _ => vec![split],
        }
    }

    fn current(&self, list: &List) -> Option<WarpSplit> {
        list.splits.last().copied()
    }

    fn go(&self, list: &mut List, pc: Pc) {
        if let Some(last) = list.splits.last_mut() {
            last.pc = pc;
        }
    }

    fn advance(&self, list: &mut List, next: Pc) {
        match self.0 {
            "Stuck" => {}
            "OutOfRange" => self.go(list, Pc(next.0 + 1000)),
            "Middle" => self.go(list, Pc(next.0 + 1)),
            "Forgets" => drop(list.splits.pop()),
            _ => self.go(list, next),
        }
    }

    fn branch(&self, list: &mut List, Branch { taken, target, next, .. }: Branch) {
        let Some(WarpSplit { mask, .. }) = list.splits.pop() else { return };
        let (mut taken, mut rest) = (taken, mask - taken);
        match self.0 {
            "Drops" if !taken.is_empty() => rest = LaneMask::EMPTY,
            "Doubles" => (taken, rest) = (mask, mask),
            "Swaps" => (taken, rest) = (rest, taken),
            _ => {}
        }
        let far = if self.is("FarBranch") { Pc(u32::MAX) } else { target };
        let sides = [(next, rest), (far, taken)].into_iter().filter(|(_, mask)| !mask.is_empty());
        list.splits.extend(sides.map(|(pc, mask)| WarpSplit { pc, mask }));
    }

    fn exit(&self, list: &mut List) {
        match self.0 {
            "NoPop" => {}
            "ForgetsOthers" => list.splits.clear(),
            _ => drop(list.splits.pop()),
        }
    }

    fn park(&self, list: &mut List) -> bool {
        list.parked.extend(list.splits.pop());
        true
    }

    fn wake(&self, list: &mut List, lanes: LaneMask, next: Pc) {
        list.parked.iter_mut().for_each(|split| split.mask = split.mask - lanes);
        list.parked.retain(|split| !split.mask.is_empty());
        list.splits.push(WarpSplit { pc: next, mask: lanes });
    }

    fn select(&self, list: &List, free: LaneMask) -> bool {
        match self.0 {
            "SaysYes" => true,
            "SaysNo" => false,
            _ => self.current(list).is_some_and(|split| split.mask.is_subset(free)),
        }
    }

    fn splits(&self, list: &List) -> Vec<WarpSplit> {
        match self.0 {
            "LiesSplits" => vec![WarpSplit { pc: Pc(u32::MAX), mask: LaneMask::first(64) }; 10_000],
            _ => list.splits.iter().rev().chain(&list.parked).copied().collect(),
        }
    }
}

wrong! {
    a_policy_without_a_mistake_gives_results Good [];
    what_select_says_does_not_matter_when_it_is_yes SaysYes [];
    what_select_says_does_not_matter_when_it_is_no SaysNo [];
    law_3_a_policy_that_never_advances Stuck [Check::I1];
    law_3_addresses_outside_the_code OutOfRange [Check::I1];
    law_3_addresses_that_skip_instructions Middle [Check::I1];
    law_3_branches_outside_the_code FarBranch [Check::I1];
    law_3_sides_of_a_branch_that_change_places Swaps [Check::I1];
    law_3_a_warp_that_does_not_begin_at_the_entry BeginsElsewhere [Check::I1];
    law_1_current_without_lanes Empty [Check::I4];
    law_1_no_lane_runs Nothing [Check::I4];
    law_1_lanes_that_are_forgotten_one_after_the_other Forgets [Check::I4];
    law_1_a_side_of_a_branch_that_is_forgotten Drops [Check::I4, Check::I3];
    law_1_others_that_are_forgotten_at_an_exit ForgetsOthers [Check::I4];
    law_2_lanes_without_a_thread Wide [Check::T4];
    law_2_lanes_on_both_sides_of_a_branch Doubles [Check::I1];
    law_2_lanes_that_never_end NoPop [Check::T1];
    law_2_a_list_of_splits_that_lies LiesSplits [Check::T4];
}

#[test]
fn a_broken_law_says_what_is_wrong_and_where() {
    let (_, config, text) = ways().remove(0);
    let error = launch::<Drops>(&config, &text).0.expect_err("it drops lanes");
    let LaunchError::Policy(failed) = &error else { panic!("{error}") };
    let FailedCheck { check, warp, lanes, pc, thread_pc, .. } = &**failed;
    assert_eq!((*check, *warp, lanes.digits(8)), (Check::I4, Some(0), "01111111".to_string()));
    assert_eq!((*pc, *thread_pc), (Pc(13), Some(Pc(8))));
    assert_eq!(
        (error.kernel(), error.line(), error.thread().map(|thread| thread.lane)),
        ("diverges", Some(16), Some(1))
    );
    for part in [
        "policy Drops breaks a law of its trait: no lane runs, but lane 1 has not ended",
        "broken is law 1, `current` is never empty, and is `None` only when all lanes have ended or wait",
        "in kernel `diverges`: block (0, 0, 0), warp 0, under Drops",
        "global_id() 1, lane 1 of warp 0, alone at @8",
        "lanes that it is about: 01111111",
        "`gpu.with_checks(Checks::all())` stops at the first step that goes wrong",
    ] {
        assert!(error.to_string().contains(part), "no {part:?} in\n{error}");
    }
}

#[test]
#[should_panic(expected = "in branch")]
fn a_policy_that_panics_is_heard() {
    #[derive(Clone, Debug, PartialEq)]
    struct Panics(WarpSplit);
    impl WarpPolicy for Panics {
        const NAME: &'static str = "Panics";
        const MARKERS: Markers = Markers::None;
        fn start(start: WarpStart<'_>) -> Self {
            Self(start.split)
        }
        fn current(&self) -> Option<WarpSplit> {
            Some(self.0)
        }
        fn advance(&mut self, next: Pc) {
            self.0.pc = next;
        }
        fn branch(&mut self, _branch: Branch) {
            panic!("in branch");
        }
        fn exit(&mut self) {}
        fn splits(&self) -> Vec<WarpSplit> {
            vec![self.0]
        }
    }
    let (_, config, text) = ways().remove(0);
    drop(launch::<Panics>(&config, &text));
}
