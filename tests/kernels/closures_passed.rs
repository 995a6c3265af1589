//! Closures as arguments of device functions: the text is compiled as plain Rust, too.

items_with_kernels! {
    {
        fn total(n: u32, f: impl Fn(u32) -> u32) -> u32 {
            let mut sum = 0;
            for i in 0..n {
                sum += f(i);
            }
            sum
        }

        fn square(v: u32) -> u32 {
            v * v
        }

        fn folded<F>(n: u32, start: u32, f: F) -> u32
        where
            F: Fn(u32, u32) -> u32,
        {
            let mut state = start;
            let mut i = 0;
            while i < n {
                state = f(state, i);
                i += 1;
            }
            state
        }

        fn twice<F: Fn(u32) -> u32>(v: u32, f: &F) -> u32 {
            f(f(v))
        }

        // Passes it on, and one of its own around it.
        fn nested(n: u32, f: impl Fn(u32) -> u32 + Copy) -> u32 {
            let doubled = |v: u32| 2 * f(v);
            total(n, f) + total(n, |v| f(v) % 7) + twice(n, &doubled) % 1000 + folded(n, 1, |a, b| a ^ f(b))
        }

        fn each(n: u32, mut f: impl FnMut(u32)) {
            for i in 0..n {
                if i % 5 == 3 {
                    continue;
                }
                f(i);
            }
        }

        fn first(n: u32, mut holds: impl FnMut(u32) -> bool) -> Option<u32> {
            for i in 0..n {
                if holds(i) {
                    return Some(i);
                }
            }
            None
        }

        fn indirectly(n: u32, f: &mut impl FnMut(u32)) {
            each(n, |v| f(v + 1));
            f(n);
        }

        fn once(n: u32, f: impl FnOnce(u32) -> (u32, bool)) -> u32 {
            let (v, odd) = f(n);
            if odd { v } else { v + 1 }
        }

        fn down(n: u32, f: &impl Fn(u32) -> u32) -> u32 {
            if n == 0 { f(0) } else { f(n) ^ down(n - 1, f) }
        }

        fn mapped<T: Copy, U: Copy>(v: T, f: impl Fn(T) -> U) -> (T, U) {
            (v, f(v))
        }

        fn summed(x: &[u32], at: impl Fn(usize) -> usize) -> u32 {
            let mut sum = 0;
            for i in 0..x.len() {
                sum += x[at(i) % x.len()];
            }
            sum
        }

        fn named(n: u32, f: &dyn Fn(u32) -> u32) -> u32 {
            let g = |v| {
                if v > 3 {
                    return f(v);
                }
                for k in 0..v {
                    if k == 2 {
                        return 77;
                    }
                }
                5
            };
            let h = g;
            h(n) + g(n + 2)
        }

        fn filled(x: &mut [f32], f: impl Fn(usize, f32) -> f32) {
            for i in 0..x.len() {
                x[i] = f(i, x[i]);
            }
        }

        fn constant(f: impl Fn() -> u32) -> u32 {
            f() + f()
        }
    }

    fn values(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let k = x[i] % 7;
        let mut factor = 2;
        factor += k;
        let by_name = |v: u32| v + factor;
        let mut sum = total(5, |v| v * k) + total(k, square) + total(3, by_name) + total(2, &by_name);
        sum += folded(4, k, |a, b| 3 * a + b) + folded(k, 1, |_, b| b) + twice(k, &|v| v + x[v as usize]);
        sum += nested(3, |v| v + factor * k) + nested(2, square);
        sum += named(k, &move |v| v * k + 1) + named(x[i], &|v| {
            let mut times = 0;
            loop {
                times += 1;
                if times * v > 20 {
                    return times;
                }
                if times > 7 {
                    return 0;
                }
            }
        });
        sum += constant(|| k) + once(k, |v| (v * 3, v % 2 == 1)) + down(4, &|v| v * factor);
        sum += folded(4, k, u32::max) + folded(3, 1, |a: u32, b: u32| -> u32 { a.wrapping_mul(b) });
        let mut local = [0.5f32, 2.25, 9.0];
        filled(&mut local, |i, v| v.sqrt() + (i as u32 * k) as f32);
        let (_, root) = mapped(local[1] * 10.0, f32::floor);
        sum += local[0] as u32 + local[2] as u32 + root as u32;
        let row = &x[3..17];
        sum += summed(row, |v| v + k as usize) + total(3, |v| row[v as usize]);
        out[i] = sum;
    }

    fn effects(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (mut sum, mut calls) = (x[i], 0u32);
        let mut seen = [0; 4];
        each(9, |v| {
            sum += v;
            calls += 1;
            seen[v as usize % 4] += sum;
        });
        let found = first(x[i], |v| {
            calls += 10;
            v * v > sum % 100
        });
        indirectly(6, &mut |v| sum ^= v * calls);
        let mut add = |v| {
            if v == 1 {
                return;
            }
            sum += v;
        };
        each(3, &mut add);
        each(4, &mut add);
        let pair = mapped(x[i] as u8, |v| v as f32 * 0.5);
        let before = sum + { each(2, |v| sum += v); sum };
        out[i] = before + calls + seen[0] + 3 * seen[1] + 5 * seen[2] + 7 * seen[3] + found.unwrap_or(50) + pair.1 as u32;
    }
}

same! { values effects }

mod methods {
    use simt::prelude::*;

    #[derive(Clone, Copy, Debug, KernelData, PartialEq)]
    pub(super) struct Pair {
        pub(super) a: u32,
        pub(super) b: u32,
    }

    #[device]
    impl Pair {
        fn both(self, f: impl Fn(u32) -> u32) -> u32 {
            f(self.a) + 3 * f(self.b)
        }

        fn change(&mut self, mut f: impl FnMut(&u32, u32) -> u32) {
            let (a, b) = (self.a, self.b);
            self.a = f(&a, b);
            self.b = f(&b, self.a);
        }

        pub(super) fn swapped(self) -> Self {
            Self { a: self.b, b: self.a }
        }

        fn double(v: u32) -> u32 {
            v * 2
        }
    }

    #[device]
    fn applied(p: Pair, f: impl Fn(Pair) -> Pair) -> Pair {
        f(f(p))
    }

    #[kernel]
    pub(super) fn methods(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut calls = 0;
        let mut p = Pair { a: 3, b: x[i] };
        p.change(|a, b| {
            calls += 1;
            *a + b * x[i]
        });
        p.change(|&a, b| a ^ b);
        let q = applied(p, Pair::swapped);
        let r = applied(q, |p| Pair { a: p.a + 1, ..p.swapped() });
        out[i] = r.both(|v| v + x[i]) + p.both(Pair::double) + calls;
    }

    #[device]
    pub(super) fn apply(n: usize, f: impl Fn(usize) -> u32) -> u32 {
        f(n) + 1
    }

    #[kernel]
    pub(super) fn outside(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let far = 40;
        out[i] = apply(i, |j| x[j + far]);
    }
}

#[test]
fn methods_take_closures() {
    let x: Vec<u32> = (0..20).collect();
    let expected: Vec<u32> = x
        .iter()
        .map(|&v| {
            let (a, b) = (3, v);
            let a2 = a + b * v;
            let b2 = b + a2 * v;
            let (a, b) = (a2 ^ b2, b2 ^ (a2 ^ b2));
            let once = |(a, _): (u32, u32)| (a + 1, a);
            let r = once(once((a, b)));
            r.0 + v + 3 * (r.1 + v) + 2 * a + 6 * b + 2
        })
        .collect();
    everywhere!(|gpu| {
        let mut out = vec![0; x.len()];
        let launched = gpu.launch(simt::Grid::new(2, 10), methods::methods(&x, &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, expected);
    });
}

#[test]
fn a_fault_is_where_the_closure_stands() {
    let gpu = simt::Gpu::<simt::prelude::Ipdom>::default();
    let error = gpu.launch(simt::Grid::new(1, 4), methods::outside(&[1, 2, 3], &mut [0; 4])).unwrap_err().to_string();
    assert!(error.contains("`x[40]` read here"), "{error}");
    assert!(error.contains("apply(i, |j| x[j + far])"), "{error}");
    assert!(error.contains("in `apply`, called from kernel `outside`"), "{error}");
}
