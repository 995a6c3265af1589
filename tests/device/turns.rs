//! Grids that run in turns are what they would be alone: results, reports, what is printed.

use crate::{device, gpu, of_seeds, read};
use simt::device::{Device, DeviceStep};
use simt::prelude::*;

#[kernel]
fn collatz(steps: &mut [u32]) {
    #[shared]
    let mut longest: [u32; 8];
    let i = global_id();
    let mut n = i as u32 + 1;
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps[i] += 1;
    }
    longest[thread_idx().x] = steps[i];
    sync_threads();
    if thread_idx().x == 0 {
        println!("block {}: {}", block_idx().x, longest[7]);
    }
}

#[test]
fn reports_of_grids_in_turns_are_those_of_launches() {
    let mut alone = vec![0; 40];
    let expected = gpu().launch(Grid::new(5, 8), collatz(&mut alone)).expect("it runs");
    for (reports, results, turns) in of_seeds(|seed| {
        let (device, context) = device(seed);
        let buffers = [context.zeroed::<u32>(40)?, context.zeroed::<u32>(40)?];
        let mut grids = Vec::new();
        for buffer in buffers {
            let grid = Grid::new(5, 8);
            grids.push(context.stream()?.launch(grid, move |memory| collatz(memory.slice_mut(buffer)))?);
        }
        let reports = [grids[0].report()?, grids[1].report()?];
        let turns = device.steps()?.iter().filter(|step| matches!(step, DeviceStep::Ran(..))).count();
        Ok((reports, [context.read(buffers[0])?, context.read(buffers[1])?], turns))
    }) {
        assert_eq!(reports, [expected.clone(), expected.clone()]);
        assert_eq!(results, [alone.clone(), alone.clone()]);
        assert!((6..=10).contains(&turns), "{turns}");
    }
    assert_eq!(expected.prints().len(), 5);
}

#[kernel]
fn meet(x: &mut [u32]) {
    let i = global_id();
    x[i] += 1;
    sync_grid();
    if i == 0 {
        x[0] = x[1] + x[2];
    }
}

/// Where blocks run at the same time, a grid is one turn.
#[test]
fn grids_whose_blocks_meet_are_one_turn() {
    for machine in [gpu(), gpu().with_work_limit(1 << 20), Gpu::new(GpuConfig::fermi())] {
        let device = Device::new(machine);
        let context = device.context().expect("nothing runs");
        let buffers = [0; 2].map(|_| context.zeroed::<u32>(3).expect("room"));
        for x in buffers {
            let stream = context.stream().expect("there");
            stream.launch(Grid::new(3, 1), move |memory| meet(memory.slice_mut(x))).expect("a grid");
        }
        assert_eq!(buffers.map(|x| read(&context, x)), [vec![2, 1, 1], vec![2, 1, 1]]);
        let ran = device.steps().expect("nothing runs");
        assert_eq!(
            ran.iter().filter(|step| matches!(step, DeviceStep::Ran(_, blocks) if *blocks == (0..3))).count(),
            2
        );
    }
}
