//! Every policy, at every warp width, on random kernels: the results are those of the reference.

use simt_runtime::{
    ByPc, FallThroughFirst, Ipdom, LargerFirst, LowestPc, Policy, SmallerFirst, StackLess, TokenStack, WarpSubdivision,
    for_each_policy,
};
use simt_testing::{ConformanceCase, Faults, check_policy};
use std::ops::Range;

/// How many kernels: `SIMT_CASES`, or as many as take a minute.
fn cases() -> u64 {
    std::env::var("SIMT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1000)
}

/// Each kernel once, and under all policies: making it takes longer than running it.
fn check_all(seeds: Range<u64>, faults: Faults) {
    for seed in seeds {
        let case = ConformanceCase::new(seed, faults).unwrap_or_else(|error| panic!("{error}"));
        for_each_policy!(P => case.check::<P>().unwrap_or_else(|error| panic!("{error}")));
    }
}

#[test]
fn random_kernels_give_the_reference_results_under_every_policy() {
    check_all(0..cases(), Faults::Never);
}

#[test]
fn random_kernels_that_fault_leave_no_trace_under_any_policy() {
    check_all(1 << 32..(1 << 32) + cases() / 2, Faults::Sometimes);
}

#[test]
fn random_kernels_that_overflow_fault_as_the_reference_does() {
    for seed in 0..cases() / 4 {
        let case = ConformanceCase::strict(seed).unwrap_or_else(|error| panic!("{error}"));
        for_each_policy!(P => case.check::<P>().unwrap_or_else(|error| panic!("{error}")));
    }
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
