//! M. Abaie Shoushtary, J. Tubella Murgadas and A. González, *Control Flow Management in Modern GPUs*: Hanoi, Turing's
//! control-flow instructions on two stacks.
//!
//! The paper compares with the hardware. Here `ConvergenceBarriers` stands for it, whose barriers are where NVIDIA's assembler
//! puts them for the same chip; so what the paper says of Turing is not tried, but what it says of its mechanism is.

mod claims;
mod pages;

use crate::programs::{Scale, all};
use crate::runner::{Needs, Results};
use crate::setup::{Board, Mechanism, Setup};
use crate::study::{Figure, Study};
use crate::traces::{Distance, PAIRS};

pub(crate) const STUDY: Study = Study {
    name: "hanoi",
    title: "Control Flow Management in Modern GPUs, run again",
    figures: &FIGURES,
    claims: claims::claims,
};

const FIGURES: [Figure; 5] = [
    Figure {
        name: "traces",
        title: "Figure 9: discrepancy of control-flow traces",
        needs: traces,
        page: pages::traces,
    },
    Figure { name: "reasons", title: "Which programs differ, and why", needs: traces, page: pages::reasons },
    Figure { name: "overhead", title: "Control-flow instructions beside others", needs: traces, page: pages::overhead },
    Figure { name: "stacks", title: "Section IX-A: stacks and storage", needs: traces, page: pages::stacks },
    Figure { name: "ipc", title: "Figure 10: IPC on Turing", needs: both, page: pages::ipc },
];

/// The mechanisms on Turing, in the order of [`crate::traces::MECHANISMS`].
const SETUPS: [Setup; 3] = [on(Mechanism::Hanoi), on(Mechanism::ConvergenceBarriers), on(Mechanism::Pdom)];

const fn on(mechanism: Mechanism) -> Setup {
    Setup::new(mechanism).on(Board::Turing).with_threads(512)
}

fn traces(needs: &mut Needs, _scale: Scale) {
    needs.traces.extend(0..all().len());
}

fn both(needs: &mut Needs, scale: Scale) {
    traces(needs, scale);
    for program in 0..all().len() {
        SETUPS.iter().for_each(|setup| needs.one(program, *setup));
    }
}

/// Whether a program is one of the benchmarks, and not a twin, which is there to try where barriers stand.
fn is_benchmark(program: usize) -> bool {
    all()[program].origin() != "placement"
}

/// The programs whose traces can be compared, with the distances of a pair of mechanisms.
fn distances(results: &Results, pair: (usize, usize)) -> Vec<(usize, Distance)> {
    let at = PAIRS.iter().position(|other| *other == pair).unwrap_or(0);
    results.traces.iter().filter_map(|(&program, traces)| Some((program, traces.distances[at]?))).collect()
}

/// The same of the benchmarks.
fn of_benchmarks(results: &Results, pair: (usize, usize)) -> Vec<Distance> {
    distances(results, pair).into_iter().filter(|(program, _)| is_benchmark(*program)).map(|(_, found)| found).collect()
}

/// A mean.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    if count == 0.0 { 0.0 } else { sum / count }
}

/// Programs that end under all three, and by how much they are faster under a mechanism than under another.
fn gains(results: &Results, one: usize, other: usize) -> Vec<(usize, f64)> {
    let ends = |&program: &usize| SETUPS.iter().all(|setup| results.of(program, *setup).unending.is_none());
    let ipc = |program, number: usize| results.of(program, SETUPS[number]).ipc;
    let known = results.traces.keys().copied().filter(ends);
    known.map(|program| (program, ipc(program, one) / ipc(program, other) - 1.0)).collect()
}

/// Bytes of a warp's stacks (section IX-A): entries of WS with an address and a mask of 4 bytes each, of REC with an address
/// and 3 bits, 8 registers, the waiting and the finished mask.
fn storage(splits: u64, reconvergence: u64) -> u64 {
    8 * splits + (reconvergence * 35).div_ceil(8) + 8 * 4 + 2 * 4
}

/// Bytes of a SIMT stack of so many entries: two addresses and a mask.
fn stack_storage(entries: u64) -> u64 {
    12 * entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_storage_is_what_the_paper_prints() {
        assert_eq!(storage(32, 31), 432);
        // "Almost 43 % less": all 63 entries of the two stacks in one.
        assert!((1.0 - 432.0 / stack_storage(63) as f64 - 0.43).abs() < 0.005);
    }
}
