//! Kernels that were written as text, with control flow that no Rust function has, under every policy and at every width.

use simt::core::code::Markers;
use simt::error::FaultKind;
use simt::host::{Argument, Kernel};
use simt::policy::Policy;
use simt::{Code, Grid, LaunchError};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A kernel from a text that is right.
#[track_caller]
fn kernel(text: &str) -> Kernel {
    Kernel::from_code(Code::parse(text).unwrap_or_else(|error| panic!("{error}")))
}

/// Runs a kernel `name(x: &mut [u32])` everywhere; each thread changes its own element as a function does.
#[track_caller]
fn check(text: &str, host: impl Fn(u32) -> u32) {
    let kernel = kernel(text);
    let start: Vec<u32> = (0..75).map(|i| i * 37 % 101).collect();
    let expected: Vec<u32> = start.iter().map(|&v| host(v)).collect();
    assert_ne!(start, expected, "the kernel does something");
    let mut counts = Vec::new();
    everywhere!(|gpu| {
        let mut x = start.clone();
        let launched = gpu.launch(Grid::new(3, 25), simt::host::call(&kernel, vec![Argument::slice_mut(&mut x)]));
        let report = launched.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(x, expected, "{text}");
        counts.push(report.thread_instructions());
    });
    assert!(
        counts.windows(2).all(|pair| pair[0] == pair[1]),
        "a thread's instructions depend on the policy: {counts:?}"
    );
}

#[test]
fn a_loop_with_two_entries() {
    let text = "
        kernel irreducible(x: &mut [u32])
        .reg u32 %v, %odd, bool %p
            ld.u32  %v, x[global_id()]
            and.u32 %odd, %v, 1
            eq.u32  %p, %odd, 1
        @%p bra     SECOND
        FIRST:
            add.u32 %v, %v, 3
        SECOND:
            add.u32 %v, %v, 5
            lt.u32  %p, %v, 100
        @%p bra     FIRST
            st.u32  x[global_id()], %v
            exit";
    check(text, |mut v| {
        let mut first = v % 2 == 0;
        loop {
            if first {
                v += 3;
            }
            v += 5;
            first = true;
            if v >= 100 {
                return v;
            }
        }
    });
}

#[test]
fn a_goto_into_the_other_arm() {
    let text = "
        kernel into(x: &mut [u32])
        .reg u32 %v, %r, bool %p
            ld.u32   %v, x[global_id()]
            lt.u32   %p, %v, 50
            bra.not  %p, ELSE
            add.u32  %v, %v, 1000
            rem.u32  %r, %v, 3
            eq.u32   %p, %r, 0
            bra      %p, INTO
            jmp      JOIN
        ELSE:
            mul.u32  %v, %v, 7
        INTO:
            sub.u32  %v, %v, 2
            rem.u32  %r, %v, 5
            eq.u32   %p, %r, 0
        @%p exit
        JOIN:
            st.u32   x[global_id()], %v
            exit";
    check(text, |v| {
        let into = |w: u32| if (w - 2).is_multiple_of(5) { v } else { w - 2 };
        match v + 1000 {
            w if v < 50 && w % 3 == 0 => into(w),
            w if v < 50 => w,
            _ => into(v * 7),
        }
    });
}

/// `%w` is written at a higher address than where it is needed first, and `%t` is written in between.
#[test]
fn a_value_that_is_live_before_the_address_of_its_write() {
    let text = "
        kernel below(x: &mut [u32])
        .reg u32 %v, once u32 %t, %w, bool %p
            ld.u32  %v, x[global_id()]
            jmp     W
        A:  add.u32 %t, %v, 1
            lt.u32  %p, %v, 40
        @%p bra     B
            add.u32 %v, %v, 1000
        B:  xor.u32 %v, %v, %t
            jmp     R
        W:  add.u32 %w, %v, 100
            jmp     A
        R:  mad.u32 %v, %v, 3, %w
            st.u32  x[global_id()], %v
            exit";
    check(text, |v| ((if v < 40 { v } else { v + 1000 }) ^ (v + 1)) * 3 + v + 100);
}

/// Programs 5.5 and 5.6 of the CUDA report: tokens, and an indirect branch.
#[test]
fn an_indirect_branch_with_tokens() {
    let text = "
        kernel paths(x: &mut [u32])
        .markers tokens
        .reg u32 %v, %r
            ld.u32  %v, x[global_id()]
            and.u32 %r, %v, 7
            ssy     BEHIND
            brx     %r, [PATH1, PATH2, PATH3, PATH1, JOIN]
        PATH1:
            mul.u32 %v, %v, 3
            bra     JOIN
        PATH2:
            add.u32 %v, %v, 40
            bra     JOIN
        BEHIND:
            st.u32  x[global_id()], %v
            exit
        PATH3:
            sub.u32 %v, 500, %v
        JOIN:
            sync
            exit";
    check(text, |v| match v & 7 {
        0 | 3 => v * 3,
        1 => v + 40,
        2 => 500 - v,
        _ => v,
    });
    // All meet again behind the `sync`.
    let code = Code::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let kernel = Kernel::from_code(code);
    let mut x: Vec<u32> = (0..32).collect();
    let gpu = simt::Gpu::<simt::policy::TokenStack>::default();
    let report = gpu.launch(Grid::new(1, 32), simt::host::call(&kernel, vec![Argument::slice_mut(&mut x)]));
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    let store = report.lines().iter().find(|line| line.text.starts_with("st.u32")).map(|line| line.mean_active_lanes());
    assert_eq!(store, Some(32.0));
}

/// A loop of the CUDA report that threads leave one by one, with a thread that ends inside.
#[test]
fn a_loop_that_threads_leave_one_by_one() {
    let text = "
        kernel staggered(x: &mut [u32])
        .markers tokens
        .reg u32 %v, %n, bool %p
            ld.u32  %v, x[global_id()]
            rem.u32 %n, %v, 6
            prebrk  OUT
        LOOP:
            mad.u32 %v, %v, 3, 1
            eq.u32  %p, %n, 5
        @%p exit
            eq.u32  %p, %n, 0
        @%p brk     OUT
            sub.u32 %n, %n, 1
            bra     LOOP
        OUT:
            st.u32  x[global_id()], %v
            exit";
    check(text, |v| if v % 6 == 5 { v } else { (0..=v % 6).fold(v, |v, _| v.wrapping_mul(3).wrapping_add(1)) });
}

/// Markers of another mechanism mean nothing, and are issued all the same, also in the middle of a run of code.
#[test]
fn markers_are_counted_under_every_policy() {
    let text = "
        kernel marked(x: &mut [u32])
        .markers tokens
        .reg u32 %v
            ld.u32  %v, x[global_id()]
            ssy     BEHIND
            add.u32 %v, %v, 1
            sync
        BEHIND:
            st.u32  x[global_id()], %v
            exit";
    let kernel = Kernel::from_code(Code::parse(text).unwrap_or_else(|error| panic!("{error}")));
    simt::for_each_policy!(P => {
        let mut x = [7; 4];
        let call = simt::host::call(&kernel, vec![Argument::slice_mut(&mut x)]);
        let gpu = simt::Gpu::<P>::default().with_warp_width(4);
        let report = gpu.launch(Grid::new(1, 4), call).unwrap_or_else(|error| panic!("{}: {error}", P::name()));
        let warps = report.issues() / 4;
        // Code for barriers has its own markers, of which it needs none here.
        let markers = if matches!(P::markers(), Markers::HanoiBarriers | Markers::PtxasBarriers) { 0 } else { 2 };
        assert_eq!((report.issues(), report.marker_issues()), (4 * warps, markers * warps), "{}", P::name());
    });
}

/// Figure 6 of the Hanoi paper: threads meet before the post-dominator, and one leaves the barrier.
#[test]
fn barriers_that_a_compiler_placed() {
    let text = "
        kernel figure_6(x: &mut [u32])
        .reg u32 %v, bool %p, %not
            ld.u32   %v, x[global_id()]
            bssy     B0, AFTER_B
            bssy     B1, E
            gt.u32   %p, %v, 60
        @%p bra      B
            mul.u32  %v, %v, 2
            gt.u32   %p, %v, 30
            not.bool %not, %p
        @%not break  B0
            bra.not  %p, D
        B:  bsync    B0
        AFTER_B:
            add.u32  %v, %v, 7
        D:  bsync    B1
        E:  add.u32  %v, %v, 1
            st.u32   x[global_id()], %v
            exit";
    check(text, |v| match v {
        v if v > 60 => v + 8,
        v if 2 * v > 30 => 2 * v + 8,
        v => 2 * v + 1,
    });
}

/// Figure 7 of the Hanoi paper. What has no barriers either gets through or is stopped; nothing hangs.
#[test]
fn a_spin_lock_ends_or_is_stopped() {
    let kernel = kernel(
        "kernel figure_7(mutex: &[AtomicU32], count: &mut [u32])
        .reg u32 %old, %n, bool %free
            bssy  B0, END
        SPIN:
            yield
            atom.u32.compare_exchange.acquire %old, mutex[0], 0, 1
            eq.u32 %free, %old, 0
        @!%free bra SPIN
            ld.u32.volatile %n, count[0]
            add.u32 %n, %n, 1
            st.u32.volatile count[0], %n
            atom.u32.store.release mutex[0], 0
            bsync B0
        END:
            exit",
    );
    simt::for_each_policy!(P => {
        let (mutex, mut count) = ([AtomicU32::new(0)], [0]);
        let gpu = simt::Gpu::<P>::default().with_step_limit(5000);
        let arguments = vec![Argument::atomic(&mutex), Argument::slice_mut(&mut count)];
        match gpu.launch(Grid::new(1, 16), simt::host::call(&kernel, arguments)) {
            Ok(_) => assert_eq!((count[0], mutex[0].load(Relaxed)), (16, 0)),
            Err(error) => assert!(matches!(error, LaunchError::StepLimit(_)), "{error}"),
        }
    });
}

#[test]
fn a_recursive_function() {
    let text = "
        kernel fibonacci(x: &mut [u32])
        .reg u32 %v
            ld.u32  %v, x[global_id()]
            rem.u32 %fib.n, %v, 11
            call    fib
            st.u32  x[global_id()], %fib.sum
            exit
        func fib
        .reg passing u32 %n, %sum, u32 %mine, %first, bool %p
            mov.u32 %mine, %n
            mov.u32 %sum, %mine
            lt.u32  %p, %mine, 2
        @%p ret
            sub.u32 %n, %mine, 1
            call    fib
            mov.u32 %first, %sum
            sub.u32 %n, %mine, 2
            call    fib
            add.u32 %sum, %sum, %first
            ret";
    check(text, |v| (0..v % 11).fold((0, 1), |(a, b), _| (b, a + b)).0);
}

#[test]
fn an_error_shows_the_line_of_the_text() {
    let code = Code::parse_named(
        "shift.simt",
        "kernel shift(x: &mut [u32])
.reg usize %next, u32 %v
    add.usize %next, global_id(), 1
    ld.u32    %v, x[%next]          ; the neighbour
    st.u32    x[global_id()], %v
    exit",
    );
    let kernel = Kernel::from_code(code.unwrap_or_else(|error| panic!("{error}")));
    simt::for_each_policy!(P => {
        let mut x = [1, 2, 3];
        let call = simt::host::call(&kernel, vec![Argument::slice_mut(&mut x)]);
        let error = simt::Gpu::<P>::default().launch(Grid::new(1, 3), call).unwrap_err();
        assert_eq!((error.kernel(), error.line()), ("shift", Some(4)));
        let text = error.to_string();
        assert!(text.contains("shift.simt:4:5") && text.contains("ld.u32    %v, x[%next]"), "{text}");
        let LaunchError::Fault(fault) = error else { panic!("{text}") };
        assert!(matches!(fault.kind, FaultKind::OutOfBounds { index: 3, length: 3, write: false, .. }));
        assert_eq!(x, [1, 2, 3]);
    });
}

#[test]
fn the_listing_of_a_kernel_runs_as_the_kernel_does() {
    #[simt::kernel]
    fn steps(x: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        let mut count = 0;
        while n > 1 {
            if n % 2 == 0 {
                n /= 2;
            } else {
                n = 3 * n + 1;
            }
            count += 1;
        }
        x[i] = count;
    }
    for &markers in Markers::ALL {
        let listing = steps::program().code(markers).to_string();
        check(&listing, |mut n| {
            let mut count = 0;
            while n > 1 {
                n = if n.is_multiple_of(2) { n / 2 } else { 3 * n + 1 };
                count += 1;
            }
            count
        });
    }
}
