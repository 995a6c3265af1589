//! The order of turns, and which splits meet.

use super::*;
use crate::policy::{LowestPc, PolicyConfig, mixed};

fn branch(taken: u64, target: u32, next: u32) -> Branch {
    Branch { taken: LaneMask(taken), target: Pc(target), next: Pc(next), meet: None, leaves: false }
}

/// Three splits: lane 0 at address 1, which began first, then lane 3 at 4, then lanes 1 and 2 at 3.
fn apart<S: SplitSchedule>() -> StackLess<S> {
    let mut policy = StackLess::<S>::start(WarpSplit { pc: Pc(1), mask: LaneMask(0b1111) }.into());
    let split = |pc, mask| Split::new(WarpSplit { pc: Pc(pc), mask: LaneMask(mask) });
    policy.splits = Splits::new(split(1, 0b0001));
    policy.splits.arrive(split(4, 0b1000), 0);
    policy.splits.arrive(split(3, 0b0110), 0);
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
fn what_merges_has_the_place_of_the_older() {
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
    let mut policy = StackLess::<LowestPc>::start(WarpSplit { pc: Pc(0), mask: LaneMask(0b11) }.into());
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
    let config = |seed| PolicyConfig { seed, ..PolicyConfig::FUNCTIONAL };
    let draws = |seed, block| {
        let config = config(seed);
        let split = WarpSplit { pc: Pc(0), mask: LaneMask(1) };
        let start = WarpStart { split, block, warp: 0, config: &config };
        let mut schedule = Random::start(start.seed());
        let mut splits = Splits::new(Split::new(split));
        (1..64).for_each(|lane| {
            splits.arrive(Split::new(WarpSplit { pc: Pc(lane as u32), mask: LaneMask::lane(lane) }), 0);
        });
        (0..20).map(|_| schedule.pick(&splits, splits.oldest()).number()).collect::<Vec<_>>()
    };
    assert_eq!(draws(0, 0), draws(0, 0));
    assert_ne!(draws(0, 0), draws(1, 0));
    assert_ne!(draws(0, 0), draws(0, 1));
    assert_ne!(draws(1, 0), draws(0, 1));
}

/// The table's specification, as a vector: the splits in the order in which they began, and the place of the one that
/// issues.
#[derive(Debug, Default)]
struct Listed {
    splits: Vec<Split>,
    current: usize,
}

impl Listed {
    fn arrive(&mut self, split: Split) {
        match self.splits.iter_mut().find(|known| known.at == split.at) {
            Some(known) => known.mask |= split.mask,
            None => self.splits.push(split),
        }
    }

    /// Returns the place of the split whose turn is next.
    fn go(&mut self, split: Split) -> usize {
        let at = self.current;
        self.splits[at] = split;
        match self.splits.iter().enumerate().position(|(place, other)| place != at && other.at == split.at) {
            None => at + 1,
            Some(other) => {
                let joined = self.splits.remove(at.max(other)).mask;
                self.splits[at.min(other)].mask |= joined;
                if other < at { at } else { at + 1 }
            }
        }
    }

    fn part(&mut self, leave: Split, stay: Split) -> usize {
        self.splits[self.current] = stay;
        self.arrive(leave);
        self.go(self.splits[self.current])
    }

    fn turn(&mut self, turn: usize) {
        self.current = if turn < self.splits.len() { turn } else { 0 };
    }
}

/// Draws below a limit, the same every time.
fn draws() -> impl FnMut(u64) -> u64 {
    let mut state = 0_u64;
    move |below| {
        state = state.wrapping_add(1);
        mixed(state) % below
    }
}

#[test]
fn the_table_does_what_a_list_does() {
    let mut draw = draws();
    let (mut searches, mut most) = (0, 0);
    for _ in 0..400 {
        let first = Split::new(WarpSplit { pc: Pc(0), mask: LaneMask(u64::MAX) });
        let mut policy = StackLess::<RoundRobin>::start(first.shown().into());
        let mut list = Listed { splits: vec![first], current: 0 };
        let most_addresses = if draw(2) == 0 { 12 } else { 300 };
        let mut parked = Vec::new();
        let mut most_splits = 1;
        let (addresses, calls) = (1 + draw(most_addresses), draw(2) == 0);
        for _ in 0..300 {
            let Some(&current) = list.splits.get(list.current) else { break };
            let (to, next) = (Pc(draw(addresses) as u32), Pc(draw(addresses) as u32));
            let lanes = current.mask & LaneMask(mixed(draw(u64::MAX)));
            let rest = current.mask - lanes;
            if draw(8) == 0 {
                // Of those that are free, the one that has its turn.
                let free = LaneMask(mixed(draw(u64::MAX)) | mixed(draw(u64::MAX)) | mixed(draw(u64::MAX)));
                let is_free = |place: &usize| list.splits[*place].mask.is_subset(free);
                let places = list.current..list.splits.len();
                let chosen = places.chain(0..list.current).find(is_free);
                assert_eq!(policy.select(free), chosen.is_some());
                list.current = chosen.unwrap_or(list.current);
                continue;
            }
            let turn = match draw(18) {
                16 if list.splits.len() > 1 => {
                    assert!(policy.park());
                    parked.push(list.splits.remove(list.current));
                    list.current
                }
                17 => {
                    let lanes = parked.iter().skip(1).fold(LaneMask::EMPTY, |lanes, split| lanes | split.mask);
                    policy.wake(lanes, to);
                    parked.drain(1.min(parked.len())..).for_each(|split| list.arrive(split.to(to)));
                    list.current
                }
                0 if calls => {
                    policy.call(to, next);
                    list.go(current.called().to(to))
                }
                1 if calls && current.calls() > 0 => {
                    let returned = current.returned().to(to);
                    policy.ret(if lanes.is_empty() { current.mask } else { lanes }, to, current.pc());
                    if lanes.is_empty() || rest.is_empty() {
                        list.go(returned)
                    } else {
                        list.part(returned.of(lanes), current.of(rest))
                    }
                }
                2 if draw(8) == 0 => {
                    policy.exit();
                    list.splits.remove(list.current);
                    list.current
                }
                3..10 => {
                    policy.branch(Branch { taken: lanes, target: to, next, meet: None, leaves: false });
                    if lanes.is_empty() || rest.is_empty() {
                        list.go(current.to(if rest.is_empty() { to } else { next }))
                    } else {
                        list.part(current.to(to).of(lanes), current.to(next).of(rest))
                    }
                }
                _ => {
                    policy.advance(to);
                    list.go(current.to(to))
                }
            };
            list.turn(turn);
            most_splits = most_splits.max(list.splits.len());
            assert_eq!(policy.most.0, most_splits);
            assert_eq!(policy.splits.iter().map(SplitPlace::split).collect::<Vec<_>>(), list.splits);
            assert_eq!(policy.current(), list.splits.get(list.current).map(|split| split.shown()));
            let places: Vec<usize> = policy.splits.places().collect();
            for (older, &place) in places.iter().enumerate() {
                let nth = policy.splits.nth(older);
                assert_eq!((nth.number(), nth.split()), (place, list.splits[older]));
            }
            searches += u32::from(policy.splits.hides());
            most = most.max(places.len());
        }
    }
    assert!(searches > 10_000 && most > 40, "{searches} states with hidden splits, {most} splits at most");
}

#[test]
fn tables_are_equal_wherever_the_free_places_are() {
    let mut policy = apart::<RoundRobin>();
    policy.advance(Pc(4));
    // The split that is left of the first two has the first place; the other one the third, and here the second.
    let mut other = StackLess::<RoundRobin>::start(WarpSplit { pc: Pc(0), mask: LaneMask(0b1111) }.into());
    other.branch(branch(0b0110, 3, 4));
    assert_eq!(policy.splits, other.splits);
    assert_eq!(policy.current(), other.current());
    assert_eq!(policy, other);
    assert_ne!(policy.place, other.place);
    other.advance(Pc(7));
    assert_ne!(policy, other);
}
