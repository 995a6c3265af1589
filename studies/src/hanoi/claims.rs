//! What the paper says, and whether it is so here.

use super::pages::{RECONVERGENCE, REGISTERS, SPLITS};
use super::{distances, gains, is_benchmark, mean, of_benchmarks, stack_storage, storage};
use crate::claims::{List, MORE, Must};
use crate::programs::{Scale, number};
use crate::traces::{BARRIERS, Distance, HANOI, STACK};

pub(super) fn claims(list: &mut List<'_>, _scale: Scale) {
    traces(list);
    speed(list);
    cost(list);
    waiting(list);
}

/// Section IX, Figure 9, with `ConvergenceBarriers` for Turing.
fn traces(list: &mut List<'_>) {
    let results = list.results;
    let pair = (HANOI, BARRIERS);
    let benchmarks = of_benchmarks(results, pair);
    let all: Vec<Distance> = distances(results, pair).into_iter().map(|(_, distance)| distance).collect();
    let average = |distances: &[Distance]| 100.0 * mean(distances.iter().map(Distance::discrepancy));
    let share = |distances: &[Distance], is: fn(&Distance) -> bool| {
        distances.iter().filter(|distance| is(distance)).count() as f64 / distances.len() as f64
    };
    for (which, distances) in [("benchmarks", &benchmarks), ("all programs, twins included", &all)] {
        let ours = average(distances);
        let text = format!("The traces of `Hanoi` and `ConvergenceBarriers` differ by 1.03 % on average: {which}");
        list.number("IX", text, ours, 1.03, Must::Below(2.0));
        let ours = share(distances, |distance| distance.edits == 0);
        let text = format!("46 of 59 runs have no discrepancy (share): {which}");
        list.number("IX", text, ours, 46.0 / 59.0, Must::Above(0.5));
    }
    let above = share(&benchmarks, |distance| distance.discrepancy() >= 0.024);
    list.number(
        "IX",
        "All but one of 59 are below 2.4 % (share above): benchmarks",
        above,
        1.0 / 59.0,
        Must::Below(0.05),
    );
    let order = average(&of_benchmarks(results, (STACK, HANOI)));
    list.says(
        "IX",
        "Which path goes first makes traces very different: a stack that takes the taken path, in % of Hanoi's",
        order,
        Must::Above(2.0 * average(&benchmarks)),
    );
    for name in ["k15_fig6", "k15_cross"] {
        let runs = &results.traces(number(name)).runs;
        let fewer = runs[STACK].issues as f64 / runs[HANOI].issues as f64;
        let text = format!("{name}: reconvergence before the post-dominator saves issues of a stack");
        list.says("VI-B", text, fewer, MORE);
    }
}

/// Figure 10.
fn speed(list: &mut List<'_>) {
    let all = gains(list.results, HANOI, BARRIERS);
    let of = |benchmarks: bool| -> Vec<f64> {
        let wanted = all.iter().filter(|(program, _)| !benchmarks || is_benchmark(*program));
        wanted.map(|(_, gain)| gain.abs()).collect()
    };
    for (which, gains) in [("benchmarks", of(true)), ("all programs, twins included", of(false))] {
        let ours = 100.0 * mean(gains.iter().copied());
        let text = format!(
            "The IPC under `Hanoi` differs from that under `ConvergenceBarriers` by 0.19 % on average: {which}"
        );
        list.number("IX", text, ours, 0.19, Must::Below(1.0));
        let above = gains.iter().filter(|gain| **gain >= 0.012).count() as f64 / gains.len() as f64;
        let text = format!("All but one of 59 differ by less than 1.2 % (share that does not): {which}");
        list.number("IX", text, above, 1.0 / 59.0, Must::Below(0.05));
    }
    let same = distances(list.results, (HANOI, BARRIERS));
    let is_same =
        |program: usize| same.iter().any(|(other, distance)| *other == program && distance.edits_of_lanes == 0);
    let gains = all.iter().filter(|(program, _)| is_same(*program)).map(|(_, gain)| gain.abs());
    let most = 100.0 * gains.fold(0.0, f64::max);
    list.says(
        "Fig. 10",
        "Where traces do not differ, neither does the IPC (highest difference in %)",
        most,
        Must::Below(0.5),
    );
}

/// Section IX-A.
fn cost(list: &mut List<'_>) {
    let most = |name: &str| {
        let runs = list.results.traces.values().map(|traces| &traces.runs[HANOI]);
        runs.map(|run| run.count(name)).max().unwrap_or(0) as f64
    };
    let (splits, reconvergence, registers) = (most(SPLITS), most(RECONVERGENCE), most(REGISTERS));
    list.says(
        "IX-A",
        "A warp of 32 needs 432 bytes with 8 registers (by its formula)",
        storage(32, 31) as f64,
        Must::AtMost(432.0),
    );
    let less = 1.0 - storage(32, 31) as f64 / stack_storage(63) as f64;
    list.says("IX-A", "That is almost 43 % less than a SIMT stack needs (share)", less, Must::Between(0.42, 0.43));
    list.says("IX-A", "32 entries of WS are enough (most of any program)", splits, Must::AtMost(32.0));
    list.says("IX-A", "31 entries of REC are enough (most of any program)", reconvergence, Must::AtMost(31.0));
    list.says("IX-A", "A few registers are enough, 8 for instance (most in use at once)", registers, Must::AtMost(8.0));
}

/// Sections III and VI-C.
fn waiting(list: &mut List<'_>) {
    let ends = |name: &str, mechanism: usize| list.results.traces(number(name)).runs[mechanism].unending.is_none();
    let locks = ["k16_spinlock", "k16_spinlock_fence", "k16_spinlock_nanosleep"];
    let hanging = locks.iter().filter(|name| !ends(name, STACK)).count() as f64;
    let ending = locks.iter().filter(|name| ends(name, HANOI)).count() as f64;
    list.says(
        "III",
        "The spin lock of Figure 3 hangs before Volta (variants that hang, of 3)",
        hanging,
        Must::AtLeast(3.0),
    );
    list.says("VI-C", "It ends under Hanoi (variants that end, of 3)", ending, Must::AtLeast(3.0));
    let yields = list.results.traces(number("k16_spinlock")).runs[HANOI].markers[4] as f64;
    list.says("V-G", "It takes YIELD for that (those issued)", yields, Must::Above(0.0));
}
