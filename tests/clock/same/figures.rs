//! The figures of policies are those of all blocks, each told once, though blocks come one after the other in one place.

use crate::machine::changed;
use simt::policy::{FigureTotal, LikelyConvergence};
use simt::prelude::*;
use simt::report::PolicyFigure;

#[device]
fn step(n: u32) -> u32 {
    if n % 2 == 0 { n / 2 } else { 3 * n + 1 }
}

/// Lanes part again and again, also within a call, and leave the loop at two places.
#[kernel]
fn parting(x: &mut [u32]) {
    let i = global_id();
    let mut n = x[i];
    for k in 0..200 {
        if n == 1 {
            break;
        }
        if (n + k) % 3 == 0 {
            n = step(n);
            continue;
        }
        if n == 7 {
            x[i] = k;
            break;
        }
        n = step(n);
    }
    x[i] += n;
}

fn figures(config: &GpuConfig, checks: Checks) -> Vec<PolicyFigure> {
    let mut x: Vec<u32> = (1..=320).collect();
    let gpu = Gpu::<LikelyConvergence>::new(config.clone()).with_checks(checks);
    let report = gpu.launch(Grid::new(5, 64), parting(&mut x)).unwrap_or_else(|error| panic!("{error}"));
    report.policy_figures().to_vec()
}

#[test]
fn a_policy_counts_with_a_clock_what_it_counts_without() {
    let clocked = changed(GpuConfig::turing(), |clock| (clock.cores, clock.threads) = (1, 64));
    for checks in [Checks::none(), Checks::all()] {
        let expected = figures(&GpuConfig { clock: None, ..clocked.clone() }, checks);
        // What is told twice is seen.
        let adds_up = |figure: &PolicyFigure| figure.total == FigureTotal::Sum && figure.value > 0;
        assert!(expected.iter().any(adds_up), "{expected:?}");
        assert_eq!(figures(&clocked, checks), expected);
    }
}
