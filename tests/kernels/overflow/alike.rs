//! Kernels that fault exactly where the same on the host panics.

use super::{faulting, overflow_of};
use crate::support::host;
use simt::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

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

    fn raise(&mut self, by: u8) {
        self.whole += by;
        self.cents -= 1 - by / 255;
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

    fn through_references(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut all = [x[i], 1, 2];
        for value in all.iter_mut() {
            *value += x[i] * 4;
        }
        let mut price = Money { whole: 200, cents: (x[i] % 128) as u8 + 1 };
        price.raise((x[i] % 64) as u8);
        out[i] = all[0] + all[1] + price.whole as u32;
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
