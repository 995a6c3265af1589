//! Indirect branches: what a `match` on close integers becomes.

use simt::core::code::{Inst, Pc};
use simt::observe::IssueTrace;
use simt::prelude::*;
use std::collections::BTreeSet;

#[kernel]
fn classes(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    let n = x[i];
    out[i] = match n {
        0 => 10,
        1 | 2 => 20,
        3 => 30,
        5 => 50,
        _ => 1,
    };
}

/// The addresses of the indirect branches, and how many other branches there are.
fn branches(program: &simt::Program) -> (Vec<u32>, usize) {
    let code = program.code(Markers::None);
    let is = |inst: &Inst, name: &str| format!("{inst:?}").starts_with(name);
    let indirect = code.insts.iter().zip(0..).filter(|(inst, _)| is(inst, "Indirect")).map(|(_, pc)| pc).collect();
    (indirect, code.insts.iter().filter(|inst| is(inst, "Branch")).count())
}

#[test]
fn a_dense_match_is_one_indirect_branch() {
    let (indirect, others) = branches(classes::program());
    assert_eq!((indirect.len(), others), (1, 0));
    let x: Vec<u32> = (0..80).map(|i| i * 5 % 9).collect();
    let expected: Vec<u32> = x.iter().map(|n| [10, 20, 20, 30, 1, 50].get(*n as usize).copied().unwrap_or(1)).collect();
    let mut instructions = BTreeSet::new();
    everywhere!(|gpu| {
        let mut out = vec![0; x.len()];
        let report = gpu.launch(Grid::new(2, 40), classes(&x, &mut out)).expect("a launch");
        assert_eq!(out, expected);
        instructions.insert(report.thread_instructions());
    });
    assert_eq!(instructions.len(), 1, "a thread's instructions do not depend on its warp");
}

#[test]
fn the_lanes_of_one_target_leave_together_the_lowest_first() -> Result<(), LaunchError> {
    let x = [7, 2, 5, 1, 2, 1 << 31, 9, 5];
    for_each_policy!(P => if P::markers() != Markers::Tokens && P::lanes_per_issue().is_none() {
        let mut trace = IssueTrace::default();
        let gpu = Gpu::<P>::default().with_warp_width(8);
        gpu.launch_observed(Grid::new(1, 8), classes(&x, &mut [0; 8]), &mut trace)?;
        // Barriers stand before it.
        let code = classes::program().code(P::MARKERS);
        let is_indirect = |pc: Pc| matches!(code.inst(pc), Inst::Indirect { .. });
        let issues = trace.issues().iter().filter(|issue| is_indirect(issue.pc));
        let mut masks: Vec<String> = issues.map(|issue| issue.mask.digits(8)).collect();
        assert_eq!(masks[0], "10000110", "those of lane 0 leave first under {}", P::name());
        masks.sort();
        assert_eq!(masks, ["00100001", "01011000", "10000110"], "{}", P::name());
    });
    Ok(())
}

#[kernel]
fn sparse(x: &mut [u32]) {
    let i = global_id();
    x[i] = match x[i] {
        0 => 1,
        1000 => 2,
        2000 => 3,
        3000 => 4,
        _ => 5,
    };
}

#[test]
fn a_match_of_values_far_apart_is_a_chain_of_branches() {
    let (indirect, others) = branches(sparse::program());
    assert_eq!((indirect.len(), others), (0, 4));
}
