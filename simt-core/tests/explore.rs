//! Exploration of all runs: what it finds in the programs of ESOP'12, in litmus tests, and in programs that go wrong.

mod esop12;
mod programs;

use esop12::{Kernel, endless, program_1, program_2, program_3, program_4, shared_increment};
use programs::{Maker, assign, evaluate, if_, return_, stmt, store, while_};
use simt_core::ops::CompareOp;
use simt_core::program::{
    ArraySpace, AtomicOp, AtomicOrder, Builtin, CollectiveOp, ExprId, Piece, Program, Stmt, StmtKind,
};
use simt_core::semantics::{
    Coverage, End, Ending, Esop12, Exploration, FaultKind, GroupSystem, Interleaved, LaneOrder, Lasso, Memory, Move,
    Place, Replay, SeededOrder, Setting, System, Termination, ThreadSystem, Warp, WarpSystem, Witness, explore,
    explore_all, random_run, replay, shrink, try_seeds,
};
use simt_core::{LaneMask, ScalarType};
use std::collections::BTreeSet;

const BOUND: usize = 100_000;

fn valid(program: Program, arguments: Vec<Vec<u64>>) -> Kernel {
    Kernel { program: program.validate().unwrap_or_else(|error| panic!("{error}")), arguments }
}

fn with<T>(kernel: &Kernel, threads: u32, run: impl FnOnce(&Setting<'_>, Memory) -> T) -> T {
    let setting = Setting::new(&kernel.program, Place::alone(threads)).expect("it has rules for all statements");
    let memory = Memory::initial(&setting, kernel.arguments.clone()).expect("the arguments fit");
    run(&setting, memory)
}

/// Explores with and without reduction, which must agree, and replays every schedule that is found.
fn checked(system: &impl System) -> Exploration {
    let (reduced, all) = (explore(system, BOUND), explore_all(system, BOUND));
    assert!(reduced.is_complete() && all.is_complete());
    assert!(reduced.configurations() <= all.configurations());
    assert_eq!(kinds(&reduced), kinds(&all));
    for found in [&reduced, &all] {
        for ending in found.endings() {
            let text = ending.witness.to_string();
            let again = replay(system, &text.parse().expect("it is read as it is printed"));
            assert_eq!(again.as_ref(), Ok(ending), "{text}");
        }
        if let Termination::NotUnder(lasso) = found.termination() {
            assert_fair(system, lasso);
        }
    }
    reduced
}

/// What is the same with and without reduction.
fn kinds(found: &Exploration) -> (BTreeSet<String>, bool) {
    let endings = found.endings().iter().map(|ending| match &ending.end {
        End::Finished => format!("{:?}", ending.memory),
        end => format!("{end:?}"),
    });
    (endings.collect(), *found.termination() == Termination::Always)
}

fn step<S: System>(system: &S, config: &S::Config, by: &Move) -> S::Config {
    system.step(config, by).unwrap_or_else(|| panic!("{by} can go")).unwrap_or_else(|fault| panic!("{fault}"))
}

/// A lasso is one, and each thread goes round it or cannot go on somewhere.
fn assert_fair<S: System>(system: &S, lasso: &Lasso) {
    let start = lasso.stem.moves.iter().fold(system.initial(), |config, by| step(system, &config, by));
    let (mut config, mut owed) = (start.clone(), system.live(&start));
    assert!(!owed.is_empty() && !lasso.cycle.moves.is_empty());
    for by in &lasso.cycle.moves {
        let successors = system.successors(&config, 1000).expect("they are few");
        let able = successors.iter().fold(LaneMask::EMPTY, |able, one| able | one.agents);
        let taken = successors.iter().find(|one| one.by == *by).expect("it is a transition");
        owed = owed & able - taken.agents;
        config = step(system, &config, by);
    }
    assert!(config == start, "the cycle is closed");
    assert!(owed.is_empty(), "{owed} could go on all the time, and did not");
}

fn sums(found: &Exploration) -> BTreeSet<u64> {
    found.results().map(|ending| ending.memory.slices[0][0]).collect()
}

#[test]
fn the_programs_of_the_paper_terminate_under_all_fair_schedules() {
    for threads in 2..=3 {
        let results = [
            (program_2(), BTreeSet::from([1])),
            (program_3(), BTreeSet::from([threads.into()])),
            (program_4(threads), BTreeSet::from([threads.into()])),
        ];
        for (kernel, expected) in results {
            with(&kernel, threads, |setting, memory| {
                let found = checked(&ThreadSystem::new(setting, memory.clone()));
                assert!(found.always_finishes());
                assert_eq!(sums(&found), expected, "{}", *kernel.program);
                let found = checked(&GroupSystem::new(setting, memory));
                assert!(found.always_finishes());
                assert_eq!(sums(&found), expected, "{}", *kernel.program);
            });
        }
    }
}

/// Program 1 has no races, and one result. Its threads read and write elements of `b`, which others could, too; the rest of
/// what they do commutes.
#[test]
fn what_commutes_is_left_out() {
    with(&program_1(), 4, |setting, memory| {
        let threads = ThreadSystem::new(setting, memory.clone());
        let (found, all) = (explore(&threads, BOUND), explore_all(&threads, BOUND));
        assert!(found.always_finishes() && all.always_finishes());
        let (some, all) = (found.configurations(), all.configurations());
        assert!(10 * some < all, "{some} of {all}");
        let [only] = found.endings() else { panic!("{:?}", found.endings()) };
        // Section 2.3.
        assert_eq!(only.memory.slices, [[0, 1, 1, 1], [0, 1, 1, 4]]);
        assert_eq!(explore(&WarpSystem::new(setting, &Esop12, memory), BOUND).endings()[0].memory, only.memory);
    });
}

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

#[test]
fn what_never_ends_has_a_fair_lasso() {
    for (kernel, threads) in [(endless(), 3), (program_4(3), 2)] {
        with(&kernel, threads, |setting, memory| {
            let found = checked(&ThreadSystem::new(setting, memory.clone()));
            assert!(matches!(found.termination(), Termination::NotUnder(_)));
            assert!(!found.always_finishes());
            let found = checked(&GroupSystem::new(setting, memory));
            assert!(matches!(found.termination(), Termination::NotUnder(_)));
        });
    }
    // Section 5.1: threads that are fair end, and the warp does not.
    with(&program_2(), 3, |setting, memory| {
        let found = checked(&WarpSystem::new(setting, &Esop12, memory));
        assert!(matches!(found.termination(), Termination::NotUnder(_)));
    });
}

/// `lane_id() == lane`
fn is_lane(m: &mut Maker, lane: usize) -> ExprId {
    let (id, lane) = (m.builtin(Builtin::LaneId), m.constant(lane));
    m.compare(id, CompareOp::Eq, lane)
}

fn ballot(m: &mut Maker, op: CollectiveOp, mask: Option<u64>) -> Stmt {
    let votes = m.variable("votes", ScalarType::U64);
    let mask = mask.map(|mask| m.constant(mask));
    let args = if op == CollectiveOp::ActiveMask { vec![] } else { vec![m.constant(true)] };
    stmt(StmtKind::Collective { op, mask, args, result: Some(votes) })
}

/// A thread that waits at a collective owes fairness nothing: the others spin for ever, and it cannot go on.
#[test]
fn who_waits_cannot_go_on() {
    let m = &mut Maker::new("k");
    let second = is_lane(m, 1);
    let vote = ballot(m, CollectiveOp::Ballot, None);
    let always = m.constant(true);
    let body = vec![if_(second, vec![while_(always, vec![], vec![])], vec![]), vote];
    let kernel = valid(std::mem::take(m).finish(body), vec![]);
    with(&kernel, 2, |setting, memory| {
        let found = checked(&ThreadSystem::new(setting, memory));
        let Termination::NotUnder(lasso) = found.termination() else { panic!("lane 1 spins") };
        assert!(lasso.cycle.moves.iter().all(|by| *by == Move::thread(1)), "{}", lasso.cycle);
    });
}

/// Two collectives in two arms: all wait, and the schedule shows it. Whoever has left is not waited for.
#[test]
fn a_deadlock_has_a_schedule() {
    let m = &mut Maker::new("k");
    let second = is_lane(m, 1);
    let (one, other) = (ballot(m, CollectiveOp::Ballot, None), ballot(m, CollectiveOp::Ballot, None));
    let kernel = valid(std::mem::take(m).finish(vec![if_(second, vec![one], vec![other])]), vec![]);
    with(&kernel, 3, |setting, memory| {
        let system = ThreadSystem::new(setting, memory.clone());
        let found = checked(&system);
        let [deadlock] = found.endings() else { panic!("{:?}", found.endings()) };
        assert_eq!(deadlock.end, End::Deadlock(LaneMask::first(3)));
        assert_eq!(deadlock.witness.moves.len(), 3, "each comes to its collective");
        assert_eq!(found.termination(), &Termination::Always, "waiting is no run without end");
        assert!(!found.always_finishes());
        let end = |found: &Exploration| found.endings()[0].end.clone();
        assert_eq!(end(&checked(&GroupSystem::new(setting, memory.clone()))), End::Deadlock(LaneMask::first(3)));
        let End::Fault(fault) = end(&checked(&WarpSystem::new(setting, &Esop12, memory))) else { panic!("a fault") };
        assert_eq!(fault.kind, FaultKind::Missing(LaneMask::lane(1)));
    });
}

/// The active mask counts whoever is there: any threads that are there at one time.
#[test]
fn an_active_mask_is_any_set_that_has_come() {
    let m = &mut Maker::new("k");
    let out = m.slice_mut("out", ScalarType::U32);
    let mask = ballot(m, CollectiveOp::ActiveMask, None);
    let StmtKind::Collective { result: Some(votes), .. } = mask.kind else { panic!("it has a result") };
    let (index, value) = (m.builtin(Builtin::LaneId), m.get(votes));
    let value = m.cast(value, ScalarType::U32);
    let kernel = valid(std::mem::take(m).finish(vec![mask, store(out, index, value)]), vec![vec![0; 3]]);
    with(&kernel, 3, |setting, memory| {
        let found = checked(&ThreadSystem::new(setting, memory));
        let results: BTreeSet<Vec<u64>> = found.results().map(|ending| ending.memory.slices[0].clone()).collect();
        // The partitions of three threads.
        let expected = [[1, 2, 4], [3, 3, 4], [5, 2, 5], [1, 6, 6], [7, 7, 7]].map(|masks| masks.to_vec());
        assert_eq!(results, BTreeSet::from(expected));
    });
    let one = vec![vec![0; 64]];
    with(&Kernel { arguments: one, ..kernel }, 64, |setting, memory| {
        assert!(!explore(&ThreadSystem::new(setting, memory), 1000).is_complete(), "2⁶⁴ sets are too many");
    });
}

/// Each names itself and its right neighbour, who has not come yet: nobody goes before all have come.
#[test]
fn who_names_others_goes_with_them() {
    let m = &mut Maker::new("k");
    let out = m.slice_mut("out", ScalarType::U32);
    let both = ballot(m, CollectiveOp::Ballot, Some(0b11));
    let StmtKind::Collective { result: Some(votes), .. } = both.kind else { panic!("it has a result") };
    let (index, value) = (m.builtin(Builtin::LaneId), m.get(votes));
    let value = m.cast(value, ScalarType::U32);
    let third = is_lane(m, 2);
    let body = vec![if_(third, vec![return_()], vec![]), both, store(out, index, value)];
    let kernel = valid(std::mem::take(m).finish(body), vec![vec![0; 3]]);
    with(&kernel, 3, |setting, memory| {
        let found = checked(&ThreadSystem::new(setting, memory));
        assert!(found.always_finishes());
        let [only] = found.endings() else { panic!("{:?}", found.endings()) };
        assert_eq!(only.memory.slices, [[3, 3, 0]]);
        assert!(only.witness.moves.contains(&Move::together(LaneMask(3))), "{}", only.witness);
    });
}

/// `x[0] = lane_id() / 2;`: of four threads that write two values, either comes out; and so with atomic operations.
#[test]
fn a_warp_writes_in_any_order() {
    let m = &mut Maker::new("k");
    let x = m.slice_mut("x", ScalarType::U32);
    let lane = m.builtin(Builtin::LaneId);
    let (lane, two) = (m.cast(lane, ScalarType::U32), m.constant(2u32));
    let (index, value) = (m.constant(0usize), m.binary(lane, simt_core::ops::BinaryOp::Div, two));
    let kernel = valid(std::mem::take(m).finish(vec![store(x, index, value)]), vec![vec![9]]);
    with(&kernel, 4, |setting, memory| {
        let system = WarpSystem::new(setting, &Esop12, memory.clone());
        let found = checked(&system);
        assert_eq!(sums(&found), BTreeSet::from([0, 1]));
        assert_eq!(found.results().count(), 2);
        // What is not the machine's order is replayed by the semantics' own loop.
        let other = found.find(|ending| ending.memory.slices[0][0] == 0).expect("it was found");
        let mut warp = Warp::initial(setting, memory.clone());
        let end = warp.run(setting, &Esop12, &mut Replay::new(&other.witness), 100, &mut Coverage::default());
        assert_eq!((end, &warp.memory), (End::Finished, &other.memory));
        let mut warp = Warp::initial(setting, memory.clone());
        warp.run(setting, &Esop12, &mut LaneOrder, 100, &mut Coverage::default());
        assert_eq!(warp.memory.slices, [[1]]);
        assert_eq!(sums(&checked(&GroupSystem::new(setting, memory))), BTreeSet::from([0, 1]));
    });
}

fn atomic(op: AtomicOp, target: simt_core::program::ParamId, m: &mut Maker, operands: Vec<ExprId>) -> Stmt {
    let (index, result) = (m.constant(0usize), Some(m.variable("old", ScalarType::U32)));
    stmt(StmtKind::Atomic { op, target: target.into(), index, operands, result, order: AtomicOrder::Relaxed })
}

#[test]
fn tickets_are_drawn_in_any_order() {
    let m = &mut Maker::new("k");
    let (ticket, out) = (m.atomics("ticket", ScalarType::U32), m.slice_mut("out", ScalarType::U32));
    let one = m.constant(1u32);
    let draw = atomic(AtomicOp::Add, ticket, m, vec![one]);
    let StmtKind::Atomic { result: Some(old), .. } = draw.kind else { panic!("it has a result") };
    let (index, value) = (m.builtin(Builtin::LaneId), m.get(old));
    let kernel = valid(std::mem::take(m).finish(vec![draw, store(out, index, value)]), vec![vec![0], vec![0; 3]]);
    let drawn = |found: &Exploration| -> BTreeSet<Vec<u64>> {
        found.results().map(|ending| ending.memory.slices[1].clone()).collect()
    };
    with(&kernel, 3, |setting, memory| {
        let expected = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map(|order| order.to_vec());
        let expected = BTreeSet::from(expected);
        assert_eq!(drawn(&checked(&WarpSystem::new(setting, &Esop12, memory.clone()))), expected);
        assert_eq!(drawn(&checked(&GroupSystem::new(setting, memory.clone()))), expected);
        assert_eq!(drawn(&checked(&ThreadSystem::new(setting, memory))), expected);
    });
    with(&Kernel { arguments: vec![vec![0], vec![0; 32]], ..kernel }, 32, |setting, memory| {
        let system = WarpSystem::new(setting, &Esop12, memory);
        let found = explore(&system, 1000);
        assert!(!found.is_complete() && found.endings().is_empty(), "32! orders are too many");
        assert_eq!(found.termination(), &Termination::Unknown);
        assert_eq!(random_run(&system, 0, 100).end, End::OutOfFuel, "and no run chooses from them");
    });
}

/// The store buffer test (ESOP'12 assumes sequential consistency, section 3.3): one of the two sees the other's store.
#[test]
fn litmus_store_buffer() {
    let m = &mut Maker::new("sb");
    let (flag, seen) = (m.slice_mut("flag", ScalarType::U32), m.slice_mut("seen", ScalarType::U32));
    let (own, one) = (m.builtin(Builtin::LaneId), m.constant(1u32));
    let raise = store(flag, own, one);
    let (first, own) = (m.constant(1usize), m.builtin(Builtin::LaneId));
    let other = m.binary(first, simt_core::ops::BinaryOp::Sub, own);
    let (own, look) = (m.builtin(Builtin::LaneId), m.load(flag, other, ScalarType::U32));
    let kernel = valid(std::mem::take(m).finish(vec![raise, store(seen, own, look)]), vec![vec![0; 2], vec![7; 2]]);
    with(&kernel, 2, |setting, memory| {
        let found = checked(&ThreadSystem::new(setting, memory));
        let seen: BTreeSet<Vec<u64>> = found.results().map(|ending| ending.memory.slices[1].clone()).collect();
        assert_eq!(seen, BTreeSet::from([vec![0, 1], vec![1, 0], vec![1, 1]]));
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
