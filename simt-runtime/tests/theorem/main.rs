//! Theorem 1 of ESOP'12 on random programs with races, and on semantics with a planted bug.
//!
//! `SIMT_CASES` sets how many programs there are; the literal semantics is compared with the reference and the machine on a
//! part of them.

mod cases;
mod control;
mod explore;
mod litmus;
mod machine;
mod mutants;

use cases::{Case, cases, many_cases};
use simt_core::program::{Block, StmtKind};
use simt_semantics::{
    Coverage, End, Esop12, FaultKind, Grouping, Interleaved, LaneOrder, LowestFirst, LowestPlace, Memory, OldestGroup,
    Progress, RoundRobin, Schedule, SeededOrder, Simulation, Violation, Warp, WarpRules,
};
use simt_testing::{Construct, Faults, reference_in_warps};
use std::collections::{BTreeSet, HashSet};
use std::mem::discriminant;

/// More transitions than any of the programs needs.
const FUEL: u64 = 1_000_000;

#[test]
fn theorem_1_holds_of_random_programs() {
    theorem_1_holds_of((0..cases()).map(|seed| (seed, Case::mixed(seed))));
}

/// Those that random programs have only where they are asked for.
#[test]
fn theorem_1_holds_of_programs_with_constructs() {
    theorem_1_holds_of((0..cases() / 5).map(|seed| (seed, Case::racy(seed, &Construct::drawn(seed)))));
}

fn theorem_1_holds_of(cases: impl Iterator<Item = (u64, Case)>) {
    let mut coverage = Coverage::default();
    let (mut finished, mut faults) = (0u64, 0u64);
    for (seed, case) in cases {
        let setting = case.setting();
        let memory = Memory::initial(&setting, case.arguments.clone()).expect("the arguments fit");
        let complain = |what: String| -> ! { panic!("seed {seed}: {what}\n{}", *case.program) };
        let mut simulation = match Simulation::new(&setting, &Esop12, memory) {
            Ok(simulation) => simulation,
            Err(wrong) => complain(wrong.to_string()),
        };
        match simulation.run(&mut SeededOrder::new(seed), FUEL) {
            Ok(Some(Progress::Finished)) => finished += 1,
            Ok(Some(Progress::Fault(fault))) if fault.kind != FaultKind::Stuck => faults += 1,
            Ok(other) => complain(format!("{other:?}")),
            Err(wrong) => complain(wrong.to_string()),
        }
        coverage.add(simulation.coverage());
    }
    eprintln!("{finished} finished, {faults} faulted\n{coverage}");
    if !many_cases() {
        return;
    }
    assert!(coverage.missing().is_empty(), "no rule is left out: {:?}", coverage.missing());
    assert!(finished > 10 * faults.min(1) && faults > 0, "{finished} finished, {faults} faulted");
}

/// Every statement has a rule, and the random programs hold them all.
#[test]
fn the_programs_have_every_statement() {
    let (mut kinds, mut barriers) = (HashSet::new(), BTreeSet::new());
    for seed in 0..200 {
        let case = Case::mixed(seed);
        let mut pending: Vec<&Block> = case.program.bodies().map(|(_, body)| body).collect();
        while let Some(block) = pending.pop() {
            for stmt in block {
                pending.extend(stmt.kind.blocks());
                kinds.insert(discriminant(&stmt.kind));
                if let StmtKind::Barrier { op, .. } = stmt.kind {
                    barriers.insert(op.name());
                }
            }
        }
    }
    assert_eq!(kinds.len(), 16, "as many as `StmtKind` has");
    assert_eq!(barriers, BTreeSet::from(["and", "count", "grid", "or", "sync"]), "all that wait for all threads");
}

/// The seed and the text of the first violation, if there is one among so many programs.
fn violation(rules: &dyn WarpRules, programs: u64) -> Option<(u64, Violation)> {
    (0..programs).find_map(|seed| {
        let case = Case::mixed(seed);
        let setting = case.setting();
        let memory = Memory::initial(&setting, case.arguments.clone()).expect("the arguments fit");
        let mut simulation = Simulation::new(&setting, rules, memory).expect("the initial configuration is right");
        // A mutant may run for ever: the first transitions are enough.
        simulation.run(&mut SeededOrder::new(seed), 5_000).err().map(|violation| (seed, violation))
    })
}

#[test]
fn every_planted_bug_is_found() {
    let bugs = mutants::bugs();
    assert!(bugs.len() >= 40, "{}", bugs.len());
    for (what, rules) in bugs {
        let Some((seed, found)) = violation(&*rules, 2_000) else { panic!("not found: {what}") };
        eprintln!("{what}: program {seed}: {found}\n");
    }
}

#[test]
fn what_is_not_a_bug_is_not_found() {
    for (what, rules) in mutants::right() {
        if let Some((seed, found)) = violation(&*rules, 500) {
            panic!("{what}: program {seed}: {found}");
        }
    }
}

/// Without races all semantics agree with the reference: by stack, interleaved, and without a stack.
#[test]
fn without_races_every_semantics_gives_the_reference_results() {
    for (seed, constructs) in (0..cases() / 10).flat_map(|seed| [(seed, Vec::new()), (seed, Construct::drawn(seed))]) {
        let case = Case::race_free(seed, Faults::Never, &constructs);
        let setting = case.setting();
        let memory = Memory::initial(&setting, case.arguments.clone()).expect("the arguments fit");
        let expected = reference_in_warps(&case.program, case.grid, &case.arrays, case.place.warp_width as usize);
        let expected = expected.unwrap_or_else(|fault| panic!("{seed}: {fault:?}"));
        let mut unused = Coverage::default();
        let mut warp = Warp::initial(&setting, memory.clone());
        let ends = warp.run(&setting, &Esop12, &mut LaneOrder, FUEL, &mut unused);
        let start = Interleaved::initial(&setting, memory);
        let mut results = vec![("warp", ends, warp.memory)];
        for (name, schedule) in [
            ("round robin", &mut RoundRobin::default() as &mut dyn Schedule),
            ("random", &mut SeededOrder::new(seed)),
            ("lowest first", &mut LowestFirst),
        ] {
            let mut threads = start.clone();
            let ends = threads.run(&setting, schedule, FUEL, &mut unused);
            results.push((name, ends, threads.memory));
        }
        for (name, schedule) in
            [("oldest group", &mut OldestGroup::default() as &mut dyn Grouping), ("lowest place", &mut LowestPlace)]
        {
            let mut threads = start.clone();
            let ends = threads.run_groups(&setting, schedule, &mut SeededOrder::new(seed), FUEL, &mut unused);
            results.push((name, ends, threads.memory));
        }
        for (name, ends, memory) in results {
            assert_eq!(ends, End::Finished, "{name}, seed {seed}\n{}", *case.program);
            // Tables stand behind them.
            assert_eq!(
                memory.slices[..expected.memory.len()],
                expected.memory,
                "{name}, seed {seed}\n{}",
                *case.program
            );
            let lines: Vec<String> = memory.threads.into_iter().flat_map(|thread| thread.lines).collect();
            assert_eq!(lines, expected.prints, "{name}, seed {seed}\n{}", *case.program);
        }
    }
}
