//! Parameters of kernels that are references to one value: memory of one element, which the host passes as `&v` or `&mut v`.

use crate::support::host;
use simt::prelude::*;

mod launches;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Stats {
    sum: u32,
    range: (u32, u32),
    bins: [u32; 4],
    best: Option<usize>,
}

#[device]
impl Stats {
    fn add(&mut self, v: u32) {
        self.sum += v;
        self.bins[v as usize % 4] += 1;
    }

    fn mean(&self, n: u32) -> u32 {
        self.sum / n
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Shape {
    Circle(f32),
    Rect { w: f32, h: f32 },
    Nothing,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Pair<T> {
    a: T,
    b: T,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Counter {
    n: u32,
}

#[device]
impl Counter {
    fn up(&mut self, by: &u32) -> u32 {
        self.n += *by;
        self.n
    }
}

items_with_kernels! {
    {
        fn bump(t: &mut u32, by: &u32) -> u32 {
            *t += *by;
            *t * 2
        }
        fn note(s: &mut Stats, v: u32) {
            s.add(v);
            s.range.0 = s.range.0.min(v);
            s.range.1 = s.range.1.max(v);
            bump(&mut s.sum, &1);
        }
        fn spread(range: &(u32, u32)) -> u32 {
            range.1 - range.0
        }
        fn refill(o: &mut Option<u32>) -> u32 {
            match o.take() {
                Some(v) => {
                    *o = Some(v + 1);
                    v
                }
                None => 0,
            }
        }
    }

    fn numbers(x: &[u32], n: &mut u32, by: &u32, flag: &mut bool, half: &mut f64, size: &mut usize) {
        let i = global_id();
        if i != 20 {
            return;
        }
        *n += 1;
        *n = *n * 2 + *by;
        for v in x {
            *n = n.wrapping_add(*v);
        }
        if *n > 5 && !*flag {
            *flag = true;
        }
        let doubled = bump(n, by);
        let again = bump(&mut *n, &doubled);
        *n ^= again & 7;
        let r = &mut *n;
        *r += 100;
        *half += *n as f64 / 2.0;
        *half = half.sqrt();
        *size = x.len() + *size;
        *size -= 1;
        let by = *by + 1;
        *n += by;
        let mut other = i;
        std::mem::swap(size, &mut other);
        *size += other;
        let before = std::mem::replace(n, 3);
        *n += before + n.count_ones();
        let mut add = |v: u32| *n += v;
        add(5);
        add(x[1]);
        *n <<= 1;
        *n += x.iter().filter(|&v| *v > by).count() as u32;
        *n += x.iter().map(|v| v * by).sum::<u32>();
        while *n > 1000 {
            *n /= 3;
        }
        match *n {
            0..=100 => *n += 1000,
            k => *n = k + 2000,
        }
        if let 1..=9 = *n % 10 {
            *n += 1;
        }
    }

    fn aggregates(x: &[u32], s: &mut Stats, pair: &mut (u32, f32), range: &(u32, u32), o: &mut Option<u32>) {
        let i = global_id();
        if i != 20 {
            return;
        }
        for k in 0..x.len() {
            note(s, x[k]);
            s.add(k as u32);
        }
        s.sum += s.mean(3) + s.bins[2];
        s.bins[1] += 1;
        s.bins[x[0] as usize % 4] ^= 6;
        s.range.0 = spread(&s.range);
        s.range = (s.range.1, s.range.0 + range.0);
        bump(&mut s.bins[0], &range.1);
        bump(&mut s.range.1, &range.0);
        s.best = s.best.map(|b| b + 1).or(Some(7));
        if let Some(b) = &mut s.best {
            *b += 2;
        }
        let copy = *s;
        s.sum += copy.sum + copy.bins.iter().sum::<u32>();
        *s = Stats { sum: s.sum + 1, ..*s };
        pair.0 += 4;
        pair.1 = pair.1 * 0.5 + pair.0 as f32;
        let (a, b) = *pair;
        *pair = (a + spread(range), b + 1.0);
        std::mem::swap(&mut pair.0, &mut s.sum);
        s.sum += refill(o) + refill(&mut *o);
        if let Some(v) = o {
            *v += 10;
        }
        *o = o.map(|v| v * 2);
        if let Some(v) = o.as_mut() {
            *v += 1;
        }
        s.sum += o.unwrap_or(4) + o.is_some() as u32;
        *o = if o.is_some_and(|v| v > 1_000_000) { None } else { *o };
        s.sum += o.take().unwrap_or(3);
        o.get_or_insert(9);
        s.sum += match o { Some(v) => *v, None => 0 };
    }

    fn shapes(x: &[u32], shape: &mut Shape, other: &Shape, m: &mut Counter, pairs: &mut [Pair<u32>; 2], one: &mut Pair<[u32; 2]>) {
        if global_id() != 20 {
            return;
        }
        match shape {
            Shape::Circle(r) => *r *= 2.0,
            Shape::Rect { w, h } => std::mem::swap(w, h),
            Shape::Nothing => {}
        }
        if let Shape::Circle(r) = shape && *r > 3.0 {
            *shape = Shape::Rect { w: *r, h: 1.0 };
        }
        let area = match other {
            Shape::Circle(r) => *r * *r * 3.0,
            Shape::Rect { w, h } => *w * *h,
            Shape::Nothing => 0.0,
        };
        if *shape == *other {
            *shape = Shape::Nothing;
        } else if let Shape::Rect { w, .. } = *shape {
            *shape = Shape::Rect { w: w + area, h: area };
        }
        m.n += m.up(&2);
        m.up(&x[3]);
        pairs[1].a += m.n;
        one.a[1] += one.b[0];
        one.b = [one.a[1]; 2];
        one.b[x[2] as usize % 2] += 1;
        for v in one.a.iter_mut() {
            *v += 3;
        }
        for v in &one.b {
            m.n += *v;
        }
        one.a.swap(0, 1);
    }

    // Names that hide those of the parameters.
    fn hidden(x: &[u32], n: &mut u32, s: &Stats, limit: &u32, out: &mut [u32]) {
        let i = global_id();
        let first = s.sum + s.mean(2) + (*limit).min(4);
        if i == 20 {
            *n += 1;
        }
        let mut s = *s;
        s.sum += first;
        note(&mut s, x[i]);
        s = Stats { best: Some(1), ..s };
        {
            let mut limit = *limit;
            limit += 2;
            s.sum += bump(&mut limit, &s.range.0) + limit;
            limit = limit.max(3);
            s.add(limit);
        }
        let add = |n: u32| n + 1;
        for limit in 0..3 {
            s.sum += add(limit) + limit.pow(2);
        }
        if let Some(limit) = s.best {
            s.sum += limit as u32;
        }
        out[i] = s.sum + *limit;
        if i == 20 {
            out[i] += *n;
        }
    }

    // Every thread reads, and one writes.
    fn found(x: &[u32], wanted: &u32, at: &mut Option<usize>, params: &Stats, out: &mut [u32]) {
        let i = global_id();
        if x[i] == *wanted {
            *at = Some(i);
        }
        let p = params;
        out[i] = x[i] * p.sum + params.bins[i % 4] + params.mean(2) + spread(&params.range) + params.best.unwrap_or(1) as u32;
    }
}

fn input() -> Vec<u32> {
    (0..45).map(|i| i * 7 % 31 + i / 31 * 100).collect()
}

/// Runs a kernel everywhere, and the same text on the host, with places of the same values: what these hold at last is compared.
macro_rules! changed {
    ($($name:ident($x:ident, $($place:ident: $value:expr),*) => ($($argument:expr),*);)*) => {$(
        #[test]
        fn $name() {
            let ($x, grid) = (input(), Grid::new(3, 15));
            let expected = {
                $(let mut $place = $value;)*
                host::run(grid, || plain::$name($($argument),*));
                ($($place,)*)
            };
            everywhere!(|gpu| {
                $(let mut $place = $value;)*
                let launched = gpu.launch(grid, kernel::$name($($argument),*));
                assert!(launched.is_ok(), "{launched:?}");
                assert_eq!(($($place,)*), expected);
            });
            assert_ne!(expected, ($($value,)*), "the kernel does something");
        }
    )*};
}
changed! {
    numbers(x, n: 3_u32, flag: false, half: 10.5, size: 4_usize) => (&x, &mut n, &6, &mut flag, &mut half, &mut size);
    aggregates(x, s: Stats { bins: [1, 2, 3, 4], ..Stats::default() }, pair: (5, 0.5), o: Some(3)) =>
        (&x, &mut s, &mut pair, &(2, 9), &mut o);
    shapes(x, shape: Shape::Circle(2.5), m: Counter { n: 3 }, pairs: [Pair { a: 1, b: 2 }; 2], one: Pair { a: [1, 2], b: [3, 4] })
        => (&x, &mut shape, &Shape::Rect { w: 2.0, h: 0.5 }, &mut m, &mut pairs, &mut one);
    hidden(x, n: 5_u32, out: vec![0; 45]) => (&x, &mut n, &PARAMS, &7, &mut out);
    found(x, at: None, out: vec![0; 45]) => (&x, &21, &mut at, &PARAMS, &mut out);
}

const PARAMS: Stats = Stats { sum: 7, range: (3, 11), bins: [4, 3, 2, 1], best: Some(6) };
