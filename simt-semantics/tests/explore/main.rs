//! Exploration of all runs: what it finds in the programs of ESOP'12, in litmus tests, in programs that go wrong, and in
//! random ones.

#[path = "../esop12/mod.rs"]
mod esop12;
#[path = "../../../simt-core/tests/programs/mod.rs"]
mod programs;

mod orders;
mod paper;
mod random;
mod schedules;
mod waiting;

use esop12::Kernel;
use programs::Maker;
use simt_core::LaneMask;
use simt_core::ops::CompareOp;
use simt_core::program::{Builtin, ExprId, Program};
use simt_semantics::{
    End, Ending, Exploration, Lasso, Memory, Move, Place, Setting, System, Termination, explore, explore_all, replay,
};
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
    let [reduced, _] = checked_within(system, BOUND).expect("the bound is high enough");
    reduced
}

/// As `checked`, with the reduced exploration first; none if the bound is too low.
fn checked_within(system: &impl System, bound: usize) -> Option<[Exploration; 2]> {
    let both = [explore(system, bound), explore_all(system, bound)];
    if both.iter().any(|found| !found.is_complete()) {
        return None;
    }
    let [reduced, all] = &both;
    assert!(reduced.configurations() <= all.configurations());
    assert_eq!(kinds(reduced), kinds(all));
    for found in &both {
        for ending in found.endings() {
            let text = ending.witness.to_string();
            let again = replay(system, &text.parse().expect("it is read as it is printed"));
            assert_eq!(again.as_ref(), Ok(ending), "{text}");
        }
        if let Termination::NotUnder(lasso) = found.termination() {
            assert_fair(system, lasso);
        }
    }
    Some(both)
}

/// What is the same with and without reduction.
fn kinds(found: &Exploration) -> (BTreeSet<String>, bool) {
    (found.endings().iter().map(kind).collect(), *found.termination() == Termination::Always)
}

fn kind(ending: &Ending) -> String {
    if ending.end == End::Finished { format!("{:?}", ending.memory) } else { format!("{:?}", ending.end) }
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
        owed &= able - taken.agents;
        config = step(system, &config, by);
    }
    assert!(config == start, "the cycle is closed");
    assert!(owed.is_empty(), "{owed} could go on all the time, and did not");
}

fn sums(found: &Exploration) -> BTreeSet<u64> {
    found.results().map(|ending| ending.memory.slices[0][0]).collect()
}

/// `lane_id() == lane`
fn is_lane(m: &mut Maker, lane: usize) -> ExprId {
    let (id, lane) = (m.builtin(Builtin::LaneId), m.constant(lane));
    m.compare(id, CompareOp::Eq, lane)
}
