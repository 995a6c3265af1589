//! Fast Fourier transform, radix 2, decimation in time (Cooley and Tukey 1965): a block transforms one signal.
//!
//! Every thread computes a butterfly in each of the stages, so no lane is ever idle; twiddle factors are computed.

use std::f32::consts::PI;

use simt::prelude::*;

use super::check::assert_close;
use super::input::Random;
use super::machine::Machine;

/// Samples of a signal, and the stages.
const SAMPLES: usize = 1 << STAGES;
const STAGES: u32 = 7;

#[kernel]
pub(crate) fn fft(real: &mut [f32], imaginary: &mut [f32]) {
    #[shared]
    let mut x: [f32; SAMPLES];
    #[shared]
    let mut y: [f32; SAMPLES];
    let thread = thread_idx().x;
    let first = block_idx().x * SAMPLES;
    for i in (thread..SAMPLES).step_by(SAMPLES / 2) {
        let from = i.reverse_bits() >> (usize::BITS - STAGES);
        x[i] = real[first + from];
        y[i] = imaginary[first + from];
    }
    for stage in 0..STAGES {
        sync_threads();
        let half = 1 << stage;
        let k = thread % half;
        let upper = 2 * thread - k;
        let lower = upper + half;
        let (sin, cos) = (-PI * k as f32 / half as f32).sin_cos();
        let (turned_x, turned_y) = (x[lower] * cos - y[lower] * sin, x[lower] * sin + y[lower] * cos);
        x[lower] = x[upper] - turned_x;
        y[lower] = y[upper] - turned_y;
        x[upper] += turned_x;
        y[upper] += turned_y;
    }
    sync_threads();
    for i in (thread..SAMPLES).step_by(SAMPLES / 2) {
        real[first + i] = x[i];
        imaginary[first + i] = y[i];
    }
}

/// The transform by its definition: the real and the imaginary parts.
fn host(real: &[f32], imaginary: &[f32]) -> (Vec<f64>, Vec<f64>) {
    let frequency = |f: usize| {
        let samples = real.iter().zip(imaginary).enumerate();
        samples.fold((0.0, 0.0), |(x, y), (i, (&re, &im))| {
            let (re, im) = (f64::from(re), f64::from(im));
            let (sin, cos) = (-2.0 * std::f64::consts::PI * (f * i % real.len()) as f64 / real.len() as f64).sin_cos();
            (x + re * cos - im * sin, y + re * sin + im * cos)
        })
    };
    (0..real.len()).map(frequency).unzip()
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let mut random = Random::new(7);
    let (mut real, mut imaginary) = (random.floats(2 * SAMPLES, -1.0, 1.0), random.floats(2 * SAMPLES, -1.0, 1.0));
    let signals = real.chunks(SAMPLES).zip(imaginary.chunks(SAMPLES));
    let (x, y): (Vec<_>, Vec<_>) = signals.map(|(real, imaginary)| host(real, imaginary)).unzip();
    let report = gpu.launch(Grid::new(2, SAMPLES / 2), fft(&mut real, &mut imaginary))?;
    // Sums of 128 terms up to 1 in another order, in half the precision.
    assert_close(&real, &x.concat(), 1e-4);
    assert_close(&imaginary, &y.concat(), 1e-4);
    Ok(report)
}
