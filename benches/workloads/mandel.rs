//! Mandelbrot, 512 pixels a row: how many iterations each pixel's point stays near the origin.

use super::{Workload, grid};
use simt::prelude::*;

pub(crate) struct Mandel {
    iterations: Vec<u32>,
}

const SIDE: usize = 512;
/// 3 / 512.
const STEP: f32 = 0.005_859_375;
const LIMIT: u32 = 256;

#[kernel]
fn mandel(iterations: &mut [u32]) {
    let i = global_id();
    if i >= iterations.len() {
        return;
    }
    let cx = -2.0 + (i % SIDE) as f32 * STEP;
    let cy = -1.5 + (i / SIDE) as f32 * STEP;
    let mut zx = 0.0;
    let mut zy = 0.0;
    let mut count = 0;
    while count < LIMIT && zx * zx + zy * zy <= 4.0 {
        let next = zx * zx - zy * zy + cx;
        zy = 2.0 * zx * zy + cy;
        zx = next;
        count += 1;
    }
    iterations[i] = count;
}

#[inline(never)]
fn scalar(iterations: &mut [u32]) {
    for (i, count) in iterations.iter_mut().enumerate() {
        let cx = -2.0 + (i % SIDE) as f32 * STEP;
        let cy = -1.5 + (i / SIDE) as f32 * STEP;
        let (mut zx, mut zy) = (0.0, 0.0);
        *count = 0;
        while *count < LIMIT && zx * zx + zy * zy <= 4.0 {
            (zx, zy) = (zx * zx - zy * zy + cx, 2.0 * zx * zy + cy);
            *count += 1;
        }
    }
}

impl Workload for Mandel {
    const NAME: &'static str = "mandel";
    const FULL: usize = SIDE * SIDE;
    const CHECKSUM: Option<u64> = Some(0x0000_02fb_1463_eb63);

    fn new(items: usize) -> Self {
        Self { iterations: vec![0; items] }
    }

    fn reset(&mut self) {
        self.iterations.fill(0);
    }

    fn scalar(&mut self) {
        scalar(&mut self.iterations);
    }

    fn launch<P: Policy>(&mut self, gpu: &Gpu<P>) -> Result<Report, LaunchError> {
        gpu.launch(grid(self.iterations.len()), mandel(&mut self.iterations))
    }

    fn output(&self) -> Vec<u32> {
        self.iterations.clone()
    }
}
