//! Threads that wait for each other at collectives.

use super::esop12::Kernel;
use super::programs::{Maker, if_, return_, stmt, store, while_};
use super::{checked, is_lane, valid, with};
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{BarrierOp, Builtin, CollectiveOp, ParamId, Stmt, StmtKind};
use simt_core::{LaneMask, ScalarType};
use simt_semantics::{
    End, Esop12, Exploration, FaultKind, GroupSystem, Move, Termination, ThreadSystem, WarpSystem, explore,
};
use std::collections::BTreeSet;

fn ballot(m: &mut Maker, op: CollectiveOp, mask: Option<u64>) -> Stmt {
    let votes = m.variable("votes", ScalarType::U64);
    let mask = mask.map(|mask| m.constant(mask));
    let args = if op == CollectiveOp::ActiveMask { vec![] } else { vec![m.constant(true)] };
    stmt(StmtKind::Collective { op, mask, args, result: Some(votes) })
}

/// A thread that waits at a collective owes fairness nothing: the others spin for ever, and it cannot go on.
#[test]
fn what_waits_cannot_go_on() {
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

/// Two collectives in two arms: all wait, and the schedule shows it. A thread that has left is not waited for.
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

fn barrier(op: BarrierOp) -> Stmt {
    stmt(StmtKind::Barrier { op, index: None, threads: None, value: None, result: None })
}

/// Each thread writes its element and reads the next one: behind a barrier of the grid it reads what was written.
#[test]
fn behind_a_barrier_of_the_grid_all_has_been_written() {
    let passed = |between: Vec<Stmt>| {
        let m = &mut Maker::new("k");
        let (x, y) = (m.slice_mut("x", ScalarType::U32), m.slice_mut("y", ScalarType::U32));
        let (at, own) = (m.builtin(Builtin::LaneId), m.builtin(Builtin::LaneId));
        let (one, three) = (m.constant(1usize), m.constant(3usize));
        let (next, value) = (m.binary(own, BinaryOp::Add, one), m.constant(5u32));
        let next = m.binary(next, BinaryOp::Rem, three);
        let (to, read) = (m.builtin(Builtin::LaneId), m.load(x, next, ScalarType::U32));
        let body = [vec![store(x, at, value)], between, vec![store(y, to, read)]].concat();
        let kernel = valid(std::mem::take(m).finish(body), vec![vec![0; 3], vec![0; 3]]);
        with(&kernel, 3, |setting, memory| {
            let systems = [
                checked(&ThreadSystem::new(setting, memory.clone())),
                checked(&GroupSystem::new(setting, memory.clone())),
                checked(&WarpSystem::new(setting, &Esop12, memory)),
            ];
            systems.map(|found| {
                assert!(found.always_finishes());
                found.results().map(|ending| ending.memory.slices[1].clone()).collect::<BTreeSet<_>>()
            })
        })
    };
    let all = BTreeSet::from([vec![5, 5, 5]]);
    assert_eq!(passed(vec![barrier(BarrierOp::Grid)]), [all.clone(), all.clone(), all]);
    assert!(passed(vec![])[0].len() > 1, "without it some read what was there before");
}

/// One arm waits for the block and the other for the grid: neither is the other's barrier.
#[test]
fn barriers_of_block_and_grid_do_not_meet() {
    let m = &mut Maker::new("k");
    let second = is_lane(m, 1);
    let arms = if_(second, vec![barrier(BarrierOp::Sync)], vec![barrier(BarrierOp::Grid)]);
    let kernel = valid(std::mem::take(m).finish(vec![arms]), vec![]);
    with(&kernel, 2, |setting, memory| {
        let found = checked(&ThreadSystem::new(setting, memory.clone()));
        let [deadlock] = found.endings() else { panic!("{:?}", found.endings()) };
        assert_eq!(deadlock.end, End::Deadlock(LaneMask::first(2)));
        let found = checked(&WarpSystem::new(setting, &Esop12, memory));
        let End::Fault(fault) = &found.endings()[0].end else { panic!("{:?}", found.endings()) };
        assert_eq!(fault.kind, FaultKind::Missing(LaneMask::lane(1)));
    });
}

/// The active mask counts the threads that are there at one time, whichever they are.
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

/// Each names itself and its right neighbour, which has not come yet: none goes on before all have come.
#[test]
fn what_names_others_goes_with_them() {
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

/// `ballot(masks[lane_id()], true)`, where `masks` is the first parameter.
fn ballot_by_masks(m: &mut Maker, masks: ParamId) -> Stmt {
    let lane = m.builtin(Builtin::LaneId);
    let mask = m.load(masks, lane, ScalarType::U64);
    let mut vote = ballot(m, CollectiveOp::Ballot, None);
    if let StmtKind::Collective { mask: named, .. } = &mut vote.kind {
        *named = Some(mask);
    }
    vote
}

/// Lane 0 names lane 1, which names only itself and comes again and again, until lane 0 has gone on. Whenever both are there
/// lane 0 could, but not all the time: weak fairness does not help it.
#[test]
fn what_can_go_on_at_times_only_is_owed_nothing() {
    let m = &mut Maker::new("k");
    let (masks, x) = (m.slice("masks", ScalarType::U64), m.slice_mut("x", ScalarType::U32));
    let (at, none) = (m.constant(0usize), m.constant(0u32));
    let flag = m.load(x, at, ScalarType::U32);
    let waiting = m.compare(flag, CompareOp::Eq, none);
    let (vote, first) = (ballot_by_masks(m, masks), is_lane(m, 0));
    let (at, one) = (m.constant(0usize), m.constant(1u32));
    let body = vec![vote, if_(first, vec![store(x, at, one)], vec![])];
    let kernel = valid(std::mem::take(m).finish(vec![while_(waiting, body, vec![])]), vec![vec![0b11, 0b10], vec![0]]);
    with(&kernel, 2, |setting, memory| {
        let found = checked(&ThreadSystem::new(setting, memory));
        let Termination::NotUnder(lasso) = found.termination() else { panic!("lane 1 goes round") };
        assert!(lasso.cycle.moves.iter().all(|by| *by == Move::thread(1)), "{}", lasso.cycle);
        assert_eq!(found.results().count(), 1, "and other runs end");
    });
    // If lane 1 names lane 0, too, both go on together.
    with(&Kernel { arguments: vec![vec![0b11, 0b11], vec![0]], ..kernel }, 2, |setting, memory| {
        assert_eq!(checked(&ThreadSystem::new(setting, memory)).termination(), &Termination::Always);
    });
}

/// Lanes 0 and 1 both name lane 2, which names itself: if all go together all come to the next collective, and else one of
/// them waits for ever.
#[test]
fn sets_that_overlap_go_together_or_not_at_all() {
    let m = &mut Maker::new("k");
    let masks = m.slice("masks", ScalarType::U64);
    let body = vec![ballot_by_masks(m, masks), ballot(m, CollectiveOp::Ballot, None)];
    let kernel = valid(std::mem::take(m).finish(body), vec![vec![0b101, 0b110, 0b100]]);
    with(&kernel, 3, |setting, memory| {
        let found = checked(&ThreadSystem::new(setting, memory));
        let [all] = found.results().collect::<Vec<_>>()[..] else { panic!("{:?}", found.endings()) };
        assert!(all.witness.moves.contains(&Move::together(LaneMask::first(3))), "{}", all.witness);
        let deadlocks: Vec<&End> = found.failures().map(|ending| &ending.end).collect();
        assert_eq!(deadlocks, [&End::Deadlock(LaneMask::first(3))]);
    });
}
