//! Which of ESOP'12's Programs 2 to 4 terminate under which semantics (sections 5.1 and 5.2).

mod esop12;
mod programs;

use esop12::{Kernel, endless, program_2, program_2_swapped, program_3, program_4};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use simt_core::LaneMask;
use simt_core::program::ExprId;
use simt_core::semantics::{
    Coverage, End, Esop12, Fault, Grouping, Interleaved, LaneOrder, LowestPlace, Memory, OldestGroup, Place, Setting,
    StmtId, TokenKind, Warp, WarpRules,
};
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of a deterministic run.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    Terminates,
    /// It comes to a configuration that it has been in before, and so goes on for ever.
    Never,
}

fn with_setting<T>(kernel: &Kernel, threads: u32, run: impl FnOnce(&Setting<'_>, Memory) -> T) -> T {
    let setting = Setting::new(&kernel.program, Place::alone(threads)).expect("it has rules for all statements");
    let memory = Memory::initial(&setting, kernel.arguments.clone()).expect("the arguments fit");
    run(&setting, memory)
}

/// A warp, by some rules. Conflicting writes are ordered always in the same way, so that it is deterministic.
fn warp(rules: &dyn WarpRules, kernel: &Kernel, threads: u32) -> Fate {
    with_setting(kernel, threads, |setting, memory| {
        let mut warp = Warp::initial(setting, memory);
        let mut seen = BTreeSet::new();
        while seen.insert(warp.clone()) {
            if rules.step(setting, &mut warp, &mut LaneOrder).expect("no fault").is_none() {
                return Fate::Terminates;
            }
        }
        Fate::Never
    })
}

/// Whether every weakly fair interleaving terminates, for so few threads that all reachable configurations can be seen.
///
/// Every thread that has not ended can make a transition. So an infinite run, which comes back for ever to configurations
/// of one strongly connected component, is weakly fair if each thread that has not ended there makes transitions within
/// it; and if there are such transitions, there is such a run.
fn every_fair_interleaving(kernel: &Kernel, threads: u32) -> Fate {
    with_setting(kernel, threads, |setting, memory| {
        let mut graph: DiGraph<LaneMask, usize> = DiGraph::new();
        let start = Interleaved::initial(setting, memory);
        let mut known = BTreeMap::from([(start.clone(), graph.add_node(start.live()))]);
        let mut pending = vec![start];
        while let Some(before) = pending.pop() {
            for thread in before.live().lanes() {
                let mut after = before.clone();
                after.step(setting, thread).expect("no fault").expect("it has not ended");
                let to = *known.entry(after.clone()).or_insert_with(|| {
                    pending.push(after.clone());
                    graph.add_node(after.live())
                });
                graph.add_edge(known[&before], to, thread);
            }
        }
        let fair = |component: &Vec<NodeIndex>| {
            let inside: BTreeSet<_> = component.iter().collect();
            let edges = component.iter().flat_map(|&node| graph.edges(node));
            let moving = edges.filter(|edge| inside.contains(&petgraph::visit::EdgeRef::target(edge)));
            let moving = moving.fold(LaneMask::EMPTY, |all, edge| all | LaneMask::lane(*edge.weight()));
            let live = graph[component[0]];
            !live.is_empty() && live.is_subset(moving)
        };
        if tarjan_scc(&graph).iter().any(fair) { Fate::Never } else { Fate::Terminates }
    })
}

/// Without a stack, by the lowest program counter, which has no state, so that a run is deterministic.
fn lowest_place(kernel: &Kernel, threads: u32) -> Fate {
    with_setting(kernel, threads, |setting, memory| {
        let mut config = Interleaved::initial(setting, memory);
        let mut seen = BTreeSet::new();
        while seen.insert(config.clone()) {
            let group = LowestPlace.schedule(&config.stacks, config.live());
            if config.step_group(setting, group, &mut LaneOrder).expect("no fault").is_none() {
                return Fate::Terminates;
            }
        }
        Fate::Never
    })
}

/// Without a stack, by the group that has waited longest; whether it terminates within so many transitions.
fn oldest_group(kernel: &Kernel, threads: u32) -> bool {
    with_setting(kernel, threads, |setting, memory| {
        let mut config = Interleaved::initial(setting, memory);
        let schedule = &mut OldestGroup::default();
        config.run_groups(setting, schedule, &mut LaneOrder, 10_000, &mut Coverage::default()) == End::Finished
    })
}

/// "If the hardware were to execute the if-path first".
struct ThenFirst;

impl WarpRules for ThenFirst {
    fn rule_if(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Result<(), Fault> {
        let act = self.act(setting, warp, cond)?;
        let [then, otherwise] = setting.inner(id);
        warp.push_token(TokenKind::Sync, warp.active);
        warp.push_list(otherwise);
        warp.push_token(TokenKind::Div, warp.active - act);
        warp.push_list(then);
        warp.active = act;
        Ok(())
    }
}

#[test]
fn golden_esop12_g3_p2() {
    for threads in 2..=4 {
        assert_eq!(every_fair_interleaving(&program_2(), threads), Fate::Terminates);
        assert_eq!(every_fair_interleaving(&program_2_swapped(), threads), Fate::Terminates);
    }
    for threads in [2, 4, 32] {
        assert_eq!(warp(&Esop12, &program_2(), threads), Fate::Never);
        assert_eq!(warp(&Esop12, &program_2_swapped(), threads), Fate::Terminates);
        assert_eq!(warp(&ThenFirst, &program_2(), threads), Fate::Terminates);
        assert_eq!(warp(&ThenFirst, &program_2_swapped(), threads), Fate::Never);
    }
    assert_eq!(warp(&Esop12, &program_2(), 1), Fate::Terminates, "nobody waits for thread 0");
}

#[test]
fn golden_esop12_g3_p3() {
    for threads in 2..=3 {
        assert_eq!(every_fair_interleaving(&program_3(), threads), Fate::Terminates);
    }
    for threads in [2, 4, 32] {
        // In whatever order the arms run.
        assert_eq!(warp(&Esop12, &program_3(), threads), Fate::Never);
        assert_eq!(warp(&ThenFirst, &program_3(), threads), Fate::Never);
    }
}

#[test]
fn golden_esop12_g3_p4() {
    for threads in 2..=3 {
        assert_eq!(every_fair_interleaving(&program_4(threads), threads), Fate::Terminates);
    }
    for threads in [2, 4, 32] {
        assert_eq!(warp(&Esop12, &program_4(threads), threads), Fate::Terminates);
    }
    assert_eq!(warp(&Esop12, &program_4(33), 32), Fate::Never, "nobody is thread 32");
}

/// Section 5.2: a stack-less warp is as fair as its *schedule*, and the lowest program counter is not fair.
#[test]
fn golden_esop12_g3_without_a_stack() {
    for threads in [2, 4, 32] {
        for kernel in [program_2(), program_2_swapped(), program_3(), program_4(threads)] {
            assert!(oldest_group(&kernel, threads), "{}", *kernel.program);
        }
        assert_eq!(lowest_place(&program_3(), threads), Fate::Never);
        assert_eq!(lowest_place(&program_2_swapped(), threads), Fate::Never);
        assert_eq!(lowest_place(&program_2(), threads), Fate::Terminates);
    }
}

#[test]
fn what_ends_under_no_schedule_is_told_apart() {
    assert_eq!(every_fair_interleaving(&endless(), 2), Fate::Never);
    assert_eq!(every_fair_interleaving(&program_4(3), 2), Fate::Never, "nobody is thread 2");
    assert!(!oldest_group(&endless(), 2));
}
