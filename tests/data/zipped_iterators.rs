//! Iterators of users' by value, where something takes whatever can be gone over: `.zip(..)` on either side and the like. The
//! text is compiled as plain Rust, too.

use crate::support::host;
use simt::KernelData;
use simt::prelude::*;

/// Counts down to 1.
#[derive(Clone, Copy, KernelData)]
struct Count(u32);

#[device]
impl Iterator for Count {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        self.0 -= 1;
        Some(self.0 + 1)
    }
}

items_with_kernels! {
    {
        fn count(n: u32) -> Count {
            Count(n)
        }

        fn weighed(x: &[u32], weights: impl Iterator<Item = u32>) -> u32 {
            let mut sum = 0;
            for (v, w) in x.iter().zip(weights) {
                sum = sum * 3 % 1009 + v * w;
            }
            sum
        }

        fn of_all<I: IntoIterator<Item = u32>>(all: I) -> u32 {
            let mut sum = 1;
            for v in all {
                sum = sum * 3 % 1009 + v;
            }
            sum
        }
    }

    fn behind(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = i as u32 % 7;
        let mut own = [0u32; 5];
        for (slot, c) in own.iter_mut().zip(Count(n)) {
            *slot += c * 10;
        }
        for (k, (slot, c)) in own.iter_mut().zip(Count(3)).enumerate() {
            *slot += c + k as u32;
        }
        let mut sum = own.iter().fold(0, |s, v| s * 7 % 1009 + v);
        for (a, b) in (0..2u32).zip(Count(3)) {
            sum = sum * 3 % 1009 + a * 5 + b;
        }
        for (a, b) in x.iter().zip(count(n)).skip(1).take(3) {
            sum = sum * 3 % 1009 + a * b;
        }
        let c = Count(n + 1);
        for (a, b) in x[i..].iter().zip(c) {
            sum = sum * 3 % 1009 + a * b;
        }
        for ((a, b), c) in x.iter().zip(Count(9)).zip(Count(n)) {
            sum = sum * 3 % 1009 + a * b * c;
        }
        for (a, b) in (1..).step_by(2).zip(Count(4)).step_by(3) {
            sum = sum * 3 % 1009 + a * b;
        }
        let mut named = x.iter().zip(Count(n));
        sum += named.next().map_or(5, |(a, b)| a * b) * 3 + named.count() as u32;
        sum += x.iter().zip(Count(n)).map(|(a, b)| a * b).sum::<u32>();
        sum += x.iter().zip(Count(n)).filter(|p| p.1.is_power_of_two()).count() as u32;
        sum += std::iter::zip(x, Count(n)).map(|(a, b)| a ^ b).sum::<u32>();
        sum += x.chunks(3).zip(Count(n)).map(|(c, by)| c.iter().sum::<u32>() * by).sum::<u32>();
        out[i] = sum;
    }

    fn before(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = i as u32 % 7;
        let mut sum = n;
        for (a, b) in Count(4).zip(x.iter()) {
            sum = sum * 3 % 1009 + a * b;
        }
        for (a, &b) in Count(n).zip(&x[2..]).skip(1) {
            sum = sum * 3 % 1009 + a * b;
        }
        for (k, (a, b)) in count(n).zip(5..9u32).enumerate() {
            sum = sum * 3 % 1009 + a * b + k as u32;
        }
        for (a, b) in Count(n).zip(Count(3)) {
            sum = sum * 3 % 1009 + a * b;
        }
        let c = Count(n + 1);
        for (a, b) in c.zip(x.iter().rev()) {
            sum = sum * 3 % 1009 + a * b;
        }
        let named = c.zip(x.iter());
        sum += named.map(|(a, b)| a * b).sum::<u32>();
        sum += Count(n).zip(x.iter().map(|v| v + 1)).map(|(a, b)| a * b).sum::<u32>();
        sum += std::iter::zip(Count(n), Count(4)).map(|(a, b)| a ^ b).sum::<u32>();
        sum += c.zip(c).filter(|p| p.0.pow(2) > p.1 + 3).count() as u32;
        out[i] = sum;
    }

    fn given(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = i as u32 % 7;
        let mut sum = x[..4].iter().copied().chain(Count(n)).fold(0, |s, v| s * 3 % 1009 + v);
        sum += x[..n as usize].iter().copied().eq(Count(n)) as u32;
        sum += 2 * (0..n).map(|v| n - v).ne(Count(3)) as u32;
        sum += (x.iter().copied().cmp(Count(n)) as i32 + 1) as u32;
        sum += x.iter().take(3).flat_map(|v| Count(v % 4)).fold(0, |s, v| s * 3 % 1009 + v);
        sum += weighed(x, Count(n)) + of_all(Count(n)) + of_all(Count(n).zip(Count(5)).map(|(a, b)| a * b));
        sum += Count(n).chain(Count(2)).zip(Count(9)).map(|(a, b)| a * b).sum::<u32>();
        out[i] = sum;
    }
}

#[test]
fn own_iterators_are_zipped_by_value() {
    let x: Vec<u32> = (0..40).map(|i| i * 11 % 37).collect();
    macro_rules! compared {
        ($($name:ident)*) => {$(
            let grid = Grid::new(3, 11);
            let mut expected = vec![0; 33];
            host::run(grid, || plain::$name(&x, &mut expected));
            everywhere!(|gpu| {
                let mut out = vec![0; 33];
                gpu.launch(grid, kernel::$name(&x, &mut out)).unwrap();
                assert_eq!(out, expected, stringify!($name));
            });
            assert!(expected.iter().any(|&value| value != expected[0]), stringify!($name));
        )*};
    }
    compared! { behind before given }
}
