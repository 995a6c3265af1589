//! A policy of one's own, in a crate of one's own: `cargo run --release --example own_policy`.
//!
//! It is one type; the suite that our policies pass is `simt::testing::check_policy`, behind the feature `testing`.

#![expect(clippy::print_stdout, reason = "an example that prints")]

#[path = "support/collatz.rs"]
mod support;

use simt::core::LaneMask;
use simt::core::code::{Markers, Pc};
use simt::policy::{Branch, WarpSplit, WarpStart};
use simt::prelude::*;
use simt::testing::{Faults, check_policy};
use std::cmp::Reverse;
use support::collatz;

/// The largest split runs first, as under `Dwf<Majority>` but within the warp; splits merge where they happen to come to the
/// same address. Small splits wait long, so locks hang; what ends without help from others ends.
#[derive(Clone, Debug, PartialEq)]
struct MostLanes(Vec<WarpSplit>);

impl MostLanes {
    /// The current split moves: each part of it merges with what is there. The largest is last; of several the lowest.
    fn go(&mut self, parts: [(Pc, LaneMask); 2]) {
        self.0.pop();
        for (pc, mask) in parts.into_iter().filter(|(_, mask)| !mask.is_empty()) {
            match self.0.iter_mut().find(|split| split.pc == pc) {
                Some(there) => there.mask |= mask,
                None => self.0.push(WarpSplit { pc, mask }),
            }
        }
        self.0.sort_by_key(|split| (split.mask.count(), Reverse(split.pc)));
    }
}

impl WarpPolicy for MostLanes {
    const NAME: &'static str = "MostLanes";
    const MARKERS: Markers = Markers::None;

    fn start(start: WarpStart<'_>) -> Self {
        Self(vec![start.split])
    }
    fn current(&self) -> Option<WarpSplit> {
        self.0.last().copied()
    }
    fn advance(&mut self, next: Pc) {
        let all = self.0[self.0.len() - 1].mask;
        self.go([(next, all), (next, LaneMask::EMPTY)]);
    }
    fn branch(&mut self, Branch { taken, target, next, .. }: Branch) {
        let all = self.0[self.0.len() - 1].mask;
        self.go([(target, taken), (next, all - taken)]);
    }
    fn exit(&mut self) {
        self.0.pop();
    }
    fn splits(&self) -> Vec<WarpSplit> {
        self.0.iter().rev().copied().collect()
    }
}

fn issues<P: Policy>() -> Result<Report, LaunchError> {
    let start: Vec<u32> = (1..=1024).collect();
    let mut steps = vec![0; start.len()];
    let report = Gpu::<P>::default().launch(Grid::new(8, 128), collatz(&start, &mut steps))?;
    assert_eq!(steps[26], 111);
    Ok(report)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Random kernels at every warp width, against a reference, with the invariants of every step.
    check_policy::<MostLanes>(0..100, Faults::Never).map_err(|disagreement| disagreement.to_string())?;
    check_policy::<MostLanes>(100..150, Faults::Sometimes).map_err(|disagreement| disagreement.to_string())?;
    println!("MostLanes passes the suite. Collatz from 1 to 1024:");
    for report in [issues::<MostLanes>()?, issues::<Ipdom>()?] {
        let efficiency = 100.0 * report.simd_efficiency();
        println!("{:10} {:6} issues, SIMD efficiency {efficiency:.1} %", report.policy(), report.issues());
    }
    Ok(())
}
