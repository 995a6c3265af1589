//! Which of ESOP'12's Programs 2 to 4 terminate under which semantics (sections 5.1 and 5.2).

mod esop12;
#[path = "../../simt-core/tests/programs/mod.rs"]
mod programs;

use esop12::{Kernel, endless, program_2, program_2_swapped, program_3, program_4};
use simt_core::program::ExprId;
use simt_semantics::{
    Coverage, End, Esop12, Fault, GroupSystem, Grouping, Interleaved, LaneOrder, LowestPlace, Memory, OldestGroup,
    Place, Setting, StmtId, System, Termination, ThreadSystem, TokenKind, Warp, WarpRules, WarpSystem, explore,
    explore_all,
};
use std::collections::BTreeSet;

/// What becomes of the runs of a program.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    Terminates,
    /// One comes back to a configuration that it has been in before, and so can go on for ever.
    Never,
}

fn with_setting<T>(kernel: &Kernel, threads: u32, run: impl FnOnce(&Setting<'_>, Memory) -> T) -> T {
    let setting = Setting::new(&kernel.program, Place::alone(threads)).expect("it has rules for all statements");
    let memory = Memory::initial(&setting, kernel.arguments.clone()).expect("the arguments fit");
    run(&setting, memory)
}

/// Whether every weakly fair run terminates.
fn every_fair_run(system: &impl System) -> Fate {
    let [reduced, all] = [explore(system, 100_000), explore_all(system, 100_000)].map(|found| {
        assert!(found.is_complete(), "all reachable configurations are seen");
        assert_eq!(found.failures().next(), None);
        match found.termination() {
            Termination::Always => Fate::Terminates,
            Termination::NotUnder(_) => Fate::Never,
            Termination::Unknown => panic!("it is known"),
        }
    });
    assert_eq!(reduced, all);
    all
}

/// A warp, by some rules, whatever the order of conflicting writes.
fn warp(rules: &dyn WarpRules, kernel: &Kernel, threads: u32) -> Fate {
    with_setting(kernel, threads, |setting, memory| every_fair_run(&WarpSystem::new(setting, rules, memory)))
}

/// Interleaved threads, so few that all reachable configurations can be seen.
fn every_fair_interleaving(kernel: &Kernel, threads: u32) -> Fate {
    with_setting(kernel, threads, |setting, memory| every_fair_run(&ThreadSystem::new(setting, memory)))
}

/// Without a stack, under any schedule that is fair.
fn every_fair_grouping(kernel: &Kernel, threads: u32) -> Fate {
    with_setting(kernel, threads, |setting, memory| every_fair_run(&GroupSystem::new(setting, memory)))
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
    assert_eq!(warp(&Esop12, &program_2(), 1), Fate::Terminates, "no thread waits for thread 0");
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
    assert_eq!(warp(&Esop12, &program_4(33), 32), Fate::Never, "there is no thread 32");
}

/// Section 5.2: a stack-less warp is as fair as its *schedule*, and the lowest program counter is not fair.
#[test]
fn golden_esop12_g3_without_a_stack() {
    for threads in 2..=3 {
        for kernel in [program_2(), program_2_swapped(), program_3(), program_4(threads)] {
            assert_eq!(every_fair_grouping(&kernel, threads), Fate::Terminates, "{}", *kernel.program);
        }
    }
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
    assert_eq!(every_fair_interleaving(&program_4(3), 2), Fate::Never, "there is no thread 2");
    assert_eq!(every_fair_grouping(&program_4(3), 2), Fate::Never);
    assert!(!oldest_group(&endless(), 2));
}
