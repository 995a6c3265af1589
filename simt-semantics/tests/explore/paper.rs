//! The programs of ESOP'12 in all runs.

use super::esop12::{endless, program_1, program_2, program_3, program_4};
use super::{BOUND, checked, sums, with};
use simt_semantics::{Esop12, GroupSystem, Termination, ThreadSystem, WarpSystem, explore, explore_all};
use std::collections::BTreeSet;

#[test]
fn the_programs_of_the_paper_terminate_under_all_fair_schedules() {
    for threads in 2..=3 {
        let results = [
            (program_2(), BTreeSet::from([1])),
            (program_3(), BTreeSet::from([threads.into()])),
            (program_4(threads), BTreeSet::from([threads.into()])),
        ];
        for (kernel, expected) in results {
            with(&kernel, threads, |setting, memory| {
                let found = checked(&ThreadSystem::new(setting, memory.clone()));
                assert!(found.always_finishes());
                assert_eq!(sums(&found), expected, "{}", *kernel.program);
                let found = checked(&GroupSystem::new(setting, memory));
                assert!(found.always_finishes());
                assert_eq!(sums(&found), expected, "{}", *kernel.program);
            });
        }
    }
}

/// Program 1 has no races, and one result. Its threads read and write elements of `b`, which others could, too; the rest of
/// what they do commutes.
#[test]
fn what_commutes_is_left_out() {
    with(&program_1(), 4, |setting, memory| {
        let threads = ThreadSystem::new(setting, memory.clone());
        let (found, all) = (explore(&threads, BOUND), explore_all(&threads, BOUND));
        assert!(found.always_finishes() && all.always_finishes());
        let (some, all) = (found.configurations(), all.configurations());
        assert!(10 * some < all, "{some} of {all}");
        let [only] = found.endings() else { panic!("{:?}", found.endings()) };
        // Section 2.3.
        assert_eq!(only.memory.slices, [[0, 1, 1, 1], [0, 1, 1, 4]]);
        assert_eq!(explore(&WarpSystem::new(setting, &Esop12, memory), BOUND).endings()[0].memory, only.memory);
    });
}

#[test]
fn what_never_ends_has_a_fair_lasso() {
    for (kernel, threads) in [(endless(), 3), (program_4(3), 2)] {
        with(&kernel, threads, |setting, memory| {
            let found = checked(&ThreadSystem::new(setting, memory.clone()));
            assert!(matches!(found.termination(), Termination::NotUnder(_)));
            assert!(!found.always_finishes());
            let found = checked(&GroupSystem::new(setting, memory));
            assert!(matches!(found.termination(), Termination::NotUnder(_)));
        });
    }
    // Section 5.1: threads that are fair end, and the warp does not.
    with(&program_2(), 3, |setting, memory| {
        let found = checked(&WarpSystem::new(setting, &Esop12, memory));
        assert!(matches!(found.termination(), Termination::NotUnder(_)));
    });
}
