//! Kernels as people write them, by the published semantics: Theorem 1 of ESOP'12 holds of their runs, and the results are
//! the machine's.

use simt::Program;
use simt::core::Scalar;
use simt::prelude::*;
use simt_semantics::{Esop12, LaneOrder, Memory, Place, Progress, Setting, Simulation};

#[kernel]
fn collatz(start: &[u32], steps: &mut [u32]) {
    let i = global_id();
    if i >= start.len() {
        return;
    }
    let mut n = start[i];
    let mut count = 0;
    while n != 1 {
        if n % 2 == 0 {
            n /= 2;
        } else {
            n = 3 * n + 1;
        }
        count += 1;
    }
    steps[i] = count;
}

#[device]
fn ackermann(m: u32, n: u32) -> u32 {
    if m == 0 {
        return n + 1;
    }
    if n == 0 {
        return ackermann(m - 1, 1);
    }
    ackermann(m - 1, ackermann(m, n - 1))
}

#[kernel]
fn recursive(start: &[u32], steps: &mut [u32]) {
    let i = global_id();
    if i < start.len() {
        steps[i] = ackermann(start[i] % 3, i as u32 % 3);
    }
}

#[kernel]
fn sums(start: &[u32], steps: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 8];
    let i = lane_id();
    tile[i] = start[i];
    sync_threads();
    let mut total = 0;
    'outer: for k in 0..8 {
        for j in 0..=k {
            if tile[j] > 20 {
                continue 'outer;
            }
            if j > i {
                break 'outer;
            }
            total += tile[j];
        }
    }
    steps[i] = total;
}

/// Runs a program in a warp of eight, and gives what it leaves in its second slice.
fn literally(program: &Program, start: &[u32]) -> Vec<u32> {
    let program = program.clone().validate().expect("what `#[kernel]` builds is valid");
    let setting = Setting::new(&program, Place::alone(8)).expect("it has rules for all statements");
    let arguments = vec![start.iter().map(|value| value.to_bits64()).collect(), vec![0; start.len()]];
    let memory = Memory::initial(&setting, arguments).expect("the arguments fit");
    let mut simulation = Simulation::new(&setting, &Esop12, memory).unwrap_or_else(|wrong| panic!("{wrong}"));
    let end = simulation.run(&mut LaneOrder, 100_000).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(end, Some(Progress::Finished));
    simulation.warp().memory.slices[1].iter().map(|&bits| u32::from_bits64(bits)).collect()
}

#[test]
fn theorem_1_holds_of_kernels_and_the_machine_agrees() -> Result<(), LaunchError> {
    let start = [27, 1, 7, 9, 6, 12, 19, 3];
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default().with_warp_width(8);
        let grid = Grid::new(1, 8);
        let mut steps = [0; 8];
        gpu.launch(grid, collatz(&start, &mut steps))?;
        assert_eq!(literally(collatz::program(), &start), steps);
        gpu.launch(grid, recursive(&start, &mut steps))?;
        assert_eq!(literally(recursive::program(), &start), steps);
        gpu.launch(grid, sums(&start, &mut steps))?;
        assert_eq!(literally(sums::program(), &start), steps);
    });
    Ok(())
}
