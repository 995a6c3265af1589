//! Random kernels use the whole language, and are run to their end.

mod constructs;

use simt_core::build::homes::{Copied, settle};
use simt_core::code::{Inst, JumpKind, Markers};
use simt_core::ops::BinaryOp;
use simt_core::program::{
    Array, ArrayId, ArraySpace, Block, Expr, Memory, Program, Stmt, StmtKind, Validated, VarId, continues,
};
use simt_runtime::Grid;
use simt_testing::{Arrays, Faults, Random, Refusal, Unsettled, random_program, reference, unsettled_program};
use std::collections::{BTreeMap, BTreeSet};

const PROGRAMS: u64 = 400;

fn statements(program: &Program) -> Vec<&Stmt> {
    program.bodies().flat_map(|(_, body)| within(body)).collect()
}

fn within(body: &Block) -> Vec<&Stmt> {
    let mut pending = vec![body];
    let mut found = Vec::new();
    while let Some(block) = pending.pop() {
        for stmt in block {
            found.push(stmt);
            pending.extend(stmt.kind.blocks());
        }
    }
    found
}

fn name(kind: &StmtKind) -> &'static str {
    match kind {
        StmtKind::Skip => "skip",
        StmtKind::Assign { .. } => "assign",
        StmtKind::Store { .. } => "store",
        StmtKind::Evaluate { .. } => "evaluate",
        StmtKind::If { .. } => "if",
        StmtKind::While { body, .. } if continues(body) => "while with continue",
        StmtKind::While { .. } => "while",
        StmtKind::Break { out: 0 } => "break",
        StmtKind::Break { .. } => "break of an outer loop",
        StmtKind::Continue { out: 0 } => "continue",
        StmtKind::Continue { .. } => "continue of an outer loop",
        StmtKind::Return => "return",
        StmtKind::Call { result: None, .. } => "call",
        StmtKind::Call { .. } => "call with a result",
        StmtKind::Atomic { result: None, .. } => "atomic",
        StmtKind::Atomic { .. } => "atomic with a result",
        StmtKind::Collective { .. } => "collective",
        StmtKind::Barrier { .. } => "barrier",
        StmtKind::Fence { .. } => "fence",
        StmtKind::Print { .. } => "print",
        StmtKind::Panic { .. } => "panic",
    }
}

#[test]
fn every_statement_that_a_lone_thread_can_execute_occurs_often() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..PROGRAMS {
        let program = random_program(seed, Faults::Sometimes);
        statements(&program).iter().for_each(|stmt| *counts.entry(name(&stmt.kind)).or_default() += 1);
    }
    assert_eq!(counts.len(), 19, "{counts:?}");
    assert!(!counts.contains_key("collective") && !counts.contains_key("barrier"), "{counts:?}");
    assert!(counts.values().all(|&count| count > 20), "{counts:?}");
}

#[test]
fn what_lowering_makes_of_them_occurs_often() {
    let (mut indirect, mut recursive, mut called, mut numeric, mut outer) = (0, 0, 0, 0, 0);
    for seed in 0..PROGRAMS {
        let program = random_program(seed, Faults::Never).validate().unwrap_or_else(|error| panic!("{seed}: {error}"));
        let code = program.code(Markers::Tokens);
        indirect += code.insts.iter().filter(|inst| matches!(inst, Inst::Indirect { .. })).count();
        called += code.insts.iter().filter(|inst| matches!(inst, Inst::Call { .. })).count();
        recursive += code.functions.iter().filter(|function| function.recursive).count();
        numeric += program.exprs.iter().filter(|node| matches!(node.expr, Expr::Numeric { .. })).count();
        outer += code
            .insts
            .iter()
            .filter(|inst| matches!(inst, Inst::Jump { kind: JumpKind::Break | JumpKind::Continue, .. }))
            .count();
    }
    let counts = [indirect, called, recursive, numeric, outer];
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// What the language has and a program does not, by what the builder makes of it.
#[test]
fn forms_of_the_language_occur_often() {
    let (mut tables, mut subslices, mut elements, mut results, mut tries, mut tags) = (0, 0, 0, 0, 0, 0);
    for seed in 0..PROGRAMS {
        let program = random_program(seed, Faults::Never);
        let is = |id, what: fn(&Expr) -> bool| what(&program.expr(id).expr);
        let slices: Vec<usize> = (0..program.params.len()).filter(|&i| program.params[i].table.is_some()).collect();
        for node in &program.exprs {
            let Expr::Load { slice: Memory::Param(param), index, .. } = node.expr else { continue };
            tables += usize::from(slices.contains(&(param.0 as usize)));
            // `x[first + i]`
            let Expr::Binary { op: BinaryOp::Add, left, .. } = program.expr(index).expr else { continue };
            subslices += usize::from(is(left, |left| matches!(left, Expr::Var(_))));
        }
        let bodies: Vec<(bool, Vec<&Stmt>)> =
            program.bodies().map(|(function, body)| (function.is_some(), within(body))).collect();
        for (in_function, stmts) in bodies {
            for stmt in stmts {
                match &stmt.kind {
                    // `a[i]` of a reference, or of an element that a loop visits: the index is a variable.
                    StmtKind::Store { slice: Memory::Array(_), index, .. } => {
                        elements += usize::from(is(*index, |index| matches!(index, Expr::Var(_))));
                    }
                    // `?`
                    StmtKind::If { then, otherwise, .. } if then.is_empty() && in_function => {
                        tries += usize::from(matches!(otherwise.last(), Some(Stmt { kind: StmtKind::Return, .. })));
                    }
                    _ => {}
                }
            }
        }
        let shared = |array: &Array| array.function.is_none() && array.space == ArraySpace::Local;
        results += (0..program.arrays.len())
            .filter(|&id| shared(&program.arrays[id]))
            .filter(|&id| stores_to(&program, ArrayId(id as u32)))
            .count();
        tags += statements(&program).iter().filter(|stmt| is_of_tag(&program, stmt)).count();
    }
    let counts = [tables, subslices, elements, results, tries, tags];
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// Whether a function, and not the kernel, writes an array.
fn stores_to(program: &Program, array: ArrayId) -> bool {
    let bodies = program.bodies().filter(|(function, _)| function.is_some());
    let of = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Store { slice: Memory::Array(id), .. } if id == array);
    bodies.flat_map(|(_, body)| within(body)).any(of)
}

/// Whether it is an `if` whose arm begins with another variant: `tag == 1` and then `tag = 0;`.
fn is_of_tag(program: &Program, stmt: &Stmt) -> bool {
    let StmtKind::If { cond, then, .. } = &stmt.kind else { return false };
    let Expr::Compare { left, .. } = program.expr(*cond).expr else { return false };
    let Expr::Var(tag) = program.expr(left).expr else { return false };
    matches!(then.first(), Some(Stmt { kind: StmtKind::Assign { var, .. }, .. }) if *var == tag)
}

#[test]
fn they_end_and_fault_only_where_they_may() {
    let grid = Grid::new(2, 24);
    let (mut faults, mut printed) = (BTreeMap::<&str, usize>::new(), 0);
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed);
        let arrays = Arrays::random(&mut random, 48, 9);
        for may in [Faults::Never, Faults::Sometimes] {
            let program = random_program(seed, may).validate().unwrap_or_else(|error| panic!("{seed}: {error}"));
            match reference(&program, grid, &arrays) {
                Ok(outcome) => printed += usize::from(!outcome.prints.is_empty()),
                Err(fault) => {
                    assert_eq!(may, Faults::Sometimes, "seed {seed}: {fault:?}\n{}", *program);
                    let kind = match fault.kind {
                        Refusal::Evaluate(_) => "evaluate",
                        Refusal::OutOfBounds => "out of bounds",
                        Refusal::Panic(_) => "panic",
                        other => panic!("seed {seed}: {other:?}"),
                    };
                    *faults.entry(kind).or_default() += 1;
                }
            }
        }
    }
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(printed > 20, "{printed}");
}

/// A field that is an array has the same elements in its array as in variables, with whatever copies of them: where the pass
/// that puts the array there cannot tell, it must leave the copies.
#[test]
fn arrays_in_place_of_variables_change_no_result() {
    let grid = Grid::new(2, 24);
    let (mut settled, mut left, mut passed, mut faults) = (0, 0, 0, 0);
    for seed in 0..10 * PROGRAMS {
        let may = if seed % 2 == 0 { Faults::Sometimes } else { Faults::Never };
        let Unsettled { program, copies, passing } = unsettled_program(seed, may);
        let mut with_homes = program.clone();
        settle(&mut with_homes, &copies, &passing);
        if with_homes == program {
            continue;
        }
        settled += 1;
        // One copy of each field is its home; more of them are copies still.
        let stays = |copied: &&Copied| with_homes.arrays.iter().any(|a| a.name == program.array(copied.array).name);
        let fields: BTreeSet<&[VarId]> = copies.iter().map(|copied| &*copied.variables).collect();
        left += usize::from(copies.iter().filter(stays).count() > fields.len());
        let params = |program: &Program| program.functions.iter().map(|function| function.params.len()).sum::<usize>();
        passed += usize::from(params(&with_homes) < params(&program));
        let mut random = Random::new(seed);
        let arrays = Arrays::random(&mut random, 48, 9);
        let valid = |program: Program| program.validate().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let (before, after) = (valid(program), valid(with_homes));
        // Of a fault without the numbers of expressions and arrays, which are others.
        let outcome = |program: &Validated<Program>| {
            reference(program, grid, &arrays).map_err(|fault| match fault.kind {
                Refusal::Evaluate(kind) => (fault.thread, kind.to_string()),
                kind => (fault.thread, format!("{kind:?}")),
            })
        };
        let expected = outcome(&before);
        faults += usize::from(expected.is_err());
        assert!(outcome(&after) == expected, "seed {seed}\n{}\n== becomes\n{}", *before, *after);
    }
    let counts = [settled, left, passed, faults];
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}
