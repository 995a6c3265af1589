//! The holes of the report that concern memory: what was decided, and what the report's letter would do.

use crate::scenario::{
    PLACE, add, attempt, device, in_memory, load, loaded, register, run, set, step, store, volatile, with_holes,
};
use simt_core::ScalarType;
use simt_core::ops::AtomicOp;
use simt_runtime::environment::StateSpace::{Const, Global, Shared};
use simt_runtime::environment::{
    Environment, ExploreError, First, Holes, Operation, Priority, Program, ProgramName, Programs, Retry, Seeded, Shape,
    SilentRule, Stuck, outcomes,
};
use std::collections::BTreeSet;

const LIMIT: usize = 200_000;

fn with_program(text: &str, shape: Shape) -> Operation {
    Operation::new(0, &text.parse::<Program>().expect("it is in the language"), shape)
}

#[test]
fn golden_cuda_memory_h1_global_atomics_use_caches() {
    let atomic = |space| Shape::atomic(space, 0, AtomicOp::Add, ScalarType::U32, [1, 0]);
    let mut device = device(1, 1);
    assert_eq!(attempt(&mut device, with_program("if (isCachedL2) { readL2; } end;", atomic(Global))), Ok(1));
    for (text, shape) in [
        ("if (isCachedL1) { } end;", atomic(Shared)),
        ("if (false and isCachedL1) { } end;", Shape::Register),
        ("if (isCachedL1) { } end;", Shape::load(Const, 0, 8)),
    ] {
        let stuck = attempt(&mut device.clone(), with_program(text, shape));
        assert!(matches!(stuck, Err(Stuck::NoCacheOperator { .. })), "{text}: {stuck:?}");
    }
    for (text, shape) in [
        ("readL2; end;", atomic(Shared)),
        ("lock; end;", atomic(Global)),
        ("atomOp; end;", Shape::load(Global, 0, 8)),
        ("readMem; end;", Shape::Register),
        ("evictL1; end;", Shape::load(Const, 0, 8)),
    ] {
        let stuck = attempt(&mut device.clone(), with_program(text, shape));
        assert!(matches!(stuck, Err(Stuck::WrongState { .. })), "{text}: {stuck:?}");
    }
}

/// A cache of one line, pinned; two loads of another address wait for it. Then the first of them gets it.
fn two_wait(retry: Retry) -> Environment {
    let mut device = with_holes(1, 2, Holes { retry, ..Holes::default() });
    set(&mut device, Global, PLACE + 8, 4);
    let pins = device.issue(load(ProgramName::LdCa, 0, Global, PLACE, 0)).expect("it exists");
    step(&mut device, pins);
    for register in [1, 2] {
        let id = device.issue(load(ProgramName::LdCa, 0, Global, PLACE + 8, register)).expect("it exists");
        assert!(!step(&mut device, id), "the only line is pinned");
    }
    device.run_alone(pins, &mut First).expect("nothing is in its way");
    device
}

#[test]
fn golden_cuda_memory_h2_a_reservation_that_waited_looks_again() {
    let letter = outcomes(&two_wait(Retry::Operation), false, LIMIT, |_| ());
    assert_eq!(letter, Err(ExploreError::Stuck(Stuck::AlreadyCached { address: PLACE + 8 })));
    let ours = outcomes(&two_wait(Retry::Condition), true, LIMIT, |device| [1, 2].map(|at| register(device, 0, at)));
    assert_eq!(ours, Ok(BTreeSet::from([[4, 4]])));
}

#[test]
fn golden_cuda_memory_h3_a_flush_spares_what_is_waited_for() {
    let flushed = |flush_takes_pinned| {
        let mut device = with_holes(2, 2, Holes { flush_takes_pinned, ..Holes::default() });
        loaded(&mut device, 0, PLACE);
        let id = device.issue(load(ProgramName::LdCa, 0, Global, PLACE + 8, 0)).expect("it exists");
        step(&mut device, id);
        let fired = device.silent(SilentRule::Flush { processor: 0 }, &mut First);
        (fired, device.run_alone(id, &mut First))
    };
    assert_eq!(flushed(false), (Ok(false), Ok(6)));
    assert_eq!(flushed(true), (Ok(true), Err(Stuck::NotCached { operation: "update", address: PLACE + 8 })));
}

#[test]
fn golden_cuda_memory_h4_stores_leave_their_neighbours_alone() {
    // Two stores to one line from two multiprocessors, and a load of the whole line: whatever happens, no byte is lost.
    let mut device = device(1, 1);
    set(&mut device, Global, PLACE, 1);
    set(&mut device, Global, PLACE + 4, 2);
    device.issue(store(ProgramName::StGlobalWb, 0, Global, PLACE, 10)).expect("it has no registers");
    device.issue(store(ProgramName::StGlobalWb, 1, Global, PLACE + 4, 20)).expect("it has no registers");
    device.issue(load(ProgramName::LdCa, 0, Global, PLACE + 4, 0)).expect("it exists");
    let seen = outcomes(&device, true, LIMIT, |device| {
        let mut at_last = device.clone();
        at_last.drain(&mut First).expect("everything ends");
        (register(device, 0, 0), in_memory(&at_last, Global, PLACE), in_memory(&at_last, Global, PLACE + 4))
    });
    assert_eq!(seen, Ok(BTreeSet::from([(2, 10, 20), (20, 10, 20)])));
    // A store of bytes that are no neighbours.
    let mut device = with_holes(1, 1, Holes::default());
    set(&mut device, Global, PLACE, 1);
    set(&mut device, Global, PLACE + 4, 2);
    let shape = Shape::Device { address: PLACE, space: Global, cached: true, value: vec![7; 8], mask: 0b1000_0010 };
    run(&mut device, Operation::new(0, Programs::default().get(ProgramName::StGlobalWt), shape));
    assert_eq!(in_memory(&device, Global, PLACE), u32::from_le_bytes([1, 7, 0, 0]));
    device.drain(&mut First).expect("everything ends");
    let words = [in_memory(&device, Global, PLACE), in_memory(&device, Global, PLACE + 4)];
    assert_eq!(words.map(u32::to_le_bytes), [[1, 7, 0, 0], [2, 0, 0, 7]]);
}

#[test]
fn golden_cuda_memory_h10_blocks_have_operations_of_their_own() {
    // The same thread of two blocks: their volatile stores have no order.
    let mut device = device(2, 2);
    for (warp, value) in [(0, 1), (1, 2)] {
        let operation = volatile(store(ProgramName::StGlobalWb, 0, Global, PLACE, value), warp);
        let priority = operation.priority.clone().map(|priority| Priority { warp, ..priority });
        device.issue(Operation { priority, ..operation }).expect("it has no registers");
    }
    assert_eq!(device.operations().iter().map(|operation| operation.id).collect::<Vec<_>>(), [0, 1]);
    let last = outcomes(&device, false, LIMIT, |device| device.state.l2().lines()[0].data()[0]);
    assert_eq!(last, Ok(BTreeSet::from([1, 2])));
    // Numbers are never used again.
    device.drain(&mut First).expect("everything ends");
    assert_eq!(device.issue(store(ProgramName::StGlobalWb, 0, Global, PLACE, 3)), Ok(2));
}

#[test]
fn golden_cuda_memory_h11_draining_ends_everything() {
    for seed in 0..50 {
        let mut device = device(1, 1);
        let mut oracle = Seeded::new(seed);
        for number in 0..8 {
            device
                .issue(store(ProgramName::StGlobalWb, number % 2, Global, number as u64 * 8, 1))
                .expect("no registers");
            device.issue(add(number % 2, Global, 4 + number as u64 * 8, 1, number as u32)).expect("it exists");
            device.macro_step(&mut oracle).expect("no program is stuck");
        }
        device.drain(&mut oracle).expect("everything ends");
        assert!(device.operations().is_empty());
        assert_eq!(device.check(), Ok(()));
        assert!((0..16).all(|word| in_memory(&device, Global, word * 4) == 1), "seed {seed}");
        let clean = |processor: &simt_runtime::environment::Processor| {
            processor.l1.lines().iter().all(|line| line.address().is_none())
                && processor.registers.blocked().count() == 0
        };
        assert!(device.state.processors().iter().all(clean));
    }
}

#[test]
fn golden_cuda_memory_h15_loads_do_not_starve() {
    // Without write-backs a load can never end if L2 is full of dirty lines; with silent rules it always can.
    let mut device = device(1, 1);
    run(&mut device, store(ProgramName::StGlobalWb, 1, Global, PLACE, 3));
    let id = device.issue(load(ProgramName::LdCa, 0, Global, PLACE + 8, 0)).expect("it exists");
    assert_eq!(outcomes(&device, false, LIMIT, |_| ()), Err(ExploreError::Endless { states: 2 }));
    assert_eq!(outcomes(&device, true, LIMIT, |_| ()), Ok(BTreeSet::from([()])));
    // An operation that waits for it makes it go on.
    device.complete(&[id], &mut First).expect("it is written back");
    assert!(!device.is_in_flight(id));
}

#[test]
fn a_program_that_cannot_go_on_says_why() {
    let mut device = device(1, 1);
    let word = || Shape::load(Global, 0, 8);
    for (text, shape, expected) in [
        ("yield;", word(), Stuck::NoEnd),
        ("", word(), Stuck::NoEnd),
        ("writeToRegs; end;", word(), Stuck::NoDecomposition),
        ("readL1; end;", word(), Stuck::NotCached { operation: "read", address: 0 }),
        ("reserveL1; reserveL1; end;", word(), Stuck::AlreadyCached { address: 0 }),
        ("classifyFirstL2; end;", word(), Stuck::NotCached { operation: "classify", address: 0 }),
        ("writeMem; end;", Shape::store(Const, 96, vec![0; 4]), Stuck::ConstantWrite { address: 96 }),
        ("readMem; end;", Shape::load(Global, 60, 8), Stuck::OutOfSpace { space: Global, address: 60, size: 8 }),
        (
            "readMem; end;",
            Shape::load(Global, u64::MAX, 8),
            Stuck::OutOfSpace { space: Global, address: u64::MAX, size: 8 },
        ),
    ] {
        assert_eq!(attempt(&mut device.clone(), with_program(text, shape)), Err(expected), "{text}");
    }
    // `end` drops the rest, and `;` does nothing.
    assert_eq!(attempt(&mut device, with_program("; if (true) { end; } readL1;", word())), Ok(1));
    let nowhere = Operation { processor: 9, ..with_program("end;", word()) };
    assert_eq!(device.issue(nowhere), Err(Stuck::NoProcessor { processor: 9 }));
}
