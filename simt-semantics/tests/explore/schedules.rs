//! Schedules that fail: found, shrunk, replayed.

use super::esop12::shared_increment;
use super::programs::{Maker, assign, evaluate, if_, stmt, store, while_};
use super::{checked, is_lane, sums, valid, with};
use simt_core::ScalarType;
use simt_core::ops::CompareOp;
use simt_core::program::{ArraySpace, Piece, StmtKind};
use simt_semantics::{
    Coverage, End, Ending, Interleaved, Move, Replay, SeededOrder, Termination, ThreadSystem, Witness, explore,
    random_run, replay, shrink, try_seeds,
};
use std::collections::BTreeSet;

/// Section 4.1: n threads that add 1 add l in total, 1 ≤ l ≤ n. What is lost is shrunk to two switches, and runs again.
#[test]
fn a_lost_update_is_found_shrunk_and_replayed() {
    let kernel = shared_increment();
    with(&kernel, 2, |setting, memory| {
        let system = ThreadSystem::new(setting, memory.clone());
        assert_eq!(sums(&checked(&system)), BTreeSet::from([1, 2]));
        let lost = |ending: &Ending| ending.end == End::Finished && ending.memory.slices[0][0] == 1;
        // By seed, as for a program that is too big: the run of the seed is that of the semantics' own loop.
        let failure = try_seeds(&system, 0..100, 1000, lost).expect("one of a hundred loses an update");
        assert_eq!(random_run(&system, failure.seed, 1000), failure.ending);
        let mut same = Interleaved::initial(setting, memory.clone());
        let (seeded, unused) = (&mut SeededOrder::new(failure.seed), &mut Coverage::default());
        assert_eq!(same.run(setting, seeded, 1000, unused), End::Finished);
        assert_eq!(same.memory, failure.ending.memory);
        let shrunk = shrink(&system, &failure.ending, lost);
        // One thread reads, the other runs to its end, the first goes on.
        assert_eq!(shrunk.witness.switches(), 2, "{}", shrunk.witness);
        assert!(lost(&shrunk));
        assert_eq!(replay(&system, &shrunk.witness), Ok(shrunk.clone()));
        let mut again = Interleaved::initial(setting, memory);
        assert_eq!(again.run(setting, &mut Replay::new(&shrunk.witness), 1000, unused), End::Finished);
        assert_eq!(again.memory, shrunk.memory);
    });
}

/// Whatever seed fails, it shrinks to two switches.
#[test]
fn every_failing_seed_shrinks() {
    let kernel = shared_increment();
    with(&kernel, 3, |setting, memory| {
        let system = ThreadSystem::new(setting, memory);
        let lost = |ending: &Ending| ending.end == End::Finished && ending.memory.slices[0][0] < 3;
        let mut failed = 0;
        for seed in 0..40 {
            let ending = random_run(&system, seed, 1000);
            if lost(&ending) {
                failed += 1;
                let shrunk = shrink(&system, &ending, lost);
                assert!(shrunk.witness.switches() <= 3, "seed {seed}: {}, once {}", shrunk.witness, ending.witness);
            }
        }
        assert!(failed > 20, "{failed}");
    });
}

#[test]
fn a_witness_that_does_not_fit_is_refused() {
    with(&shared_increment(), 2, |setting, memory| {
        let system = ThreadSystem::new(setting, memory);
        let run = |text: &str| replay(&system, &text.parse().expect("a schedule"));
        assert_eq!(run("0 x9").map_err(|error| error.number), Err(4));
        assert_eq!(run("5").map_err(|error| error.number), Err(1));
        assert_eq!(run("0 1").map_err(|error| error.number), Err(1), "they do not go together");
        assert_eq!(run("warp").map_err(|error| error.number), Err(1));
        assert_eq!(run("0, 1").map(|ending| ending.end), Ok(End::OutOfFuel));
        let error = run("1, 0 x9").expect_err("too many");
        assert!(error.to_string().starts_with("move 5 of the schedule is not possible: thread 0"), "{error}");
    });
}

/// A fault that only some interleavings reach, and the same set of them with and without reduction.
#[test]
fn a_fault_that_depends_on_the_schedule() {
    let m = &mut Maker::new("k");
    let x = m.slice_mut("x", ScalarType::U32);
    let tile = m.array("tile", ScalarType::U32, ArraySpace::Shared, None);
    let first = is_lane(m, 0);
    let (at, value) = (m.constant(0usize), m.constant(5u32));
    let write = store(tile, at, value);
    let at = m.constant(0usize);
    let load = m.load(tile, at, ScalarType::U32);
    let (own, local) = (m.variable("own", ScalarType::U32), m.constant(3u32));
    let at = m.constant(0usize);
    let value = m.get(own);
    let five = m.constant(5u32);
    let read = m.compare(load, CompareOp::Ne, five);
    let message = m.message(vec![Piece::Text("no".into())]);
    let body = vec![
        assign(own, local),
        if_(first, vec![write], vec![if_(read, vec![stmt(StmtKind::Panic { message, args: vec![] })], vec![])]),
        store(x, at, value),
    ];
    let kernel = valid(std::mem::take(m).finish(body), vec![vec![0]]);
    with(&kernel, 2, |setting, memory| {
        let system = ThreadSystem::new(setting, memory);
        let found = checked(&system);
        let fault = found.failures().next().expect("thread 1 may come first");
        assert!(matches!(&fault.end, End::Fault(fault) if fault.thread == 1), "{:?}", fault.end);
        assert_eq!((found.failures().count(), found.results().count()), (1, 1));
        let shrunk = shrink(&system, fault, |ending| ending.end == fault.end);
        assert_eq!(shrunk.witness, Witness { moves: vec![Move::thread(1); shrunk.witness.moves.len()] });
    });
}

/// The bound is one of memory, whatever the program does.
#[test]
fn what_has_no_end_of_configurations_is_cut_off() {
    let m = &mut Maker::new("k");
    let x = m.slice_mut("x", ScalarType::U64);
    let (index, old) = (m.constant(0usize), m.constant(0usize));
    let (old, one) = (m.load(x, old, ScalarType::U64), m.constant(1u64));
    let sum = m.binary(old, simt_core::ops::BinaryOp::Add, one);
    let (always, unused) = (m.constant(true), m.constant(0u32));
    let body = vec![evaluate(unused), while_(always, vec![store(x, index, sum)], vec![])];
    let kernel = valid(std::mem::take(m).finish(body), vec![vec![0]]);
    with(&kernel, 2, |setting, memory| {
        let system = ThreadSystem::new(setting, memory);
        for bound in [0, 1, 500] {
            let found = explore(&system, bound);
            assert_eq!((found.is_complete(), found.configurations()), (false, bound));
            assert_eq!(found.termination(), &Termination::Unknown);
        }
        assert_eq!(random_run(&system, 1, 50).witness.moves.len(), 50);
    });
}
