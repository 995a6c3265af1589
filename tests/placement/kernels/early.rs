//! Branches, early ends, and barriers before the post-dominator; with gotos in the text form.

use crate::skeleton::Skeleton;
use simt::Code;
use simt::prelude::*;

#[kernel]
fn k01_if(p: &mut [i32]) {
    let i = global_id();
    if p[i] > 3 {
        p.store_volatile(i, 1);
    }
    p[i + 4096] = p[i] + 1;
}

#[kernel]
fn k02_if_else(p: &mut [i32]) {
    let i = global_id();
    if p[i] > 3 {
        p.store_volatile(i, 1);
    } else {
        p.store_volatile(i, 2);
    }
    p[i + 4096] = p[i] + 1;
}

#[kernel]
fn k03_nested_if(p: &mut [i32]) {
    let i = global_id();
    if p[i] > 3 {
        p.store_volatile(i, 1);
        if p[i + 1] > 5 {
            p.store_volatile(i, 2);
            if p[i + 2] > 6 {
                p.store_volatile(i, 3);
            } else {
                p.store_volatile(i, 4);
            }
        } else {
            p.store_volatile(i, 5);
        }
        p.store_volatile(i, 6);
    } else {
        p.store_volatile(i, 7);
    }
    p[i + 4096] = p[i] + 1;
}

#[kernel]
fn k04_early_return(p: &mut [i32], n: usize) {
    let i = global_id();
    if i >= n {
        return;
    }
    if p[i] > 3 {
        p.store_volatile(i, 1);
        return;
    }
    p.store_volatile(i, 2);
    p[i + 4096] = p[i] + 1;
}

/// Without an `else`, `a && b` is one `if` in the other.
#[kernel]
fn k11_shortcircuit_and(p: &mut [i32]) {
    let i = global_id();
    if p[i] > 3 {
        p.store_volatile(i, 2);
        if p.load_volatile(i + 2) > 2 {
            p.store_volatile(i, 3);
        }
    }
    p[i + 4096] = p[i];
}

/// A kernel whose lines are these; `w` is work, and `test %q, k` is whether `p[i + k] > k`.
fn text(lines: &str) -> Code {
    let test = |line: &str| match line.trim().strip_prefix("test ").and_then(|rest| rest.split_once(", ")) {
        Some((reg, k)) => format!("add.usize %j, %i, {k}\nld.i32 %v, p[%j]\ngt.i32 {reg}, %v, {k}\n"),
        None => line.replace(" w", " st.i32.volatile p[%i], 1") + "\n",
    };
    let body: String = lines.lines().map(test).collect();
    let text =
        format!("kernel twin(p: &mut [i32])\n.reg usize %i, %j, i32 %v, bool %q\nmov.usize %i, global_id()\n{body}");
    let code = Code::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    code.for_markers(Markers::PtxasBarriers).into_inner()
}

const OR: &str = "
    test %q, 3
    @%q bra THEN
    fence_block
     w
    test %q, 2
    @!%q bra JOIN
    THEN: w
    JOIN: w
    exit";
const AND_ELSE: &str = "
    test %q, 3
    @!%q bra ELSE
     w
    test %q, 2
    @!%q bra ELSE
     w
    jmp JOIN
    ELSE: w
    JOIN: w
    exit";
const MIX: &str = "
    test %q, 3
    @!%q bra SECOND
     w
    test %q, 2
    @%q bra THEN
    SECOND: fence_block
    test %q, 4
    @!%q bra ELSE
     w
    test %q, 5
    @!%q bra ELSE
    THEN: w
    jmp JOIN
    ELSE: w
    JOIN: w
    exit";
const FIG6: &str = "
    test %q, 3
    @%q bra B
     w
    test %q, 5
    @%q bra D
    B: w
    D: w
    exit";
const CROSS: &str = "
    test %q, 3
    @%q bra SECOND
     w
    test %q, 6
    @%q bra Y
     w
    jmp X
    SECOND: w
    test %q, 5
    @%q bra X
     w
    jmp Y
    X: w
    jmp JOIN
    Y: w
    JOIN: w
    exit";

pub(crate) fn skeletons() -> Vec<(&'static str, Skeleton)> {
    let texts = [
        ("k11_shortcircuit_or", OR),
        ("k11_shortcircuit_and_else", AND_ELSE),
        ("k11_shortcircuit_mix", MIX),
        ("k15_fig6", FIG6),
        ("k15_cross", CROSS),
    ];
    let texts = texts.map(|(name, lines)| (name, Skeleton::of(&text(lines))));
    kernels!(k01_if k02_if_else k03_nested_if k04_early_return k11_shortcircuit_and).into_iter().chain(texts).collect()
}
