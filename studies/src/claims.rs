//! What the text of a paper says, and whether it is so here.

use std::fmt::{self, Write};

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
    /// What it must be for sign and order to be as the sentence says.
    pub(crate) must: Must,
    /// Whether the number is a factor, whose effect is what it has over 1.
    pub(crate) is_factor: bool,
}

/// What our number must be for a sentence to hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Must {
    Above(f64),
    Below(f64),
    AtLeast(f64),
    AtMost(f64),
    Between(f64, f64),
    /// What the number alone does not tell, in words, and whether it is so.
    Be(&'static str, bool),
}

/// More and less: one part of a hundred is no difference.
pub(crate) const MORE: Must = Must::Above(1.01);
pub(crate) const LESS: Must = Must::Below(0.99);

/// How far a number may be from the printed one.
const NEAR: f64 = 0.15;

/// The part of a printed effect that is one: a factor of 1.47 needs to be more than 1.047.
const EFFECT: f64 = 0.1;

impl Must {
    /// On the side of 1 on which a printed factor is, with a tenth of its effect at least.
    fn have_effect(printed: f64) -> Self {
        let bound = 1.0 + EFFECT * (printed - 1.0);
        if printed > 1.0 { Self::Above(bound) } else { Self::Below(bound) }
    }

    fn is_met(&self, ours: f64) -> bool {
        match *self {
            Self::Above(bound) => ours > bound,
            Self::Below(bound) => ours < bound,
            Self::AtLeast(bound) => ours >= bound,
            Self::AtMost(bound) => ours <= bound,
            Self::Between(from, to) => from < ours && ours < to,
            Self::Be(_, is_so) => is_so,
        }
    }
}

impl fmt::Display for Must {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // At most four digits behind the point.
        let short = |bound: &f64| (bound * 1e4).round() / 1e4;
        match self {
            Self::Above(bound) => write!(f, "> {}", short(bound)),
            Self::Below(bound) => write!(f, "< {}", short(bound)),
            Self::AtLeast(bound) => write!(f, "≥ {}", short(bound)),
            Self::AtMost(bound) => write!(f, "≤ {}", short(bound)),
            Self::Between(from, to) => write!(f, "{} to {}", short(from), short(to)),
            Self::Be(words, _) => f.write_str(words),
        }
    }
}

impl Claim {
    /// Whether sign and order are as the sentence says.
    pub(crate) fn holds(&self) -> bool {
        self.must.is_met(self.ours)
    }

    /// Whether it holds, and the number is near to the printed one.
    pub(crate) fn is_near(&self) -> bool {
        self.holds() && self.printed.is_some_and(|printed| (self.ours / printed - 1.0).abs() <= NEAR)
    }

    /// Whether it is a factor whose effect is near to the printed one's.
    fn has_effect(&self) -> bool {
        self.is_factor && self.printed.is_some_and(|printed| ((self.ours - 1.0) / (printed - 1.0) - 1.0).abs() <= NEAR)
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
    pub(crate) fn says(&mut self, place: &'static str, text: impl Into<String>, ours: f64, must: Must) {
        self.claims.push(Claim { place, text: text.into(), printed: None, ours, must, is_factor: false });
    }

    /// A sentence with a factor: it holds if ours is on the same side of 1, and not all but 1.
    pub(crate) fn factor(&mut self, place: &'static str, text: impl Into<String>, ours: f64, printed: f64) {
        let must = Must::have_effect(printed);
        self.claims.push(Claim { place, text: text.into(), printed: Some(printed), ours, must, is_factor: true });
    }

    /// A sentence with a number, and what must be so.
    pub(crate) fn number(&mut self, place: &'static str, text: impl Into<String>, ours: f64, printed: f64, must: Must) {
        self.claims.push(Claim { place, text: text.into(), printed: Some(printed), ours, must, is_factor: false });
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
    let holding = claims.iter().filter(|claim| claim.holds()).count();
    let near = claims.iter().filter(|claim| claim.is_near()).count();
    let numbered = claims.iter().filter(|claim| claim.printed.is_some()).count();
    let factors = claims.iter().filter(|claim| claim.is_factor).count();
    let effects = claims.iter().filter(|claim| claim.has_effect()).count();
    let mut text = format!("# Claims\n\n{holding} of {} claims hold in sign and order.", claims.len());
    // A `write!` to a string cannot fail.
    if numbered > 0 {
        let _ = write!(text, " Of the {numbered} with a printed number {near} hold and are within 15 % of it.");
    }
    if factors > 0 {
        let _ = write!(
            text,
            " A factor has to have a tenth of the printed effect, which is what it has over 1: 4.7 % where 47 % are printed; of \
             the {factors} factors the effect of {effects} is within 15 % of the printed one."
        );
    }
    text +=
        "\n\n| place | claim | printed | ours | holds if | holds | within 15 % |\n|---|---|---:|---:|---|---|---|\n";
    for claim in claims {
        let printed = claim.printed.map_or(String::new(), |printed| format!("{printed:.3}"));
        let near = match claim.printed {
            Some(_) if claim.is_near() => "yes",
            Some(_) => "no",
            None => "",
        };
        let holds = if claim.holds() { "yes" } else { "**no**" };
        let Claim { place, text: says, ours, must, .. } = claim;
        let _ = writeln!(text, "| {place} | {says} | {printed} | {ours:.3} | {must} | {holds} | {near} |");
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
        for (ours, printed) in [(1.3, 1.47), (0.99, 1.06), (0.6, 0.77), (1.2, 1.47), (1.002, 1.7), (0.98, 0.75)] {
            list.factor("1", "faster", ours, printed);
        }
        list.says("1", "order", 0.5, Must::Be("in this order", true));
        let found: Vec<(bool, bool)> = list.claims.iter().map(|claim| (claim.holds(), claim.is_near())).collect();
        let expected = [
            (true, true),
            (false, false),
            (true, false),
            (true, false),
            // The side is right, and there is next to no effect.
            (false, false),
            (false, false),
            (true, false),
        ];
        assert_eq!(found, expected);
        let text = markdown(&list.claims);
        assert!(
            text.contains(
                "4 of 7 claims hold in sign and order. Of the 6 with a printed number 1 hold and are within 15 %"
            ),
            "{text}"
        );
        assert!(text.contains("of the 6 factors the effect of 0 is within"), "{text}");
        assert!(text.contains("| 1 | faster | 1.700 | 1.002 | > 1.07 | **no** | no |\n"), "{text}");
        assert!(text.contains("| 1 | order |  | 0.500 | in this order | yes |  |\n"), "{text}");
    }

    #[test]
    fn bounds_are_met_at_their_edges_or_not() {
        let met = |must: Must| must.is_met(2.0);
        assert!(met(Must::AtLeast(2.0)) && met(Must::AtMost(2.0)) && met(Must::Between(1.0, 3.0)));
        assert!(!met(Must::Above(2.0)) && !met(Must::Below(2.0)) && !met(Must::Between(2.0, 3.0)));
    }
}
