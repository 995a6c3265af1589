//! Sorting.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::host::DeviceMemory;
use simt::{Grid, Report};

const TILE: usize = 256;

/// Tiles of words and of floats.
pub(super) fn tiles(run: &Run) -> Report {
    let mut random = Random::new(6);
    let (mut words, mut floats) = (random.numbers(2 * TILE, 1000), random.floats(2 * TILE, -1.0, 1.0));
    let mut memory = DeviceMemory::new();
    let (at_words, at_floats) = (memory.upload(&words).unwrap(), memory.upload(&floats).unwrap());
    let grid = Grid::new(2, TILE / 2);
    let mut report = run.launch("sort_words", grid, &mut memory, arguments![at_words]);
    report.merge(&run.launch("sort_floats", grid, &mut memory, arguments![at_floats]));
    words.chunks_mut(TILE).for_each(<[u32]>::sort_unstable);
    floats.chunks_mut(TILE).for_each(|tile| tile.sort_unstable_by(f32::total_cmp));
    assert_eq!(memory.read::<u32>(at_words, words.len()).unwrap(), words, "{run}");
    assert_eq!(memory.read::<f32>(at_floats, floats.len()).unwrap(), floats, "{run}");
    report
}

fn by_rank(run: &Run) -> Report {
    let mut numbers: Vec<i16> = Random::new(61).numbers(100, 150).into_iter().map(|x| x as i16 - 75).collect();
    let mut memory = DeviceMemory::new();
    let (at, sorted) = (memory.upload(&numbers).unwrap(), memory.upload(&[0i16; 100]).unwrap());
    let report = run.launch("sort_by_rank", Grid::covering(100, 64), &mut memory, arguments![100u32, at, sorted]);
    numbers.sort_unstable();
    assert_eq!(memory.read::<i16>(sorted, 100).unwrap(), numbers, "{run}");
    report
}

fn by_bits(run: &Run) -> Report {
    let mut numbers = Random::new(62).numbers(128, u32::MAX);
    let mut memory = DeviceMemory::new();
    let at = memory.upload(&numbers).unwrap();
    let report = run.launch("sort_by_bits", Grid::new(1, 128), &mut memory, arguments![at]);
    numbers.chunks_mut(32).for_each(<[u32]>::sort_unstable);
    assert_eq!(memory.read::<u32>(at, 128).unwrap(), numbers, "{run}");
    report
}

#[test]
fn networks_in_shared_memory() {
    everywhere("sorts", &["sort_words", "sort_floats"], tiles);
}

#[test]
fn ranks() {
    everywhere("sorts", &["sort_by_rank"], by_rank);
}

#[test]
fn votes_on_bits() {
    everywhere("sorts", &["sort_by_bits"], by_bits);
}
