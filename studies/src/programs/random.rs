//! Input that looks random and is the same on every machine.

/// Knuth's linear congruential generator of 64 bits (MMIX), of which it gives the upper half.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(end)) >> 32) as u32
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.bits() as f32 / u32::MAX as f32)
    }

    /// As many numbers from `low` to `high`.
    pub(crate) fn floats(&mut self, count: usize, low: f32, high: f32) -> Vec<f32> {
        (0..count).map(|_| self.between(low, high)).collect()
    }

    /// A number of the normal distribution, nearly: the sum of twelve numbers from 0 to 1, of which 6 is taken.
    pub(crate) fn normal(&mut self) -> f32 {
        (0..12).map(|_| self.between(0.0, 1.0)).sum::<f32>() - 6.0
    }
}
