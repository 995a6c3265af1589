//! What the papers say, and whether it is so here.

use super::{ALL_THREADS, FEW_THREADS, MECHANISMS, benchmarks, divergent, from, mean_speed, real, setup, speed};
use crate::claims::{LESS, List, MORE, Must};
use crate::programs::{Scale, number};
use crate::setup::Mechanism;

pub(super) fn claims(list: &mut List<'_>, _scale: Scale) {
    compaction(list);
    subdivision(list);
    paths(list);
}

/// HPCA 2011.
fn compaction(list: &mut List<'_>) {
    let results = list.results;
    let suffering = divergent(results, &real(), ALL_THREADS);
    let over = |base| mean_speed(results, &suffering, Mechanism::Compaction, base, ALL_THREADS);
    list.factor("HPCA'11", "Divergent programs: compaction is 22 % faster than stacks", over(Mechanism::Pdom), 1.22);
    list.factor("HPCA'11", "Divergent programs: compaction is 17 % faster than DWF", over(Mechanism::Majority), 1.17);
    let coherent: Vec<usize> = real().into_iter().filter(|program| !suffering.contains(program)).collect();
    let over = |mechanism| mean_speed(results, &coherent, mechanism, Mechanism::Pdom, ALL_THREADS);
    let (compaction, dwf) = (over(Mechanism::Compaction), over(Mechanism::Majority));
    list.says("HPCA'11", "Other programs: compaction does not slow them down", compaction, Must::Above(0.97));
    list.says("HPCA'11", "Other programs: compaction is no slower than DWF", compaction / dwf, Must::AtLeast(0.99));
    let black = |mechanism| list.over("Black", setup(mechanism, ALL_THREADS), setup(Mechanism::Pdom, ALL_THREADS));
    let (compaction, dwf) = (black(Mechanism::Compaction), black(Mechanism::Majority));
    list.says("HPCA'11", "Black: what DWF loses by starvation compaction does not", compaction / dwf, MORE);
}

/// ISCA 2010.
fn subdivision(list: &mut List<'_>) {
    let results = list.results;
    for (text, threads) in [("768 threads", ALL_THREADS), ("128 threads", FEW_THREADS)] {
        let over = |mechanism, base| mean_speed(results, &real(), mechanism, base, threads);
        let best = over(Mechanism::SubdivisionByPc, Mechanism::Pdom);
        list.factor("ISCA'10", format!("Subdivision is 1.7 times as fast as stacks, {text} a core"), best, 1.7);
        let loads = over(Mechanism::SubdivisionAtLoads, Mechanism::Subdivision);
        list.says("ISCA'10", format!("Subdivision at loads gains over that at branches, {text} a core"), loads, MORE);
        let limited = over(Mechanism::SubdivisionLimited, Mechanism::SubdivisionByPc);
        let text = format!("Parts that meet before each branch gain less than those that need not, {text} a core");
        list.says("ISCA'10", text, limited, LESS);
    }
    let most = |threads| {
        let speeds = real()
            .into_iter()
            .filter_map(|program| speed(results, program, Mechanism::SubdivisionByPc, Mechanism::Pdom, threads));
        speeds.fold(0.0, f64::max)
    };
    list.says(
        "ISCA'10",
        "With few warps a core subdivision gains more: the highest gain",
        most(FEW_THREADS),
        Must::Be("more than with 768", most(FEW_THREADS) > 1.01 * most(ALL_THREADS)),
    );
}

/// HPCA 2014, and likely convergence points.
fn paths(list: &mut List<'_>) {
    let results = list.results;
    let suffering = divergent(results, &real(), ALL_THREADS);
    let multi = mean_speed(results, &suffering, Mechanism::MultiPath, Mechanism::Pdom, ALL_THREADS);
    list.factor("HPCA'14", "Divergent programs: multi-path is 32 % faster than stacks", multi, 1.32);
    let few = divergent(results, &real(), FEW_THREADS);
    let multi = mean_speed(results, &few, Mechanism::MultiPath, Mechanism::Pdom, FEW_THREADS);
    list.factor("HPCA'14", "The same with 128 threads a core", multi, 1.32);
    let everything = [benchmarks(), from("gallery")].concat();
    let speeds = everything
        .iter()
        .filter_map(|&program| speed(results, program, Mechanism::MultiPath, Mechanism::Pdom, ALL_THREADS));
    let most = speeds.fold(0.0, f64::max);
    list.number("HPCA'14", "The highest gain of multi-path is 7 times", most, 7.0, Must::Above(2.0));
    let issues = |name: &str, mechanism| results.of(number(name), setup(mechanism, ALL_THREADS)).issues as f64;
    for name in ["string_search", "n_queens", "interpreter", "k15_fig6", "k15_cross"] {
        let fewer = issues(name, Mechanism::LikelyConvergence) / issues(name, Mechanism::Pdom);
        list.says("here", format!("{name}: likely convergence points save issues of a stack"), fewer, LESS);
    }
    let slowest = |name: &str| {
        let mimd = results.of(number(name), setup(Mechanism::Mimd, ALL_THREADS)).ipc;
        MECHANISMS
            .iter()
            .all(|&(_, mechanism)| results.of(number(name), setup(mechanism, ALL_THREADS)).ipc <= 1.01 * mimd)
    };
    let bound = ["HMMer", "Black", "Bitonic", "FFT", "LU"].iter().filter(|name| slowest(name)).count() as f64;
    list.says("TACO'09", "MIMD bounds them all where memory does not (programs of 5)", bound, Must::AtLeast(5.0));
}
