//! The CUDA report: A. Habermaier, *The Model of Computation of CUDA and its Formal Semantics*, 2011. The figures of section
//! 5.4.1, and what the rules of that section give for returns on one or both paths.
//!
//! What is written otherwise than there, in all files of the report:
//!
//! * `@p ret` and `@p brk` of some lanes are a branch to an unguarded `ret` or `brk` out of line: a first row, `7_guard`,
//!   where those lanes have gone there and the others wait in a diverge token, and a second one, `7`, which is the
//!   report's. (A `@%p ret` of the text form branches *around* the instruction, so that the others would run first.)
//! * `ret` at the end of the kernel is `exit`. A program that begins with `(call,111,x)` is a function, which the kernel calls
//!   at x; the rows `start`, `initial` and the last, `exit`, are the kernel's.

use crate::machine::{Style, check, run};
use simt_runtime::{Argument, TokenStack};

/// The report's names of tokens, for so many threads.
pub(crate) const fn report(lanes: &'static [usize]) -> Style {
    Style { tokens: ["diverge", "sync", "break", "continue", "call"], lanes }
}

/// A kernel that calls the function `f`, which begins with these registers: the thread's number (from 1 as in the report),
/// and predicates.
pub(crate) fn called(body: &str) -> String {
    format!(
        "kernel k(x: &mut [u32])
        .markers tokens
        .reg u32 %v
        ninitial: preret nx
        call f
        nx: mov.u32 %v, 0
        nexit: exit
        func f
        .reg u32 %t, %v, %i, bool %p, %q
        cvt.u32.usize %t, global_id()
        add.u32 %t, %t, 1
        {body}"
    )
}

/// Runs a text by so many threads, in a warp of as many lanes, and compares with the table.
#[track_caller]
pub(crate) fn golden(text: &str, lanes: &'static [usize], table: &str) {
    let mut x = vec![0u32; lanes.len()];
    let run = run::<TokenStack>(text, 4, lanes.len(), vec![Argument::slice_mut(&mut x)]);
    check(&run, &report(lanes), table);
    run.result.unwrap_or_else(|error| panic!("{error}"));
}

/// Program 5.5, Figure 5.2. The row `exit` is ours.
#[test]
fn golden_cuda_g1() {
    let text = "kernel k(x: &mut [u32])
        .reg u32 %t, %v, bool %p
        cvt.u32.usize %t, global_id()
        n1: eq.u32 %p, %t, 0
        n2: ssy n10
        n3: @%p bra n7
        n4: sub.u32 %v, %t, 1
        n5: bra n9
        n7: mul.u32 %v, %t, 2
        n9: sync
        n10: div.u32 %v, %v, 2
        nexit: exit";
    golden(
        text,
        &[0, 1],
        "start 11 00  ε
        1     11 00  ε
        2     11 00  (sync,11,10)
        3     10 00  (diverge,01,4) (sync,11,10)
        7     10 00  (diverge,01,4) (sync,11,10)
        9     01 00  (sync,11,10)
        4     01 00  (sync,11,10)
        5     01 00  (sync,11,10)
        9     11 00  ε
        10    11 00  ε
        exit  00 xx  ε",
    );
}

/// Program 5.6, Figure 5.3: thread 1 goes to PATH-3, 2 and 4 to PATH-2, 3 to PATH-1. Any target may be chosen first; the
/// figure has PATH-2, PATH-3, PATH-1. Ours is always that of the lowest lane, so thread 2 is lane 0, thread 1 is lane 1, 4 is
/// lane 2 and 3 is lane 3. The rows of `start` and `exit` are ours.
#[test]
fn golden_cuda_g2() {
    let text = "kernel k(x: &mut [u32])
        .reg u32 %r, %v, %t
        cvt.u32.usize %t, global_id()
        ; PATH-2, PATH-3, PATH-2, PATH-1
        mul.u32 %v, %t, 2
        shr.u32 %r, 25, %v
        and.u32 %r, %r, 3
        n1: ssy n13
        n2: brx %r, [n4, n7, n10]
        n4: mul.u32 %v, %t, 3
        n5: bra n12
        n7: add.u32 %v, %t, 3
        n8: bra n12
        n10: sub.u32 %v, %t, 3
        n12: sync
        n13: div.u32 %v, %v, 3
        nexit: exit";
    golden(
        text,
        &[1, 0, 3, 2],
        "start 1111 0000 ε
        1   1111 0000 (sync,1111,13)
        2   0101 0000 (diverge,1010,2) (sync,1111,13)
        7   0101 0000 (diverge,1010,2) (sync,1111,13)
        8   0101 0000 (diverge,1010,2) (sync,1111,13)
        12  1010 0000 (sync,1111,13)
        2   1000 0000 (diverge,0010,2) (sync,1111,13)
        10  1000 0000 (diverge,0010,2) (sync,1111,13)
        12  0010 0000 (sync,1111,13)
        2   0010 0000 (sync,1111,13)
        4   0010 0000 (sync,1111,13)
        5   0010 0000 (sync,1111,13)
        12  1111 0000 ε
        13  1111 0000 ε
        exit 0000 xxxx ε",
    );
}

/// Program 5.7, Figure 5.4: p holds for threads 2 and 3, p2 for 2.
#[test]
fn golden_cuda_g3() {
    let text = called(
        "n1: ge.u32 %p, %t, 2
        eq.u32 %q, %t, 2
        n2: ssy n10
        n3: @%p bra n7_guard
        n4: sub.u32 %v, %t, 1
        n5: bra n9
        n7_guard: @%q bra n7
        n9: sync
        n10: div.u32 %v, %t, 2
        n11: ret
        n7: ret",
    );
    golden(
        &text,
        &[0, 1, 2],
        "start   111 000 ε
        initial 111 000 (call,111,x)
        1       111 000 (call,111,x)
        2       111 000 (sync,111,10) (call,111,x)
        3       011 000 (diverge,100,4) (sync,111,10) (call,111,x)
        7_guard 010 000 (diverge,001,9) (diverge,100,4) (sync,111,10) (call,111,x)
        7       001 0r0 (diverge,100,4) (sync,111,10) (call,111,x)
        9       100 0r0 (sync,111,10) (call,111,x)
        4       100 0r0 (sync,111,10) (call,111,x)
        5       100 0r0 (sync,111,10) (call,111,x)
        9       101 0r0 (call,111,x)
        10      101 0r0 (call,111,x)
        11      111 000 ε
        x       111 000 ε
        exit    000 xxx ε",
    );
}

/// The same with the predicated `ret` of the text form, which is two instructions: a branch around, and `ret`. Thread 3, which
/// does not return, goes first, and thread 2 returns when the diverge token of that branch is popped.
#[test]
fn golden_cuda_g3_with_a_branch_around() {
    let text = called(
        "n1: ge.u32 %p, %t, 2
        eq.u32 %q, %t, 2
        n2: ssy n10
        n3: @%p bra n7
        n4: sub.u32 %v, %t, 1
        n5: bra n9
        n7: @%q ret
        n9: sync
        n10: div.u32 %v, %t, 2
        n11: ret",
    );
    golden(
        &text,
        &[0, 1, 2],
        "start   111 000 ε
        initial 111 000 (call,111,x)
        1       111 000 (call,111,x)
        2       111 000 (sync,111,10) (call,111,x)
        3       011 000 (diverge,100,4) (sync,111,10) (call,111,x)
        7       001 000 (diverge,010,7) (diverge,100,4) (sync,111,10) (call,111,x)
        9       010 000 (diverge,100,4) (sync,111,10) (call,111,x)
        7       100 0r0 (sync,111,10) (call,111,x)
        4       100 0r0 (sync,111,10) (call,111,x)
        5       100 0r0 (sync,111,10) (call,111,x)
        9       101 0r0 (call,111,x)
        10      101 0r0 (call,111,x)
        11      111 000 ε
        x       111 000 ε
        exit    000 xxx ε",
    );
}

/// By the rules of section 5.4.1; the first flaw of Nvidia's patent: a path that ends by `ret` must not pop the sync token
/// and, reached by it, once more. Thread 1 takes.
#[test]
fn golden_cuda_d1() {
    let text = called(
        "n1: eq.u32 %p, %t, 1
        n2: ssy n10
        n3: @%p bra n7
        n4: ret
        n7: mul.u32 %v, %t, 2
        n9: sync
        n10: div.u32 %v, %t, 2
        n11: ret",
    );
    golden(
        &text,
        &[0, 1],
        "start   11 00 ε
        initial 11 00 (call,11,x)
        1       11 00 (call,11,x)
        2       11 00 (sync,11,10) (call,11,x)
        3       10 00 (diverge,01,4) (sync,11,10) (call,11,x)
        7       10 00 (diverge,01,4) (sync,11,10) (call,11,x)
        9       01 00 (sync,11,10) (call,11,x)
        4       10 0r (call,11,x)
        10      10 0r (call,11,x)
        11      11 00 ε
        x       11 00 ε
        exit    00 xx ε",
    );
}

/// By the rules of section 5.4.1; the second flaw of the patent: a uniform `ret` must mark its lanes, or the sync token
/// would awake them.
#[test]
fn golden_cuda_d2() {
    let text = called(
        "n1: eq.u32 %p, %t, 1
        n2: ssy n10
        n3: @%p bra n7
        n4: sub.u32 %v, %t, 1
        n5: bra n9
        n7: ret
        n9: sync
        n10: div.u32 %v, %t, 2
        n11: ret",
    );
    golden(
        &text,
        &[0, 1],
        "start   11 00 ε
        initial 11 00 (call,11,x)
        1       11 00 (call,11,x)
        2       11 00 (sync,11,10) (call,11,x)
        3       10 00 (diverge,01,4) (sync,11,10) (call,11,x)
        7       01 r0 (sync,11,10) (call,11,x)
        4       01 r0 (sync,11,10) (call,11,x)
        5       01 r0 (sync,11,10) (call,11,x)
        9       01 r0 (call,11,x)
        10      01 r0 (call,11,x)
        11      11 00 ε
        x       11 00 ε
        exit    00 xx ε",
    );
}

/// By the rules of section 5.4.1: both paths return. The sync token wakes no lane, the call token does.
#[test]
fn golden_cuda_d3() {
    let text = called(
        "n1: eq.u32 %p, %t, 1
        n2: ssy n10
        n3: @%p bra n7
        n4: ret
        n7: ret
        n10: div.u32 %v, %t, 2
        n11: ret",
    );
    golden(
        &text,
        &[0, 1],
        "start   11 00 ε
        initial 11 00 (call,11,x)
        1       11 00 (call,11,x)
        2       11 00 (sync,11,10) (call,11,x)
        3       10 00 (diverge,01,4) (sync,11,10) (call,11,x)
        7       01 r0 (sync,11,10) (call,11,x)
        4       11 00 ε
        x       11 00 ε
        exit    00 xx ε",
    );
}
