//! Which programs end, under which policies, on which machines: M. Habermaier and A. Knapp, *On the Correctness of the SIMT
//! Execution Model of GPUs* (ESOP 2012), section 5, and what *Control Flow Management in Modern GPUs* says of deadlocks.
//!
//! A launch that does not end is proved not to, with the lanes that spin and what they read.

mod claims;

use crate::endings::{Ending, Outcome, Place};
use crate::page::Page;
use crate::plot::Fields;
use crate::programs::{Scale, waiting};
use crate::runner::{Needs, Results};
use crate::study::{Figure, Study};

pub(crate) const STUDY: Study = Study {
    name: "fairness",
    title: "Which programs end, and which do not",
    figures: &FIGURES,
    claims: claims::claims,
};

const FIGURES: [Figure; 2] = [
    Figure { name: "map", title: "Programs, policies and machines", needs, page: map },
    Figure { name: "witnesses", title: "Witnesses of those that never end", needs, page: witnesses },
];

fn needs(needs: &mut Needs, _scale: Scale) {
    for program in 0..waiting().len() {
        needs.endings.extend(Place::ALL.map(|place| (program, place)));
    }
}

/// The endings of a program on a machine, by policy.
fn of(results: &Results, program: usize, place: Place) -> &[Ending] {
    results.endings.get(&(program, place)).map_or(&[], Vec::as_slice)
}

fn policies(results: &Results) -> Vec<String> {
    of(results, 0, Place::Wide).iter().map(|ending| ending.policy.clone()).collect()
}

fn map(results: &Results, _scale: Scale) -> Result<Page, String> {
    let policies = policies(results);
    let kind = |outcome: Outcome| Outcome::ALL.iter().position(|other| *other == outcome).unwrap_or_default();
    let field = |program: usize, policy: usize| -> Vec<usize> {
        Place::ALL.iter().map(|&place| kind(of(results, program, place)[policy].outcome)).collect()
    };
    let row = |program: usize| (0..policies.len()).map(|policy| field(program, policy)).collect::<Vec<_>>();
    let fields: Vec<_> = (0..waiting().len()).map(row).collect();
    let places: Vec<&str> = Place::ALL.iter().map(|place| place.name()).collect();
    let picture = Fields {
        title: &format!("In each field, from left to right: {}", places.join(", ")),
        rows: waiting().iter().map(|program| program.name.to_string()).collect(),
        columns: policies.clone(),
        kinds: Outcome::ALL.iter().map(|outcome| outcome.name().to_string()).collect(),
        fields: fields.clone(),
    };
    let mut text = format!(
        "`e` ends, `n` never does, which is proved for every order of warps, `h` never does in the order of this policy or machine, \
         `d` is a deadlock, `?` was given up, `f` failed; for {}.\n\n| program | {} |\n|---|{}\n",
        places.join(", "),
        policies.join(" | "),
        "---|".repeat(policies.len())
    );
    for (program, row) in waiting().iter().zip(&fields) {
        let letters =
            |field: &Vec<usize>| -> String { field.iter().map(|&kind| ['e', 'n', 'h', 'd', '?', 'f'][kind]).collect() };
        let cells: Vec<String> = row.iter().map(letters).collect();
        text += &format!("| {} | {} |\n", program.name, cells.join(" | "));
    }
    Ok(Page { text, pictures: vec![("map.svg".into(), picture.svg()?)], ..Page::default() })
}

fn witnesses(results: &Results, _scale: Scale) -> Result<Page, String> {
    let mut text =
        String::from("In warps of 32, without a clock.\n\n| program | policies | what is known |\n|---|---|---|\n");
    for (number, program) in waiting().iter().enumerate() {
        // Policies with the same witness stand together.
        let mut known: Vec<(String, Vec<&str>)> = Vec::new();
        for ending in of(results, number, Place::Wide).iter().filter(|ending| ending.outcome != Outcome::Ends) {
            let what = format!("{}: {}", ending.outcome.name(), ending.witness);
            match known.iter_mut().find(|(other, _)| *other == what) {
                Some((_, policies)) => policies.push(&ending.policy),
                None => known.push((what, vec![&ending.policy])),
            }
        }
        for (what, policies) in known {
            text += &format!("| {} | {} | {what} |\n", program.name, policies.join(", "));
        }
    }
    Ok(Page { text, ..Page::default() })
}
