//! Kernels that rely on the lanes of a warp running in step.

use super::race;
use simt::Dim3;
use simt::RaceCheck;
use simt::prelude::*;

/// Sums of blocks, by a tree in shared memory. The last steps are those of one warp.
#[kernel]
fn tree(x: &[u32], sums: &mut [u32], width: usize, synchronised: bool) {
    #[shared]
    let mut partial: [u32; 128];
    let (i, lane) = (thread_idx().x, lane_id());
    partial[i] = x[global_id()];
    sync_threads();
    let mut distance = 64;
    while distance >= width {
        if i < distance {
            partial[i] += partial[i + distance];
        }
        sync_threads();
        distance /= 2;
    }
    if warp_id() == 0 {
        while distance > 0 {
            if lane < distance {
                partial[lane] += partial[lane + distance];
            }
            if synchronised {
                sync_warp();
            }
            distance /= 2;
        }
        if lane == 0 {
            sums[block_idx().x] = partial[0];
        }
    }
}

/// Each lane reads what its neighbour has just stored.
#[kernel]
fn neighbour(out: &mut [u32], width: usize, synchronised: bool) {
    #[shared]
    let mut tile: [u32; 128];
    let (i, first) = (thread_idx().x, thread_idx().x - lane_id());
    tile[i] = 0;
    if synchronised {
        sync_warp();
    }
    tile[first + (lane_id() + 1) % width] = i as u32;
    if synchronised {
        sync_warp();
    }
    out[global_id()] = tile[i];
}

/// One lane says what all do.
#[kernel]
fn leader(x: &mut [u32], synchronised: bool) {
    #[shared]
    let mut factor: [u32; 1];
    factor[0] = 1;
    sync_threads();
    if thread_idx().x == 7 {
        let mut sum = 0;
        for i in 0..8 {
            sum += x[i];
        }
        factor[0] = sum;
    }
    if synchronised {
        sync_warp();
    }
    x[thread_idx().x] *= factor[0];
}

/// Neighbours through a slice.
#[kernel]
fn through_a_slice(tile: &mut [u32], out: &mut [u32]) {
    tile[lane_id()] = lane_id() as u32;
    out[lane_id()] = tile[lane_id() ^ 1];
}

fn input() -> Vec<u32> {
    (0..256).map(|i| i * i % 77).collect()
}

#[test]
fn a_tree_whose_warp_does_not_synchronise_is_found_under_every_policy() {
    let x = input();
    watched!(|gpu| {
        let mut sums = [7; 2];
        let race = race(gpu.launch(Grid::new(2, 128), tree(&x, &mut sums, gpu.config().warp_width, false)));
        assert!(race.same_warp && !race.same_issue && race.name == "partial", "{race:?}");
        assert_eq!((race.earlier_thread.warp, race.earlier_thread.block), (0, Dim3 { x: 0, y: 0, z: 0 }));
        assert!(race.write || race.earlier_write);
        assert_eq!(sums, [7; 2], "nothing is left of the launch");
    });
}

#[test]
fn a_tree_whose_warp_synchronises_is_not() -> Result<(), LaunchError> {
    let x = input();
    let expected = [x[..128].iter().sum::<u32>(), x[128..].iter().sum()];
    watched!(|gpu| {
        let mut sums = [0; 2];
        gpu.launch(Grid::new(2, 128), tree(&x, &mut sums, gpu.config().warp_width, true))
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(sums, expected, "under {}", gpu.policy());
    });
    Ok(())
}

/// The bug of these kernels: without the check the result depends on the policy.
#[test]
fn without_the_check_results_differ() -> Result<(), LaunchError> {
    let (mut in_step, mut apart, mut found) = ([2; 8], [2; 8], [2; 8]);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 8), leader(&mut in_step, false))?;
    assert_eq!(in_step, [32; 8]);
    Gpu::<Mimd>::default().launch(Grid::new(1, 8), leader(&mut apart, false))?;
    assert_ne!(apart, in_step);
    watched!(|gpu| {
        let race = race(gpu.launch(Grid::new(1, 8), leader(&mut found, false)));
        assert!(race.same_warp || gpu.config().warp_width == 4, "{race:?}");
        if gpu.config().warp_width > 4 {
            let mut x = [2; 8];
            gpu.launch(Grid::new(1, 8), leader(&mut x, true)).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(x, in_step);
        }
    });
    Ok(())
}

#[test]
fn a_lane_that_reads_what_its_neighbour_has_just_stored_is_found() {
    watched!(|gpu| {
        let (mut out, width) = ([0; 128], gpu.config().warp_width);
        let race = race(gpu.launch(Grid::new(1, 128), neighbour(&mut out, width, false)));
        assert!(race.same_warp && race.name == "tile", "{race:?}");
        let launched = gpu.launch(Grid::new(1, 128), neighbour(&mut out, width, true));
        assert!(launched.is_ok(), "{launched:?}");
    });
}

#[test]
fn the_error_names_both_lanes_and_what_belongs_between() {
    let x = input();
    let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared);
    let launch = || gpu.launch(Grid::new(2, 128), tree(&x, &mut [0; 2], 32, false)).expect_err("it races");
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("tree", launch().to_string());
    });
    // The same launch gives the same error.
    assert_eq!(launch().to_string(), launch().to_string());
    let race = race(Err(launch()));
    // The lane that wrote has twice the number: at a distance of 8 lane 0 reads what lane 8 has written at one of 16.
    assert_eq!((race.index, race.write, race.earlier_write, race.earlier_thread.lane), (8, false, true, 8));
    assert_eq!(race.value, race.earlier_value);
    assert!(race.earlier_place.text().is_some_and(|line| line.contains("partial[lane] +=")));
}

#[test]
fn slices_are_looked_at_if_that_is_asked_for() {
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default().with_warp_width(8);
        let (mut tile, mut out) = ([0; 8], [0; 8]);
        for check in [RaceCheck::Off, RaceCheck::Shared] {
            let gpu = gpu.clone().with_race_check(check);
            let launched = gpu.launch(Grid::new(1, 8), through_a_slice(&mut tile, &mut out));
            assert!(launched.is_ok(), "{launched:?}");
        }
        tile = [0; 8];
        let gpu = gpu.with_race_check(RaceCheck::Everywhere);
        let race = race(gpu.launch(Grid::new(1, 8), through_a_slice(&mut tile, &mut out)));
        assert!(race.same_warp && race.name == "tile" && tile == [0; 8], "{race:?}");
    });
}

#[test]
fn none_looks_unless_asked() {
    assert_eq!(GpuConfig::functional().race_check, RaceCheck::Off);
    let mut sums = [0; 2];
    assert!(Gpu::<Ipdom>::default().launch(Grid::new(2, 128), tree(&input(), &mut sums, 32, false)).is_ok());
}

/// Every thread adds to one element.
#[kernel]
fn sum_of_all(x: &[u32], sum: &mut [u32]) {
    sum[0] += x[global_id()];
}

#[test]
fn what_each_thread_reads_and_writes_back_is_for_an_atomic() {
    for width in [4, 32] {
        let gpu = Gpu::<Ipdom>::default().with_warp_width(width).with_race_check(RaceCheck::Everywhere);
        let error = gpu.launch(Grid::new(1, 32), sum_of_all(&[1; 32], &mut [0])).expect_err("it races");
        assert!(
            error.to_string().contains("help: each thread reads the element and writes it back: use an atomic"),
            "{error}"
        );
    }
}
