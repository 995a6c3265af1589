//! The algorithms that the benches run: each as a kernel, and as plain scalar Rust of the same steps.
//!
//! An algorithm is one file that implements [`Workload`] and one row of [`for_each_workload!`]. [`verified`] must have
//! passed before a bench reports anything of it.

mod bfs;
mod bitonic;
mod collatz;
mod gather;
mod mandel;
mod primes;
mod reduce;
mod saxpy;
mod search;

pub(crate) use bfs::Bfs;
pub(crate) use bitonic::Bitonic;
pub(crate) use collatz::{CollatzU32, CollatzU64};
pub(crate) use gather::Gather;
pub(crate) use mandel::Mandel;
pub(crate) use primes::Primes;
pub(crate) use reduce::Reduce;
pub(crate) use saxpy::Saxpy;
pub(crate) use search::Search;

use simt::prelude::*;

/// Threads of a block.
const BLOCK: usize = 256;

/// Items of a run that only shows that the bench works.
const SMOKE: usize = 2048;

/// An algorithm and its input; thread *i* computes item *i*.
pub(crate) trait Workload {
    /// Its name in the results.
    const NAME: &'static str;
    /// Items of the size that figures are given for.
    const FULL: usize;
    /// Items of the size that runs under every policy.
    const BENCHED: usize = Self::FULL;
    /// The [`checksum`] of the full size's result, where it is known from another implementation.
    const CHECKSUM: Option<u64> = None;

    /// The input for a number of items.
    fn new(items: usize) -> Self;

    /// Resets the output to its contents before the first run.
    fn reset(&mut self);

    /// Runs it as plain Rust, one item after the other.
    fn scalar(&mut self);

    /// Runs it as a kernel.
    fn launch<P: Policy>(&mut self, gpu: &Gpu<P>) -> Result<Report, LaunchError>;

    /// The output's bits.
    fn output(&self) -> Vec<u32>;
}

/// Runs a block of code once per algorithm.
macro_rules! for_each_workload {
    ($workload:ident => $body:expr) => {
        for_each_workload!(
            @rows $workload, $body,
            Saxpy Mandel CollatzU32 CollatzU64 Search Gather Bfs Primes Reduce Bitonic
        )
    };
    (@rows $workload:ident, $body:expr, $($name:ident)*) => {{
        $({
            type $workload = crate::workloads::$name;
            $body;
        })*
    }};
}
pub(crate) use for_each_workload;

/// Whether the process was started to measure, as `cargo bench` does; `cargo test --benches` and `-- --test` only see
/// whether everything works.
pub(crate) fn measures() -> bool {
    let has = |flag| std::env::args().any(|argument| argument == flag);
    has("--bench") && !has("--test") && !has("--list")
}

/// The items to run under every policy.
pub(crate) fn benched<W: Workload>() -> usize {
    if measures() { W::BENCHED } else { W::BENCHED.min(SMOKE) }
}

/// The report of a launch whose result is that of the scalar run, and the known one where there is one.
///
/// # Panics
/// If the launch fails or has another result: a measurement would then mean nothing.
pub(crate) fn verified<W: Workload, P: Policy>(workload: &mut W, gpu: &Gpu<P>) -> Report {
    workload.reset();
    workload.scalar();
    let expected = workload.output();
    if let Some(known) = W::CHECKSUM
        && expected.len() == W::FULL
    {
        assert_eq!(checksum(&expected), known, "{}: the scalar run's checksum", W::NAME);
    }
    workload.reset();
    let report = workload.launch(gpu).unwrap_or_else(|error| panic!("{} under {}: {error}", W::NAME, P::name()));
    if let Some(item) = workload.output().iter().zip(&expected).position(|(left, right)| left != right) {
        panic!("{} under {}: item {item} differs from the scalar run's", W::NAME, P::name());
    }
    report
}

/// The sum of `out[i] * (2i + 1)`, modulo 2^64.
fn checksum(output: &[u32]) -> u64 {
    (0u64..).zip(output).fold(0, |sum, (i, &bits)| sum.wrapping_add(u64::from(bits).wrapping_mul(2 * i + 1)))
}

/// Grid of one thread an item.
fn grid(items: usize) -> Grid {
    Grid::covering(items, BLOCK)
}

/// A hashed number: the finaliser "lowbias32" of Chris Wellons' hash prospector.
pub(crate) fn hash(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}
