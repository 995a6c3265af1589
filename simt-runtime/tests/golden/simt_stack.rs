//! The SIMT stack of TACO'09: W. Fung, I. Sham, G. Yuan and T. Aamodt, *Dynamic Warp Formation*, 2009. Section 2.2, Fig. 4;
//! how many paths may wait to begin; the lock that never ends.

use crate::machine::{Inspect, Run, Slot, Style, check, run};
use simt_core::LaneMask;
use simt_runtime::{
    Argument, FallThroughFirst, Ipdom, LargerFirst, LaunchError, PathOrder, SmallerFirst, TakenFirst, TokenStack,
};
use std::fmt::Write as _;
use std::sync::atomic::AtomicU32;

/// The nested branch in a loop of Fig. 4: A goes to B or F, B to C or D, and G back to A or to the end.
fn nested(x: &mut [u32; 4]) -> Run {
    let text = include_str!("programs/taco09_figure_4.simt");
    run::<Ipdom>(text, 4, 4, vec![Argument::slice_mut(x)])
}

/// Entries (reconvergence pc, next pc, mask), the top last; the row of a branch is the stack behind it. The taken path is on
/// top, as in the figure. Two passes through the loop.
#[test]
fn golden_simt_stack_of_the_nested_branch() {
    let mut x = [0; 4];
    let run = nested(&mut x);
    let pass = "
        A        1111 (-,A,1111)
        A_branch 1110 (-,G,1111) (G,F,0001) (G,B,1110)
        B        1110 (-,G,1111) (G,F,0001) (G,B,1110)
        B_branch 1000 (-,G,1111) (G,F,0001) (G,E,1110) (E,D,0110) (E,C,1000)
        C        0110 (-,G,1111) (G,F,0001) (G,E,1110) (E,D,0110)
        D        0110 (-,G,1111) (G,F,0001) (G,E,1110) (E,D,0110)
        D_jump   1110 (-,G,1111) (G,F,0001) (G,E,1110)
        E        0001 (-,G,1111) (G,F,0001)
        F        0001 (-,G,1111) (G,F,0001)
        F_jump   1111 (-,G,1111)
        G        1111 (-,G,1111)";
    let table = format!(
        "start 1111 (-,A,1111) {pass}
        G_branch 1111 (-,A,1111) {pass}
        G_branch 1111 (-,exit,1111)
        exit     0000 ε"
    );
    check(&run, &Style { tokens: [""; 5], lanes: &[0, 1, 2, 3] }, &table);
    run.result.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(x, [2; 4]);
}

#[test]
fn golden_simt_stack_issues_a_to_g() {
    let mut x = [0; 4];
    let issues: Vec<String> =
        nested(&mut x).issues().map(|(name, mask)| format!("{name} {}", mask.digits(4))).collect();
    let blocks: Vec<&str> = issues.iter().map(String::as_str).filter(|issue| !issue.contains('_')).collect();
    let pass = ["A 1111", "B 1110", "C 1000", "D 0110", "E 1110", "F 0001", "G 1111"];
    assert_eq!(blocks, [&pass[..], &pass[..], &["exit 1111"]].concat());
}

/// Numbers that look random (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// A nest of branches of these lanes. `split` gives the lanes that take a branch, or none or all where there is no branch.
struct Nest<S> {
    text: String,
    branches: usize,
    split: S,
}

impl<S: FnMut(u32) -> u32> Nest<S> {
    fn write(&mut self, lanes: u32) {
        let taken = (self.split)(lanes) & lanes;
        let rest = lanes & !taken;
        if taken == 0 || rest == 0 {
            self.text += "mul.u32 %v, %t, 3\n";
            return;
        }
        let k = self.branches;
        self.branches += 1;
        let _ = write!(self.text, "shr.u32 %v, {taken}, %t\nand.u32 %v, %v, 1\neq.u32 %p, %v, 1\n@%p bra TAKEN{k}\n");
        self.write(rest);
        let _ = write!(self.text, "bra JOIN{k}\nTAKEN{k}: mul.u32 %v, %t, 5\n");
        self.write(taken);
        let _ = writeln!(self.text, "JOIN{k}: mul.u32 %v, %t, 7");
    }
}

/// The most paths that wait to begin, in a nest of branches of a warp of 32 lanes: what the policy has counted.
fn pending_paths<O: PathOrder>(split: impl FnMut(u32) -> u32) -> u64 {
    let mut nest = Nest { text: String::new(), branches: 0, split };
    nest.write(u32::MAX);
    let text = format!(
        "kernel nest(x: &mut [u32])
        .markers post-dominators
        .reg u32 %t, %v, bool %p
        cvt.u32.usize %t, global_id()
        {}
        exit",
        nest.text
    );
    let mut x = [0u32; 32];
    let run = run::<Ipdom<O>>(&text, 32, 32, vec![Argument::slice_mut(&mut x)]);
    let pending = run.steps.iter().map(|(_, state)| {
        // An entry that waits where paths meet has lanes of the entries above it; a path that has not begun has none.
        let mut above = LaneMask::EMPTY;
        let mut pending = 0;
        for slot in state.stack.iter().rev() {
            let &Slot::Entry(entry) = slot else { panic!("{slot:?}") };
            pending += u64::from(!above.is_empty() && (entry.mask & above).is_empty());
            above |= entry.mask;
        }
        pending
    });
    let most = pending.max().unwrap_or_default();
    let deepest = run.steps.iter().map(|(_, state)| state.stack.len() as u64).max().unwrap_or_default();
    let report = run.result.unwrap_or_else(|error| panic!("{error}"));
    let figures = report.policy_figures().iter().map(|figure| (&*figure.name, figure.value));
    let expected = [("deepest stack (entries)", deepest), ("most pending paths", most)];
    assert_eq!(figures.collect::<Vec<_>>(), expected, "what the stack shows is what the policy counts");
    most
}

/// A random nest: even groups and very uneven ones, and sometimes no branch.
fn random_split(numbers: &mut Numbers, lanes: u32) -> u32 {
    match numbers.next() % 8 {
        0 => 0,
        1..4 => numbers.next() as u32,
        4 => lanes & lanes.wrapping_neg(),
        5 => lanes & !(lanes & lanes.wrapping_neg()),
        6 => (numbers.next() | numbers.next() | numbers.next()) as u32,
        _ => (numbers.next() & numbers.next() & numbers.next()) as u32,
    }
}

/// With the smaller group first, no more than log2(32) paths wait to begin; with the larger one first, up to 31.
#[test]
fn golden_simt_stack_has_few_pending_paths_if_the_smaller_group_is_first() {
    let (mut smaller, mut others) = ([0; 32], [0; 32]);
    for seed in 0..200 {
        let most = |pending: fn(&mut dyn FnMut(u32) -> u32) -> u64| {
            let mut numbers = Numbers(seed);
            pending(&mut |lanes| random_split(&mut numbers, lanes)) as usize
        };
        smaller[most(|split| pending_paths::<SmallerFirst>(split))] += 1;
        others[most(|split| pending_paths::<TakenFirst>(split))] += 1;
        others[most(|split| pending_paths::<FallThroughFirst>(split))] += 1;
        others[most(|split| pending_paths::<LargerFirst>(split))] += 1;
    }
    assert_eq!(smaller[6..].iter().sum::<u32>(), 0, "{smaller:?}");
    assert!(smaller[3] > 0, "{smaller:?}");
    assert!(others[6..].iter().sum::<u32>() > 0, "other orders have no such bound: {others:?}");
    // Halves of halves need them all.
    let half =
        |lanes: u32| (0..32).filter(|lane| lanes >> lane & 1 == 1).step_by(2).fold(0, |all, lane| all | 1 << lane);
    assert_eq!(pending_paths::<SmallerFirst>(half), 5);
    // One lane after the other parts from the rest.
    let lowest = |lanes: u32| lanes & lanes.wrapping_neg();
    assert_eq!(pending_paths::<SmallerFirst>(lowest), 1);
    assert_eq!(pending_paths::<LargerFirst>(lowest), 31);
    // Which of the two orders by place does that, the writer of the kernel says.
    assert_eq!((pending_paths::<TakenFirst>(lowest), pending_paths::<FallThroughFirst>(lowest)), (1, 31));
}

/// `while (!atomicCAS(mutex, 0, 1)); critical; atomicExch(mutex, 0);` by a warp of four: whichever path is first, those that
/// spin keep the one that has the mutex from giving it back.
#[test]
fn golden_simt_stack_deadlock() {
    fn spins<P: Inspect>(way: &str, markers: [&str; 2]) {
        let [push, pop] = markers;
        let text = format!(
            "kernel lock(mutex: &[AtomicU32], x: &mut [u32])
            .reg u32 %old, %v, bool %got
            {push}
            SPIN: atom.u32.compare_exchange.relaxed %old, mutex[0], 0, 1
            eq.u32 %got, %old, 0
            {way}
            {pop}
            MEET: ld.u32 %v, x[0]
            add.u32 %v, %v, 1
            st.u32 x[0], %v
            atom.u32.swap.relaxed %old, mutex[0], 0
            exit"
        );
        let mutex = [AtomicU32::new(0)];
        let mut x = [0u32];
        let run = run::<P>(&text, 4, 4, vec![Argument::atomic(&mutex), Argument::slice_mut(&mut x)]);
        assert!(matches!(run.result, Err(LaunchError::Livelock(_))), "{text}\n{:?}", run.result);
    }
    for way in ["@!%got bra SPIN", "@%got bra OUT\nbra SPIN\nOUT: mov.u32 %v, 0"] {
        spins::<Ipdom>(way, [".markers post-dominators", ""]);
        spins::<Ipdom<FallThroughFirst>>(way, [".markers post-dominators", ""]);
        spins::<Ipdom<SmallerFirst>>(way, [".markers post-dominators", ""]);
        spins::<TokenStack>(way, ["ssy MEET", "sync"]);
        spins::<TokenStack<FallThroughFirst>>(way, ["ssy MEET", "sync"]);
    }
}
