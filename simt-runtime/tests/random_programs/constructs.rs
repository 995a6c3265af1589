//! What random kernels have only where it is asked for.

use super::statements;
use simt_core::ops::NumericOp;
use simt_core::program::{ArraySpace, BarrierOp, CollectiveOp, Expr, Memory, Program, StmtKind};
use simt_runtime::Grid;
use simt_testing::{
    Arrays, Construct, Faults, Random, Refusal, random_program, random_program_with, reference_in_warps, shared_memory,
};
use std::collections::BTreeMap;

const PROGRAMS: u64 = 300;

type Counts = BTreeMap<String, usize>;

/// How often a program has each thing that has to be asked for.
fn count(program: &Program, counts: &mut Counts) {
    let later = |op: &NumericOp| NumericOp::ALL.iter().position(|row| row.is_strict()) <= place(*op);
    let mut found = |name: String| *counts.entry(name).or_default() += 1;
    for stmt in statements(program) {
        match &stmt.kind {
            StmtKind::Collective { op, mask, .. } => {
                found(format!("{}{}", op.name(), if mask.is_some() { " with a mask" } else { "" }));
            }
            StmtKind::Barrier { op, .. } => found(format!("barrier {}", op.name())),
            _ => {}
        }
    }
    for node in &program.exprs {
        match node.expr {
            Expr::Numeric { op, .. } if later(&op) => found(op.name().to_string()),
            Expr::Len(Memory::Array(id)) if program.array(id).dynamic => found("length".to_string()),
            _ => {}
        }
    }
    for array in &program.arrays {
        if array.dynamic {
            let row = if array.row > 1 { "rows" } else { "elements" };
            found(format!("dynamic {row}{}", if array.atomic { " of atomics" } else { "" }));
        }
        if array.unset && array.function.is_some() {
            found("unset in a function".to_string());
        }
        if array.unset {
            assert_eq!(array.space, ArraySpace::Local);
            found("unset".to_string());
        }
    }
}

fn place(op: NumericOp) -> Option<usize> {
    NumericOp::ALL.iter().position(|row| *row == op)
}

fn counts(faults: Faults, constructs: &[Construct]) -> Counts {
    let mut counts = Counts::new();
    (0..PROGRAMS).for_each(|seed| count(&random_program_with(seed, faults, constructs), &mut counts));
    counts
}

#[test]
fn what_is_asked_for_occurs_often_and_nothing_else() {
    let strict = NumericOp::ALL.iter().skip_while(|op| !op.is_strict()).map(|op| op.name().to_string());
    let collectives = CollectiveOp::ALL.iter().filter(|op| **op != CollectiveOp::ActiveMask);
    let collectives = collectives.flat_map(|op| [op.name().to_string(), format!("{} with a mask", op.name())]);
    let of_block = [BarrierOp::Sync, BarrierOp::And, BarrierOp::Or, BarrierOp::Count];
    let expected: [(Construct, Vec<String>); 6] = [
        (
            Construct::Dynamic,
            ["elements", "elements of atomics", "rows", "rows of atomics"]
                .map(|what| format!("dynamic {what}"))
                .into_iter()
                .chain(["length".to_string()])
                .collect(),
        ),
        (Construct::Unset, vec!["unset".to_string(), "unset in a function".to_string()]),
        (Construct::Strict, strict.collect()),
        (Construct::Block, of_block.map(|op| format!("barrier {}", op.name())).to_vec()),
        (Construct::Grid, vec!["barrier grid".to_string()]),
        (Construct::Warp, collectives.collect()),
    ];
    assert_eq!(expected.each_ref().map(|(construct, _)| *construct), *Construct::ALL);
    for (construct, mut expected) in expected {
        for faults in [Faults::Never, Faults::Sometimes] {
            let mut counts = counts(faults, &[construct]);
            assert!(counts.values().all(|&count| count > 20), "{construct:?}: {counts:?}");
            expected.sort();
            let found: Vec<String> = std::mem::take(&mut counts).into_keys().collect();
            assert_eq!(found, expected, "{construct:?}");
        }
    }
    assert_eq!(counts(Faults::Sometimes, &[]), Counts::new());
}

/// Without constructs a program is that of its seed.
#[test]
fn what_is_not_asked_for_changes_nothing() {
    for seed in 0..PROGRAMS {
        assert_eq!(random_program_with(seed, Faults::Sometimes, &[]), random_program(seed, Faults::Sometimes));
    }
}

fn refusal(kind: &Refusal) -> String {
    match kind {
        Refusal::Evaluate(fault) => {
            // Without its numbers.
            let text = fault.to_string();
            text.split_whitespace()
                .filter(|word| !word.contains(|c: char| c.is_numeric()))
                .collect::<Vec<_>>()
                .join(" ")
        }
        Refusal::Panic(_) => "panic".to_string(),
        other => format!("{other:?}"),
    }
}

/// They end and do not wait for what does not come, and what they do wrong includes what the constructs make possible. Results
/// of votes and shuffles show: they differ between warps of different width.
#[test]
fn they_end_and_what_threads_do_together_shows() {
    let grid = Grid::new(2, 24);
    let (mut faults, mut programs, mut differ) = (Counts::new(), 0, 0);
    for seed in 0..3 * PROGRAMS {
        let mut random = Random::new(seed);
        let arrays = Arrays::random(&mut random, 47, 9);
        for may in [Faults::Never, Faults::Sometimes] {
            let program = random_program_with(seed, may, Construct::ALL);
            let grid = grid.with_shared_memory(shared_memory(&program, 24, &mut random, may));
            let program = program.validate().unwrap_or_else(|error| panic!("{seed}: {error}"));
            let outcomes = [4, 8].map(|width| reference_in_warps(&program, grid, &arrays, width));
            for fault in outcomes.iter().filter_map(|outcome| outcome.as_ref().err()) {
                assert_eq!(may, Faults::Sometimes, "seed {seed}: {fault:?}\n{}", *program);
                *faults.entry(refusal(&fault.kind)).or_default() += 1;
            }
            if may == Faults::Never {
                programs += 1;
                differ += usize::from(outcomes[0] != outcomes[1]);
            }
        }
    }
    let expected = [
        "FromAbsent",
        "NotNamed",
        "OutOfBounds",
        "division by zero",
        "element is read, but no thread has written it",
        "index is out of bounds of a slice of length",
        "integer overflow",
        "panic",
    ];
    for kind in expected {
        assert!(faults.get(kind).is_some_and(|&count| count > 3), "{kind}: {faults:?}");
    }
    assert!(!faults.contains_key("Waits") && !faults.contains_key("Open"), "{faults:?}");
    assert!(differ > programs / 2, "{differ} of {programs}");
}
