//! The literal semantics where the golden runs and the random programs do not look: what it refuses, what faults, what the
//! paper says in passing.

mod esop12;
#[path = "../../simt-core/tests/programs/mod.rs"]
mod programs;

use esop12::{program_1, program_3, shared_increment};
use programs::{Maker, assign, call, evaluate, if_, return_, stmt, store, while_};
use simt_core::ops::CompareOp;
use simt_core::program::{
    ArraySpace, BarrierOp, Builtin, CollectiveOp, ExprId, MessageId, Piece, Program, Stmt, StmtKind, Validated,
};
use simt_core::{LaneMask, ScalarType};
use simt_semantics::{
    Context, Coverage, End, Esop12, FaultKind, Interleaved, LaneOrder, LowestFirst, Memory, MemoryError, OldestGroup,
    Place, Progress, RoundRobin, Rule, SeededOrder, Setting, SettingError, Simulation, ThreadItem, ThreadRule,
    ThreadSystem, Warp, WarpRules, explore,
};
use std::collections::BTreeSet;

fn valid(program: Program) -> Validated<Program> {
    program.validate().unwrap_or_else(|error| panic!("{error}"))
}

/// How a program of one slice of four `u32`s ends by the warp semantics, checked by the theorem, and the memory then.
fn run(program: &Validated<Program>, threads: u32) -> (Progress, Memory) {
    let setting = Setting::new(program, Place::alone(threads)).expect("it has rules for all statements");
    let memory = Memory::initial(&setting, vec![vec![0; 4]]).expect("the arguments fit");
    let mut simulation = Simulation::new(&setting, &Esop12, memory).unwrap_or_else(|wrong| panic!("{wrong}"));
    let end = simulation.run(&mut LaneOrder, 100_000).unwrap_or_else(|wrong| panic!("{wrong}"));
    (end.expect("it ends"), simulation.warp().memory.clone())
}

fn fault(program: Program, threads: u32) -> (usize, FaultKind) {
    match run(&valid(program), threads).0 {
        Progress::Fault(fault) => (fault.thread, fault.kind),
        other => panic!("{other:?}"),
    }
}

/// `lane_id() == lane`
fn is_lane(m: &mut Maker, lane: usize) -> ExprId {
    let (id, lane) = (m.builtin(Builtin::LaneId), m.constant(lane));
    m.compare(id, CompareOp::Eq, lane)
}

/// Section 4.1: a warp adds 1 in total, n interleaved threads add l with 1 ≤ l ≤ n, for every such l.
#[test]
fn golden_esop12_increment_of_a_shared_variable() {
    let kernel = shared_increment();
    for threads in 1..=4 {
        let setting = Setting::new(&kernel.program, Place::alone(threads)).expect("it has rules for all statements");
        let memory = Memory::initial(&setting, kernel.arguments.clone()).expect("the arguments fit");
        let mut warp = Warp::initial(&setting, memory.clone());
        let end = warp.run(&setting, &Esop12, &mut LaneOrder, 100, &mut Coverage::default());
        assert_eq!((end, &warp.memory.slices[0]), (End::Finished, &vec![1]));
        let found = explore(&ThreadSystem::new(&setting, memory), 100_000);
        assert!(found.always_finishes());
        let sums: BTreeSet<u64> = found.results().map(|ending| ending.memory.slices[0][0]).collect();
        assert_eq!(sums, (1..=u64::from(threads)).collect());
    }
}

/// Lemma 5 says that a thread matches a warp transition by one transition at most. By Table 4 rule (while′ ff) leaves the
/// context `brk` behind, which rule (context) drops.
#[test]
fn a_thread_that_leaves_a_loop_makes_two_transitions() {
    let kernel = program_1();
    let setting = Setting::new(&kernel.program, Place::alone(4)).expect("it has rules for all statements");
    let memory = Memory::initial(&setting, kernel.arguments.clone()).expect("the arguments fit");
    let mut threads = Interleaved::initial(&setting, memory);
    let mut rules = Vec::new();
    while let Some(rule) = threads.step(&setting, 3).expect("no fault") {
        rules.push(rule);
        if rule == ThreadRule::WhileAgainFalse {
            assert!(matches!(threads.stacks[3].last(), Some(ThreadItem::Context(Context::Break(_)))));
        }
    }
    let place = rules.iter().position(|rule| *rule == ThreadRule::WhileAgainFalse).expect("it leaves the loop");
    assert_eq!(rules[place + 1], ThreadRule::Context);
}

#[test]
fn a_barrier_of_several_warps_is_refused_by_name() {
    let barrier = StmtKind::Barrier { op: BarrierOp::Sync, index: None, threads: None, value: None, result: None };
    let program = valid(Maker::new("k").finish(vec![stmt(barrier)]));
    assert!(Setting::new(&program, Place::alone(4)).is_ok());
    let place = Place { block_dim: [8, 1, 1], ..Place::alone(4) };
    let error = Setting::new(&program, place).expect_err("the block has two warps");
    let text = "the literal semantics has no rule for `sync_threads();`: it concerns several warps";
    assert_eq!(error.to_string(), text);
    assert!(Setting::new(&program, Place { grid_dim: [1, 2, 1], ..Place::alone(4) }).is_ok(), "the block has one");
    for width in [0, 65] {
        assert_eq!(Setting::new(&program, Place::alone(width)).err(), Some(SettingError::Width { width }));
    }
}

/// A barrier of the grid has a rule where the grid is one warp, which is more than that the block is.
#[test]
fn a_barrier_of_the_grid_is_one_of_its_only_warp() {
    let barrier = StmtKind::Barrier { op: BarrierOp::Grid, index: None, threads: None, value: None, result: None };
    let program = valid(Maker::new("k").finish(vec![stmt(barrier)]));
    assert!(Setting::new(&program, Place { warp_width: 8, ..Place::alone(4) }).is_ok());
    let text = "the literal semantics has no rule for `sync_grid();`: it concerns several warps";
    for place in [
        Place { grid_dim: [1, 1, 2], ..Place::alone(4) },
        Place { grid_dim: [2, 1, 1], block_idx: [1, 0, 0], ..Place::alone(4) },
        Place { block_dim: [8, 1, 1], ..Place::alone(4) },
    ] {
        let error = Setting::new(&program, place).expect_err("there are two warps");
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn arguments_must_fit_the_parameters() {
    let mut m = Maker::new("k");
    m.slice("a", ScalarType::U8);
    m.scalar("s", ScalarType::Bool);
    let program = valid(m.finish(vec![]));
    let setting = Setting::new(&program, Place::alone(1)).expect("it has rules for all statements");
    let error = |arguments| Memory::initial(&setting, arguments).expect_err("they do not fit");
    assert_eq!(error(vec![vec![]]), MemoryError::Count { expected: 2, found: 1 });
    assert_eq!(error(vec![vec![], vec![0, 1]]), MemoryError::Scalar { param: 1, found: 2 });
    assert_eq!(error(vec![vec![255, 256], vec![1]]), MemoryError::Bits { param: 0, bits: 256 });
    assert_eq!(error(vec![vec![255], vec![2]]), MemoryError::Bits { param: 1, bits: 2 });
    assert!(Memory::initial(&setting, vec![vec![], vec![1]]).is_ok());
}

#[test]
fn a_fault_names_the_lowest_thread_and_changes_nothing() {
    let mut m = Maker::new("k");
    let x = m.slice_mut("x", ScalarType::U32);
    // x[lane_id()] = 7; of four elements.
    let (index, value) = (m.builtin(Builtin::LaneId), m.constant(7u32));
    let program = valid(m.finish(vec![store(x, index, value)]));
    let (end, memory) = run(&program, 8);
    let kind = FaultKind::OutOfBounds { slice: x.into(), index: 4, length: 4 };
    assert_eq!(end, Progress::Fault(simt_semantics::Fault { thread: 4, kind }));
    assert_eq!(memory.slices, [[0; 4]]);
    assert_eq!(run(&program, 3).1.slices, [[7, 7, 7, 0]]);
}

/// `x`, `tell` and what a statement needs, within `if (lane_id() == 2)`.
fn only_lane_2(make: impl FnOnce(&mut Maker) -> Vec<Stmt>) -> Program {
    let m = &mut Maker::new("k");
    m.slice_mut("x", ScalarType::U32);
    let second = is_lane(m, 2);
    let body = make(m);
    std::mem::take(m).finish(vec![if_(second, body, vec![])])
}

#[test]
fn each_kind_of_fault() {
    let panics = only_lane_2(|m| {
        let message: MessageId = m.message(vec![Piece::Text("no".into())]);
        vec![stmt(StmtKind::Panic { message, args: vec![] })]
    });
    assert_eq!(fault(panics, 4), (2, FaultKind::Panic("no".to_string())));
    let unwritten = only_lane_2(|m| {
        let array = m.array("a", ScalarType::U32, ArraySpace::Local, None);
        let index = m.constant(1usize);
        vec![evaluate(m.load(array, index, ScalarType::U32))]
    });
    assert!(matches!(fault(unwritten, 4), (2, FaultKind::Evaluate(_))));
    let endless = only_lane_2(|m| {
        let function = m.function("f", vec![], None);
        m.body(function, vec![call(function, vec![], None)]);
        vec![call(function, vec![], None)]
    });
    assert_eq!(fault(endless, 4), (2, FaultKind::CallDepth));
    let foreign = only_lane_2(|m| {
        let function = m.function("f", vec![], None);
        let array = m.array("a", ScalarType::U32, ArraySpace::Local, Some(function));
        let (index, value) = (m.constant(1usize), m.constant(1u32));
        vec![store(array, index, value)]
    });
    assert!(matches!(fault(foreign, 4), (2, FaultKind::NotActive(_))));
}

fn ballot(m: &mut Maker) -> (Stmt, ExprId) {
    let votes = m.variable("votes", ScalarType::U64);
    let vote = m.constant(true);
    let (op, result) = (CollectiveOp::Ballot, Some(votes));
    let collective = stmt(StmtKind::Collective { op, mask: None, args: vec![vote], result });
    let value = m.get(votes);
    (collective, m.cast(value, ScalarType::U32))
}

/// Lane 1 has left; the others vote.
#[test]
fn a_collective_is_executed_by_all_that_have_not_left() {
    let m = &mut Maker::new("k");
    let x = m.slice_mut("x", ScalarType::U32);
    let first = is_lane(m, 1);
    let (vote, votes) = ballot(m);
    let index = m.builtin(Builtin::LaneId);
    let body = vec![if_(first, vec![return_()], vec![]), vote, store(x, index, votes)];
    let program = valid(std::mem::take(m).finish(body));
    let (end, memory) = run(&program, 4);
    assert_eq!((end, &memory.slices[0]), (Progress::Finished, &vec![0b1101, 0, 0b1101, 0b1101]));
    let setting = Setting::new(&program, Place::alone(4)).expect("it has rules for all statements");
    let start = Interleaved::initial(&setting, Memory::initial(&setting, vec![vec![0; 4]]).expect("it fits"));
    let unused = &mut Coverage::default();
    let mut threads = start.clone();
    assert_eq!(threads.run(&setting, &mut RoundRobin::default(), 1000, unused), End::Finished);
    assert_eq!(threads.memory, memory);
    let mut threads = start.clone();
    assert_eq!(threads.run(&setting, &mut LowestFirst, 1000, unused), End::Finished, "others come when one waits");
    assert_eq!(threads.memory, memory);
    let mut threads = start;
    let schedule = &mut OldestGroup::default();
    assert_eq!(threads.run_groups(&setting, schedule, &mut LaneOrder, 1000, unused), End::Finished);
    assert_eq!(threads.memory, memory);
}

/// Two collectives in two arms: the stack cannot go on, and threads wait for each other.
#[test]
fn what_waits_for_ever_is_told() {
    let m = &mut Maker::new("k");
    m.slice_mut("x", ScalarType::U32);
    let first = is_lane(m, 1);
    let ((one, _), (other, _)) = (ballot(m), ballot(m));
    let program = std::mem::take(m).finish(vec![if_(first, vec![one], vec![other])]);
    assert_eq!(fault(program.clone(), 4), (0, FaultKind::Missing(LaneMask::lane(1))));
    let program = valid(program);
    let setting = Setting::new(&program, Place::alone(4)).expect("it has rules for all statements");
    let start = Interleaved::initial(&setting, Memory::initial(&setting, vec![vec![0; 4]]).expect("it fits"));
    let unused = &mut Coverage::default();
    let all = End::Deadlock(LaneMask::first(4));
    assert_eq!(start.clone().run(&setting, &mut SeededOrder::new(1), 1000, unused), all);
    assert_eq!(start.clone().run_groups(&setting, &mut OldestGroup::default(), &mut LaneOrder, 1000, unused), all);
}

/// The paper's Θ is any subset of threads: those that are not there do nothing.
#[test]
fn a_warp_may_have_less_threads_than_lanes() {
    let mut m = Maker::new("k");
    let x = m.slice_mut("x", ScalarType::U32);
    let (index, value) = (m.builtin(Builtin::LaneId), m.constant(1u32));
    let program = valid(m.finish(vec![store(x, index, value)]));
    let place = Place { warp_width: 4, ..Place::alone(3) };
    let setting = Setting::new(&program, place).expect("it has rules for all statements");
    let memory = Memory::initial(&setting, vec![vec![0; 4]]).expect("the arguments fit");
    let mut simulation = Simulation::new(&setting, &Esop12, memory).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(simulation.run(&mut LaneOrder, 10), Ok(Some(Progress::Finished)));
    assert_eq!(simulation.warp().memory.slices, [[1, 1, 1, 0]]);
    assert_eq!(simulation.warp().active, LaneMask::first(3));
    assert_eq!(simulation.coverage().of(Rule::Assign), 1);
    assert!(simulation.coverage().missing().contains("while′") && simulation.coverage().missing().contains("if tt*"));
}

/// Fuel ends what does not end, and is not short by one.
#[test]
fn fuel_is_the_number_of_transitions() {
    let kernel = program_3();
    let setting = Setting::new(&kernel.program, Place::alone(2)).expect("it has rules for all statements");
    let memory = Memory::initial(&setting, kernel.arguments.clone()).expect("the arguments fit");
    let mut spins = Warp::initial(&setting, memory.clone());
    let run = |warp: &mut Warp, setting: &Setting<'_>, fuel| {
        warp.run(setting, &Esop12, &mut LaneOrder, fuel, &mut Coverage::default())
    };
    assert_eq!(run(&mut spins, &setting, 1000), End::OutOfFuel);
    let mut m = Maker::new("k");
    let x = m.variable("x", ScalarType::U32);
    let (value, never) = (m.constant(1u32), m.constant(false));
    let program = valid(m.finish(vec![assign(x, value), while_(never, vec![], vec![])]));
    let setting = Setting::new(&program, Place::alone(2)).expect("it has rules for all statements");
    let start = Warp::initial(&setting, Memory::initial(&setting, vec![]).expect("it fits"));
    // assign, while, inact, token, token
    assert_eq!(run(&mut start.clone(), &setting, 5), End::Finished);
    assert_eq!(run(&mut start.clone(), &setting, 4), End::OutOfFuel);
    let mut end = start;
    assert_eq!(run(&mut end, &setting, 9), End::Finished);
    assert_eq!(Esop12.step(&setting, &mut end, &mut LaneOrder), Ok(None));
}
