//! What is uncertain: particles that follow a walk, options.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
pub(crate) struct Point {
    x: f32,
    y: f32,
}

/// A generator of random numbers (xorshift).
#[derive(Clone, Copy, KernelData)]
pub(crate) struct Noise(u32);

#[device]
impl Noise {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }
}

#[device]
pub(crate) trait Payoff {
    fn payoff(&self, price: f32) -> f32;

    /// The worth in a tree of prices that go up or down (Cox, Ross and Rubinstein).
    fn worth(&self, start: f32, up: f32) -> f32 {
        const STEPS: usize = 8;
        let chance = (1.0 - up.recip()) / (up - up.recip());
        let mut worth = [0.0; STEPS + 1];
        for (ups, worth) in worth.iter_mut().enumerate() {
            *worth = self.payoff(start * up.powi(2 * ups as i32 - STEPS as i32));
        }
        for step in (1..=STEPS).rev() {
            for k in 0..step {
                worth[k] = chance * worth[k + 1] + (1.0 - chance) * worth[k];
            }
        }
        worth[0]
    }
}

#[derive(Clone, Copy, KernelData)]
pub(crate) struct Call(f32);
#[derive(Clone, Copy, KernelData)]
pub(crate) struct Put(f32);

#[device]
impl Payoff for Call {
    fn payoff(&self, price: f32) -> f32 {
        (price - self.0).max(0.0)
    }
}

#[device]
impl Payoff for Put {
    fn payoff(&self, price: f32) -> f32 {
        (self.0 - price).max(0.0)
    }
}

kernels! {
    // Particles that follow a walk (particle filter): they move, and are weighed by what was seen.
    fn weigh(seen: Point, step: u32, particles: &mut [Point], weights: &mut [f32]) {
        let i = global_id();
        let mut noise = Noise((i as u32 + 1) * 7919 * step);
        let mut normal = || (0..12).map(|_| noise.next()).sum::<f32>() - 6.0;
        let particle = &mut particles[i];
        particle.x += 1.0 + 0.5 * normal();
        particle.y += 0.25 * normal();
        weights[i] = 1.0 / (0.05 + (particle.x - seen.x).powi(2) + (particle.y - seen.y).powi(2));
    }

    // They are drawn again, the heavy ones more often: each thread finds its own by the sums of weights.
    fn draw(particles: &[Point], sums: &[f32], offset: f32, out: &mut [Point]) {
        let i = global_id();
        let total = sums[sums.len() - 1];
        let wanted = (i as f32 + offset) / sums.len() as f32 * total;
        let drawn = sums.iter().position(|&sum| sum >= wanted).unwrap_or(0);
        out[i] = particles[drawn.min(particles.len() - 1)];
    }

    // What options are worth, calls and puts.
    fn options(prices: &[f32], strike: f32, out: &mut [(f32, f32)]) {
        let i = global_id();
        out[i] = (Call(strike).worth(prices[i], 1.1), Put(strike).worth(prices[i], 1.1));
    }
}

#[test]
fn particles_follow() {
    let mut particles = vec![Point::default(); 32];
    for step in 1..4 {
        let (seen, mut weights) = (Point { x: step as f32 * 1.25, y: step as f32 * 0.25 }, vec![0.0; 32]);
        agree!(Grid::new(2, 16), weigh(seen, step; particles, weights));
        let sums: Vec<f32> = weights
            .iter()
            .scan(0.0, |sum, w| {
                *sum += w;
                Some(*sum)
            })
            .collect();
        let mut drawn = vec![Point::default(); 32];
        agree!(Grid::new(2, 16), draw(&particles, &sums, 0.5; drawn));
        particles = drawn;
    }
    let mean = particles.iter().map(|p| p.x).sum::<f32>() / 32.0;
    assert!((mean - 3.75).abs() < 0.5, "{mean}");
}

#[test]
fn options_have_a_worth() {
    let prices: Vec<f32> = (0..10).map(|i| 60.0 + 10.0 * i as f32).collect();
    let mut out = vec![(0.0, 0.0); 10];
    agree!(Grid::new(1, 10), options(&prices, 100.0; out));
    // Without interest, a call is worth as much more than a put as the price is above the strike.
    assert!(prices.iter().zip(&out).all(|(price, (call, put))| (call - put - (price - 100.0)).abs() < 0.01), "{out:?}");
}
