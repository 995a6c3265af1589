//! Meanings of operations on floats.

/// A float without subnormal numbers: these become zeros of their sign (PTX `.ftz`).
pub(super) fn flushed(value: f32) -> f32 {
    if value.is_subnormal() { 0f32.copysign(value) } else { value }
}

/// A float between 0 and 1; a NaN becomes 0 (PTX `.sat`).
pub(super) fn saturated(value: f32) -> f32 {
    // Not `clamp`, which keeps a NaN and the sign of zero.
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

/// As [`saturated`].
pub(super) fn saturated_double(value: f64) -> f64 {
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

/// `1 / sqrt(value)`, rounded once: 53 bits are more than twice 24 and two.
pub(super) fn reciprocal_root(value: f32) -> f32 {
    (1.0 / f64::from(value).sqrt()) as f32
}
