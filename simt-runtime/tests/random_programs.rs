//! Random kernels use the whole language, and are run to their end.

use simt_core::code::{Inst, JumpKind, Markers};
use simt_core::program::{Expr, Program, Stmt, StmtKind, continues};
use simt_runtime::Grid;
use simt_testing::{Arrays, Faults, Random, Refusal, random_program, reference};
use std::collections::BTreeMap;

const PROGRAMS: u64 = 400;

fn statements(program: &Program) -> Vec<&Stmt> {
    let mut pending: Vec<_> = program.bodies().map(|(_, body)| body).collect();
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
                        Refusal::CallDepth | Refusal::Waits => panic!("seed {seed}: {fault:?}"),
                    };
                    *faults.entry(kind).or_default() += 1;
                }
            }
        }
    }
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(printed > 20, "{printed}");
}
