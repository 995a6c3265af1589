//! Whose turn it is, and who meets.

use super::*;
use crate::policy::LowestPc;

fn branch(taken: u64, target: u32, next: u32) -> Branch {
    Branch { taken: LaneMask(taken), target: Pc(target), next: Pc(next), meet: None, leaves: false }
}

/// Three splits: lane 0 at address 1, which began first, then lane 3 at 4, then lanes 1 and 2 at 3.
fn apart<S: SplitSchedule>() -> StackLess<S> {
    let mut policy = StackLess::<S>::start(WarpSplit { pc: Pc(1), mask: LaneMask(0b1111) });
    policy.splits = [(1, 0b0001), (4, 0b1000), (3, 0b0110)]
        .into_iter()
        .map(|(pc, mask)| Split { pc: Pc(pc), calls: 0, mask: LaneMask(mask) })
        .collect();
    policy.pick(0);
    policy
}

/// The lanes that issue in so many turns, if each goes on to an address of its own.
fn turns<S: SplitSchedule>(mut policy: StackLess<S>, count: u32) -> Vec<u64> {
    (0..count)
        .map(|turn| {
            let current = policy.current().expect("lanes are there");
            policy.advance(Pc(10 + turn));
            current.mask.0
        })
        .collect()
}

#[test]
fn each_schedule_has_its_order() {
    assert_eq!(turns(apart::<RoundRobin>(), 6), [0b0001, 0b1000, 0b0110, 0b0001, 0b1000, 0b0110]);
    assert_eq!(turns(apart::<Oldest>(), 3), [0b0001, 0b0001, 0b0001]);
    assert_eq!(turns(apart::<MostLanes>(), 3), [0b0110, 0b0110, 0b0110]);
    assert_eq!(turns(apart::<LowestPc>(), 4), [0b0001, 0b0110, 0b1000, 0b0001]);
    let random = turns(apart::<Random>(), 300);
    for mask in [0b0001, 0b1000, 0b0110] {
        let share = random.iter().filter(|&&issued| issued == mask).count();
        assert!((70..130).contains(&share), "{mask:04b} has {share} of 300 turns");
    }
}

#[test]
fn who_merges_has_the_place_of_the_older() {
    let mut policy = apart::<RoundRobin>();
    policy.advance(Pc(4));
    assert_eq!(
        policy.splits(),
        [WarpSplit { pc: Pc(3), mask: LaneMask(0b0110) }, WarpSplit { pc: Pc(4), mask: LaneMask(0b1001) }]
    );
    // The younger one comes to the older: the one behind it is next, which is the first again.
    policy.advance(Pc(4));
    assert_eq!(policy.splits(), [WarpSplit { pc: Pc(4), mask: LaneMask(0b1111) }]);
}

#[test]
fn the_branch_of_a_split_has_a_turn_for_each_side() {
    let mut policy = apart::<RoundRobin>();
    policy.advance(Pc(100));
    policy.advance(Pc(101));
    policy.branch(branch(0b0100, 102, 103));
    let masks: Vec<u64> = turns(policy, 4);
    assert_eq!(masks, [0b0100, 0b0001, 0b1000, 0b0010], "the new one has its turn in this round, and then the others");
}

#[test]
fn lanes_in_different_calls_do_not_meet() {
    let mut policy = StackLess::<LowestPc>::start(WarpSplit { pc: Pc(0), mask: LaneMask(0b11) });
    policy.branch(branch(0b10, 5, 1));
    policy.call(Pc(5), Pc(2));
    assert_eq!(policy.splits().len(), 2, "both are at 5, but one of them has been called");
    policy.ret(LaneMask(0b01), Pc(5), Pc(9));
    assert_eq!(policy.splits().len(), 1);
}

#[test]
fn parked_lanes_have_no_turn_until_they_are_woken() {
    let mut policy = apart::<RoundRobin>();
    assert!(policy.park());
    assert_eq!(turns(policy.clone(), 4), [0b1000, 0b0110, 0b1000, 0b0110]);
    policy.wake(LaneMask(0b0001), Pc(9));
    assert_eq!(turns(policy, 4), [0b1000, 0b0110, 0b0001, 0b1000]);
}

#[test]
fn the_seed_says_what_random_draws() {
    let config = |seed| crate::GpuConfig { seed, ..crate::GpuConfig::functional() };
    let draws = |seed, block| {
        let config = config(seed);
        let start = WarpStart { block, warp: 0, config: &config };
        let mut schedule = Random::start(start.seed());
        let splits = [Split { pc: Pc(0), calls: 0, mask: LaneMask(1) }; 64];
        (0..20).map(|_| schedule.pick(&splits, 0)).collect::<Vec<_>>()
    };
    assert_eq!(draws(0, 0), draws(0, 0));
    assert_ne!(draws(0, 0), draws(1, 0));
    assert_ne!(draws(0, 0), draws(0, 1));
    assert_ne!(draws(1, 0), draws(0, 1));
}
