//! Hanoi: M. A. Shoushtary, J. Tubella and A. González, *Control Flow Management in Modern GPUs*, Figures 3, 5, 6 and 7, each
//! by its own control-flow instructions. Masks have lane 0 on the right, as in the paper.

use simt_core::LaneMask;
use simt_core::code::{BarrierReg, Code, JumpKind, Marker, Markers, Pc};
use simt_runtime::{
    Argument, BarrierMarker, Branch, Gpu, Grid, Hanoi, Issue, IssueTrace, Kernel, LaunchError, WarpPolicy, WarpSplit,
    WarpStart, call,
};
use std::cell::RefCell;
use std::sync::atomic::AtomicU32;

thread_local! {
    /// The policy before each of its steps, and behind the last.
    static LOG: RefCell<Vec<Hanoi>> = const { RefCell::new(Vec::new()) };
}

/// Hanoi, written down.
#[derive(Clone, Debug, PartialEq)]
struct Recorded(Hanoi);

impl Recorded {
    fn step<T>(&mut self, act: impl FnOnce(&mut Hanoi) -> T) -> T {
        let result = act(&mut self.0);
        LOG.with_borrow_mut(|log| log.push(self.0.clone()));
        result
    }
}

macro_rules! recorded {
    ($(#[$inline:meta] $event:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)? = $step:expr;)*) => {
        impl WarpPolicy for Recorded {
            const NAME: &'static str = Hanoi::NAME;
            const MARKERS: Markers = Hanoi::MARKERS;

            fn start(start: WarpStart<'_>) -> Self {
                let policy = Hanoi::start(start);
                LOG.with_borrow_mut(|log| *log = vec![policy.clone()]);
                Self(policy)
            }
            fn current(&self) -> Option<WarpSplit> {
                self.0.current()
            }
            fn splits(&self) -> Vec<WarpSplit> {
                self.0.splits()
            }
            $(fn $event(&mut self, $($argument: $ty),*) $(-> $result)? {
                self.step(|policy| policy.$event($($argument),*))
            })*
        }
    };
}

simt_runtime::warp_policy_events!(recorded);

/// A run of one warp of four lanes.
struct Run {
    code: Code,
    trace: IssueTrace,
    states: Vec<Hanoi>,
    result: Result<(), LaunchError>,
}

fn run(text: &str, arguments: Vec<Argument<'_>>) -> Run {
    let parsed = Code::parse(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(parsed.for_markers(Markers::HanoiBarriers), parsed, "addresses must be those of the text");
    let code = parsed.clone().into_inner();
    let kernel = Kernel::from_code(parsed);
    let gpu = Gpu::<Recorded>::default().with_warp_width(4).with_step_limit(1 << 20);
    let mut trace = IssueTrace::with_limit(1 << 10);
    let result = gpu.launch_observed(Grid::new(1, 4), call(&kernel, arguments), &mut trace).map(drop);
    Run { code, trace, states: LOG.take(), result }
}

/// A mask as the paper writes it, `----` where a register is not valid.
fn digits(mask: Option<LaneMask>) -> String {
    mask.map_or("----".into(), |mask| mask.digits(4).chars().rev().collect())
}

impl Run {
    /// What is executed: the labels of instructions that have one, and the lanes.
    fn issues(&self) -> Vec<String> {
        let lines: Vec<&str> = self.code.source.text.lines().collect();
        let issue = |&Issue { pc, mask, .. }: &Issue| {
            let line = lines[self.code.spans[pc.index()].line as usize - 1].trim();
            let label = line.split_once(": ").map(|(label, _)| label)?;
            Some(format!("{label} {}", digits(Some(mask))))
        };
        self.trace.issues().iter().filter_map(issue).collect()
    }

    /// The values of a register, each once.
    fn register(&self, number: u8) -> Vec<String> {
        let mut values: Vec<_> = self.states.iter().map(|state| digits(state.register(BarrierReg(number)))).collect();
        values.dedup();
        values
    }

    fn ended(&self) {
        if let Err(error) = &self.result {
            panic!("{error}");
        }
        let last = self.states.last().expect("the warp was started");
        assert!(last.reconvergence_stack().is_empty() && last.splits_stack().next().is_none());
        assert_eq!((last.waiting(), last.finished()), (LaneMask::EMPTY, LaneMask::first(4)));
    }
}

/// Figure 5: nested branches with one register, the outer participants in R0 meanwhile. Lanes 2 and 3 go to B, and there lane
/// 3 to C. Taken paths first: of two equal ones they are.
const NESTED: &str = include_str!("programs/hanoi_figure_5.simt");

#[test]
fn golden_hanoi_g1() {
    let mut r = [0; 4];
    let run = run(NESTED, vec![Argument::slice_mut(&mut r)]);
    run.ended();
    assert_eq!(r, [0, 1, 112, 123]);
    let expected = [
        "A 1111",
        "A_move 1111",
        "A_branch 1111",
        "B 1100",
        "B_branch 1100",
        "C 1000",
        "E 1000",
        "D 0100",
        "E 0100",
        "BEHIND_E 1100",
        "F 1100",
        "F_sync 1100",
        "F 0011",
        "F_sync 0011",
        "BEHIND_F 1111",
    ];
    assert_eq!(run.issues(), expected);
    // `bssy`, `bmov`, `bssy` of B, the meeting at E, the `bmov` of the lanes that come to F, the meeting at F.
    assert_eq!(run.register(0), ["----", "1111", "----", "1100", "----", "1111", "----"]);
}

/// Figure 6: lanes 2 and 3 go from A to B, the others to C, from where lane 0 goes to D and lane 1 to B.
fn early(leaves: bool) -> String {
    let text = include_str!("programs/hanoi_figure_6.simt");
    if leaves { text.to_string() } else { text.replace("C_break: break %d, B0", "") }
}

#[test]
fn golden_hanoi_g2() {
    let mut r = [0; 4];
    let run = run(&early(true), vec![Argument::slice_mut(&mut r)]);
    run.ended();
    assert_eq!(r, [10, 111, 102, 103]);
    assert_eq!(run.register(0), ["----", "1111", "1110", "----"]);
    assert_eq!(run.register(1), ["----", "1111", "----"]);
    let expected = [
        "A 1111",
        "A_2 1111",
        "A_branch 1111",
        "B 1100",
        "C 0011",
        "C_break 0011",
        "C_branch 0011",
        "D 0001",
        "B 0010",
        "BEHIND_B 1110",
        "D 1110",
        "BEHIND_D 1111",
        "E 1111",
    ];
    assert_eq!(run.issues(), expected);
}

#[test]
fn golden_hanoi_g2_without_the_break() {
    let mut r = [0; 4];
    let run = run(&early(false), vec![Argument::slice_mut(&mut r)]);
    let error = run.result.expect_err("lanes 1, 2 and 3 wait at B for lane 0, which waits at D for them");
    assert!(matches!(error, LaunchError::Deadlock(_)), "{error}");
    let last = run.states.last().expect("the warp was started");
    let waiting: Vec<_> =
        last.reconvergence_stack().iter().map(|b| (digits(Some(b.participants)), digits(Some(b.waiting)))).collect();
    assert_eq!(waiting, [("1111".into(), "1110".into()), ("1111".into(), "0001".to_string())]);
}

/// Figures 3 and 7: the spin lock. The atomic serves lane 0 first, so lane 0 is the paper's thread 3, and so on.
fn lock(at_head: &str, behind_loop: &str, meets_behind_release: bool) -> String {
    let text = include_str!("programs/hanoi_figure_7.simt");
    let text = text.replace("yield", at_head).replace("FREE: fence_block", &format!("FREE: {behind_loop}"));
    if meets_behind_release { text } else { text.replace("E:  bsync B0", "").replace("bssy B0, END", "bssy B0, D") }
}

/// Runs a lock; gives the run and in which order the paper's threads 3, 2, 1, 0 had it.
fn run_lock(text: &str) -> (Run, [u32; 4]) {
    let (mutex, mut order, mut count) = ([AtomicU32::new(0)], [9; 4], [0]);
    let arguments = vec![Argument::atomic(&mutex), Argument::slice_mut(&mut order), Argument::slice_mut(&mut count)];
    (run(text, arguments), order)
}

#[test]
fn golden_hanoi_g3() {
    let (run, order) = run_lock(&lock("yield", "fence_block", true));
    run.ended();
    assert_eq!(order, [0, 1, 2, 3], "each thread had the lock once, and 3 was the first");
    let thread_3_on_the_left: Vec<String> = run.issues().iter().map(|issue| reversed(issue)).collect();
    let expected = [
        "A 1111",
        "LOOP 1111",
        "C 1111", // Thread 3 has the lock; the others are more.
        "LOOP 0111",
        "FREE 1000",
        "D 1000",
        "E 1000",
        "C 0111", // Thread 2.
        "LOOP 0011",
        "FREE 0100",
        "D 0100",
        "E 0100",
        "C 0011", // Thread 1; of two equal paths, the taken one.
        "LOOP 0001",
        "FREE 0010",
        "D 0010",
        "E 0010",
        "C 0001", // Thread 0.
        "FREE 0001",
        "D 0001",
        "E 0001",
        "END 1111",
    ];
    assert_eq!(thread_3_on_the_left, expected);
}

fn reversed(issue: &str) -> String {
    let (label, digits) = issue.split_once(' ').expect("a label and a mask");
    format!("{label} {}", digits.chars().rev().collect::<String>())
}

/// The majority spins, and nothing makes it let thread 3 go on.
#[test]
fn golden_hanoi_g3_without_the_yield() {
    let (run, _) = run_lock(&lock("fence_block", "fence_block", true));
    let error = run.result.expect_err("the lock is never released");
    let LaunchError::Livelock(livelock) = &error else { panic!("{error}") };
    assert_eq!(livelock.spins[0].lanes.digits(4), "0111");
}

/// The holder waits at the loop's exit, where the branch's post-dominator is, for the others to leave the loop.
#[test]
fn golden_hanoi_g3_that_meets_before_the_release() {
    let (run, _) = run_lock(&lock("yield", "bsync B0", false));
    let error = run.result.expect_err("the lock is never released");
    let LaunchError::Livelock(livelock) = &error else { panic!("{error}") };
    assert_eq!(livelock.spins[0].lanes.digits(4), "0111");
    let last = run.states.last().expect("the warp was started");
    assert_eq!(last.waiting().digits(4), "1000");
}
