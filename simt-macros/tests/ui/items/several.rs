mod item_argument {
    use simt::prelude::*;

    #[kernel(warp = 32)]
    fn wrong(out: &mut [u32]) {
        out[0] = 1;
    }
}

mod item_array {
    use simt::prelude::*;
    use std::sync::atomic::AtomicU32;

    #[kernel]
    fn wrong(x: [AtomicU32; 4], out: &mut [u32]) {
        out[0] = 1;
    }
}

mod item_async {
    use simt::prelude::*;

    #[kernel]
    async fn wrong(out: &mut [u32]) {
        out[0] = 1;
    }
}

mod item_pattern {
    use simt::prelude::*;

    #[kernel]
    fn wrong([a, b]: [u32], out: &mut [u32]) {
        out[0] = a + b;
    }

    #[device]
    fn never((0, b): (u32, u32)) -> u32 {
        b
    }

    #[kernel]
    fn refutable(x: &[(u32, f32)], out: &mut [f32]) {
        let (3, y) = x[0];
        out[0] = y;
    }
}

mod item_reference {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: &u32, sum: &mut u32) {
        sum = n;
    }
}

mod item_returns {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32) -> u32 {
        let _m = n;
    }
}

mod kernel_of_a_type {
    use simt::prelude::*;

    #[derive(Clone, Copy, KernelData)]
    struct Solver<T> {
        at: T,
    }

    #[device]
    impl<T: Num> Solver<T> {
        #[kernel]
        fn of_each(out: &mut [T]) {
            out[0] = T::ZERO;
        }
    }

    #[derive(Clone, Copy, KernelData)]
    struct Plain;

    #[device]
    impl Plain {
        #[kernel]
        fn of_a_value(&self, out: &mut [u32]) {
            out[0] = 1;
        }
    }

    #[device]
    impl PartialEq<u32> for Plain {
        fn eq(&self, other: &u32) -> bool {
            *other == 0
        }
    }
}

fn main() {}
