//! `y = 2x + y`: no divergence, bound by memory.

use super::{Workload, grid};
use simt::prelude::*;

pub(crate) struct Saxpy {
    x: Vec<f32>,
    y: Vec<f32>,
}

#[kernel]
fn saxpy(x: &[f32], y: &mut [f32]) {
    let i = global_id();
    if i < x.len() {
        y[i] = 2.0 * x[i] + y[i];
    }
}

#[inline(never)]
fn scalar(x: &[f32], y: &mut [f32]) {
    for (x, y) in x.iter().zip(y) {
        *y += 2.0 * x;
    }
}

impl Workload for Saxpy {
    const NAME: &'static str = "saxpy";
    const FULL: usize = 1 << 20;
    const CHECKSUM: Option<u64> = Some(0x264f_18d0_c200_0000);

    fn new(items: usize) -> Self {
        let x = (0..items).map(|i| (i & 1023) as f32).collect();
        let mut saxpy = Self { x, y: vec![0.0; items] };
        saxpy.reset();
        saxpy
    }

    fn reset(&mut self) {
        (0..).zip(&mut self.y).for_each(|(i, y): (usize, _)| *y = ((7 * i) & 4095) as f32);
    }

    fn scalar(&mut self) {
        scalar(&self.x, &mut self.y);
    }

    fn launch<P: Policy>(&mut self, gpu: &Gpu<P>) -> Result<Report, LaunchError> {
        gpu.launch(grid(self.x.len()), saxpy(&self.x, &mut self.y))
    }

    fn output(&self) -> Vec<u32> {
        self.y.iter().map(|y| y.to_bits()).collect()
    }
}
