//! Iterators with closures, and what they end in: the text is compiled as plain Rust, too.

kernels_with_devices! {
    devices:

    fn double(x: &u32) -> u32 {
        *x * 2
    }

    fn is_small(x: u32) -> bool {
        x < 9
    }

    fn mean(x: &[u32]) -> f32 {
        x.iter().map(|v| *v as f32).sum::<f32>() / x.len() as f32
    }

    fn half(x: u32) -> Option<u32> {
        if x % 2 == 0 { Some(x / 2) } else { None }
    }

    kernels:

    fn perhaps(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let part = &x[i % 5..][..i % 9];
        let nearest = part.iter().copied().min_by_key(|v| v.abs_diff(10)).unwrap_or(3);
        let farthest = part.iter().enumerate().max_by_key(|(_, v)| v.abs_diff(10)).map_or(77, |(k, _)| k);
        let cheapest = (0..x.len()).filter(|&k| x[k] > i as u32).min_by_key(|&k| (x[k] * 7 + k as u32) % 13);
        let halved = part.iter().find_map(|&v| half(v)).unwrap_or(1);
        let end = part.iter().copied().last().unwrap_or(9);
        let third = part.iter().copied().filter(|v| *v > 3).nth(2).unwrap_or(4);
        let product = (1..=i as u32 % 6).reduce(|a, b| a * b).unwrap_or(0);
        let longest = part.iter().map(|v| v * 3 % 11).reduce(u32::max);
        let heights = [0.5, x[i] as f32, 7.25, 3.0, x[i] as f32 * 0.5];
        let highest = heights.iter().copied().max_by(|a, b| a.total_cmp(b)).unwrap_or(0.0);
        let lowest = heights[..i % 5].iter().enumerate().min_by(|(_, a), (_, b)| a.partial_cmp(b).unwrap());
        let low = lowest.map_or(9, |(k, _)| k);
        let pairs = (0..5).map(|k| (k, heights[k] * 0.5)).max_by(|a, b| a.1.total_cmp(&b.1));
        let low = low + pairs.map_or(3, |pair| pair.0);
        let by_rest = (0..x.len()).filter(|k| k % 3 == i % 3).min_by(|&a, &b| (x[a] % 10).cmp(&(x[b] % 10)));
        let last = part.iter().max_by(|a, b| (*a % 4).cmp(&(*b % 4))).copied().unwrap_or(2);
        let sorted = highest as u32 * 23 + low as u32 * 29 + by_rest.unwrap_or(1) as u32 * 31 + last * 37;
        out[i] = sorted + nearest + farthest as u32 * 3 + cheapest.unwrap_or(50) as u32 * 5 + halved * 7 + end * 11 + third * 13
            + product * 17 + longest.unwrap_or(8) * 19;
    }

    fn behind(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let part = &x[i % 5..][..i % 9];
        let mut calls = 0;
        let before: u32 = part.iter().take_while(|v| **v != 7).sum();
        let halves: u32 = part.iter().filter_map(|v| half(*v)).sum();
        let whole: u32 = part.iter().map_while(|&v| half(v * i as u32)).map(|v| v + 1).sum();
        let numbered: usize = part.iter().filter(|v| *v % 3 == 0).copied().enumerate().map(|(k, v)| k * v as usize).sum();
        let some: u32 = (0..).map(|k| { calls += 1; x[k] }).take(i % 4).sum();
        let rest: u32 = part.iter().filter(|&&v| v > 2).skip(2).sum();
        let middle: u32 = part.iter().map(|v| v + 1).skip(1).take(2).sum();
        for (k, v) in part.iter().filter(|v| **v > 4).enumerate() {
            if v % 5 == 0 {
                continue;
            }
            calls += v * k as u32;
        }
        for v in part.iter().map(|v| v * 2).take(3) {
            if v % 3 == 0 {
                continue;
            }
            calls += v;
        }
        out[i] = before + halves * 3 + whole * 5 + numbered as u32 * 7 + some * 11 + rest * 13 + middle * 17 + calls * 19;
    }

    fn numbered(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let part = &x[i % 5..][..i % 9];
        let mut sum = 0;
        for (v, k) in part.iter().zip(1..) {
            sum += *v * k;
        }
        for (k, n) in (3..i as i64).enumerate() {
            sum += (n * 3) as u32 + k as u32;
        }
        for (n, &v) in (0..=4_u8).rev().zip(part) {
            sum += n as u32 * v;
        }
        for (a, b) in (i as i32 - 3..=2).zip((-100..100_i8).step_by(2)).skip(1) {
            sum = sum.wrapping_add((a * b as i32) as u32) % 1000;
        }
        for n in 2.. {
            if n * n > sum % 100 {
                sum += n;
                break;
            }
        }
        let weighed: u32 = part.iter().zip(2..).map(|(v, w)| v * w).sum();
        let first = (1..).find(|n| n * 7 % 13 == i as u32 % 13).unwrap_or(0);
        out[i] = sum + weighed * 3 + first * 5;
    }

    fn ends(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = 1 + i % 9;
        let part = &x[i % 5..][..n];
        let sum: u32 = part.iter().sum();
        let product = part.iter().map(|v| *v % 5 + 1).product::<u32>();
        let count = part.iter().filter(|v| **v > 7).count();
        let most = part.iter().copied().max().unwrap_or(0);
        let least = match part[1..].iter().copied().min() {
            Some(v) => v,
            None => 77,
        };
        let has = part.iter().any(|&v| v == 7) as u32;
        let all = part.iter().all(|v| *v > 1) as u32;
        let at = part.iter().position(|&v| v > 10).unwrap_or(99) as u32;
        let first = x.iter().copied().find(|v| *v > i as u32 % 40).unwrap_or(5);
        let fold = part.iter().fold(7, |a, v| (a * 31 + v) % 10007);
        let widest = part.iter().map(double).fold(0, u32::max);
        out[i] = sum + product % 1000 + count as u32 * 3 + most * 5 + least * 7 + has * 11 + all * 13
            + at * 17 + first * 19 + fold + widest * 23;
    }

    fn ranges(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = i % 12;
        let squares: usize = (0..n).map(|k| k * k).sum();
        let prime = n > 1 && (2..n).all(|d| n % d != 0);
        let divisor = (2..=n as u32).rev().find(|d| n as u32 % d == 0);
        let dot: f32 = (0..n).map(|k| x[k] as f32 * 0.5).filter(|v| *v > 2.0).sum();
        let steps = (0..40).step_by(1 + n).count();
        let pairs: u32 = (0..n).map(|a| (a..n).filter(|b| (a + b) % 3 == 0).count() as u32).sum();
        let empty: f32 = (0..0).map(|k| k as f32).sum();
        let best = (0..n).map(|k| x[k]).filter(|v| is_small(*v)).max().map_or(3, |v| v + 1);
        out[i] = squares as u32 + prime as u32 * 1000 + divisor.unwrap_or(9) * 3 + dot as u32 + steps as u32
            + pairs * 7 + best * 11 + (empty.to_bits() >> 31);
    }

    fn chained(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let v = 3;
        let mut seen = 0;
        let sum: u32 = x
            .iter()
            .enumerate()
            .filter(|&(k, _)| k % 2 == 0)
            .map(|(k, v)| *v + k as u32)
            .map(|w| w * v)
            .sum();
        let dot: u32 = x.iter().zip(x.iter().rev()).take(10).map(|(a, b)| a * b).sum();
        let rising = x.windows(2).filter(|w| w[0] < w[1]).count();
        let largest = x.chunks(7).map(|c| c.iter().sum::<u32>()).max().unwrap_or(0);
        x[..i % 6].iter().for_each(|v| seen += v);
        let mut a = [1; 6];
        a.iter_mut().enumerate().for_each(|(k, v)| *v += x[k] * k as u32);
        a.iter_mut().filter(|v| **v > 20).for_each(|v| *v = 20);
        for v in a.iter_mut() {
            *v = v.wrapping_mul(3).rotate_left(v.count_ones());
            *v = (*v).min(*v % 1000 + 7);
        }
        let mean = (mean(&a) * 100.0) as u32;
        let (lo, hi) = a.iter().fold((1000, 0), |(lo, hi), &v| (v.min(lo), v.max(hi)));
        for w in a.iter().map(|v| *v * 3).filter(|v| *v % 2 == 1) {
            if w > 50 {
                continue;
            }
            seen = seen * 2 + w;
        }
        for k in (0..9).filter(|k| k % 3 == i % 3) {
            if k == 7 {
                break;
            }
            seen += k as u32;
        }
        let nested = (0..3).any(|y| (0..3).any(|z| y * 3 + z == i)) as u32;
        out[i] = sum + dot + rising as u32 * 3 + largest * 5 + seen % 1009 * 7 + mean + lo * 11 + hi * 13 + nested;
    }
}

same! { ends numbered perhaps behind ranges chained }
