//! Which kernels terminate: the programs of ESOP'12 and locks, with atomics, under every policy and width; elsewhere it is proved that
//! they do not. `tests/errors/fairness.rs` has the programs with plain slices, and step limits.

use simt::policy::{ByPc, Ends, FallThroughFirst, LargerFirst, SmallerFirst};
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Release};

use crate::waiting::{PROGRAMS, program_2, program_2_and_more};

/// Where the programs end under a policy, as it says of itself.
fn ends<P: Policy>() -> [bool; 7] {
    P::ends().unwrap_or_else(|| panic!("{}", must_be::<P>())).columns()
}

/// What a policy that is wrong about itself must say.
fn must_be<P: Policy>() -> String {
    let shown = PROGRAMS.map(|program| {
        [4, 32].map(|width| {
            let gpu = Gpu::<P>::default().with_warp_width(width);
            gpu.launch(Grid::new(1, 32), program(&[AtomicU32::new(0)])).is_ok()
        })
    });
    assert!(shown.iter().all(|[narrow, wide]| narrow == wide), "{}: {shown:?} in warps of 4 and 32", P::name());
    let ends = Ends::of_columns(shown.map(|[narrow, _]| narrow));
    format!("launches under {} show `const ENDS: Option<Ends> = Some({ends:?});`", P::name())
}

/// The policies under which a program of the table ends, as each says of itself.
fn that_end(column: usize) -> Vec<&'static str> {
    let mut names = Vec::new();
    for_each_policy!(P => {
        assert!(!P::is_fair() || ends::<P>() == Ends::ALL.columns(), "{} is fair", P::name());
        if ends::<P>()[column] {
            names.push(P::name());
        }
    });
    names
}

/// Checks that a launch of 32 threads ends under a policy if it says so, and that it is proved not to otherwise.
fn check_under<P: Policy>(column: usize, ends_under: &[&str]) {
    for width in [4, 32] {
        let lock = [AtomicU32::new(0)];
        let gpu = Gpu::<P>::default().with_warp_width(width);
        let ended = match gpu.launch(Grid::new(1, 32), PROGRAMS[column](&lock)) {
            Ok(_) => true,
            Err(LaunchError::Livelock(livelock)) => {
                assert!(livelock.proof.is_proved(), "{} in warps of {width}", P::name());
                for_each_policy!(Q => {
                    let ended = livelock.ends_under.contains(&Q::name());
                    assert_eq!(ends::<Q>()[column], ended, "{}", must_be::<Q>());
                });
                assert_eq!(livelock.ends_under, ends_under, "{} in warps of {width}", P::name());
                assert!(livelock.spins.iter().all(|spin| spin.reads[0].name == "lock"));
                assert_eq!(lock.map(AtomicU32::into_inner), [0], "a launch that fails leaves no trace");
                false
            }
            Err(error) => panic!("{error}"),
        };
        assert_eq!(ends::<P>()[column], ended, "{}", must_be::<P>());
    }
}

/// Checks a program of the table under all policies, and under those that `for_each_policy!` leaves out.
fn check(column: usize) {
    let ends_under = that_end(column);
    for_each_policy!(P => check_under::<P>(column, &ends_under));
    check_under::<Ipdom<FallThroughFirst>>(column, &ends_under);
    check_under::<Ipdom<LargerFirst>>(column, &ends_under);
    check_under::<TokenStack<SmallerFirst>>(column, &ends_under);
    check_under::<TokenStack<LargerFirst>>(column, &ends_under);
    check_under::<StackLess<LowestPc>>(column, &ends_under);
    check_under::<WarpSubdivision<ByPc>>(column, &ends_under);
}

/// The table of the page `simt::termination` is what the policies say of themselves, row by row.
#[test]
fn the_page_has_the_table_of_the_policies() {
    let page = include_str!("../../src/termination.md");
    let mut rows = vec![format!("| policy | {} |", Ends::COLUMNS.join(" | "))];
    for_each_policy!(P => {
        let cells = ends::<P>().map(|ends| if ends { "ends" } else { "never" });
        rows.push(format!("| `{}` | {} |", P::name(), cells.join(" | ")));
    });
    let on_page: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
    assert_eq!(on_page, rows, "the page has\n{}", rows.join("\n"));
}

#[test]
fn the_programs_of_the_paper_end_where_the_policies_say() {
    (0..4).for_each(check);
}

/// The others are tried without the clock.
#[test]
fn a_launch_with_a_clock_names_the_policies_that_one_without_names() {
    let lock = [AtomicU32::new(0)];
    let error = Gpu::<Ipdom>::new(GpuConfig::fung2009()).launch(Grid::new(1, 32), program_2(&lock)).unwrap_err();
    let LaunchError::Livelock(livelock) = &error else { panic!("{error}") };
    assert_eq!(livelock.ends_under, that_end(0));
}

/// Under Hanoi the paths of program 2 have no reconvergence point in common, as nothing but the end is behind the `if`, and the
/// path of the majority spins.
#[test]
fn program_2_ends_under_hanoi_if_something_follows() {
    for width in [4, 8, 32, 64] {
        let lock = [AtomicU32::new(0)];
        let launch = Gpu::<Hanoi>::default().with_warp_width(width).launch(Grid::new(1, 32), program_2_and_more(&lock));
        assert!(launch.is_ok(), "warps of {width}");
    }
}

#[test]
fn locks_end_where_the_policies_say() {
    (4..7).for_each(check);
}

#[kernel]
fn waits_for_a_later_block(flag: &[AtomicU32]) {
    if block_idx().x == 0 {
        while flag[0].load(Acquire) == 0 {}
    } else {
        flag[0].store(1, Release);
    }
}

#[kernel]
fn waits_for_another_warp(flag: &[AtomicU32], turns: &mut [u64]) {
    let i = global_id();
    if warp_id() == 0 {
        while flag[0].load(Acquire) == 0 {}
    } else {
        // Longer than any limit without progress; each turn is another configuration.
        for _ in 0..300_000 {
            turns[i] += 1;
        }
        flag[0].store(1, Release);
    }
}

#[test]
fn a_block_is_watched_as_a_whole() {
    let gpu = Gpu::<MinPc>::default();
    let flag = [AtomicU32::new(0)];
    let error = gpu.launch(Grid::new(2, 8), waits_for_a_later_block(&flag)).expect_err("block 1 comes later");
    let LaunchError::Livelock(livelock) = &error else { panic!("{error}") };
    assert_eq!((livelock.waits.len(), livelock.ends_under.len()), (0, 0));
    let mut turns = vec![0; 64];
    gpu.launch(Grid::new(1, 64), waits_for_another_warp(&flag, &mut turns)).expect("warp 1 is on its way");
    assert_eq!(turns[63], 300_000);
}

/// The circle goes through a barrier, which opens each time.
#[kernel]
fn meets_for_ever(flag: &[AtomicU32]) {
    while sync_threads_or(flag[0].load(Acquire) == 0) {}
    flag[0].store(1, Release);
}

#[test]
fn a_circle_through_a_barrier_is_one() {
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default().with_warp_width(8);
        let error = gpu.launch(Grid::new(1, 20), meets_for_ever(&[AtomicU32::new(0)])).expect_err("no thread sets the flag");
        let LaunchError::Livelock(livelock) = &error else { panic!("{error}") };
        assert_eq!(livelock.spins.len(), 3, "{error}");
        assert_eq!(livelock.spins[0].reads[0].to_string(), "`flag[0]` is 0");
    });
}
