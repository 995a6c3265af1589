//! Arithmetic that faults where it overflows: `Overflow::Fault`.

use crate::support::machine::Machine;
use simt::error::FaultKind;
use simt::prelude::*;
use simt::{KernelCall, Overflow};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

mod alike;
mod table;

/// Calls a function with a machine of each policy that faults.
fn faulting(test: &mut dyn FnMut(&dyn Machine)) {
    simt::for_each_policy!(P => for width in [4, 32] {
        test(&Gpu::<P>::default().with_warp_width(width).with_overflow(Overflow::Fault));
    });
}

fn machine(overflow: Overflow) -> Gpu<Ipdom> {
    Gpu::default().with_overflow(overflow)
}

/// The global number of the thread that overflowed, and the line's text; none if the launch did not fail.
#[track_caller]
fn overflow_of(gpu: &dyn Machine, grid: Grid, call: KernelCall<'_>) -> Option<(usize, String)> {
    match gpu.launch(grid, call) {
        Ok(_) => None,
        Err(LaunchError::Fault(fault)) => match &fault.kind {
            FaultKind::Overflow { operation, .. } => Some((fault.thread.global_id, operation.clone())),
            other => panic!("{other:?}"),
        },
        Err(other) => panic!("{other}"),
    }
}

#[kernel]
fn sizes(x: &[usize], out: &mut [usize], signed: &mut [isize]) {
    let i = global_id();
    out[i] = x[i] + 1;
    signed[i] = -(x[i] as isize);
}

#[test]
fn a_usize_has_32_bits() {
    faulting(&mut |gpu| {
        let (mut out, mut signed) = ([0; 3], [0; 3]);
        gpu.launch(Grid::new(1, 3), sizes(&[0, 5, 7], &mut out, &mut signed)).unwrap();
        assert_eq!((out, signed), ([1, 6, 8], [0, -5, -7]));
        let x = [0, u32::MAX as usize, 1 << 31];
        let found = overflow_of(gpu, Grid::new(1, 3), sizes(&x, &mut out, &mut signed));
        assert_eq!(found, Some((1, "4294967295 + 1".to_string())));
        let x = [0, 1, 1 << 31];
        let found = overflow_of(gpu, Grid::new(1, 3), sizes(&x, &mut out, &mut signed));
        assert_eq!(found, Some((2, "-(-2147483648)".to_string())));
    });
}

#[kernel]
fn effects_first(x: &[u32], out: &[AtomicU32]) {
    let i = global_id();
    out[0].fetch_add(1, Relaxed);
    let sum = x[i] + 1;
    out[1].fetch_add(sum, Relaxed);
    println!("{sum}");
}

#[test]
fn a_fault_comes_behind_what_stands_before_it() {
    // A print before the fault is there, and none behind it.
    #[kernel]
    fn prints(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        println!("before");
        let sum = x[i] + 1;
        println!("behind");
        out[i] = sum;
    }
    faulting(&mut |gpu| {
        let error = gpu.launch(Grid::new(1, 1), prints(&[u32::MAX], &mut [0])).unwrap_err();
        let LaunchError::Fault(fault) = error else { panic!("{error}") };
        assert_eq!(fault.prints, ["before"]);
        let out = [AtomicU32::new(0), AtomicU32::new(0)];
        let found = overflow_of(gpu, Grid::new(1, 2), effects_first(&[4, u32::MAX], &out));
        assert_eq!(found, Some((1, "4294967295 + 1".to_string())));
    });
}

#[kernel]
fn first_of_two(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    out[i] = (x[i] + 2) * 2 - 100 / (x[i] - x[i]);
}

#[test]
fn operands_fault_from_left_to_right() {
    faulting(&mut |gpu| {
        let found = overflow_of(gpu, Grid::new(1, 2), first_of_two(&[u32::MAX, u32::MAX], &mut [0; 2]));
        assert_eq!(found, Some((0, "4294967295 + 2".to_string())));
        let found = overflow_of(gpu, Grid::new(1, 1), first_of_two(&[1 << 31], &mut [0; 2]));
        assert_eq!(found, Some((0, "2147483650 * 2".to_string())));
        let error = gpu.launch(Grid::new(1, 1), first_of_two(&[1], &mut [0; 2])).unwrap_err();
        assert!(error.to_string().starts_with("error[simt::division-by-zero]"), "{error}");
    });
}

#[kernel]
fn counters(from: u32, step: usize, out: &mut [u32]) {
    let mut n = 0;
    for i in from..=u32::MAX {
        n += i & 1;
    }
    for i in (from..=u32::MAX).rev() {
        n += i & 1;
    }
    for i in (from..u32::MAX).step_by(step) {
        n += i & 1;
    }
    for i in (250u8..=255).step_by(3).rev() {
        n += i as u32;
    }
    for i in -128i8..=127 {
        n += (i == -128) as u32;
    }
    out[0] = n;
}

#[test]
fn the_counter_of_a_loop_does_not_overflow() {
    let mut expected = [0];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), counters(u32::MAX - 5, 4, &mut expected)).unwrap();
    faulting(&mut |gpu| {
        let mut out = [0];
        gpu.launch(Grid::new(1, 1), counters(u32::MAX - 5, 4, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
    let host: u32 = (u32::MAX - 5..=u32::MAX).map(|i| i & 1).sum();
    let steps: u32 = (u32::MAX - 5..u32::MAX).step_by(4).map(|i| i & 1).sum();
    assert_eq!(expected, [2 * host + steps + 250 + 253 + 1]);
}

#[kernel]
fn never(a: u32, b: i32, f: f32, out: &mut [u32], count: &[AtomicU32]) {
    let (sum, over) = a.overflowing_add(a);
    out[0] = sum.wrapping_add(over as u32).wrapping_mul(7).wrapping_sub(a).wrapping_pow(3);
    out[1] = a.saturating_add(a) ^ a.saturating_mul(a) ^ a.saturating_pow(9);
    out[2] = b.wrapping_neg() as u32 ^ b.wrapping_abs() as u32 ^ b.wrapping_div(-1) as u32 ^ b.wrapping_rem(-1) as u32;
    out[3] =
        a.wrapping_shl(40) ^ a.wrapping_shr(33) ^ b.wrapping_div_euclid(-1) as u32 ^ b.wrapping_rem_euclid(-1) as u32;
    out[4] = a.checked_add(a).unwrap_or(1) ^ a.checked_mul(a).unwrap_or(2) ^ a.checked_shl(32).unwrap_or(4);
    out[5] = b.checked_neg().is_none() as u32 + b.checked_div(-1).is_none() as u32 + b.checked_rem(-1).is_none() as u32;
    out[6] = (f * 1e30 * f - f / 0.0) as u32 ^ (a as u8) as u32 ^ b as u8 as u32 ^ (a as i32 as i8) as u32;
    out[7] = b.unsigned_abs() ^ b.abs_diff(i32::MAX) ^ a.rotate_left(40);
    count[0].fetch_add(a, Relaxed);
    count[0].fetch_sub(7, Relaxed);
}

#[test]
fn what_says_what_it_does_never_faults() {
    let run = |gpu: &dyn Machine| {
        let (mut out, count) = ([0; 8], [AtomicU32::new(5)]);
        gpu.launch(Grid::new(1, 1), never(u32::MAX - 1, i32::MIN, 1e9, &mut out, &count)).unwrap();
        (out, count[0].load(Relaxed))
    };
    let expected = run(&machine(Overflow::Wrap));
    faulting(&mut |gpu| assert_eq!(run(gpu), expected));
}

#[kernel]
fn constants(reached: bool, out: &mut [u32]) {
    const TOP: u32 = u32::MAX;
    let i = global_id();
    out[i] = 1;
    if reached {
        println!("here");
        let one = TOP;
        out[i] = one + 2;
        out[i] = 1 << 40u64;
    }
}

#[test]
fn constants_that_overflow_fault_where_they_stand_if_they_are_reached() {
    faulting(&mut |gpu| {
        let mut out = [0; 2];
        gpu.launch(Grid::new(1, 2), constants(false, &mut out)).unwrap();
        assert_eq!(out, [1, 1]);
        let found = overflow_of(gpu, Grid::new(1, 2), constants(true, &mut out));
        assert_eq!(found, Some((0, "4294967295 + 2".to_string())));
    });
    let mut out = [0; 2];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 2), constants(true, &mut out)).unwrap();
    assert_eq!(out, [256, 256]);
}

#[test]
fn a_kernel_has_a_program_for_each_mode() {
    let (wrapping, faulting) = (sizes::program().to_string(), sizes::program_with(Overflow::Fault).to_string());
    assert!(wrapping.contains("x[i] + 1") && !wrapping.contains("strict"), "{wrapping}");
    assert!(faulting.contains("x[i].strict_add(1)"), "{faulting}");
    assert!(std::ptr::eq(sizes::program(), sizes::program_with(Overflow::Wrap)));
    assert!(std::ptr::eq(sizes::program_with(Overflow::Fault), sizes::program_with(Overflow::Fault)));
    let generic = |overflow| table::binary::program_with::<u8>(overflow).to_string();
    assert!(generic(Overflow::Fault).contains("a.strict_add(b)") && generic(Overflow::Wrap).contains("a + b"));
    // A program of one's own says itself what its operations do.
    let kernel = simt::host::Kernel::from_program(sizes::program().clone());
    assert!(std::ptr::eq(&kernel, kernel.with_overflow(Overflow::Fault)));
}

#[kernel]
fn floats<T: Num>(x: &[T], out: &mut [T]) {
    let i = global_id();
    out[i] = x[i] * x[i] + x[i];
}

#[test]
fn floats_have_one_program() {
    assert_eq!(floats::program::<f32>().to_string(), floats::program_with::<f32>(Overflow::Fault).to_string());
    let of_integers =
        [Overflow::Wrap, Overflow::Fault].map(|overflow| floats::program_with::<i8>(overflow).to_string());
    assert_ne!(of_integers[0], of_integers[1]);
}

#[test]
fn warps_and_blocks_reduce() {
    #[kernel]
    fn reduce(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = simt::warp::sum(x[i]);
    }
    faulting(&mut |gpu| {
        let mut out = [0; 7];
        gpu.launch(Grid::new(1, 4), reduce(&[1, 2, 3, 4], &mut out)).unwrap();
        assert_eq!(out[..4], [10; 4]);
        assert!(overflow_of(gpu, Grid::new(1, 2), reduce(&[1 << 31, 1 << 31], &mut out)).is_some());
    });
}
