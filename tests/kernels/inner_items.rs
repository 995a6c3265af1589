//! Items in the bodies of kernels and device functions: the text is compiled as plain Rust, too.

items_with_kernels! {
    {
        fn within(n: u32) -> u32 {
            const STEP: u32 = 3;
            fn inner(v: u32) -> u32 {
                if v == 0 { STEP } else { inner(v - 1) + helper(v) }
            }
            fn helper(v: u32) -> u32 {
                v % STEP
            }
            inner(n % 6)
        }
    }

    fn functions(x: &[u32], out: &mut [u32]) {
        /// Its documentation.
        fn largest<T: Copy + PartialOrd>(a: T, b: T) -> T {
            if a > b { a } else { b }
        }
        let i = global_id();
        fn sum(x: &[u32], at: usize) -> u32 {
            x[at] + x[(at + 1) % x.len()]
        }
        fn each(n: u32, f: impl Fn(u32) -> u32) -> u32 {
            let mut total = 0;
            for k in 0..n {
                total += f(k);
            }
            total
        }
        fn square(v: u32) -> u32 {
            v * v
        }
        fn weighted<T: Copy + std::ops::Add<Output = T> + std::ops::Mul<Output = T>>(a: T, b: T) -> T {
            a * b + a
        }
        fn swapped<T, U>(pair: (T, U)) -> (U, T) {
            let (a, b) = pair;
            (b, a)
        }
        static TABLE: [u32; 3] = [5, 7, 9];
        out[i] = sum(x, i) + within(x[i]) + largest(x[i], 12u32) + each(x[i] % 5, square) + TABLE[i % 3]
            + weighted(x[i], 3) + swapped((i, x[i] as u8)).0 as u32;
        if i % 2 == 0 {
            fn square(v: u32) -> u32 {
                v * v * v
            }
            out[i] += square(x[i]);
        }
    }

    fn types(x: &[u32], out: &mut [u32]) {
        #[derive(Clone, Copy, Debug, PartialEq, simt::prelude::KernelData)]
        struct Pair {
            a: u32,
            b: u32,
        }
        impl Pair {
            fn sum(self) -> u32 {
                self.a + self.b
            }
            fn grow(&mut self, by: u32) {
                self.a += by;
            }
        }
        #[derive(Clone, Copy, PartialEq, simt::prelude::KernelData)]
        enum Shape {
            Dot,
            Line(u32),
        }
        trait Size {
            fn size(self) -> u32;
        }
        impl Size for Shape {
            fn size(self) -> u32 {
                match self {
                    Shape::Dot => 1,
                    Shape::Line(n) => n,
                }
            }
        }
        let i = global_id();
        let mut p = Pair { a: x[i], b: 2 };
        p.grow(3);
        let shape = if x[i] % 2 == 0 { Shape::Dot } else { Shape::Line(x[i]) };
        out[i] = p.sum() + shape.size() + (shape == Shape::Dot) as u32;
    }
}

same! { functions types }
