//! Launches that do not end: what is proved of them and how early, and which limit stops the others.

use simt::environment::MemoryModel;
use simt::error::LivelockProof;
use simt::for_each_warp_policy;
use simt::observe::IssueTrace;
use simt::policy::RoundRobin;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

#[kernel]
fn flagged(flag: &[AtomicU32]) {
    while flag[0].load(Relaxed) == 0 {}
}

/// As `flagged`, with loads that no thread is to see the change of: warps run one after the other.
#[kernel]
fn plainly_flagged(flag: &mut [u32]) {
    while flag[0] == 0 {}
}

/// One of the lanes has the lock for ever; the attempts of the others change nothing.
#[kernel]
fn attempts(lock: &[AtomicU32]) {
    while lock[0].compare_exchange(1, 2, Acquire, Relaxed).is_err() && lock[0].swap(0, Relaxed) == 0 {}
}

#[kernel]
fn toggles(x: &mut [u32]) {
    loop {
        x[0] = 1 - x[0];
        if x[0] == 7 {
            break;
        }
    }
}

#[kernel]
fn counts(x: &[AtomicU32]) {
    loop {
        x[0].fetch_add(1, Relaxed);
    }
}

/// Each lane counts in a register, and never comes so far.
#[kernel]
fn counts_alone(x: &mut [u32]) {
    let mut k = 0u64;
    while k != u64::MAX {
        k += 1;
    }
    x[0] = k as u32;
}

/// Takes a lock and gives it back, again and again: in the end all is as it was, and was not meanwhile.
#[kernel]
fn takes_and_gives(lock: &[AtomicU32]) {
    if lane_id() != 0 {
        return;
    }
    loop {
        if lock[0].swap(1, Acquire) == 0 {
            lock[0].store(0, Release);
        }
    }
}

#[kernel]
fn meets_and_counts(x: &mut [u32]) {
    let i = global_id();
    loop {
        x[i] += 1;
        sync_threads();
    }
}

#[kernel]
fn adds(x: &mut [u32]) {
    x[global_id()] += 1;
}

fn zeros() -> [AtomicU32; 2] {
    [AtomicU32::new(0), AtomicU32::new(0)]
}

#[track_caller]
fn proof(result: Result<Report, LaunchError>) -> LivelockProof {
    match result {
        Err(LaunchError::Livelock(livelock)) => livelock.proof,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it ends"),
    }
}

/// The proof for policies that keep warps together, and for those that decide on all threads.
fn expected<P: Policy>(of_warps: LivelockProof) -> LivelockProof {
    let regroups = P::name().starts_with("Dwf") || P::name() == "BlockCompaction";
    if regroups { LivelockProof::ThisPolicy } else { of_warps }
}

#[test]
fn a_spin_of_many_warps_is_proved_early() {
    for_each_policy!(P => {
        // What is not proved within so much ends at another limit.
        let gpu = Gpu::<P>::default().with_work_limit(1 << 22).with_ends_under_limit(0);
        let found = proof(gpu.launch(Grid::new(4, 1024), flagged(&zeros())));
        assert_eq!(found, expected::<P>(LivelockProof::EverySchedule), "{}", P::name());
    });
}

#[test]
fn what_writes_what_was_there_changes_nothing() {
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default().with_progress_limit(1 << 20).with_ends_under_limit(0);
        let found = proof(gpu.launch(Grid::new(1, 64), attempts(&zeros())));
        if P::name() == "Dwf<PdomPriority>" {
            // It counts what threads have passed, and in this loop they pass something each time.
            assert!(!found.is_proved(), "{found:?}");
        } else {
            assert_eq!(found, expected::<P>(LivelockProof::EverySchedule), "{}", P::name());
        }
    });
}

#[test]
fn where_warps_run_one_after_the_other_that_is_said() {
    let gpu = Gpu::<Ipdom>::default().with_ends_under_limit(0);
    let error = gpu.launch(Grid::new(1, 64), plainly_flagged(&mut [0])).unwrap_err();
    assert!(error.to_string().contains("run one after the other"), "{error}");
    assert_eq!(proof(Err(error)), LivelockProof::OneAfterTheOther);
    // Of the last warp no other of the block is left.
    assert_eq!(proof(gpu.launch(Grid::new(1, 32), plainly_flagged(&mut [0]))), LivelockProof::EverySchedule);
}

#[test]
fn one_warp_that_comes_back_memory_and_all_is_proved() {
    for_each_policy!(P => {
        let mut x = [0];
        let gpu = Gpu::<P>::default().with_work_limit(1 << 20).with_ends_under_limit(0);
        let found = proof(gpu.launch(Grid::new(1, 32), toggles(&mut x)));
        assert_eq!((found, x), (expected::<P>(LivelockProof::EverySchedule), [0]), "{}", P::name());
    });
}

#[test]
fn what_changes_memory_is_given_up_and_not_proved() {
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default().with_progress_limit(1 << 18).with_ends_under_limit(0);
        let error = gpu.launch(Grid::new(1, 32), counts(&zeros())).unwrap_err();
        let text = error.to_string();
        for part in ["no-progress", "never ends is not proved", "with_progress_limit", "counts", &format!("under {}", P::name())] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("for ever") && !text.contains("livelock"), "{text}");
        let LaunchError::Livelock(livelock) = &error else { panic!("{error}") };
        let LivelockProof::GivenUp { work, barriers: false } = livelock.proof else { panic!("{:?}", livelock.proof) };
        assert!((1 << 18..1 << 20).contains(&work), "{work}");
        assert_eq!((livelock.policy, livelock.proof.is_proved()), (P::name(), false));
        assert_eq!(livelock.spins[0].reads[0].name, "x");
    });
    assert_shown!("given_up", {
        let gpu = Gpu::<Ipdom>::default().with_progress_limit(1 << 18).with_ends_under_limit(0);
        gpu.launch(Grid::new(1, 4), counts_alone(&mut [0])).unwrap_err()
    });
}

#[test]
fn what_is_taken_and_given_back_is_not_unchanged() {
    for_each_warp_policy!(P => {
        let gpu = Gpu::<P>::default().with_progress_limit(1 << 18).with_ends_under_limit(0);
        let found = proof(gpu.launch(Grid::new(1, 64), takes_and_gives(&zeros())));
        assert!(!found.is_proved(), "{}: {found:?}", P::name());
    });
}

#[test]
fn lanes_of_atomics_count_one_by_one() {
    let issues = |threads| {
        let mut trace = IssueTrace::default();
        let gpu = Gpu::<Ipdom>::default().with_progress_limit(1 << 16).with_ends_under_limit(0);
        assert!(gpu.launch_observed(Grid::new(1, threads), counts(&zeros()), &mut trace).is_err());
        trace.issues().len()
    };
    let (one, many) = (issues(1), issues(32));
    assert!(one > 8 * many, "{one} issues of one lane, {many} of 32");
}

#[test]
fn barriers_that_open_are_progress_for_a_while() {
    let gpu = Gpu::<Ipdom>::default().with_progress_limit(1 << 14).with_ends_under_limit(0);
    let found = proof(gpu.launch(Grid::new(1, 64), meets_and_counts(&mut [0; 64])));
    let LivelockProof::GivenUp { work, barriers: true } = found else { panic!("{found:?}") };
    assert!(work > 1 << 17, "{work}");
}

#[test]
fn a_launch_has_a_limit_if_it_is_said() {
    for_each_policy!(P => {
        let mut x = vec![0; 3200];
        let gpu = Gpu::<P>::default().with_work_limit(1 << 8);
        let error = gpu.launch(Grid::new(100, 32), adds(&mut x)).unwrap_err();
        let LaunchError::WorkLimit(stop) = &error else { panic!("{error}") };
        assert_eq!((stop.limit, stop.policy, &x), (1 << 8, P::name(), &vec![0; 3200]));
        assert!(error.to_string().contains("with_work_limit"), "{error}");
        assert!(Gpu::<P>::default().with_work_limit(1 << 14).launch(Grid::new(100, 32), adds(&mut x)).is_ok());
    });
}

#[test]
fn a_launch_has_a_time_limit_if_it_is_said() {
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default().with_time_limit_ms(5).with_ends_under_limit(0);
        let error = gpu.launch(Grid::new(1, 32), counts(&zeros())).unwrap_err();
        let LaunchError::TimeLimit(stop) = &error else { panic!("{error}") };
        assert_eq!((stop.limit, error.kernel()), (5, "counts"));
        assert!(error.to_string().contains("with_time_limit_ms"), "{error}");
    });
}

#[test]
fn with_a_clock_spins_are_proved_and_others_given_up() {
    for config in [GpuConfig::fung2009(), GpuConfig::fermi(), GpuConfig::turing()] {
        let gpu = Gpu::<Ipdom>::new(config).with_progress_limit(1 << 22).with_ends_under_limit(0);
        let found = proof(gpu.launch(Grid::new(8, 256), flagged(&zeros())));
        assert_eq!(found, LivelockProof::EverySchedule);
        let found = proof(gpu.launch(Grid::new(8, 256), counts(&zeros())));
        assert!(!found.is_proved(), "{found:?}");
    }
    // A policy that decides by time may decide otherwise the next time.
    let gpu = Gpu::<Dwf<Majority>>::new(GpuConfig::turing()).with_progress_limit(1 << 20).with_ends_under_limit(0);
    assert!(!proof(gpu.launch(Grid::new(2, 64), flagged(&zeros()))).is_proved());
}

/// The limit of a block alone is lower than that of a machine full of blocks.
#[test]
fn blocks_that_run_at_a_time_may_do_more_together() {
    let ends = |blocks: usize, times: u32| {
        let gpu = Gpu::<Ipdom>::new(GpuConfig::turing()).with_progress_limit(1 << 18).with_ends_under_limit(0);
        gpu.launch(Grid::new(blocks, 32), busy(&mut vec![0; 32 * blocks], times)).is_ok()
    };
    // Of one warp some 2^14 instructions, of 32 each some 2^14 / 32 * 5.
    assert!(ends(1, 1500) && !ends(1, 10_000));
    assert!(ends(32, 250) && !ends(32, 2000));
}

/// With a clock a lane of an atomic may be a transaction, and counts as many units as an instruction.
#[test]
fn with_a_clock_lanes_of_atomics_count_as_instructions() {
    let gpu = Gpu::<Ipdom>::new(GpuConfig::volta()).with_progress_limit(1 << 20).with_ends_under_limit(0);
    let ends = |times| gpu.launch(Grid::new(1, 32), adds_often(&zeros(), times)).is_ok();
    // 16 units for each of 32 lanes: 2^11 times.
    assert!(ends(1000) && !ends(1 << 11));
}

/// The units of an instruction are more there than with a clock.
#[test]
fn on_the_environment_instructions_count_for_more() {
    let config = GpuConfig { memory: MemoryModel::Environment(Default::default()), ..GpuConfig::functional() };
    let gpu = Gpu::<Ipdom>::new(config).with_progress_limit(1 << 18).with_ends_under_limit(0);
    let ends = |times| gpu.launch(Grid::new(1, 32), busy(&mut [0; 32], times)).is_ok();
    // 2^10 instructions.
    assert!(ends(100) && !ends(1 << 10));
}

#[test]
fn other_policies_are_tried_within_a_limit_of_their_own() {
    // One lane has the lock and waits for the others, which spin.
    let launch = |limit| {
        let gpu = Gpu::<Ipdom>::default().with_ends_under_limit(limit);
        match gpu.launch(Grid::new(1, 32), locked(&zeros())) {
            Err(LaunchError::Livelock(livelock)) => livelock.ends_under,
            other => panic!("{other:?}"),
        }
    };
    assert!(launch(0).is_empty() && launch(50).is_empty());
    assert!(launch(1 << 22).contains(&"Mimd"));
}

#[kernel]
fn locked(lock: &[AtomicU32]) {
    while lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
    lock[0].store(0, Release);
}

#[kernel]
fn prints_for_ever(x: &mut [u32]) {
    let mut k = 0u32;
    loop {
        println!("{k}");
        k += 1;
        if k == 0 {
            x[0] = 1;
        }
    }
}

#[test]
fn lines_are_work() {
    for config in [GpuConfig::functional(), GpuConfig::turing()] {
        let gpu = Gpu::<Ipdom>::new(config).with_progress_limit(1 << 18).with_ends_under_limit(0);
        let (mut x, mut trace) = ([7], IssueTrace::with_limit(1));
        let error = gpu.launch_observed(Grid::new(1, 32), prints_for_ever(&mut x), &mut trace).expect_err("no end");
        assert!(matches!(error, LaunchError::Livelock(_)), "{error}");
        // 2^18 units are 2^12 lines of 64 units, and less than 2^7 times a loop of five instructions for 32 lanes.
        assert!(trace.dropped() < 1 << 15, "{} issues", trace.dropped());
        assert_eq!(x, [7]);
    }
}

#[test]
fn the_largest_limit_is_none() {
    for config in [GpuConfig::functional(), GpuConfig::turing()] {
        let gpu = Gpu::<Ipdom>::new(config).with_progress_limit(u64::MAX);
        let report = gpu.launch(Grid::new(1, 32), busy(&mut [0; 32], 20_000)).expect("it ends");
        assert!(report.issues() > 20_000);
    }
}

#[kernel]
fn busy(x: &mut [u32], n: u32) {
    let mut s = 1u32;
    for _ in 0..n {
        s = s * 1664525 + 1013904223;
    }
    x[global_id()] = s;
}

#[kernel]
fn adds_often(x: &[AtomicU32], times: u32) {
    for _ in 0..times {
        x[0].fetch_add(1, Relaxed);
    }
}

/// Some of these end in the very turn after which the search for a proof begins.
#[test]
fn what_has_just_ended_does_not_go_round() {
    fn sums<P: Policy>(warps: u32) {
        for times in (1660..1740).step_by(2) {
            let x = zeros();
            let launched = Gpu::<P>::default().launch(Grid::new(warps as usize, 32), adds_often(&x, times));
            assert!(launched.is_ok(), "{times}: {}", launched.unwrap_err());
            assert_eq!(x[0].load(Relaxed), times * warps * 32);
        }
    }
    sums::<Ipdom>(1);
    sums::<Hanoi>(3);
    sums::<StackLess<RoundRobin>>(1);
}

#[kernel]
fn printing() {
    println!("line");
}

#[test]
fn a_warp_that_ends_at_once_may_do_no_more_than_others() {
    // Each of its 32 lines is 64 units of work.
    let run = |gpu: &Gpu<Ipdom>, limit| gpu.clone().with_progress_limit(limit).launch(Grid::new(1, 32), printing());
    for gpu in [Gpu::default(), Gpu::default().with_work_limit(u64::MAX)] {
        let error = run(&gpu, 2000).expect_err("it does more");
        assert!(error.to_string().contains("with_progress_limit"), "{error}");
        assert!(run(&gpu, 3000).is_ok());
    }
}
