//! Threads that take turns: where lanes wait for each other, some policies never end, and say so.

use super::{Run, arguments, everywhere};
use crate::gallery::unending;
use simt::host::DeviceMemory;
use simt::{Grid, LaunchError, Report};

/// Policies under which lanes that spin are run for ever, as of the gallery's locks: the largest group, or those that came first.
const SPINNING: &[&str] = &["StackLess<Oldest>", "StackLess<MostLanes>", "Dwf<Majority>"];

/// Which kernels do not end under which policies: what compilers have made of the branch of those that have got the lock decides,
/// too.
fn spins(kernel: &str, file: &str, policy: &str) -> bool {
    match (kernel, policy) {
        // Clang puts their way back in front of the loop, so that they are at the lowest address; nothing is left behind the
        // loop's end where lanes would meet. There those that try again fall through, so that a stack which runs these first comes to
        // the others never.
        ("careful", "MinPc" | "Dwf<LowestPc>" | "Dwf<Minority>" | "TokenStack<FallThroughFirst>") => {
            file.contains("clang")
        }
        ("careful" | "tickets", _) => SPINNING.contains(&policy),
        // Threads of all warps are regrouped, and those that spin may be chosen for ever.
        ("a_lane_a_warp", _) => {
            ["Dwf<Majority>", "Dwf<LowestPc>", "Dwf<PdomPriority>", "BlockCompaction"].contains(&policy)
        }
        // A lane that has got the lock waits for those that spin, or is chosen later than they, but where lanes take turns.
        _ => ![
            "StackLess<RoundRobin>",
            "StackLess<Oldest>",
            "StackLess<Random>",
            "Mimd",
            "Hanoi",
            "ConvergenceBarriers",
            "Dwf<TimeStamp>",
        ]
        .contains(&policy),
    }
}

/// A launch that ends, unless it is known that it does not.
fn ends(run: &Run, kernel: &str, left: Result<Report, LaunchError>) -> Option<Report> {
    let spins = spins(kernel, run.file, run.gpu.policy());
    match left {
        Ok(report) => {
            assert!(!spins, "{run}: {kernel} ends");
            Some(report)
        }
        Err(error) => {
            assert!(spins && unending(&error).is_some(), "{run}: {error}");
            None
        }
    }
}

pub(super) fn careful(run: &Run) -> Option<Report> {
    let mut memory = DeviceMemory::new();
    let (lock, sum) = (memory.upload(&[0u32]).unwrap(), memory.upload(&[0u32]).unwrap());
    let in_vain = memory.upload(&[0u32; 192]).unwrap();
    let left = run.try_launch("careful", Grid::new(3, 64), &mut memory, arguments![lock, sum, in_vain]);
    let report = ends(run, "careful", left)?;
    assert_eq!(memory.read::<u32>(sum, 1).unwrap(), [(0..192).sum::<u32>()], "{run}");
    if run.gpu.policy() == "Ipdom" {
        // Lanes meet after each turn, in which one of a warp has got the lock.
        let mut tries = memory.read::<u32>(in_vain, 192).unwrap();
        for warp in tries.chunks_mut(32) {
            warp.sort_unstable();
            assert!(warp.iter().copied().eq(0..32), "{run}: {warp:?}");
        }
    }
    Some(report)
}

pub(super) fn a_lane_a_warp(run: &Run) -> Option<Report> {
    let mut memory = DeviceMemory::new();
    let (lock, sum) = (memory.upload(&[0u32]).unwrap(), memory.upload(&[0u32]).unwrap());
    let left = run.try_launch("a_lane_a_warp", Grid::new(3, 64), &mut memory, arguments![lock, sum]);
    let report = ends(run, "a_lane_a_warp", left)?;
    assert_eq!(memory.read::<u32>(sum, 1).unwrap(), [3 * 2 * 64], "{run}");
    Some(report)
}

pub(super) fn tickets(run: &Run) -> Option<Report> {
    let mut memory = DeviceMemory::new();
    let (lock, entries) = (memory.upload(&[0u32, 0]).unwrap(), memory.upload(&[0u32]).unwrap());
    let (entered, waited) = (memory.upload(&[u32::MAX; 128]).unwrap(), memory.upload(&[u32::MAX; 128]).unwrap());
    let arguments = arguments![lock, entered, entries, waited];
    let left = run.try_launch("tickets", Grid::new(2, 64), &mut memory, arguments);
    let report = ends(run, "tickets", left)?;
    assert_eq!(memory.read::<u32>(entered, 128).unwrap(), (0..128).collect::<Vec<u32>>(), "{run}");
    assert_eq!(memory.read::<u32>(lock, 2).unwrap(), [128, 128], "{run}");
    if run.gpu.policy() == "Ipdom" {
        // As above, and warps come one after the other: but for one that has got its tickets in a turn that has ended then, in
        // the long code of what is not optimised.
        let turns = memory.read::<u32>(waited, 128).unwrap();
        for warp in turns.chunks(32) {
            let first = if run.file.contains("debug") { warp[0] } else { 0 };
            assert!(warp.iter().zip(first..).all(|(&turns, waited)| turns == waited), "{run}: {turns:?}");
        }
    }
    Some(report)
}

fn naive(run: &Run) -> Option<Report> {
    let mut memory = DeviceMemory::new();
    let (lock, sum) = (memory.upload(&[0u32]).unwrap(), memory.upload(&[0u32]).unwrap());
    let left = run.try_launch("naive", Grid::new(1, 32), &mut memory, arguments![lock, sum]);
    let report = ends(run, "naive", left)?;
    assert_eq!(memory.read::<u32>(sum, 1).unwrap(), [(0..32).sum::<u32>()], "{run}");
    Some(report)
}

#[test]
fn spin_locks() {
    everywhere("locks", &["careful"], careful);
}

#[test]
fn spin_locks_of_a_lane_a_warp() {
    everywhere("locks", &["a_lane_a_warp"], a_lane_a_warp);
}

#[test]
fn ticket_locks() {
    everywhere("locks", &["tickets"], tickets);
}

#[test]
fn spin_locks_of_textbooks() {
    everywhere("locks", &["naive"], naive);
}
