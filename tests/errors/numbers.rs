//! Numeric methods where they have no result: what std's panic on, too.

use simt::KernelCall;
use simt::error::FaultKind;
use simt::prelude::*;

#[rustfmt::skip]
mod kernels {
    use simt::prelude::*;

    #[kernel]
    pub(super) fn digits(n: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = n[i].ilog10() + 1;
    }

    #[kernel]
    pub(super) fn root(n: &[i64], out: &mut [i64]) {
        let i = global_id();
        if n[i] < 100 { out[i] = n[i].isqrt(); }
    }

    #[kernel]
    pub(super) fn limited(x: &[f32], low: f32, out: &mut [f32]) {
        let i = global_id();
        out[i] = x[i].clamp(low, 1.0);
    }

    #[kernel]
    pub(super) fn wrapped(n: &[i8], m: i8, out: &mut [i8]) {
        let i = global_id();
        out[i] = n[i].rem_euclid(m);
    }
}

/// The fault of the lowest thread that faults, and the whole error.
#[track_caller]
fn fault(call: KernelCall<'_>) -> (FaultKind, usize, LaunchError) {
    let error = Gpu::<Ipdom>::default().with_warp_width(4).launch(Grid::new(1, 4), call).expect_err("it faults");
    match &error {
        LaunchError::Fault(fault) => (fault.kind.clone(), fault.thread.global_id, error),
        other => panic!("not a fault: {other}"),
    }
}

#[test]
fn the_logarithm_of_zero() {
    let mut out = [7; 4];
    let (kind, thread, error) = fault(kernels::digits(&[1, 10, 0, 0], &mut out));
    assert!(matches!(kind, FaultKind::NoResult { method: "ilog10", .. }), "{kind:?}");
    assert_eq!((thread, out), (2, [7; 4]));
    assert_shown!("logarithm", error);
}

#[test]
fn the_root_of_a_negative_number() {
    let (_, thread, error) = fault(kernels::root(&[100, -1, 4, -9], &mut [0; 4]));
    assert_eq!(thread, 1);
    assert_shown!("root", error);
}

#[test]
fn bounds_that_are_not_in_order() {
    let (_, thread, error) = fault(kernels::limited(&[0.5; 4], 1.5, &mut [0.0; 4]));
    assert_eq!(thread, 0);
    assert_shown!("bounds", error);
}

#[test]
fn a_euclidean_remainder_by_zero_is_a_remainder_by_zero() {
    let (kind, ..) = fault(kernels::wrapped(&[-7; 4], 0, &mut [0; 4]));
    assert_eq!(kind, FaultKind::RemainderByZero { dividend: "-7".into() });
}
