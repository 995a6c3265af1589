//! Means over kernels.

use simt::clock::Stall;
use simt::hierarchy::CacheFigures;

use crate::runs::{Results, Run};

/// The harmonic mean: of rates, that of the same work in each. `None` if there is nothing.
pub(crate) fn harmonic(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + 1.0 / value));
    (count > 0).then(|| f64::from(count) / sum)
}

fn arithmetic(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

/// The means of a policy over kernels, each of which counts the same.
pub(crate) struct Means {
    /// Harmonic mean.
    pub(crate) ipc: Option<f64>,
    pub(crate) efficiency: Option<f64>,
    /// The share of each stall in the cycles of warps that were on a core.
    pub(crate) stalls: Vec<(&'static str, Option<f64>)>,
    /// The part of the time in which the memory's data buses carried bytes.
    pub(crate) bandwidth: Option<f64>,
    /// The mean over the kernels that reach the memory.
    pub(crate) row_hits: Option<f64>,
    /// Miss rates of the first and second level, pending hits counted as misses and not; of kernels that use the level.
    pub(crate) misses: [[Option<f64>; 2]; 2],
}

impl Means {
    /// The means of the policy of that number, over the kernels that end under all.
    pub(crate) fn of(results: &Results, policy: usize) -> Self {
        let runs: Vec<&Run> = results.common().filter_map(|row| row.runs[policy].as_ref().ok()).collect();
        let mean = |value: &dyn Fn(&Run) -> Option<f64>| arithmetic(runs.iter().filter_map(|run| value(run)));
        let level = |name: &str| {
            [CacheFigures::miss_rate, CacheFigures::miss_rate_without_pending_hits].map(|rate| {
                mean(&|run| {
                    let cache = run.memory.cache(name)?;
                    (cache.accesses > cache.passed).then(|| rate(cache))
                })
            })
        };
        let stalls = Stall::ALL.iter().filter(|&&stall| stall != Stall::NoBlock);
        Self {
            ipc: harmonic(runs.iter().map(|run| run.ipc)),
            efficiency: mean(&|run| Some(run.efficiency)),
            stalls: stalls.map(|&stall| (stall.name(), mean(&|run| Some(run.stalls.share(stall))))).collect(),
            bandwidth: mean(&|run| Some(run.bandwidth)),
            row_hits: mean(&|run| {
                let dram = run.memory.dram()?;
                (dram.row_hits + dram.row_misses > 0).then(|| dram.row_hit_rate())
            }),
            misses: [level("l1"), level("l2")],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::example;

    #[test]
    fn harmonic_means_are_those_of_times() {
        assert_eq!(harmonic([1.0, 2.0, 2.0].into_iter()), Some(1.5));
        assert_eq!(harmonic(std::iter::empty()), None);
    }

    #[test]
    fn kernels_that_do_not_end_everywhere_do_not_count() {
        let results = example(&["A", "B"], &[("a", &[1.0, 4.0]), ("b", &[3.0, 4.0]), ("lock", &[0.0, 100.0])]);
        assert_eq!(Means::of(&results, 0).ipc, Some(1.5));
        let b = Means::of(&results, 1);
        assert_eq!((b.ipc, b.efficiency, b.bandwidth), (Some(4.0), Some(0.5), Some(0.25)));
        assert_eq!((b.row_hits, b.misses), (None, [[None; 2]; 2]));
    }
}
