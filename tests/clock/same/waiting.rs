//! Lanes that wait for each other by atomics end with a clock, too, under policies that are fair.

use crate::machine::machines;
use simt::policy::{ConvergenceBarriers, Mimd, RoundRobin, StackLess};
use simt::prelude::*;
use simt_testing::Random;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Each thread does its steps: waits for a flag, raises one, or both, or meets the lanes of its warp.
#[kernel]
fn steps(of_threads: &[[u32; 3]], count: usize, flags: &[AtomicU32]) {
    for step in 0..count {
        let [what, first, second] = of_threads[global_id() * count + step];
        match what {
            1 => while flags[first as usize].load(Relaxed) < 1 {},
            2 => flags[first as usize].store(1, Relaxed),
            3 => {
                while flags[first as usize].load(Relaxed) != 1 {}
                flags[second as usize].store(1, Relaxed);
            }
            _ => {}
        }
        if what == 4 {
            sync_warp();
        }
    }
}

const WIDTH: usize = 4;
const THREADS: usize = 2 * WIDTH;
const COUNT: usize = 40;
const FLAGS: usize = 40;

/// Steps of all threads: one waits for flags only that are raised before, in the order in which they are drawn.
fn of_threads(random: &mut Random) -> Vec<[u32; 3]> {
    let mut steps = vec![Vec::new(); THREADS];
    let mut raised = 0;
    for _ in 0..1 + random.below(COUNT) {
        let thread = random.below(THREADS);
        match random.below(6) {
            0 | 1 if raised < FLAGS => {
                let waits = raised > 0 && random.once_in(2);
                steps[thread].push(match waits {
                    true => [3, random.below(raised) as u32, raised as u32],
                    false => [2, raised as u32, 0],
                });
                raised += 1;
            }
            2 | 3 if raised > 0 => steps[thread].push([1, random.below(raised) as u32, 0]),
            4 => steps[thread].push([0; 3]),
            5 if random.once_in(3) => {
                // The lanes of a warp come to their meetings at one step.
                let warp = thread / WIDTH * WIDTH..thread / WIDTH * WIDTH + WIDTH;
                let longest = steps[warp.clone()].iter().map(Vec::len).max().unwrap_or(0);
                for steps in &mut steps[warp] {
                    steps.resize(longest, [0; 3]);
                    steps.push([4, 0, 0]);
                }
            }
            _ => {}
        }
    }
    steps.iter_mut().for_each(|steps| steps.resize(COUNT, [0; 3]));
    steps.concat()
}

fn end<P: Policy>(of_threads: &[[u32; 3]]) {
    for (name, config) in machines() {
        let gpu = Gpu::<P>::new(GpuConfig { warp_width: WIDTH, ..config }).with_progress_limit(1 << 20);
        let flags: [AtomicU32; FLAGS] = std::array::from_fn(|_| AtomicU32::new(0));
        let launched = gpu.launch(Grid::new(1, THREADS), steps(of_threads, COUNT, &flags));
        launched.unwrap_or_else(|error| panic!("{name} {of_threads:?}: {error}"));
    }
}

/// Two lanes spin by turns, each while the other waits for memory; the others wait for both.
#[test]
fn lanes_that_spin_while_others_wait_for_memory_end() {
    let none = [0; 3];
    let of_lanes = [
        [none, none, [1, 0, 0], [2, 1, 0]],
        [[2, 0, 0], none, [3, 1, 2], none],
        [none, none, [1, 2, 0], none],
        [none; 4],
    ];
    let mut steps = vec![none; THREADS * COUNT];
    for (lane, of_lane) in of_lanes.iter().enumerate() {
        steps[lane * COUNT..lane * COUNT + 4].copy_from_slice(of_lane);
    }
    end::<ConvergenceBarriers>(&steps);
}

#[test]
fn lanes_that_wait_for_each_other_end() {
    for seed in 0..60 {
        let steps = of_threads(&mut Random::new(seed));
        end::<ConvergenceBarriers>(&steps);
        end::<StackLess<RoundRobin>>(&steps);
        end::<Mimd>(&steps);
    }
}
