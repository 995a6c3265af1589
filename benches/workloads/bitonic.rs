//! Sorted blocks of 1024: a bitonic network in shared memory, with a barrier after each of its steps.

use super::{Workload, hash};
use simt::prelude::*;

/// Numbers, and threads, of a block.
const SORTED: usize = 1024;

pub(crate) struct Bitonic {
    data: Vec<u32>,
}

#[kernel]
fn bitonic(data: &mut [u32]) {
    #[shared]
    let mut block: [u32; SORTED];
    let (own, i) = (thread_idx().x, global_id());
    block[own] = data[i];
    sync_threads();
    let mut run = 2;
    while run <= SORTED {
        let mut distance = run / 2;
        while distance > 0 {
            let other = own ^ distance;
            if other > own {
                let (low, high) = (block[own], block[other]);
                if (low > high) == (own & run == 0) {
                    block[own] = high;
                    block[other] = low;
                }
            }
            sync_threads();
            distance /= 2;
        }
        run *= 2;
    }
    data[i] = block[own];
}

/// The same steps, one number after the other.
#[inline(never)]
fn scalar(data: &mut [u32]) {
    for block in data.chunks_exact_mut(SORTED) {
        let mut run = 2;
        while run <= SORTED {
            let mut distance = run / 2;
            while distance > 0 {
                for own in 0..SORTED {
                    let other = own ^ distance;
                    if other > own && (block[own] > block[other]) == (own & run == 0) {
                        block.swap(own, other);
                    }
                }
                distance /= 2;
            }
            run *= 2;
        }
    }
}

impl Workload for Bitonic {
    const NAME: &'static str = "bitonic";
    const FULL: usize = 64 * SORTED;

    fn new(items: usize) -> Self {
        let mut bitonic = Self { data: vec![0; items.next_multiple_of(SORTED)] };
        bitonic.reset();
        bitonic
    }

    fn reset(&mut self) {
        (0..).zip(&mut self.data).for_each(|(i, value)| *value = hash(i));
    }

    fn scalar(&mut self) {
        scalar(&mut self.data);
    }

    fn launch<P: Policy>(&mut self, gpu: &Gpu<P>) -> Result<Report, LaunchError> {
        gpu.launch(Grid::new(self.data.len() / SORTED, SORTED), bitonic(&mut self.data))
    }

    fn output(&self) -> Vec<u32> {
        self.data.clone()
    }
}
