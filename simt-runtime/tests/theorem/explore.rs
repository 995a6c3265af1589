//! Exploration of random tiny programs: as a search without any cunning finds it, and the same with partial-order reduction
//! and without.

use super::cases::{Case, cases, many_cases};
use simt_core::LaneMask;
use simt_semantics::{
    End, Esop12, Exploration, FaultKind, GroupSystem, Interleaved, Memory, Place, Setting, System, Termination,
    ThreadSystem, WarpSystem, explore, explore_all, replay,
};
use std::collections::BTreeSet;

/// More configurations than a program is followed through; the few that have more are left out.
const CONFIGURATIONS: usize = 4_000;

/// How runs can end: the final memories, the threads that wait for ever, and the faults, as text.
#[derive(Debug, Default, PartialEq, Eq)]
struct Endings {
    results: BTreeSet<Memory>,
    deadlocks: BTreeSet<LaneMask>,
    faults: BTreeSet<String>,
}

/// All interleavings, and at a collective all sets of threads.
fn naive(setting: &Setting<'_>, memory: Memory) -> Option<Endings> {
    let start = Interleaved::initial(setting, memory);
    let (mut seen, mut pending) = (BTreeSet::from([start.clone()]), vec![start]);
    let mut endings = Endings::default();
    while let Some(before) = pending.pop() {
        let live = before.live();
        if live.is_empty() {
            endings.results.insert(before.memory.clone());
            continue;
        }
        let mut moved = false;
        let mut reach = |after: Interleaved| {
            moved = true;
            if seen.insert(after.clone()) {
                pending.push(after);
            }
        };
        for thread in live.lanes() {
            let mut after = before.clone();
            match after.step(setting, thread) {
                Ok(Some(_)) => reach(after),
                Ok(None) => {}
                Err(fault) => {
                    endings.faults.insert(fault.to_string());
                    reach(before.clone());
                }
            }
        }
        for together in (1..1 << setting.place().warp_width).map(LaneMask) {
            let mut after = before.clone();
            match after.step_together(setting, together) {
                Ok(_) => reach(after),
                // They are not there, or others have not come.
                Err(fault) if matches!(fault.kind, FaultKind::Stuck | FaultKind::Missing(_)) => {}
                Err(fault) => {
                    endings.faults.insert(fault.to_string());
                    reach(before.clone());
                }
            }
        }
        if !moved {
            endings.deadlocks.insert(live);
        }
        if seen.len() > CONFIGURATIONS {
            return None;
        }
    }
    Some(endings)
}

fn endings(found: &Exploration) -> Endings {
    let mut endings = Endings::default();
    for ending in found.endings() {
        match &ending.end {
            End::Finished => drop(endings.results.insert(ending.memory.clone())),
            End::Deadlock(live) => drop(endings.deadlocks.insert(*live)),
            End::Fault(fault) => drop(endings.faults.insert(fault.to_string())),
            End::OutOfFuel => panic!("an ending ends"),
        }
    }
    assert_eq!(
        endings.results.len() + endings.deadlocks.len() + endings.faults.len(),
        found.endings().len(),
        "each is there once"
    );
    endings
}

/// Every schedule leads where it is said to lead.
fn replays(system: &impl System, found: &Exploration, what: &str) {
    for ending in found.endings() {
        assert_eq!(replay(system, &ending.witness).as_ref(), Ok(ending), "{what}");
    }
}

#[test]
fn reduction_loses_nothing_and_the_search_is_right() {
    let (mut checked, mut faults, mut some, mut all) = (0, 0, 0, 0);
    for seed in 0..cases() / 50 {
        let case = Case::tiny(seed);
        let threads = case.place.block_dim[0];
        let setting = Setting::new(&case.program, Place::alone(threads)).expect("it has rules for all statements");
        let memory = Memory::initial(&setting, case.arguments.clone()).expect("the arguments fit");
        let Some(expected) = naive(&setting, memory.clone()) else { continue };
        let what = format!("seed {seed}:\n{}", *case.program);
        let system = ThreadSystem::new(&setting, memory.clone());
        let (reduced, full) = (explore(&system, CONFIGURATIONS), explore_all(&system, CONFIGURATIONS));
        assert!(reduced.is_complete() && full.is_complete(), "{what}");
        assert_eq!(endings(&full), expected, "{what}");
        assert_eq!(endings(&reduced), expected, "{what}");
        let ends = |found: &Exploration| *found.termination() == Termination::Always;
        assert_eq!(ends(&reduced), ends(&full), "{what}");
        replays(&system, &reduced, &what);
        replays(&system, &full, &what);
        checked += 1;
        faults += u64::from(!expected.faults.is_empty());
        some += reduced.configurations();
        all += full.configurations();
        // Whatever a warp does, with a stack or without, threads can do.
        let groups = GroupSystem::new(&setting, memory.clone());
        let found = explore(&groups, CONFIGURATIONS);
        assert!(endings(&found).results.is_subset(&expected.results), "{what}");
        replays(&groups, &found, &what);
        let warps = WarpSystem::new(&setting, &Esop12, memory);
        let found = explore(&warps, CONFIGURATIONS);
        assert!(endings(&found).results.is_subset(&expected.results), "{what}");
        replays(&warps, &found, &what);
    }
    eprintln!("{checked} programs, {faults} fault; {some} of {all} configurations");
    assert!(checked > cases() / 100 && faults > 0 || !many_cases(), "{checked} programs, {faults} fault");
    assert!(4 * some < all, "{some} of {all}");
}
