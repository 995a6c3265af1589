//! Comparison of floats that were not computed by the same operations in the same order.

/// Asserts that each value is within `tolerance` of the expected one.
#[track_caller]
pub(super) fn assert_close(found: &[f32], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (i, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        let difference = (f64::from(found) - expected).abs();
        assert!(difference <= tolerance, "at index {i}: {found} instead of {expected}");
    }
}
