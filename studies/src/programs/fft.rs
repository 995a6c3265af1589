//! Fast Fourier transform of many signals, radix 2 (J. W. Cooley and J. W. Tukey 1965): a launch for each stage, in which a
//! thread has a butterfly. The signals are rows of the matrix that SPLASH-2 makes of one long signal, which has 1,024 rows of
//! 1,024 points and transforms rows twice; its transposes and what it multiplies by between them are left out. Complex numbers
//! are pairs of neighbouring words, and the roots of unity a table, stage after stage, as there.
//!
//! Only the permutation before the stages diverges. Each stage reads and writes all signals.

use simt::prelude::*;

use super::{Machine, Size};

/// Elements change places with those of the reversed number, each in its signal of `1 << bits`.
#[kernel]
pub(crate) fn reverse(bits: u32, x: &mut [f32]) {
    let i = global_id() as u32;
    if 2 * i as usize >= x.len() {
        return;
    }
    let first = i >> bits << bits;
    let other = first + ((i - first).reverse_bits() >> (32 - bits));
    if other > i {
        let (a, b) = (2 * i as usize, 2 * other as usize);
        let (re, im) = (x[a], x[a + 1]);
        x[a] = x[b];
        x[a + 1] = x[b + 1];
        x[b] = re;
        x[b + 1] = im;
    }
}

#[kernel]
pub(crate) fn stage(half: usize, roots: &[f32], x: &mut [f32]) {
    let thread = global_id();
    if 4 * thread >= x.len() {
        return;
    }
    let k = thread % half;
    let upper = 2 * (2 * thread - k);
    let lower = upper + 2 * half;
    let root = 2 * (half - 1 + k);
    let (cos, sin) = (roots[root], roots[root + 1]);
    let (re, im) = (x[lower], x[lower + 1]);
    let (turned_re, turned_im) = (re * cos - im * sin, re * sin + im * cos);
    let (upper_re, upper_im) = (x[upper], x[upper + 1]);
    x[upper] = upper_re + turned_re;
    x[upper + 1] = upper_im + turned_im;
    x[lower] = upper_re - turned_re;
    x[lower + 1] = upper_im - turned_im;
}

/// Launches the program, and compares with the transform by recursion in plain Rust.
pub(crate) fn run(machine: &mut dyn Machine, size: &Size) -> Result<(), LaunchError> {
    let (signals, bits): (usize, u32) = size.choose((1, 8), (8, 10), (2048, 10));
    let count = signals << bits;
    let signal = size.random(1965).floats(2 * count, -1.0, 1.0);
    let halves = (0..bits).map(|stage| 1_usize << stage);
    let angles = halves.clone().flat_map(|half| (0..half).map(move |k| -std::f64::consts::PI * k as f64 / half as f64));
    let roots: Vec<f32> = angles.flat_map(|angle| [angle.cos() as f32, angle.sin() as f32]).collect();
    let mut x = signal.clone();
    machine.launch(size.grid(count), reverse(bits, &mut x))?;
    for half in halves {
        machine.launch(size.grid(count / 2), stage(half, &roots, &mut x))?;
    }
    let mut expected: Vec<[f64; 2]> = signal.chunks(2).map(|pair| [f64::from(pair[0]), f64::from(pair[1])]).collect();
    expected.chunks_mut(1 << bits).for_each(transform);
    for (found, expected) in x.chunks(2).zip(&expected) {
        let error = (f64::from(found[0]) - expected[0]).hypot(f64::from(found[1]) - expected[1]);
        // The error grows as the root of the number of terms, times stages.
        assert!(error < 1e-6 * f64::from(1_u32 << bits).sqrt() * f64::from(bits), "{found:?} instead of {expected:?}");
    }
    Ok(())
}

/// The transform by recursion, in twice the precision.
fn transform(x: &mut [[f64; 2]]) {
    let count = x.len();
    if count == 1 {
        return;
    }
    let mut even: Vec<[f64; 2]> = x.iter().step_by(2).copied().collect();
    let mut odd: Vec<[f64; 2]> = x.iter().skip(1).step_by(2).copied().collect();
    transform(&mut even);
    transform(&mut odd);
    for k in 0..count / 2 {
        let (sin, cos) = (-2.0 * std::f64::consts::PI * k as f64 / count as f64).sin_cos();
        let [re, im] = odd[k];
        let turned = [re * cos - im * sin, re * sin + im * cos];
        for part in 0..2 {
            x[k][part] = even[k][part] + turned[part];
            x[k + count / 2][part] = even[k][part] - turned[part];
        }
    }
}
