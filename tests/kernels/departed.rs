//! Lanes and warps that have returned: no others wait for them.

use simt::prelude::*;

#[kernel]
fn votes_of_the_rest(votes: &mut [u64], any_odd: &mut [bool]) {
    let i = global_id();
    if lane_id() % 4 == 1 {
        return;
    }
    votes[i] = ballot(lane_id() % 4 != 2);
    any_odd[i] = any(lane_id() % 4 == 1);
}

#[test]
fn collectives_name_all_lanes_that_have_not_exited() {
    everywhere!(|gpu| {
        let width = gpu.config().warp_width;
        let (mut votes, mut any_odd) = (vec![0; 64], vec![true; 64]);
        gpu.launch(Grid::new(1, 64), votes_of_the_rest(&mut votes, &mut any_odd)).expect("a launch");
        // Lane 1 of each four has returned, lane 2 votes no.
        let expected = 0x9999_9999_9999_9999 >> (64 - width);
        for i in 0..64 {
            let expected = if i % 4 == 1 { (0, true) } else { (expected, false) };
            assert_eq!((votes[i], any_odd[i]), expected, "{i}");
        }
    });
}

#[kernel]
fn votes_in_a_loop(turns: &[u32], votes: &mut [u32]) {
    let i = global_id();
    let mut k = 0;
    let mut sum = 0;
    loop {
        if k == turns[i] {
            votes[i] = sum;
            return;
        }
        sum += ballot(true).count_ones();
        k += 1;
        if k == 100 {
            return;
        }
    }
}

/// Checks that each lane has as many votes as there were lanes left in each of its turns.
fn assert_votes(votes: &[u32], turns: &[u32], width: usize) {
    for (i, &sum) in votes.iter().enumerate() {
        let warp = &turns[i / width * width..][..width];
        let expected = (0..turns[i]).map(|k| warp.iter().filter(|&&other| other > k).count() as u32);
        assert_eq!(sum, expected.sum::<u32>(), "{i}");
    }
}

/// Lanes that return from the loop do not wait for the others to do so, too: these vote without them. With one `return`,
/// that would be where all paths meet.
#[test]
fn lanes_that_return_from_a_loop_are_not_waited_for() {
    let turns: Vec<u32> = (0..64).map(|i| i * 7 % 11).collect();
    everywhere!(|gpu| {
        let width = gpu.config().warp_width;
        let mut votes = vec![0; 64];
        gpu.launch(Grid::new(1, 64), votes_in_a_loop(&turns, &mut votes)).expect("a launch");
        assert_votes(&votes, &turns, width);
    });
}

#[kernel]
fn masks_of_the_departed(out: &mut [u32]) {
    let i = global_id();
    if lane_id() % 2 == 1 {
        return;
    }
    // The mask names all lanes, of which half have returned.
    out[i] = ballot_mask(u64::MAX, true).count_ones();
}

#[test]
fn named_lanes_that_have_exited_are_not_waited_for() {
    everywhere!(|gpu| {
        let width = gpu.config().warp_width as u32;
        let mut out = vec![0; 64];
        gpu.launch(Grid::new(1, 64), masks_of_the_departed(&mut out)).expect("a launch");
        assert!(out.iter().enumerate().all(|(i, &count)| count == if i % 2 == 0 { width / 2 } else { 0 }), "{out:?}");
    });
}

#[kernel]
fn early_warps(count: &mut [u32]) {
    let warp = warp_id();
    // Warp 0 goes at once, warp 1 when the others wait already, each of the rest one barrier later.
    let mut passed = 0;
    for _ in 0..warp {
        sync_threads();
        passed += 1;
    }
    count[global_id()] = passed;
}

#[test]
fn ended_warps_are_not_waited_for() {
    everywhere!(|gpu| {
        let width = gpu.config().warp_width;
        let mut count = vec![9; 4 * width];
        gpu.launch(Grid::new(1, 4 * width), early_warps(&mut count)).expect("a launch");
        let expected: Vec<u32> = (0..4 * width).map(|i| (i / width) as u32).collect();
        assert_eq!(count, expected);
    });
}

#[kernel]
fn groups(x: &[u32], out: &mut [u64]) {
    let lane = lane_id();
    // Each two lanes name each other, all at one place.
    out[global_id()] = ballot_mask(0b11 << (lane & !1), x[global_id()] % 2 == 1) >> (lane & !1);
}

#[test]
fn groups_of_lanes_with_masks_of_their_own() {
    let x: Vec<u32> = (0..64).map(|i| i * 3 % 7).collect();
    everywhere!(|gpu| {
        let mut out = vec![0; 64];
        gpu.launch(Grid::new(1, 64), groups(&x, &mut out)).expect("a launch");
        for (i, &votes) in out.iter().enumerate() {
            assert_eq!(votes, u64::from(x[i & !1] % 2 + x[i | 1] % 2 * 2), "{i}");
        }
    });
}

#[kernel]
fn leaves_to_a_store(out: &mut [u64]) {
    let mut turns = 0;
    while turns != lane_id() % 2 {
        out[global_id()] = ballot(true);
        turns += 1;
    }
    out[global_id()] += 1;
}

/// What stands behind the loop is where its paths meet: the stack holds lanes back there, as its paper says.
#[test]
fn lanes_behind_a_loop_are_waited_for_in_it() {
    let mut out = [0; 32];
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 32), leaves_to_a_store(&mut out)).unwrap_err();
    let LaunchError::Deadlock(deadlock) = &error else { panic!("{error}") };
    assert!(deadlock.ends_under.contains(&"MinPc") && !deadlock.ends_under.contains(&"Ipdom"), "{error}");
    assert!(error.to_string().contains("it ends under "), "{error}");
    Gpu::<MinPc>::default().launch(Grid::new(1, 32), leaves_to_a_store(&mut out)).expect("no lane is held back");
    assert_eq!(out[..2], [1, 0xaaaa_aaab]);
}

#[kernel]
fn leaves_by_return_alone(turns: &[u32], votes: &mut [u32]) {
    let i = global_id();
    let mut k = 0;
    loop {
        if k == turns[i] {
            return;
        }
        votes[i] += ballot(true).count_ones();
        k += 1;
    }
}

/// Where the paths of the loop meet the kernel ends: lanes that have come there are not waited for.
#[test]
fn lanes_that_come_to_the_only_return_are_not_waited_for() {
    let turns: Vec<u32> = (0..64).map(|i| i * 7 % 11).collect();
    everywhere!(|gpu| {
        let width = gpu.config().warp_width;
        let mut votes = vec![0; 64];
        gpu.launch(Grid::new(1, 64), leaves_by_return_alone(&turns, &mut votes)).expect("a launch");
        assert_votes(&votes, &turns, width);
    });
}

#[kernel]
fn works_up_to_the_end(n: u32, out: &mut [u32]) {
    let i = global_id();
    #[shared]
    let mut first: [u32; 2];
    if (i as u32) < n {
        if i < 2 {
            first[i] = n;
        }
        sync_threads();
        // Of those that are left the odd ones come to a second end, inside of the first.
        if i % 2 == 0 {
            out[i] = first[0] + any(i == 0) as u32;
            for _ in 0..i % 3 {
                sync_threads();
                out[i] += ballot(true).count_ones();
            }
        }
    }
}

/// A CUDA kernel's threads without work have ended, if nothing stands behind the work of the others.
#[test]
fn lanes_with_nothing_left_but_the_end_are_not_waited_for() {
    everywhere!(|gpu| {
        let width = gpu.config().warp_width;
        for n in [2, 3, 13, 33, 64] {
            let mut out = vec![0; 64];
            gpu.launch(Grid::new(1, 64), works_up_to_the_end(n, &mut out)).expect("a launch");
            for (i, &found) in out.iter().enumerate() {
                let even = |i: usize| i < n as usize && i.is_multiple_of(2);
                let left = |turn: usize| {
                    let lanes = i / width * width..(i / width + 1) * width;
                    lanes.filter(|&i| even(i) && i % 3 > turn).count() as u32
                };
                let expected = n + u32::from(i < width) + (0..i % 3).map(left).sum::<u32>();
                assert_eq!(found, if even(i) { expected } else { 0 }, "{i} of {n}");
            }
        }
    });
}
