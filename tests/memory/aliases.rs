//! Atomics that are passed several times, or as slices that overlap, are one memory.

use super::{values, zeros};
use simt::RaceCheck;
use simt::environment::{EnvironmentConfig, MemoryModel};
use simt::error::{ArgumentProblem, FaultKind};
use simt::prelude::*;
use simt_testing::Random as Numbers;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicIsize, AtomicU32, AtomicU64, AtomicUsize};

#[kernel]
fn two(a: &[AtomicU32], b: &[AtomicU32]) {
    a[1].fetch_add(1, Relaxed);
    b[1].fetch_add(1, Relaxed);
}

#[test]
fn what_is_added_under_two_names_is_added_twice() {
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default();
        let a = zeros(4);
        gpu.launch(Grid::new(2, 64), two(&a, &a)).expect("a launch");
        assert_eq!(values(&a), [0, 256, 0, 0], "{}", P::name());
        let a = zeros(4);
        gpu.launch(Grid::new(2, 64), two(&a[0..3], &a[1..4])).expect("a launch");
        assert_eq!(values(&a), [0, 128, 128, 0], "{}", P::name());
        let a = zeros(4);
        gpu.launch(Grid::new(2, 64), two(&a[2..], &a)).expect("a launch");
        assert_eq!(values(&a), [0, 128, 0, 128], "{}", P::name());
    });
}

/// A store through one name is seen through the other, in the same turn.
#[kernel]
fn swapped(a: &[AtomicU32], b: &[AtomicU32], found: &mut [u32]) {
    let i = global_id();
    a[i].store(i as u32 + 7, Relaxed);
    found[i] = b[i].swap(1, Relaxed);
    found[i] += 100 * a[i].load(Relaxed);
}

#[test]
fn each_name_finds_what_the_other_has_stored() {
    for_each_policy!(P => {
        let (a, mut found) = (zeros(40), [0; 40]);
        Gpu::<P>::default().launch(Grid::new(1, 40), swapped(&a, &a, &mut found)).expect("a launch");
        assert!((0..40).all(|i| found[i] == i as u32 + 107), "{}: {found:?}", P::name());
        assert_eq!(values(&a), [1; 40]);
    });
}

macro_rules! types {
    ($($name:ident: $atomic:ident of $value:ident, $stored:expr, $toggled:expr, $left:expr;)*) => {$(
        #[kernel]
        fn $name(a: &[$atomic], b: &[$atomic]) {
            if global_id() == 0 {
                a[2].store($stored, Relaxed);
                b[1].fetch_xor($toggled, Relaxed);
            }
        }
    )*
        #[test]
        fn atomics_of_every_type_may_overlap() {$(
            let all: Vec<$atomic> = (0..5).map(|_| $atomic::default()).collect();
            Gpu::<Ipdom>::default().launch(Grid::new(1, 4), $name(&all[0..4], &all[1..])).expect("a launch");
            let mut expected = [$value::default(); 5];
            expected[2] = $left;
            assert_eq!(all.iter().map(|one| one.load(Relaxed)).collect::<Vec<_>>(), expected, stringify!($name));
        )*}
    };
}

types! {
    bools: AtomicBool of bool, true, false, true;
    words: AtomicU32 of u32, 12, 5, 9;
    signed_words: AtomicI32 of i32, -1, 5, -6;
    wides: AtomicU64 of u64, 12 << 40, 5 << 40, 9 << 40;
    signed_wides: AtomicI64 of i64, -1, 5, -6;
    sizes: AtomicUsize of usize, 12, 5, 9;
    signed_sizes: AtomicIsize of isize, -1, 5, -6;
}

/// Adds one to an element of each slice, as far as it has that element.
#[kernel]
fn four(a: &[AtomicU32], b: &[AtomicU32], c: &[AtomicU32], d: &[AtomicU32], at: &[usize]) {
    let i = 4 * global_id();
    if at[i] < a.len() {
        a[at[i]].fetch_add(1, Relaxed);
    }
    if at[i + 1] < b.len() {
        b[at[i + 1]].fetch_add(1, Relaxed);
    }
    if at[i + 2] < c.len() {
        c[at[i + 2]].fetch_add(1, Relaxed);
    }
    if at[i + 3] < d.len() {
        d[at[i + 3]].fetch_add(1, Relaxed);
    }
}

/// Chains, slices within slices, empty ones, and such as only touch; with everything that memory can be.
#[test]
fn any_slices_of_an_allocation_are_windows_of_it() {
    let mut numbers = Numbers::new(7);
    for case in 0..300 {
        let all: Vec<AtomicU32> = (0..24).map(|i| AtomicU32::new(1000 * i)).collect();
        let mut expected = values(&all);
        let windows = [(); 4].map(|()| {
            let start = numbers.below(24);
            start..start + numbers.below(25 - start)
        });
        let at: Vec<usize> = (0..4 * 32).map(|_| numbers.below(24)).collect();
        for (number, &at) in at.iter().enumerate() {
            let window = &windows[number % 4];
            if at < window.len() {
                expected[window.start + at] += 1;
            }
        }
        let [a, b, c, d] = windows.clone().map(|window| &all[window]);
        let gpu = Gpu::<Ipdom>::default();
        let gpu = match case % 4 {
            0 => gpu,
            1 => gpu.with_memory(MemoryModel::Environment(EnvironmentConfig::seeded(case))),
            2 => gpu.with_race_check(RaceCheck::Everywhere),
            _ => Gpu::new(GpuConfig::turing()),
        };
        gpu.launch(Grid::new(1, 32), four(a, b, c, d, &at)).unwrap_or_else(|error| panic!("{windows:?}: {error}"));
        assert_eq!(values(&all), expected, "case {case}: {windows:?}");
    }
}

#[test]
fn the_memory_environment_has_one_place_for_them_under_every_seed() {
    for seed in 0..40 {
        let memory = MemoryModel::Environment(EnvironmentConfig::seeded(seed));
        let gpu = Gpu::<Mimd>::default().with_warp_width(4).with_memory(memory);
        let a = zeros(4);
        gpu.launch(Grid::new(3, 8), two(&a[1..], &a[..3])).expect("a launch");
        assert_eq!(values(&a), [0, 24, 24, 0], "seed {seed}");
    }
}

/// The first thread to come writes through one name, and fails through the other.
#[kernel]
fn overrunning(a: &[AtomicU32], b: &[AtomicU32]) {
    a[0].fetch_add(1, Relaxed);
    b[0].fetch_add(1, Relaxed);
    b[2].fetch_add(1, Relaxed);
}

#[test]
fn a_window_ends_where_its_slice_does_and_a_failed_launch_leaves_no_trace() {
    let a = zeros(4);
    let error =
        Gpu::<Ipdom>::default().launch(Grid::new(1, 4), overrunning(&a, &a[1..3])).expect_err("it is too short");
    let LaunchError::Fault(fault) = &error else { panic!("{error}") };
    let FaultKind::OutOfBounds { slice, index: 2, length: 2, .. } = &fault.kind else { panic!("{error}") };
    assert_eq!((slice.as_ref(), values(&a)), ("b", vec![0; 4]));
}

#[kernel]
fn counted(a: &[AtomicUsize], b: &[AtomicUsize]) {
    a[0].fetch_add(1, Relaxed);
    b[0].fetch_add(1, Relaxed);
}

#[test]
fn a_value_that_does_not_fit_is_named_by_the_first_parameter_that_has_it() {
    let all = [1, 2, 3, 1 << 40, 5].map(AtomicUsize::new);
    let launch = |a, b| Gpu::<Ipdom>::default().launch(Grid::new(1, 4), counted(a, b)).expect_err("one does not fit");
    for (a, b, param, index) in
        [(&all[..], &all[..], "a", 3), (&all[..3], &all[2..], "b", 1), (&all[1..], &all[..], "a", 2)]
    {
        let LaunchError::Argument(error) = launch(a, b) else { panic!("another error") };
        let problem = ArgumentProblem::TooBig { value: "1099511627776".into(), index: Some(index) };
        assert_eq!((error.param.as_ref(), error.problem), (param, problem));
    }
    assert_eq!(all.map(AtomicUsize::into_inner), [1, 2, 3, 1 << 40, 5]);
}

/// Takes a lock by one name, and gives it back by another.
#[kernel]
fn locked(lock: &[AtomicU32], same: &[AtomicU32], sum: &mut [u32]) {
    while lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
    sum[0] += 1;
    same[0].store(0, Release);
}

#[test]
fn a_livelock_is_one_and_other_policies_are_tried_on_the_same_memory() {
    let (lock, other, mut sum) = (zeros(1), zeros(1), [0]);
    let gpu = Gpu::<Ipdom>::default().with_warp_width(4);
    let mut ends_under = |same: &[AtomicU32]| {
        let error = gpu.launch(Grid::new(1, 8), locked(&lock, same, &mut sum)).expect_err("lanes spin");
        let LaunchError::Livelock(livelock) = error else { panic!("{error}") };
        livelock.ends_under
    };
    // As with one name; with two locks it ends under no policy.
    assert!(ends_under(&lock).contains(&"Mimd"));
    assert_eq!(ends_under(&other), [""; 0]);
    assert_eq!((values(&lock), sum), (vec![0], [0]));
    Gpu::<Mimd>::default().launch(Grid::new(1, 8), locked(&lock, &lock, &mut sum)).expect("it ends");
    assert_eq!((values(&lock), sum), (vec![0], [8]));
}

#[test]
fn what_is_released_under_one_name_is_acquired_under_the_other() {
    let gpu = Gpu::<Mimd>::default().with_warp_width(4).with_race_check(RaceCheck::Everywhere);
    let (lock, mut sum) = (zeros(2), [0]);
    gpu.launch(Grid::new(1, 4), locked(&lock, &lock, &mut sum)).expect("no race");
    gpu.launch(Grid::new(1, 4), locked(&lock[1..], &lock[1..], &mut sum)).expect("no race");
    assert_eq!(sum, [8]);
}

/// Waits for what another thread stores under another name.
#[kernel]
fn waiting(seen: &[AtomicU32], sent: &[AtomicU32]) {
    if global_id() == 2 {
        sent[0].store(1, Relaxed);
    } else {
        while seen[0].load(Relaxed) == 0 {}
    }
}

#[kernel]
fn waiting_for_others(seen: &[AtomicU32], sent: &[AtomicU64]) {
    if global_id() == 2 {
        sent[0].store(1, Relaxed);
    }
    while seen[0].load(Relaxed) == 0 {}
}

#[test]
fn a_loop_depends_on_the_schedule_if_another_name_may_keep_it_going() {
    let dependences = waiting::program().schedule_dependences();
    assert_eq!(dependences.iter().map(|one| one.value.as_str()).collect::<Vec<_>>(), ["seen"]);
    // Atomics of different types cannot be the same.
    assert_eq!(waiting_for_others::program().schedule_dependences(), []);
}

/// Loads each element under two names.
#[kernel]
fn loads(a: &[AtomicU32], b: &[AtomicU32], sums: &mut [u32]) {
    let i = global_id();
    sums[i] = a[i].load(Relaxed);
    sums[i] += b[i].load(Relaxed);
}

#[test]
fn a_machine_with_a_clock_has_one_address_for_them() {
    let fetched = |a: &[AtomicU32], b: &[AtomicU32]| {
        let mut sums = [0; 256];
        let report =
            Gpu::<Ipdom>::new(GpuConfig::turing()).launch(Grid::new(1, 256), loads(a, b, &mut sums)).expect("a launch");
        let clock = report.clock().expect("the machine has a clock");
        clock.memory().and_then(|memory| memory.dram()).expect("and a memory").reads
    };
    let (a, b) = (zeros(300), zeros(300));
    let (same, apart) = (fetched(&a[..256], &a[..256]), fetched(&a[..256], &b[..256]));
    assert!(same < apart, "{same} and {apart}");
    assert_eq!(fetched(&a[44..], &a[44..]), same);
    // As far as they overlap.
    let partly = fetched(&a[..256], &a[44..]);
    assert!(same <= partly && partly < apart, "{same}, {partly}, {apart}");
}
