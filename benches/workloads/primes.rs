//! Trial division: how many of eight neighbouring numbers are primes. Loops in loops, with `continue` and `break`.

use super::{Workload, grid};
use simt::prelude::*;

pub(crate) struct Primes {
    counts: Vec<u32>,
}

/// Numbers that a thread tests.
const EACH: u32 = 8;

#[kernel]
fn primes(counts: &mut [u32]) {
    let i = global_id();
    if i >= counts.len() {
        return;
    }
    let first = i as u32 * EACH + 3;
    let mut count = 0;
    for number in first..first + EACH {
        if number % 2 == 0 {
            continue;
        }
        let mut divisor = 3;
        let mut prime = true;
        while divisor * divisor <= number {
            if number % divisor == 0 {
                prime = false;
                break;
            }
            divisor += 2;
        }
        if prime {
            count += 1;
        }
    }
    counts[i] = count;
}

fn is_prime(number: u32) -> bool {
    if number.is_multiple_of(2) {
        return false;
    }
    let mut divisor = 3;
    while divisor * divisor <= number {
        if number.is_multiple_of(divisor) {
            return false;
        }
        divisor += 2;
    }
    true
}

#[inline(never)]
fn scalar(counts: &mut [u32]) {
    for (i, count) in (0u32..).zip(counts) {
        let first = i * EACH + 3;
        *count = (first..first + EACH).map(|number| u32::from(is_prime(number))).sum();
    }
}

impl Workload for Primes {
    const NAME: &'static str = "primes";
    const FULL: usize = 1 << 15;

    fn new(items: usize) -> Self {
        Self { counts: vec![0; items] }
    }

    fn reset(&mut self) {
        self.counts.fill(u32::MAX);
    }

    fn scalar(&mut self) {
        scalar(&mut self.counts);
    }

    fn launch<P: Policy>(&mut self, gpu: &Gpu<P>) -> Result<Report, LaunchError> {
        gpu.launch(grid(self.counts.len()), primes(&mut self.counts))
    }

    fn output(&self) -> Vec<u32> {
        self.counts.clone()
    }
}
