//! Kernels that misuse arrays, functions, messages, barriers and operations of lanes: what the error says of each.

use simt::core::{Atomic, LaneMask};
use simt::prelude::*;
use simt::{Dim3, KernelCall};
use simt::error::{BarrierProblem, Fault, FaultKind, Deadlock};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};

#[kernel]
fn gap(x: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 8];
    let t = thread_idx().x;
    if t != 2 {
        tile[t] = x[t];
    }
    sync_threads();
    x[t] = tile[7 - t];
}

#[kernel]
fn leftover(x: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 8];
    let t = thread_idx().x;
    if block_idx().x == 0 {
        tile[t] = t as u32;
    }
    x[t] = tile[t];
}

#[kernel]
fn counted(x: &mut [u32]) {
    #[shared]
    let counts: [AtomicU32; 4];
    x[0] = counts[1].fetch_add(1, Relaxed);
}

#[kernel]
fn beyond(bins: &[AtomicU32], x: &[usize]) {
    bins[x[global_id()]].fetch_add(1, Relaxed);
}

#[kernel]
fn local(x: &mut [u32]) {
    let mut own = [0u32; 4];
    own[global_id()] = 1;
    x[0] = own[0];
}

#[kernel]
fn asserting(x: &[u32], flag: &[AtomicBool]) {
    let i = global_id();
    flag[0].store(true, Relaxed);
    println!("{i} is here");
    println!("with {}", x[i]);
    assert!(x[i] < 10, "x[{i}] is {}, which is too much", x[i]);
}

#[device]
fn ratio(a: u32, b: u32) -> u32 {
    a / b
}

#[device]
fn scaled(a: u32, b: u32) -> u32 {
    ratio(a * 10, b) + 1
}

#[kernel]
fn dividing(x: &mut [u32]) {
    let i = global_id();
    x[i] = scaled(7, x[i]);
}

#[device]
fn even(n: u32, x: &[u32]) -> u32 {
    if n == 0 { 1 } else { odd(n - 1, x) }
}

#[device]
fn odd(n: u32, x: &[u32]) -> u32 {
    if n == 0 { x[1000] } else { even(n - 1, x) }
}

#[kernel]
fn in_turns(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    out[i] = even(x[i], x);
}

#[kernel]
fn left_out(x: &mut [u32]) {
    let i = global_id();
    if i != 1 {
        x[i] = simt::block::sum(x[i]);
    }
}

#[device]
fn down(n: u32) -> u32 {
    if n == 0 { 0 } else { down(n - 1) + 1 }
}

#[kernel]
fn deep(x: &mut [u32]) {
    let i = global_id();
    x[i] = down(x[i]);
}

#[kernel]
fn vote_in_a_branch(x: &mut [u64]) {
    let i = global_id();
    if i % 2 == 0 {
        x[i] = ballot(x[i] > 3);
    } else {
        sync_warp();
    }
}

#[kernel]
fn barrier_in_a_branch(x: &mut [u32]) {
    let i = global_id();
    if i < 4 {
        sync_threads();
    } else {
        sync_barrier(1, 8);
    }
    x[i] = 1;
}

#[kernel]
fn named_elsewhere(x: &mut [u32]) {
    let i = global_id();
    if i < 3 {
        sync_warp_mask(0b1111);
    } else {
        while x[0] == 0 {
            sync_warp_mask(0b1000);
        }
    }
}

#[kernel]
fn unnamed(x: &mut [u64]) {
    let i = global_id();
    x[i] = ballot_mask(0b0101, true);
}

#[kernel]
fn absent(x: &mut [u32]) {
    let i = global_id();
    if i >= 3 {
        return;
    }
    x[i] = shuffle(x[i], i as u32 + 1);
}

#[kernel]
fn odd_barrier(x: &mut [u32], barrier: u32, threads: u32) {
    sync_barrier(barrier, threads);
    x[0] = 1;
}

#[kernel]
fn differing_barrier(x: &mut [u32]) {
    sync_barrier(0, 8 + warp_id() as u32 * 4);
    x[0] = 1;
}

#[kernel]
fn large(x: &mut [f64]) {
    #[shared]
    let mut tile: [f64; 40_000];
    tile[0] = x[0];
}

/// Under a policy that lets lanes wait while others run.
#[track_caller]
fn launch(grid: Grid, call: KernelCall<'_>) -> LaunchError {
    let gpu = Gpu::<MinPc>::default().with_warp_width(4).with_step_limit(10_000);
    gpu.launch(grid, call).expect_err("the kernel is wrong")
}

#[track_caller]
fn fault(grid: Grid, call: KernelCall<'_>) -> (Box<Fault>, LaunchError) {
    let error = launch(grid, call);
    match &error {
        LaunchError::Fault(fault) => (fault.clone(), error),
        other => panic!("not a fault: {other}"),
    }
}

#[track_caller]
fn deadlock(grid: Grid, call: KernelCall<'_>) -> (Box<Deadlock>, LaunchError) {
    let error = launch(grid, call);
    match &error {
        LaunchError::Deadlock(deadlock) => (deadlock.clone(), error),
        other => panic!("no deadlock: {other}"),
    }
}

#[test]
fn an_element_that_none_wrote_has_no_value() {
    let mut x = [1; 8];
    let (fault, error) = fault(Grid::new(1, 8), gap(&mut x));
    assert!(matches!(&fault.kind, FaultKind::Unwritten { array, index: 2, by_block: None, .. } if array == "tile"));
    assert_eq!((fault.thread.global_id, x), (5, [1; 8]));
    assert_shown!("unwritten", error);
}

#[test]
fn what_another_block_wrote_is_not_there() {
    let mut x = [1; 8];
    let (fault, error) = fault(Grid::new(2, 8), leftover(&mut x));
    let first = Some(Dim3 { x: 0, y: 0, z: 0 });
    assert!(matches!(&fault.kind, FaultKind::Unwritten { index: 0, by_block, .. } if *by_block == first));
    assert_eq!(fault.thread.block, Dim3 { x: 1, y: 0, z: 0 });
    assert_shown!("leftover", error);
}

#[test]
fn an_atomic_needs_something_to_work_on() {
    let (fault, error) = fault(Grid::new(1, 4), counted(&mut [0]));
    assert!(matches!(&fault.kind, FaultKind::Unwritten { array, index: 1, .. } if array == "counts"));
    assert_shown!("atomic_unwritten", error);
}

#[test]
fn an_atomic_beyond_the_end_leaves_the_others_as_they_were() {
    let bins = [3, 4].map(AtomicU32::new);
    let (fault, error) = fault(Grid::new(1, 4), beyond(&bins, &[0, 1, 0, 2]));
    assert!(matches!(&fault.kind, FaultKind::OutOfBounds { slice, index: 2, length: 2, write: true } if slice == "bins"));
    assert_eq!((fault.thread.lane, bins.each_ref().map(Atomic::get)), (3, [3, 4]));
    assert_shown!("atomic_beyond", error);
}

#[test]
fn a_local_array_has_an_end() {
    let (fault, error) = fault(Grid::new(1, 8), local(&mut [0]));
    assert!(matches!(&fault.kind, FaultKind::OutOfBounds { slice, index: 4, length: 4, .. } if slice == "own"));
    assert_shown!("local_beyond", error);
}

#[test]
fn an_assertion_says_what_was_asserted_and_what_came_before() {
    let flag = [AtomicBool::new(false)];
    let (fault, error) = fault(Grid::new(1, 4), asserting(&[1, 2, 30, 40], &flag));
    assert_eq!(fault.kind, FaultKind::Panic { message: "x[2] is 30, which is too much".to_string() });
    assert_eq!((fault.thread.global_id, flag[0].get()), (2, false));
    assert_eq!(fault.prints, ["2 is here", "with 30"]);
    assert_shown!("assertion", error);
}

#[test]
fn a_fault_in_a_function_names_its_callers() {
    let (fault, error) = fault(Grid::new(1, 4), dividing(&mut [1, 2, 0, 3]));
    assert_eq!((fault.kind.clone(), fault.thread.lane), (FaultKind::DivisionByZero { dividend: "70".to_string() }, 2));
    assert_eq!(fault.calls, ["ratio", "scaled"]);
    assert_shown!("in_a_function", error);
}

#[test]
fn functions_that_call_each_other_show_each_call_once_and_that_of_the_kernel() {
    let (fault, error) = fault(Grid::new(1, 4), in_turns(&[0, 0, 9, 0], &mut [0; 4]));
    assert_eq!(fault.calls.len(), 10);
    let labels = |label: &str| error.to_string().matches(label).count();
    assert_eq!((labels("`even` called here"), labels("`odd` called here")), (2, 1), "{error}");
    assert!(error.to_string().contains("out[i] = even(x[i], x);"), "{error}");
}

#[test]
fn a_fault_in_a_function_of_the_library_names_the_line_of_its_call() {
    let (fault, error) = fault(Grid::new(1, 4), left_out(&mut [1; 4]));
    assert_eq!(fault.calls, ["prefix_sum", "sum_2", "sum"]);
    let call = "x[i] = simt::block::sum(x[i]);";
    let text = error.to_string();
    let shown: Vec<&str> = text.lines().skip_while(|line| !line.contains(call)).collect();
    assert!(shown[1].trim().ends_with("- `sum` called here"), "{error}");
}

#[test]
fn recursion_without_end_is_noticed() {
    let mut x = [3, 5, 2000, 1 << 20];
    let (fault, error) = fault(Grid::new(1, 4), deep(&mut x));
    assert_eq!((&fault.kind, fault.thread.lane), (&FaultKind::CallDepth { limit: 1024 }, 2));
    assert_eq!((fault.calls.len(), &*fault.calls[0]), (1024, "down"));
    assert_shown!("call_depth", error);
    // As deep as the machine allows, and no deeper.
    let gpu = Gpu::<MinPc>::default().with_call_depth(8);
    let mut x = [7, 0, 3, 6];
    gpu.launch(Grid::new(1, 4), deep(&mut x)).unwrap();
    assert_eq!(x, [7, 0, 3, 6]);
    assert!(gpu.launch(Grid::new(1, 4), deep(&mut [8, 0, 0, 0])).is_err());
}

#[test]
fn a_vote_waits_for_lanes_that_never_come() {
    let (deadlock, error) = deadlock(Grid::new(1, 4), vote_in_a_branch(&mut [0; 4]));
    let operations: Vec<_> = deadlock.waits.iter().map(|wait| (wait.operation, wait.lanes, wait.missing)).collect();
    assert!(operations.contains(&("ballot", LaneMask(0b0101), LaneMask(0b1010))), "{operations:?}");
    assert_shown!("vote_in_a_branch", error);
}

#[test]
fn warps_wait_at_different_barriers() {
    let (deadlock, error) = deadlock(Grid::new(1, 8), barrier_in_a_branch(&mut [0; 8]));
    let barriers: Vec<_> = deadlock.waits.iter().map(|wait| (wait.warp, wait.barrier)).collect();
    assert_eq!(barriers, [(0, Some(0)), (1, Some(1))]);
    assert_shown!("barrier_in_a_branch", error);
}

#[test]
fn a_lane_is_named_that_does_something_else() {
    let error = launch(Grid::new(1, 4), named_elsewhere(&mut [0; 4]));
    assert!(matches!(error, LaunchError::Deadlock(_) | LaunchError::StepLimit(_)), "{error}");
}

#[test]
fn a_lane_that_takes_part_must_be_named() {
    let (fault, error) = fault(Grid::new(1, 4), unnamed(&mut [0; 4]));
    assert_eq!(fault.thread.lane, 1);
    assert!(matches!(fault.kind, FaultKind::NotNamed { named: LaneMask(0b0101), .. }));
    assert_shown!("not_named", error);
}

#[test]
fn a_lane_that_has_returned_has_no_value_to_give() {
    let (fault, error) = fault(Grid::new(1, 4), absent(&mut [0; 4]));
    assert!(matches!(fault.kind, FaultKind::AbsentLane { lane: 3, present: LaneMask(0b0111), .. }));
    assert_shown!("absent_lane", error);
}

#[test]
fn barriers_have_numbers_and_whole_warps() {
    let problem = |barrier, threads| match fault(Grid::new(1, 8), odd_barrier(&mut [0], barrier, threads)).0.kind {
        FaultKind::Barrier { problem } => problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(problem(16, 8), BarrierProblem::NoSuchBarrier { index: 16 });
    assert_eq!(problem(3, 6), BarrierProblem::Threads { threads: 6, warp_width: 4 });
    assert_eq!(problem(3, 0), BarrierProblem::Threads { threads: 0, warp_width: 4 });
    let (fault, error) = fault(Grid::new(1, 8), differing_barrier(&mut [0]));
    assert!(matches!(fault.kind, FaultKind::Barrier { problem: BarrierProblem::OtherThreads { index: 0, .. } }), "{error}");
    assert_shown!("differing_barrier", error);
}

#[test]
fn arrays_need_room() {
    let error = launch(Grid::new(1, 4), large(&mut [0.0]));
    assert!(error.to_string().contains("320000 bytes, more than the 232448 of the config's `shared_memory`"), "{error}");
    let roomy = GpuConfig { shared_memory: 320_000, ..GpuConfig::functional() };
    Gpu::<Ipdom>::new(roomy).launch(Grid::new(1, 4), large(&mut [0.0])).unwrap();
    assert_shown!("large_array", error);
}

#[device]
fn written_and_read(a: &mut [u32], b: &[u32]) -> u32 {
    a[0] = 1;
    b[0]
}

#[device]
fn passed_twice(a: &mut [u32]) -> u32 {
    written_and_read(a, a)
}

#[device]
fn read_twice(a: &[u32], b: &[u32]) -> u32 {
    a[0] + b[0]
}

/// Whether a name is borrowed as `&mut` or as `&`, the function says that it is passed to.
#[test]
fn memory_that_is_written_is_passed_once() {
    #[kernel]
    fn whole(y: &mut [u32]) {
        y[1] = written_and_read(y, y);
    }
    #[kernel]
    fn part(y: &mut [u32]) {
        y[1] = passed_twice(&mut y[1..]);
    }
    #[kernel]
    fn right(y: &mut [u32]) {
        y[1] = read_twice(y, y);
        let (a, b) = y.split_at_mut(1);
        a[0] = written_and_read(a, b) + written_and_read(b, a);
    }
    let (grid, mut y) = (Grid::new(1, 1), [3, 2, 4]);
    for error in [launch(grid, whole(&mut y)), launch(grid, part(&mut y))] {
        let expected = "`y` is passed by reference already, and a `&mut` is the only one there is";
        assert!(error.to_string().contains(expected), "{error}");
    }
    Gpu::<Ipdom>::default().launch(grid, right(&mut y)).unwrap();
    // 3 + 3; then 6, and 1 is written to each first.
    assert_eq!(y, [7, 1, 4]);
}
