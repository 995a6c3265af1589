//! Structs: as parameters by value, in memory, with bits as fields.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::Grid;
use simt::host::{Argument, DeviceMemory};

fn by_value(run: &Run) {
    let mut memory = DeviceMemory::new();
    let out = memory.upload(&[0i32; 40]).unwrap();
    // As C lays them out: each field at a multiple of its size.
    let bytes = vec![7u8, 5, 3];
    let halves = [(-300i16).to_le_bytes(), 60_000u16.to_le_bytes()].concat();
    let mut mixed = vec![0u8; 40];
    mixed[0] = (-1i8) as u8;
    mixed[8..16].copy_from_slice(&2.5f64.to_le_bytes());
    for (place, offset) in [0.25f32, 10.5, -3.75].into_iter().enumerate() {
        mixed[16 + 4 * place..][..4].copy_from_slice(&offset.to_le_bytes());
    }
    mixed[32..].copy_from_slice(&out.to_le_bytes());
    let arguments =
        vec![Argument::bytes(bytes), Argument::bytes(halves), Argument::bytes(mixed), Argument::scalar(40u32)];
    run.launch("by_value", Grid::new(1, 64), &mut memory, arguments);
    let expected: Vec<i32> = (0..40)
        .map(|i| {
            let value = 2.5 * f64::from(i) + [0.25, 10.5, -3.75][i as usize % 3];
            -(value as i32 + 70_503) - 300 + 60_000
        })
        .collect();
    assert_eq!(memory.read::<i32>(out, 40).unwrap(), expected, "{run}");
}

fn tables(run: &Run) {
    let values = [31u32, 4, 15, 92, 65, 35, 89, 79, 3, 23];
    let mut memory = DeviceMemory::new();
    let out = memory.upload(&[0u32; 64]).unwrap();
    let mut table: Vec<u8> = 10u32.to_le_bytes().to_vec();
    table.extend(values.iter().chain(&[999; 5]).flat_map(|value| value.to_le_bytes()));
    let arguments = vec![Argument::bytes(table), Argument::scalar(out)];
    run.launch("tables", Grid::new(1, 64), &mut memory, arguments);
    let highest = |i: usize| {
        let mut own = values;
        own[i % 10] = values[(i + 1) % 10] + i as u32;
        own.into_iter().max().unwrap()
    };
    assert_eq!(memory.read::<u32>(out, 64).unwrap(), (0..64).map(highest).collect::<Vec<u32>>(), "{run}");
}

fn attract(run: &Run) {
    let count = 40;
    let mut random = Random::new(81);
    let bodies: Vec<[f32; 4]> = (0..count)
        .map(|_| {
            let place = random.floats(3, -1.0, 1.0);
            [place[0], place[1], place[2], random.between(0.1, 2.0)]
        })
        .collect();
    let mut memory = DeviceMemory::new();
    let (at, moved) = (memory.upload(&bodies.concat()).unwrap(), memory.upload(&vec![0f32; 4 * count]).unwrap());
    let arguments = arguments![count as u32, at, 0.125f32, moved];
    run.launch("attract", Grid::covering(count, 32), &mut memory, arguments);
    let step = |own: &[f32; 4]| {
        let mut pull = [0f32; 3];
        for body in &bodies {
            let [dx, dy, dz] = [0, 1, 2].map(|k| body[k] - own[k]);
            let square = dx * dx + dy * dy + dz * dz + 0.01;
            let strength = body[3] / (square * square.sqrt());
            pull = [pull[0] + strength * dx, pull[1] + strength * dy, pull[2] + strength * dz];
        }
        [own[0] + 0.125 * pull[0], own[1] + 0.125 * pull[1], own[2] + 0.125 * pull[2], own[3]]
    };
    let expected: Vec<f32> = bodies.iter().flat_map(step).collect();
    assert_eq!(memory.read::<f32>(moved, 4 * count).unwrap(), expected, "{run}");
}

fn fields(run: &Run) {
    let packed = Random::new(82).numbers(64, u32::MAX);
    let mut memory = DeviceMemory::new();
    let at = memory.upload(&packed).unwrap();
    run.launch("fields", Grid::new(1, 64), &mut memory, arguments![at]);
    let change = |(i, &all): (usize, &u32)| {
        let (kind, count, delta) = (all & 7, all >> 3 & 0x1fff, (all as i32) >> 16);
        let delta = (i as i32 - delta) as u32 & 0xffff;
        (kind ^ 5) | ((count + kind) & 0x1fff) << 3 | delta << 16
    };
    let expected: Vec<u32> = packed.iter().enumerate().map(change).collect();
    assert_eq!(memory.read::<u32>(at, 64).unwrap(), expected, "{run}");
}

#[test]
fn structs_by_value() {
    everywhere("structs", &["by_value"], by_value);
}

/// Clang takes the address of a function's own parameter, to find a place in it by an index.
#[test]
fn structs_that_are_passed_on() {
    everywhere("structs", &["tables"], tables);
}

#[test]
fn structs_in_memory() {
    everywhere("structs", &["attract"], attract);
}

#[test]
fn fields_of_bits() {
    everywhere("structs", &["fields"], fields);
}
