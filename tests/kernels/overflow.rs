//! Arithmetic that faults where it overflows: `Overflow::Fault`.

use crate::support::host;
use crate::support::machine::Machine;
use simt::error::FaultKind;
use simt::prelude::*;
use simt::{KernelCall, Overflow};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

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
fn binary<T: Int>(op: u32, a: T, b: T, out: &mut [T]) {
    out[0] = match op {
        0 => a + b,
        1 => a - b,
        2 => a * b,
        3 => a / b,
        4 => a % b,
        5 => a.div_euclid(b),
        6 => a.rem_euclid(b),
        _ => a.pow(b as u32),
    };
}

#[kernel]
fn assigned<T: Int>(op: u32, a: T, b: T, out: &mut [T]) {
    let mut local = [a; 3];
    let mut value = a;
    match op {
        0 => {
            value += b;
            local[1] += b;
        }
        1 => {
            value -= b;
            local[1] -= b;
        }
        2 => {
            value *= b;
            local[1] *= b;
        }
        3 => {
            value /= b;
            local[1] /= b;
        }
        _ => {
            value %= b;
            local[1] %= b;
        }
    }
    out[0] = if local[1] == value { value } else { T::MAX };
}

#[kernel]
fn shift<T: Int, S: Int>(left: bool, a: T, count: S, out: &mut [T]) {
    out[0] = if left { a << count } else { a >> count };
    let mut again = a;
    if left {
        again <<= count;
    } else {
        again >>= count;
    }
    assert_eq!(again, out[0]);
}

macro_rules! one_operand {
    ($($signed:ident: $ty:ty;)* / $($unsigned:ident: $of:ty;)*) => {
        $(#[kernel]
        fn $signed(op: u32, a: $ty, out: &mut [$ty]) {
            out[0] = if op == 0 { -a } else { a.abs() };
        })*
        $(#[kernel]
        fn $unsigned(op: u32, a: $of, b: $of, out: &mut [$of]) {
            out[0] = if op == 0 { a.next_power_of_two() } else { a.next_multiple_of(b) };
        })*
    };
}
one_operand! {
    signs_i8: i8; signs_i16: i16; signs_i32: i32; signs_i64: i64; /
    next_u8: u8; next_u16: u16; next_u32: u32; next_u64: u64;
}

/// A launch has the result, or there is none and it fails; with wrapping arithmetic it has that one.
#[track_caller]
fn check<T: Copy + PartialEq + std::fmt::Debug + Default>(
    what: &str,
    expected: Option<T>,
    wrapped: Option<T>,
    launch: &dyn Fn(&Gpu<Ipdom>, &mut [T; 1]) -> Result<Report, LaunchError>,
) {
    let run = |overflow| {
        let mut out = [T::default()];
        launch(&machine(overflow), &mut out).ok().map(|_| out[0])
    };
    // Either mode, and then the first one again: each has a program of its own.
    assert_eq!(run(Overflow::Fault), expected, "{what}");
    assert_eq!(run(Overflow::Wrap), wrapped, "{what}, wrapping");
    assert_eq!(run(Overflow::Fault), expected, "{what}, again");
}

macro_rules! check_operators {
    ($($ty:ident)*) => {$(
        let edges = [<$ty>::MIN, <$ty>::MIN + 1, <$ty>::MAX / 2 + 1, <$ty>::MAX, (0 as $ty).wrapping_sub(1), 0, 1, 2, 11];
        for (a, b) in edges.into_iter().flat_map(|a| edges.map(|b| (a, b))) {
            let expected = [
                (a.checked_add(b), Some(a.wrapping_add(b))),
                (a.checked_sub(b), Some(a.wrapping_sub(b))),
                (a.checked_mul(b), Some(a.wrapping_mul(b))),
                (a.checked_div(b), (b != 0).then(|| a.wrapping_div(b))),
                (a.checked_rem(b), (b != 0).then(|| a.wrapping_rem(b))),
                (a.checked_div_euclid(b), (b != 0).then(|| a.wrapping_div_euclid(b))),
                (a.checked_rem_euclid(b), (b != 0).then(|| a.wrapping_rem_euclid(b))),
                (a.checked_pow(b as u32), Some(a.wrapping_pow(b as u32))),
            ];
            for (op, (checked, wrapped)) in expected.into_iter().enumerate() {
                let what = format!("{op} {a} {b} {}", stringify!($ty));
                let grid = Grid::new(1, 1);
                check(&what, checked, wrapped, &|gpu, out| gpu.launch(grid, binary::<$ty>(op as u32, a, b, out)));
                if op < 5 {
                    check(&what, checked, wrapped, &|gpu, out| gpu.launch(grid, assigned::<$ty>(op as u32, a, b, out)));
                }
            }
        }
    )*};
}

#[test]
fn operators_fault_exactly_where_the_checked_method_has_no_result() {
    check_operators!(u8 u16 u32 u64 i8 i16 i32 i64);
}

macro_rules! check_shifts {
    ($ty:ident by $($count:ident)*) => {$(
        for count in [0, 1, 7, 8, 15, 16, 31, 32, 63, 64, 127, <$count>::MAX, <$count>::MAX / 2 + 1, <$count>::MIN] {
            for a in [<$ty>::MIN, <$ty>::MAX, 0, 5] {
                // What a debug build of Rust panics on is any count that is not below the width.
                let below = u32::try_from(count).ok().filter(|&count| count < <$ty>::BITS);
                let what = format!("{a} {} by {count} {}", stringify!($ty), stringify!($count));
                for left in [true, false] {
                    let shifted = |count: u32| if left { a.wrapping_shl(count) } else { a.wrapping_shr(count) };
                    check(&what, below.map(shifted), Some(shifted(count as u32)), &|gpu, out| {
                        gpu.launch(Grid::new(1, 1), shift::<$ty, $count>(left, a, count, out))
                    });
                }
            }
        }
        // Its low 32 bits are 0.
        for count in [1u64 << 32, 1 << 63, u64::MAX] {
            check("a long count", None, Some((7 as $ty).wrapping_shl(count as u32)), &|gpu, out| {
                gpu.launch(Grid::new(1, 1), shift::<$ty, u64>(true, 7, count, out))
            });
            check("a long signed count", None, Some((7 as $ty).wrapping_shl(count as u32)), &|gpu, out| {
                gpu.launch(Grid::new(1, 1), shift::<$ty, i64>(true, 7, count as i64, out))
            });
        }
    )*};
}

#[test]
fn shifts_fault_exactly_where_the_count_is_not_below_the_width() {
    check_shifts!(u8 by u8 i8 u32);
    check_shifts!(i16 by u8 i32);
    check_shifts!(u32 by u8 i16 u32 i64 u64);
    check_shifts!(i32 by i32 u64);
    check_shifts!(u64 by i8 u32 u64);
    check_shifts!(i64 by u16 i64);
}

macro_rules! check_one_operand {
    ($($signed:ident: $ty:ident;)* / $($unsigned:ident: $of:ident;)*) => {
        $(for a in [<$ty>::MIN, <$ty>::MIN + 1, -1, 0, 1, <$ty>::MAX] {
            let grid = Grid::new(1, 1);
            check("neg", a.checked_neg(), Some(a.wrapping_neg()), &|gpu, out| gpu.launch(grid, $signed(0, a, out)));
            check("abs", a.checked_abs(), Some(a.wrapping_abs()), &|gpu, out| gpu.launch(grid, $signed(1, a, out)));
        })*
        $(for a in [0, 1, 2, 3, 100, <$of>::MAX / 2 + 1, <$of>::MAX / 2 + 2, <$of>::MAX - 1, <$of>::MAX] {
            let (grid, next) = (Grid::new(1, 1), a.checked_next_power_of_two());
            check("power", next, Some(next.unwrap_or(0)), &|gpu, out| gpu.launch(grid, $unsigned(0, a, 1, out)));
            for b in [0, 1, 7, <$of>::MAX / 2 + 1, <$of>::MAX] {
                let wrapped = (b != 0).then(|| a.div_ceil(b).wrapping_mul(b));
                let expected = a.checked_next_multiple_of(b);
                check("multiple", expected, wrapped, &|gpu, out| gpu.launch(grid, $unsigned(1, a, b, out)));
            }
        })*
    };
}

#[test]
fn methods_fault_exactly_where_the_checked_method_has_no_result() {
    check_one_operand! {
        signs_i8: i8; signs_i16: i16; signs_i32: i32; signs_i64: i64; /
        next_u8: u8; next_u16: u16; next_u32: u32; next_u64: u64;
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

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Money {
    whole: u8,
    cents: u8,
}

#[device]
impl std::ops::Add for Money {
    type Output = Money;

    fn add(self, other: Money) -> Money {
        let cents = self.cents + other.cents;
        Money { whole: self.whole + other.whole + cents / 100, cents: cents % 100 }
    }
}

#[device]
impl Money {
    fn times(self, factor: u8) -> Money {
        Money { whole: self.whole * factor, ..self }
    }

    fn factorial(n: u32) -> u32 {
        if n < 2 { 1 } else { n * Self::factorial(n - 1) }
    }
}

/// A kernel, and the same on the host, which panics where the kernel faults, for some of these inputs.
macro_rules! alike_or_panic {
    ($(fn $name:ident($($params:tt)*) $body:block)*) => {
        mod kernels {
            use super::*;
            $(#[kernel] pub(super) fn $name($($params)*) $body)*
        }
        mod plain {
            #![allow(clippy::all, clippy::pedantic, reason = "the text is written for the device")]
            use super::*;
            use crate::support::host::*;
            $(pub(super) fn $name($($params)*) $body)*
        }
        $(#[test]
        fn $name() {
            let mut panics = 0;
            for seed in 0..6u32 {
                // From small numbers to large ones.
                let x: Vec<u32> = (0..9).map(|i| (i * 77 + seed * 13) % 40 << (seed * 5)).collect();
                let grid = Grid::new(1, 9);
                let mut expected = vec![5; 9];
                let host = catch_unwind(AssertUnwindSafe(|| host::run(grid, || plain::$name(&x, &mut expected))));
                panics += u32::from(host.is_err());
                faulting(&mut |gpu| {
                    let mut out = vec![5; 9];
                    let found = overflow_of(gpu, grid, kernels::$name(&x, &mut out));
                    assert_eq!(found.is_some(), host.is_err(), "{x:?} {found:?}");
                    if host.is_ok() {
                        assert_eq!(out, expected, "{x:?}");
                    } else {
                        assert_eq!(out, [5; 9], "a launch that fails leaves the slices as they were");
                    }
                });
            }
            assert!((1..6).contains(&panics), "{panics} of 6");
        })*
    };
}

alike_or_panic! {
    fn sums(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        for k in 0..x.len() {
            sum += x[k] * 3;
        }
        out[i] = sum - x[i];
    }

    fn recursion(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = Money::factorial(x[i] % 1000 / 50) + x[i] * 2;
    }

    fn users_types(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let price = Money { whole: (x[i] % 251) as u8, cents: 70 };
        let sum = price + Money { whole: 3, cents: 50 };
        let more = sum.times(2);
        out[i] = more.whole as u32 * 100 + more.cents as u32;
    }

    fn lazily(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let small = x[i] < 1 << 24;
        let safe = small && x[i] * 100 > 500 || !small && x[i] - 1000 < 7;
        let either = if small { x[i] * 200 } else { x[i] / 2 };
        out[i] = if safe && either < 8_000_000 { either } else { either + 2_200_000_000 };
    }

    fn closures(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let twice = |a: u32| a * 2;
        out[i] = twice(twice(x[i])) + twice(1);
        out[i] += Some(x[i]).map(|a| a + 4_000_000_000).unwrap_or(0) / 1000;
    }

    fn dropped(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        // The value is not used, and is computed all the same.
        let _ = x[i] * 1000;
        let (_, kept) = (x[i] + 1, 3);
        out[i] = kept;
    }

    fn common(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let a = x[i] * 300;
        out[i] = a;
        // The product is at hand; the sum is not.
        if a > 9 {
            out[i] = x[i] * 300 + a;
        }
    }
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
    let generic = |overflow| binary::program_with::<u8>(overflow).to_string();
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
