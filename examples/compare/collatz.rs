//! Collatz: how many steps each number takes to reach 1.
//!
//! Neighbouring numbers take very different times, so a warp waits for its slowest thread; and
//! every step takes one side or the other of an `if`.

#[path = "../support/collatz.rs"]
pub(crate) mod kernel;

use simt::prelude::*;

use crate::workload::{Launch, Workload, grouped};
use kernel::collatz;

/// Counts the steps of 1, 2, ... `starts`.
pub(crate) struct Collatz {
    starts: Vec<u64>,
}

fn steps_to_one(start: u64) -> u32 {
    let mut n = start;
    let mut count = 0;
    while n != 1 {
        n = if n.is_multiple_of(2) { n / 2 } else { 3 * n + 1 };
        count += 1;
    }
    count
}

impl Collatz {
    pub(crate) fn new(starts: u64) -> Self {
        Self { starts: (1..=starts).collect() }
    }
}

impl Workload for Collatz {
    type Item = u32;
    const NAME: &'static str = "collatz";

    fn host(&self) -> Vec<u32> {
        self.starts.iter().copied().map(steps_to_one).collect()
    }

    fn device(&self, launch: &Launch<'_>) -> Result<(Vec<u32>, Report), LaunchError> {
        let mut steps = vec![0; self.starts.len()];
        let report = launch(Grid::covering(steps.len(), 128), collatz(&self.starts, &mut steps))?;
        Ok((steps, report))
    }

    fn summary(&self, steps: &[u32]) -> String {
        let (start, most) = (1..).zip(steps).max_by_key(|&(_, steps)| steps).unwrap_or((1, &0));
        let starts = grouped(self.starts.len() as u64);
        format!("steps from 1, 2, ... {starts} down to 1; {} takes the most, {most}", grouped(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_step_counts() {
        assert_eq!(Collatz::new(9).host(), [0, 1, 7, 2, 5, 8, 16, 3, 19]);
        assert_eq!(steps_to_one(27), 111);
        // Passes 2^32 on its way.
        assert_eq!(steps_to_one(159_487), 183);
    }
}
