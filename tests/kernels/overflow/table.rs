//! Each operation on edge values of each type: it faults exactly where the `checked` method of the host has no result.

use super::machine;
use simt::Overflow;
use simt::prelude::*;

#[kernel]
pub(super) fn binary<T: Int>(op: u32, a: T, b: T, out: &mut [T]) {
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

type Launch<'l, T> = dyn Fn(&Gpu<Ipdom>, &mut [T; 1]) -> Result<Report, LaunchError> + 'l;

/// A launch has the result, or there is none and it fails; with wrapping arithmetic it has that one.
#[track_caller]
fn check<T: Copy + PartialEq + std::fmt::Debug + Default>(
    what: &str,
    expected: Option<T>,
    wrapped: Option<T>,
    launch: &Launch<'_, T>,
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
