//! Shared memory whose size the launch says.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::Grid;
use simt::host::DeviceMemory;

fn transpose(run: &Run) {
    let (size, side) = (27usize, 8);
    let x = Random::new(91).numbers(size * size, 1_000_000);
    let mut memory = DeviceMemory::new();
    let (at, y) = (memory.upload(&x).unwrap(), memory.upload(&vec![0u32; size * size]).unwrap());
    let grid = Grid::covering((size, size), (side, side)).with_shared_memory(4 * side * (side + 1));
    run.launch("transpose", grid, &mut memory, arguments![size as u32, at, y]);
    let expected: Vec<u32> = (0..size * size).map(|i| x[i % size * size + i / size]).collect();
    assert_eq!(memory.read::<u32>(y, expected.len()).unwrap(), expected, "{run}");

    // A column less is too little for the last of its rows.
    let grid = Grid::covering((size, size), (side, side)).with_shared_memory(4 * side * side);
    let left = run.try_launch("transpose", grid, &mut memory, arguments![size as u32, at, y]);
    assert!(left.unwrap_err().to_string().contains("shared"), "{run}");
}

fn turned(run: &Run) {
    let count = 45usize;
    let x: Vec<f64> = Random::new(92).floats(2 * count, -1.0, 1.0).into_iter().map(f64::from).collect();
    let marks: Vec<u8> = Random::new(93).numbers(2 * count, 256).into_iter().map(|mark| mark as u8).collect();
    let mut memory = DeviceMemory::new();
    let (at, at_marks) = (memory.upload(&x).unwrap(), memory.upload(&marks).unwrap());
    let (y, marked) = (memory.upload(&vec![0f64; 2 * count]).unwrap(), memory.upload(&vec![0u8; 2 * count]).unwrap());
    let grid = Grid::new(2, 64).with_shared_memory(9 * count);
    run.launch("turned", grid, &mut memory, arguments![count as u32, at, y, at_marks, marked]);
    let places = |i: usize| {
        let (first, own) = (i / count * count, i % count);
        (first + count - 1 - own, first + own / 2)
    };
    let values: Vec<f64> = (0..2 * count).map(places).map(|(other, half)| 2.0 * (x[other] + x[half])).collect();
    let bytes: Vec<u8> = (0..2 * count).map(places).map(|(other, half)| marks[other] ^ marks[half]).collect();
    assert_eq!(memory.read::<f64>(y, 2 * count).unwrap(), values, "{run}");
    assert_eq!(memory.read::<u8>(marked, 2 * count).unwrap(), bytes, "{run}");
}

#[test]
fn tiles_of_any_size() {
    everywhere("dynamic", &["transpose"], transpose);
}

#[test]
fn arrays_of_different_types() {
    everywhere("dynamic", &["turned"], turned);
}
