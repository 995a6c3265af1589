//! Operations of lanes that name others, where lanes come to one place at different turns of a loop: those that name the same
//! lanes work together, and no others.

use simt::checks::Checks;
use simt::prelude::*;
use simt::{RaceCheck, for_each_policy};

const LANES: usize = 8;
const TURNS: usize = 12;

/// In each turn a lane votes with those that it names, or does not.
#[kernel]
fn votes(named: &[u64], results: &mut [u32]) {
    let lane = lane_id();
    for turn in 0..TURNS {
        let at = turn * LANES + lane;
        if named[at] != 0 {
            results[at] = results[at] * 1000 + 1 + ballot_mask(named[at], (turn * 7 + lane * lane) % 3 != 0) as u32;
        }
    }
}

/// Each lane waits for the one before, and then for the one behind.
#[kernel]
fn chain(x: &mut [u32], taken: &mut [u32]) {
    let lane = lane_id();
    for turn in 0..LANES - 1 {
        if lane == turn || lane == turn + 1 {
            let both = 3 << turn;
            sync_warp_mask(both);
            if lane > turn {
                x[lane] = x[lane - 1] + 1;
            }
            taken[turn * LANES + lane] = shuffle_mask(both, 10 * lane as u32 + turn as u32, turn as u32);
        }
    }
}

/// Lane 0 votes alone, and then with lane 1, which comes to that place together with it.
#[kernel]
fn again(named: &[u64], results: &mut [u64]) {
    let lane = lane_id();
    let mut turn = 0;
    while turn < 2 && named[turn * 4 + lane] != 0 {
        results[turn * 4 + lane] = ballot_mask(named[turn * 4 + lane], true);
        turn += 1;
    }
}

/// Numbers that look random.
fn hash(number: usize) -> usize {
    let mixed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33) as usize
}

#[test]
fn lanes_that_name_the_same_lanes_vote_together_and_no_others() -> Result<(), LaunchError> {
    for seed in 0..20 {
        let (mut named, mut expected) = (vec![0; TURNS * LANES], vec![0; TURNS * LANES]);
        for turn in 0..TURNS {
            let number = |lane| (seed * TURNS + turn) * LANES + lane;
            // Up to three groups; lanes of group 0 do not vote.
            let group = |lane| hash(number(lane)) % (2 + hash(number(0)) % 3);
            for lane in (0..LANES).filter(|&lane| group(lane) > 0) {
                let same = |other: &usize| group(*other) == group(lane);
                let holds = |other: &usize| !(turn * 7 + other * other).is_multiple_of(3);
                let bits = |lanes: &mut dyn Iterator<Item = usize>| lanes.fold(0, |all, lane| all | 1 << lane);
                named[turn * LANES + lane] = bits(&mut (0..LANES).filter(same));
                expected[turn * LANES + lane] = 1 + bits(&mut (0..LANES).filter(same).filter(holds)) as u32;
            }
        }
        for_each_policy!(P => {
            let mut results = vec![0; TURNS * LANES];
            let gpu = Gpu::<P>::default().with_warp_width(LANES).with_checks(Checks::all());
            gpu.launch(Grid::new(1, LANES), votes(&named, &mut results))?;
            assert_eq!(results, expected, "{}, seed {seed}", P::name());
        });
    }
    Ok(())
}

#[test]
fn lanes_that_wait_for_one_after_the_other_see_what_each_has_done() -> Result<(), LaunchError> {
    for_each_policy!(P => {
        let (mut x, mut taken) = ([5; LANES], [0; LANES * (LANES - 1)]);
        let gpu = Gpu::<P>::default().with_warp_width(LANES).with_race_check(RaceCheck::Everywhere);
        gpu.launch(Grid::new(1, LANES), chain(&mut x, &mut taken))?;
        assert_eq!(x, [5, 6, 7, 8, 9, 10, 11, 12], "{}", P::name());
        for (turn, taken) in taken.chunks(LANES).enumerate() {
            let both = |lane| lane == turn || lane == turn + 1;
            let expected = |lane| if both(lane) { 11 * turn as u32 } else { 0 };
            assert!((0..LANES).all(|lane| taken[lane] == expected(lane)), "{}, turn {turn}: {taken:?}", P::name());
        }
    });
    Ok(())
}

#[test]
fn lanes_whose_group_is_there_go_on_without_those_that_came_with_them() -> Result<(), LaunchError> {
    let named = [0b01, 0b11, 0b1100, 0b1100, 0b11, 0, 0, 0];
    for_each_policy!(P => {
        let mut results = [0; 8];
        let gpu = Gpu::<P>::default().with_warp_width(4).with_checks(Checks::all());
        let launched = gpu.launch(Grid::new(1, 4), again(&named, &mut results));
        // All threads of a block meet at each branch under it.
        if P::name() == "BlockCompaction" {
            assert!(matches!(launched, Err(LaunchError::Deadlock(_))), "{launched:?}");
        } else {
            launched?;
            assert_eq!(results, named, "{}", P::name());
        }
    });
    Ok(())
}
