//! Guards: lanes that execute, and lanes that do nothing.

use crate::kernel;
use simt::host::{Argument, call};
use simt::policy::Ipdom;
use simt::{Gpu, Grid};

const ADDS: &str = "
    kernel adds(x: &mut [u32], wide: &mut [u64], sums: &[AtomicU32])
    .reg u32 %v, %m, zeroed u32 %z, usize %i, u64 %w, bool %odd, %third, %both, u8 %b, f32 %f
        mov.usize   %i, global_id()
        ld.u32      %v, x[%i]
        cvt.u64.u32 %w, %v
        cvt.u8.u32  %b, %v
        cvt.f32.u32 %f, %v
        and.u32     %m, %v, 1
        eq.u32      %odd, %m, 1
        rem.u32     %m, %v, 3
        eq.u32      %third, %m, 0
    @%odd  add.u32  %v, %v, 100
    @!%odd mad.u32  %v, %v, 3, 7
    @%third add.u64 %w, %w, 1000
    @%third not.u8  %b, %b
    @%odd  sqrt.f32 %f, %f
    @!%third lt.u32 %odd, %v, 50
    @%odd  sel.u32  %z, %third, %v, 5
    @%odd  atom.u32.fetch_add.relaxed sums[0], %v
    @%third ld.u32  %m, x[%i]
    @%odd  div.u32  %v, %v, %m
        cvt.u32.u8  %m, %b
        add.u32     %v, %v, %m
        add.u32     %v, %v, %z
        cvt.u32.f32 %m, %f
        add.u32     %v, %v, %m
    @!%third st.u32 x[%i], %v
        st.u64      wide[%i], %w
        exit";

/// What a thread does; what it adds to the sum.
fn adds(x: &mut u32, wide: &mut u64) -> u32 {
    let (mut v, mut w, mut b, mut f) = (*x, u64::from(*x), *x as u8, *x as f32);
    let (mut odd, third, mut z, mut sum) = (v % 2 == 1, v % 3 == 0, 0, 0);
    let mut m = v % 3;
    if odd {
        v += 100;
        f = f.sqrt();
    } else {
        v = v * 3 + 7;
    }
    if third {
        w += 1000;
        b = !b;
    } else {
        odd = v < 50;
    }
    if odd {
        z = if third { v } else { 5 };
        sum = v;
    }
    if third {
        m = *x;
    }
    if odd {
        v /= m;
    }
    v = v + u32::from(b) + z + f as u32;
    if !third {
        *x = v;
    }
    *wide = w;
    sum
}

#[test]
fn guarded_lanes_do_what_an_if_would() {
    let kernel = kernel(ADDS);
    let start: Vec<u32> = (0..75).map(|i| i * 37 % 101 + 1).collect();
    let (mut expected, mut wides) = (start.clone(), vec![0; 75]);
    let sum: u32 = expected.iter_mut().zip(&mut wides).map(|(x, wide)| adds(x, wide)).sum();
    everywhere!(|gpu| {
        let (mut x, mut wide, total) = (start.clone(), vec![1; 75], [std::sync::atomic::AtomicU32::new(0)]);
        let arguments = vec![Argument::slice_mut(&mut x), Argument::slice_mut(&mut wide), Argument::atomic(&total)];
        let report = gpu.launch(Grid::new(3, 25), call(&kernel, arguments)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((&x, &wide, total[0].load(std::sync::atomic::Ordering::Relaxed)), (&expected, &wides, sum));
        // Guarded or not, all threads are there: 27 instructions each.
        assert_eq!(report.thread_instructions(), 75 * 27);
        assert!(report.executed_thread_instructions() < report.thread_instructions());
    });
}

#[test]
fn the_report_says_how_many_threads_were_guarded_off() {
    let text = "kernel k(x: &mut [u32])
        .reg u32 %v, bool %p
            ld.u32  %v, x[global_id()]
            lt.u32  %p, %v, 10
        @%p add.u32 %v, %v, 1
        @!%p add.u32 %v, %v, 2
        @!%p add.u32 %v, %v, 2
            st.u32  x[global_id()], %v
            exit";
    let kernel = kernel(text);
    for threads in [64, 1 << 13] {
        let mut x: Vec<u32> = (0..threads).collect();
        let call = call(&kernel, vec![Argument::slice_mut(&mut x)]);
        let report = Gpu::<Ipdom>::default().launch(Grid::new(threads as usize / 64, 64), call).expect("it runs");
        let (threads, off) = (u64::from(threads), u64::from(threads) - 10 + 2 * 10);
        assert_eq!(report.thread_instructions(), 7 * threads);
        assert_eq!(report.executed_thread_instructions(), 7 * threads - off);
        let lines: Vec<u64> = report.lines().iter().map(|line| line.guarded_off).filter(|&off| off > 0).collect();
        assert_eq!(lines, [threads - 10, 10, 10]);
        assert!(report.to_string().contains("of them guarded off"), "{report}");
        // No branch, no divergence.
        assert_eq!((report.branches(), report.simd_efficiency()), (0, 1.0));
    }
}

#[test]
fn a_register_in_a_loop_keeps_what_another_iteration_wrote() {
    let text = "kernel k(x: &mut [u32])
        .reg zeroed u32 %last, u32 %n, %v, bool %p, %more
            ld.u32  %v, x[global_id()]
            mov.u32 %n, 0
        LOOP:
            eq.u32  %p, %n, %v
        @%p mov.u32 %last, 77
            add.u32 %n, %n, 1
            lt.u32  %more, %n, 8
        @%more bra LOOP
            st.u32  x[global_id()], %last
            exit";
    let kernel = kernel(text);
    everywhere!(|gpu| {
        let mut x: Vec<u32> = (0..20).collect();
        let launched = gpu.launch(Grid::new(2, 10), call(&kernel, vec![Argument::slice_mut(&mut x)]));
        launched.unwrap_or_else(|error| panic!("{error}"));
        let expected: Vec<u32> = (0..20).map(|v| if v < 8 { 77 } else { 0 }).collect();
        assert_eq!(x, expected);
    });
}

#[test]
fn only_lanes_that_execute_can_fault() {
    let text = |op: &str| {
        format!(
            "kernel k(x: &mut [u32])
            .reg u32 %v, usize %i, bool %p
                mov.usize %i, global_id()
                ld.u32   %v, x[%i]
                lt.usize %p, %i, LIMIT
            @%p {op}
                exit"
        )
    };
    for (op, what) in [
        ("st.u32 x[1000], %v", "index 1000 is out of bounds of `x`"),
        ("ld.u32 %v, x[1000]", "index 1000 is out of bounds of `x`"),
        ("div.u32 %v, %v, 0", "is divided by zero"),
        ("rem.u32 %v, 7, %v", "the remainder of 7 by zero is taken"),
        ("panic \"no {}\", u32 %v", "no 0"),
    ] {
        let with = |limit: &str| kernel(&text(op).replace("LIMIT", limit));
        let mut x = [0; 8];
        let none = with("0");
        Gpu::<Ipdom>::default().launch(Grid::new(1, 8), call(&none, vec![Argument::slice_mut(&mut x)])).expect("none");
        let three = with("3");
        let failed = Gpu::<Ipdom>::default().launch(Grid::new(1, 8), call(&three, vec![Argument::slice_mut(&mut x)]));
        let error = failed.expect_err("three lanes fault");
        assert!(error.to_string().contains(what), "{error}");
        assert_eq!((error.line(), error.thread().map(|thread| thread.lane)), (Some(6), Some(0)));
    }
}
