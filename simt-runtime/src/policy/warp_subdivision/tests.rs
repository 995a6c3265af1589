//! Whose turn it is, who waits for whom, and who has no room.

use super::*;
use crate::policy::gathered;

fn split(pc: u32, mask: u64) -> WarpSplit {
    WarpSplit { pc: Pc(pc), mask: LaneMask(mask) }
}

fn branch(taken: u64, target: u32, next: u32, meet: u32) -> Branch {
    Branch { taken: LaneMask(taken), target: Pc(target), next: Pc(next), meet: Some(Pc(meet)), leaves: false }
}

fn with_room<M: Remerge>(room: usize, mask: u64) -> WarpSubdivision<M> {
    WarpSubdivision { room, ..WarpSubdivision::start(split(0, mask)) }
}

#[test]
fn both_sides_have_their_turns_and_wait_where_they_meet() {
    let mut policy = with_room::<AtPostDominators>(16, 0b1111);
    policy.branch(branch(0b0011, 5, 1, 9));
    assert_eq!(policy.current(), Some(split(5, 0b0011)));
    policy.advance(Pc(6));
    assert_eq!(policy.current(), Some(split(1, 0b1100)));
    policy.advance(Pc(2));
    policy.advance(Pc(9));
    assert_eq!(policy.splits(), [split(2, 0b1100), split(9, 0b0011)]);
    policy.advance(Pc(3));
    assert_eq!(policy.current(), Some(split(3, 0b1100)), "the others wait");
    policy.advance(Pc(9));
    assert_eq!(policy.splits(), [split(9, 0b1111)]);
}

#[test]
fn who_has_no_room_waits_for_a_split_to_end() {
    let mut policy = with_room::<AtPostDominators>(1, 0b1111);
    policy.branch(branch(0b0111, 5, 1, 9));
    policy.branch(branch(0b0001, 6, 7, 8));
    assert_eq!(policy.splits(), [split(6, 0b0001), split(1, 0b1000), split(7, 0b0110)]);
    policy.advance(Pc(8));
    // The last to come is first, as on a stack.
    assert_eq!(policy.current(), Some(split(7, 0b0110)));
    policy.advance(Pc(8));
    assert_eq!(policy.current(), Some(split(8, 0b0111)));
    policy.advance(Pc(9));
    assert_eq!(policy.current(), Some(split(1, 0b1000)));
    policy.advance(Pc(9));
    assert_eq!(policy.splits(), [split(9, 0b1111)]);
    assert_eq!(gathered(|tell| policy.figures(tell)), [1, 2]);
}

/// Two branches with one post-dominator, and a side of each that comes to the same address before it.
#[test]
fn by_pc_splits_meet_earlier() {
    fn after<M: Remerge>() -> Vec<WarpSplit> {
        let mut policy = with_room::<M>(16, 0b111);
        policy.branch(branch(0b001, 5, 1, 9));
        policy.advance(Pc(6));
        policy.branch(branch(0b010, 6, 2, 9));
        let mut splits = policy.splits();
        splits.sort_by_key(|split| (split.pc, split.mask.0));
        splits
    }
    assert_eq!(after::<AtPostDominators>(), [split(2, 0b100), split(6, 0b001), split(6, 0b010)]);
    assert_eq!(after::<ByPc>(), [split(2, 0b100), split(6, 0b011)]);
}

#[test]
fn paths_through_a_function_end_with_its_return() {
    let mut policy = with_room::<AtPostDominators>(16, 0b11);
    policy.call(Pc(50), Pc(1));
    policy.branch(Branch { meet: None, ..branch(0b01, 60, 51, 0) });
    assert_eq!(policy.current(), Some(split(51, 0b10)));
    policy.advance(Pc(52));
    policy.ret(LaneMask(0b01), Pc(1), Pc(60));
    assert_eq!(policy.splits(), [split(52, 0b10), split(1, 0b01)]);
    policy.exit();
    assert_eq!(policy.splits(), [split(1, 0b01)]);
}

#[test]
fn parked_lanes_leave_their_room_to_others() {
    let mut policy = with_room::<AtPostDominators>(1, 0b11);
    policy.branch(branch(0b01, 5, 1, 9));
    assert!(policy.park());
    assert_eq!(policy.current(), Some(split(1, 0b10)));
    policy.wake(LaneMask(0b01), Pc(6));
    assert_eq!(policy.splits(), [split(1, 0b10), split(6, 0b01)]);
    policy.advance(Pc(9));
    assert_eq!(policy.current(), Some(split(6, 0b01)));
}
