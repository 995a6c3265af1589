//! How far the numbers of Figures 1 and 13 depend on the programs' inputs: other seeds of the same generators.

use super::{MECHANISMS, names, printed, with_mean};
use crate::page::{Cell, Page, Table};
use crate::programs::{PROGRAMS, Scale};
use crate::runner::{Needs, Results};
use crate::setup::Setup;

/// How many inputs each program has here: that of all other figures, and two more.
const INPUTS: u64 = 3;

/// Programs whose branches and addresses do not depend on data. At the quick scale they run with each input, and have one
/// number, as a test here compares; on the whole machine that is taken for granted.
const ALWAYS_THE_SAME: [&str; 3] = ["FFT", "LU", "Matrix"];

/// What a program runs on, for one of the inputs.
fn of_input(setup: Setup, program: usize, input: u64, scale: Scale) -> Setup {
    let is_known = scale == Scale::Full && ALWAYS_THE_SAME.contains(&PROGRAMS[program].name);
    setup.of_input(if is_known { 0 } else { input })
}

pub(super) fn needs(needs: &mut Needs, scale: Scale) {
    for (input, (_, setup)) in (0..INPUTS).flat_map(|input| MECHANISMS.map(|mechanism| (input, mechanism))) {
        (0..PROGRAMS.len()).for_each(|program| needs.one(program, of_input(setup, program, input, scale)));
    }
}

/// The instructions per cycle of each program with an input.
fn ipcs(results: &Results, setup: Setup, input: u64, scale: Scale) -> Vec<f64> {
    (0..PROGRAMS.len()).map(|program| results.of(program, of_input(setup, program, input, scale)).ipc).collect()
}

pub(super) fn page(results: &Results, scale: Scale) -> Result<Page, String> {
    let of_inputs = |setup| (0..INPUTS).map(move |input| with_mean(ipcs(results, setup, input, scale)));
    let measured = MECHANISMS.map(|(_, setup)| of_inputs(setup).collect::<Vec<_>>());
    let labels = MECHANISMS.map(|(label, _)| label);
    let (columns, mean) = (names(), PROGRAMS.len());
    let mut order = Table::new("Harmonic means of the IPC over that of NREC [printed] ratio.", &labels, 3);
    for input in 0..INPUTS as usize {
        let over = measured.each_ref().map(|inputs| inputs[input][mean] / measured[0][input][mean]);
        let cells = over.iter().zip(printed::ORDER).map(|(&over, printed)| Cell::beside(over, printed));
        order.row(&format!("input {input}"), cells);
    }
    let title =
        "The most less the least of the inputs' IPC, in % of the least: of each program, and of the harmonic mean.";
    let mut spread = Table::new(title, &columns, 2);
    for (label, inputs) in labels.iter().zip(&measured) {
        let of = |column: usize| inputs.iter().map(move |ipcs| ipcs[column]);
        let least = |column| of(column).fold(f64::MAX, f64::min);
        let most = |column| of(column).fold(0.0, f64::max);
        spread.row(label, (0..columns.len()).map(|column| 100.0 * (most(column) / least(column) - 1.0)));
    }
    let text = "Each program has one input of a seeded generator in all other figures: input 0, of which all claims are. Here it \
                has two more, of the same size and the same kind. Branches and addresses of FFT, LU and Matrix do not depend on \
                their data: on the whole machine they run once."
        .into();
    Ok(Page { text, tables: vec![order, spread], ..Page::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_run_once_have_one_number() {
        let known = include_str!("../../quick.txt");
        for program in &PROGRAMS {
            let of = |line: &&str| line.starts_with(&format!("{} ", program.name));
            let with_inputs = known.lines().filter(of).filter_map(|line| line.split_once(" input "));
            let same: Vec<bool> = with_inputs
                .map(|(setup, rest)| known.lines().any(|line| line == [setup, &rest[1..]].concat()))
                .collect();
            assert_eq!(same.len(), MECHANISMS.len() * (INPUTS as usize - 1), "{}", program.name);
            assert!(
                same.iter().all(|&same| same == ALWAYS_THE_SAME.contains(&program.name)),
                "{}: {same:?}",
                program.name
            );
        }
    }
}
