//! Assertions on reports: what fails says which lines are to blame; and reports for snapshots.

use simt::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[kernel]
fn halves(x: &mut [u32], table: &[u32]) {
    #[shared]
    let mut tile: [u32; 1024];
    let i = global_id();
    tile[i * 32] = x[i];
    if i % 2 == 0 {
        for k in 0..100 {
            x[i] += k;
        }
    }
    x[i] += table[i * 64 % table.len()] + tile[i * 32];
}

fn report(config: GpuConfig) -> Report {
    let (mut x, table) = ([0; 32], vec![1; 1 << 12]);
    let gpu = Gpu::<Ipdom>::new(config);
    gpu.launch(Grid::new(1, 32), halves(&mut x, &table)).unwrap_or_else(|error| panic!("{error}"))
}

/// What an assertion says when it fails.
fn said(assertion: impl FnOnce()) -> String {
    let failed = catch_unwind(AssertUnwindSafe(assertion)).expect_err("the assertion fails");
    *failed.downcast::<String>().expect("it says why")
}

#[test]
fn a_failed_assertion_shows_the_lines_to_blame() {
    let report = report(GpuConfig::turing());
    report.assert_simd_efficiency(0.4..0.7);
    report.assert_branch_efficiency(..1.0);
    report.assert_transactions_per_request(1.0..);

    let text = said(|| report.assert_simd_efficiency(0.9..));
    let begin = "SIMD efficiency of `halves` under Ipdom is 0.5";
    assert!(text.starts_with(begin) && text.contains(", and not in 0.9..\n"), "{text}");
    assert!(text.contains("tests/assertions.rs with most idle lanes:\n"), "{text}");
    let first = text.lines().nth(2).unwrap_or_default();
    assert!(first.contains("16.0 of 32 lanes") && first.contains("for k in 0..100 {"), "{text}");

    let text = said(|| report.assert_branch_efficiency(1.0..=1.0));
    assert!(
        text.contains("not in 1..=1\n") && text.lines().nth(2).is_some_and(|line| line.ends_with("if i % 2 == 0 {")),
        "{text}"
    );
    let text = said(|| report.assert_transactions_per_request(..=1.0));
    assert!(text.lines().nth(2).is_some_and(|line| line.contains("table[i * 64")), "{text}");
    // Each of the 32 lanes is at another word of one bank.
    let text = said(|| report.assert_no_bank_conflicts());
    assert!(text.contains("tile[i * 32]"), "{text}");
}

#[test]
fn what_only_a_clock_counts_is_asked_of_one() {
    let report = report(GpuConfig::functional());
    let text = said(|| report.assert_no_bank_conflicts());
    assert!(text.contains("`halves` ran on a machine without a clock"), "{text}");
}

#[test]
fn a_report_for_snapshots_has_no_places() {
    let report = report(GpuConfig::functional());
    let (whole, redacted) = (report.to_string(), report.redacted().to_string());
    assert!(whole.contains("tests/assertions.rs") && !redacted.contains("tests/assertions.rs"), "{redacted}");
    assert!(redacted.contains("  [ ] ") && redacted.contains("x[i] += k;"), "{redacted}");
    assert_eq!(whole.lines().count(), redacted.lines().count());
}
