//! Black-Scholes: prices of European call and put options, an option a thread, as in the CUDA samples, with their
//! polynomial for the normal distribution (Abramowitz and Stegun 26.2.17).
//!
//! In TACO'09 transcendental functions are software (section 6.2). Here they are fdlibm's `expf` and `logf` (Sun
//! Microsystems 1993, in `f32` by I. L. Taylor), whose ranges are short blocks, some of them rarely executed.

use simt::prelude::*;

use super::{Machine, Size};

/// Interest and volatility of a year.
const RATE: f32 = 0.02;
const VOLATILITY: f32 = 0.3;

const LN2_HIGH: f32 = 6.931_381e-1;
const LOG2_E: f32 = std::f32::consts::LOG2_E;
const LN2_LOW: f32 = 9.058_001e-6;

/// `e_expf.c`
#[device]
fn exp(x: f32) -> f32 {
    let negative = x < 0.0;
    let high_word = x.to_bits() & 0x7fff_ffff;
    if high_word >= 0x42b1_7218 {
        if x > 88.721_68 {
            return f32::INFINITY;
        }
        if x < -103.972_08 {
            return 0.0;
        }
    }
    let mut k = 0;
    let (mut high, mut low) = (x, 0.0);
    if high_word > 0x3eb1_7218 {
        if high_word < 0x3f85_1592 {
            if negative {
                high = x + LN2_HIGH;
                low = -LN2_LOW;
                k = -1;
            } else {
                high = x - LN2_HIGH;
                low = LN2_LOW;
                k = 1;
            }
        } else {
            let half = if negative { -0.5 } else { 0.5 };
            k = (LOG2_E * x + half) as i32;
            high = x - k as f32 * LN2_HIGH;
            low = k as f32 * LN2_LOW;
        }
    } else if high_word < 0x3180_0000 {
        return 1.0 + x;
    }
    let r = high - low;
    let t = r * r;
    let c =
        r - t * (0.166_666_67 + t * (-2.777_777_8e-3 + t * (6.613_756e-5 + t * (-1.653_390_2e-6 + t * 4.138_137e-8))));
    if k == 0 {
        return 1.0 - ((r * c) / (c - 2.0) - r);
    }
    let y = 1.0 - ((low - (r * c) / (2.0 - c)) - high);
    if k >= -125 {
        f32::from_bits(y.to_bits().wrapping_add((k as u32) << 23))
    } else {
        f32::from_bits(y.to_bits().wrapping_add(((k + 100) as u32) << 23)) * 7.888_609e-31
    }
}

/// `e_logf.c`, of positive numbers.
#[device]
fn log(x: f32) -> f32 {
    let mut word = x.to_bits() as i32;
    let mut k = 0;
    if word < 0x0080_0000 {
        k = -25;
        word = (x * 33_554_432.0).to_bits() as i32;
    }
    if word >= 0x7f80_0000 {
        return x + x;
    }
    k += (word >> 23) - 127;
    word &= 0x007f_ffff;
    let i = (word + (0x95f64 << 3)) & 0x0080_0000;
    k += i >> 23;
    let f = f32::from_bits((word | (i ^ 0x3f80_0000)) as u32) - 1.0;
    let exponent = k as f32;
    if (0x007f_ffff & (15 + word)) < 16 {
        if f == 0.0 {
            if k == 0 {
                return 0.0;
            }
            return exponent * LN2_HIGH + exponent * LN2_LOW;
        }
        let r = f * f * (0.5 - 0.333_333_34 * f);
        if k == 0 {
            return f - r;
        }
        return exponent * LN2_HIGH - ((r - exponent * LN2_LOW) - f);
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (0.4 + w * (0.222_221_98 + w * 0.153_138_38));
    let odd = z * (0.666_666_7 + w * (0.285_714_3 + w * (0.181_835_72 + w * 0.147_981_98)));
    let r = even + odd;
    if ((word - (0x6147a << 3)) | ((0x6b851 << 3) - word)) > 0 {
        let half = 0.5 * f * f;
        if k == 0 {
            return f - (half - s * (half + r));
        }
        exponent * LN2_HIGH - ((half - (s * (half + r) + exponent * LN2_LOW)) - f)
    } else {
        if k == 0 {
            return f - s * (f - r);
        }
        exponent * LN2_HIGH - ((s * (f - r) - exponent * LN2_LOW) - f)
    }
}

/// The normal distribution.
#[device]
fn normal(x: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let powers = k * (0.319_381_54 + k * (-0.356_563_78 + k * (1.781_477_9 + k * (-1.821_255_9 + k * 1.330_274_4))));
    let tail = 0.398_942_3 * exp(-0.5 * x * x) * powers;
    if x > 0.0 { 1.0 - tail } else { tail }
}

#[kernel]
pub(crate) fn black_scholes(
    threads: usize,
    price: &[f32],
    strike: &[f32],
    years: &[f32],
    call: &mut [f32],
    put: &mut [f32],
) {
    let mut i = global_id();
    while i < price.len() {
        let (s, x, t) = (price[i], strike[i], years[i]);
        let spread = VOLATILITY * t.sqrt();
        let d1 = (log(s / x) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * t) / spread;
        let n1 = normal(d1);
        let n2 = normal(d1 - spread);
        let discounted = x * exp(-RATE * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0 - n2) - s * (1.0 - n1);
        i += threads;
    }
}

/// The same in twice the precision, with the functions of the host.
fn host(price: f32, strike: f32, years: f32) -> [f64; 2] {
    let [s, x, t] = [price, strike, years].map(f64::from);
    let (rate, volatility) = (f64::from(RATE), f64::from(VOLATILITY));
    let normal = |x: f64| {
        let k = 1.0 / (1.0 + 0.231_641_9 * x.abs());
        let factors = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530];
        let powers = factors.iter().fold(0.0, |sum, factor| (sum + factor) * k);
        let tail = 0.398_942_280_401 * (-0.5 * x * x).exp() * powers;
        if x > 0.0 { 1.0 - tail } else { tail }
    };
    let spread = volatility * t.sqrt();
    let d1 = ((s / x).ln() + (rate + 0.5 * volatility * volatility) * t) / spread;
    let (n1, n2, discounted) = (normal(d1), normal(d1 - spread), x * (-rate * t).exp());
    [s * n1 - discounted * n2, discounted * (1.0 - n2) - s * (1.0 - n1)]
}

/// Launches the program, and compares with plain Rust.
pub(crate) fn run(machine: &mut dyn Machine, size: &Size) -> Result<(), LaunchError> {
    let threads = size.choose(128, 3 * 768 * size.cores, 80 * 768 * size.cores);
    let count = threads;
    let mut random = size.random(1973);
    // The ranges of the CUDA samples: options in and out of the money, near and far.
    let price = random.floats(count, 5.0, 30.0);
    let strike = random.floats(count, 1.0, 100.0);
    let years = random.floats(count, 0.25, 10.0);
    let (mut call, mut put) = (vec![0.0; count], vec![0.0; count]);
    machine.launch(size.grid(threads), black_scholes(threads, &price, &strike, &years, &mut call, &mut put))?;
    for i in 0..count {
        let [expected_call, expected_put] = host(price[i], strike[i], years[i]);
        // Prices up to 100 in `f32`, and a polynomial of 7 digits.
        let close = |found: f32, expected: f64| (f64::from(found) - expected).abs() < 2e-4;
        assert!(close(call[i], expected_call) && close(put[i], expected_put), "option {i}: {} {}", call[i], put[i]);
    }
    Ok(())
}
