//! Integers whose type is told after they have been an argument of a generic function.

use simt::prelude::*;
use simt::{block, warp};
use std::cmp;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[device]
fn twice<T: Num>(v: T) -> T {
    v + v
}

#[device]
fn larger<T>(a: T, b: T) -> T
where
    T: Int,
{
    if a > b { a } else { b }
}

/// Of elements above a limit the number, in the warp and in the block.
#[kernel]
fn above(x: &[u32], limit: u32, of_warp: &mut [u64], of_block: &AtomicU64, before: &mut [u16]) {
    let mut found = 0;
    for k in 0..4 {
        if x[4 * global_id() + k] > limit {
            found += 1;
        }
    }
    let total = warp::sum(found);
    of_warp[global_id()] = total;
    let mut first = 0;
    if found == 4 {
        first = 1;
    }
    let (mine, all) = (warp::prefix_sum(first), block::sum(first));
    before[global_id()] = mine;
    if thread_idx().x == 0 {
        of_block.fetch_add(all as u64, Relaxed);
    }
}

#[test]
fn a_later_use_tells_the_type_of_what_helpers_return() -> Result<(), LaunchError> {
    const THREADS: usize = 64;
    let x: Vec<u32> = (0..4 * THREADS as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 24).collect();
    let found: Vec<u64> = x.chunks(4).map(|four| four.iter().filter(|&&v| v > 60).count() as u64).collect();
    let sums: Vec<u64> = found.chunks(32).flat_map(|warp| [warp.iter().sum(); 32]).collect();
    let firsts: Vec<u16> = found.iter().map(|&found| u16::from(found == 4)).collect();
    let before: Vec<u16> = firsts.chunks(32).flat_map(|warp| (1..=32).map(|lane| warp[..lane].iter().sum())).collect();
    for_each_policy!(P => {
        let (mut of_warp, of_block, mut mine) = ([0; THREADS], AtomicU64::new(0), [0; THREADS]);
        let _ = Gpu::<P>::default().launch(Grid::new(1, THREADS), above(&x, 60, &mut of_warp, &of_block, &mut mine))?;
        assert_eq!((&of_warp[..], &mine[..]), (&sums[..], &before[..]));
        assert_eq!(of_block.into_inner(), firsts.iter().map(|&first| u64::from(first)).sum::<u64>());
    });
    Ok(())
}

#[kernel]
fn chained(x: &[u8], out: &mut [u8], wide: &mut [i64]) {
    let n = 3;
    let mut d = twice(n);
    d += 1;
    let m = cmp::max(d, 2);
    let e = larger(twice(m), 5);
    out[global_id()] = e + x[global_id()];
    let from = -4;
    let to = larger(from, -9);
    wide[global_id()] = twice(to);
}

#[test]
fn calls_of_calls_and_comparisons_are_told_too() -> Result<(), LaunchError> {
    let (mut out, mut wide) = ([0; 2], [0; 2]);
    let _ = Gpu::<Ipdom>::default().launch(Grid::new(1, 2), chained(&[1, 2], &mut out, &mut wide))?;
    assert_eq!((out, wide), ([15, 16], [-8, -8]));
    Ok(())
}
