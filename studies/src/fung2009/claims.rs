//! What the text of the paper says of its figures, and whether it is so here.

use super::behaviour::{overflows, sampled, spread};
use super::limits::rates;
use super::performance::{BANKS, thread_counts, utilisations};
use super::{MECHANISMS, SCHEDULES, printed, tables};
use crate::claims::{LESS, List, MORE, Must};
use crate::programs::{PROGRAMS, Scale, number};
use crate::runner::harmonic;
use crate::setup::{Formation, Mechanism, Setup};

/// All sentences, with our numbers.
pub(super) fn claims(list: &mut List<'_>, scale: Scale) {
    mechanisms(list);
    memory(list);
    schedules(list);
    hardware(list);
    machines(list, scale);
    limits(list);
}

/// Figures 1 and 13.
fn mechanisms(list: &mut List<'_>) {
    let means = MECHANISMS.map(|(_, setup)| list.mean(setup));
    list.says(
        "Fig. 1",
        "NREC < PDOM < DWF < MIMD",
        means[3] / means[0],
        Must::Be("in this order", means.is_sorted_by(|slower, faster| slower < faster)),
    );
    list.factor("Fig. 13", "PDOM is 45 % faster than NREC", means[1] / means[0], printed::PDOM_OVER_NREC);
    list.factor("Fig. 13", "DWF is 47 % faster than PDOM", means[2] / means[1], printed::DWF_OVER_PDOM);
    list.number(
        "Fig. 13",
        "MIMD differs from DWF by only 11 %",
        means[3] / means[2],
        printed::MIMD_OVER_DWF,
        Must::Between(1.0, 1.22),
    );
    list.factor("1", "DWF is 114 % faster than NREC", means[2] / means[0], printed::DWF_OVER_NREC);
    for name in ["FFT", "Matrix"] {
        let over = list.over(name, Setup::DWF, Setup::PDOM);
        list.says("Fig. 13", format!("{name}: DWF performs as well as PDOM"), over, Must::Between(0.9, 1.1));
        let best = list.ipc(name, Setup::PDOM).max(list.ipc(name, Setup::DWF));
        let over = list.ipc(name, Setup::MIMD) / best;
        list.says("Fig. 13", format!("{name}: MIMD outperforms both"), over, MORE);
    }
    for name in ["HMMer", "LBM", "Bitonic", "LU"] {
        let others = MECHANISMS[..3].iter().map(|(_, setup)| list.ipc(name, *setup)).fold(0.0, f64::max);
        let over = list.ipc(name, Setup::MIMD) / others;
        list.says("Fig. 13", format!("{name}: MIMD performs the best"), over, MORE);
    }
    for name in ["Bitonic", "LU"] {
        let over = list.over(name, Setup::DWF, Setup::PDOM);
        list.says("Fig. 13", format!("{name}: DWF achieves a significant speedup over PDOM"), over, Must::Above(1.1));
    }
    let over = list.over("LBM", Setup::DWF, Setup::PDOM);
    list.says("Fig. 13", "LBM sees little gain from DWF", over, Must::Between(0.9, 1.1));
    let over = list.over("Black", Setup::DWF, Setup::PDOM);
    list.factor("6.7", "Black: DWF is 23 % slower than PDOM", over, printed::BLACK);
    let over = list.over("HMMer", Setup::DWF, Setup::PDOM);
    list.factor("6.7", "HMMer: DWF is 2.95 times as fast as PDOM", over, printed::HMMER);
}

/// Tables II to V.
fn memory(list: &mut List<'_>) {
    let of = |name: &str, setup: Setup| list.results.of(number(name), setup).clone();
    let lbm = 100.0 * of("LBM", Setup::PDOM).bandwidth;
    let lu = 100.0 * of("LU", Setup::MIMD).bandwidth;
    let black = 100.0 * of("Black", Setup::PDOM).bandwidth;
    let hmmer = of("HMMer", Setup::DWF).misses / of("HMMer", Setup::PDOM).misses;
    let [bitonic, fluid] = [of("Bitonic", Setup::DWF), of("LBM", Setup::DWF)];
    list.number("Table II", "LBM is limited by the bandwidth: 94.71 % of it under PDOM", lbm, 94.71, Must::Above(80.0));
    list.number("Table II", "LU hardly reaches the memory: 1.58 % under MIMD", lu, 1.58, Must::Below(5.0));
    list.number("Table II", "Black hardly reaches the memory: 8.18 % under PDOM", black, 8.18, Must::Below(20.0));
    list.number(
        "Table III",
        "HMMer: DWF misses less than half as often as PDOM",
        hmmer,
        5.05 / 13.37,
        Must::Below(0.5),
    );
    let ratio = bitonic.misses / fluid.misses;
    list.number("Table III", "Bitonic misses more than LBM, pending hits included", ratio, 30.67 / 14.56, MORE);
    let ratio = bitonic.misses_without_pending / fluid.misses_without_pending;
    list.number("Table IV", "Bitonic misses less than LBM without pending hits", ratio, 3.84 / 13.57, LESS);
    let area = 100.0 * tables::area_of_chip() / 470.0;
    list.says("Table V", "The area is 8 % of the chip (% from the printed areas)", area, Must::Between(7.5, 8.5));
}

/// Figures 14 to 16.
fn schedules(list: &mut List<'_>) {
    let ideal = SCHEDULES.map(|(_, mechanism)| list.mean(Setup::ideal(mechanism)));
    let [majority, minority, time, pdom_priority, lowest_pc] = ideal;
    let best = ideal[1..].iter().copied().fold(0.0, f64::max);
    list.says(
        "Fig. 14",
        "DMaj is the best of the five when lane conflicts are ignored",
        majority / best,
        Must::AtLeast(1.0),
    );
    list.factor(
        "Fig. 14",
        "DMaj is 66 % faster than PDOM",
        majority / list.mean(Setup::PDOM),
        printed::IDEAL_OVER_PDOM,
    );
    let (poor, good) = (minority.max(time), majority.min(pdom_priority).min(lowest_pc));
    list.says("Fig. 14", "DMin and DTime do poorly: slower than the other three", poor / good, LESS);
    let over = list.over("Black", Setup::ideal(Mechanism::Majority), Setup::PDOM);
    list.says("6.2", "Black: DMaj is slower than PDOM when lane conflicts are ignored", over, LESS);
    let better = |program: usize| {
        let of = |mechanism| list.results.of(program, Setup::ideal(mechanism)).ipc;
        of(Mechanism::LowestPc).max(of(Mechanism::PdomPriority)) > of(Mechanism::Majority)
    };
    let cases = (0..PROGRAMS.len()).filter(|&program| better(program)).count();
    list.says("Fig. 14", "In some cases DPC or DPdPri is better than DMaj (programs)", cases as f64, Must::Above(0.0));
    let low = |mechanism| {
        let share = |program| list.results.of(program, Setup::ideal(mechanism)).slot_share("W1-4");
        (0..PROGRAMS.len()).map(share).sum::<f64>()
    };
    let good =
        [Mechanism::Majority, Mechanism::PdomPriority, Mechanism::LowestPc].map(low).into_iter().fold(0.0, f64::max);
    let poor = [Mechanism::Minority, Mechanism::TimeStamp].map(low).into_iter().fold(f64::MAX, f64::min);
    list.says(
        "Fig. 15",
        "Schedules that do well issue fewer warps of 1 to 4 threads than DMin and DTime",
        good / poor,
        LESS,
    );
    let unused = |mechanism| {
        let measured = list.results.of(number("Black"), Setup::ideal(mechanism));
        1.0 - measured.slot_share("W29-32")
    };
    let ratio = unused(Mechanism::PdomPriority) / unused(Mechanism::Majority);
    list.says(
        "Fig. 15",
        "Black: idle slots and warps that are not full, of DMaj, are mostly eliminated by DPdPri",
        ratio,
        Must::Below(0.5),
    );
    let [majority, priority] = sampled().map(|(_, setup)| spread(list.results.of(number("Black"), setup)));
    list.says(
        "Fig. 16",
        "Black: DMaj starves threads and DPdPri does not (spread of progress, DPdPri over DMaj)",
        priority / majority,
        Must::Below(0.5),
    );
    let [majority, priority] =
        [Mechanism::Majority, Mechanism::PdomPriority].map(|mechanism| list.ipc("Black", Setup::ideal(mechanism)));
    list.says("Fig. 16", "Black: DPdPri is faster than DMaj", priority / majority, MORE);
}

/// Figures 17, 18 and 21, and section 6.3.
fn hardware(list: &mut List<'_>) {
    let ideal = Setup::ideal(Mechanism::Majority);
    let unbounded = Setup::DWF.of_formation(Formation::Unbounded);
    let conflicts = Setup::DWF.of_formation(Formation::Conflicts);
    let priority = Setup::new(Mechanism::PdomPriority);
    list.factor(
        "Fig. 17",
        "Lane aware, DWF has 89 % of the ideal's speed",
        list.mean_over(Setup::DWF, ideal),
        printed::OF_IDEAL,
    );
    let over = list.mean_over(conflicts, Setup::DWF);
    list.says("Fig. 17", "Without lane awareness, conflicts of register banks make DWF slower", over, LESS);
    list.factor(
        "6.4",
        "DPdPri is 31 % faster than PDOM",
        list.mean_over(priority, Setup::PDOM),
        printed::PRIORITY_OVER_PDOM,
    );
    list.factor(
        "6.4",
        "DPdPri is slower than DMaj with lane awareness",
        list.mean_over(priority, Setup::DWF),
        printed::PRIORITY_OVER_PDOM / printed::DWF_OVER_PDOM,
    );
    list.factor("6.4", "Black: DPdPri has 99 IPC and DMaj 89", list.over("Black", priority, Setup::DWF), 99.0 / 89.0);
    list.factor("6.4", "HMMer: DPdPri has 12 IPC and DMaj 24", list.over("HMMer", priority, Setup::DWF), 0.5);
    list.factor("6.3", "Without limits of the heap DWF is 6.1 % faster", list.mean_over(unbounded, Setup::DWF), 1.061);
    list.factor(
        "6.3",
        "Without limits of the heap DWF is 56.3 % faster than PDOM",
        list.mean_over(unbounded, Setup::PDOM),
        printed::UNBOUNDED_OVER_PDOM,
    );
    let gain = list.over("HMMer", unbounded, Setup::DWF);
    let others = PROGRAMS.iter().filter(|program| program.name != "HMMer");
    let most = others.map(|program| list.over(program.name, unbounded, Setup::DWF)).fold(0.0, f64::max);
    list.factor("6.3", "HMMer: 24 IPC without limits of the heap, and 18 with them", gain, 24.0 / 18.0);
    list.says(
        "6.3",
        "The gain without limits comes completely from HMMer (highest gain of another)",
        most,
        Must::Be("< 1.01, HMMer's > 1.03", most < 1.01 && gain > 1.03),
    );

    let gains = |pair: &[(&str, Setup)]| list.mean(pair[1].1) / list.mean(pair[0].1);
    let all: Vec<f64> = BANKS.chunks(2).map(gains).collect();
    let (least, most) = (all.iter().copied().fold(f64::MAX, f64::min), all.iter().copied().fold(0.0, f64::max));
    list.says(
        "Fig. 18",
        "Without conflicts of cache banks all mechanisms gain by a similar amount",
        most / least,
        Must::Be("< 1.1, each > 1.01", least > 1.01 && most / least < 1.1),
    );
    let gain = |name: &str| list.over(name, BANKS[1].1, BANKS[0].1);
    let least = ["Black", "LU", "Matrix"].map(gain).into_iter().fold(f64::MAX, f64::min);
    let most = ["HMMer", "LBM", "Bitonic", "FFT"].map(gain).into_iter().fold(0.0, f64::max);
    list.says(
        "Fig. 18",
        "Conflicts have greater effect on Black, LU and Matrix than on the others",
        least / most,
        MORE,
    );
    let benefit = list.mean_over(BANKS[3].1, BANKS[1].1) / list.mean_over(Setup::DWF, Setup::PDOM);
    list.says(
        "Fig. 18",
        "The benefit of DWF does not diminish due to conflicts of cache banks",
        benefit,
        Must::Below(1.05),
    );

    let count = |name: &str| {
        (0..PROGRAMS.len()).map(|program| list.results.of(program, Setup::DWF).count(name)).max().unwrap_or(0) as f64
    };
    let (warps, heap) = (count("warp pool entries, most"), count("heap entries, most"));
    list.says("Fig. 21", "The warp pool stays under a sixth of its worst case of 768", warps, Must::AtMost(128.0));
    list.says("Fig. 21", "64 entries are enough for the Max-Heap", heap, Must::AtMost(64.0));
    let spills = count("warp pool spills");
    list.says("6.8", "A pool of 128 entries costs nothing (most spills of a program)", spills, Must::AtMost(0.0));
    let [small, smaller] = [64, 32].map(|entries| 100.0 * overflows(list.results, entries));
    list.says("Fig. 21", "A pool of 64 entries overflows in under 0.15 % of cases, in %", small, Must::Below(0.15));
    list.number(
        "Fig. 21",
        "A pool of 32 entries overflows in 10 % of cases, in %",
        smaller,
        10.0,
        Must::Between(5.0, 15.0),
    );
}

/// Figures 5, 19 and 20.
fn machines(list: &mut List<'_>, scale: Scale) {
    let ours = utilisations(list.results, scale);
    list.says(
        "Fig. 5",
        "Utilisation falls from MIMD over warps of 8 and 16 to 32",
        ours[3] / ours[0],
        Must::Be("in this order", ours.is_sorted_by(|more, less| more > less)),
    );
    let labels = ["MIMD", "warps of 8", "warps of 16", "warps of 32"];
    for ((label, ours), printed) in labels.iter().zip(ours).zip(printed::UTILISATION) {
        list.number(
            "Fig. 5",
            format!("Utilisation of {label} in %"),
            ours,
            printed,
            Must::Between(0.5 * printed, 1.5 * printed),
        );
    }
    list.factor(
        "3.2",
        "PDOM with warps of 32 is 40 % slower than MIMD",
        list.mean_over(Setup::PDOM, Setup::MIMD),
        0.60,
    );
    let loss = |setup: Setup| list.mean_over(setup, setup.with_warp(8));
    let (pdom, dwf) = (loss(Setup::PDOM), loss(Setup::DWF));
    list.factor("Fig. 19", "From warps of 8 to 32 PDOM loses 24.9 %", pdom, printed::PDOM_WIDER);
    list.factor("Fig. 19", "From warps of 8 to 32 DWF loses 11.2 %", dwf, printed::DWF_WIDER);
    list.says("Fig. 19", "DWF loses less than PDOM", dwf / pdom, MORE);
    let gains = [Setup::PDOM, Setup::DWF]
        .into_iter()
        .flat_map(|setup| PROGRAMS.map(|program| list.over(program.name, setup, setup.with_warp(8))));
    let most = gains.fold(0.0, f64::max);
    list.says("Fig. 19", "No program gains from wider warps (highest gain of any)", most, Must::Below(1.02));
    let narrow = list.mean_over(Setup::PDOM.with_warp(8), Setup::DWF);
    list.factor("6.6", "PDOM with warps of 8 is 10 % slower than DWF with warps of 32", narrow, 0.9);
    let loss = |names: &[&str]| {
        let ipcs = |setup: Setup| names.iter().map(|name| list.ipc(name, setup)).collect::<Vec<_>>();
        harmonic(&ipcs(Setup::PDOM)) / harmonic(&ipcs(Setup::PDOM.with_warp(8)))
    };
    let ratio = loss(&["HMMer", "Bitonic", "LU"]) / loss(&["LBM", "FFT", "Matrix", "Black"]);
    list.says("Fig. 19", "HMMer, Bitonic and LU lose most under PDOM", ratio, LESS);
    let counts = thread_counts(scale);
    let over =
        |list: &List<'_>, threads| list.mean_over(Setup::DWF.with_threads(threads), Setup::PDOM.with_threads(threads));
    for &(threads, printed) in counts.iter().filter(|(threads, _)| *threads != 768) {
        let ours = over(list, threads);
        list.factor("Fig. 20", format!("DWF over PDOM with {threads} threads a core"), ours, printed);
    }
    let all: Vec<f64> = counts.iter().map(|&(threads, _)| over(list, threads)).collect();
    list.says(
        "Fig. 20",
        "The speedup of DWF grows with the threads of a core",
        all[all.len() - 1] / all[0],
        Must::Be("each more than before", all.is_sorted_by(|less, more| less < more)),
    );
    let few = |name: &str| list.over(name, Setup::DWF.with_threads(128), Setup::PDOM.with_threads(128));
    let (hmmer, black) = (few("HMMer"), few("Black"));
    let kept = |name: &str| few(name) / list.over(name, Setup::DWF, Setup::PDOM);
    let others = PROGRAMS.iter().filter(|program| program.name != "HMMer").map(|program| kept(program.name));
    let (left, least) = (kept("HMMer"), others.fold(f64::MAX, f64::min));
    list.factor("6.7", "HMMer with 128 threads: DWF is 25 % slower than PDOM", hmmer, 0.75);
    list.factor("6.7", "Black with 128 threads: DWF is 41 % slower than PDOM", black, 0.59);
    list.says(
        "6.7",
        "Most of what DWF loses with fewer threads is HMMer's (part of its gain that is left)",
        left,
        Must::Be("the least of all", left < 0.99 * least),
    );
}

/// Figure 7.
fn limits(list: &mut List<'_>) {
    let [real, contrived] = rates(list.results);
    list.factor("Fig. 7", "Contrived loop: the oracle is 92 % faster than PDOM", contrived[2] / contrived[1], 1.92);
    list.factor("Fig. 7", "Real programs: the oracle is 2.6 % faster than PDOM", real[2] / real[1], 1.026);
    list.says("Fig. 7", "Real programs: NREC is far below PDOM", real[0] / real[1], Must::Below(0.9));
}
