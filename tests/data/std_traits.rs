//! `From`, `Iterator` and `Default` of users' types: the text is compiled as plain Rust, too.

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct Celsius(f32);

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct Pair<T> {
    a: T,
    b: T,
}

#[simt::device]
impl From<u32> for Celsius {
    fn from(v: u32) -> Self {
        Self(v as f32 * 0.5)
    }
}

#[simt::device]
impl From<Pair<f32>> for Celsius {
    fn from(Pair { a, b }: Pair<f32>) -> Self {
        Celsius(a + b)
    }
}

#[simt::device]
impl From<(u32, u32)> for Pair<u32> {
    fn from((a, b): (u32, u32)) -> Self {
        Self { a, b }
    }
}

#[derive(simt::prelude::KernelData)]
struct Countdown {
    left: u32,
    step: u32,
}

#[simt::device]
impl Iterator for Countdown {
    type Item = (u32, bool);

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        self.left = self.left.saturating_sub(self.step);
        Some((self.left, self.left > 4))
    }
}

#[simt::device]
impl Default for Pair<u32> {
    fn default() -> Self {
        Self { a: 3, b: 4 }
    }
}

items_with_kernels! {
    {
        fn total(countdown: &mut Countdown) -> u32 {
            let mut sum = 0;
            while let Some((left, even)) = countdown.next() {
                sum += left + even as u32;
            }
            sum
        }
    }

    fn traits(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let a = Celsius::from(x[i]);
        let b = Celsius::from(Pair { a: 1.5f32, b: 2.0 });
        let p = Pair::<u32>::from((x[i], 7));
        let d: Pair<u32> = Pair::default();
        let mut countdown = Countdown { left: x[i] + 5, step: 3 };
        let first = countdown.next();
        out[i] = (a.0 + b.0) as u32 + p.a * p.b + d.a + d.b + total(&mut countdown) + first.map_or(0, |f| f.0);
    }
}

same! { traits }
