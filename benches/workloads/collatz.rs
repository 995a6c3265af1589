//! Collatz: how many steps 1, 2, 3, ... take to reach 1, in 32 and in 64 bits. In 32 bits a few numbers wrap on their way.

use super::{Workload, grid};
use simt::prelude::*;

macro_rules! collatz {
    ($type:ident, $kernel:ident, $scalar:ident, $int:ty, $name:literal, $checksum:expr) => {
        pub(crate) struct $type {
            steps: Vec<u32>,
        }

        #[kernel]
        fn $kernel(steps: &mut [u32]) {
            let i = global_id();
            if i >= steps.len() {
                return;
            }
            let mut n = i as $int + 1;
            let mut count = 0;
            while n != 1 {
                if n % 2 == 1 {
                    n = 3 * n + 1;
                } else {
                    n /= 2;
                }
                count += 1;
            }
            steps[i] = count;
        }

        #[inline(never)]
        fn $scalar(steps: &mut [u32]) {
            for (i, count) in steps.iter_mut().enumerate() {
                let mut n = i as $int + 1;
                *count = 0;
                while n != 1 {
                    n = if n % 2 == 1 { n.wrapping_mul(3).wrapping_add(1) } else { n / 2 };
                    *count += 1;
                }
            }
        }

        impl Workload for $type {
            const NAME: &'static str = $name;
            const FULL: usize = 1 << 20;
            /// Without reconvergence the full size takes seconds.
            const BENCHED: usize = 1 << 14;
            const CHECKSUM: Option<u64> = $checksum;

            fn new(items: usize) -> Self {
                Self { steps: vec![0; items] }
            }

            fn reset(&mut self) {
                self.steps.fill(0);
            }

            fn scalar(&mut self) {
                $scalar(&mut self.steps);
            }

            fn launch<P: Policy>(&mut self, gpu: &Gpu<P>) -> Result<Report, LaunchError> {
                gpu.launch(grid(self.steps.len()), $kernel(&mut self.steps))
            }

            fn output(&self) -> Vec<u32> {
                self.steps.clone()
            }
        }
    };
}

collatz!(CollatzU32, collatz_u32, scalar_u32, u32, "collatz-u32", None);
collatz!(CollatzU64, collatz_u64, scalar_u64, u64, "collatz-u64", Some(0x0000_8917_377d_8653));
