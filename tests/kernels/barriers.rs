//! Convergence barriers: more of them than there are registers, and lanes that come to different ones.

use simt::Code;
use simt::core::code::{Inst, Marker};
use simt::host::{Argument, Kernel};
use simt::prelude::*;

/// Branches in branches: lane i goes in as deep as its bits are set from below.
fn nested(depth: u32) -> Code {
    let mut text = "kernel nested(x: &mut [u32])
        .reg u32 %v, %bit, %sum, bool %p
            ld.u32 %v, x[global_id()]
            mov.u32 %sum, %v\n"
        .to_string();
    for level in 0..depth {
        text += &format!("shr.u32 %bit, %v, {level}\nand.u32 %bit, %bit, 1\neq.u32 %p, %bit, 0\n@%p bra L{level}\n");
        text += &format!("mad.u32 %sum, %sum, 3, {level}\n");
    }
    for level in (0..depth).rev() {
        text += &format!("L{level}: add.u32 %sum, %sum, {level}\n");
    }
    text += "st.u32 x[global_id()], %sum\nexit";
    Code::parse(&text).unwrap_or_else(|error| panic!("{error}")).into_inner()
}

fn host(v: u32, depth: u32) -> u32 {
    let reached = (0..depth).find(|level| v >> level & 1 == 0).unwrap_or(depth);
    let down = (0..reached).fold(v, |sum, level| sum.wrapping_mul(3).wrapping_add(level));
    let up = if reached == depth { depth } else { reached + 1 };
    (0..up).fold(down, u32::wrapping_add)
}

/// How many barrier registers are used, and how often one is saved.
fn registers(code: &Code) -> (u8, usize) {
    let set = code.insts.iter().filter_map(|inst| match inst {
        Inst::Marker(Marker::BarrierSet { barrier, .. }) => Some(barrier.0 + 1),
        _ => None,
    });
    let saves = code.insts.iter().filter(|inst| matches!(inst, Inst::Marker(Marker::BarrierSave { .. })));
    (set.max().unwrap_or(0), saves.count())
}

#[test]
fn barriers_that_have_no_register_are_saved() {
    for depth in [3, 8, 9, 12, 13, 20] {
        let code = nested(depth).validate().unwrap_or_else(|error| panic!("{error}"));
        for (markers, limit) in [(Markers::HanoiBarriers, 8), (Markers::PtxasBarriers, 12)] {
            let placed = code.for_markers(markers);
            let expected = if depth <= limit { (depth as u8, 0) } else { (limit as u8, (depth - limit + 1) as usize) };
            assert_eq!(registers(&placed), expected, "{placed}");
            assert!(placed.clone().into_inner().validate().is_ok(), "{placed}");
        }
        let kernel = Kernel::from_code(code);
        let start: Vec<u32> =
            (0..64).map(|i| if i % 3 == 0 { u32::MAX >> (i % 32) } else { (1 << (i % 21)) - 1 }).collect();
        let expected: Vec<u32> = start.iter().map(|&v| host(v, depth)).collect();
        let mut efficiencies = Vec::new();
        for_each_policy!(P => for width in [8, 64] {
            let mut x = start.clone();
            let gpu = Gpu::<P>::default().with_warp_width(width);
            let report = gpu.launch(Grid::new(1, 64), simt::host::call(&kernel, vec![Argument::slice_mut(&mut x)]));
            let report = report.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(x, expected, "{} at {width}", P::NAME);
            efficiencies.push((P::NAME, width, report.issues()));
        });
        // All meet as at immediate post-dominators: saved or not.
        for &(name, width, issues) in &efficiencies {
            let same = efficiencies.iter().find(|(other, w, _)| *other == "Ipdom" && *w == width);
            if ["Hanoi", "ConvergenceBarriers"].contains(&name) {
                assert_eq!(Some(issues), same.map(|&(_, _, issues)| issues), "{name} at {width}, {depth} levels");
            }
        }
    }
}

#[device]
fn depth_of(x: &[u32], k: usize) -> u32 {
    let mut deepest = 0;
    if k < x.len() {
        if x[k] % 2 == 0 {
            deepest = depth_of(x, 2 * k + 1);
        }
        if x[k] % 3 != 0 {
            deepest = deepest.max(depth_of(x, 2 * k + 2));
        }
        deepest += 1;
    }
    deepest
}

#[kernel]
fn depths(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    out[i] = depth_of(x, i) * 100;
}

#[test]
fn a_function_that_calls_itself_saves_the_barriers_of_each_activation() {
    let x: Vec<u32> = (0..200).map(|i| i * 7 % 31).collect();
    fn host(x: &[u32], k: usize) -> u32 {
        let Some(&v) = x.get(k) else { return 0 };
        let left = if v % 2 == 0 { host(x, 2 * k + 1) } else { 0 };
        let right = if v % 3 != 0 { host(x, 2 * k + 2) } else { 0 };
        left.max(right) + 1
    }
    for markers in [Markers::HanoiBarriers, Markers::PtxasBarriers] {
        let (_, saves) = registers(&depths::program().code(markers));
        assert!(saves > 0, "the callee uses the registers of the caller");
    }
    everywhere!(|gpu| {
        let mut out = [0; 64];
        gpu.launch(Grid::new(1, 64), depths(&x, &mut out)).unwrap_or_else(|error| panic!("{error}"));
        let expected: Vec<u32> = (0..64).map(|k| host(&x, k) * 100).collect();
        assert_eq!(out[..], expected[..]);
    });
}

/// Lane 0 leaves the barrier of the others unheard.
const FORGETS_TO_BREAK: &str = "kernel forgets(x: &mut [u32])
    .reg bool %p
        bssy B0, INNER
        bssy B1, OUTER
        eq.usize %p, lane_id(), 0
    @%p bra OTHER
        bsync B0
    INNER: st.u32 x[lane_id()], 1
    OTHER: bsync B1
    OUTER: exit";

#[test]
fn lanes_that_wait_at_barriers_for_each_other_are_a_deadlock() {
    let kernel = Kernel::from_code(Code::parse(FORGETS_TO_BREAK).unwrap_or_else(|error| panic!("{error}")));
    let launch = |result: Result<Report, LaunchError>| {
        let error = result.expect_err("no lane can go on");
        let LaunchError::Deadlock(deadlock) = &error else { panic!("{error}") };
        let waits: Vec<_> = deadlock.waits.iter().map(|wait| (wait.operation, wait.lanes.digits(4))).collect();
        assert_eq!(waits, [("bsync", "0111".to_string()), ("bsync", "1000".into())], "{error}");
        assert!(error.to_string().contains("`bsync`"), "{error}");
    };
    let (mut x, mut y) = ([0; 4], [0; 4]);
    let arguments = vec![Argument::slice_mut(&mut x)];
    launch(Gpu::<Hanoi>::default().with_warp_width(4).launch(Grid::new(1, 4), simt::host::call(&kernel, arguments)));
    let arguments = vec![Argument::slice_mut(&mut y)];
    launch(
        Gpu::<ConvergenceBarriers>::default()
            .with_warp_width(4)
            .launch(Grid::new(1, 4), simt::host::call(&kernel, arguments)),
    );
}
