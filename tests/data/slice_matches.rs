//! `match` on slices with `_` or a name for the other lengths, and `.map` of arrays that methods give: the text is compiled as
//! plain Rust, too.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
pub(super) struct Generator {
    state: u32,
}

#[device]
impl Generator {
    fn next(&mut self) -> [u32; 3] {
        self.state = self.state * 5 + 1;
        [self.state, self.state / 3, 7]
    }

    fn doubled(&mut self) -> [u32; 3] {
        self.next().map(|v| v * 2)
    }

    fn small(&self) -> Option<u32> {
        if self.state < 60 { Some(self.state) } else { None }
    }
}

items_with_kernels! {
    {
        fn first(x: &[u32]) -> u32 {
            match x {
                [a, ..] => *a,
                _ => 7,
            }
        }

        fn both(x: &[u32], n: usize) -> u32 {
            match &x[..n] {
                [a, b] => a * 10 + b,
                other => 100 * other.len() as u32,
            }
        }

        fn skipped(x: &[u32]) -> u32 {
            let (mut rest, mut n) = (x, 0);
            loop {
                match rest {
                    [head, tail @ ..] if *head != 5 => {
                        rest = tail;
                        n += *head;
                    }
                    _ => return n + 1000 * rest.len() as u32,
                }
            }
        }

        fn of_array(a: [u32; 2]) -> u32 {
            match a {
                [0, x] => x,
                [y, 1] => y + 100,
                _ => 1000,
            }
        }
    }

    fn matched(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut generator = Generator { state: x[i] };
        let a = generator.next().map(|v| u64::from(v) + 1);
        let b = generator.doubled();
        let c = x[i].to_be_bytes().map(u32::from);
        let d = generator.small().map(|v| v + 5).unwrap_or(9);
        let s = &x[i..x.len().min(i + 3)];
        let e = first(&s[..i % 2]) + both(s, s.len().min(i % 4)) + skipped(s) + of_array([i as u32 % 2, x[i] % 3]);
        let f = match s {
            [p, q, r] => p + q * r,
            _ => 3,
        };
        out[i] = a[0] as u32 + a[1] as u32 + b[2] + c[3] + d + e + f;
    }
}

same! { matched }
