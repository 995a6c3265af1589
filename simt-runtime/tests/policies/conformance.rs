//! Every policy, at every warp width, on random kernels: the results are those of the reference.

use simt_runtime::{
    BranchLimited, ByPc, FallThroughFirst, Ipdom, LargerFirst, LowestPc, Policy, SmallerFirst, StackLess, TokenStack,
    WarpSubdivision, for_each_policy,
};
use simt_testing::{ConformanceCase, Construct, Faults, check_policy, check_policy_together};
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

/// What kernels have where it is asked for: arrays without a length or values, barriers, votes, shuffles, strict operations.
fn check_constructs(seeds: Range<u64>, faults: Faults) {
    for seed in seeds {
        let case = ConformanceCase::with_constructs(seed, faults, &Construct::drawn(seed));
        let case = case.unwrap_or_else(|error| panic!("{error}"));
        for_each_policy!(P => case.check::<P>().unwrap_or_else(|error| panic!("{error}")));
    }
}

#[test]
fn kernels_with_constructs_give_the_reference_results_under_every_policy() {
    check_constructs(0..cases() / 4, Faults::Never);
}

#[test]
fn kernels_with_constructs_that_fault_leave_no_trace_under_any_policy() {
    check_constructs(1 << 32..(1 << 32) + cases() / 8, Faults::Sometimes);
}

/// Variants that `for_each_policy!` leaves out, because it has others of their mechanism.
#[test]
fn the_other_variants_give_the_reference_results() {
    fn check<P: Policy>() {
        check_policy::<P>(0..200, Faults::Never).unwrap_or_else(|error| panic!("{error}"));
        check_policy_together::<P>(0..60, Faults::Never).unwrap_or_else(|error| panic!("{error}"));
    }
    check::<Ipdom<FallThroughFirst>>();
    check::<Ipdom<LargerFirst>>();
    check::<TokenStack<SmallerFirst>>();
    check::<StackLess<LowestPc>>();
    check::<WarpSubdivision<ByPc>>();
    check::<WarpSubdivision<BranchLimited>>();
}
