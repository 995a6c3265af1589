//! Random gathers: each thread sums numbers of a table at places that it draws, so that no two lanes share a line.

use super::{Workload, grid, hash};
use simt::prelude::*;

pub(crate) struct Gather {
    table: Vec<u32>,
    sums: Vec<u32>,
}

/// Numbers of the table: 4 MB.
const TABLE: u32 = 1 << 20;
/// Numbers that a thread sums.
const DRAWS: u32 = 16;

#[kernel]
fn gather(table: &[u32], sums: &mut [u32]) {
    let i = global_id();
    if i >= sums.len() {
        return;
    }
    let mut state = (i as u32).wrapping_mul(0x9e37_79b9);
    let mut sum: u32 = 0;
    for _ in 0..DRAWS {
        // The generator of Numerical Recipes, whose high bits are the random ones.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        sum = sum.wrapping_add(table[(state >> 12) as usize]);
    }
    sums[i] = sum;
}

#[inline(never)]
fn scalar(table: &[u32], sums: &mut [u32]) {
    for (i, sum) in sums.iter_mut().enumerate() {
        let mut state = (i as u32).wrapping_mul(0x9e37_79b9);
        *sum = 0;
        for _ in 0..DRAWS {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *sum = sum.wrapping_add(table[(state >> 12) as usize]);
        }
    }
}

impl Workload for Gather {
    const NAME: &'static str = "gather";
    const FULL: usize = 1 << 18;

    fn new(items: usize) -> Self {
        Self { table: (0..TABLE).map(hash).collect(), sums: vec![0; items] }
    }

    fn reset(&mut self) {
        self.sums.fill(0);
    }

    fn scalar(&mut self) {
        scalar(&self.table, &mut self.sums);
    }

    fn launch<P: Policy>(&mut self, gpu: &Gpu<P>) -> Result<Report, LaunchError> {
        gpu.launch(grid(self.sums.len()), gather(&self.table, &mut self.sums))
    }

    fn output(&self) -> Vec<u32> {
        self.sums.clone()
    }
}
