//! Tokens, which PTX has not: where they are put.

use crate::written::kernel;
use crate::{LENGTH, launched};
use simt::policy::{FallThroughFirst, Ipdom, NoReconvergence, Policy, TokenStack};
use simt::{Gpu, Grid};

const SHAPES: [&str; 6] = [
    "setp.lt.u32 %p1, %r1, 16; @%p1 bra N; st.global.u32 [%rd2], %r1; N: st.global.u32 [%rd2], %r2;",
    "setp.lt.u32 %p1, %r1, 16; @%p1 bra N; st.global.u32 [%rd2], %r1; bra M; N: st.global.u32 [%rd2], %r2; M:",
    // A branch in a loop that is tested at its end.
    "mov.u32 %r7, 0; L: and.b32 %r8, %r1, 1; setp.eq.u32 %p1, %r8, 0; @%p1 bra N; st.global.u32 [%rd2], %r1;
    N: add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 10; @%p1 bra L;",
    // A loop that each lane leaves in another turn, with a branch.
    "mov.u32 %r7, 0; L: setp.ge.u32 %p1, %r7, %r1; @%p1 bra E; and.b32 %r8, %r1, 1; setp.eq.u32 %p1, %r8, 0; @%p1 bra N;
    st.global.u32 [%rd2], %r1; N: add.u32 %r7, %r7, 1; bra L; E: st.global.u32 [%rd2], %r2;",
    // Two ways out of a loop.
    "mov.u32 %r7, 0; L: setp.ge.u32 %p1, %r7, %r1; @%p1 bra E; add.u32 %r7, %r7, 1; setp.eq.u32 %p2, %r7, 7; @%p2 bra E;
    st.global.u32 [%rd2], %r7; bra L; E: st.global.u32 [%rd2], %r2;",
    // Branches in branches.
    "and.b32 %r8, %r1, 3; setp.lt.u32 %p1, %r8, 2; setp.eq.u32 %p2, %r8, 2; setp.eq.u32 %p3, %r8, 0; @%p1 bra A;
    @%p2 bra B; add.u32 %r2, %r2, 1; B: add.u32 %r2, %r2, 2; bra M;
    A: @%p3 bra C; add.u32 %r2, %r2, 3; C: add.u32 %r2, %r2, 4; M: st.global.u32 [%rd2], %r2;",
];

/// Under tokens each path issues what it does under a stack of post-dominators, and markers.
#[test]
fn threads_meet_again_under_tokens() {
    let start: Vec<i32> = (0..LENGTH as i32).collect();
    for shape in SHAPES {
        let kernel = kernel("", &format!("mov.u32 %r3, 5; {shape} add.u32 %r3, %r3, 1;"));
        fn run<P: Policy>(kernel: &simt::host::Kernel, start: &[i32]) -> (Vec<i32>, u64, u64) {
            let gpu = Gpu::<P>::default();
            let (left, report) = launched(&gpu, kernel, Grid::new(1, 32), &[start.to_vec()], &[])
                .unwrap_or_else(|error| panic!("{error}"));
            (left[0].clone(), report.issues(), report.marker_issues())
        }
        let (left, issues, _) = run::<Ipdom>(&kernel, &start);
        for (found, own, markers) in
            [run::<TokenStack>(&kernel, &start), run::<TokenStack<FallThroughFirst>>(&kernel, &start)]
        {
            assert_eq!((&found, own), (&left, issues), "{shape}");
            assert!(markers > 0, "{shape}");
        }
        let (found, apart, _) = run::<NoReconvergence>(&kernel, &start);
        assert_eq!(found, left);
        assert!(apart > issues, "{shape}");
    }
}

/// A lock with a flag in its loop: the thread that has it gives it back before the others try again.
#[test]
fn a_lock_with_a_flag_ends_under_tokens() {
    let kernel = kernel(
        ".shared .b32 lock;",
        "st.shared.u32 [lock], 0; mov.u32 %r3, 0;
        L: atom.shared.cas.b32 %r9, [lock], 0, 1; setp.ne.u32 %p2, %r9, 0; @%p2 bra N;
        atom.shared.exch.b32 %r9, [lock], 0; mov.u32 %r3, 1; N: setp.eq.u32 %p1, %r3, 0; @%p1 bra L;",
    );
    let start: Vec<i32> = (0..LENGTH as i32).collect();
    for (left, _) in [
        launched(&Gpu::<TokenStack>::default(), &kernel, Grid::new(1, 32), std::slice::from_ref(&start), &[]),
        launched(
            &Gpu::<TokenStack<FallThroughFirst>>::default(),
            &kernel,
            Grid::new(1, 32),
            std::slice::from_ref(&start),
            &[],
        ),
    ]
    .map(|run| run.unwrap_or_else(|error| panic!("{error}")))
    {
        assert_eq!(left[0][..32], [1; 32]);
    }
}
