//! Saxpy, `y = a x + y`: the first kernel of every CUDA book.
//!
//! Only the last warp diverges, whose threads behind the end have nothing to do.

use simt::prelude::*;

use super::input::Random;
use super::machine::Machine;

#[kernel]
pub(crate) fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id();
    if i < x.len() {
        y[i] += a * x[i];
    }
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let mut random = Random::new(1);
    let (x, mut y) = (random.floats(1000, -1.0, 1.0), random.floats(1000, -1.0, 1.0));
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| y + 2.5 * x).collect();
    let report = gpu.launch(Grid::covering(x.len(), 128), saxpy(2.5, &x, &mut y))?;
    assert_eq!(y, expected);
    Ok(report)
}
