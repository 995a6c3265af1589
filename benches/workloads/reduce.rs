//! The sum of each block's numbers: a tree in shared memory, with a barrier after each of its levels.

use super::{BLOCK, Workload, hash};
use simt::prelude::*;

pub(crate) struct Reduce {
    data: Vec<u32>,
    sums: Vec<u32>,
}

#[kernel]
fn reduce(data: &[u32], sums: &mut [u32]) {
    #[shared]
    let mut tree: [u32; BLOCK];
    let (own, i) = (thread_idx().x, global_id());
    tree[own] = if i < data.len() { data[i] } else { 0 };
    sync_threads();
    let mut half = BLOCK / 2;
    while half > 0 {
        if own < half {
            tree[own] += tree[own + half];
        }
        sync_threads();
        half /= 2;
    }
    if own == 0 {
        sums[block_idx().x] = tree[0];
    }
}

#[inline(never)]
fn scalar(data: &[u32], sums: &mut [u32]) {
    for (sum, data) in sums.iter_mut().zip(data.chunks(BLOCK)) {
        *sum = data.iter().fold(0, |sum, value| sum.wrapping_add(*value));
    }
}

impl Workload for Reduce {
    const NAME: &'static str = "reduce";
    const FULL: usize = 1 << 20;
    const CHECKSUM: Option<u64> = Some(0x007f_463a_862b_588a);

    fn new(items: usize) -> Self {
        let data = (77..).take(items).map(hash).collect();
        Self { data, sums: vec![0; items.div_ceil(BLOCK)] }
    }

    fn reset(&mut self) {
        self.sums.fill(0);
    }

    fn scalar(&mut self) {
        scalar(&self.data, &mut self.sums);
    }

    fn launch<P: Policy>(&mut self, gpu: &Gpu<P>) -> Result<Report, LaunchError> {
        gpu.launch(super::grid(self.data.len()), reduce(&self.data, &mut self.sums))
    }

    fn output(&self) -> Vec<u32> {
        self.sums.clone()
    }
}
