//! The CUDA report (see `cuda`), lanes with disable states: the program of section 6.1 that never ends, and what the rules of
//! section 5.4.1 give for breaks, returns out of loops, guarded calls and exits.

use crate::cuda::{called, golden, report};
use crate::machine::{check, lines, run};
use simt_runtime::{Argument, LaunchError, TokenStack};
use std::sync::atomic::AtomicU32;

/// Program 6.2, the counterexample to liveness: thread 1 wins the lock and waits for thread 2, which waits for the lock. The
/// lock is 1 when it is free.
#[test]
fn golden_cuda_d4() {
    let text = "kernel spin(lock: &[AtomicU32])
        .reg u32 %r, bool %p
        n8: prebrk n18
        n11: atom.u32.compare_exchange.relaxed %r, lock[0], 1, 0
        n12: eq.u32 %p, %r, 1
        n13_guard: @%p bra n13
        n14: bra n11
        n18: atom.u32.store.relaxed lock[0], 1
        n19: exit
        n13: brk n18";
    let lock = [AtomicU32::new(1)];
    let run = run::<TokenStack>(text, 4, 2, vec![Argument::atomic(&lock)]);
    let rows: Vec<String> = run.rows(&report(&[0, 1])).iter().flat_map(|row| lines(row)).collect();
    let begin = lines(
        "start    11 00 ε
        8        11 00 (break,11,18)
        11       11 00 (break,11,18)
        12       11 00 (break,11,18)
        13_guard 10 00 (diverge,01,14) (break,11,18)
        13       01 b0 (break,11,18)
        14       01 b0 (break,11,18)",
    );
    let again = lines(
        "11       01 b0 (break,11,18)
        12       01 b0 (break,11,18)
        13_guard 01 b0 (break,11,18)
        14       01 b0 (break,11,18)",
    );
    assert_eq!(rows[..begin.len()], begin);
    assert!(rows.len() > 100);
    for (index, row) in rows[begin.len()..].iter().enumerate() {
        assert_eq!(*row, again[index % again.len()], "{index}");
    }
    assert!(matches!(run.result, Err(LaunchError::Livelock(_))), "{:?}", run.result);
}

/// A loop that threads 1, 3, 2 leave in iterations 1, 2, 3. `leave` is the instruction that leaves it if %q holds.
fn staggered(leave: &str, behind: &str) -> String {
    format!(
        "kernel k(x: &mut [u32])
        .reg u32 %t, %i, %last, bool %q
        cvt.u32.usize %t, global_id()
        mul.u32 %last, %t, 2
        ; 1, 3, 2
        shr.u32 %last, 45, %last
        and.u32 %last, %last, 3
        mov.u32 %i, 0
        n1: prebrk n6
        n2: add.u32 %i, %i, 1
        eq.u32 %q, %i, %last
        {leave}
        n4: bra n2
        n6: mul.u32 %i, %i, 2
        n7: exit
        {behind}"
    )
}

#[test]
fn golden_cuda_d5() {
    golden(
        &staggered("n3_guard: @%q bra n3", "n3: brk n6"),
        &[0, 1, 2],
        "start   111 000 ε
        1       111 000 (break,111,6)
        2       111 000 (break,111,6)
        3_guard 100 000 (diverge,011,4) (break,111,6)
        3       011 b00 (break,111,6)
        4       011 b00 (break,111,6)
        2       011 b00 (break,111,6)
        3_guard 001 b00 (diverge,010,4) (break,111,6)
        3       010 b0b (break,111,6)
        4       010 b0b (break,111,6)
        2       010 b0b (break,111,6)
        3_guard 010 b0b (break,111,6)
        3       111 000 ε
        6       111 000 ε
        7       000 xxx ε",
    );
}

/// The same with the predicated `brk` of the text form, in one row as in the report. It is ESOP'12's rule while: the lanes
/// wait for the token without a disable state, where the report has b. That is why it needs its token on top.
#[test]
fn golden_cuda_d5_by_the_rule_while() {
    golden(
        &staggered("n3: @%q brk n6", ""),
        &[0, 1, 2],
        "start 111 000 ε
        1 111 000 (break,111,6)
        2 111 000 (break,111,6)
        3 011 000 (break,111,6)
        4 011 000 (break,111,6)
        2 011 000 (break,111,6)
        3 010 000 (break,111,6)
        4 010 000 (break,111,6)
        2 010 000 (break,111,6)
        3 111 000 ε
        6 111 000 ε
        7 000 xxx ε",
    );
}

/// A call with a guard that holds for threads 1 and 3. The text form has none, nor has the machine: all are called, and those
/// for which the guard does not hold return at once (`2_not`). Active mask and stack at 20 and behind are the report's; thread
/// 2 waits with the disable state r there, where the report's waits without one.
#[test]
fn golden_cuda_d7() {
    let text = "kernel k(x: &mut [u32])
        .markers tokens
        .reg u32 %v
        n1: preret n3
        n2: call f
        n3: mov.u32 %v, 0
        nexit: exit
        func f
        .reg u32 %v, bool %p
        cvt.u32.usize %v, global_id()
        ne.u32 %p, %v, 1
        n2_guard: @!%p bra n2_not
        n20: mul.u32 %v, %v, 2
        n21: ret
        n2_not: ret";
    golden(
        text,
        &[0, 1, 2],
        "start   111 000 ε
        1       111 000 (call,111,3)
        2       111 000 (call,111,3)
        2_guard 010 000 (diverge,101,20) (call,111,3)
        2_not   101 0r0 (call,111,3)
        20      101 0r0 (call,111,3)
        21      111 000 ε
        3       111 000 ε
        exit    000 xxx ε",
    );
}

/// Thread 2 returns out of the loop at once, thread 1 breaks at once, thread 3 on the second pass.
#[test]
fn golden_cuda_d8() {
    let text = called(
        "mov.u32 %i, 0
        n1: prebrk n7
        head: eq.u32 %p, %t, 2
        mad.u32 %v, %i, 2, 1
        eq.u32 %q, %t, %v
        n2_guard: @%p bra n2
        n3_guard: @%q bra n3
        n4: add.u32 %i, %i, 1
        n5: bra head
        n7: mul.u32 %v, %t, 2
        n8: ret
        n2: ret
        n3: brk n7",
    );
    golden(
        &text,
        &[0, 1, 2],
        "start    111 000 ε
        initial  111 000 (call,111,x)
        1        111 000 (break,111,7) (call,111,x)
        2_guard  010 000 (diverge,101,3_guard) (break,111,7) (call,111,x)
        2        101 0r0 (break,111,7) (call,111,x)
        3_guard  100 0r0 (diverge,001,4) (break,111,7) (call,111,x)
        3        001 br0 (break,111,7) (call,111,x)
        4        001 br0 (break,111,7) (call,111,x)
        5        001 br0 (break,111,7) (call,111,x)
        2_guard  001 br0 (break,111,7) (call,111,x)
        3_guard  001 br0 (break,111,7) (call,111,x)
        3        101 0r0 (call,111,x)
        7        101 0r0 (call,111,x)
        8        111 000 ε
        x        111 000 ε
        exit     000 xxx ε",
    );
}

/// A block of three threads in a warp of four lanes; thread 2 exits first. The padding lane is no lane of the warp here, where
/// the report has it exited from the start; both are shown as x.
#[test]
fn golden_cuda_d9() {
    let text = "kernel k(x: &mut [u32])
        .markers tokens
        .reg u32 %t, bool %p
        cvt.u32.usize %t, global_id()
        eq.u32 %p, %t, 1
        n1_guard: @%p bra n1
        n2: mul.u32 %t, %t, 2
        n3: exit
        n1: exit";
    let mut x = [0u32];
    let run = run::<TokenStack>(text, 4, 3, vec![Argument::slice_mut(&mut x)]);
    check(
        &run,
        &report(&[0, 1, 2, 3]),
        "start   1110 000x ε
        1_guard 0100 000x (diverge,1010,2)
        1       1010 0x0x ε
        2       1010 0x0x ε
        3       0000 xxxx ε",
    );
    run.result.unwrap_or_else(|error| panic!("{error}"));
}
