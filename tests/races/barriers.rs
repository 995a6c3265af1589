//! The accesses that barriers of the block order, and those that operations of a warp's lanes order.

use super::race;
use simt::RaceCheck;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Each thread reads what a thread of another warp has stored.
#[kernel]
fn reverse(x: &[u32], out: &mut [u32], how: u32) {
    #[shared]
    let mut tile: [u32; 128];
    let i = thread_idx().x;
    tile[i] = x[i];
    if how == 1 {
        sync_threads();
    } else if how == 2 {
        sync_barrier(3, 128);
    } else if how == 3 {
        let _all = sync_threads_count(true);
    }
    out[i] = tile[127 - i];
}

/// Tiles one after the other: each is read before the next is written.
#[kernel]
fn tiles(x: &[u32], out: &mut [u32], behind: bool) {
    #[shared]
    let mut tile: [u32; 128];
    let i = thread_idx().x;
    let mut sum = 0;
    for round in 0..3 {
        tile[i] = x[i] + round;
        sync_threads();
        sum += tile[127 - i];
        if behind {
            sync_threads();
        }
    }
    out[i] = sum;
}

/// The warps of one half store and go on, those of the other wait and read; or the other way round.
#[kernel]
fn handed_over(out: &mut [u32], backwards: bool, fenced: bool) {
    #[shared]
    let mut tile: [u32; 64];
    let i = thread_idx().x;
    if i < 64 {
        if !backwards {
            tile[i] = i as u32;
        }
        if fenced {
            fence_block();
        }
        arrive_barrier(1, 128);
        if backwards {
            tile[i] = i as u32;
        }
    } else {
        sync_barrier(1, 128);
        if backwards {
            tile[i - 64] = 0;
        } else {
            out[i] = tile[i - 64];
        }
    }
}

/// Two groups of lanes: each meets, and reads what the other has stored if it is to.
#[kernel]
fn groups(out: &mut [u32], across: bool) {
    #[shared]
    let mut tile: [u32; 8];
    let lane = lane_id();
    tile[lane] = lane as u32;
    let mine = if lane < 4 { 0b1111u64 } else { 0b1111_0000 };
    sync_warp_mask(mine);
    let from = if across { lane ^ 4 } else { lane ^ 1 };
    out[lane] = tile[from];
}

/// Votes and shuffles bring no order.
#[kernel]
fn voted(out: &mut [u32], vote: bool) {
    #[shared]
    let mut tile: [u32; 8];
    let lane = lane_id();
    tile[lane] = lane as u32;
    let votes = if vote { ballot(lane > 3) } else { shuffle_xor(7u64, 1) };
    out[lane] = tile[lane ^ 1] + votes as u32;
}

/// A lane hands on what it has heard from another.
#[kernel]
fn handed_on(out: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 128];
    let i = thread_idx().x;
    tile[i] = i as u32;
    sync_warp();
    if lane_id() == 0 {
        tile[i + 1] += 1;
    }
    sync_threads();
    out[i] = tile[(i + 64) % 128];
}

fn input() -> Vec<u32> {
    (0..128).map(|i| i * 3).collect()
}

#[test]
fn barriers_of_the_block_order_all_of_it_and_those_of_the_warp_do_not() {
    let x = input();
    watched!(|gpu| {
        for how in 1..=3 {
            let mut out = [0; 128];
            let launched = gpu.launch(Grid::new(1, 128), reverse(&x, &mut out, how));
            assert!(launched.is_ok(), "{how}: {launched:?}");
            assert!(out.iter().eq(x.iter().rev()));
        }
    });
}

/// Warps that store first; under a policy that runs them one after the other the second half reads what the first has
/// written, and no thread reads what is not there yet.
#[kernel]
fn other_warp(out: &mut [u32], warp_only: bool) {
    #[shared]
    let mut tile: [u32; 128];
    let i = thread_idx().x;
    tile[i] = 0;
    sync_threads();
    tile[i] = i as u32;
    if warp_only {
        sync_warp();
    }
    out[i] = tile[(i + 64) % 128];
}

#[test]
fn threads_of_other_warps_race_without_a_barrier() {
    watched!(|gpu| {
        for warp_only in [false, true] {
            let race = race(gpu.launch(Grid::new(1, 128), other_warp(&mut [0; 128], warp_only)));
            assert!(!race.same_warp && !race.same_issue && race.name == "tile", "{race:?}");
        }
    });
}

#[test]
fn the_error_asks_for_a_barrier_of_the_block() {
    let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared);
    let error = gpu.launch(Grid::new(1, 128), other_warp(&mut [0; 128], true)).expect_err("it races");
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("other_warp", error.to_string());
    });
}

#[test]
fn a_tile_must_be_read_before_it_is_written_again() {
    let x = input();
    watched!(|gpu| {
        let launched = gpu.launch(Grid::new(1, 128), tiles(&x, &mut [0; 128], true));
        assert!(launched.is_ok(), "{launched:?}");
        let race = race(gpu.launch(Grid::new(1, 128), tiles(&x, &mut [0; 128], false)));
        assert!(race.name == "tile" && !race.same_warp, "{race:?}");
    });
}

#[test]
fn a_thread_that_arrives_hands_over_what_it_has_fenced_and_gets_nothing() {
    watched!(|gpu| {
        let mut out = [0; 128];
        let launched = gpu.launch(Grid::new(1, 128), handed_over(&mut out, false, true));
        assert!(launched.is_ok(), "under {}: {launched:?}", gpu.policy());
        assert_eq!(out[64..], std::array::from_fn::<u32, 64, _>(|i| i as u32));
        let unfenced = race(gpu.launch(Grid::new(1, 128), handed_over(&mut out, false, false)));
        assert!(!unfenced.write && unfenced.earlier_arrived && unfenced.name == "tile", "{unfenced:?}");
        let race = race(gpu.launch(Grid::new(1, 128), handed_over(&mut out, true, true)));
        assert!(race.write && race.earlier_write && race.name == "tile", "{race:?}");
    });
}

#[test]
fn the_error_asks_for_a_fence_before_a_barrier_at_which_a_thread_only_arrives() {
    let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared);
    let error = gpu.launch(Grid::new(1, 128), handed_over(&mut [0; 128], false, false)).expect_err("it races");
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("handed_over", error.to_string());
    });
}

#[test]
fn lanes_that_meet_are_ordered_and_other_groups_are_not() {
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default().with_warp_width(8).with_race_check(RaceCheck::Shared);
        let mut out = [9; 8];
        let launched = gpu.launch(Grid::new(1, 8), groups(&mut out, false));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, [1, 0, 3, 2, 5, 4, 7, 6]);
    });
    let gpu = Gpu::<Ipdom>::default().with_warp_width(8).with_race_check(RaceCheck::Shared);
    assert!(race(gpu.launch(Grid::new(1, 8), groups(&mut [9; 8], true))).same_warp);
}

#[test]
fn votes_and_shuffles_bring_no_order() {
    for_each_policy!(P => for vote in [false, true] {
        let gpu = Gpu::<P>::default().with_warp_width(8).with_race_check(RaceCheck::Shared);
        assert!(race(gpu.launch(Grid::new(1, 8), voted(&mut [9; 8], vote))).same_warp);
    });
}

#[test]
fn what_a_lane_has_heard_it_hands_on() {
    watched!(|gpu| {
        let launched = gpu.launch(Grid::new(1, 128), handed_on(&mut [0; 128]));
        assert!(launched.is_ok(), "under {}: {launched:?}", gpu.policy());
    });
}

/// Threads that return before a barrier have written what others read behind it.
#[kernel]
fn returned(out: &mut [u32], returns: bool) {
    #[shared]
    let mut tile: [u32; 64];
    let i = thread_idx().x;
    tile[i] = 1;
    if returns && i >= 50 {
        return;
    }
    sync_threads();
    out[i] = tile[63 - i];
}

#[test]
fn barriers_order_nothing_of_threads_that_have_returned_and_the_error_says_so() -> Result<(), LaunchError> {
    let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared);
    gpu.launch(Grid::new(1, 64), returned(&mut [0; 64], false))?;
    let launched = gpu.launch(Grid::new(1, 64), returned(&mut [0; 64], true));
    let text = launched.as_ref().expect_err("it races").to_string();
    assert!(text.contains("and the barrier between the two did not wait for the first, which had returned"), "{text}");
    let found = race(launched);
    assert!(found.earlier_returned && !found.relaxed && found.earlier_thread.lane == 31, "{found:?}");
    Ok(())
}

/// The first warp writes, and returns: before the barrier of the second, or behind it, when the second has yet to go on.
#[kernel]
fn returned_whole(out: &mut [u32], hits: &[AtomicU32], behind: bool) {
    #[shared]
    let mut tile: [u32; 1];
    let i = thread_idx().x;
    if i >= 64 {
        return;
    }
    if i < 32 {
        if behind {
            sync_threads();
        }
        tile[0] = 1;
    } else {
        sync_threads();
        out[i] = tile[0] + hits[0].load(Relaxed);
    }
}

#[test]
fn a_barrier_that_had_opened_when_the_thread_wrote_is_not_the_reason() {
    let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared);
    let (mut out, hits) = ([0; 96], [AtomicU32::new(0)]);
    let before = race(gpu.launch(Grid::new(1, 96), returned_whole(&mut out, &hits, false)));
    assert!(before.earlier_returned && before.relaxed, "{before:?}");
    let behind = race(gpu.launch(Grid::new(1, 96), returned_whole(&mut out, &hits, true)));
    assert!(!behind.earlier_returned && behind.earlier_write, "{behind:?}");
}
