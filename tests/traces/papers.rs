//! Runs that the literature prints, block for block and mask for mask.

use crate::one_warp;
use simt::KernelCall;
use simt::core::code::{Code, Inst, JumpKind, Markers};
use simt::observe::IssueTrace;
use simt::prelude::*;

kernels! {
    fn nested_branches(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = 0;
        let mut r = 0;
        loop {
            let t = x[i]; // A
            if t == 0 { // A
                r += 3; // F
            } else {
                let u = t * 2; // B
                if u == 2 { // B
                    r += 2; // D
                } else {
                    r += 1; // C
                }
                r *= 2; // E
            }
            n += 1; // G
            if n == 2 { // G
                break;
            }
        }
        out[i] = r;
    }
}

/// Runs under a policy; the letters or numbers in the comments of the lines that were issued, in order, each with its mask.
/// Markers and the jumps that hold the pieces of a statement together stand for no step of the paper.
fn steps<P: Policy>(program: &simt::Program, call: KernelCall<'_>) -> Vec<(String, String)> {
    let code = program.clone().validate().expect("a kernel's program is valid").code(P::markers());
    let mut trace = IssueTrace::default();
    let gpu = Gpu::<P>::default().with_warp_width(4);
    gpu.launch_observed(one_warp(), call, &mut trace).unwrap_or_else(|error| panic!("{error}"));
    let mut steps: Vec<(String, String)> = Vec::new();
    for issue in trace.issues() {
        let inst = code.inst(issue.pc);
        if inst.is_marker() || matches!(inst, Inst::Jump { kind: JumpKind::Plain, .. }) {
            continue;
        }
        let line = code.source.line(code.spans[issue.pc.index()].line).unwrap_or_default();
        if let Some((_, name)) = line.split_once("// ") {
            let step = (name.trim().to_string(), issue.mask.digits(4));
            if steps.last() != Some(&step) {
                steps.push(step);
            }
        }
    }
    steps
}

#[track_caller]
fn assert_steps(steps: &[(String, String)], expected: &str) {
    let found: Vec<String> = steps.iter().map(|(name, mask)| format!("{name}/{mask}")).collect();
    assert_eq!(found.join(" "), expected);
}

#[test]
fn nested_branches_under_every_policy() {
    traced!(nested_branches, [5, 1, 3, 0]);
}

/// Fung et al., "Dynamic Warp Formation" (TACO 2009), Fig. 4, and Aamodt, Fung and Rogers, "General-Purpose Graphics
/// Processor Architectures" (2018), section 3.1.1: a loop over A -> {B, F}, B -> {C, D}, C -> E, D -> E, E -> G, F -> G.
/// One lane takes C, two D, one F. Each path is one arm here; the arm that the branch is taken for is the `else`.
#[test]
fn the_simt_stack_issues_the_blocks_of_the_papers_figure_in_its_order() {
    let (x, mut out) = ([3, 1, 1, 0], [0; 4]);
    let steps = steps::<Ipdom>(kernel::nested_branches::program(), kernel::nested_branches(&x, &mut out));
    let iteration = "A/1111 B/1110 C/1000 D/0110 E/1110 F/0001 G/1111";
    assert_steps(&steps, &format!("{iteration} {iteration}"));
    assert_eq!(out, [6, 12, 12, 6]);
}

#[test]
fn the_reconvergence_points_of_the_figure_are_where_its_text_says() {
    let code = kernel::nested_branches::program().clone().validate().expect("valid").code(Markers::PostDominators);
    let block = |code: &Code, pc: usize| {
        let line = code.source.line(code.spans[pc].line).unwrap_or_default();
        line.split_once("// ").map(|(_, name)| name.trim().to_string())
    };
    let mut meets = Vec::new();
    for (pc, meet) in code.reconvergence.iter().enumerate() {
        if let (Some(from), Some(meet)) = (block(&code, pc), meet) {
            meets.push((from, block(&code, meet.index())));
        }
    }
    // The last branch leaves the loop; its paths meet behind it.
    let some = |name: &str| Some(name.to_string());
    assert_eq!(meets[..2], [("A".to_string(), some("G")), ("B".to_string(), some("E"))]);
    assert_eq!(meets[2].0, "G");
}

// The numbers must stay on their lines.
#[rustfmt::skip]
#[kernel]
fn program_1(a: &[i32], b: &mut [i32]) {
    let tid = global_id();
    let mut i = a[tid]; // 3
    let j = b[tid]; // 3
    while i > 0 { // 4
        if j > 2 * i { // 5
            b[tid] += i; // 6
        } else {
            break; // 8
        }
        i -= 1; // 9
    }
    return; // 11
}

/// Habermaier and Knapp, "On the Correctness of the SIMT Execution Model of GPUs" (ESOP 2012), Program 1 and Table 1, with
/// `func` written into `main`. The table gives the masks behind each line; the mask with which a line executes is the one
/// of the row before. Its stack, row by row, is tested beside `TokenStack`.
#[test]
fn token_stack_runs_program_1_as_table_1_prints_it() {
    let (a, mut b) = ([0, 1, 1, 1], [0, 1, 1, 3]);
    let steps = steps::<TokenStack>(program_1::program(), program_1(&a, &mut b));
    assert_steps(&steps, "3/1111 4/1111 5/0111 8/0110 6/0001 9/0001 4/0001 11/1111");
    assert_eq!(b, [0, 1, 1, 4]);
}

#[test]
fn program_1_has_the_same_result_under_every_policy() {
    for_each_policy!(P => {
        let (a, mut b) = ([0, 1, 1, 1], [0, 1, 1, 3]);
        Gpu::<P>::default().with_warp_width(4).launch(one_warp(), program_1(&a, &mut b)).expect("no thread faults");
        assert_eq!(b, [0, 1, 1, 4], "under {}", P::name());
    });
}
