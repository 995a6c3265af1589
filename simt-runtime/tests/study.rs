//! What the limit study refuses: traces that meet apart, and traces that are too long.

use simt_core::code::Code;
use simt_runtime::{Argument, Gpu, Grid, Ipdom, Kernel, LimitStudy, Oracle, StudyError, WarpId, call};

/// Records a warp of four threads.
fn oracle(text: &str, scalars: &[u32]) -> Result<Oracle, StudyError> {
    let kernel = Kernel::from_code(Code::parse(text).unwrap_or_else(|error| panic!("{error}")));
    let (mut x, mut study) = ([0u32; 4], LimitStudy::default());
    let mut arguments: Vec<Argument> = scalars.iter().map(|&scalar| Argument::scalar(scalar)).collect();
    arguments.push(Argument::slice_mut(&mut x));
    let gpu = Gpu::<Ipdom>::default().with_warp_width(4);
    let result = gpu.launch_observed(Grid::new(1, 4), call(&kernel, arguments), &mut study);
    result.unwrap_or_else(|error| panic!("{error}"));
    study.oracle(4)
}

const WARP: WarpId = WarpId { block: 0, warp: 0 };

/// Lane 0 is synchronised with itself, the others with each other: `A` and `B` say where.
fn synchronised(at_a: &str, at_b: &str, behind: &str) -> String {
    format!(
        "kernel apart(x: &mut [u32])
        .reg u64 %m, u32 %t, bool %p
        cvt.u32.usize %t, global_id()
        eq.u32 %p, %t, 0
        mov.u64 %m, 14
        @%p bra B
        {at_a}
        bra END
        B: mov.u64 %m, 1
        {at_b}
        END: st.u32 x[global_id()], %t
        {behind}
        exit"
    )
}

#[test]
fn threads_that_meet_apart_are_refused() {
    let meets = "sync_warp.mask %m";
    let error = oracle(&synchronised(meets, meets, ""), &[]).unwrap_err();
    assert_eq!(error, StudyError::Apart { kernel: "apart".into(), warp: WARP, lane: 1, other: 0 });
    assert!(error.to_string().contains("kernel `apart`, block 0, warp 0: lane 1 came to other"), "{error}");
    // Where all come it is no trouble, nor for a thread that has ended.
    assert!(oracle(&synchronised("", "", "sync_warp"), &[]).is_ok());
    assert!(oracle(&synchronised("", "exit", "sync_warp"), &[]).is_ok());
}

/// Three instructions in each iteration; threads with an odd number have a loop of their own.
const LOOPS: &str = "kernel loops(n: u32, x: &mut [u32])
    .reg u32 %t, %i, bool %p
    cvt.u32.usize %t, global_id()
    mov.u32 %i, 0
    and.u32 %t, %t, 1
    eq.u32 %p, %t, 1
    @%p bra ODD
    EVEN: add.u32 %i, %i, 1
    lt.u32 %p, %i, n
    @%p bra EVEN
    bra END
    ODD: add.u32 %i, %i, 1
    lt.u32 %p, %i, n
    @%p bra ODD
    END: st.u32 x[global_id()], %i
    exit";

#[test]
fn a_table_of_too_many_entries_is_refused() {
    let most = 1 << 26;
    // Of n iterations 3 n + 1 instructions with the jump, and 3 n.
    let size = |n: usize| (3 * n + 1) * (3 * n);
    let fits = (1..).take_while(|&n| size(n) <= most).last().expect("one iteration fits");
    assert_eq!(oracle(LOOPS, &[fits as u32]).map(|oracle| oracle.issues()), Ok(5 + 6 * fits as u64 + 1 + 2));
    let (left, right) = (3 * fits + 4, 3 * fits + 3);
    let error = oracle(LOOPS, &[fits as u32 + 1]).unwrap_err();
    assert_eq!(error, StudyError::TooLong { kernel: "loops".into(), warp: WARP, left, right, most });
    assert!(error.to_string().contains("launch the kernel on a smaller input"), "{error}");
}

#[test]
fn nothing_was_launched() {
    assert_eq!(LimitStudy::default().oracle(4), Err(StudyError::Nothing));
}

#[test]
fn a_study_keeps_so_many_instructions() {
    let kernel = Kernel::from_code(Code::parse(LOOPS).unwrap_or_else(|error| panic!("{error}")));
    let study = |limit| {
        let (mut x, mut study) = ([0u32; 4], LimitStudy::with_limit(limit));
        let arguments = vec![Argument::scalar(50u32), Argument::slice_mut(&mut x)];
        let gpu = Gpu::<Ipdom>::default().with_warp_width(4);
        let report = gpu.launch_observed(Grid::new(1, 4), call(&kernel, arguments), &mut study);
        (report.unwrap_or_else(|error| panic!("{error}")).thread_instructions(), study.oracle(4))
    };
    let (executed, oracle) = study(u64::MAX);
    assert_eq!(oracle.map(|oracle| oracle.thread_instructions()), Ok(executed));
    assert!(study(executed).1.is_ok());
    let limit = executed - 1;
    let error = study(limit).1.expect_err("one is too many");
    assert_eq!(error, StudyError::TooMany { kernel: "loops".into(), executed, limit });
    assert!(error.to_string().contains("`LimitStudy::with_limit`"), "{error}");
}
