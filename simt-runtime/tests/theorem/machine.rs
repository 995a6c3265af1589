//! The machine with the paper's stack, [`TokenStack`], against the literal semantics: on programs with races, where results
//! depend on who runs when, the two must agree to the bit.

use super::cases::{Case, cases};
use simt_core::semantics::{Coverage, End, Esop12, FaultKind, LaneOrder, Memory, Place, SeededOrder, Setting, Warp};
use simt_runtime::testing::Random;
use simt_runtime::{Argument, Gpu, Grid, Kernel, TokenStack, call};
use std::sync::atomic::{AtomicU32, Ordering};

#[test]
fn the_token_stack_gives_the_results_of_the_literal_semantics_on_programs_with_races() {
    let (mut finished, mut faulted, mut raced) = (0, 0, 0);
    for seed in 0..cases(2_000) {
        let case = Case::control(seed);
        let mut random = Random::new(seed);
        let width = *random.pick(&[4, 8]);
        let threads = 1 + random.below(width);
        let place = Place { warp_width: width as u32, ..Place::alone(threads as u32) };
        let setting = Setting::new(&case.program, place).expect("it has rules for all statements");
        let memory = Memory::initial(&setting, case.arguments.clone()).expect("the arguments fit");
        let mut warp = Warp::initial(&setting, memory.clone());
        let end = warp.run(&setting, &Esop12, &mut LaneOrder, super::FUEL, &mut Coverage::default());
        let mut other = Warp::initial(&setting, memory);
        let _ = other.run(&setting, &Esop12, &mut SeededOrder::new(seed), super::FUEL, &mut Coverage::default());
        raced += u64::from(other.memory.slices != warp.memory.slices);

        let mut x: Vec<u32> = case.arguments[0].iter().map(|&bits| bits as u32).collect();
        let n: Vec<AtomicU32> = case.arguments[1].iter().map(|&bits| AtomicU32::new(bits as u32)).collect();
        let kernel = Kernel::from_program((*case.program).clone());
        let gpu = Gpu::<TokenStack>::default().with_warp_width(width);
        let arguments = vec![Argument::slice_mut(&mut x), Argument::atomic(&n)];
        let launched = gpu.launch(Grid::new(1, threads), call(&kernel, arguments));
        match (end, launched) {
            (End::Finished, Ok(_)) => {
                let n = n.iter().map(|element| element.load(Ordering::Relaxed).into()).collect();
                let results: Vec<Vec<u64>> = vec![x.iter().map(|&value| value.into()).collect(), n];
                assert_eq!(results, warp.memory.slices, "seed {seed}, {threads} threads\n{}", *case.program);
                finished += 1;
            }
            // The machine can let those run first that are missing.
            (End::Fault(fault), _) if matches!(fault.kind, FaultKind::Missing(_)) => {}
            (End::Fault(_), Err(_)) => faulted += 1,
            (end, launched) => panic!("seed {seed}: {end:?}, but {launched:?}\n{}", *case.program),
        }
    }
    assert!(raced > finished / 4, "the order of writes shows in {raced} of {finished}");
    assert!(finished > 10 * faulted && faulted > 0, "{finished} finished, {faulted} faulted");
}
