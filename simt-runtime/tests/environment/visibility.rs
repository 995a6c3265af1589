//! What threads see of each other's accesses.

use crate::scenario::{
    PLACE, add, device, in_memory, load, loaded, register, run, set, step, store, store_shared, volatile,
};
use simt_core::ScalarType;
use simt_core::ops::AtomicOp;
use simt_runtime::environment::StateSpace::{Global, Shared};
use simt_runtime::environment::{
    Environment, First, Level, Operation, Piece, ProgramName, Programs, Shape, SilentRule, outcomes,
};
use std::collections::BTreeSet;

const LIMIT: usize = 200_000;

/// A word of global memory after everything has been written back.
fn at_last(environment: &Environment, address: u64) -> u32 {
    let mut environment = environment.clone();
    environment.drain(&mut First).expect("everything ends");
    in_memory(&environment, Global, address)
}

#[test]
fn golden_cuda_memory_another_multiprocessor_reads_old_data_until_its_line_goes() {
    let mut device = device(2, 2);
    set(&mut device, Global, PLACE, 1);
    assert_eq!(loaded(&mut device, 1, PLACE), 1);
    run(&mut device, store(ProgramName::StGlobalWb, 0, Global, PLACE, 2));
    for _ in 0..3 {
        assert_eq!(loaded(&mut device, 1, PLACE), 1, "L1 caches are not coherent");
    }
    assert_eq!(loaded(&mut device, 0, PLACE), 2);
    let mut evicted = device.clone();
    let rule = SilentRule::Evict { level: Level::L1, processor: 1, line: 0 };
    assert_eq!(evicted.silent(rule, &mut First), Ok(true));
    assert_eq!(loaded(&mut evicted, 1, PLACE), 2);
    assert_eq!(device.silent(SilentRule::Flush { processor: 1 }, &mut First), Ok(true));
    assert_eq!(loaded(&mut device, 1, PLACE), 2);
    // A volatile load does not ask L1.
    let mut device = device.clone();
    run(&mut device, store(ProgramName::StGlobalWb, 0, Global, PLACE, 3));
    run(&mut device, load(ProgramName::LdCv, 1, Global, PLACE, 0));
    assert_eq!(register(&device, 1, 0), 3);
}

#[test]
fn golden_cuda_memory_a_load_between_the_steps_of_a_store_brings_the_old_value_back() {
    for (name, sees) in [(ProgramName::StGlobalWb, 1), (ProgramName::StGlobalInOrder, 2)] {
        let mut device = device(2, 2);
        set(&mut device, Global, PLACE, 1);
        loaded(&mut device, 0, PLACE);
        let id = device.issue(store(name, 0, Global, PLACE, 2)).expect("it has no registers");
        step(&mut device, id);
        loaded(&mut device, 0, PLACE);
        step(&mut device, id);
        assert_eq!(loaded(&mut device, 0, PLACE), sees, "{name:?}");
        assert_eq!(device.state.l2().line(PLACE).expect("L2 has it").data()[0], 2);
        assert_eq!(at_last(&device, PLACE), 2);
    }
}

/// The word that a later load of the same multiprocessor can get, for every order of a store and a load before it.
fn after_store_and_load(name: ProgramName) -> BTreeSet<u64> {
    let mut device = device(1, 1);
    set(&mut device, Global, PLACE, 1);
    device.issue(store(name, 0, Global, PLACE, 2)).expect("it has no registers");
    device.issue(load(ProgramName::LdCa, 0, Global, PLACE, 0)).expect("it exists");
    outcomes(&device, true, LIMIT, |device| loaded(&mut device.clone(), 0, PLACE)).expect("no run is stuck")
}

#[test]
fn golden_cuda_memory_the_race_of_4_1_is_there_and_ours_has_none() {
    assert_eq!(after_store_and_load(ProgramName::StGlobalWb), BTreeSet::from([1, 2]));
    assert_eq!(after_store_and_load(ProgramName::StGlobalInOrder), BTreeSet::from([2]));
}

#[test]
fn golden_cuda_memory_a_plain_store_into_4_5_is_lost() {
    let start = || {
        let mut device = device(1, 1);
        run(&mut device, store_shared(0, 0, 10));
        device
    };
    let mut device = start();
    let atomic = device.issue(add(0, Shared, 0, 1, 0)).expect("it exists");
    step(&mut device, atomic);
    step(&mut device, atomic);
    run(&mut device, store_shared(0, 0, 100));
    device.run_alone(atomic, &mut First).expect("no program is stuck");
    assert_eq!(in_memory(&device, Shared, 0), 11);
    // In any order: the store is lost, or comes after, or before.
    let mut device = start();
    device.issue(add(0, Shared, 0, 1, 0)).expect("it exists");
    device.issue(store_shared(0, 0, 100)).expect("it has no registers");
    let words = outcomes(&device, true, LIMIT, |device| in_memory(device, Shared, 0));
    assert_eq!(words, Ok(BTreeSet::from([11, 100, 101])));
}

#[test]
fn golden_cuda_memory_two_shared_atomics_add_two_in_any_order() {
    let mut device = device(1, 1);
    device.issue(add(0, Shared, 4, 1, 0)).expect("it exists");
    device.issue(add(0, Shared, 4, 1, 1)).expect("it exists");
    let seen = outcomes(&device, true, LIMIT, |device| {
        device.check().expect("the invariants hold");
        (in_memory(device, Shared, 4), register(device, 0, 0), register(device, 0, 1))
    });
    assert_eq!(seen, Ok(BTreeSet::from([(2, 0, 1), (2, 1, 0)])));
}

#[test]
fn golden_cuda_memory_banks_are_locked_together_or_not_at_all() {
    let mut device = device(1, 1);
    let narrow = device.issue(add(0, Shared, 4, 1, 0)).expect("it exists");
    let shape = Shape::atomic(Shared, 0, AtomicOp::Add, ScalarType::U64, [1 << 32, 0]);
    let wide = Operation::new(0, Programs::default().get(ProgramName::AtomShared), shape);
    let piece = Piece::Loaded { register: 1, part: 0, offset: 0, size: 8 };
    let wide = device.issue(wide.with_results(vec![piece])).expect("it exists");
    assert!(step(&mut device, narrow));
    assert!(!step(&mut device, wide), "one of its two banks is locked");
    let locks = device.state.processors()[0].shared.locks();
    assert_eq!(locks, [None, Some(narrow), None, None]);
    let words = outcomes(&device, true, LIMIT, |device| in_memory(device, Shared, 4));
    assert_eq!(words, Ok(BTreeSet::from([2])));
}

#[test]
fn golden_cuda_memory_every_victim_is_tried() {
    let mut device = device(2, 2);
    for address in [0, 8] {
        run(&mut device, load(ProgramName::LdCg, 0, Global, address, 0));
    }
    device.issue(load(ProgramName::LdCg, 0, Global, 16, 0)).expect("it exists");
    let left = outcomes(&device, false, LIMIT, |device| [0, 8, 16].map(|at| device.state.l2().line(at).is_some()));
    assert_eq!(left, Ok(BTreeSet::from([[false, true, true], [true, false, true]])));
}

#[test]
fn golden_cuda_memory_two_global_atomics_add_two_in_any_order() {
    // With room for both lines and without, of one line and of two; silent rules fire anywhere.
    for (l2, other) in [(1, PLACE), (1, PLACE + 4), (2, PLACE), (1, PLACE + 8)] {
        let mut device = device(1, l2);
        device.issue(add(0, Global, PLACE, 1, 0)).expect("it exists");
        device.issue(add(1, Global, other, 1, 0)).expect("it exists");
        let seen = outcomes(&device, true, LIMIT, |device| {
            device.check().expect("the invariants hold");
            (at_last(device, PLACE), at_last(device, other))
        });
        let expected = if other == PLACE { (2, 2) } else { (1, 1) };
        assert_eq!(seen, Ok(BTreeSet::from([expected])), "L2 of {l2}, {other}");
    }
}

#[test]
fn golden_cuda_memory_a_thread_may_miss_its_own_store() {
    // The report promises no order of a thread's operations, even at one address (section 4.6).
    let issue = |ordered: bool| {
        let mut device = device(1, 1);
        let (mut write, mut read) =
            (store(ProgramName::StGlobalWb, 0, Global, PLACE, 2), load(ProgramName::LdCg, 0, Global, PLACE, 0));
        if ordered {
            let priority = |sequence| simt_runtime::environment::Priority {
                warp: 0,
                lanes: 1,
                sequence,
                volatile: false,
                bytes: vec![(Global, PLACE, PLACE + 4)],
            };
            (write, read) = (write.with_priority(priority(0)), read.with_priority(priority(1)));
        }
        device.issue(write).expect("it has no registers");
        device.issue(read).expect("it exists");
        outcomes(&device, true, LIMIT, |device| register(device, 0, 0)).expect("no run is stuck")
    };
    assert_eq!(issue(false), BTreeSet::from([0, 2]));
    assert_eq!(issue(true), BTreeSet::from([2]));
}

#[test]
fn golden_cuda_memory_volatile_operations_of_a_thread_keep_their_order() {
    // A message: the data, then the flag; the other multiprocessor reads the flag, then the data.
    let message = |in_order: bool| {
        let mut device = device(1, 2);
        let as_told = |operation, sequence| if in_order { volatile(operation, sequence) } else { operation };
        device.issue(as_told(store(ProgramName::StGlobalWb, 0, Global, PLACE, 7), 0)).expect("no registers");
        device.issue(as_told(store(ProgramName::StGlobalWb, 0, Global, PLACE + 8, 1), 1)).expect("no registers");
        let mut reads = [
            volatile(load(ProgramName::LdCv, 1, Global, PLACE + 8, 0), 0),
            volatile(load(ProgramName::LdCv, 1, Global, PLACE, 1), 1),
        ];
        // Another thread than the one that writes.
        reads.iter_mut().for_each(|read| read.priority.iter_mut().for_each(|priority| priority.warp = 1));
        for read in reads {
            device.issue(read).expect("it exists");
        }
        outcomes(&device, false, LIMIT, |device| (register(device, 1, 0), register(device, 1, 1))).expect("all end")
    };
    assert_eq!(message(true), BTreeSet::from([(0, 0), (0, 7), (1, 7)]));
    assert_eq!(message(false), BTreeSet::from([(0, 0), (0, 7), (1, 0), (1, 7)]));
}
