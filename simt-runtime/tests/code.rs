//! Properties of the flat form, on random programs: markers change nothing else, and threads that part meet at the nearest
//! instruction that all their paths pass.

use simt_core::code::{Code, Inst, Marker, Markers, Pc};
use simt_core::program::{Program, Validated};
use simt_runtime::testing::{Faults, random_program};
use std::collections::VecDeque;

const PROGRAMS: u64 = 300;

fn programs() -> impl Iterator<Item = (u64, Validated<Program>)> {
    (0..PROGRAMS).map(|seed| {
        let validated = random_program(seed, Faults::Sometimes).validate();
        (seed, validated.unwrap_or_else(|error| panic!("seed {seed}: {error}")))
    })
}

/// The code without its markers, addresses numbered anew: a target that was a marker becomes the instruction behind it.
fn without_markers(code: &Code) -> Vec<Inst> {
    let mut number = 0;
    let numbers: Vec<u32> = code
        .insts
        .iter()
        .map(|inst| {
            let here = number;
            number += u32::from(!inst.is_marker());
            here
        })
        .collect();
    let program = code.insts.iter().filter(|inst| !inst.is_marker());
    program
        .map(|&inst| {
            let mut inst = inst;
            if let Some(target) = inst.target_mut() {
                *target = Pc(numbers[target.index()]);
            }
            inst
        })
        .collect()
}

#[test]
fn markers_change_nothing_else() {
    let mut with_tokens = 0;
    for (seed, program) in programs() {
        let [none, post_dominators, tokens] = Markers::ALL else { panic!("a family is missing here") };
        let [none, post_dominators, tokens] = [none, post_dominators, tokens].map(|&markers| program.code(markers));
        assert!(!none.insts.iter().any(Inst::is_marker) && none.reconvergence.iter().all(Option::is_none));
        assert_eq!(none.insts, post_dominators.insts, "seed {seed}");
        assert!(tokens.reconvergence.iter().all(Option::is_none));

        with_tokens += usize::from(tokens.insts.iter().any(Inst::is_marker));
        let mut stripped = without_markers(&tokens);
        // A token may name the end of the code where no thread comes; then there must be something to name.
        if stripped.len() == none.insts.len() + 1 {
            assert_eq!(stripped.pop(), Some(Inst::Exit));
        }
        assert_eq!(stripped, none.insts, "seed {seed}\n{none}\n{tokens}");
        assert_eq!(tokens.registers, none.registers, "seed {seed}");
    }
    assert!(with_tokens > PROGRAMS as usize / 2, "most random programs branch");
}

#[test]
fn every_instruction_has_its_place_and_every_target_is_in_the_code() {
    for (seed, program) in programs() {
        for &markers in Markers::ALL {
            let code = program.code(markers);
            assert_eq!((code.spans.len(), code.reconvergence.len()), (code.insts.len(), code.insts.len()));
            assert!(
                matches!(code.insts.last(), Some(Inst::Exit | Inst::Jump { .. })),
                "seed {seed}: the code runs out"
            );
            for inst in &code.insts {
                assert!(inst.target().is_none_or(|target| target.index() < code.insts.len()), "seed {seed}");
            }
        }
    }
}

#[test]
fn tokens_are_pushed_and_popped_in_pairs() {
    let count = |code: &Code, is: fn(&Marker) -> bool| {
        code.insts.iter().filter(|inst| matches!(inst, Inst::Marker(marker) if is(marker))).count()
    };
    for (seed, program) in programs() {
        let code = program.code(Markers::Tokens);
        let pushed = count(&code, |marker| matches!(marker, Marker::PushSync(_) | Marker::PushContinue(_)));
        assert_eq!(pushed, count(&code, |marker| matches!(marker, Marker::Pop)), "seed {seed}\n{code}");
    }
}

/// Whether every path from `from` to an end of the thread passes `through`: without it, no end can be reached.
fn passes(code: &Code, from: Pc, through: Pc) -> bool {
    let mut seen = vec![false; code.insts.len()];
    seen[through.index()] = true;
    let mut work = vec![from];
    while let Some(pc) = work.pop() {
        if std::mem::replace(&mut seen[pc.index()], true) {
            continue;
        }
        if matches!(code.inst(pc), Inst::Exit) {
            return false;
        }
        work.extend(code.successors(pc));
    }
    true
}

/// A shortest path to an end of the thread, `from` not included.
fn path_to_end(code: &Code, from: Pc) -> Vec<Pc> {
    let mut before = vec![None; code.insts.len()];
    let mut work = VecDeque::from([from]);
    while let Some(pc) = work.pop_front() {
        if matches!(code.inst(pc), Inst::Exit) {
            let mut path = vec![pc];
            while let Some(earlier) = before[path[path.len() - 1].index()].filter(|&earlier| earlier != from) {
                path.push(earlier);
            }
            path.reverse();
            return path;
        }
        for next in code.successors(pc).filter(|&next| next != from) {
            if before[next.index()].is_none() {
                before[next.index()] = Some(pc);
                work.push_back(next);
            }
        }
    }
    panic!("{from} does not end");
}

#[test]
fn threads_that_part_meet_at_the_nearest_instruction_that_all_their_paths_pass() {
    let (mut met, mut never_met) = (0, 0);
    for (seed, program) in programs() {
        let code = program.code(Markers::PostDominators);
        for (index, inst) in code.insts.iter().enumerate() {
            let pc = Pc(index as u32);
            let expected = match inst {
                // Post-dominators of one instruction come in the same order on all paths.
                Inst::Branch { .. } => path_to_end(&code, pc).into_iter().find(|&join| passes(&code, pc, join)),
                _ => None,
            };
            // Threads that meet only at an `exit` of their own instruction, do; ends of different ones are no meeting.
            assert_eq!(code.reconvergence[index], expected, "seed {seed}, {pc}\n{code}");
            if matches!(inst, Inst::Branch { .. }) {
                met += u32::from(expected.is_some());
                never_met += u32::from(expected.is_none());
            }
        }
    }
    assert!(met > 100 && never_met > 100, "both kinds occur: {met} and {never_met}");
}
