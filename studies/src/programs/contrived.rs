//! The loop of Figure 6: threads with even numbers take the other arm than those with odd ones, in every iteration.

use simt::prelude::*;

use super::{Machine, Size};

/// How often an arm does what it does.
const ROUNDS: u32 = 8;

#[kernel]
pub(crate) fn alternate(n: u32, x: &mut [u32]) {
    let thread = global_id();
    let mut value = 1_u32;
    for i in 0..n {
        if (thread as u32 + i) % 2 == 0 {
            for _ in 0..ROUNDS {
                value = value * 3 + 1;
                value ^= value >> 3;
                value = value * 5 + 7;
                value ^= value >> 5;
                value = value * 9 + 11;
                value ^= value >> 7;
                value = value * 17 + 13;
                value ^= value >> 9;
                value = value * 33 + 1;
                value ^= value >> 4;
            }
        } else {
            for _ in 0..ROUNDS {
                value = value * 7 + 3;
                value ^= value >> 2;
                value = value * 11 + 5;
                value ^= value >> 6;
                value = value * 13 + 9;
                value ^= value >> 8;
                value = value * 19 + 1;
                value ^= value >> 3;
                value = value * 37 + 7;
                value ^= value >> 5;
            }
        }
    }
    x[thread] = value;
}

fn host(n: u32, thread: u32) -> u32 {
    let even = [(3, 1, 3), (5, 7, 5), (9, 11, 7), (17, 13, 9), (33, 1, 4)];
    let odd = [(7, 3, 2), (11, 5, 6), (13, 9, 8), (19, 1, 3), (37, 7, 5)];
    (0..n).fold(1, |value, i| {
        let arm = if (thread + i).is_multiple_of(2) { even } else { odd };
        (0..ROUNDS).flat_map(|_| arm).fold(value, |value: u32, (factor, more, shift)| {
            let value = value.wrapping_mul(factor).wrapping_add(more);
            value ^ value >> shift
        })
    })
}

/// Launches the program, and compares with plain Rust.
pub(crate) fn run(machine: &mut dyn Machine, size: &Size) -> Result<(), LaunchError> {
    let n = size.choose(40, 40, 1000);
    let mut x = vec![0; size.choose(128, size.resident(), size.resident())];
    machine.launch(size.grid(x.len()), alternate(n, &mut x))?;
    let expected: Vec<u32> = (0..x.len() as u32).map(|thread| host(n, thread)).collect();
    assert_eq!(x, expected);
    Ok(())
}
