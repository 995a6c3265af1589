//! Which loops and recursions may depend on the schedule (ESOP'12, Lemma 6).

use simt::Program;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Counted loops, whatever their bounds; loops over memory that no thread writes.
#[kernel]
fn certified(list: &[u32], x: &mut [u32], n: &[AtomicU32]) {
    #[shared]
    let tile: [AtomicU32; 4];
    let i = global_id();
    tile[i % 4].store(x[i], Relaxed);
    sync_threads();
    for k in 0..x[i] {
        x[i] += k;
    }
    for k in (0..=n[0].load(Relaxed)).rev() {
        if tile[0].load(Relaxed) == k {
            break;
        }
    }
    for k in (0..tile[1].load(Relaxed) as usize).step_by(3) {
        if x[k] == 0 {
            continue;
        }
        x[i] += 1;
    }
    let mut node = list[i];
    while node != 0 {
        node = list[node as usize];
    }
}

#[kernel]
fn by_condition(x: &mut [u32]) {
    while x[0] == 0 {}
    x[1] = 1;
}

#[kernel]
fn by_break(x: &[AtomicU32]) {
    let mut i = 0;
    loop {
        i += 1;
        if x[i].load(Relaxed) == 1 {
            break;
        }
        x[i].store(2, Relaxed);
    }
}

/// The value goes through a variable, a local array, a condition and a function.
#[kernel]
fn by_a_long_way(x: &mut [u32]) {
    let mut kept = [0; 2];
    kept[1] = x[0];
    let mut found = false;
    if is_odd(kept[1]) {
        found = true;
    }
    while !found {
        x[1] = 1;
    }
}

#[device]
fn is_odd(n: u32) -> bool {
    if n % 2 == 0 {
        return false;
    }
    true
}

#[kernel]
fn by_recursion(x: &mut [u32]) {
    x[1] = deeper(x, 3);
}

#[device]
fn deeper(x: &[u32], n: u32) -> u32 {
    if x[0] == n { 0 } else { deeper(x, n) }
}

#[kernel]
fn by_active_mask(out: &mut [u64]) {
    let mut mask = active_mask();
    while mask != u64::MAX {
        mask = active_mask();
    }
    out[0] = mask;
}

/// Whether a thread comes to a loop that never ends depends on what others write.
#[kernel]
fn by_the_way_to_it(x: &mut [u32]) {
    if x[0] == 1 {
        return;
    }
    let mut n = 1;
    while n != 0 {
        n += 2;
    }
    x[0] = 1;
}

fn found(program: &Program) -> Vec<String> {
    program
        .schedule_dependences()
        .iter()
        .map(|dependence| format!("{:?} {}", dependence.kind, dependence.value))
        .collect()
}

#[test]
fn dependences_are_named() {
    assert!(found(certified::program()).is_empty());
    assert_eq!(found(by_condition::program()), ["Loop x"]);
    assert_eq!(found(by_break::program()), ["Loop x"]);
    assert_eq!(found(by_a_long_way::program()), ["Loop x"]);
    assert_eq!(found(by_recursion::program()), ["Recursion x"]);
    assert_eq!(found(by_active_mask::program()), ["Loop active_mask()"]);
    assert_eq!(found(by_the_way_to_it::program()), ["Loop x"]);
    let dependences = by_break::program().schedule_dependences();
    let text = dependences[0].to_string();
    let at = |span: simt::core::Span| format!("{}:{}", span.line, span.column);
    let (loop_, read) = (at(dependences[0].span), at(dependences[0].read));
    assert_eq!(
        text,
        format!(
            "the loop at {loop_} may be kept going by `x`, read at {read}: under a policy that is not fair it may never end"
        )
    );
}
