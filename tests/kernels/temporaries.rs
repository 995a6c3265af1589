//! Values without a name that a function or a method changes: `P::new(7).bump()`, `f(&mut P { at: 3 })`.

programs! {
    types {
        struct P {
            at: u32,
            by: u32,
        }
        struct Whole {
            inner: P,
        }
        struct Unit;
    }
    device {
        impl P {
            fn new(at: u32) -> Self {
                P { at, by: 3 }
            }
            fn bump(&mut self) -> u32 {
                self.at += self.by;
                self.at
            }
            fn max(&mut self, other: u32) -> u32 {
                self.at += other;
                self.at
            }
            fn unwrap(&mut self) -> u32 {
                self.by += 1;
                self.at * self.by
            }
            fn faster(mut self) -> Self {
                self.by += 1;
                self
            }
            fn bump_by(&mut self, other: &mut P) -> u32 {
                self.at += other.bump();
                self.at + other.at
            }
            fn tried(&mut self) -> Result<u32, u32> {
                if self.bump() > 9 { Err(self.at) } else { Ok(self.by) }
            }
        }
        impl Unit {
            fn ten(&mut self) -> u32 {
                10
            }
        }
        fn whole(at: u32) -> Whole {
            Whole { inner: P { at, by: 1 } }
        }
        fn twice(p: &mut P) -> u32 {
            p.bump() + p.bump()
        }
        fn add(n: &mut u32, k: u32) -> u32 {
            *n += k;
            *n * 2
        }
        fn fill(a: &mut [u32; 4], v: u32) -> u32 {
            a[1] = v;
            a[2] += v;
            a[0] + a[1] + a[2] + a[3]
        }
        fn slice(a: &mut [u32], v: u32) -> u32 {
            for k in 0..a.len() {
                a[k] += v;
            }
            a[0] + a[a.len() - 1]
        }
        fn take(o: &mut Option<u32>) -> u32 {
            o.take().unwrap_or(4)
        }
        fn both(p: &mut (u32, u32)) -> u32 {
            p.0 += p.1;
            p.0
        }
        fn array(v: u32) -> [u32; 4] {
            [v, 1, 2, v + 1]
        }
        fn tried(at: u32) -> Result<u32, u32> {
            let a = P::new(at).tried()?;
            Ok(a + P { at, by: 2 }.tried()?)
        }
        fn unit(u: &mut Unit) -> u32 {
            u.ten() + 1
        }
    }
    fn methods(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut p = P::new(x[i]);
        let r = P::new(x[i]).bump() + P { at: 3, by: x[i] }.bump() + p.faster().bump() + p.faster().faster().bump();
        let r = r + p.bump() + P::new(7).max(x[i]) + P::new(2).unwrap() + P::new(1).bump_by(&mut p);
        let r = r + whole(x[i]).inner.bump() + (Whole { inner: p }).inner.max(p.bump());
        out[i] = r + P::new(p.at).bump_by(&mut P::new(p.bump())) + p.at + Unit.ten();
    }
    fn arguments(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let p = P::new(x[i]);
        let r = twice(&mut P { at: 3, by: x[i] }) + twice(&mut P::new(x[i])) + twice(&mut p.faster());
        let r = r + add(&mut 3, x[i]) + add(&mut (x[i] + 1), 2) + add(&mut x[i].pow(2), 1) + add(&mut (x[i] as u32), 1);
        let r = r + fill(&mut [0; 4], x[i]) + fill(&mut [1, x[i], 3, 4], 2) + slice(&mut [x[i], 2, 3], 1);
        let r = r + fill(&mut array(x[i]), 2) + slice(&mut array(3), x[i]);
        let r = r + take(&mut Some(x[i])) + take(&mut None) + both(&mut (x[i], 3)) + unit(&mut Unit);
        out[i] = r + twice(&mut if x[i] > 4 { P::new(1) } else { p }) + p.at;
    }
    fn errors(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = match tried(x[i]) {
            Ok(v) => v,
            Err(e) => e + 100,
        };
        let n = &mut 4;
        *n += x[i];
        let p = &mut P::new(*n);
        out[i] += p.bump() + p.bump();
    }
}
