//! Rules of sections V and VII that the figures do not show.

use super::*;
use crate::policy::gathered;

fn mask(digits: &str) -> LaneMask {
    // Lane 0 on the right, as in the paper.
    LaneMask(u64::from_str_radix(digits, 2).expect("binary digits"))
}

fn split(pc: u32, digits: &str) -> WarpSplit {
    WarpSplit { pc: Pc(pc), mask: mask(digits) }
}

fn parted(policy: &mut Hanoi, taken: &str, target: u32, next: u32) {
    let branch = Branch { taken: mask(taken), target: Pc(target), next: Pc(next), meet: None, leaves: false };
    policy.branch(branch);
}

fn stack(policy: &Hanoi) -> Vec<WarpSplit> {
    policy.splits_stack().collect()
}

const B0: BarrierReg = BarrierReg(0);
const B1: BarrierReg = BarrierReg(1);

fn set(policy: &mut Hanoi, barrier: BarrierReg, target: u32, next: u32) {
    policy.barrier(BarrierMarker::Set { barrier, target: Pc(target) }, Pc(next));
}

#[test]
fn the_majority_runs_first_and_of_equals_the_taken_path() {
    let mut policy = Hanoi::start(split(0, "1111").into());
    parted(&mut policy, "1000", 10, 1);
    assert_eq!(stack(&policy), [split(10, "1000"), split(1, "0111")]);
    let mut policy = Hanoi::start(split(0, "1111").into());
    parted(&mut policy, "1100", 10, 1);
    assert_eq!(stack(&policy), [split(1, "0011"), split(10, "1100")]);
}

/// Figure 8: thread 0 has finished, 3 waits at 100 for 2, and 1 at its path; 2 and 1 are no siblings.
#[test]
fn a_yield_runs_siblings_only() {
    let mut policy = Hanoi::start(split(0, "1111").into());
    parted(&mut policy, "0001", 90, 1);
    set(&mut policy, B0, 500, 2);
    parted(&mut policy, "0010", 50, 3);
    set(&mut policy, B1, 100, 4);
    parted(&mut policy, "1000", 99, 20);
    policy.barrier(BarrierMarker::Sync(B1), Pc(100));
    assert_eq!(stack(&policy), [split(90, "0001"), split(50, "0010"), split(20, "0100")]);
    policy.barrier(BarrierMarker::Yield, Pc(21));
    assert_eq!(policy.current(), Some(split(21, "0100")), "REC's top has 3 and 2, not 1");
    policy.barrier(BarrierMarker::Sync(B1), Pc(100));
    assert_eq!(stack(&policy), [split(90, "0001"), split(50, "0010"), split(100, "1100")]);
    policy.barrier(BarrierMarker::Yield, Pc(101));
    assert_eq!(policy.current(), Some(split(50, "0010")), "now B0 is on top, which has all three");
}

#[test]
fn exits_leave_every_barrier() {
    let mut policy = Hanoi::start(split(0, "1111").into());
    set(&mut policy, B0, 50, 1);
    set(&mut policy, B1, 40, 2);
    parted(&mut policy, "0111", 39, 3);
    policy.barrier(BarrierMarker::Sync(B1), Pc(40));
    assert_eq!(policy.current(), Some(split(3, "1000")));
    policy.exit();
    assert_eq!(policy.current(), Some(split(40, "0111")), "no other lane is waited for");
    assert_eq!((policy.register(B0), policy.register(B1)), (Some(mask("0111")), None));
    assert_eq!(policy.finished(), mask("1000"));
}

/// Section VII-B: the first that come take a free register and push an entry, the others only wait.
#[test]
fn a_warpsync_makes_its_own_barrier() {
    let mut policy = Hanoi::start(split(0, "1111").into());
    set(&mut policy, B0, 50, 1);
    parted(&mut policy, "0001", 10, 2);
    policy.barrier(BarrierMarker::WarpSync(mask("0111")), Pc(3));
    let entries: Vec<_> =
        policy.reconvergence_stack().iter().map(|b| (b.register, b.target, b.participants, b.waiting)).collect();
    assert_eq!(entries, [(B0, Pc(50), mask("1111"), mask("0000")), (B1, Pc(3), mask("0111"), mask("1110"))]);
    assert_eq!(policy.current(), Some(split(10, "0001")));
    policy.barrier(BarrierMarker::WarpSync(mask("0111")), Pc(3));
    assert_eq!(policy.current(), Some(split(3, "1111")));
    assert_eq!(policy.register(B1), None);
}

/// Others of the warp use B0 for themselves while lanes inside of its barrier wait at a vote.
#[test]
fn lanes_that_wait_at_a_collective_keep_their_barrier() {
    let mut policy = Hanoi::start(split(0, "1111").into());
    parted(&mut policy, "0011", 30, 1);
    set(&mut policy, B0, 50, 31);
    parted(&mut policy, "0001", 49, 32);
    policy.barrier(BarrierMarker::Sync(B0), Pc(50));
    assert!(policy.park());
    assert_eq!(policy.current(), Some(split(1, "1100")));
    set(&mut policy, B0, 20, 2);
    assert_eq!(policy.register(B0), Some(mask("1100")));
    policy.barrier(BarrierMarker::Sync(B0), Pc(20));
    policy.advance(Pc(32));
    assert!(policy.park());
    policy.wake(mask("1110"), Pc(33));
    assert_eq!(policy.current(), Some(split(33, "1110")));
}

#[test]
fn lanes_that_take_no_part_wait_for_ever() {
    let mut policy = Hanoi::start(split(0, "1111").into());
    policy.barrier(BarrierMarker::Sync(B0), Pc(1));
    assert_eq!(policy.current(), None);
    assert_eq!(policy.splits(), [split(1, "1111")]);
}

/// WS and REC as deep as in Figure 8, which has four paths and two reconvergence points.
#[test]
fn the_figures_tell_how_deep_the_stacks_were() {
    let counts = |policy: &Hanoi| gathered(|tell| policy.figures(tell));
    let mut policy = Hanoi::start(split(0, "1111").into());
    assert_eq!(counts(&policy), [1, 0, 0, 0]);
    parted(&mut policy, "0001", 90, 1);
    set(&mut policy, B0, 500, 2);
    parted(&mut policy, "0010", 50, 3);
    assert_eq!(counts(&policy), [3, 1, 1, 0]);
    set(&mut policy, B1, 100, 4);
    parted(&mut policy, "1000", 99, 20);
    assert_eq!(counts(&policy), [4, 2, 2, 0]);
    policy.barrier(BarrierMarker::Sync(B1), Pc(100));
    policy.barrier(BarrierMarker::Sync(B1), Pc(100));
    assert_eq!(stack(&policy).len(), 3);
    assert_eq!(counts(&policy), [4, 2, 2, 0], "they are not as deep any more");
}

/// Figure 5: one register for both barriers, the outer participants in a register of the lanes meanwhile.
#[test]
fn the_figures_tell_registers_from_entries() {
    let counts = |policy: &Hanoi| gathered(|tell| policy.figures(tell));
    let mut policy = Hanoi::start(split(0, "1111").into());
    set(&mut policy, B0, 50, 1);
    let participants = policy.barrier(BarrierMarker::Save(B0), Pc(2));
    assert_eq!(participants, mask("1111"));
    set(&mut policy, B0, 10, 3);
    assert_eq!(counts(&policy), [1, 2, 1, 1], "two entries, of which one names a register that holds its participants");
    policy.barrier(BarrierMarker::Sync(B0), Pc(10));
    policy.barrier(BarrierMarker::Restore { barrier: B0, participants }, Pc(11));
    policy.barrier(BarrierMarker::WarpSync(mask("1111")), Pc(12));
    assert_eq!(counts(&policy), [1, 2, 2, 1], "the `warpsync` takes another one");
}
