//! Ranges as values: the text is compiled as plain Rust, too.

use simt::prelude::Int;
use std::ops::{Range, RangeInclusive};

items_with_kernels! {
    {
        fn row(i: usize, of: usize) -> Range<usize> {
            let start = i * 3 % of;
            start..(start + i % 4).min(of)
        }

        fn sum(x: &[u32], r: Range<usize>) -> u32 {
            let mut sum = 0;
            for i in r {
                sum += x[i];
            }
            sum
        }

        fn both(a: Range<u32>, b: &Range<u32>) -> (Range<u32>, u32) {
            (a.start..b.end, a.end)
        }

        fn count<T: Int + PartialOrd>(r: RangeInclusive<T>, v: T) -> bool {
            r.contains(&v)
        }

        fn grown(r: &mut Range<u32>) {
            r.end += 2;
            r.start = r.start.min(1);
        }
    }

    fn values(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let r = row(i, x.len());
        let mut sum = sum(x, r.clone()) + r.len() as u32 + r.start as u32;
        for k in r.clone() {
            sum += k as u32;
        }
        for k in row(i + 1, x.len()) {
            if k % 5 == 4 { break; }
            sum ^= x[k];
        }
        let near = 2..x[i];
        if near.contains(&5) {
            sum += 100;
        }
        if near.is_empty() {
            sum += 1000;
        }
        for v in near.clone().rev() {
            sum = sum.wrapping_mul(3) + v;
        }
        for (n, v) in near.clone().enumerate() {
            sum += n as u32 * v;
        }
        for v in near.clone().step_by(4) {
            sum += v;
        }
        sum = sum.wrapping_add(near.clone().map(|v| v * v).sum::<u32>());
        let signed = -100i8..100;
        for v in signed.clone() {
            if v as u32 % 7 == x[i] % 7 {
                sum = sum.wrapping_add(v as u32);
            }
        }
        let inclusive = 1..=x[i];
        for v in inclusive.clone() {
            sum += v % 3;
        }
        sum += inclusive.contains(&x[i]) as u32 + inclusive.is_empty() as u32;
        let wide: Range<u64> = (1 << 40)..(1 << 40) + x[i] as u64;
        let mut last = 0;
        for v in wide {
            last = v;
        }
        let (joined, end) = both(near.clone(), &(3..x[i] + 3));
        let mut changed = joined.clone();
        grown(&mut changed);
        let same = changed == joined;
        out[i] = sum.wrapping_add(joined.len() as u32 + end + changed.end + same as u32 + count(-3..=3, x[i] as i32 % 9 - 4) as u32)
            ^ (last >> 35) as u32;
    }

    fn no_range(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        // Values have `clone`, too.
        let v = x[i].clone() + i.clone() as u32;
        let pair = (v, 2u32);
        let copy = pair.clone();
        out[i] = copy.0 + copy.1;
    }
}

same! { values no_range }
