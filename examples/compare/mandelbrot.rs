//! Mandelbrot: how many iterations each pixel's point stays near the origin.
//!
//! Inside the set every thread runs to the limit together; at its edge neighbours leave the loop
//! one by one, and lanes go idle.

use simt::prelude::*;

use crate::efficiency::EfficiencyOfWarps;
use crate::workload::{Launch, Workload, grouped};

/// The iterations of a point that never leaves.
pub(crate) const LIMIT: u32 = 256;

/// Threads in a block: a multiple of every warp width.
const BLOCK: usize = 128;

/// A square picture of `size` by `size` pixels.
pub(crate) struct Mandelbrot {
    pub(crate) size: u32,
    /// The distance between neighbouring pixels' points.
    step: f32,
}

#[kernel]
fn mandelbrot(size: u32, step: f32, iterations: &mut [u32]) {
    let i = global_id();
    if i >= iterations.len() {
        return;
    }
    let x = (i as u32 % size) as f32;
    let y = (i as u32 / size) as f32;
    let cx = -2.0 + x * step;
    let cy = -1.5 + y * step;
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

fn iterations_of(cx: f32, cy: f32) -> u32 {
    let (mut zx, mut zy) = (0.0, 0.0);
    (0..LIMIT)
        .find(|_| {
            let left = zx * zx + zy * zy > 4.0;
            (zx, zy) = (zx * zx - zy * zy + cx, 2.0 * zx * zy + cy);
            left
        })
        .unwrap_or(LIMIT)
}

impl Mandelbrot {
    pub(crate) fn new(size: u32) -> Self {
        Self { size, step: 3.0 / size as f32 }
    }

    /// The SIMD efficiency of each warp; a warp computes as many pixels as it has lanes, along the rows.
    pub(crate) fn efficiency_of_warps(&self, warp_width: usize) -> Result<Vec<f64>, LaunchError> {
        let mut iterations = vec![0; self.pixels()];
        let mut observer = EfficiencyOfWarps::new(BLOCK / warp_width);
        let gpu = Gpu::<Ipdom>::default().with_warp_width(warp_width).with_checks(Checks::none());
        let grid = Grid::covering(self.pixels(), BLOCK);
        gpu.launch_watched(grid, mandelbrot(self.size, self.step, &mut iterations), &mut observer)?;
        Ok(observer.of_width(warp_width))
    }

    fn pixels(&self) -> usize {
        self.size as usize * self.size as usize
    }
}

impl Workload for Mandelbrot {
    type Item = u32;
    const NAME: &'static str = "mandelbrot";

    fn host(&self) -> Vec<u32> {
        let along = |from: f32| (0..self.size).map(move |pixel| from + pixel as f32 * self.step);
        along(-1.5).flat_map(|cy| along(-2.0).map(move |cx| iterations_of(cx, cy))).collect()
    }

    fn device(&self, launch: &Launch<'_>) -> Result<(Vec<u32>, Report), LaunchError> {
        let mut iterations = vec![0; self.pixels()];
        let grid = Grid::covering(self.pixels(), BLOCK);
        let report = launch(grid, mandelbrot(self.size, self.step, &mut iterations))?;
        Ok((iterations, report))
    }

    fn summary(&self, iterations: &[u32]) -> String {
        let inside = iterations.iter().filter(|&&count| count == LIMIT).count();
        let (size, pixels) = (self.size, iterations.len().max(1));
        let share = 100.0 * inside as f64 / pixels as f64;
        format!("{} pixels ({size} x {size}), {share:.0} % of them in the set", grouped(pixels as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_points() {
        assert_eq!(iterations_of(0.0, 0.0), LIMIT);
        assert_eq!(iterations_of(-1.0, 0.0), LIMIT);
        assert_eq!(iterations_of(-2.0, -1.5), 1);
        assert_eq!(iterations_of(1.0, 0.0), 3);
    }

    /// The same picture computed by C compiled with GCC 12 and by two OpenCL implementations.
    #[test]
    fn the_picture_of_512_by_512_has_its_known_checksum() {
        let checksum = (0..)
            .zip(Mandelbrot::new(512).host())
            .fold(0_u64, |sum, (i, count)| sum.wrapping_add(u64::from(count).wrapping_mul(2 * i + 1)));
        assert_eq!(checksum, 0x0000_02fb_1463_eb63);
    }
}
