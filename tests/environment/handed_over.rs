//! Data that threads hand to each other by barriers: the race check and the memory environment agree on it.

use super::{config, gpu};
use simt::RaceCheck;
use simt::error::FaultKind;
use simt::prelude::*;

/// How the threads that store say that they have.
const NOT_FENCED: u32 = 0;
const FENCED: u32 = 1;
const BEHIND_A_BARRIER: u32 = 2;

/// The first warp stores and goes on, the second waits and reads: from a shared array, and from a slice.
#[kernel]
fn handed_over(x: &mut [u32], out: &mut [u32], how: u32) {
    #[shared]
    let mut tile: [u32; 4];
    let i = thread_idx().x;
    if i < 4 {
        x[i] = i as u32 + 6;
        tile[i] = i as u32 + 5;
    }
    if how == BEHIND_A_BARRIER {
        sync_threads();
    }
    if i < 4 {
        if how == FENCED {
            fence_block();
        }
        arrive_barrier(1, 8);
    } else {
        sync_barrier(1, 8);
        out[i] = tile[i - 4];
        out[i - 4] = x[i - 4];
    }
}

/// The same with the slice alone.
#[kernel]
fn slice_handed_over(x: &mut [u32], out: &mut [u32], how: u32) {
    let i = thread_idx().x;
    if i < 4 {
        x[i] = i as u32 + 6;
        if how == FENCED {
            fence_block();
        }
        arrive_barrier(1, 8);
    } else {
        sync_barrier(1, 8);
        out[i - 4] = x[i - 4];
    }
}

/// Some lanes store, all meet, and the others read what has been stored.
#[kernel]
fn neighbours(x: &mut [u32], out: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 4];
    let lane = lane_id();
    if lane < 2 {
        x[lane] = lane as u32 + 1;
        tile[lane] = lane as u32 + 3;
    }
    sync_warp();
    if lane >= 2 {
        out[lane] = tile[lane - 2];
        out[lane - 2] = x[lane - 2];
    }
}

#[kernel]
fn swap(seen: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 8];
    let i = global_id();
    tile[i] = i as u32 + 1;
    sync_threads();
    seen[i] = tile[(i + 4) % 8];
}

fn is_race(error: &LaunchError) -> bool {
    matches!(error, LaunchError::Fault(fault) if matches!(fault.kind, FaultKind::Race(_)))
}

#[test]
fn what_arrives_hands_over_what_it_has_fenced() {
    let watched = Gpu::<Ipdom>::default().with_warp_width(4).with_race_check(RaceCheck::Everywhere);
    for how in [NOT_FENCED, FENCED, BEHIND_A_BARRIER] {
        let (mut x, mut out) = ([0; 4], [0; 8]);
        let races = watched.launch(Grid::new(1, 8), handed_over(&mut x, &mut out, how)).map_err(|error| {
            assert!(is_race(&error), "{error}");
        });
        assert_eq!(races.is_err(), how == NOT_FENCED, "{how}");
        let seen = |seed| {
            let (mut x, mut out) = ([0; 4], [0; 8]);
            let launched = gpu::<Ipdom>(config(seed)).launch(Grid::new(1, 8), handed_over(&mut x, &mut out, how));
            launched.map(|_| out).map_err(|error| error.to_string())
        };
        let late = (0..200).filter(|&seed| seen(seed) != Ok([6, 7, 8, 9, 5, 6, 7, 8])).count();
        assert_eq!(late > 0, how == NOT_FENCED, "{how}: {late}");
    }
}

#[test]
fn what_is_read_before_a_store_has_come_is_unwritten_or_old() {
    let mut unwritten = 0;
    for seed in 0..200 {
        let (mut x, mut out) = ([0; 4], [0; 8]);
        let launched = gpu::<Ipdom>(config(seed)).launch(Grid::new(1, 8), handed_over(&mut x, &mut out, NOT_FENCED));
        match launched {
            Ok(_) => assert_eq!(out[4..], [5, 6, 7, 8], "{seed}: what no thread has written is no value"),
            Err(LaunchError::Fault(fault)) => {
                let FaultKind::Unwritten { array, in_flight, .. } = &fault.kind else { panic!("{:?}", fault.kind) };
                assert!(array == "tile" && *in_flight, "{fault:?}");
                unwritten += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(unwritten > 0);
    let seen = (0..200).map(|seed| {
        let (mut x, mut out) = ([0; 4], [0; 4]);
        let call = slice_handed_over(&mut x, &mut out, NOT_FENCED);
        gpu::<Ipdom>(config(seed)).launch(Grid::new(1, 8), call).expect("a slice has old values");
        out
    });
    assert!(seen.clone().any(|out| out == [6, 7, 8, 9]) && seen.clone().any(|out| out == [0; 4]));
}

#[test]
fn lanes_that_meet_see_what_each_has_stored() {
    for seed in 0..200 {
        let (mut x, mut out) = ([0; 4], [0; 4]);
        gpu::<Ipdom>(config(seed)).launch(Grid::new(1, 4), neighbours(&mut x, &mut out)).expect("it ends");
        assert_eq!(out, [1, 2, 3, 4], "{seed}");
    }
}

#[test]
fn a_barrier_shows_shared_memory() {
    for seed in 0..300 {
        let mut seen = [0; 8];
        gpu::<Ipdom>(config(seed)).launch(Grid::new(1, 8), swap(&mut seen)).expect("it ends");
        assert_eq!(seen, [5, 6, 7, 8, 1, 2, 3, 4], "{seed}");
    }
}
