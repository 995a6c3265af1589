//! Black-Scholes: prices of European call and put options, a thread an option.
//!
//! After the CUDA samples, with their polynomial for the normal distribution (Abramowitz and Stegun 26.2.17). Lanes part
//! at the sign of its argument, for two short arms.

use simt::prelude::*;

use super::check::assert_close;
use super::input::Random;
use super::machine::Machine;

/// Interest and volatility of a year.
const RATE: f32 = 0.02;
const VOLATILITY: f32 = 0.3;

/// The normal distribution, to 7 digits.
#[device]
fn normal(x: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let powers = 1.330_274_4_f32.mul_add(k, -1.821_255_9).mul_add(k, 1.781_477_9).mul_add(k, -0.356_563_78);
    let tail = 0.398_942_3 * (-0.5 * x * x).exp() * k * powers.mul_add(k, 0.319_381_54);
    if x > 0.0 { 1.0 - tail } else { tail }
}

#[kernel]
pub(crate) fn black_scholes(price: &[f32], strike: &[f32], years: &[f32], call: &mut [f32], put: &mut [f32]) {
    let i = global_id();
    if i >= price.len() {
        return;
    }
    let spread = VOLATILITY * years[i].sqrt();
    let d1 = ((price[i] / strike[i]).ln() + (RATE + 0.5 * VOLATILITY * VOLATILITY) * years[i]) / spread;
    let (n1, n2) = (normal(d1), normal(d1 - spread));
    let discounted = strike[i] * (-RATE * years[i]).exp();
    call[i] = price[i] * n1 - discounted * n2;
    put[i] = discounted * (1.0 - n2) - price[i] * (1.0 - n1);
}

/// The price of the call: the mean of what it pays over prices that are spread as the model says, by Simpson's rule.
fn host(price: f32, strike: f32, years: f32) -> f64 {
    let (price, strike, years) = (f64::from(price), f64::from(strike), f64::from(years));
    let (rate, volatility) = (f64::from(RATE), f64::from(VOLATILITY));
    let drift = (rate - 0.5 * volatility * volatility) * years;
    // From where on it pays, as a multiple of the spread; beyond 8 there is nothing to see.
    let from = ((strike / price).ln() - drift) / (volatility * years.sqrt());
    let steps = 2000;
    let step = (8.0_f64.max(from + 8.0) - from) / f64::from(steps);
    let paid = |z: f64| {
        let pays = price * (drift + volatility * years.sqrt() * z).exp() - strike;
        pays * (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt()
    };
    let weight = |i| if i == 0 || i == steps { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    let sum: f64 = (0..=steps).map(|i| weight(i) * paid(from + step * f64::from(i))).sum();
    (-rate * years).exp() * sum * step / 3.0
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let mut random = Random::new(9);
    let price = random.floats(200, 5.0, 30.0);
    let strike = random.floats(200, 5.0, 30.0);
    let years = random.floats(200, 0.25, 5.0);
    let (mut call, mut put) = (vec![0.0; 200], vec![0.0; 200]);
    let grid = Grid::covering(price.len(), 64);
    let report = gpu.launch(grid, black_scholes(&price, &strike, &years, &mut call, &mut put))?;

    let calls: Vec<f64> = (0..200).map(|i| host(price[i], strike[i], years[i])).collect();
    // Put and call differ by what a forward is worth.
    let forward =
        |i: usize| f64::from(strike[i]) * (f64::from(-RATE) * f64::from(years[i])).exp() - f64::from(price[i]);
    let puts: Vec<f64> = (0..200).map(|i| calls[i] + forward(i)).collect();
    // Prices up to 30 in `f32`, and a polynomial of 7 digits.
    assert_close(&call, &calls, 5e-5);
    assert_close(&put, &puts, 5e-5);
    Ok(report)
}
