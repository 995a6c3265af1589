//! Validation never panics, and what it accepts runs without breaking a promise.

mod programs;

use programs::garbage;
use programs::thread::{End, Thread};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

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
            prop_assert!(!matches!(end, End::Break | End::Continue));
        }
    }
}

#[test]
fn changed_programs_are_of_both_kinds() {
    let mut runner = TestRunner::deterministic();
    let made = (0..500).filter_map(|_| garbage::nearly_valid_program().new_tree(&mut runner).ok());
    let count = made.filter(|tree| tree.current().validate().is_ok()).count();
    assert!((50..450).contains(&count), "{count} of 500 are valid");
}
