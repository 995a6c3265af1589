//! Shrinking a schedule that fails: delta debugging (Zeller and Hildebrandt, TSE 2002) over what its threads do in a row.
//!
//! A schedule is better that switches less between threads, and at that the shorter one. What is tried, large changes first:
//! to leave out a stretch, to exchange neighbours, to leave out one move, to write in the order of the lanes. Each attempt
//! runs anew: a move that is not possible is skipped, and behind the last one the run goes on without need to switch.

use super::run::Run;
use super::{Ending, Move, System, Witness};
use std::collections::HashSet;

/// How many runs are tried.
const RUNS: usize = 4_000;

/// How many moves a run makes behind those that it was given.
const FUEL: usize = 10_000;

/// Makes the schedule of a run that fails simpler, as long as the run fails: fewer switches between threads, then fewer
/// moves. What comes back fails, or is what was given; it need not be the simplest of all.
pub fn shrink<S: System>(system: &S, ending: &Ending, fails: impl Fn(&Ending) -> bool) -> Ending {
    let (mut best, mut left) = (ending.clone(), RUNS);
    loop {
        let attempts = attempts(&best.witness).take(left);
        let better = attempts.enumerate().find_map(|(number, attempt)| {
            let ending = complete(system, &attempt, best.witness.moves.len());
            let better = cost(&ending.witness) < cost(&best.witness) && fails(&ending);
            better.then_some((number, ending))
        });
        let Some((number, ending)) = better else { return best };
        left -= number + 1;
        best = ending;
    }
}

/// What makes a schedule hard to read.
fn cost(witness: &Witness) -> (usize, usize) {
    let twisted = witness.moves.iter().filter(|by| !by.order().is_sorted()).count();
    (witness.switches() + twisted, witness.moves.len())
}

type Stretch = (Move, usize);

/// Schedules that may be simpler.
fn attempts(witness: &Witness) -> impl Iterator<Item = Vec<Stretch>> {
    let runs: Vec<Stretch> = witness.runs().map(|(by, count)| (by.clone(), count)).collect();
    let (count, all) = (runs.len(), runs.clone());
    let sizes = std::iter::successors(Some(count), |size| Some(size / 2)).take_while(|&size| size > 0);
    let places = sizes.flat_map(move |size| (0..count).step_by(size).map(move |from| (from, (from + size).min(count))));
    let without = places.map(move |(from, to)| [&all[..from], &all[to..]].concat());
    let all = runs.clone();
    let exchanged = (1..count).map(move |place| {
        let mut runs = all.clone();
        runs.swap(place - 1, place);
        runs
    });
    let all = runs.clone();
    let shorter = (0..count).filter_map(move |place| {
        let mut runs = all.clone();
        runs[place].1 = runs[place].1.checked_sub(1).filter(|&count| count > 0)?;
        Some(runs)
    });
    let sorted = (0..count).filter_map(move |place| {
        let mut runs = runs.clone();
        let sorted = Move::together(runs[place].0.mask());
        (sorted != runs[place].0).then(|| {
            runs[place].0 = sorted;
            runs
        })
    });
    without.chain(exchanged).chain(shorter).chain(sorted)
}

/// Makes those of the moves that are possible, and goes on to the end: with the thread that went last, until it has ended,
/// waits, or comes to where it has been before; then with the next. Writes are in the order of the lanes.
fn complete<S: System>(system: &S, moves: &[Stretch], length: usize) -> Ending {
    let mut run = Run::new(system);
    for (by, count) in moves {
        for _ in 0..*count {
            if !run.step(by) {
                break;
            }
        }
    }
    let mut seen = HashSet::from([run.config.clone()]);
    for _ in 0..length + FUEL {
        let mut successors = run.successors();
        successors.retain(|successor| successor.by.order().is_sorted());
        let last = run.last();
        let goes_on = successors.iter().position(|successor| {
            Some(&successor.by) == last && successor.after.as_ref().is_ok_and(|after| !seen.contains(after))
        });
        let next = successors.iter().position(|successor| Some(&successor.by) > last);
        let Some(next) = goes_on.or(next).or((!successors.is_empty()).then_some(0)) else { break };
        if goes_on.is_none() {
            seen.clear();
        }
        run.take(successors.swap_remove(next));
        seen.insert(run.config.clone());
    }
    run.ending()
}
