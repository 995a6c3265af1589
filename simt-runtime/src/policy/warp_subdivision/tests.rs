//! The order of turns, which splits wait for which, and which have no room.

use super::*;
use crate::policy::gathered;
use crate::policy::mixed;

fn split(pc: u32, mask: u64) -> WarpSplit {
    WarpSplit { pc: Pc(pc), mask: LaneMask(mask) }
}

fn branch(taken: u64, target: u32, next: u32, meet: u32) -> Branch {
    Branch { taken: LaneMask(taken), target: Pc(target), next: Pc(next), meet: Some(Pc(meet)), leaves: false }
}

fn with_room<M: Remerge>(room: usize, mask: u64) -> WarpSubdivision<M> {
    WarpSubdivision { room, ..WarpSubdivision::start(split(0, mask).into()) }
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
fn what_has_no_room_waits_for_a_split_to_end() {
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
    assert_eq!(gathered(|tell| policy.figures(tell)), [1, 2, 0]);
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

#[test]
fn those_whose_data_is_late_fall_behind_until_their_path_ends() {
    let mut policy = with_room::<AtPostDominators>(16, 0b1111);
    policy.branch(branch(0b0111, 5, 1, 9));
    policy.advance(Pc(6));
    assert!(policy.divide(LaneMask(0b0110)));
    assert_eq!(policy.splits(), [split(1, 0b1000), split(6, 0b0001), split(6, 0b0110)]);
    // No other split has lanes of both kinds.
    assert!(!policy.divide(LaneMask(0b0110)));
    assert!(policy.select(LaneMask(0b0001)));
    policy.advance(Pc(9));
    assert!(policy.select(LaneMask(0b1001)), "the other side of the branch goes on");
    policy.advance(Pc(9));
    assert!(!policy.select(LaneMask(0b1001)), "and waits for those that have fallen behind");
    assert!(policy.select(LaneMask(0b1111)));
    policy.advance(Pc(7));
    assert_eq!(policy.current(), Some(split(7, 0b0110)));
    policy.advance(Pc(9));
    assert_eq!(policy.splits(), [split(9, 0b1111)]);
    assert_eq!(gathered(|tell| policy.figures(tell)), [3, 0, 1]);
}

#[test]
fn by_pc_those_which_fall_behind_catch_up() {
    let mut policy = with_room::<ByPc>(16, 0b1111);
    policy.advance(Pc(1));
    assert!(policy.divide(LaneMask(0b0011)));
    assert_eq!(policy.splits(), [split(1, 0b1100), split(1, 0b0011)], "no split has moved");
    assert!(policy.select(LaneMask(0b1100)));
    policy.advance(Pc(2));
    assert!(policy.select(LaneMask(0b0011)));
    policy.advance(Pc(2));
    assert_eq!(policy.splits(), [split(2, 0b1111)]);
    assert!(policy.divide(LaneMask(0b0001)), "and there is room again");
}

#[test]
fn no_split_is_divided_without_room() {
    let mut policy = with_room::<AtPostDominators>(1, 0b1111);
    assert!(!policy.divide(LaneMask(0b0011)));
    let mut policy = with_room::<AtPostDominators>(2, 0b1111);
    assert!(policy.divide(LaneMask(0b0011)) && !policy.divide(LaneMask(0b0001)));
    // Lanes that have ended free their room.
    assert!(policy.select(LaneMask(0b1100)));
    policy.exit();
    assert!(policy.divide(LaneMask(0b0001)));
    assert_eq!(policy.splits(), [split(0, 0b0010), split(0, 0b0001)]);
}

/// In a function the caller's path waits for both.
#[test]
fn a_load_in_a_function_divides_until_it_returns() {
    let mut policy = with_room::<AtPostDominators>(16, 0b11);
    policy.call(Pc(50), Pc(1));
    assert!(policy.divide(LaneMask(0b01)));
    assert!(policy.select(LaneMask(0b10)));
    policy.ret(LaneMask(0b10), Pc(1), Pc(50));
    assert_eq!(policy.splits(), [split(50, 0b01), split(1, 0b10)]);
    policy.ret(LaneMask(0b01), Pc(1), Pc(50));
    assert_eq!(policy.splits(), [split(1, 0b11)]);
}

#[test]
fn paths_are_found_whether_they_have_a_bit_or_not() {
    let states = [State::Free, State::Runs, State::Waits, State::Pending, State::Parked];
    for count in [1, 8, 9, 63, 64, 65, 90] {
        let mut paths = Paths::default();
        let path = |state| Path {
            state,
            below: None,
            above: 0,
            parted: false,
            reconvergence: NEVER,
            next: Pc(0),
            mask: LaneMask(1),
        };
        for place in 0..count {
            assert_eq!(paths.add(path(State::Pending)), place);
        }
        let mut draws = 0_u64..;
        let mut draw = |below: usize| mixed(draws.next().expect("no end")) as usize % below;
        for _ in 0..200 {
            let (place, state) = (draw(count), states[draw(states.len())]);
            match (state, paths.get(place).state) {
                (State::Free, _) => _ = paths.remove(place),
                (_, State::Free) => _ = paths.add(path(state)),
                _ => paths.set(place, state),
            }
            let from = draw(count + 2);
            let runs = |&place: &usize| paths.get(place).state == State::Runs;
            let expected = (from..paths.len()).find(runs).or_else(|| (0..from.min(paths.len())).find(runs));
            assert_eq!(paths.next_that_runs(from), expected, "from {from} of {count}");
        }
        let first_free = (0..paths.len()).find(|&place| paths.get(place).state == State::Free);
        assert_eq!(paths.add(path(State::Runs)), first_free.unwrap_or(paths.len()));
    }
}

/// Addresses and lanes, by lanes.
fn sorted<M: Remerge>(policy: &WarpSubdivision<M>) -> Vec<(u32, u64)> {
    let mut splits: Vec<_> = policy.splits().iter().map(|split| (split.pc.0, split.mask.0)).collect();
    splits.sort_by_key(|split| split.1);
    splits
}

/// Lane 1 has to wait for a load; the branch behind it stands at 6.
#[test]
fn parts_meet_before_the_next_branch() {
    let mut policy = with_room::<BranchLimited>(16, 0b1111);
    policy.branch(branch(0b0111, 4, 1, 9));
    assert!(policy.select(LaneMask(0b0111)) && !policy.hold(), "nothing is divided");
    assert!(policy.divide(LaneMask(0b0010)));
    assert_eq!(sorted(&policy), [(4, 0b0010), (4, 0b0101), (1, 0b1000)]);
    assert!(policy.select(LaneMask(0b1000)));
    policy.advance(Pc(9));
    assert!(policy.select(LaneMask(0b0101)));
    policy.advance(Pc(6));
    assert!(policy.select(LaneMask(0b0101)) && policy.hold());
    assert!(!policy.select(LaneMask(0b0101)), "it waits for the other part");
    assert_eq!(sorted(&policy), [(4, 0b0010), (6, 0b0101), (9, 0b1000)]);
    assert!(policy.select(LaneMask(0b0010)));
    policy.advance(Pc(6));
    assert!(policy.hold());
    assert_eq!(sorted(&policy), [(6, 0b0111), (9, 0b1000)]);
    assert!(!policy.hold(), "they have met");
    policy.branch(branch(0b0111, 9, 7, 9));
    assert_eq!(sorted(&policy), [(9, 0b1111)]);
}

#[test]
fn parts_meet_where_their_path_ends_if_that_comes_before_a_branch() {
    let mut policy = with_room::<BranchLimited>(16, 0b111);
    policy.branch(branch(0b011, 5, 1, 9));
    assert!(policy.divide(LaneMask(0b001)));
    for _ in 0..3 {
        policy.advance(Pc(9));
    }
    assert_eq!(policy.splits(), [split(9, 0b111)]);
}

#[test]
fn parts_that_return_wait_behind_the_call() {
    let mut policy = with_room::<BranchLimited>(16, 0b111);
    policy.call(Pc(20), Pc(1));
    assert!(policy.divide(LaneMask(0b001)) && policy.divide(LaneMask(0b010)));
    policy.ret(LaneMask(0b100), Pc(1), Pc(21));
    assert!(policy.splits().contains(&split(1, 0b100)), "{:?}", policy.splits());
    while policy.splits().len() > 1 {
        let returning = policy.current().map_or(LaneMask::EMPTY, |split| split.mask);
        policy.ret(returning, Pc(1), Pc(21));
    }
    assert_eq!(policy.splits(), [split(1, 0b111)]);
}
