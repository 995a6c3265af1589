//! Arrays, atomics, collectives, printed lines and structs.

use simt::prelude::*;
use std::cmp;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering, Ordering::Relaxed};

const ROWS: usize = 4;

/// Local arrays.
#[kernel]
pub fn local_arrays(n: u32, out: &mut [u32]) {
    let i = global_id();
    let constants = [1, 2, n];
    let mut filled = [n; 40];
    let mut typed: [f32; ROWS] = [0.5; ROWS];
    let mut rows = [[0; 3]; ROWS];
    #[allow(unused_variables, reason = "an attribute holds for the array")]
    let unused = [0_u32; 2];
    filled[i] = constants[i % constants.len()];
    typed[0] *= 2.0;
    rows[i % 4][2] += filled[1];
    if !out.is_empty() {
        out[i] = filled[i] + typed[0] as u32 + rows[1][0];
    }
}

/// Functions of `std` by a path that an import leads to.
#[kernel]
pub fn compared(x: &mut [u32]) {
    x[0] = cmp::max(x[0], cmp::min(x[1], 7));
    x[1] = cmp::max(x[0], 3);
}

/// Arrays of the block.
#[kernel]
pub fn shared_arrays(x: &[f32], bins: &[AtomicU32]) {
    #[shared]
    let mut tile: [f32; 64];
    #[shared]
    let counts: [AtomicU32; 8];
    #[shared]
    let mut square: [[u32; 8]; 8];
    let t = thread_idx().x;
    tile[t] = x[t];
    square[t][t % 8] = 1;
    if t < counts.len() {
        counts[t].store(0, Relaxed);
    }
    sync_threads();
    counts[tile[63 - t] as usize % 8].fetch_add(square[t][t % 8], Relaxed);
    sync_threads();
    let count = counts[t].load(Ordering::Acquire);
    bins[t].fetch_max(count, Ordering::AcqRel);
}

/// Atomics, as statements and as values.
#[kernel]
pub fn atomics(#[constant] table: &[u32], hist: &[AtomicU32], flags: &[AtomicBool], next: &[AtomicUsize]) {
    let i = next[0].fetch_add(1, Relaxed);
    hist[i].swap(table[i], Relaxed);
    while flags[0].compare_exchange(false, true, Ordering::Acquire, Relaxed).is_err() {}
    let exchanged = hist[0].compare_exchange_weak(1, 2, Relaxed, Relaxed);
    if exchanged.is_ok() {
        hist[1].fetch_xor(3, Ordering::SeqCst);
    }
    match hist[0].compare_exchange(3, 4, Relaxed, Relaxed) {
        Ok(old) => hist[2].store(old, Relaxed),
        Err(_) => {}
    }
    flags[0].store(false, Ordering::Release);
}

/// Operations of threads together.
#[kernel]
pub fn together(n: u32, x: &mut [u32], masks: &mut [u64]) {
    let i = global_id();
    let mask = ballot(n > 3);
    masks[i] = mask | active_mask();
    x[i] = shuffle_xor(x[i], 1) + shuffle_up_mask(mask, x[i], n);
    if any(n > 2) && all_mask(mask, n > 1) {
        sync_warp();
    }
    sync_warp_mask(mask);
    let count = sync_threads_count(n > 1);
    sync_barrier(1, 64);
    arrive_barrier(count, 64);
    x.store_volatile(i, x.load_cg(i));
    if sync_barrier_or(2, 32, n == 0) {
        fence_block();
        fence_device();
    }
}

/// Printed lines and assertions.
#[kernel]
pub fn speaking(n: u32, x: f32, flag: bool) {
    let i = global_id();
    println!();
    println!("{} {n} {0:>8} {x:.2} {:#010x} {flag} {ROWS}", n + 1, n * 2);
    println!("{a}{a:?}{b:e}", a = i, b = x);
    if flag {
        println!("alone in its block");
    }
    assert!(n > 3);
    assert!(n > 3 && x < 2.0, "n is {n}, x is {:?}", x);
    if flag {
        assert_eq!(n, 3);
    }
    assert_ne!(x, 2.0, "at {i}");
    debug_assert!(flag);
    debug_assert_eq!(i, 3, "{n}");
    let y = if n > 3 {
        n
    } else if n == 1 {
        panic!("bad {n}")
    } else {
        unreachable!()
    };
    if flag && y == 1 {
        unreachable!("never {y}");
    }
    if y == 2 {
        panic!();
    }
}

/// A part of another.
#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
pub struct Weight {
    /// Public.
    pub kilos: f32,
    grams: [u16; 2],
}

/// A struct.
#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
pub struct Body {
    place: [f32; 3],
    pub(crate) weight: Weight,
    number: usize,
}

#[derive(Clone, Copy, KernelData)]
struct Private {
    x: u8,
}

/// Structs.
#[kernel]
pub fn structs(others: &[Body], bodies: &mut [Body]) {
    let i = global_id();
    bodies[i].number += others[i].number;
    bodies[i].place[i % 3] *= 2.0;
    let other = others[i];
    let mut body = Body { place: [1.0; 3], number: i, ..other };
    body.place[i % 3] = other.place[0];
    body.weight.grams[1] += 1;
    body.weight.kilos = if i > 3 { other.weight.kilos } else { 0.5 };
    let weight = Weight { kilos: 1.0, grams: [1, 2] };
    body.weight = weight;
    bodies[i] = body;
}

#[kernel]
fn private_struct(x: &mut [Private]) {
    x[0].x = 1;
}

/// Uses what is private.
#[must_use]
pub fn programs() -> [&'static simt::Program; 1] {
    [private_struct::program()]
}
