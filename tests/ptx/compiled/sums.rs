//! Sums of all numbers, of all before each, and of those that are equal.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::host::DeviceMemory;
use simt::{Grid, Report};

pub(super) fn total(run: &Run) -> Report {
    let x = Random::new(3).numbers(5000, 1000);
    let mut memory = DeviceMemory::new();
    let (at, total) = (memory.upload(&x).unwrap(), memory.upload(&[0u32]).unwrap());
    let report = run.launch("total", Grid::new(8, 64), &mut memory, arguments![5000u32, at, total]);
    assert_eq!(memory.read::<u32>(total, 1).unwrap(), [x.iter().sum::<u32>()], "{run}");
    report
}

/// Of tiles, of the tiles' sums, and both added.
pub(super) fn scan(run: &Run) -> Report {
    let x = Random::new(4).numbers(1500, 1000);
    let count = x.len() as u32;
    let blocks = count.div_ceil(128);
    let mut memory = DeviceMemory::new();
    let mut zeros = |count: u32| memory.upload(&vec![0u32; count as usize]).unwrap();
    let (before, sums, sums_before, sum) = (zeros(count), zeros(blocks), zeros(blocks), zeros(1));
    let at = memory.upload(&x).unwrap();
    let grid = Grid::new(blocks as usize, 64);
    let mut report = run.launch("scan_tiles", grid, &mut memory, arguments![count, at, before, sums]);
    let again = arguments![blocks, sums, sums_before, sum];
    report.merge(&run.launch("scan_tiles", Grid::new(1, 64), &mut memory, again));
    let added = arguments![count, sums_before, before];
    report.merge(&run.launch("add_sums", Grid::covering(count, 64), &mut memory, added));
    let running = x.iter().scan(0, |sum, &x| {
        *sum += x;
        Some(*sum - x)
    });
    assert_eq!(memory.read::<u32>(before, x.len()).unwrap(), running.collect::<Vec<u32>>(), "{run}");
    assert_eq!(memory.read::<u32>(sum, 1).unwrap(), [x.iter().sum::<u32>()], "{run}");
    report
}

fn scan_warps(run: &Run) -> Report {
    let x: Vec<i32> = Random::new(31).numbers(128, 2000).into_iter().map(|x| x as i32 - 1000).collect();
    let mut memory = DeviceMemory::new();
    let at = memory.upload(&x).unwrap();
    let report = run.launch("scan_warps", Grid::new(2, 64), &mut memory, arguments![at]);
    let sums = |warp: &[i32]| -> Vec<i32> { (0..32).map(|lane| warp[..=lane].iter().sum()).collect() };
    let expected: Vec<i32> = x.chunks(32).flat_map(sums).collect();
    assert_eq!(memory.read::<i32>(at, 128).unwrap(), expected, "{run}");
    report
}

pub(super) fn histogram(run: &Run) -> Report {
    let mut random = Random::new(5);
    let bytes: Vec<u8> = (0..3000).map(|_| (random.below(128) + random.below(128)) as u8).collect();
    let mut memory = DeviceMemory::new();
    let (at, counts) = (memory.upload(&bytes).unwrap(), memory.upload(&[0u32; 256]).unwrap());
    let report = run.launch("histogram", Grid::new(4, 64), &mut memory, arguments![3000u32, at, counts]);
    let mut expected = vec![0u32; 256];
    bytes.iter().for_each(|&byte| expected[byte as usize] += 1);
    assert_eq!(memory.read::<u32>(counts, 256).unwrap(), expected, "{run}");
    report
}

#[test]
fn totals() {
    everywhere("sums", &["total"], total);
}

#[test]
fn scans_by_trees() {
    everywhere("sums", &["scan_tiles", "add_sums"], scan);
}

#[test]
fn scans_by_shuffles() {
    everywhere("sums", &["scan_warps"], scan_warps);
}

#[test]
fn histograms() {
    everywhere("histogram", &["histogram"], histogram);
}
