//! The stack of a block, step by step.

use super::*;
use crate::policy::PolicyConfig;

fn part(warp: usize, lanes: u64) -> WarpPart {
    WarpPart { warp, lanes: LaneMask(lanes) }
}

fn start(warps: &[u64]) -> BlockCompaction {
    let config = PolicyConfig { warp_width: 4, ..PolicyConfig::FUNCTIONAL };
    let warps: Vec<_> = warps.iter().map(|&lanes| LaneMask(lanes)).collect();
    BlockCompaction::start(BlockStart { pc: Pc(0), warps: &warps, config: &config })
}

/// The current warp branches: lanes of warp 0 go to `target`, the others to `next`; all meet at 10.
fn branch(policy: &mut BlockCompaction, taken: u64, target: u32, next: u32) {
    let (lanes, mut taken) = (taken, policy.spare.none.clone());
    taken.insert(part(0, lanes));
    policy.branch(BlockBranch { taken: &taken, target: Pc(target), next: Pc(next), meet: Some(Pc(10)), leaves: false });
}

fn current(policy: &BlockCompaction) -> Option<(u32, Vec<WarpPart>)> {
    policy.current().map(|split| (split.pc.0, split.threads.parts().collect()))
}

#[test]
fn a_branch_at_the_end_of_a_side_makes_room_for_its_sides() {
    let mut policy = start(&[0b1111]);
    branch(&mut policy, 0b0111, 5, 1);
    assert_eq!((policy.stack.len(), current(&policy)), (3, Some((5, vec![part(0, 0b0111)]))));
    for (taken, depth) in [(0b0011, 4), (0b0001, 5)] {
        branch(&mut policy, taken, 6, 7);
        assert_eq!((policy.stack.len(), current(&policy)), (depth, Some((6, vec![part(0, taken)]))));
    }
    for lanes in [0b0001, 0b0010, 0b0100, 0b1000] {
        assert_eq!(current(&policy).map(|(_, parts)| parts), Some(vec![part(0, lanes)]));
        policy.advance(Pc(10));
    }
    assert_eq!((policy.stack.len(), current(&policy)), (1, Some((10, vec![part(0, 0b1111)]))));
}

#[test]
fn threads_that_have_ended_are_not_where_the_others_meet() {
    let mut policy = start(&[0b11]);
    branch(&mut policy, 0b01, 5, 1);
    policy.exit();
    assert_eq!(current(&policy), Some((1, vec![part(0, 0b10)])));
    policy.advance(Pc(10));
    assert_eq!(current(&policy), Some((10, vec![part(0, 0b10)])));
    policy.exit();
    assert_eq!((policy.splits(), current(&policy)), (vec![], None));
}

#[test]
fn a_warp_that_waits_does_not_issue() {
    let mut policy = start(&[0b1, 0b1]);
    policy.park();
    assert_eq!(current(&policy), Some((0, vec![part(1, 0b1)])));
    policy.park();
    assert_eq!(current(&policy), None);
    policy.wake(part(1, 0b1), Pc(3));
    assert_eq!(current(&policy), Some((3, vec![part(1, 0b1)])));
    assert_eq!(policy.splits(), [(Pc(3), part(1, 0b1)), (Pc(0), part(0, 0b1))]);
}

#[test]
fn of_a_warp_that_waits_some_can_go_on() {
    let mut policy = start(&[0b11]);
    policy.park();
    policy.wake(part(0, 0b01), Pc(3));
    assert_eq!(current(&policy), Some((3, vec![part(0, 0b01)])));
    policy.exit();
    assert_eq!((policy.splits(), current(&policy)), (vec![(Pc(0), part(0, 0b10))], None));
}
