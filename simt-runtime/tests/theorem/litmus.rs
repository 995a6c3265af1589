//! Tiny programs with races, in all interleavings: what a warp makes of them, and what the machine makes of them under any
//! policy, must be the result of one.

use super::cases::{Case, cases, many_cases};
use super::machine::launch;
use simt_runtime::{Gpu, for_each_policy};
use simt_semantics::{
    Coverage, End, Esop12, FaultKind, LaneOrder, Memory, Place, SeededOrder, Setting, ThreadSystem, Warp, explore,
};
use std::collections::BTreeSet;

/// More configurations than a program is followed through; the few that have more are left out.
const CONFIGURATIONS: usize = 4_000;

/// The results of all interleavings; none if they are too many, or if one of them faults or waits for ever.
fn outcomes(setting: &Setting<'_>, memory: Memory) -> Option<BTreeSet<Vec<Vec<u64>>>> {
    let found = explore(&ThreadSystem::new(setting, memory), CONFIGURATIONS);
    let told = found.is_complete() && found.failures().next().is_none();
    told.then(|| found.results().map(|ending| ending.memory.slices.clone()).collect())
}

#[test]
fn every_result_is_that_of_an_interleaving() {
    let (mut checked, mut many) = (0, 0);
    for seed in 0..cases() / 25 {
        let case = Case::tiny(seed);
        let threads = case.place.block_dim[0];
        // As wide as the machine's warps are at least.
        let place = Place { warp_width: 4, ..Place::alone(threads) };
        let setting = Setting::new(&case.program, place).expect("it has rules for all statements");
        let memory = Memory::initial(&setting, case.arguments.clone()).expect("the arguments fit");
        let Some(outcomes) = outcomes(&setting, memory.clone()) else { continue };
        let mut warp = Warp::initial(&setting, memory.clone());
        match warp.run(&setting, &Esop12, &mut LaneOrder, super::FUEL, &mut Coverage::default()) {
            End::Finished => checked += 1,
            // A stack cannot let those run first that a collective waits for.
            End::Fault(fault) if matches!(fault.kind, FaultKind::Missing(_)) => continue,
            end => panic!("seed {seed}: {end:?}\n{}", *case.program),
        }
        many += u64::from(outcomes.len() > 1);
        for order in 0..4 {
            let mut warp = Warp::initial(&setting, memory.clone());
            let order = &mut SeededOrder::new(order);
            let end = warp.run(&setting, &Esop12, order, super::FUEL, &mut Coverage::default());
            // Another order may lead to another path, and there to a collective.
            if end != End::Finished {
                continue;
            }
            assert!(outcomes.contains(&warp.memory.slices), "seed {seed}: {:?}\n{}", warp.memory.slices, *case.program);
        }
        for_each_policy!(P => {
            let gpu = Gpu::<P>::default().with_warp_width(4);
            match launch(&gpu, threads as usize, &case) {
                Ok(result) => {
                    assert!(outcomes.contains(&result), "seed {seed}: {result:?} of {outcomes:?}\n{}", *case.program);
                }
                Err(error) => panic!("seed {seed}: {error}\n{}", *case.program),
            }
        });
    }
    let telling = checked > cases() / 50 && many > checked / 6;
    assert!(telling || !many_cases(), "{many} of {checked} have several results");
}
