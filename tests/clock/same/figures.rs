//! The figures of policies are those of all blocks, each told once, though blocks come one after the other in one place.

use crate::machine::changed;
use simt::policy::{Policy, TokenStack};
use simt::prelude::*;

/// Lanes part again and again, some blocks' more often.
#[kernel]
fn parting(x: &mut [u32]) {
    let i = global_id();
    let mut n = x[i];
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
    }
    x[i] = n;
}

fn figures<P: Policy>(config: &GpuConfig, checks: Checks) -> String {
    let mut x: Vec<u32> = (1..=320).collect();
    let gpu = Gpu::<P>::new(config.clone()).with_checks(checks);
    let report = gpu.launch(Grid::new(5, 64), parting(&mut x)).unwrap_or_else(|error| panic!("{error}"));
    format!("{:?}", report.policy_figures())
}

fn same<P: Policy>() {
    let clocked = changed(GpuConfig::turing(), |clock| (clock.cores, clock.threads) = (1, 64));
    for checks in [Checks::none(), Checks::all()] {
        let expected = figures::<P>(&GpuConfig { clock: None, ..clocked.clone() }, checks);
        assert!(expected.contains(|c: char| c.is_ascii_digit() && c != '0'), "{}: {expected}", P::name());
        assert_eq!(figures::<P>(&clocked, checks), expected, "{}", P::name());
    }
}

#[test]
fn policies_count_with_a_clock_what_they_count_without() {
    same::<Ipdom>();
    same::<TokenStack>();
    same::<Hanoi>();
}
