//! Orders of conflicting writes, of a warp and without a stack; and what two threads can see of each other.

use super::esop12::Kernel;
use super::programs::{Maker, stmt, store};
use super::{checked, sums, valid, with};
use simt_core::ScalarType;
use simt_core::ops::AtomicOp;
use simt_core::program::{AtomicOrder, Builtin, ExprId, Stmt, StmtKind};
use simt_semantics::{
    Coverage, End, Esop12, Exploration, GroupSystem, LaneOrder, Replay, Termination, ThreadSystem, Warp, WarpSystem,
    explore, random_run,
};
use std::collections::BTreeSet;

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
