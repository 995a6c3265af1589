//! What kernels print, and assertions that fail.

use super::{Run, arguments, everywhere};
use crate::gallery::input::Random;
use simt::Grid;
use simt::host::DeviceMemory;

fn say(run: &Run) {
    let mut x: Vec<i32> = Random::new(121).numbers(64, 1000).into_iter().map(|x| x as i32 - 500).collect();
    x[1] = 4;
    let mut memory = DeviceMemory::new();
    let at = memory.upload(&x).unwrap();
    let report = run.launch("say", Grid::new(2, 32), &mut memory, arguments![at]);
    let line = |(i, &x): (usize, &i32)| match (x % 3, i) {
        (0, _) => Some(format!("thread {} of block {} has {x}, {:.2} of it", i % 32, i / 32, f64::from(x) / 8.0)),
        (_, 1) => Some("no numbers here: 100%".to_string()),
        _ => None,
    };
    let mut expected: Vec<String> = x.iter().enumerate().filter_map(line).collect();
    assert!(expected.len() > 10);
    // Which thread is first is the policy's business.
    expected.sort();
    let mut said = report.prints().to_vec();
    said.sort();
    assert_eq!(said, expected, "{run}");
}

fn claim(run: &Run) {
    let mut x: Vec<i32> = (0..64).collect();
    let mut memory = DeviceMemory::new();
    let (at, sum) = (memory.upload(&x).unwrap(), memory.upload(&[0u32]).unwrap());
    run.launch("claim", Grid::new(2, 32), &mut memory, arguments![at, sum]);
    assert_eq!(memory.read::<u32>(sum, 1).unwrap(), [63 * 32], "{run}");

    x[37] = -1;
    memory.write(at, &x).unwrap();
    let error = run.try_launch("claim", Grid::new(2, 32), &mut memory, arguments![at, sum]).unwrap_err().to_string();
    for part in ["x[i] >= 0", "prints.cu", "block (1, 0, 0), thread (5, 0, 0)"] {
        assert!(error.contains(part), "{run}: no {part} in {error}");
    }
    assert_eq!(memory.read::<u32>(sum, 1).unwrap(), [63 * 32], "{run}");
}

#[test]
fn lines_are_printed() {
    everywhere("prints", &["say"], say);
}

#[test]
fn assertions_fail() {
    everywhere("prints", &["claim"], claim);
}
