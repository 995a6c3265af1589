//! Every policy, at every warp width, on random kernels: the results are those of the reference.

use simt_runtime::{
    ByPc, FallThroughFirst, Ipdom, LargerFirst, LowestPc, Policy, SmallerFirst, StackLess, TokenStack, WarpSubdivision,
    for_each_policy,
};
use simt_testing::{Faults, check_policy};

/// How many kernels: `SIMT_CASES`, or as many as take a minute.
fn cases() -> u64 {
    std::env::var("SIMT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1000)
}

#[test]
fn random_kernels_give_the_reference_results_under_every_policy() {
    for_each_policy!(P => check_policy::<P>(0..cases(), Faults::Never).unwrap_or_else(|error| panic!("{error}")));
}

#[test]
fn random_kernels_that_fault_leave_no_trace_under_any_policy() {
    for_each_policy!(P => check_policy::<P>(1 << 32..(1 << 32) + cases() / 2, Faults::Sometimes).unwrap_or_else(|error| panic!("{error}")));
}

/// Variants that `for_each_policy!` leaves out, because it has others of their mechanism.
#[test]
fn the_other_variants_give_the_reference_results() {
    fn check<P: Policy>() {
        check_policy::<P>(0..200, Faults::Never).unwrap_or_else(|error| panic!("{error}"));
    }
    check::<Ipdom<FallThroughFirst>>();
    check::<Ipdom<LargerFirst>>();
    check::<TokenStack<SmallerFirst>>();
    check::<StackLess<LowestPc>>();
    check::<WarpSubdivision<ByPc>>();
}
