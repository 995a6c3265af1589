//! Several lanes store to one element at once.

use simt::prelude::*;

#[kernel]
fn all_to_one(out: &mut [u32]) {
    out[0] = global_id() as u32 + 1;
}

#[kernel]
fn some_to_one(out: &mut [u32]) {
    if lane_id() % 3 == 1 {
        out[0] = lane_id() as u32;
    }
}

#[test]
fn the_highest_lane_wins_a_conflicting_store() {
    for_each_policy!(P => for width in [4, 8, 16, 32, 64] {
        let gpu = Gpu::<P>::default().with_warp_width(width);
        let mut out = [0];
        gpu.launch(Grid::new(1, width), all_to_one(&mut out)).expect("no thread faults");
        assert_eq!(out, [width as u32], "under {}", P::name());
        gpu.launch(Grid::new(1, width), some_to_one(&mut out)).expect("no thread faults");
        let highest = (0..width as u32).rev().find(|lane| lane % 3 == 1);
        assert_eq!(Some(out[0]), highest, "under {}", P::name());
    });
}

#[test]
fn warps_run_in_order_so_that_the_last_one_wins() {
    for_each_policy!(P => {
        let mut out = [0];
        Gpu::<P>::default().launch(Grid::new(3, 100), all_to_one(&mut out)).expect("no thread faults");
        assert_eq!(out, [300], "under {}", P::name());
    });
}
