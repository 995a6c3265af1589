//! Validation never panics, and what it accepts runs without breaking a promise.

use crate::programs::device::every_statement;
use crate::programs::garbage;
use crate::programs::thread::{End, Thread};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use simt_core::program::ParamId;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn garbage_never_panics(program in garbage::any_program()) {
        if let Err(error) = program.validate() {
            prop_assert!(!error.message().is_empty());
        }
    }

    /// `Thread` panics on a variable without a value and on a value of a wrong type; an operation does on wrong types.
    #[test]
    fn what_is_accepted_runs(program in garbage::nearly_valid_program()) {
        if let Ok(valid) = program.validate() {
            let (end, _) = Thread::run(&valid, 500);
            prop_assert!(!matches!(end, End::Break(_) | End::Continue(_)));
        }
    }
}

#[test]
fn a_program_of_every_statement_runs_to_its_end() {
    let program = every_statement().validate().expect("valid");
    let (end, thread) = Thread::run(&program, 1000);
    // It reads 3 and adds 3 + 2 + 1; and adds 2, with which it left its loop, to one counter.
    assert_eq!(end, End::Normal);
    let out: Vec<u64> = thread.slice(ParamId(1)).iter().map(|value| value.bits).collect();
    assert_eq!(out, [9, 3, 3]);
    let hist: Vec<u64> = thread.slice(ParamId(2)).iter().map(|value| value.bits).collect();
    assert_eq!(hist, [9, 5, 3]);
}

#[test]
fn changed_programs_are_of_both_kinds() {
    let mut runner = TestRunner::deterministic();
    let made = (0..500).filter_map(|_| garbage::nearly_valid_program().new_tree(&mut runner).ok());
    let count = made.filter(|tree| tree.current().validate().is_ok()).count();
    assert!((50..450).contains(&count), "{count} of 500 are valid");
}
