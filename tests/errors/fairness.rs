//! Threads that wait for others: which kernels end and which are stopped, as the literature has it.
//!
//! Programs 2, 3 and 4 of Habermaier and Knapp, "On the Correctness of the SIMT Execution Model of GPUs" (ESOP 2012),
//! section 5: under a fair interleaving all of them end.

use crate::kernels;
use simt::error::StepLimit;
use simt::prelude::*;
use simt::{Dim3, KernelCall};

#[kernel]
fn program_2_swapped(lock: &mut [u32]) {
    if global_id() != 0 {
        while lock[0] != 1 {}
    } else {
        lock[0] = 1;
    }
}

#[kernel]
fn program_3(lock: &mut [u32]) {
    while lock[0] != global_id() as u32 {}
    lock[0] += 1;
}

#[kernel]
fn program_4(next: &mut [u32]) {
    while next[0] != 32 {
        if global_id() as u32 == next[0] {
            next[0] += 1;
        }
    }
}

const LIMIT: u64 = 20_000;

/// The step limit that a launch of 32 threads ran into, if it did; whether it ended with `result`, otherwise.
fn launch<P: Policy>(kernel: for<'a> fn(&'a mut [u32]) -> KernelCall<'a>, result: u32) -> Result<(), Box<StepLimit>> {
    let mut word = [0];
    match Gpu::<P>::default().with_step_limit(LIMIT).launch(Grid::new(1, 32), kernel(&mut word)) {
        Ok(_) => {
            assert_eq!(word, [result]);
            Ok(())
        }
        Err(LaunchError::StepLimit(stop)) => {
            assert_eq!(word, [0], "a launch that was stopped leaves no trace");
            Err(stop)
        }
        Err(other) => panic!("{other}"),
    }
}

/// Under which policies a kernel ends.
fn ends(kernel: for<'a> fn(&'a mut [u32]) -> KernelCall<'a>, result: u32) -> Vec<&'static str> {
    let mut names = Vec::new();
    for_each_policy!(P => if launch::<P>(kernel, result).is_ok() {
        names.push(P::name());
    });
    names
}

#[test]
fn program_2_ends_only_where_the_writer_goes_first() {
    // The else path first, as the paper has it; so does Ipdom, for which the branch to the `else` is the taken path. The
    // `then` has the lower address.
    let dwf = ["Dwf<Minority>", "Dwf<TimeStamp>", "Dwf<LowestPc>", "Dwf<PdomPriority>"];
    let stacks = ["Ipdom<SmallerFirst>", "TokenStack<FallThroughFirst>", "MinPc"];
    let turns = [
        "StackLess<RoundRobin>",
        "StackLess<Oldest>",
        "StackLess<Random>",
        "Mimd",
        "WarpSubdivision",
        "MultiPath",
        "ConvergenceBarriers",
    ];
    assert_eq!(ends(kernels::spin, 1), [&stacks[..], &turns, &dwf].concat());
}

#[test]
fn program_2_ends_elsewhere_if_its_arms_are_swapped() {
    let regrouping = ["Dwf<Minority>", "Dwf<TimeStamp>", "Dwf<PdomPriority>", "BlockCompaction"];
    let stacks = ["Ipdom", "Ipdom<SmallerFirst>", "TokenStack", "NoReconvergence"];
    let turns = ["StackLess<RoundRobin>", "StackLess<Random>", "Mimd", "WarpSubdivision", "MultiPath"];
    let points = ["LikelyConvergence", "ConvergenceBarriers"];
    assert_eq!(ends(program_2_swapped, 1), [&stacks[..], &turns, &points, &regrouping].concat());
}

#[test]
fn program_3_ends_only_where_none_waits_behind_the_loop() {
    // A plain load does not show that the loop waits: under ConvergenceBarriers it has no `yield`.
    let fair = ["StackLess<RoundRobin>", "StackLess<Random>", "Mimd", "Dwf<TimeStamp>"];
    assert_eq!(ends(program_3, 32), [&["NoReconvergence"], &fair[..]].concat());
}

#[test]
fn program_4_ends_where_lanes_meet_in_each_iteration() {
    let dwf = ["Dwf<Minority>", "Dwf<TimeStamp>", "Dwf<LowestPc>", "Dwf<PdomPriority>"];
    let stacks = ["Ipdom", "Ipdom<SmallerFirst>", "TokenStack", "TokenStack<FallThroughFirst>", "MinPc"];
    let turns = ["StackLess<RoundRobin>", "StackLess<Oldest>", "StackLess<Random>", "Mimd", "WarpSubdivision"];
    let points = ["MultiPath", "LikelyConvergence", "Hanoi", "ConvergenceBarriers"];
    assert_eq!(ends(program_4, 32), [&stacks[..], &turns, &points, &dwf, &["BlockCompaction"]].concat());
}

#[test]
fn a_launch_that_was_stopped_says_where_everyone_is() {
    let mut lock = [0];
    let gpu = Gpu::<Ipdom>::default().with_warp_width(8).with_step_limit(100);
    let error = gpu.launch(Grid::new(3, 12), kernels::spin(&mut lock)).expect_err("it spins");
    assert_eq!(error.line(), Some(kernels::SPIN));
    let LaunchError::StepLimit(stop) = &error else { panic!("{error}") };
    assert_eq!((stop.limit, stop.block, stop.warp, stop.policy), (100, Dim3 { x: 0, y: 0, z: 0 }, 0, "Ipdom"));
    assert_eq!((stop.thread.lane, stop.thread.global_id), (1, 1));
    let splits: Vec<_> = stop.splits.iter().map(|(mask, place)| (mask.digits(8), place.span.line)).collect();
    assert_eq!(splits, [("01111111".to_string(), kernels::SPIN), ("10000000".to_string(), kernels::SPIN - 2)]);
    assert_shown!("spin", error);
}

#[test]
fn an_endless_loop_is_stopped_under_every_policy() {
    for_each_policy!(P => {
        let mut x = [1, 1, 2, 1, 1, 1];
        let gpu = Gpu::<P>::default().with_warp_width(4).with_step_limit(1000);
        let error = gpu.launch(Grid::new(1, 6), kernels::endless(&mut x)).expect_err("thread 2 never ends");
        let lines = kernels::ENDLESS..=kernels::ENDLESS + 2;
        assert!(error.line().is_some_and(|line| lines.contains(&line)), "{error}");
        assert_eq!(error.thread().map(|thread| thread.lane), Some(2), "{error}");
        assert_eq!(x, [1, 1, 2, 1, 1, 1]);
    });
    let mut x = [2; 4];
    let gpu = Gpu::<TokenStack>::default().with_warp_width(4).with_step_limit(1000);
    assert_shown!("endless", gpu.launch(Grid::new(1, 4), kernels::endless(&mut x)).expect_err("it never ends"));
}

#[test]
fn the_limit_is_one_warps_and_does_not_stop_what_ends_within_it() {
    for_each_policy!(P => {
        let mut x = [0; 8];
        let gpu = Gpu::<P>::default().with_warp_width(8);
        let report = gpu.launch(Grid::new(1, 8), program_4_small(&mut x)).unwrap_or_else(|error| panic!("{error}"));
        let issues = report.issues() + report.marker_issues();
        // Ten warps issue ten times as much in all.
        let mut x = [0; 80];
        let limited = gpu.clone().with_step_limit(issues).launch(Grid::new(10, 8), program_4_small(&mut x));
        assert!(limited.is_ok(), "under {}", P::name());
        let mut x = [0; 8];
        let limited = gpu.with_step_limit(issues / 2).launch(Grid::new(1, 8), program_4_small(&mut x));
        assert!(matches!(limited, Err(LaunchError::StepLimit(_))), "under {}", P::name());
    });
}

#[kernel]
fn program_4_small(x: &mut [u32]) {
    let i = global_id();
    while x[i] < 5 {
        if x[i] != 2 {
            x[i] += 1;
        } else {
            x[i] += 2;
        }
    }
}
