//! Dynamic warp formation: W. Fung, I. Sham, G. Yuan and T. Aamodt, *Dynamic Warp Formation*, TACO 2009. Fig. 8 with its
//! published utilisation, and the alternating loop of Fig. 6.

use simt_core::LaneMask;
use simt_core::code::{Code, Pc};
use simt_runtime::{
    Argument, BlockCompaction, Dwf, DwfConfig, Gpu, GpuConfig, Grid, HomeLanes, Ipdom, IssueTrace, Kernel, LimitStudy,
    LowestPc, Majority, Minority, PdomPriority, Policy, Report, TimeStamp, WarpPart, call,
};

/// The nested branch in a loop, A to G and then A once more. Each block's first line has its name.
const NESTED: &str = include_str!("programs/taco09_figure_8.simt");

/// The issues of blocks, in order: the block and its threads.
fn blocks<P: Policy>(config: GpuConfig) -> Vec<(char, Vec<WarpPart>)> {
    let code = Code::parse(NESTED).unwrap_or_else(|error| panic!("{error}"));
    let line_of = |name: char| NESTED.lines().position(|line| line.trim().starts_with(&format!("{name}:")));
    let name_of = |pc: Pc, code: &Code| {
        let line = code.spans[pc.index()].line as usize - 1;
        ('A'..='G').find(|&name| line_of(name) == Some(line))
    };
    // Of x, lane 3 goes to F and lane 0 to C; of y, lanes 0 and 1 to F and lane 2 to C.
    let to_f = [false, false, false, true, true, true, false, false];
    let to_c = [true, false, false, false, false, false, true, false];
    let mut x = [0u32; 8];
    let mut trace = IssueTrace::default();
    let kernel = Kernel::from_code(code.clone());
    let arguments = vec![Argument::slice(&to_f), Argument::slice(&to_c), Argument::slice_mut(&mut x)];
    let gpu = Gpu::<P>::new(config).with_warp_width(4);
    gpu.launch_observed(Grid::new(1, 8), call(&kernel, arguments), &mut trace)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(x, [22, 16, 16, 11, 11, 11, 22, 16], "under {}", P::name());
    let code = code.for_markers(P::markers());
    let issues = trace.issues().iter().enumerate();
    issues.filter_map(|(n, issue)| Some((name_of(issue.pc, &code)?, trace.parts(n).to_vec()))).collect()
}

/// Issues, active lanes, and issues by block.
fn figures(issues: &[(char, Vec<WarpPart>)]) -> (usize, usize, String) {
    let lanes = issues.iter().flat_map(|(_, parts)| parts).map(|part| part.lanes.count()).sum();
    let of = |name| issues.iter().filter(|(block, _)| *block == name).count();
    (issues.len(), lanes, ('A'..='G').map(|name| format!("{name}{}", of(name))).collect::<Vec<_>>().join(" "))
}

/// Fig. 8b: 66 %.
#[test]
fn golden_dwf_g1_ipdom() {
    let issues = blocks::<Ipdom>(GpuConfig::functional());
    let (count, lanes, by_block) = figures(&issues);
    assert_eq!((count, lanes), (16, 42));
    assert_eq!(by_block, "A4 B2 C2 D2 E2 F2 G2");
    assert_eq!(format!("{:.1}", 100.0 * lanes as f64 / (4 * count) as f64), "65.6");
    // Each block's masks, first of x and then of y.
    let masks = |name| -> Vec<String> {
        let parts = issues.iter().filter(|(block, _)| *block == name).flat_map(|(_, parts)| parts);
        parts.map(|part| format!("{}{}", ["x", "y"][part.warp], part.lanes.digits(4))).collect()
    };
    assert_eq!(masks('B'), ["x1110", "y0011"]);
    assert_eq!(masks('C'), ["x1000", "y0010"]);
    assert_eq!(masks('D'), ["x0110", "y0001"]);
    assert_eq!(masks('E'), ["x1110", "y0011"]);
    assert_eq!(masks('F'), ["x0001", "y1100"]);
    assert_eq!(masks('G'), ["x1111", "y1111"]);
}

/// Fig. 8c: 81 %. Lane 2 of both warps goes to B and E, so that there are two warps of each; C, D and F have one.
#[test]
fn golden_dwf_g1_dwf() {
    let issues = blocks::<Dwf<LowestPc>>(GpuConfig::functional());
    let (count, lanes, by_block) = figures(&issues);
    assert_eq!((count, lanes), (13, 42));
    assert_eq!(by_block, "A4 B2 C1 D1 E2 F1 G2");
    assert_eq!(format!("{:.1}", 100.0 * lanes as f64 / (4 * count) as f64), "80.8");
    // No thread has left its home lane, and no two threads of a group have the same.
    for (_, parts) in &issues {
        let lanes: usize = parts.iter().map(|part| part.lanes.count()).sum();
        let occupied = parts.iter().fold(LaneMask::EMPTY, |all, part| all | part.lanes);
        assert_eq!(occupied.count(), lanes);
    }
}

/// The paper's figure does not say in which order blocks issue. The order decides which threads meet.
#[test]
fn dwf_g1_under_the_other_schedules() {
    let count = |figures: (usize, usize, String)| figures.0;
    let functional = GpuConfig::functional;
    assert_eq!(count(figures(&blocks::<BlockCompaction>(functional()))), 13);
    for issues in [
        blocks::<Dwf<Majority>>(functional()),
        blocks::<Dwf<Minority>>(functional()),
        blocks::<Dwf<TimeStamp>>(functional()),
        blocks::<Dwf<PdomPriority>>(functional()),
    ] {
        assert!((13..=21).contains(&count(figures(&issues))), "{:?}", figures(&issues));
    }
    // Without home lanes, the five threads of B still need two warps of four.
    let dwf = DwfConfig { lanes: HomeLanes::Free, ..DwfConfig::default() };
    assert_eq!(count(figures(&blocks::<Dwf<LowestPc>>(GpuConfig { dwf, ..functional() }))), 13);
}

/// Fig. 6: the arms alternate with thread and iteration.
const ALTERNATING: &str = "kernel alternating(n: u32, x: &mut [u32])
    .reg u32 %t, %i, %v, %side, bool %odd, %more
        cvt.u32.usize %t, global_id()
        mov.u32 %i, 0
        mov.u32 %v, 1
    LOOP: lt.u32  %more, %i, n
    @!%more bra END
        add.u32 %side, %t, %i
        and.u32 %side, %side, 1
        ne.u32 %odd, %side, 0
        add.u32 %i, %i, 1
    @%odd bra ODD
        mul.u32 %v, %v, 3
        add.u32 %v, %v, 1
        xor.u32 %v, %v, 5
        mul.u32 %v, %v, 3
        add.u32 %v, %v, 2
        xor.u32 %v, %v, 5
        bra LOOP
    ODD: mul.u32 %v, %v, 5
        add.u32 %v, %v, 3
        xor.u32 %v, %v, 6
        mul.u32 %v, %v, 5
        add.u32 %v, %v, 4
        xor.u32 %v, %v, 6
        bra LOOP
    END: st.u32 x[global_id()], %v
        exit";

fn alternating<P: Policy>(iterations: u32, config: GpuConfig) -> Report {
    study::<P>(ALTERNATING, iterations, config, &mut LimitStudy::default())
}

/// So many iterations of an alternating loop.
fn study<P: Policy>(text: &str, iterations: u32, config: GpuConfig, study: &mut LimitStudy) -> Report {
    let kernel = Kernel::from_code(Code::parse(text).unwrap_or_else(|error| panic!("{error}")));
    let mut x = [0u32; 64];
    let arguments = vec![Argument::scalar(iterations), Argument::slice_mut(&mut x)];
    let gpu = Gpu::<P>::new(config).with_warp_width(4);
    let result = gpu.launch_observed(Grid::new(1, 64), call(&kernel, arguments), study);
    result.unwrap_or_else(|error| panic!("{error}"))
}

/// Fig. 6 and 7, 92 %: an oracle lets the even threads wait for an iteration, and all run in lockstep from there on.
///
/// Of a loop with two arms of `a` instructions and `h` others, the oracle saves an arm in each iteration: the issues become
/// `h + a` instead of `h + 2 a`. The paper's 92 % so say that its arms are some 11 times the rest.
#[test]
fn golden_dwf_g2_oracle() {
    for (repeated, least) in [(1, 1.45), (16, 1.85)] {
        let text: String = ALTERNATING
            .lines()
            .map(|line| {
                // Both arms add twice and xor twice.
                let in_arm = ["add.u32 %v,", "xor.u32 %v,"].iter().any(|begin| line.trim().starts_with(begin));
                format!("{line}\n").repeat(if in_arm { repeated } else { 1 })
            })
            .collect();
        let (mut traces, iterations) = (LimitStudy::default(), 50);
        let stack = study::<Ipdom>(&text, iterations, GpuConfig::functional(), &mut traces);
        let oracle = traces.oracle(4).unwrap();
        assert_eq!(oracle.thread_instructions(), stack.thread_instructions());
        let speedup = stack.issues() as f64 / oracle.issues() as f64;
        eprintln!("{} issues, {} of the oracle: {speedup:.2} x", stack.issues(), oracle.issues());
        assert!((least..2.0).contains(&speedup), "{speedup}");
        // They part once, and meet in an arm: one side has passed the post-dominator.
        let points = oracle.reconvergence_points();
        assert!(points.iter().any(|point| point.beyond && point.meet != point.post_dominator), "{points:?}");
    }
}

/// Section 4.1: where all warps have even lanes on one side and odd ones on the other, lane-aware formation can do nothing
/// unless every other warp has changed them.
#[test]
fn swizzling_lets_alternating_threads_meet() {
    let config = |swizzle| {
        let dwf = DwfConfig { swizzle, ..DwfConfig::default() };
        GpuConfig { dwf, ..GpuConfig::functional() }
    };
    // One iteration, in which all warps are at one place; later, some may be ahead of others by one.
    let stack = alternating::<Ipdom>(1, config(false)).issues();
    let plain = alternating::<Dwf<LowestPc>>(1, config(false)).issues();
    let swizzled = alternating::<Dwf<LowestPc>>(1, config(true)).issues();
    // It does worse than the stack: threads that come back to the loop first do not wait for the others.
    assert!(plain >= stack, "{plain} of {stack}");
    assert!(swizzled * 3 <= plain * 2 && swizzled < stack, "{swizzled} of {plain}, {stack}");
}
