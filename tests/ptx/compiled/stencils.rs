//! Each place from its neighbours.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::host::DeviceMemory;
use simt::{Grid, Report};

fn heat(run: &Run) -> Report {
    let (width, height) = (37usize, 21usize);
    let mut now = Random::new(41).floats(width * height, 0.0, 100.0);
    let mut memory = DeviceMemory::new();
    let at = memory.upload(&now).unwrap();
    let next = memory.upload(&vec![0f32; width * height]).unwrap();
    let grid = Grid::covering((width, height), (16, 16));
    let sizes = (width as u32, height as u32);
    let mut report = run.launch("heat", grid, &mut memory, arguments![sizes.0, sizes.1, at, next]);
    report.merge(&run.launch("heat", grid, &mut memory, arguments![sizes.0, sizes.1, next, at]));
    for _ in 0..2 {
        let step = |i: usize| {
            let (x, y, own) = (i % width, i / width, now[i]);
            if x == 0 || y == 0 || x == width - 1 || y == height - 1 {
                return own;
            }
            own + 0.2 * (now[i - 1] + now[i + 1] + now[i - width] + now[i + width] - 4.0 * own)
        };
        now = (0..width * height).map(step).collect();
    }
    assert_eq!(memory.read::<f32>(at, now.len()).unwrap(), now, "{run}");
    report
}

fn life(run: &Run) -> Report {
    let (width, height) = (19usize, 13usize);
    let now: Vec<u8> = Random::new(42).numbers(width * height, 2).into_iter().map(|x| x as u8).collect();
    let mut memory = DeviceMemory::new();
    let (at, next) = (memory.upload(&now).unwrap(), memory.upload(&vec![9u8; width * height]).unwrap());
    let grid = Grid::covering((width, height), (8, 8));
    let report = run.launch("life", grid, &mut memory, arguments![width as u32, height as u32, at, next]);
    let alive = |x: i32, y: i32| now[y.rem_euclid(13) as usize * width + x.rem_euclid(19) as usize];
    let lives = |i: usize| {
        let (x, y) = ((i % width) as i32, (i / width) as i32);
        let all: u8 =
            (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).map(|(dx, dy)| alive(x + dx, y + dy)).sum();
        u8::from(all == 3 || (all == 4 && now[i] == 1))
    };
    let expected: Vec<u8> = (0..width * height).map(lives).collect();
    assert_eq!(memory.read::<u8>(next, expected.len()).unwrap(), expected, "{run}");
    report
}

fn blur(run: &Run) -> Report {
    let x = Random::new(43).floats(100, -1.0, 1.0);
    let mut memory = DeviceMemory::new();
    let (at, y) = (memory.upload(&x).unwrap(), memory.upload(&[0f32; 100]).unwrap());
    let before = memory.upload(&[u32::MAX; 100]).unwrap();
    let report = run.launch("blur", Grid::covering(100, 64), &mut memory, arguments![100u32, at, y, before]);
    let weights = [0.0625f32, 0.25, 0.375, 0.25, 0.0625];
    let around = |i: usize| {
        let place = |k: usize| (i + k).saturating_sub(2).min(99);
        (0..5).fold(0f32, |sum, k| sum + weights[k] * x[place(k)])
    };
    let expected: Vec<f32> = (0..100).map(around).collect();
    assert_eq!(memory.read::<f32>(y, 100).unwrap(), expected, "{run}");
    // Each thread has found another count in the variable of the module, whose value is its initial one at first.
    let mut counts = memory.read::<u32>(before, 100).unwrap();
    counts.sort_unstable();
    assert_eq!(counts, (0..100).collect::<Vec<u32>>(), "{run}");
    report
}

#[test]
fn heat_in_a_plate() {
    everywhere("stencils", &["heat"], heat);
}

#[test]
fn conways_life() {
    everywhere("stencils", &["life"], life);
}

#[test]
fn weights_in_constant_memory() {
    everywhere("stencils", &["blur"], blur);
}
