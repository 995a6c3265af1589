//! Types that a macro passes on: `impl Semiring for $number`.

use simt::prelude::*;

#[device]
trait Semiring: Copy {
    const ZERO: Self;
    fn fuse(self, a: Self, b: Self) -> Self;
}
#[device]
trait Near<T> {
    fn near(self, other: T) -> bool;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        #[device]
        impl Semiring for $number {
            const ZERO: Self = 0 as $number;
            fn fuse(self, a: Self, b: $number) -> $number {
                let product: $number = a * b;
                self + product
            }
        }
        #[device]
        impl Near<$number> for $number {
            fn near(self, other: $number) -> bool { self - other < 2 as $number }
        }
    )*};
}
numbers!(f32, i64);

macro_rules! pair {
    ($name:ident, $inner:ty, $value:expr) => {
        #[derive(Clone, Copy, Debug, PartialEq, KernelData)]
        struct $name {
            a: $inner,
            b: [$inner; 2],
        }
        #[device]
        impl Default for $name {
            fn default() -> Self {
                $name { a: $value, b: [$value; 2] }
            }
        }
        #[device]
        impl From<$inner> for $name {
            fn from(a: $inner) -> Self {
                Self { a, b: [a; 2] }
            }
        }
        #[device]
        impl std::ops::Mul<$inner> for $name {
            type Output = $name;
            fn mul(self, by: $inner) -> $name {
                $name { a: self.a * by, ..self }
            }
        }
    };
}
pair!(Pair, u32, 7);

macro_rules! on {
    ($t:ty) => {
        #[device]
        impl $t {
            fn sum(&self) -> u32 {
                self.a + self.b.iter().sum::<u32>()
            }
        }
    };
}
on!(Pair);

#[kernel]
fn made<S: Semiring + Near<S>>(a: &[S], out: &mut [S], pairs: &mut [Pair], sums: &mut [u32]) {
    let i = global_id();
    out[i] = S::ZERO.fuse(a[i], a[0]);
    if !a[i].near(a[0]) {
        out[i] = S::ZERO;
    }
    pairs[i] = if i % 2 == 0 { Pair::default() * 3 } else { Pair::from(i as u32) };
    sums[i] = pairs[i].sum();
}
#[test]
fn types_that_macros_pass() {
    everywhere!(|gpu| {
        let mut out = [0i64; 3];
        let mut pairs = [Pair { a: 0, b: [0; 2] }; 3];
        let mut sums = [0; 3];
        gpu.launch(Grid::new(1, 3), made(&[2, 3, 4], &mut out, &mut pairs, &mut sums)).unwrap();
        assert_eq!(out, [4, 6, 0]);
        assert_eq!(pairs, [Pair { a: 21, b: [7; 2] }, Pair { a: 1, b: [1; 2] }, Pair { a: 21, b: [7; 2] }]);
        assert_eq!(sums, [35, 3, 35]);
    });
}
