//! A policy of one's own, in a crate of one's own: `cargo run --release --example own_policy`.
//!
//! It is one type; the suite that our policies pass is `simt::testing::check_policy`, behind the feature `testing`.

#![expect(clippy::print_stdout, reason = "an example that prints")]

#[path = "support/collatz.rs"]
mod support;

use simt::core::code::{Markers, Pc};
use simt::prelude::*;
use simt::testing::{Faults, check_policy};
use simt::{Branch, WarpSplit};
use support::collatz;

/// The greatest group of lanes runs first, as under `Dwf<Majority>` but within the warp; groups meet where they happen to
/// come to the same address. Whoever is few waits for long, so locks hang; what ends without help from others ends. It has no
/// `park`: a vote whose lanes are apart is a deadlock.
#[derive(Clone, Debug, PartialEq)]
struct MostLanes(Vec<WarpSplit>);

impl MostLanes {
    /// Merges groups at one address, and puts the greatest last; of several the one that is furthest behind.
    fn settle(&mut self) {
        self.0.sort_by_key(|split| split.pc);
        self.0.dedup_by(|split, before| {
            let same = split.pc == before.pc;
            if same {
                before.mask |= split.mask;
            }
            same
        });
        self.0.sort_by_key(|split| (split.mask.count(), std::cmp::Reverse(split.pc)));
    }
}

impl ReconvergencePolicy for MostLanes {
    const NAME: &'static str = "MostLanes";
    const MARKERS: Markers = Markers::None;

    fn start(split: WarpSplit) -> Self {
        Self(vec![split])
    }
    fn current(&self) -> Option<WarpSplit> {
        self.0.last().copied()
    }
    fn advance(&mut self, next: Pc) {
        if let Some(current) = self.0.last_mut() {
            current.pc = next;
        }
        self.settle();
    }
    fn branch(&mut self, branch: Branch) {
        let Some(current) = self.0.pop() else { return };
        let sides = [(branch.target, branch.taken), (branch.next, current.mask - branch.taken)];
        let sides = sides.into_iter().filter(|(_, mask)| !mask.is_empty());
        self.0.extend(sides.map(|(pc, mask)| WarpSplit { pc, mask }));
        self.settle();
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
