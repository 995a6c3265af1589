//! What the text of a paper says, and whether it is so here.

use std::fmt::Write;

use crate::programs::number;
use crate::runner::Results;
use crate::setup::Setup;

/// A sentence of a paper.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    /// The figure or section.
    pub(crate) place: &'static str,
    pub(crate) text: String,
    /// The number of the sentence, if it has one.
    pub(crate) printed: Option<f64>,
    pub(crate) ours: f64,
    /// Whether sign and order are as the sentence says.
    pub(crate) holds: bool,
}

/// How far a number may be from the printed one.
const NEAR: f64 = 0.15;

impl Claim {
    /// Whether the number is near to the printed one.
    pub(crate) fn is_near(&self) -> bool {
        self.printed.is_some_and(|printed| (self.ours / printed - 1.0).abs() <= NEAR)
    }
}

/// A list of claims that is being made.
pub(crate) struct List<'r> {
    pub(crate) results: &'r Results,
    pub(crate) claims: Vec<Claim>,
}

impl<'r> List<'r> {
    pub(crate) fn new(results: &'r Results) -> Self {
        Self { results, claims: Vec::new() }
    }

    /// A sentence without a number: `ours` is what it is judged by.
    pub(crate) fn says(&mut self, place: &'static str, text: impl Into<String>, ours: f64, holds: bool) {
        self.claims.push(Claim { place, text: text.into(), printed: None, ours, holds });
    }

    /// A sentence with a factor: it holds if ours is on the same side of 1.
    pub(crate) fn factor(&mut self, place: &'static str, text: impl Into<String>, ours: f64, printed: f64) {
        let holds = (ours > 1.0) == (printed > 1.0);
        self.claims.push(Claim { place, text: text.into(), printed: Some(printed), ours, holds });
    }

    /// A sentence with a number, and what must be so.
    pub(crate) fn number(
        &mut self,
        place: &'static str,
        text: impl Into<String>,
        ours: f64,
        printed: f64,
        holds: bool,
    ) {
        self.claims.push(Claim { place, text: text.into(), printed: Some(printed), ours, holds });
    }

    pub(crate) fn ipc(&self, name: &str, setup: Setup) -> f64 {
        self.results.of(number(name), setup).ipc
    }

    pub(crate) fn mean(&self, setup: Setup) -> f64 {
        self.results.mean(setup)
    }

    /// A program's speed on one machine over that on another.
    pub(crate) fn over(&self, name: &str, setup: Setup, base: Setup) -> f64 {
        self.ipc(name, setup) / self.ipc(name, base)
    }

    pub(crate) fn mean_over(&self, setup: Setup, base: Setup) -> f64 {
        self.mean(setup) / self.mean(base)
    }
}

/// The table of claims, and how many hold.
pub(crate) fn markdown(claims: &[Claim]) -> String {
    let holding = claims.iter().filter(|claim| claim.holds).count();
    let near = claims.iter().filter(|claim| claim.is_near()).count();
    let numbered = claims.iter().filter(|claim| claim.printed.is_some()).count();
    let mut text = format!(
        "# Claims\n\n{holding} of {} claims hold in sign and order. Of the {numbered} with a printed number {near} are within 15 %.\n\n\
         | place | claim | printed | ours | holds | within 15 % |\n|---|---|---:|---:|---|---|\n",
        claims.len()
    );
    for claim in claims {
        let printed = claim.printed.map_or(String::new(), |printed| format!("{printed:.3}"));
        let near = match claim.printed {
            Some(_) if claim.is_near() => "yes",
            Some(_) => "no",
            None => "",
        };
        let holds = if claim.holds { "yes" } else { "**no**" };
        // A `write!` to a string cannot fail.
        let _ =
            writeln!(text, "| {} | {} | {printed} | {:.3} | {holds} | {near} |", claim.place, claim.text, claim.ours);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_near_and_on_its_side() {
        let results = Results::default();
        let mut list = List::new(&results);
        for (ours, printed) in [(1.3, 1.47), (0.99, 1.06), (0.6, 0.77), (1.2, 1.47)] {
            list.factor("1", "faster", ours, printed);
        }
        list.says("1", "order", 0.5, true);
        let found: Vec<(bool, bool)> = list.claims.iter().map(|claim| (claim.holds, claim.is_near())).collect();
        assert_eq!(found, [(true, true), (false, true), (true, false), (true, false), (true, false)]);
        let text = markdown(&list.claims);
        assert!(
            text.contains("4 of 5 claims hold in sign and order. Of the 4 with a printed number 2 are within 15 %."),
            "{text}"
        );
    }
}
