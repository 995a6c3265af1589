//! A sweep of 2,000 small points.

use simt::prelude::*;
use simt_sweep::{Figures, Sweep, policy};
use std::process::ExitCode;

#[kernel]
fn collatz(start: &[u32], steps: &mut [u32]) {
    let i = global_id();
    if i >= start.len() {
        return;
    }
    let mut n = start[i];
    while n != 1 {
        if n % 2 == 0 {
            n /= 2;
        } else {
            n = 3 * n + 1;
        }
        steps[i] += 1;
    }
}

fn main() -> ExitCode {
    Sweep::new("many")
        .kernel("collatz", |point| {
            let start: Vec<u32> = (1..=point.input("n")?).collect();
            let mut steps = vec![0; start.len()];
            let report = point.launch(Grid::covering(start.len(), 64), collatz(&start, &mut steps))?;
            Ok(Figures::of(&report).with("steps", steps.iter().sum::<u32>()))
        })
        .policies([policy::<Ipdom>(), policy::<Hanoi>(), policy::<MinPc>(), policy::<Mimd>()])
        .field("warp_width", [4, 8, 16, 32, 64])
        .inputs("n", 1..=100)
        .main()
}
