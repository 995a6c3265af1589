//! Lanes of a warp together.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::Grid;
use simt::host::DeviceMemory;

const COUNT: usize = 64;

/// The four words that each thread of a kernel leaves, and those that it is to leave.
fn left(
    run: &Run,
    kernel: &str,
    x: &[u32],
    expected: impl Fn(&[u32], usize) -> [u32; 4],
) -> (Vec<[u32; 4]>, Vec<[u32; 4]>) {
    let mut memory = DeviceMemory::new();
    let (at, out) = (memory.upload(x).unwrap(), memory.upload(&[0u32; 4 * COUNT]).unwrap());
    run.launch(kernel, Grid::new(1, COUNT), &mut memory, arguments![at, out]);
    let found =
        memory.read::<u32>(out, 4 * COUNT).unwrap().chunks(4).map(|all| [all[0], all[1], all[2], all[3]]).collect();
    (found, x.chunks(32).flat_map(|warp| (0..32).map(|lane| expected(warp, lane)).collect::<Vec<_>>()).collect())
}

/// The lanes whose values are such, as bits.
fn ballot(warp: &[u32], holds: impl Fn(u32) -> bool) -> u32 {
    warp.iter().enumerate().map(|(lane, &value)| u32::from(holds(value)) << lane).sum()
}

fn votes(run: &Run) {
    // In one warp all are small.
    let mut x = Random::new(101).numbers(COUNT, 990);
    x[40] = 1003;
    let (mut found, mut expected) = left(run, "votes", &x, |warp, lane| {
        let all = u32::from(warp.iter().all(|&x| x < 1000)) + 2 * u32::from(warp.iter().any(|&x| x > 990));
        let odd = if warp[lane] % 2 == 1 { ballot(warp, |x| x % 4 == 3) } else { 0 };
        let before = (0..32).filter(|&lane| lane < warp[lane as usize] % 32).count() as u32;
        [ballot(warp, |x| x % 3 == 0), all, odd, before]
    });
    // Which lanes are active together is the policy's business: a lane is with itself, and under most with all that are odd.
    if run.gpu.policy() != "Ipdom" {
        for (i, (found, expected)) in found.iter_mut().zip(&mut expected).enumerate() {
            assert_eq!(found[2] & !expected[2], 0, "{run}");
            assert_eq!(found[2] >> (i % 32) & 1, u32::from(x[i] % 4 == 3), "{run}");
            (found[2], expected[2]) = (0, 0);
        }
    }
    assert_eq!(found, expected, "{run}");
}

fn shuffles(run: &Run) {
    let x = Random::new(102).numbers(COUNT, 100_000);
    let (found, expected) = left(run, "shuffles", &x, |warp, lane| {
        let or_own = |other: usize| *warp.get(other).unwrap_or(&warp[lane]);
        [warp[warp[lane] as usize % 32], or_own(lane.wrapping_sub(3)), or_own(lane + 5), warp[lane ^ 9]]
    });
    assert_eq!(found, expected, "{run}");
}

fn groups(run: &Run) {
    // In one warp all have the same thousands.
    let mut x = Random::new(105).numbers(COUNT, 12);
    x[45] = 1001;
    let (found, expected) = left(run, "groups", &x, |warp, lane| {
        let equal = ballot(warp, |x| x == warp[lane]);
        let all = warp.iter().all(|x| x / 1000 == warp[0] / 1000);
        [equal.count_ones(), equal.trailing_zeros(), if all { u32::MAX } else { 0 }, u32::from(all)]
    });
    assert_eq!(found, expected, "{run}");
}

fn reductions(run: &Run) {
    let x = Random::new(106).numbers(COUNT, 100_000);
    let (found, expected) = left(run, "reductions", &x, |warp, lane| {
        [warp.iter().sum(), *warp.iter().max().unwrap(), warp.iter().fold(0, |all, x| all | x), warp[lane]]
    });
    assert_eq!(found, expected, "{run}");
}

fn compact(run: &Run) {
    let x = Random::new(103).numbers(200, 1000);
    let mut memory = DeviceMemory::new();
    let (at, kept) = (memory.upload(&x).unwrap(), memory.upload(&[u32::MAX; 200]).unwrap());
    let count = memory.upload(&[0u32]).unwrap();
    run.launch("compact", Grid::covering(200, 64), &mut memory, arguments![200u32, at, kept, count]);
    let mut expected: Vec<u32> = x.iter().copied().filter(|x| x % 4 == 1).collect();
    expected.sort_unstable();
    assert_eq!(memory.read::<u32>(count, 1).unwrap(), [expected.len() as u32], "{run}");
    let mut found = memory.read::<u32>(kept, expected.len()).unwrap();
    found.sort_unstable();
    assert_eq!(found, expected, "{run}");
}

fn written(run: &Run) {
    let x = Random::new(104).numbers(COUNT, 1400);
    let mut memory = DeviceMemory::new();
    let (at, out) = (memory.upload(&x).unwrap(), memory.upload(&[0u32; COUNT]).unwrap());
    run.launch("written", Grid::new(1, COUNT), &mut memory, arguments![at, out]);
    let result = |(i, &x): (usize, &u32)| {
        let sum = if x > 500 { 7 + x } else { 7 };
        let result = if x > 500 && x < 900 { sum } else { 2 * sum };
        result + 101_000 * (i as u32 % 32)
    };
    let expected: Vec<u32> = x.iter().enumerate().map(result).collect();
    assert_eq!(memory.read::<u32>(out, COUNT).unwrap(), expected, "{run}");
}

#[test]
fn lanes_vote() {
    everywhere("warps", &["votes"], votes);
}

#[test]
fn lanes_shuffle() {
    everywhere("warps", &["shuffles"], shuffles);
}

#[test]
fn lanes_match() {
    everywhere("warps", &["groups"], groups);
}

#[test]
fn lanes_add_up() {
    everywhere("warps", &["reductions"], reductions);
}

#[test]
fn one_atomic_for_a_warp() {
    everywhere("warps", &["compact"], compact);
}

#[test]
fn assembly_with_scopes_and_guards() {
    everywhere("warps", &["written"], written);
}
