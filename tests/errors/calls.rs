//! What stops launches within functions: recursion that needs more memory than a thread has, and threads that wait there.

use simt::error::FaultKind;
use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

#[device]
fn deep(n: u32) -> u32 {
    let mut table = [n; 20_000];
    table[n as usize % 7] = 3;
    let deeper = deep(n + 1);
    deeper + table[3]
}

#[kernel]
fn descends(out: &mut [u32]) {
    out[global_id()] = deep(0);
}

#[test]
fn what_calls_keep_is_limited() {
    for_each_policy!(P => {
        let error = Gpu::<P>::default().launch(Grid::new(1, 32), descends(&mut [0; 32])).unwrap_err();
        let LaunchError::Fault(fault) = &error else { panic!("{error}") };
        assert_eq!(fault.kind, FaultKind::CallMemory { limit: 512 << 10 });
        assert_eq!(fault.calls.len(), 4, "20,000 values of 8 bytes each, and the call from the kernel");
    });
    let gpu = Gpu::<Ipdom>::default().with_call_depth(usize::MAX);
    let error = gpu.launch(Grid::new(1, 32), descends(&mut [0; 32])).unwrap_err();
    assert_shown!("call_memory", error);
}

#[device]
fn any_above(x: u32, limit: u32) -> bool {
    ballot(x > limit) != 0
}

#[kernel]
fn votes_in_a_branch(x: &mut [u32]) {
    let i = global_id();
    if i % 2 == 0 {
        x[i] = any_above(x[i], 3) as u32;
    } else {
        sync_warp();
    }
}

#[test]
fn a_deadlock_in_a_function_shows_its_call() {
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 4), votes_in_a_branch(&mut [0; 4])).unwrap_err();
    assert!(matches!(&error, LaunchError::Deadlock(deadlock) if deadlock.ends_under.is_empty()), "{error}");
    assert_shown!("deadlock_in_a_function", error);
}

#[kernel]
fn sums_what_is_left(x: &mut [u32]) {
    let i = global_id();
    if i >= 64 {
        return;
    }
    x[i] = simt::block::sum(x[i]);
}

#[test]
fn an_array_that_threads_have_left_says_that_they_returned() {
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 96), sums_what_is_left(&mut [1; 96])).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("32 threads of the block had ended by then: if `sum` is for all threads of a block"),
        "{text}"
    );
}

#[device]
fn until_set(flags: &[AtomicU32], i: usize) -> u32 {
    let mut turns = 0;
    while flags[i].load(Ordering::Relaxed) == 0 {
        turns += 1;
    }
    turns
}

#[kernel]
fn awaits(flags: &[AtomicU32], turns: &mut [u32]) {
    let i = global_id();
    turns[i] = until_set(flags, i);
}

#[test]
fn lanes_that_spin_in_a_function_show_its_call() {
    let gpu = Gpu::<Ipdom>::default().with_ends_under_limit(0);
    let flags = [0, 0, 1, 1].map(AtomicU32::new);
    let livelock = gpu.launch(Grid::new(1, 4), awaits(&flags, &mut [0; 4])).unwrap_err();
    assert!(matches!(livelock, LaunchError::Livelock(_)), "{livelock}");
    let limit = gpu.with_step_limit(50).launch(Grid::new(1, 4), awaits(&flags, &mut [0; 4])).unwrap_err();
    assert!(matches!(limit, LaunchError::StepLimit(_)), "{limit}");
    for error in [livelock, limit] {
        let text = error.to_string();
        let shown: Vec<&str> =
            text.lines().skip_while(|line| !line.contains("turns[i] = until_set(flags, i)")).collect();
        assert!(shown[1].trim().ends_with("- `until_set` called here"), "{text}");
    }
}

#[rustfmt::skip]
#[device] fn second(x: &[u32]) -> u32 { x[1] }

#[kernel]
fn takes_the_second(x: &mut [u32]) {
    x[0] = second(x);
}

#[test]
fn an_attribute_on_the_line_is_shown_with_it() {
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), takes_the_second(&mut [1])).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("| #[device] fn second(x: &[u32]) -> u32 { x[1] }"), "{text}");
}
