//! Division by numbers that are known at the start of a launch, most often powers of two.

/// A divisor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Divisor {
    by: u64,
    /// The exponent of the divisor, if it is a power of two.
    shift: Option<u32>,
}

impl Divisor {
    /// `by` is at least 1.
    pub(super) fn new(by: u64) -> Self {
        Self { by, shift: by.is_power_of_two().then(|| by.trailing_zeros()) }
    }

    /// Quotient and remainder.
    pub(super) fn split(self, value: u64) -> (u64, u64) {
        match self.shift {
            Some(shift) => (value >> shift, value & (self.by - 1)),
            None => (value / self.by, value % self.by),
        }
    }

    /// The product with the divisor.
    pub(super) fn times(self, value: u64) -> u64 {
        value * self.by
    }
}
