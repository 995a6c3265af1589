//! Properties of the flat form, on random programs: markers change nothing else, and threads that part meet at the nearest
//! instruction that all their paths pass.

use simt_core::code::{Code, Inst, JumpKind, Marker, Markers, Pc};
use simt_core::program::{Program, Validated};
use simt_testing::{Construct, Faults, random_program_with};
use std::collections::VecDeque;

const PROGRAMS: u64 = 300;

fn programs() -> impl Iterator<Item = (u64, Validated<Program>)> {
    (0..PROGRAMS).map(|seed| {
        let constructs = if seed % 3 == 2 { Construct::drawn(seed) } else { Vec::new() };
        let validated = random_program_with(seed, Faults::Sometimes, &constructs).validate();
        (seed, validated.unwrap_or_else(|error| panic!("seed {seed}: {error}")))
    })
}

/// Instructions, the targets of indirect branches, and the places of functions.
type WithoutMarkers = (Vec<Inst>, Vec<Vec<Pc>>, Vec<(Pc, Pc)>);

/// The code without its markers, addresses numbered anew: a target that was a marker becomes the instruction behind it.
fn without_markers(code: &Code) -> WithoutMarkers {
    let mut number = 0;
    let mut numbers = Vec::new();
    let stays = |pc: Pc| !code.inst(pc).is_marker() && !is_only_named(code, pc);
    for pc in (0..code.insts.len() as u32).map(Pc) {
        numbers.push(Pc(number));
        number += u32::from(stays(pc));
    }
    numbers.push(Pc(number));
    let to = |pc: Pc| numbers[pc.index()];
    let program = (0..code.insts.len() as u32).map(Pc).filter(|&pc| stays(pc));
    let insts = program.map(|pc| match *code.inst(pc) {
        Inst::Branch { cond, when, target, leaves } => Inst::Branch { cond, when, target: to(target), leaves },
        Inst::Jump { target, kind } => Inst::Jump { target: to(target), kind },
        Inst::Call { function, target } => Inst::Call { function, target: to(target) },
        other => {
            assert_eq!(other.target(), None, "an instruction whose target is not known here");
            other
        }
    });
    let tables = code.tables.iter().map(|table| table.iter().map(|&target| to(target)).collect());
    let functions = code.functions.iter().map(|function| (to(function.entry), to(function.end)));
    (insts.collect(), tables.collect(), functions.collect())
}

/// Whether an instruction ends a body where no thread comes, or is the move of a function's result in front of its end: a token
/// may name that place, and then something must be there.
fn is_only_named(code: &Code, pc: Pc) -> bool {
    let ends = |pc: Pc| matches!(code.inst(pc), Inst::Exit | Inst::Return);
    let gives = |pc: Pc| matches!(code.inst(pc), Inst::Move { .. }) && ends(pc.next());
    if !ends(pc) && !gives(pc) {
        return false;
    }
    let mut others = (0..pc.0).rev().map(Pc).filter(|&pc| !code.inst(pc).is_marker() && !gives(pc));
    let Some(before) = others.next().filter(|&pc| code.inst(pc).never_falls_through()) else { return false };
    let here = |target: Pc| before < target && target <= pc;
    let entered = code.functions.iter().any(|function| here(function.entry));
    let program = code.insts.iter().filter(|inst| !inst.is_marker());
    let gone_to = program.filter_map(Inst::target).chain(code.tables.iter().flatten().copied()).any(here);
    !entered && !gone_to
}

/// Markers may stand behind the kernel and the functions, too, with jumps to where they belong.
fn barriers_change_nothing_else(seed: u64, none: &Code, placed: &Code) {
    let starts = |code: &Code| -> Vec<u32> {
        let functions = code.functions.iter().map(|function| function.entry.0);
        std::iter::once(0).chain(functions).chain([code.insts.len() as u32]).collect()
    };
    // For each address of the plain code the one of the same instruction; those behind are the jumps.
    let mut places = Vec::new();
    for (plain, placed_part) in starts(none).windows(2).zip(starts(placed).windows(2)) {
        let program = (placed_part[0]..placed_part[1]).filter(|&pc| !placed.inst(Pc(pc)).is_marker());
        let len = (plain[1] - plain[0]) as usize;
        let (same, jumps): (Vec<_>, Vec<_>) = program.enumerate().partition(|(number, _)| *number < len);
        places.extend(same.into_iter().map(|(_, pc)| Pc(pc)));
        let is_join = |pc| matches!(placed.inst(Pc(pc)), Inst::Jump { kind: JumpKind::Join, .. });
        assert!(jumps.into_iter().all(|(_, pc)| is_join(pc)), "seed {seed}\n{placed}");
    }
    assert_eq!(places.len(), none.insts.len(), "seed {seed}\n{placed}");
    let comes_to = |pc: Pc| {
        let mut pc = pc;
        loop {
            match (placed.inst(pc), places.binary_search(&pc)) {
                (Inst::Marker(_), _) => pc = pc.next(),
                (_, Ok(number)) => return Pc(number as u32),
                (Inst::Jump { target, .. }, Err(_)) => pc = *target,
                _ => panic!("seed {seed}: {pc} is not of the program\n{placed}"),
            }
        }
    };
    for (index, &place) in places.iter().enumerate() {
        let (inst, mut moved) = (none.insts[index], *placed.inst(place));
        match &mut moved {
            Inst::Branch { target, .. } | Inst::Jump { target, .. } | Inst::Call { target, .. } => {
                *target = comes_to(*target);
            }
            Inst::Indirect { table, .. } => {
                let Inst::Indirect { table: plain, .. } = inst else { panic!("seed {seed}: another instruction") };
                let targets: Vec<Pc> = placed.table(*table).iter().map(|&target| comes_to(target)).collect();
                assert_eq!(targets, none.table(plain), "seed {seed}");
                *table = plain;
            }
            _ => {}
        }
        assert_eq!(moved, inst, "seed {seed}, {place}\n{placed}");
        assert_eq!(placed.spans[place.index()], none.spans[index]);
        if !inst.never_falls_through() {
            assert_eq!(comes_to(place.next()), Pc(index as u32 + 1), "seed {seed}, {place}\n{placed}");
        }
    }
    assert_eq!(placed.registers[..none.registers.len()], none.registers[..], "seed {seed}");
}

#[test]
fn markers_change_nothing_else() {
    let mut with_tokens = 0;
    for (seed, program) in programs() {
        let [none, post_dominators, tokens, barriers @ ..] = Markers::ALL else { panic!("a family is missing here") };
        let [none, post_dominators, tokens] = [none, post_dominators, tokens].map(|&markers| program.code(markers));
        assert!(barriers.iter().all(|family| family.placement().is_some()), "a family is missing here");
        for &family in barriers {
            barriers_change_nothing_else(seed, &none, &program.code(family));
        }
        assert!(!none.insts.iter().any(Inst::is_marker) && none.reconvergence.iter().all(Option::is_none));
        assert_eq!(none.insts, post_dominators.insts, "seed {seed}");
        assert_eq!((&none.tables, &none.functions), (&post_dominators.tables, &post_dominators.functions));
        assert!(tokens.reconvergence.iter().all(Option::is_none));

        with_tokens += usize::from(tokens.insts.iter().any(Inst::is_marker));
        let stripped = without_markers(&tokens);
        assert_eq!(stripped, without_markers(&none), "seed {seed}\n{none}\n{tokens}");
        assert_eq!((&tokens.registers, &tokens.values), (&none.registers, &none.values), "seed {seed}");
    }
    assert!(with_tokens > PROGRAMS as usize / 2, "most random programs branch");
}

#[test]
fn every_instruction_has_its_place_and_every_target_is_in_its_function() {
    for (seed, program) in programs() {
        for &markers in Markers::ALL {
            let code = program.code(markers);
            assert_eq!((code.spans.len(), code.reconvergence.len()), (code.insts.len(), code.insts.len()));
            let starts = std::iter::once(Pc(0)).chain(code.functions.iter().map(|function| function.entry));
            let ends = code.functions.iter().map(|function| function.entry).chain([Pc(code.insts.len() as u32)]);
            for (start, end) in starts.zip(ends) {
                assert!(code.inst(Pc(end.0 - 1)).never_falls_through(), "seed {seed}: the code runs out\n{code}");
                for pc in (start.0..end.0).map(Pc) {
                    let inst = code.inst(pc);
                    assert_eq!(matches!(inst, Inst::Exit | Inst::Return), code.successors(pc).is_empty());
                    assert!(!matches!(inst, Inst::Exit) || start == Pc(0), "seed {seed}: only the kernel exits");
                    assert!(!matches!(inst, Inst::Return) || start != Pc(0), "seed {seed}: the kernel does not return");
                    let mut targets: Vec<Pc> = code.successors(pc).to_vec();
                    match inst {
                        Inst::Call { function, target } => {
                            assert_eq!(code.functions[function.0 as usize].entry, *target, "seed {seed}");
                        }
                        inst => targets.extend(inst.target()),
                    }
                    let inside = |target: &Pc| (start..end).contains(target);
                    assert!(targets.iter().all(inside), "seed {seed}, {pc}\n{code}");
                }
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
        // Behind a loop that is never left stands one more, which no thread comes to.
        let comes = |exit| code.insts.iter().any(|inst| !inst.is_marker() && inst.target() == Some(exit));
        let endless = |inst: &&Inst| matches!(inst, Inst::Marker(Marker::PushBreak(exit)) if !comes(*exit));
        let endless = code.insts.iter().filter(endless).count();
        assert_eq!(pushed + endless, count(&code, |marker| matches!(marker, Marker::Pop)), "seed {seed}\n{code}");
        let calls = code.insts.iter().filter(|inst| matches!(inst, Inst::Call { .. })).count();
        assert_eq!(calls, count(&code, |marker| matches!(marker, Marker::PushCall(_))), "seed {seed}");
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
        if matches!(code.inst(pc), Inst::Exit | Inst::Return) {
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
        if matches!(code.inst(pc), Inst::Exit | Inst::Return) {
            let mut path = vec![pc];
            while let Some(earlier) = before[path[path.len() - 1].index()].filter(|&earlier| earlier != from) {
                path.push(earlier);
            }
            path.reverse();
            return path;
        }
        for next in code.successors(pc).into_iter().filter(|&next| next != from) {
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
                Inst::Branch { .. } | Inst::Indirect { .. } => {
                    path_to_end(&code, pc).into_iter().find(|&join| passes(&code, pc, join))
                }
                _ => None,
            };
            // Threads that meet only at an `exit` of their own instruction, do; ends of different ones are no meeting.
            assert_eq!(code.reconvergence[index], expected, "seed {seed}, {pc}\n{code}");
            if matches!(inst, Inst::Branch { .. } | Inst::Indirect { .. }) {
                met += u32::from(expected.is_some());
                never_met += u32::from(expected.is_none());
            }
        }
    }
    assert!(met > 100 && never_met > 100, "both kinds occur: {met} and {never_met}");
}
