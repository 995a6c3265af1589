//! Kernels without races: whatever memory does, they do the same.

use super::{config, gpu};
use simt::host::Kernel;
use simt::policy::Random;
use simt::prelude::*;
use simt_testing::{
    Arrays, Construct, Faults, Random as Numbers, random_program_with, reference_in_warps, shared_memory,
};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Random kernels have no races: they give the results of the reference.
#[test]
fn kernels_without_races_give_the_reference_results() {
    fn check<P: Policy>(seed: u64, constructs: &[Construct]) {
        let program = random_program_with(seed, Faults::Never, constructs);
        let validated = program.clone().validate().expect("it is valid");
        let mut random = Numbers::new(seed ^ 0x5eed);
        let grid = Grid::new(1 + random.below(3), 1 + random.below(9));
        let threads = grid.blocks().x * grid.threads().x;
        let inputs = 1 + random.below(30);
        let before = Arrays::random(&mut random, threads, inputs);
        let bytes = shared_memory(&program, grid.threads().x, &mut random, Faults::Never);
        let (kernel, grid) = (Kernel::from_program(program), grid.with_shared_memory(bytes));
        let expected = reference_in_warps(&validated, grid, &before, 4).expect("it has no faults");
        let mut arrays = before.clone();
        let result = gpu::<P>(config(seed)).launch(grid, arrays.call(&kernel));
        let report = result.unwrap_or_else(|error| panic!("{seed} under {}: {error}", P::name()));
        assert!(arrays.to_bits() == expected.memory, "{seed} under {}", P::name());
        assert_eq!(report.prints(), expected.prints);
    }
    for seed in 0..300 {
        let constructs = if seed < 200 { Vec::new() } else { Construct::drawn(seed) };
        check::<Ipdom>(seed, &constructs);
        check::<TokenStack>(seed, &constructs);
        check::<StackLess<Random>>(seed, &constructs);
        check::<Dwf<Majority>>(seed, &constructs);
    }
}

/// Nothing wants what the atomic held before.
#[kernel]
fn unwanted(x: &mut [u32], seen: &mut [u32]) {
    let i = global_id();
    #[shared]
    let tile: [AtomicU32; 4];
    tile[i].store(7, Relaxed);
    seen[i] = x[i];
    x[i] = 0;
}

/// It comes to no register, where a load that ends before it has put what was loaded.
#[test]
fn results_that_nothing_wants_are_no_loads() {
    for seed in 0..100 {
        let (mut x, mut seen) = ([10, 11, 12, 13], [0; 4]);
        gpu::<Ipdom>(config(seed)).launch(Grid::new(1, 4), unwanted(&mut x, &mut seen)).expect("it ends");
        assert_eq!(seen, [10, 11, 12, 13], "{seed}");
    }
}
