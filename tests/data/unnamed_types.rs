//! Parameters whose types have no name: `rng: &mut impl Rng`.

programs! {
    types {
        struct Lcg {
            state: u32,
        }
        struct Counter {
            at: u32,
            by: u32,
        }
        struct Twice;
        struct Dice {
            sides: u32,
        }
    }
    device {
        trait Rng {
            fn next_u32(&mut self) -> u32;

            fn below(&mut self, n: u32) -> u32 {
                self.next_u32() % n
            }
        }
        impl Rng for Lcg {
            fn next_u32(&mut self) -> u32 {
                self.state = self.state.wrapping_mul(1664525).wrapping_add(1013904223);
                self.state >> 16
            }
        }
        impl Rng for Counter {
            fn next_u32(&mut self) -> u32 {
                self.at += self.by;
                self.at
            }
        }
        trait Weight {
            const BASE: u32;
            fn weight(&self, of: u32) -> u32;

            fn with(&self, rng: &mut impl Rng) -> u32 {
                self.weight(rng.next_u32() % 10)
            }
        }
        impl Weight for Twice {
            const BASE: u32 = 3;
            fn weight(&self, of: u32) -> u32 {
                2 * of
            }
        }
        impl Weight for u32 {
            const BASE: u32 = 5;
            fn weight(&self, of: u32) -> u32 {
                *self * of
            }
        }
        impl Dice {
            fn roll(&self, rng: &mut impl Rng) -> u32 {
                1 + rng.below(self.sides)
            }
            fn shrink(&mut self, by: impl Weight + Copy, rng: &mut impl Rng) -> u32 {
                self.sides = 1 + by.weight(self.sides) % 9;
                self.roll(rng)
            }
            fn made(of: &impl Weight) -> Self {
                Dice { sides: of.weight(3) + 1 }
            }
        }
        fn roll(rng: &mut impl Rng) -> u32 {
            rng.next_u32() % 6
        }
        fn rolls(rng: &mut impl Rng, n: u32) -> u32 {
            let mut sum = 0;
            for _ in 0..n {
                sum += roll(rng);
            }
            sum
        }
        fn weighted(w: impl Weight) -> u32 {
            w.weight(7)
        }
        fn seen(w: &impl Weight) -> u32 {
            w.weight(9)
        }
        fn both(a: &mut impl Rng, b: &mut impl Rng) -> u32 {
            a.next_u32() % 100 + b.next_u32() % 100
        }
        fn total(weights: &[impl Weight], of: u32) -> u32 {
            let mut sum = 0;
            for w in weights {
                sum += w.weight(of);
            }
            sum
        }
        fn mapped<const N: usize>(w: impl Weight, of: [u32; N], f: impl Fn(u32) -> u32) -> u32 {
            let mut sum = 0;
            for k in 0..N {
                sum += f(w.weight(of[k]));
            }
            sum
        }
        fn twice(x: impl Into<u32>) -> u32 {
            2 * x.into()
        }
        fn pair(p: (impl Weight, u32)) -> u32 {
            p.0.weight(p.1)
        }
    }
    fn rolled(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut lcg = Lcg { state: x[i] };
        let mut counter = Counter { at: x[i], by: 3 };
        let mut r = roll(&mut lcg) + 10 * roll(&mut counter) + rolls(&mut lcg, x[i] % 5);
        r += both(&mut lcg, &mut counter) + both(&mut counter, &mut lcg);
        let mut all = [counter; 2];
        r += roll(&mut all[1]) + roll(&mut all[0]) + rolls(&mut all[1], 2);
        out[i] = r + lcg.state % 1000 + counter.at + all[1].at;
    }
    fn weights(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let k = x[i];
        let of = [1, k, 3];
        let r = weighted(Twice) + weighted(k) + seen(&Twice) + seen(&x[i]) + seen(&k);
        out[i] = r + total(x, 2) + mapped(k, of, |v| v + k) + mapped(Twice, [k], |v| v * 2) + twice(k as u8) + twice(7u16)
            + pair((k, 3)) + pair((Twice, k));
    }
    fn methods(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut lcg = Lcg { state: x[i] };
        let mut counter = Counter { at: x[i], by: 3 };
        let mut dice = Dice { sides: 6 };
        let mut r = dice.roll(&mut lcg) + dice.roll(&mut counter);
        r += dice.shrink(x[i], &mut counter) + dice.shrink(Twice, &mut lcg) + dice.sides;
        r += Dice::made(&Twice).sides + Dice::made(&x[i]).roll(&mut lcg);
        out[i] = r + Twice.with(&mut counter) + x[i].with(&mut lcg) + counter.at;
    }
}

mod kernels_of_traits {
    use simt::prelude::*;

    #[kernel]
    fn scaled(x: &[u32], by: impl Int, out: &mut [u32]) {
        let i = global_id();
        out[i] = x[i] * by as u32;
    }

    #[test]
    fn kernels_have_them_too() {
        let mut out = [0; 3];
        Gpu::<Ipdom>::default().launch(Grid::new(1, 3), scaled(&[1, 2, 3], 5u8, &mut out)).unwrap();
        assert_eq!(out, [5, 10, 15]);
    }
}
